"""Data for the need sentence and the race over the decay."""

from __future__ import annotations

from typing import Literal, TypedDict

from padf_ui.wire.lanes import Texts
from padf_ui.wire.timeline import Tick


class NeedNumber(TypedDict):
    """Number of a need, with the steps it can be dragged over."""

    key: Literal["seconds", "share", "grace"]
    steps: list[float]
    at: int


class NeedSlot(TypedDict):
    """Position of a number in the sentence."""

    number: Literal["seconds", "share", "grace", "pace"]
    """Number that is typed here."""
    moves: Literal["seconds", "share", "grace"]
    """Number that is dragged here."""
    title: str
    texts: list[str]
    """Text shown here at each step of the dragged number."""
    turned: bool
    """Whether the displayed value falls when the dragged number rises."""


class NeedAxis(TypedDict):
    """Time axis that starts at 0, with labels at some of its seconds."""

    last: float
    ticks: list[Tick]


class NeedData(TypedDict):
    """Need as a sentence, with its decay at every step of its numbers."""

    session: str
    answered: int
    numbers: list[NeedNumber]
    parts: list[str]
    """Wording around the slots. There is one more part than there are slots."""
    slots: list[NeedSlot]
    said: Texts
    """Description of the decay for each step of the seconds and, within it, of the share."""
    begins: list[str]
    """Effect of the grace at each of its steps."""
    delays: list[float]
    """Delays after the grace, in units of the need's seconds."""
    credit: list[list[int]]
    """For each step of the share: credit in thousandths at each delay."""
    stars: list[int]
    """For each step of the share: credit in thousandths at the need's star (delay 1.0)."""
    reaches: list[float]
    """For each step of the share: half-life, span or deadline of a need of one second."""
    axes: list[NeedAxis]
    """Axes in order of increasing length."""
    axis: str
    colours: list[str]


class RaceLine(TypedDict):
    """One detector over the parameter of the decay."""

    name: str
    colours: list[str]
    dash: str
    f1: list[int]
    """F1 in thousandths at each value of the parameter."""
    here: int
    """F1 in thousandths at the need."""
    against: str
    """Comparison with random detectors at the need."""


class RaceBand(TypedDict):
    """Range of the parameter with a constant ranking."""

    start: float
    stop: float
    ranking: list[int]
    """Indices of the lines, best first."""


class RaceFlip(TypedDict):
    """Value at which two detectors swap ranks."""

    at: float
    f1: int
    text: str


class RandomLine(TypedDict):
    """Random detectors over the parameter of the decay, in thousandths."""

    low: list[int]
    high: list[int]
    mean: list[int]
    here: int
    """Mean at the need."""


class RaceData(TypedDict):
    """Ranking of the detectors over the parameter of the decay."""

    session: str
    answered: int
    title: str
    numbers: list[float]
    """Values of the parameter at which lines are drawn, increasing. The axis is logarithmic."""
    texts: Texts
    """Each value of the parameter as text."""
    at: float
    """Value of the parameter at the need."""
    here: str
    lines: list[RaceLine]
    random: RandomLine
    bands: list[RaceBand]
    flips: list[RaceFlip]
    ticks: list[Tick]
    note: str
    """Explanation of the p-values shown next to the lines."""
    file: str
    """File name of a saved figure."""
