"""What the timeline of Your data is given."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from padf_ui.wire.asks import Window
from padf_ui.wire.lanes import LaneRows, Slider, Texts


class Extent(TypedDict):
    """Lowest and highest value of each cell, from 0 to 1000; -1 where there is none."""

    low: list[int]
    high: list[int]


class Signal(Extent):
    """What was monitored, with the names of its lowest and its highest value."""

    names: list[str]


class Tick(TypedDict):
    """A name on the time axis; its place is counted in cells."""

    at: float
    name: str


class Strip(TypedDict):
    """The whole series in a few hundred cells."""

    labels: str
    levels: list[int]
    """As `TimelineRows.hit`, for alarms of either kind."""


class TimelineSegment(TypedDict):
    """A segment in view; places are counted in cells."""

    number: int
    start: float
    stop: float


class FirstHit(TypedDict):
    """From which step of the threshold on a segment is first hit where."""

    step: int
    delay: float
    """Cells from the onset to the first hit; -1 when there is none."""
    late: str


class TimelineLane(TypedDict):
    """One protocol on the timeline."""

    key: str
    name: str
    slider: str | None
    arrows: bool
    colours: NotRequired[list[str]]
    """The lane's colour in light and in dark."""
    over_threshold: LaneRows
    """At the parameters in use, at every step of the threshold."""
    over_own: LaneRows | None
    """At the threshold in use, at every step of the lane's own slider."""


class TimelineRows(TypedDict):
    """A stretch of a long series at every step of the threshold.

    Thresholds rise from step to step. A cell holds an alarm at the steps below its level.
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
    """Where the threshold's line stands at each step, from 0 to 1000."""
    thresholds: list[str]
    """Each step's threshold as short as can be: the number flags exactly the same points."""
    at: int
    """The step of the threshold in use."""
    hit: list[int]
    """For each cell: at how many steps one of its anomalous points is flagged."""
    wrong: list[int]
    """For each cell: at how many steps one of its normal points is flagged."""
    strip: Strip
    left_out: list[list[float]]
    labelled: list[list[float]]
    """Where rows in view do not count: the first and the last edge of each run, in cells."""
    segments: list[TimelineSegment]
    found: list[list[FirstHit]]
    """For each segment, by rising step; the first entry is for step 0."""
    alarms: Texts
    """For each step: how many points are flagged."""
    lanes: list[TimelineLane]


class TimelineData(TypedDict):
    """What the timeline is given."""

    session: str
    revision: int
    """Rises when anything but the timeline changes what it shows."""
    answered: int
    rows: TimelineRows
    sliders: list[Slider]
    """The threshold first, if there is one to choose; then the lanes' own."""
