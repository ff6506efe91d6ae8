"""Detectors side by side: ranks, where their curves cross, and how sure all that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from padf_core.data.series import Detector, Series
from padf_core.metrics.checks import (
    FloatArray,
    IntArray,
    NumberArray,
    Progress,
    check_number,
    no_progress,
)
from padf_core.metrics.counts import Counts
from padf_core.metrics.curves import Curve
from padf_core.metrics.protocols import Protocol, check_protocols
from padf_core.metrics.segments import Segments

TIE = 1e-9
"""Scores that differ by no more than this share a rank."""

MAX_BLOCKS = 400
CANDIDATES = 200


def ranks_of(scores: Sequence[float]) -> list[int]:
    """Return ranks from the highest score down; equal scores share the better rank.

    >>> ranks_of([0.5, 0.9, 0.5, 0.1])
    [2, 1, 2, 4]
    """
    return [1 + sum(other > score + TIE for other in scores) for score in scores]


# ---- where curves cross ------------------------------------------------------------------------


@dataclass(frozen=True)
class Crossing:
    """Where one detector passes another as a parameter rises."""

    at: float
    f1: float
    below: int
    """Index of the curve that is higher before the crossing."""
    above: int
    """Index of the curve that is higher behind it."""


def crossings(curves: Sequence[Curve]) -> list[Crossing]:
    """Find where curves over the same values change places, between two steps of the grid.

    >>> a, b = Curve.of([0, 1, 2], [0.9, 0.6, 0.3]), Curve.of([0, 1, 2], [0.5, 0.5, 0.5])
    >>> [(round(c.at, 2), c.below, c.above) for c in crossings([a, b])]
    [(1.33, 0, 1)]
    """
    found = []
    for first, second in combinations(range(len(curves)), 2):
        values = curves[first].values
        gap = curves[first].f1 - curves[second].f1
        sign = np.where(np.abs(gap) <= TIE, 0, np.sign(gap))
        places = np.flatnonzero(sign)
        for left, right in zip(places[:-1].tolist(), places[1:].tolist(), strict=True):
            if sign[left] == sign[right]:
                continue
            share = gap[left] / (gap[left] - gap[right])
            at = float(values[left] + share * (values[right] - values[left]))
            height = float(np.interp(at, values, curves[first].f1))
            order = (first, second) if sign[left] > 0 else (second, first)
            found.append(Crossing(at, height, *order))
    return sorted(found, key=lambda crossing: crossing.at)


# ---- uncertainty -------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """F1 of each detector under one protocol, on resampled series; the same resamples for all."""

    protocol: Protocol
    names: tuple[str, ...]
    f1: FloatArray
    """One row per detector, one column per resample."""
    blocks: int

    def interval(self, index: int, level: float = 0.95) -> tuple[float, float]:
        """Return the range that holds this share of a detector's resamples."""
        return _middle(self.f1[index], level)

    def difference(self, first: int, second: int, level: float = 0.95) -> tuple[float, float]:
        """Return the range of the difference between two detectors, resample by resample."""
        return _middle(self.f1[first] - self.f1[second], level)

    def told_apart(self, first: int, second: int, level: float = 0.95) -> bool:
        """Say whether the range of the difference leaves out 0."""
        low, high = self.difference(first, second, level)
        return low > 0 or high < 0


def _middle(values: FloatArray, level: float) -> tuple[float, float]:
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def blocks_of(segments: Segments) -> IntArray:
    """Return where blocks of the series begin: each holds whole segments with the time around.

    Cuts lie in the middle between segments; with many segments several share a block.

    >>> from padf_core import find_segments
    >>> blocks_of(find_segments([0, 1, 0, 0, 0, 1, 0, 1])).tolist()
    [0, 3, 6]
    """
    cuts = (segments.stops[:-1] + segments.starts[1:]) // 2
    every = max(1, -(-len(segments) // MAX_BLOCKS))
    return np.concatenate(([0], cuts[every - 1 :: every])).astype(np.int64)


def bootstrap(
    series: Series,
    protocols: Sequence[Protocol],
    *,
    thresholds: Sequence[float] | None = None,
    resamples: int = 1000,
    seed: int = 0,
    progress: Progress = no_progress,
) -> list[Bootstrap]:
    """Resample the series by blocks of whole segments, and score every detector on each resample.

    With ``thresholds`` (one per detector) these are kept. Without, every resample takes its own
    best among some 200 thresholds, the best one of the whole series among them, so that the
    choice of a threshold is part of the range.
    """
    listed = check_protocols(protocols)
    count = int(check_number("resamples", resamples, lambda x: 10 <= x <= 100_000, "10 to 100000"))
    starts = blocks_of(series.segments)
    drawn = np.random.default_rng(seed).multinomial(
        starts.size, np.full(starts.size, 1 / starts.size), size=count
    )
    weights = drawn.astype(np.float64)
    f1 = np.zeros((len(listed), len(series.detectors), count))
    for row, detector in enumerate(series.detectors):
        kept = None if thresholds is None else float(thresholds[row])
        for index, counts in enumerate(_block_counts(detector, series, listed, starts, kept)):
            f1[index, row] = _resampled(weights, counts)
        progress((row + 1) / len(series.detectors))
    return [
        Bootstrap(protocol, tuple(series.names), f1[index], int(starts.size))
        for index, protocol in enumerate(listed)
    ]


def _resampled(weights: FloatArray, per_block: Counts) -> FloatArray:
    """Return the best F1 of each resample over the candidate thresholds."""
    apart = per_block.apart
    best: FloatArray = (
        Counts(
            weights @ per_block.earned,
            weights @ per_block.claimed,
            (weights @ per_block.wanted)[:, None],
            None if apart is None else weights @ apart,
        )
        .fbeta()
        .max(axis=1)
    )
    return best


def _block_counts(
    detector: Detector,
    series: Series,
    protocols: Sequence[Protocol],
    starts: IntArray,
    kept: float | None,
) -> list[Counts]:
    """Count each protocol in each block, at each candidate threshold."""
    levels = _candidates(detector, protocols, kept)
    inside = detector.ranked.inside
    blocks = starts.size
    segment_block = np.searchsorted(starts, series.segments.starts, side="right") - 1
    level = _level_of(inside.scores, levels)
    place = segment_block[inside.segment] * (levels.size + 1) + level

    def per_block(amounts: FloatArray) -> FloatArray:
        """Sum what lies at or above each threshold, block by block."""
        sums = np.bincount(place, amounts, blocks * (levels.size + 1))
        table = sums.reshape(blocks, levels.size + 1)[:, 1:]
        falling: FloatArray = np.cumsum(table[:, ::-1], axis=1)[:, ::-1].astype(np.float64)
        return falling

    wrong = {
        kind: _false_alarms(detector, series, starts, levels, kind)
        for kind in {protocol.false_alarms for protocol in protocols}
    }
    made = []
    for protocol in protocols:
        gains = protocol.gains(inside)
        earned = per_block(gains.earned)
        claimed = earned if gains.claimed is None else per_block(gains.claimed)
        wanted = protocol.wanted(series.segments.lengths)
        made.append(
            Counts(
                earned,
                claimed + wrong[protocol.false_alarms],
                np.bincount(segment_block, wanted, blocks).astype(np.float64),
                None if gains.found is None else per_block(gains.found),
            )
        )
    return made


def _false_alarms(
    detector: Detector, series: Series, starts: IntArray, levels: FloatArray, kind: str
) -> FloatArray:
    """Count false alarms in each block, as points or as runs, at each candidate threshold.

    A run that two blocks share is counted where it begins, so the blocks add up to the series.
    """
    counted = np.zeros((starts.size, levels.size))
    stops = np.append(starts[1:], series.size)
    is_normal, begins = series.normal, series.rows.begins
    for block, (start, stop) in enumerate(zip(starts.tolist(), stops.tolist(), strict=True)):
        scores, normal = detector.scores[start:stop], is_normal[start:stop]
        counted[block] = _reaching(scores[normal], levels)
        if kind == "runs":
            before = max(0, start - 1)
            near, both = detector.scores[before:stop], is_normal[before:stop]
            joined = both[1:] & both[:-1]
            if begins is not None:
                joined &= ~begins[before + 1 : stop]
            joints = np.minimum(near[1:], near[:-1])[joined]
            counted[block] -= _reaching(joints, levels)
    return counted


def _reaching(scores: NumberArray, levels: FloatArray) -> IntArray:
    """Return how many of the scores reach each of the rising thresholds."""
    counts = np.bincount(_level_of(scores, levels), minlength=levels.size + 1)[1:]
    return np.cumsum(counts[::-1])[::-1]


def _candidates(
    detector: Detector, protocols: Sequence[Protocol], kept: float | None
) -> FloatArray:
    """Return rising thresholds: the one that is kept, or many among which resamples choose."""
    if detector.is_binary:
        return np.array([1.0])
    if kept is not None:
        return np.array([kept])
    best = [detector.ranked.best(protocol).threshold for protocol in protocols]
    return np.unique([*threshold_grid(detector, CANDIDATES).tolist(), *best])


def _level_of(scores: npt.ArrayLike, levels: FloatArray) -> IntArray:
    """Return how many of the rising thresholds each score reaches."""
    return np.searchsorted(levels, scores, side="right")


def threshold_grid(detector: Detector, count: int) -> FloatArray:
    """Return about ``count`` falling thresholds among the scores, dense where F1 can change.

    Half follow the anomalous scores; the others the normal ones, from the highest down, ever
    further apart, since the few highest are those that tell a careful detector.
    """
    ranked = detector.ranked
    inside, normal = ranked.inside.scores, ranked.normal_scores[::-1]
    picked = [
        values[np.unique(places(values.size, count // 2))]
        for values, places in ((inside, _even), (normal, _widening))
        if values.size
    ]
    return np.unique(np.concatenate(picked).astype(np.float64))[::-1]


def _even(size: int, count: int) -> IntArray:
    return np.linspace(0, size - 1, count).round().astype(np.int64)


def _widening(size: int, count: int) -> IntArray:
    return (np.geomspace(1, size, count).round() - 1).astype(np.int64)
