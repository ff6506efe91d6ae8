"""What the sentence of a need and the race over the decay are given."""

from __future__ import annotations

from typing import Literal, TypedDict

from padf_ui.wire.lanes import Texts
from padf_ui.wire.timeline import Tick


class NeedNumber(TypedDict):
    """A number of a need, with the steps over which it is dragged."""

    key: Literal["seconds", "share", "grace"]
    steps: list[float]
    at: int


class NeedSlot(TypedDict):
    """A place of the sentence in which a number stands."""

    number: Literal["seconds", "share", "grace", "pace"]
    """What is typed here."""
    moves: Literal["seconds", "share", "grace"]
    """The number that is dragged here."""
    title: str
    texts: list[str]
    """What stands here at each step of that number."""
    turned: bool
    """Whether what stands here falls while the number rises."""


class NeedAxis(TypedDict):
    """A time axis from 0 on, with names at some of its seconds."""

    last: float
    ticks: list[Tick]


class NeedData(TypedDict):
    """A need as a sentence, and its decay for every step of its numbers."""

    session: str
    answered: int
    numbers: list[NeedNumber]
    parts: list[str]
    """What stands around the slots: one more part than there are slots."""
    slots: list[NeedSlot]
    said: Texts
    """What the decay is, for each step of the seconds and, within it, of the share."""
    begins: list[str]
    """What a grace does, for each of its steps."""
    delays: list[float]
    """Delays behind the grace, in units of the need's seconds."""
    credit: list[list[int]]
    """For each step of the share, thousandths at each of the delays."""
    stars: list[int]
    """For each step of the share, thousandths where the need's star lies, at its seconds."""
    reaches: list[float]
    """For each step of the share, the half-life, span or deadline for a second of the need."""
    axes: list[NeedAxis]
    """By rising length."""
    axis: str
    colours: list[str]


class RaceLine(TypedDict):
    """A detector as the decay's number moves."""

    name: str
    colours: list[str]
    dash: str
    f1: list[int]
    """Thousandths at each of the numbers."""
    here: int
    """Thousandths at the need."""
    against: str
    """How it compares with random detectors at the need."""


class RaceBand(TypedDict):
    """A range of the number over which the ranking stays the same."""

    start: float
    stop: float
    ranking: list[int]
    """Which of the lines, from the first to the last."""


class RaceFlip(TypedDict):
    """A place where two detectors change places."""

    at: float
    f1: int
    text: str


class RandomLine(TypedDict):
    """Random detectors as the decay's number moves, in thousandths."""

    low: list[int]
    high: list[int]
    mean: list[int]
    here: int
    """The mean at the need."""


class RaceData(TypedDict):
    """Who wins at which number of the decay."""

    session: str
    answered: int
    title: str
    numbers: list[float]
    """Where lines are drawn, rising; the axis is logarithmic."""
    texts: Texts
    """How each of the numbers is written."""
    at: float
    """The number of the need."""
    here: str
    lines: list[RaceLine]
    random: RandomLine
    bands: list[RaceBand]
    flips: list[RaceFlip]
    ticks: list[Tick]
    note: str
    """What the p-values beside the lines test."""
    file: str
    """What a saved figure is called."""
