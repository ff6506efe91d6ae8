"""What lanes, sliders and their texts are made of: shared by all components that draw lanes."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class Texts(TypedDict):
    """Many texts that differ in little but their numbers."""

    parts: list[list[str]]
    """What stands around the numbers: one more part than there are numbers."""
    rows: list[list[str | int]]
    """For each text: which of the parts, then its numbers as they are written."""


class Credit(TypedDict):
    """What is granted inside segments, row by row."""

    by: Literal["segment", "point"]
    """Whether all points of a segment get the same, or each anomalous point its own."""
    columns: list[int]
    """For each segment, or each anomalous point in order of time: its column below."""
    rows: list[list[int]]
    """For each row and column: hundredths; -1 where the detections are kept as they are."""


class Slider(TypedDict):
    """A number that can be moved, with everything that is said at each of its steps."""

    key: str
    title: str
    steps: list[float]
    at: int
    lane: str | None
    """The lane whose F1 is the slider's curve; None: that of the lane that is chosen."""
    rule: str
    """What a typed number must be, as words."""
    limits: list[float]
    """Lowest and highest number that may be typed."""
    gaps: list[list[float]]
    """Open ranges inside the limits that may not be typed."""
    names: Texts
    """How the lane is called at each step: "d = 0.9"."""
    notes: Texts
    """What stands beside the number at each step."""


class LaneRows(TypedDict):
    """A lane at every step of one slider."""

    places: list[int]
    """For each step of the slider: its row below. One entry where there is no slider."""
    f1: list[int]
    """Thousandths, for each row."""
    gain: list[int] | None
    """F1 minus that of point-wise, in thousandths, for each row; None for point-wise itself."""
    credit: Credit


class Lane(LaneRows):
    """One protocol on the board, at every step of its own slider."""

    key: str
    name: str
    slider: str | None
    """The key of the slider that moves it."""
    arrows: bool
    """Whether arrows from onset to first hit stand under it."""
    precision: NotRequired[Texts]
    recall: NotRequired[Texts]
    formula: NotRequired[Texts]
    why: NotRequired[Texts]
    colours: NotRequired[list[str]]
    """The lane's colour in light and in dark."""
    worth: NotRequired[list[list[int]]]
    """For each row the credit at a delay of 0, 1, 2, ... steps, in hundredths."""


class Tailor(TypedDict):
    """A board that shows and allows only some things, as a lesson wants it."""

    paint: list[str]
    """The rows that may be painted: "truth", "detections"."""
    tools: list[str]
    """The tools in the bar, by name."""
    sliders: list[str]
    """The sliders that are there, by key."""
    numbers: bool
    """Whether scores and gains are shown."""
    formula: bool
    dim: list[str]
    """Lanes that do not matter now."""
    spread: bool
    """Whether what adjustment fills spreads from the hit when the board is first shown."""
    worth: bool
    """Whether the decay is drawn over the lane that minds the delay, with a dot at the delay."""
    waits: bool
    """Whether a question is open: until its answer, nothing tells what the lanes earn."""


class Shifts(TypedDict):
    """F1 of every lane as all alarms are moved, at the parameters in use."""

    reach: int
    """Steps by which they are moved at most: from -reach to reach."""
    f1: dict[str, list[int]]
    """By lane, thousandths for each shift."""
