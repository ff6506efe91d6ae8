"""Schemas of lanes, sliders and their texts, shared by all components that draw lanes."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class Texts(TypedDict):
    """Many texts that share their wording and differ mostly in their numbers."""

    parts: list[list[str]]
    """Wording around the numbers. There is one more part than there are numbers."""
    rows: list[list[str | int]]
    """For each text: the index of its parts, then its formatted numbers."""


class Credit(TypedDict):
    """Credit inside segments, for each row."""

    by: Literal["segment", "point"]
    """Whether credit is given per segment or per anomalous point."""
    columns: list[int]
    """For each segment, or each anomalous point in time order: its column in `rows`."""
    rows: list[list[int]]
    """Hundredths for each row and column, or -1 where the detections count as they are."""


class Slider(TypedDict):
    """Number that the user can change, with all texts for each of its steps."""

    key: str
    title: str
    steps: list[float]
    at: int
    lane: str | None
    """Lane whose F1 is the slider's curve, or None for the selected lane."""
    rule: str
    """Description of the values that may be typed."""
    limits: list[float]
    """Smallest and largest value that may be typed."""
    gaps: list[list[float]]
    """Open intervals inside the limits that may not be typed."""
    names: Texts
    """Name of the lane at each step, such as "d = 0.9"."""
    notes: Texts
    """Note next to the number at each step."""
    stepped: bool
    """Whether the curve is drawn in steps."""


class LaneRows(TypedDict):
    """One lane at every step of a slider."""

    places: list[int]
    """Row index for each step of the slider. A single entry if there is no slider."""
    f1: list[int]
    """F1 of each row, in thousandths."""
    gain: list[int] | None
    """F1 minus point-wise F1 of each row, in thousandths. None for point-wise itself."""
    credit: Credit


class Lane(LaneRows):
    """One protocol on the board, at every step of its own slider."""

    key: str
    name: str
    slider: str | None
    """Key of the slider that changes the lane."""
    arrows: bool
    """Whether to draw arrows from onset to first hit below the lane."""
    precision: NotRequired[Texts]
    recall: NotRequired[Texts]
    formula: NotRequired[Texts]
    why: NotRequired[Texts]
    colours: NotRequired[list[str]]
    """Colours of the lane in the light and the dark theme."""
    worth: NotRequired[list[list[int]]]
    """For each row: credit at a delay of 0, 1, 2, ... steps, in hundredths."""


class Tailor(TypedDict):
    """Options that limit what a board shows and allows, used by lessons."""

    paint: list[str]
    """Rows that the user may paint: "truth", "detections"."""
    tools: list[str]
    """Names of the tools in the toolbar."""
    sliders: list[str]
    """Keys of the visible sliders."""
    numbers: bool
    """Whether scores and gains are shown."""
    formula: bool
    dim: list[str]
    """Lanes to dim."""
    spread: bool
    """Whether to animate, on first display, how adjustment fills a segment from its hit."""
    worth: bool
    """Whether to draw the decay above the delay-aware lane, with a dot at the delay."""
    waits: bool
    """Whether a question is open. Until it is answered, the lanes hide what they earn."""


class Shifts(TypedDict):
    """F1 of every lane when all alarms are shifted, at the current parameters."""

    reach: int
    """Largest shift in steps. Shifts run from -reach to reach."""
    f1: dict[str, list[int]]
    """For each lane: F1 at each shift, in thousandths."""
