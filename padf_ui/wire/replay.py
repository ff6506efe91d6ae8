"""Data for the replay for operators."""

from __future__ import annotations

from typing import TypedDict

from padf_ui.wire.timeline import Tick


class ReplayTrack(TypedDict):
    """Behaviour of one detector in one clip. Times are seconds from the start of the clip."""

    rings: list[float]
    """Times of the alarms inside the incident."""
    wrong: list[float]
    """Times of the false calls, or of a selection if there are many."""
    counts: list[int]
    """Number of false calls up to and including each entry of `wrong`."""
    noticed: float | None
    """Time of the first alarm inside the incident, or None if the incident is missed."""
    worth: int
    """Credit of that alarm, in percent."""
    said: str
    """Shown once the incident is noticed or over: "alarm at 08:42, 12 min late, worth 28 %"."""


class ReplayClip(TypedDict):
    """Incident, with some time before and after it."""

    title: str
    begins: float
    """Start of the clip, in seconds since 1970."""
    seconds: float
    """Length of the clip."""
    onset: float
    over: float
    """End of the incident. Onset and end are in seconds from the start of the clip."""
    step: float
    """Seconds between points."""
    at: list[int]
    """Position of each point of the signal, in ten-thousandths of the clip."""
    signal: list[int]
    """Height of the signal at each position, from 0 to 1000."""
    ticks: list[Tick]
    """Labels of the time axis, in seconds from the start of the clip."""
    worth: list[int]
    """Credit of an alarm at evenly spaced times from onset to end of the incident, in percent."""
    tracks: list[ReplayTrack]
    skipped: str
    """What was skipped since the previous clip. Empty if nothing was skipped."""
    missed_calls: list[int]
    """False calls of each detector in the skipped part."""


class ReplayRow(TypedDict):
    """Row of the table on the end card."""

    name: str
    cells: list[str]


class ReplayCard(TypedDict):
    """Summary shown at the end of the replay."""

    title: str
    lines: list[str]
    """Facts about the replayed data."""
    heads: list[str]
    rows: list[ReplayRow]
    notes: list[str]
    """Explanations of the table."""
    each: list[ReplayRow]
    """If there were several incidents: the delay of each detector in each of them."""


class ReplayDetector(TypedDict):
    """One of the detectors in the replay."""

    name: str
    rule: str
    """Alert rule of the detector, in words."""
    colours: list[str]
    calls: str
    """False calls per day in the whole data set."""


class ReplayWatched(TypedDict):
    """Scores of the watcher's presses, computed by Python."""

    presses: list[list[float]]
    """For each clip, the presses that were scored."""
    said: list[str]
    """One text for each clip."""
    row: ReplayRow


class ReplayRows(TypedDict):
    """Replay with everything it displays."""

    title: str
    has_clock: bool
    """Whether times are clock times. Otherwise they count from the start."""
    signal_name: str
    limits: list[str]
    """Lowest and highest value of the signal, as text."""
    detectors: list[ReplayDetector]
    clips: list[ReplayClip]
    speeds: list[int]
    speed: int
    card: ReplayCard


class ReplayData(TypedDict):
    """Data for the replay."""

    session: str
    answered: int
    key: str
    """Key that identifies the replay."""
    rows: ReplayRows
    watched: ReplayWatched | None
    name: str
    """Source, shown in a file that works without a server. Empty on the page."""
