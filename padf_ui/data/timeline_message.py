"""Part of a long series as a few hundred cells, at every step of the threshold.

Cells keep every segment and every alarm visible. The browser gets the number of threshold steps at
which each cell contains an alarm. For each segment it gets the first hits and the credit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from padf_core import Settings
from padf_core.io.notation import percent
from padf_core.io.series import Detector, Series
from padf_core.metrics.checks import FloatArray, IntArray
from padf_core.metrics.clock import format_duration
from padf_core.metrics.evaluation import f1_over
from padf_core.metrics.protocols import Protocol
from padf_core.metrics.segments import HitsByStep, SegmentHits, runs_of
from padf_ui.components.lanes import BASE, lane_rows, pack, segment_credit, sliders_of, steps_of
from padf_ui.data.timeline_cells import (
    Levels,
    cell_edges,
    extent_of,
    height_of,
    highest_levels,
    levels_of,
    score_limits,
    series_strip,
    signal_cells,
)
from padf_ui.data.timeline_ticks import stretch_name, ticks_of
from padf_ui.session.stretch import View, around, next_segment
from padf_ui.session.study import EVERYTHING
from padf_ui.wire.asks import Window
from padf_ui.wire.lanes import LaneRows, Slider
from padf_ui.wire.timeline import FirstHit, TimelineLane, TimelineRows, TimelineSegment

CELLS = 900
MAX_ARROWS = 60
"""Largest number of segments in view for which delays are sent."""


def timeline_rows(
    series: Series, detector: Detector, settings: Settings, threshold: float, view: View
) -> tuple[TimelineRows, list[Slider]]:
    """Return everything that the timeline displays for one view, and its sliders."""
    protocols = settings.protocols()
    levels = levels_of(detector, protocols, threshold)
    falling = levels.thresholds[::-1]
    over = {p.key: detector.ranked.at(falling, p).f1[::-1] for p in protocols}
    counted = detector.ranked.at(falling, settings.protocol(BASE))
    flagged, wrong = counted.flagged[::-1], counted.false_points[::-1]
    edges = cell_edges(view, CELLS)
    inside = slice(view.first, view.last)
    limits = score_limits(detector.scores)
    chosen, segments = _segments(series, view, edges)
    hits = _hits(series, detector, levels, chosen)
    rows: TimelineRows = {
        "first": view.first,
        "last": view.last,
        "size": series.size,
        "cells": edges.size - 1,
        "shown": stretch_name(series, view),
        "axis": "time, UTC" if series.axis_clock else "time, steps",
        "ticks": ticks_of(series, view, edges.size - 1),
        "next": _window(around(series, next_segment(series, view))),
        "value": None if series.value is None else signal_cells(series.value[inside], edges),
        "value_name": series.value_name,
        "score": extent_of(detector.scores[inside], edges, *limits),
        "heights": [height_of(step, *limits) for step in levels.steps.tolist()],
        "thresholds": [detector.short(threshold) for threshold in levels.thresholds.tolist()],
        "at": levels.at,
        "hit": highest_levels(detector.judged[inside], series.labels[inside], edges, levels),
        "wrong": highest_levels(detector.judged[inside], series.normal[inside], edges, levels),
        "strip": series_strip(series, detector, levels),
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
        "stepped": True,
    }


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
    """Return the credit of each segment, repeated to this number of rows."""
    return np.broadcast_to(segment_credit(protocol, hits), (rows, hits.lengths.size))


def _credit_by_step(protocol: Protocol, hits: HitsByStep) -> FloatArray:
    """Return the credit of each segment at every step of the threshold."""
    if protocol.grants == "segment":
        return _segment_credit(protocol, hits.all, hits.steps)
    return np.concatenate([_segment_credit(protocol, hits.at(at), 1) for at in range(hits.steps)])


def _segments(
    series: Series, view: View, edges: IntArray
) -> tuple[IntArray, list[TimelineSegment]]:
    """Return the segments in view, in cells. Segments that start in the same cell are merged."""
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
    """Return the originally labelled segments in view, in cells, if onsets were moved."""
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
    """Return the runs of ignored rows in view, in cells."""
    if series.rows.counts is None:
        return []
    runs = runs_of(~series.rows.counts[view.first : view.last])
    if len(runs) > MAX_ARROWS:
        return []
    return [[round(start * scale, 3), round(stop * scale, 3)] for start, stop in runs]


def _hits(series: Series, detector: Detector, levels: Levels, chosen: IntArray) -> HitsByStep:
    """Find the hits of the given segments at every step of the threshold."""
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
    """Return each segment's first hit at every step where it changes."""
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
    late = "no delay"
    if delay and series.clock is None:
        late = f"delay {delay}"
    elif delay and series.clock is not None:
        late = f"delay {format_duration(series.clock.seconds_between(start, row))}"
    return {"step": step, "delay": round((row - start) * scale, 3), "late": late}
