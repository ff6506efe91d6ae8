"""Convert lists of incidents and alerts to a series on a clock grid."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from padf_core.io.errors import TableError
from padf_core.io.options import MAX_DETECTORS
from padf_core.io.series import Series, make_series
from padf_core.io.tables import MAX_ROWS, TableFile
from padf_core.io.times import Clock, TimeReader
from padf_core.io.timestamps import MICROSECONDS, looks_like_times
from padf_core.metrics.checks import IntArray, NumberArray
from padf_core.metrics.clock import format_duration
from padf_core.metrics.segments import covered

GRID_POINTS = 2_000_000
"""A step is not suggested if the grid would have more points."""

_STARTS = re.compile(r"(start(ed)?|begin|from|onset|opened)([ _-]?(time|at|ts))?", re.I)
_ENDS = re.compile(
    r"(ends?(ed)?|stop|to|until|finish(ed)?|closed|resolved)([ _-]?(time|at|ts))?", re.I
)
_TIMES = re.compile(r"(time|timestamps?|date|date_?time|ts|when|at)", re.I)
_NAMES = re.compile(r"(detector|name|model|source|rule|monitor|alert(name)?)", re.I)


@dataclass(frozen=True)
class Incidents:
    """Start and end of incidents, in microseconds since 1970."""

    starts: IntArray
    ends: IntArray


@dataclass(frozen=True)
class Alerts:
    """Times of the detectors' alerts, in microseconds since 1970."""

    times: IntArray
    detectors: list[str]
    silent: tuple[str, ...] = ()
    """Detectors listed without a time: they never raised an alert."""


def read_incidents(table: TableFile) -> Incidents:
    """Read a table with start and end, or with moments, which become incidents of one step."""
    columns = _time_columns(table)
    start = _named(columns, _STARTS) or (columns[0] if columns else None)
    rest = [name for name in columns if name != start]
    end = _named(rest, _ENDS) or (rest[0] if rest else None)
    if start is None:
        raise TableError(f"{table.name}: needs time columns: start and end, or a single moment")
    if end is None:
        moments = _times(table, table.read([start]), start)
        return Incidents(moments, moments + 1)
    frame = table.read([start, end])
    starts, ends = _times(table, frame, start), _times(table, frame, end)
    wrong = np.flatnonzero(ends <= starts)
    if wrong.size:
        raise TableError(
            f"{table.name}: column {end!r}, row {int(wrong[0]) + 1}: an incident must end after "
            "it starts"
        )
    return Incidents(starts, ends)


def read_alerts(table: TableFile) -> Alerts:
    """Read a table with a time and, optionally, the name of the detector."""
    columns = _time_columns(table)
    if not columns:
        raise TableError(f"{table.name}: needs a time column")
    rest = [name for name in table.columns if name not in columns]
    name = _named(rest, _NAMES) or (rest[0] if len(rest) == 1 else None)
    frame = table.read([columns[0], *([name] if name else [])])
    if name is None:
        times = _times(table, frame, columns[0])
        return Alerts(times, ["alerts"] * times.size)
    missing = np.flatnonzero(frame[name].isna().to_numpy())
    if missing.size:
        raise TableError(
            f"{table.name}: column {name!r}, row {int(missing[0]) + 1}: the detector has no name"
        )
    spoke = frame[columns[0]].notna()
    times = _times(table, frame[spoke].reset_index(drop=True), columns[0])
    names = [str(entry).strip() for entry in frame[name][spoke]]
    others = [str(entry).strip() for entry in frame[name][~spoke]]
    return Alerts(times, names, tuple(dict.fromkeys(each for each in others if each not in names)))


def grid_step(incidents: Incidents, alerts: Alerts, steps: Sequence[float]) -> float:
    """Return the longest of these steps, in seconds, that separates all times.

    If that would exceed the maximum number of points, return the shortest step that does not.
    """
    ends = incidents.ends[incidents.ends - incidents.starts > 1]
    every = np.concatenate((incidents.starts, ends, alerts.times))
    span = int(every.max() - every.min())
    fine = [each for each in steps if span / (each * MICROSECONDS) < GRID_POINTS]
    exact = [each for each in fine if not (every % round(each * MICROSECONDS)).any()]
    return max(exact, default=min(fine, default=max(steps)))


def _time_columns(table: TableFile) -> list[str]:
    """Return the time columns: text before numbers, and then those named like times first."""
    found = [name for name in table.columns if looks_like_times(table.preview[name])]
    return sorted(
        found,
        key=lambda name: (
            table.preview[name].dtype.kind in "iuf",
            not any(pattern.fullmatch(name.strip()) for pattern in (_TIMES, _STARTS, _ENDS)),
        ),
    )


def _named(names: list[str], pattern: re.Pattern[str]) -> str | None:
    return next((name for name in names if pattern.fullmatch(name.strip())), None)


def _times(table: TableFile, frame: pd.DataFrame, name: str) -> IntArray:
    reader = TimeReader(table.name, name)
    reader.add(frame[name])
    return reader.single()


def lay_on_grid(
    name: str,
    incidents: Incidents,
    alerts: Alerts,
    step_seconds: float,
    begin: int | None = None,
    end: int | None = None,
    *,
    ends_included: bool = False,
) -> Series:
    """Divide time into steps; an incident or an alert marks every step that it touches.

    Without ``begin`` and ``end``, the grid covers the first to the last event in whole steps. With
    ``ends_included``, the step that begins at an incident's end belongs to the incident.
    """
    if not step_seconds > 0:
        raise TableError(f"the step must be longer than 0 s; got {step_seconds!r}")
    step = round(step_seconds * MICROSECONDS)
    if step < 1:
        raise TableError("the step must be at least a microsecond")
    first = min(int(incidents.starts.min()), int(alerts.times.min())) if begin is None else begin
    stops = incidents.ends + (1 if ends_included else 0)
    last = max(int(stops.max()), int(alerts.times.max()) + 1) if end is None else end
    origin = first // step * step
    size = -(-(last - origin) // step)
    if size < 1:
        raise TableError("the monitored time must end after it begins")
    if size > MAX_ROWS:
        raise TableError(
            f"{format_duration((last - origin) / MICROSECONDS)} in steps of "
            f"{format_duration(step_seconds)} are {size:,} points; at most {MAX_ROWS:,} are "
            "possible; choose a longer step"
        )
    labels = covered((incidents.starts - origin) // step, -(-(stops - origin) // step), size)
    names = list(dict.fromkeys([*alerts.detectors, *alerts.silent]))
    if len(names) > MAX_DETECTORS:
        raise TableError(f"at most {MAX_DETECTORS} detectors can be compared; got {len(names)}")
    cells = (alerts.times - origin) // step
    speakers = np.array(alerts.detectors, dtype=object)
    scores: dict[str, NumberArray] = {}
    for speaker in names:
        own = cells[(speakers == speaker) & (cells >= 0) & (cells < size)]
        scores[speaker] = np.zeros(size, dtype=np.int8)
        scores[speaker][own] = 1
    clock = Clock(origin, step / MICROSECONDS, size)
    return make_series(name, labels, scores, clock, owned=True)
