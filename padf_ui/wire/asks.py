"""What the browser may send, with its limits: `padf_ui.wire.check` refuses everything else."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from padf_ui.wire.check import Size, Within
from padf_ui.wire.limits import MAX_POINTS, MAX_PROBABILITIES, MOST_CLIPS, MOST_PRESSES

Count = Annotated[int, Within(0, 2**53)]
"""A whole number that a browser can count exactly."""
Bits = Annotated[str, Size(MAX_POINTS)]
"""A series as a text of 0 and 1."""
Sliders = Annotated[dict[str, float], Size(40)]
"""Sliders that were let go, by key."""
Typed = Annotated[str, Size(100)]
"""What somebody typed."""

Address = Annotated[str, Size(20_000)]
"""The address to which the browser stepped back or forward."""
Turn = Literal[-1, 1]
"""A step back or on, asked for by a key."""


class Random(TypedDict):
    """A wish for random alarms."""

    rate: Annotated[float, Within(0, 100)]
    """Percent."""
    seed: Count


class BoardAsk(TypedDict):
    """What the drawing board asks for."""

    id: Count
    revision: NotRequired[Count]
    final: NotRequired[bool]
    """Whether the hand is off the board: then the rest of the page follows."""
    labels: NotRequired[Bits]
    detections: NotRequired[Bits]
    settings: NotRequired[Sliders]
    random: NotRequired[Random]


class GuessAsk(TypedDict):
    """What the drawing of a guess asks for."""

    id: Count
    guess: Annotated[list[Annotated[int, Within(0, 1000)]], Size(MAX_POINTS)]


class Window(TypedDict):
    """A stretch of the series, half-open."""

    first: Annotated[float, Within(-(2**53), 2**53)]
    last: Annotated[float, Within(-(2**53), 2**53)]


class TimelineAsk(TypedDict):
    """What the timeline asks for."""

    id: Count
    window: NotRequired[Window]
    settings: NotRequired[Sliders]
    """The threshold's key is "threshold"."""


class CasesAsk(TypedDict):
    """What the page of the paper's cases asks for."""

    id: Count
    settings: NotRequired[Sliders]
    open: NotRequired[Count]
    """The case to open in the Playground: the toy cases first, then the others."""


class ProbabilityAsk(TypedDict):
    """What the drawing of alarm probabilities asks for."""

    id: Count
    alarm: Annotated[list[Annotated[float, Within(0, 1)]], Size(MAX_PROBABILITIES)]


class NeedNumbers(TypedDict, total=False):
    """The numbers of a need that were dragged."""

    seconds: float
    share: float
    grace: float


class NeedTyped(TypedDict):
    """A number of the need as somebody typed it."""

    number: Typed
    text: Annotated[str, Size(4000)]


class NeedAsk(TypedDict):
    """What the sentence asks for."""

    id: Count
    numbers: NotRequired[NeedNumbers]
    typed: NotRequired[NeedTyped]


class RaceAsk(TypedDict):
    """What the race asks for."""

    id: Count
    number: float


class ReplayAsk(TypedDict):
    """What the replay asks for: that the watcher's presses are scored."""

    id: Count
    key: Typed
    presses: Annotated[list[Annotated[list[float], Size(MOST_PRESSES)]], Size(MOST_CLIPS)]
    """Seconds from the clip's beginning, clip by clip."""
