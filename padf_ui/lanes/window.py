"""A stretch of a long series as a few hundred cells, in which no segment and no alarm is lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import ceil, isfinite

import numpy as np
import numpy.typing as npt

from padf_core.checks import BoolArray, IntArray, NumberArray
from padf_core.clock import format_duration
from padf_core.compare import threshold_grid
from padf_core.evaluation import Evaluation
from padf_core.notation import format_bits
from padf_core.protocols import Protocol
from padf_core.series import Detector, Series
from padf_core.times import MICROSECONDS, Clock
from padf_ui.lanes.explain import score
from padf_ui.lanes.rows import Row, axis_title, parameter_of

CELLS = 900
STRIP_CELLS = 600
THRESHOLDS = 160
HEIGHTS = 1000
MISSING = -1
MIN_POINTS = 5

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LAST_MOMENT = (datetime.max.replace(tzinfo=UTC) - _EPOCH) // timedelta(microseconds=1)

_TICKS = (
    *(0.001, 0.01, 0.1, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800),
    *(hours * 3600 for hours in (1, 2, 3, 6, 12)),
    *(days * 86400 for days in (1, 2, 7, 14, 28, 91, 182, 365, 1826, 3652)),
)
"""Distances between ticks on a clock, in seconds."""


@dataclass(frozen=True)
class View:
    """The points that are looked at, half-open."""

    first: int
    last: int


def clamped(first: float, last: float, size: int) -> View:
    """Return a view inside the series that shows a few points at least."""
    length = int(min(size, max(MIN_POINTS, round(last - first))))
    begin = int(min(max(0, round(first)), size - length))
    return View(begin, begin + length)


def around(series: Series, segment: int) -> View:
    """Return a view of one segment with about as much time on either side."""
    if not len(series.segments):
        return View(0, series.size)
    start = int(series.segments.starts[segment])
    stop = int(series.segments.stops[segment])
    margin = max(8, stop - start)
    return clamped(start - margin, stop + margin, series.size)


def next_segment(series: Series, view: View) -> int:
    """Return the segment behind the one in view; behind the last one, the first."""
    starts = series.segments.starts
    if view == View(0, series.size):
        return 0
    index = first = int(np.searchsorted(starts, view.first, side="right"))
    for candidate in range(max(0, first - 1), int(np.searchsorted(starts, view.last))):
        if around(series, candidate) == view:
            index = candidate + 1
    return index if index < starts.size else 0


def window_rows(
    series: Series,
    detector: Detector,
    threshold: float,
    results: Sequence[Evaluation],
    view: View,
) -> Row:
    """Return everything that the timeline shows of one view."""
    edges = _edges(view, CELLS)
    labels, alarms = series.labels, results[0].pattern.detections
    inside = slice(view.first, view.last)
    return {
        "first": view.first,
        "last": view.last,
        "size": series.size,
        "cells": edges.size - 1,
        "shown": _stretch(series, view),
        "axis": "time, UTC" if series.clock else axis_title(None),
        "ticks": _ticks(series, view, edges.size - 1),
        "labels": _any(labels[inside], edges),
        "hits": _any(labels[inside] & alarms[inside], edges),
        "falses": _any(~labels[inside] & alarms[inside], edges),
        "score": _line(detector.scores[inside], edges, *_limits(detector.scores)),
        "threshold": _height(threshold, *_limits(detector.scores)),
        "limits": list(_limits(detector.scores)),
        "value": None if series.value is None else _value(series.value[inside], edges),
        "value_name": series.value_name,
        "strip": _strip(labels, alarms),
        "next": vars(around(series, next_segment(series, view))),
        "segments": _segments(series, results, view, edges),
        "lanes": [_lane(result, results[0]) for result in results],
        "alarms": _alarms(results[0]),
    }


def _edges(view: View, cells: int) -> IntArray:
    """Return where cells begin, counted from the view's first point, and the end."""
    length = view.last - view.first
    count = min(cells, length)
    return np.arange(count + 1) * length // count


def _any(flags: BoolArray, edges: IntArray) -> str:
    return format_bits(np.logical_or.reduceat(flags, edges[:-1]))


def _limits(scores: NumberArray) -> tuple[float, float]:
    """Return the lowest and highest finite score."""
    low, high = float(scores.min()), float(scores.max())
    if not (isfinite(low) and isfinite(high)):
        finite = scores[np.isfinite(scores)]
        low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    return (low, high) if high > low else _around(low)


def _around(value: float) -> tuple[float, float]:
    """Return limits on either side of a single value."""
    margin = max(0.5, abs(value) * 1e-6)
    return value - margin, value + margin


def _height(value: float, low: float, high: float) -> float:
    """Return where a value stands between the limits, from 0 to `HEIGHTS`."""
    return round(min(max((value - low) / (high - low), -0.02), 1.02) * HEIGHTS, 2)


def _line(values: NumberArray, edges: IntArray, low: float, high: float) -> Row:
    """Return the lowest and highest value of each cell as heights."""
    lowest = np.minimum.reduceat(values, edges[:-1]).astype(np.float64)
    highest = np.maximum.reduceat(values, edges[:-1]).astype(np.float64)
    return {"low": _heights(lowest, low, high), "high": _heights(highest, low, high)}


def _heights(values: npt.NDArray[np.float64], low: float, high: float) -> list[int]:
    with np.errstate(invalid="ignore", over="ignore"):
        scaled = np.clip((values - low) / (high - low), 0, 1) * HEIGHTS
    known: list[int] = np.where(np.isnan(scaled), MISSING, np.round(scaled)).astype(int).tolist()
    return known


def _value(values: NumberArray, edges: IntArray) -> Row:
    with np.errstate(invalid="ignore"):
        lowest = np.fmin.reduceat(values, edges[:-1]).astype(np.float64)
        highest = np.fmax.reduceat(values, edges[:-1]).astype(np.float64)
    finite = np.concatenate((lowest, highest))
    finite = finite[np.isfinite(finite)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    if high <= low:
        low, high = _around(low)
    return {
        "low": _heights(lowest, low, high),
        "high": _heights(highest, low, high),
        "names": [f"{low:.4g}", f"{high:.4g}"],
    }


def _strip(labels: BoolArray, alarms: BoolArray) -> Row:
    edges = _edges(View(0, labels.size), STRIP_CELLS)
    return {"labels": _any(labels, edges), "alarms": _any(alarms, edges)}


def _segments(
    series: Series, results: Sequence[Evaluation], view: View, edges: IntArray
) -> list[Row]:
    """Return the segments in view, in cells; those that begin in the same cell are drawn as one."""
    segments = series.segments
    first = int(np.searchsorted(segments.stops, view.first, side="right"))
    last = int(np.searchsorted(segments.starts, view.last, side="left"))
    if first >= last:
        return []
    scale = (edges.size - 1) / (view.last - view.first)
    starts = (segments.starts[first:last] - view.first) * scale
    stops = (segments.stops[first:last] - view.first) * scale
    delays = results[0].pattern.found.delays[first:last]
    granted = [result.protocol.credit(result.pattern.found)[first:last] for result in results]
    made: list[Row] = []
    for index in range(last - first):
        row: Row = {
            "number": first + index,
            "start": round(max(0.0, float(starts[index])), 3),
            "stop": round(min(edges.size - 1.0, float(stops[index])), 3),
            "delay": round(float(delays[index]) * scale, 3) if delays[index] >= 0 else -1,
            "late": _late(series, first + index, int(delays[index])),
            "credit": [
                None if np.isnan(credit[index]) else f"{credit[index]:.2f}" for credit in granted
            ],
        }
        if made and int(made[-1]["start"]) == int(row["start"]) and scale < 1:
            made[-1]["stop"] = max(made[-1]["stop"], row["stop"])
        else:
            made.append(row)
    return made


def _late(series: Series, segment: int, delay: int) -> str:
    if delay < 0:
        return "missed"
    if not delay:
        return "at once"
    if series.clock is None:
        return f"delay {delay}"
    start = int(series.segments.starts[segment])
    return f"delay {format_duration(series.clock.seconds_between(start, start + delay))}"


def _lane(result: Evaluation, base: Evaluation) -> Row:
    gain = result.f1 - base.f1
    return {
        "key": result.protocol.key,
        "name": result.protocol.name,
        "parameter": parameter_of(result.protocol),
        "f1": score(result.f1),
        "gain": "" if result is base else f"{gain:+.3f}",
    }


def _alarms(result: Evaluation) -> str:
    pattern = result.pattern
    alarms = int(np.count_nonzero(pattern.detections))
    return f"{alarms:,} flagged, {pattern.false_positives:,} false"


def _stretch(series: Series, view: View) -> str:
    points = view.last - view.first
    if series.clock is None:
        return f"points {view.first:,} to {view.last - 1:,} ({points:,} of {series.size:,})"
    span = format_duration(series.clock.seconds_between(view.first, view.last))
    begin, end = series.clock.name(view.first), series.clock.name(view.last - 1)
    return f"{begin} to {end} ({span}, {points:,} of {series.size:,} points)"


# ---- ticks -------------------------------------------------------------------------------------


def _ticks(series: Series, view: View, cells: int, wanted: int = 8) -> list[Row]:
    scale = cells / (view.last - view.first)
    named = (
        _index_ticks(view, wanted)
        if series.clock is None
        else _clock_ticks(series.clock, view, wanted)
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
    step = round(distance * MICROSECONDS)
    shown: dict[int, str] = {}
    for moment in range(-(-begin // step) * step, min(end, _LAST_MOMENT), step):
        shown.setdefault(_index_at(clock, moment), _moment_name(moment, distance, seconds))
    return [(index, name) for index, name in shown.items() if index < view.last]


def _index_at(clock: Clock, moment: int) -> int:
    """Return the first point at or after a moment."""
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


# ---- the threshold slider ------------------------------------------------------------------------


def threshold_slider(
    detector: Detector, protocols: Sequence[Protocol], threshold: float
) -> Row | None:
    """Describe the slider over thresholds, with every protocol's F1 at each of its steps.

    An infinite threshold is shown as the next number above all finite scores, which flags the same.
    """
    best = {detector.best(protocol).threshold for protocol in protocols}
    grid = threshold_grid(detector, THRESHOLDS)
    finite = grid[np.isfinite(grid)]
    if detector.is_binary or not finite.size:
        return None
    above = float(
        np.nextafter(float(np.max(detector.scores[np.isfinite(detector.scores)])), np.inf)
    )
    threshold = above if threshold == np.inf else threshold
    steps = np.array(
        sorted({*finite.tolist(), *best, threshold, *([above] if np.inf in best else [])})
    )
    steps = steps[np.isfinite(steps)]
    sweeps = [detector.ranked.at(steps[::-1], protocol) for protocol in protocols]
    flagged = (sweeps[0].true_positives + sweeps[0].false_positives)[::-1] / detector.scores.size
    limits = _limits(detector.scores)
    return {
        "key": "threshold",
        "title": "threshold",
        "steps": steps.tolist(),
        "at": int(np.searchsorted(steps, threshold)) if isfinite(threshold) else 0,
        "rule": "a number",
        "limits": [-1e308, 1e308],
        "notes": [f"flags {_percent(share)} of all points" for share in flagged.tolist()],
        "heights": [_height(step, *limits) for step in steps.tolist()],
        "f1": {
            protocol.key: [round(value, 5) for value in sweep.f1[::-1].tolist()]
            for protocol, sweep in zip(protocols, sweeps, strict=True)
        },
        "texts": {
            protocol.key: [score(value) for value in sweep.f1[::-1].tolist()]
            for protocol, sweep in zip(protocols, sweeps, strict=True)
        },
    }


def _percent(share: float) -> str:
    percent = 100 * share
    return f"{percent:.0f} %" if percent >= 10 or percent == 0 else f"{percent:.2g} %"
