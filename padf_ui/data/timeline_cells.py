"""Cells of the timeline: the threshold steps at which each is flagged, and its height."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite

import numpy as np
import numpy.typing as npt

from padf_core.analysis.threshold_grid import threshold_grid
from padf_core.io.notation import format_bits
from padf_core.io.series import Detector, Series
from padf_core.metrics.checks import BoolArray, FloatArray, IntArray, NumberArray
from padf_core.metrics.protocols import Protocol
from padf_ui.session.stretch import View
from padf_ui.session.study import EVERYTHING
from padf_ui.wire.timeline import Extent, Signal, Strip

STRIP_CELLS = 600


THRESHOLDS = 160


HEIGHTS = 1000


MISSING = -1


@dataclass(frozen=True, eq=False)
class Levels:
    """Steps of the threshold in increasing order, and the index of the current one."""

    steps: FloatArray
    at: int
    is_slider: bool
    """Whether the threshold can be changed."""

    @cached_property
    def thresholds(self) -> FloatArray:
        """Thresholds of the steps. The lowest may be minus infinity."""
        return np.where(self.steps == EVERYTHING, -np.inf, self.steps)

    def of(self, scores: npt.ArrayLike) -> IntArray:
        """Return the number of steps at which each score is flagged, called its level.

        The score is flagged at every step below its level.
        """
        return np.searchsorted(self.thresholds, scores, side="right")


def levels_of(detector: Detector, protocols: Sequence[Protocol], threshold: float) -> Levels:
    """Return the thresholds of the slider, including the best and the current one.

    A slider needs finite steps. An infinite threshold becomes the next number above all finite
    scores, which flags the same points. Minus infinity, which flags every point, becomes
    `EVERYTHING`.
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


def cell_edges(view: View, cells: int) -> IntArray:
    """Return the edges of the cells, counted from the view's first point."""
    length = view.last - view.first
    count = min(cells, length)
    return np.arange(count + 1) * length // count


def highest_levels(
    scores: NumberArray, kind: BoolArray, edges: IntArray, levels: Levels
) -> list[int]:
    """Return the highest level in each cell among the points of one kind."""
    own = scores if kind.all() else np.where(kind, scores, -np.inf)
    highest = levels.of(np.maximum.reduceat(own, edges[:-1]))
    is_there = np.logical_or.reduceat(kind, edges[:-1])
    made: list[int] = np.where(is_there, highest, 0).tolist()
    return made


def series_strip(series: Series, detector: Detector, levels: Levels) -> Strip:
    """Return an overview of the whole series in a few cells."""
    edges = cell_edges(View(0, series.size), STRIP_CELLS)
    highest = highest_levels(detector.judged, series.labels | series.normal, edges, levels)
    labels = np.logical_or.reduceat(series.labels, edges[:-1])
    return {"labels": format_bits(labels), "levels": highest}


def score_limits(scores: NumberArray) -> tuple[float, float]:
    """Return the limits of the score axis."""
    low, high = _finite_ends(scores)
    return (low, high) if high > low else _around(low)


def _finite_ends(scores: NumberArray) -> tuple[float, float]:
    """Return the lowest and highest finite score, or 0 and 1 if there is none."""
    low, high = float(scores.min()), float(scores.max())
    if not (isfinite(low) and isfinite(high)):
        finite = scores[np.isfinite(scores)]
        low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    return low, high


def _around(value: float) -> tuple[float, float]:
    """Return limits around a single value."""
    margin = max(0.5, abs(value) * 1e-6)
    return value - margin, value + margin


def height_of(value: float, low: float, high: float) -> float:
    """Return the height of a value between the limits, from 0 to `HEIGHTS`."""
    return round(min(max((value - low) / (high - low), -0.02), 1.02) * HEIGHTS, 2)


def extent_of(values: NumberArray, edges: IntArray, low: float, high: float) -> Extent:
    """Return the lowest and highest value of each cell as heights."""
    lowest = np.minimum.reduceat(values, edges[:-1]).astype(np.float64)
    highest = np.maximum.reduceat(values, edges[:-1]).astype(np.float64)
    return {"low": _heights(lowest, low, high), "high": _heights(highest, low, high)}


def _heights(values: npt.NDArray[np.float64], low: float, high: float) -> list[int]:
    with np.errstate(invalid="ignore", over="ignore"):
        scaled = np.clip((values - low) / (high - low), 0, 1) * HEIGHTS
    known: list[int] = np.where(np.isnan(scaled), MISSING, np.round(scaled)).astype(int).tolist()
    return known


def signal_cells(values: NumberArray, edges: IntArray) -> Signal:
    """Return the monitored signal by cell, scaled to its own limits."""
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
