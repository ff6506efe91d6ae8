"""Detectors side by side: ranks, a random detector among them, and how sure all that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from padf_core.checks import BoolArray, FloatArray, IntArray, Progress, check_number, no_progress
from padf_core.curves import Curve
from padf_core.measures import fbeta_of
from padf_core.protocols import PointAdjust, Protocol, check_protocols
from padf_core.segments import Segments
from padf_core.series import Detector, Series
from padf_core.sweep import rank_scores

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


# ---- the random detector -----------------------------------------------------------------------


@dataclass(frozen=True)
class RandomRow:
    """The best F1 of a random detector under one protocol, over several seeds."""

    protocol: Protocol
    f1: tuple[float, ...]
    """The best F1 of each run."""
    alarm_rates: tuple[float, ...]
    """The share of points that each run flags at its best threshold."""

    @property
    def mean(self) -> float:
        """Mean of the best F1."""
        return float(np.mean(self.f1))

    @property
    def spread(self) -> float:
        """Standard deviation of the best F1 between seeds."""
        return float(np.std(self.f1, ddof=1)) if len(self.f1) > 1 else 0.0

    @property
    def highest(self) -> float:
        """The luckiest run."""
        return max(self.f1)

    @property
    def alarm_rate(self) -> float:
        """Mean share of points flagged."""
        return float(np.mean(self.alarm_rates))


def random_rows(
    labels: BoolArray,
    protocols: Sequence[Protocol],
    runs: int = 20,
    seed: int = 0,
    progress: Progress = no_progress,
) -> list[RandomRow]:
    """Score a detector whose scores are uniform noise, each run at its own best threshold.

    >>> import numpy as np
    >>> labels = np.arange(1000) % 100 >= 80
    >>> row = random_rows(labels, [PointAdjust()], runs=5)[0]
    >>> row.mean > 0.6, len(row.f1)
    (True, 5)
    """
    listed = check_protocols(protocols)
    count = int(check_number("runs", runs, lambda x: 1 <= x <= 1000, "from 1 to 1000"))
    made: list[list[tuple[float, float]]] = []
    for run in range(count):
        noise = np.random.default_rng([seed, run]).random(labels.size, dtype=np.float32)
        ranked = rank_scores(labels, noise)
        best = [ranked.best(protocol) for protocol in listed]
        made.append([(b.f1, float(np.mean(noise >= np.float32(b.threshold)))) for b in best])
        progress((run + 1) / count)
    return [
        RandomRow(
            protocol,
            tuple(run[index][0] for run in made),
            tuple(run[index][1] for run in made),
        )
        for index, protocol in enumerate(listed)
    ]


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
    luck in choosing a threshold is part of the range.
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
        for index, tally in enumerate(_tallies(detector, series, listed, starts, kept)):
            f1[index, row] = _resampled(weights, tally)
        progress((row + 1) / len(series.detectors))
    return [
        Bootstrap(protocol, tuple(series.names), f1[index], int(starts.size))
        for index, protocol in enumerate(listed)
    ]


@dataclass(frozen=True)
class _Tally:
    """Counts per block, at each candidate threshold."""

    credit: FloatArray
    claimed: FloatArray
    anomalous: FloatArray


def _resampled(weights: FloatArray, tally: _Tally) -> FloatArray:
    credit = weights @ tally.credit
    claimed = weights @ tally.claimed
    anomalous = (weights @ tally.anomalous)[:, None]
    best: FloatArray = fbeta_of(credit, claimed, anomalous).max(axis=1)
    return best


def _tallies(
    detector: Detector,
    series: Series,
    protocols: Sequence[Protocol],
    starts: IntArray,
    kept: float | None,
) -> list[_Tally]:
    levels = _candidates(detector, protocols, kept)
    inside = detector.ranked.inside
    blocks = starts.size
    segment_block = np.searchsorted(starts, series.segments.starts, side="right") - 1
    level = _level_of(inside.scores, levels)
    place = segment_block[inside.segment] * (levels.size + 1) + level

    def per_block(places: IntArray, amounts: FloatArray | None) -> FloatArray:
        """Sum what lies at or above each threshold, block by block."""
        sums = np.bincount(places, amounts, blocks * (levels.size + 1))
        table = sums.reshape(blocks, levels.size + 1)[:, 1:]
        falling: FloatArray = np.cumsum(table[:, ::-1], axis=1)[:, ::-1].astype(np.float64)
        return falling

    false_positives = np.zeros((blocks, levels.size))
    stops = np.append(starts[1:], series.size)
    for block, (start, stop) in enumerate(zip(starts.tolist(), stops.tolist(), strict=True)):
        normal = detector.scores[start:stop][~series.labels[start:stop]]
        counts = np.bincount(_level_of(normal, levels), minlength=levels.size + 1)[1:]
        false_positives[block] = np.cumsum(counts[::-1])[::-1]
    covered = per_block(place, PointAdjust().gains(inside))
    anomalous = np.bincount(segment_block, series.segments.lengths, blocks).astype(np.float64)
    made = []
    for protocol in protocols:
        credit = per_block(place, protocol.gains(inside))
        claimed = (covered if protocol.counts_detected_points else credit) + false_positives
        made.append(_Tally(credit, claimed, anomalous))
    return made


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
