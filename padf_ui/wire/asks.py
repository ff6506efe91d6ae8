"""Requests the browser may send, with their limits. `padf_ui.wire.check` rejects anything else."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from padf_ui.wire.check import Size, Within
from padf_ui.wire.limits import MAX_POINTS, MAX_PROBABILITIES, MOST_CLIPS, MOST_PRESSES

Count = Annotated[int, Within(0, 2**53)]
"""Non-negative integer that JavaScript represents exactly."""
Bits = Annotated[str, Size(MAX_POINTS)]
"""Series written as a string of 0 and 1."""
Sliders = Annotated[dict[str, float], Size(40)]
"""Values of the sliders that the user released, by key."""
Typed = Annotated[str, Size(100)]
"""Text typed by the user."""

Address = Annotated[str, Size(20_000)]
"""URL that the browser moved to with Back or Forward."""
Turn = Literal[-1, 1]
"""One step back or forward, requested with a key."""
Place = Annotated[int, Within(0, 5)]
"""Index of an answer, chosen with a key."""


class Random(TypedDict):
    """Request for random alarms."""

    rate: Annotated[float, Within(0, 100)]
    """Share of points to flag, in percent."""
    seed: Count


class BoardAsk(TypedDict):
    """Request from the board."""

    id: Count
    revision: NotRequired[Count]
    final: NotRequired[bool]
    """Whether the user has released the board. If so, the rest of the page updates as well."""
    labels: NotRequired[Bits]
    detections: NotRequired[Bits]
    settings: NotRequired[Sliders]
    random: NotRequired[Random]


class GuessAsk(TypedDict):
    """Request from the component in which the reader draws a guess."""

    id: Count
    guess: Annotated[list[Annotated[int, Within(0, 1000)]], Size(MAX_POINTS)]


class Window(TypedDict):
    """Part of the series, as a half-open interval."""

    first: Annotated[float, Within(-(2**53), 2**53)]
    last: Annotated[float, Within(-(2**53), 2**53)]


class TimelineAsk(TypedDict):
    """Request from the timeline."""

    id: Count
    window: NotRequired[Window]
    settings: NotRequired[Sliders]
    """Slider values by key. The key of the threshold is "threshold"."""


class CasesAsk(TypedDict):
    """Request from the Paper cases page."""

    id: Count
    settings: NotRequired[Sliders]
    open: NotRequired[Count]
    """Index of the case to open in the Playground: toy cases first, then robustness cases."""


class ProbabilityAsk(TypedDict):
    """Request from the component in which alarm probabilities are drawn."""

    id: Count
    alarm: Annotated[list[Annotated[float, Within(0, 1)]], Size(MAX_PROBABILITIES)]


class NeedNumbers(TypedDict, total=False):
    """Numbers of a need that the user dragged."""

    seconds: float
    share: float
    grace: float


class NeedTyped(TypedDict):
    """Number of a need that the user typed."""

    number: Typed
    text: Annotated[str, Size(4000)]


class NeedAsk(TypedDict):
    """Request from the need sentence."""

    id: Count
    numbers: NotRequired[NeedNumbers]
    typed: NotRequired[NeedTyped]


class RaceAsk(TypedDict):
    """Request from the race chart."""

    id: Count
    number: float


class ReplayAsk(TypedDict):
    """Request from the replay to score the watcher's presses."""

    id: Count
    key: Typed
    presses: Annotated[list[Annotated[list[float], Size(MOST_PRESSES)]], Size(MOST_CLIPS)]
    """For each clip, the times of the presses in seconds from the start of the clip."""
