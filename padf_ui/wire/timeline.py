"""Data for the timeline on Your data."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from padf_ui.wire.asks import Window
from padf_ui.wire.lanes import LaneRows, Slider, Texts


class Extent(TypedDict):
    """Lowest and highest value of each cell, from 0 to 1000, or -1 if the cell is empty."""

    low: list[int]
    high: list[int]


class Signal(Extent):
    """Monitored signal, with its lowest and highest value as text."""

    names: list[str]


class Tick(TypedDict):
    """Label on the time axis. Its position is in cells."""

    at: float
    name: str


class Strip(TypedDict):
    """Overview of the whole series in a few hundred cells."""

    labels: str
    levels: list[int]
    """Like `TimelineRows.hit`, but for true and false alarms together."""


class TimelineSegment(TypedDict):
    """Segment in view. Its limits are in cells."""

    number: int
    start: float
    stop: float


class FirstHit(TypedDict):
    """First hit of a segment, valid from this step of the threshold."""

    step: int
    delay: float
    """Cells from onset to first hit, or -1 if there is no hit."""
    late: str


class TimelineLane(TypedDict):
    """One protocol on the timeline."""

    key: str
    name: str
    slider: str | None
    arrows: bool
    colours: NotRequired[list[str]]
    """Colours of the lane in the light and the dark theme."""
    over_threshold: LaneRows
    """Rows at every step of the threshold, at the current parameters."""
    over_own: LaneRows | None
    """Rows at every step of the lane's own slider, at the current threshold."""


class TimelineRows(TypedDict):
    """Part of a long series at every step of the threshold.

    Thresholds increase from step to step. A cell contains an alarm at every step below its level.
    """

    first: int
    last: int
    size: int
    cells: int
    shown: str
    axis: str
    ticks: list[Tick]
    next: Window
    value: Signal | None
    value_name: str
    score: Extent
    heights: list[float]
    """Height of the threshold line at each step, from 0 to 1000."""
    thresholds: list[str]
    """Shortest text of each step's threshold that still flags exactly the same points."""
    at: int
    """Current step of the threshold."""
    hit: list[int]
    """For each cell: the number of steps at which one of its anomalous points is flagged."""
    wrong: list[int]
    """For each cell: the number of steps at which one of its normal points is flagged."""
    strip: Strip
    left_out: list[list[float]]
    """Ignored rows in view: the first and the last edge of each run, in cells."""
    labelled: list[list[float]]
    """Segments in view as labelled, in cells. Empty unless onsets were moved."""
    segments: list[TimelineSegment]
    found: list[list[FirstHit]]
    """For each segment: its first hits by increasing step. The first entry is for step 0."""
    alarms: Texts
    """For each step: the number of flagged points, as text."""
    lanes: list[TimelineLane]


class TimelineData(TypedDict):
    """Data for the timeline."""

    session: str
    revision: int
    """Increases when anything other than the timeline changes the displayed data."""
    answered: int
    rows: TimelineRows
    sliders: list[Slider]
    """The threshold first, if it can be changed, then the sliders of the lanes."""
