"""What the replay for operators is given."""

from __future__ import annotations

from typing import TypedDict

from padf_ui.wire.timeline import Tick


class ReplayTrack(TypedDict):
    """What a detector does in one clip; times are seconds from the clip's beginning."""

    rings: list[float]
    """Its alarms inside the incident."""
    wrong: list[float]
    """Its false calls, or some of many."""
    counts: list[int]
    """How many false calls there are up to each of them."""
    noticed: float | None
    """Its first alarm inside the incident; None when it misses it."""
    worth: int
    """What that was worth, in percent."""
    said: str
    """Once the incident is noticed, or over: "alarm at 08:42, 12 min late, worth 28 %"."""


class ReplayClip(TypedDict):
    """An incident with some time before and behind it."""

    title: str
    begins: float
    """Seconds since 1970 at its beginning."""
    seconds: float
    """How long it is."""
    onset: float
    over: float
    """When the incident begins and ends, in seconds from the clip's beginning."""
    step: float
    """Seconds from one point to the next."""
    at: list[int]
    """Where each point of the signal stands, in ten thousandths of the clip."""
    signal: list[int]
    """How high it is there, from 0 to 1000."""
    ticks: list[Tick]
    """Names on the time axis, in seconds from the clip's beginning."""
    worth: list[int]
    """What an alarm is worth during the incident, evenly from its onset to its end, in percent."""
    tracks: list[ReplayTrack]
    skipped: str
    """What lies between the clip before and this one; empty where nothing does."""
    missed_calls: list[int]
    """The false calls of each detector in what is skipped."""


class ReplayRow(TypedDict):
    """A line of the card at the end."""

    name: str
    cells: list[str]


class ReplayCard(TypedDict):
    """What there is to say when the replay is over."""

    title: str
    lines: list[str]
    """About what was replayed."""
    heads: list[str]
    rows: list[ReplayRow]
    notes: list[str]
    """What the table means."""
    each: list[ReplayRow]
    """Where several incidents were replayed: how late each detector was in each of them."""


class ReplayDetector(TypedDict):
    """One of those that run side by side."""

    name: str
    rule: str
    """When it rings, in words."""
    colours: list[str]
    calls: str
    """Its false calls a day in all the data."""


class ReplayWatched(TypedDict):
    """What the watcher's presses earned, as Python scores them."""

    presses: list[list[float]]
    """Those that were scored, clip by clip."""
    said: list[str]
    """For each clip."""
    row: ReplayRow


class ReplayRows(TypedDict):
    """A replay with everything that is shown of it."""

    title: str
    has_clock: bool
    """Whether times are those of a clock, or since the beginning."""
    signal_name: str
    limits: list[str]
    """The lowest and the highest value of the signal."""
    detectors: list[ReplayDetector]
    clips: list[ReplayClip]
    speeds: list[int]
    speed: int
    card: ReplayCard


class ReplayData(TypedDict):
    """What the replay is given."""

    session: str
    answered: int
    key: str
    """By which one replay is told from another."""
    rows: ReplayRows
    watched: ReplayWatched | None
    name: str
    """Where it comes from, said in a file that works without a server; empty on the page."""
