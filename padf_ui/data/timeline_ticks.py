"""Ticks below a timeline, and a description of the view."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from math import ceil

import numpy as np

from padf_core.io.series import Series
from padf_core.io.times import Clock
from padf_core.io.timestamps import MICROSECONDS
from padf_core.metrics.clock import format_duration
from padf_ui.session.stretch import View
from padf_ui.wire.timeline import Tick

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


_LAST_MOMENT = (datetime.max.replace(tzinfo=UTC) - _EPOCH) // timedelta(microseconds=1)


_TICKS = (
    *(0.001, 0.01, 0.1, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800),
    *(hours * 3600 for hours in (1, 2, 3, 6, 12)),
    *(days * 86400 for days in (1, 2, 7, 14, 28, 91, 182, 365, 1826, 3652)),
)
"""Distances between ticks on a time axis, in seconds."""


_MONTHS: dict[float, int] = {days * 86400: months for days, months in
           ((28, 1), (91, 3), (182, 6), (365, 12), (1826, 60), (3652, 120))}  # fmt: skip
"""Tick distances in seconds that represent a number of months."""


def stretch_name(series: Series, view: View) -> str:
    """Describe which points are in view, and their time span."""
    points, clock = view.last - view.first, series.axis_clock
    if clock is None:
        return f"points {view.first:,} to {view.last - 1:,} ({points:,} of {series.size:,})"
    span = format_duration(clock.seconds_between(view.first, view.last))
    begin, end = clock.name(view.first), clock.name(view.last - 1)
    return f"{begin} to {end} ({span}, {points:,} of {series.size:,} points)"


def ticks_of(series: Series, view: View, cells: int, wanted: int = 8) -> list[Tick]:
    """Return at most about ``wanted`` ticks, with positions in cells from the left."""
    scale = cells / (view.last - view.first)
    named = (
        _index_ticks(view, wanted)
        if series.axis_clock is None
        else _clock_ticks(series.axis_clock, view, wanted)
    )
    return [
        {"at": round((index - view.first + 0.5) * scale, 3), "name": name} for index, name in named
    ]


def _index_ticks(view: View, wanted: int) -> list[tuple[int, str]]:
    length = view.last - view.first
    step = next(
        factor * 10**power
        for power in range(12)
        for factor in (1, 2, 5)
        if length / (factor * 10**power) <= wanted
    )
    begin = -(-view.first // step) * step
    return [(index, f"{index:,}") for index in range(begin, view.last, step)]


def _clock_ticks(clock: Clock, view: View, wanted: int) -> list[tuple[int, str]]:
    begin, end = clock.at(view.first), clock.at(view.last)
    seconds = (end - begin) / MICROSECONDS
    distance = next((step for step in _TICKS if seconds / step <= wanted), _TICKS[-1])
    shown: dict[int, str] = {}
    for moment in _round_moments(begin, min(end, _LAST_MOMENT), distance):
        shown.setdefault(_index_at(clock, moment), _moment_name(moment, distance, seconds))
    return [(index, name) for index, name in shown.items() if index < view.last]


def _round_moments(begin: int, end: int, distance: float) -> Sequence[int]:
    """Return the round times in a range. From 28 days on, they are first days of months."""
    months = _MONTHS.get(distance)
    if months is None:
        step = round(distance * MICROSECONDS)
        return range(-(-begin // step) * step, end, step)
    first, last = (
        int(np.datetime64(time, "us").astype("M8[M]").astype(int)) for time in (begin, end)
    )
    counted = np.arange(-(-first // months) * months, last + 1, months)
    moments = counted.astype("M8[M]").astype("M8[us]").astype(np.int64)
    inside: list[int] = moments[(moments >= begin) & (moments < end)].tolist()
    return inside


def _index_at(clock: Clock, moment: int) -> int:
    """Return the first point at or after a time."""
    if clock.stamps is None:
        return ceil((moment - clock.start) / (clock.step_seconds * MICROSECONDS))
    return int(np.searchsorted(clock.stamps, moment))


def _moment_name(moment: int, distance: float, span: float) -> str:
    made = _EPOCH + timedelta(microseconds=moment)
    day = f"{made.day} {made:%b}"
    if distance >= 28 * 86400:
        return f"{made:%b %Y}"
    if distance >= 86400:
        return day
    clock = f"{made:%H:%M:%S}" if distance < 60 else f"{made:%H:%M}"
    if distance < 1:
        clock = f"{made:%H:%M:%S.%f}"[:-3]
    return f"{day} {clock}" if span > 86400 else clock
