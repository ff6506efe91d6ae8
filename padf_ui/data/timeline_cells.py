"""The cells of a timeline: from which step of the threshold each is flagged, and how high it is."""

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


def cell_edges(view: View, cells: int) -> IntArray:
    """Return where cells begin, counted from the view's first point, and the end."""
    length = view.last - view.first
    count = min(cells, length)
    return np.arange(count + 1) * length // count


def highest_levels(
    scores: NumberArray, kind: BoolArray, edges: IntArray, levels: Levels
) -> list[int]:
    """Return the highest level of each cell among the points of one kind."""
    own = scores if kind.all() else np.where(kind, scores, -np.inf)
    highest = levels.of(np.maximum.reduceat(own, edges[:-1]))
    is_there = np.logical_or.reduceat(kind, edges[:-1])
    made: list[int] = np.where(is_there, highest, 0).tolist()
    return made


def series_strip(series: Series, detector: Detector, levels: Levels) -> Strip:
    """Return the whole series in a few cells."""
    edges = cell_edges(View(0, series.size), STRIP_CELLS)
    highest = highest_levels(detector.judged, series.labels | series.normal, edges, levels)
    labels = np.logical_or.reduceat(series.labels, edges[:-1])
    return {"labels": format_bits(labels), "levels": highest}


def score_limits(scores: NumberArray) -> tuple[float, float]:
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


def height_of(value: float, low: float, high: float) -> float:
    """Return where a value stands between the limits, from 0 to `HEIGHTS`."""
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
    """Return what was monitored, cell by cell, between its own limits."""
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
