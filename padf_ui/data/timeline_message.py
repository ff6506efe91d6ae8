"""A stretch of a long series as a few hundred cells, at every step of the threshold.

No segment and no alarm is lost in a cell. Of each cell the browser is told at how many steps of the
threshold it holds an alarm; of each segment where it is first hit, and what it is granted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from math import ceil, isfinite

import numpy as np
import numpy.typing as npt

from padf_core import Settings
from padf_core.analysis.compare import threshold_grid
from padf_core.io.notation import format_bits, percent
from padf_core.io.series import Detector, Series
from padf_core.io.times import MICROSECONDS, Clock
from padf_core.metrics.checks import BoolArray, FloatArray, IntArray, NumberArray
from padf_core.metrics.clock import format_duration
from padf_core.metrics.evaluation import f1_over
from padf_core.metrics.protocols import Protocol
from padf_core.metrics.segments import HitsByStep, SegmentHits, runs_of
from padf_ui.components.lanes import BASE, lane_rows, pack, segment_credit, sliders_of, steps_of
from padf_ui.session.stretch import View, around, next_segment
from padf_ui.session.study import EVERYTHING
from padf_ui.wire.asks import Window
from padf_ui.wire.lanes import LaneRows, Slider
from padf_ui.wire.timeline import (
    Extent,
    FirstHit,
    Signal,
    Strip,
    Tick,
    TimelineLane,
    TimelineRows,
    TimelineSegment,
)

CELLS = 900
STRIP_CELLS = 600
THRESHOLDS = 160
HEIGHTS = 1000
MISSING = -1
MAX_ARROWS = 60
"""Segments in view up to which their delays are told."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LAST_MOMENT = (datetime.max.replace(tzinfo=UTC) - _EPOCH) // timedelta(microseconds=1)

_TICKS = (
    *(0.001, 0.01, 0.1, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800),
    *(hours * 3600 for hours in (1, 2, 3, 6, 12)),
    *(days * 86400 for days in (1, 2, 7, 14, 28, 91, 182, 365, 1826, 3652)),
)
"""Distances between ticks on a clock, in seconds."""

_MONTHS: dict[float, int] = {days * 86400: months for days, months in
           ((28, 1), (91, 3), (182, 6), (365, 12), (1826, 60), (3652, 120))}  # fmt: skip
"""Distances that are meant as so many months."""


# ---- thresholds --------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Levels:
    """The steps of the threshold, rising, and which of them is in use."""

    steps: FloatArray
    at: int
    is_slider: bool
    """Whether there is a threshold to choose."""

    @cached_property
    def thresholds(self) -> FloatArray:
        """The thresholds that the steps stand for: the lowest may be minus infinity."""
        return np.where(self.steps == EVERYTHING, -np.inf, self.steps)

    def of(self, scores: npt.ArrayLike) -> IntArray:
        """Return at how many steps each score is flagged: at those below its level."""
        return np.searchsorted(self.thresholds, scores, side="right")


def levels_of(detector: Detector, protocols: Sequence[Protocol], threshold: float) -> Levels:
    """Return the thresholds of the slider: a few hundred, the best and the current one among them.

    A slider has finite steps. An infinite threshold is shown as the next number above all finite
    scores, which flags the same; minus infinity, which flags even scores of it, as `EVERYTHING`.
    """
    best = {detector.best(protocol).threshold for protocol in protocols}
    grid = threshold_grid(detector, THRESHOLDS)
    finite = grid[np.isfinite(grid)]
    if detector.is_binary or not finite.size:
        return Levels(np.array([1.0 if detector.is_binary else threshold]), 0, False)
    above = float(np.nextafter(_finite_ends(detector.scores)[1], np.inf))
    shown = {np.inf: above, -np.inf: EVERYTHING}
    chosen = {shown.get(step, step) for step in (*finite.tolist(), *best, threshold)}
    steps = np.array(sorted(chosen))
    return Levels(steps, int(np.searchsorted(steps, shown.get(threshold, threshold))), True)


def timeline_rows(
    series: Series, detector: Detector, settings: Settings, threshold: float, view: View
) -> tuple[TimelineRows, list[Slider]]:
    """Return everything that the timeline shows of one view, and its sliders."""
    protocols = settings.protocols()
    levels = levels_of(detector, protocols, threshold)
    falling = levels.thresholds[::-1]
    over = {p.key: detector.ranked.at(falling, p).f1[::-1] for p in protocols}
    counted = detector.ranked.at(falling, settings.protocol(BASE))
    flagged, wrong = counted.flagged[::-1], counted.false_points[::-1]
    edges = _edges(view, CELLS)
    inside = slice(view.first, view.last)
    limits = _limits(detector.scores)
    chosen, segments = _segments(series, view, edges)
    hits = _hits(series, detector, levels, chosen)
    rows: TimelineRows = {
        "first": view.first,
        "last": view.last,
        "size": series.size,
        "cells": edges.size - 1,
        "shown": _stretch(series, view),
        "axis": "time, UTC" if series.axis_clock else "time, steps",
        "ticks": _ticks(series, view, edges.size - 1),
        "next": _window(around(series, next_segment(series, view))),
        "value": None if series.value is None else _value(series.value[inside], edges),
        "value_name": series.value_name,
        "score": _extent(detector.scores[inside], edges, *limits),
        "heights": [_height(step, *limits) for step in levels.steps.tolist()],
        "thresholds": [detector.short(threshold) for threshold in levels.thresholds.tolist()],
        "at": levels.at,
        "hit": _levels(detector.judged[inside], series.labels[inside], edges, levels),
        "wrong": _levels(detector.judged[inside], series.normal[inside], edges, levels),
        "strip": _strip(series, detector, levels),
        "left_out": _left_out(series, view, (edges.size - 1) / (view.last - view.first)),
        "labelled": _labelled(series, view, (edges.size - 1) / (view.last - view.first)),
        "segments": segments,
        "found": _found(series, chosen, hits, (edges.size - 1) / (view.last - view.first)),
        "alarms": pack(
            [
                f"{some:,} flagged, {false:,} false"
                for some, false in zip(flagged.tolist(), wrong.tolist(), strict=True)
            ]
        ),
        "lanes": _lanes(series, detector, settings, levels, chosen, hits, over),
    }
    sliders = sliders_of(settings, series.step_seconds)
    if levels.is_slider:
        shares = (flagged / max(1, series.counted)).tolist()
        sliders = [_threshold_slider(levels, shares), *sliders]
    return rows, sliders


def _window(view: View) -> Window:
    return {"first": view.first, "last": view.last}


def _threshold_slider(levels: Levels, shares: Sequence[float]) -> Slider:
    return {
        "key": "threshold",
        "title": "threshold",
        "steps": levels.steps.tolist(),
        "at": levels.at,
        "lane": None,
        "rule": "a number",
        "limits": [EVERYTHING, 1e308],
        "gaps": [],
        "names": pack([""] * len(shares)),
        "notes": pack([f"flags {percent(share)} of all points" for share in shares]),
    }


# ---- lanes -------------------------------------------------------------------------------------


def _lanes(
    series: Series,
    detector: Detector,
    settings: Settings,
    levels: Levels,
    chosen: IntArray,
    hits: HitsByStep,
    over: Mapping[str, FloatArray],
) -> list[TimelineLane]:
    pattern = detector.pattern(levels.thresholds[levels.at])
    now = pattern.found.only(chosen)
    made: list[TimelineLane] = []
    for protocol in settings.protocols():
        base = None if protocol.key == BASE else over[BASE].tolist()
        steps = steps_of(settings, protocol.key)
        own: LaneRows | None = None
        if steps.number is not None:
            many = protocol.with_column(steps.number.key, np.array(steps.values)[:, None])
            own, _ = lane_rows(
                f1_over(pattern, steps.protocols, steps.number.key, steps.values).tolist(),
                None if base is None else [base[levels.at]] * len(steps.values),
                _segment_credit(many, now, len(steps.values)),
                by_point=False,
            )
        over_threshold, _ = lane_rows(
            over[protocol.key].tolist(), base, _credit_by_step(protocol, hits), by_point=False
        )
        made.append(
            {
                "key": protocol.key,
                "name": protocol.name,
                "slider": steps.slider,
                "arrows": protocol.minds_delay,
                "colours": [protocol.look.light, protocol.look.dark],
                "over_threshold": over_threshold,
                "over_own": own,
            }
        )
    return made


def _segment_credit(protocol: Protocol, hits: SegmentHits, rows: int) -> FloatArray:
    """Return what each segment is granted, in as many rows."""
    return np.broadcast_to(segment_credit(protocol, hits), (rows, hits.lengths.size))


def _credit_by_step(protocol: Protocol, hits: HitsByStep) -> FloatArray:
    """Return what each segment is granted at every step of the threshold."""
    if protocol.grants == "segment":
        return _segment_credit(protocol, hits.all, hits.steps)
    return np.concatenate([_segment_credit(protocol, hits.at(at), 1) for at in range(hits.steps)])


# ---- segments ----------------------------------------------------------------------------------


def _segments(
    series: Series, view: View, edges: IntArray
) -> tuple[IntArray, list[TimelineSegment]]:
    """Return the segments in view, in cells; those that begin in the same cell are drawn as one."""
    found = series.segments
    first = int(np.searchsorted(found.stops, view.first, side="right"))
    last = int(np.searchsorted(found.starts, view.last, side="left"))
    cells = edges.size - 1
    scale = cells / (view.last - view.first)
    starts = np.maximum((found.starts[first:last] - view.first) * scale, 0.0)
    stops = np.minimum((found.stops[first:last] - view.first) * scale, cells)
    kept = np.arange(starts.size)
    if scale < 1 and starts.size:
        _, kept = np.unique(starts.astype(np.int64), return_index=True)
        stops = np.maximum.reduceat(stops, kept)
        starts = starts[kept]
    return kept + first, [
        {"number": number, "start": round(start, 3), "stop": round(stop, 3)}
        for number, start, stop in zip(
            (kept + first).tolist(), starts.tolist(), stops.tolist(), strict=True
        )
    ]


def _labelled(series: Series, view: View, scale: float) -> list[list[float]]:
    """Return the segments in view as they were labelled, in cells, where onsets were moved."""
    found = series.labelled
    if found is None:
        return []
    seen = (found.stops > view.first) & (found.starts < view.last)
    starts = np.maximum(found.starts[seen] - view.first, 0) * scale
    stops = np.minimum(found.stops[seen], view.last) - view.first
    if starts.size > MAX_ARROWS:
        return []
    return [[round(a, 3), round(b * scale, 3)] for a, b in zip(starts, stops, strict=True)]


def _left_out(series: Series, view: View, scale: float) -> list[list[float]]:
    """Return the runs of rows in view that do not count, in cells."""
    if series.rows.counts is None:
        return []
    runs = runs_of(~series.rows.counts[view.first : view.last])
    if len(runs) > MAX_ARROWS:
        return []
    return [[round(start * scale, 3), round(stop * scale, 3)] for start, stop in runs]


def _hits(series: Series, detector: Detector, levels: Levels, chosen: IntArray) -> HitsByStep:
    """Find the hits of some segments at every step of the threshold."""
    found = series.segments
    starts, timing = found.on_clock(series.rows.timing)
    return HitsByStep(
        found.lengths[chosen],
        levels.of(detector.judged[found.rows_of(chosen)]),
        levels.steps.size,
        starts[chosen],
        timing,
    )


def _found(
    series: Series, chosen: IntArray, hits: HitsByStep, scale: float
) -> list[list[FirstHit]]:
    """Say of each segment from which step on it is first hit where."""
    if chosen.size > MAX_ARROWS:
        return [[] for _ in range(chosen.size)]
    made = []
    for segment, delays in zip(chosen.tolist(), hits.all.delays.T, strict=True):
        changes = np.flatnonzero(np.diff(delays, prepend=-2)).tolist()
        made.append(
            [_first_hit(series, segment, step, int(delays[step]), scale) for step in changes]
        )
    return made


def _first_hit(series: Series, segment: int, step: int, delay: int, scale: float) -> FirstHit:
    if delay < 0:
        return {"step": step, "delay": -1, "late": "missed"}
    start = int(series.segments.starts[segment])
    row = series.segments.row_at(segment, delay)
    late = "at once"
    if delay and series.clock is None:
        late = f"delay {delay}"
    elif delay and series.clock is not None:
        late = f"delay {format_duration(series.clock.seconds_between(start, row))}"
    return {"step": step, "delay": round((row - start) * scale, 3), "late": late}


# ---- cells -------------------------------------------------------------------------------------


def _edges(view: View, cells: int) -> IntArray:
    """Return where cells begin, counted from the view's first point, and the end."""
    length = view.last - view.first
    count = min(cells, length)
    return np.arange(count + 1) * length // count


def _levels(scores: NumberArray, kind: BoolArray, edges: IntArray, levels: Levels) -> list[int]:
    """Return the highest level of each cell among the points of one kind."""
    own = scores if kind.all() else np.where(kind, scores, -np.inf)
    highest = levels.of(np.maximum.reduceat(own, edges[:-1]))
    is_there = np.logical_or.reduceat(kind, edges[:-1])
    made: list[int] = np.where(is_there, highest, 0).tolist()
    return made


def _strip(series: Series, detector: Detector, levels: Levels) -> Strip:
    edges = _edges(View(0, series.size), STRIP_CELLS)
    highest = _levels(detector.judged, series.labels | series.normal, edges, levels)
    labels = np.logical_or.reduceat(series.labels, edges[:-1])
    return {"labels": format_bits(labels), "levels": highest}


def _limits(scores: NumberArray) -> tuple[float, float]:
    """Return between what the scores are drawn."""
    low, high = _finite_ends(scores)
    return (low, high) if high > low else _around(low)


def _finite_ends(scores: NumberArray) -> tuple[float, float]:
    """Return the lowest and highest finite score; 0 and 1 when there is none."""
    low, high = float(scores.min()), float(scores.max())
    if not (isfinite(low) and isfinite(high)):
        finite = scores[np.isfinite(scores)]
        low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    return low, high


def _around(value: float) -> tuple[float, float]:
    """Return limits on either side of a single value."""
    margin = max(0.5, abs(value) * 1e-6)
    return value - margin, value + margin


def _height(value: float, low: float, high: float) -> float:
    """Return where a value stands between the limits, from 0 to `HEIGHTS`."""
    return round(min(max((value - low) / (high - low), -0.02), 1.02) * HEIGHTS, 2)


def _extent(values: NumberArray, edges: IntArray, low: float, high: float) -> Extent:
    """Return the lowest and highest value of each cell as heights."""
    lowest = np.minimum.reduceat(values, edges[:-1]).astype(np.float64)
    highest = np.maximum.reduceat(values, edges[:-1]).astype(np.float64)
    return {"low": _heights(lowest, low, high), "high": _heights(highest, low, high)}


def _heights(values: npt.NDArray[np.float64], low: float, high: float) -> list[int]:
    with np.errstate(invalid="ignore", over="ignore"):
        scaled = np.clip((values - low) / (high - low), 0, 1) * HEIGHTS
    known: list[int] = np.where(np.isnan(scaled), MISSING, np.round(scaled)).astype(int).tolist()
    return known


def _value(values: NumberArray, edges: IntArray) -> Signal:
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


def _stretch(series: Series, view: View) -> str:
    points, clock = view.last - view.first, series.axis_clock
    if clock is None:
        return f"points {view.first:,} to {view.last - 1:,} ({points:,} of {series.size:,})"
    span = format_duration(clock.seconds_between(view.first, view.last))
    begin, end = clock.name(view.first), clock.name(view.last - 1)
    return f"{begin} to {end} ({span}, {points:,} of {series.size:,} points)"


# ---- ticks -------------------------------------------------------------------------------------


def _ticks(series: Series, view: View, cells: int, wanted: int = 8) -> list[Tick]:
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
    """Return the round times between two: from 28 days on, first days of months."""
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
