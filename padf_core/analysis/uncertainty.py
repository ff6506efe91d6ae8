"""How certain an F1 is: confidence intervals for detectors and for their differences.

A series is cut into blocks, each an incident with the time around it; `jackknife` makes the
intervals of them. Thresholds that were chosen on the same labels are judged by cross-fitting: each
block is counted at the threshold that is best on the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from padf_core.analysis import jackknife
from padf_core.analysis.compare import threshold_grid
from padf_core.analysis.jackknife import f1_of, halves, logit
from padf_core.analysis.significance import PairedTest, sign_flip_test
from padf_core.io.series import Detector, Series
from padf_core.metrics.checks import (
    FloatArray,
    IntArray,
    NumberArray,
    Progress,
    check_threshold,
    no_progress,
)
from padf_core.metrics.protocols import Protocol, check_protocols
from padf_core.metrics.segments import Segments

FEWEST = 5
"""With fewer blocks an interval covers most of the scale and says next to nothing."""

MAX_BLOCKS = 400
MOST_CELLS = 400_000
"""So many thresholds times blocks are counted at the most; beyond that, some of all thresholds."""
SHARES = 40
"""The number of thresholds for the paired test, each for a share of normal rows."""
RESAMPLES = 200
"""How often thresholds are chosen anew to see how far the choice itself moves F1."""


@dataclass(frozen=True, eq=False)
class Counted:
    """What each block holds for one detector, and how far the choice of a threshold moves F1."""

    blocks: FloatArray
    """One row per block: earned, claimed, wanted, found; where precision is corrected, also the
    silent and all normal points."""
    seen: FloatArray
    """The same at the threshold that is best on all blocks; the very same where one is kept."""
    swappable: FloatArray
    """The counts of each block at some thresholds (second axis) that flag the same shares of normal
    rows for every detector; at the one threshold where it is kept."""
    choice: float
    """The variance of the logit of F1 that comes from choosing a threshold."""


@dataclass(frozen=True, eq=False)
class Uncertainty:
    """Confidence intervals for each detector under one protocol.

    At kept thresholds they are of the F1 on other data of the same kind; at chosen ones of the F1
    that a threshold chosen like this reaches there.
    """

    protocol: Protocol
    names: tuple[str, ...]
    detectors: tuple[Counted, ...]
    whole: FloatArray
    """The counts of a mean block in which everything is found at once."""
    is_chosen: bool

    @property
    def blocks(self) -> int:
        """How many blocks the series was cut into."""
        return len(self.detectors[0].blocks)

    @property
    def is_enough(self) -> bool:
        """Whether there are blocks enough for intervals that say something."""
        return self.blocks >= FEWEST

    @property
    def equal_blocks(self) -> float:
        """How many blocks of equal weight would tell as much."""
        return jackknife.equal_blocks(self.detectors[0].blocks)

    @property
    def pairs(self) -> int:
        """How many pairs of detectors there are."""
        return len(self.names) * (len(self.names) - 1) // 2

    def f1(self, index: int) -> float:
        """Return a detector's F1; at chosen thresholds each block counts as the others choose."""
        return float(f1_of(self.detectors[index].blocks.sum(axis=0)))

    def interval(self, index: int, level: float = 0.95) -> tuple[float, float]:
        """Return the interval that contains a detector's F1 on new data with this probability."""
        detector = self.detectors[index]
        return jackknife.interval(detector.blocks, self.whole, level, detector.choice)

    def difference(
        self, first: int, second: int, level: float = 0.95, pairs: int = 1
    ) -> tuple[float, float]:
        """Return the interval that contains the difference of two detectors' F1 on new data.

        At chosen thresholds it contains the interval of the held-out blocks and that of all blocks
        at the thresholds that are best on them: to leave out 0, both must. With ``pairs`` the
        intervals of so many pairs all hold at once with this probability (Bonferroni).
        """
        each = 1 - (1 - level) / max(1, pairs)
        one, other = self.detectors[first], self.detectors[second]
        choice = one.choice + other.choice
        low, high = jackknife.difference(one.blocks, other.blocks, self.whole, each, choice)
        if self.is_chosen:
            seen = jackknife.difference(one.seen, other.seen, self.whole, each)
            low, high = min(low, seen[0]), max(high, seen[1])
        return low, high

    def told_apart(self, first: int, second: int, level: float = 0.95, pairs: int = 1) -> bool:
        """Say whether the interval of the difference leaves out 0."""
        low, high = self.difference(first, second, level, pairs)
        return low > 0 or high < 0

    def paired(self, first: int, second: int) -> PairedTest:
        """Test whether two detectors are interchangeable, by swapping them block by block.

        Given thresholds are kept. Otherwise every swap chooses its best ones again, from thresholds
        that flag the same shares of normal rows for both. The score scales may differ.
        """
        one, other = self.detectors[first].swappable, self.detectors[second].swappable
        return sign_flip_test(one, other)


def uncertainty(
    series: Series,
    protocols: Sequence[Protocol],
    *,
    thresholds: Sequence[float] | None = None,
    progress: Progress = no_progress,
) -> list[Uncertainty]:
    """Return how certain every detector's F1 is, protocol by protocol.

    With ``thresholds`` (one per detector) these are kept. Without, they are chosen among some 200:
    for each block the best one on all others.
    """
    listed = check_protocols(protocols)
    given = None if thresholds is None else [float(check_threshold(each)) for each in thresholds]
    if given is not None and len(given) != len(series.detectors):
        raise ValueError(
            f"thresholds must be one per detector; got {len(given)} for {len(series.detectors)}"
        )
    starts = blocks_of(series.segments)
    found: list[list[Counted]] = [[] for _ in listed]
    wholes: list[FloatArray] = []
    for row, detector in enumerate(series.detectors):
        kept = None if given is None else given[row]
        levels = _candidates(detector, starts.size, kept)
        counted = _block_counts(detector, series, listed, starts, levels)
        wholes = [whole for _, whole in counted]
        shared = _sharing(detector, levels)
        for index, (counts, whole) in enumerate(counted):
            found[index].append(_measured(counts, whole, shared))
        progress((row + 1) / len(series.detectors))
    return [
        Uncertainty(protocol, tuple(series.names), tuple(made), whole, thresholds is None)
        for protocol, made, whole in zip(listed, found, wholes, strict=True)
    ]


def _measured(counts: FloatArray, whole: FloatArray, shared: IntArray) -> Counted:
    """Choose among the thresholds (second axis), for each block without itself."""
    swappable = counts[:, shared]
    blocks = len(counts)
    every = np.arange(blocks)
    total = counts.sum(axis=0)
    seen = counts[:, _best(total[None])[0]].copy()
    if counts.shape[1] == 1 or blocks < 2:
        return Counted(seen, seen, swappable, 0.0)
    held_out = counts[every, _best(total[None] - counts)]
    drawn = np.random.default_rng(0).multinomial(
        blocks, np.full(blocks, 1 / blocks), size=RESAMPLES
    )
    chosen = _best(np.tensordot(drawn.astype(np.float64), counts, axes=1))
    reached = logit(f1_of(total[chosen] + halves(whole, (1.0, 0.0)).sum(axis=0)))
    return Counted(held_out, seen, swappable, float(reached.var()))


def _best(counts: FloatArray) -> IntArray:
    """Return where F1 is best along the middle axis; of equal ones the highest threshold."""
    f1 = f1_of(counts)
    last: IntArray = f1.shape[1] - 1 - np.argmax(f1[:, ::-1], axis=1)
    return last


# ---- blocks and what they hold -----------------------------------------------------------------


def blocks_of(segments: Segments, most: int = MAX_BLOCKS) -> IntArray:
    """Return where blocks of the series begin: each holds whole segments with the time around.

    Cuts lie in the middle between segments; with many segments several share a block.

    >>> from padf_core import find_segments
    >>> blocks_of(find_segments([0, 1, 0, 0, 0, 1, 0, 1])).tolist()
    [0, 3, 6]
    """
    cuts = (segments.stops[:-1] + segments.starts[1:]) // 2
    every = max(1, -(-len(segments) // most))
    return np.concatenate(([0], cuts[every - 1 :: every])).astype(np.int64)


def _block_counts(
    detector: Detector,
    series: Series,
    protocols: Sequence[Protocol],
    starts: IntArray,
    levels: FloatArray,
) -> list[tuple[FloatArray, FloatArray]]:
    """Count each protocol in each block, at each candidate threshold.

    Along the last axis stand earned, claimed, wanted and found. The second array has them for a
    mean block in which everything is found at once.
    """
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

    kinds = {protocol.false_alarms for protocol in protocols}
    wrong = {
        kind: _false_alarms(detector, series, starts, levels, kind) for kind in {*kinds, "points"}
    }
    normal = np.add.reduceat(series.normal, starts).astype(np.float64)[:, None]
    made = []
    for protocol in protocols:
        gains = protocol.gains(inside)
        parts = [gains.earned, gains.claimed, gains.found]
        amounts = [gains.earned if part is None else part for part in parts]
        earned, claimed, found = (per_block(amount) for amount in amounts)
        wanted = np.bincount(segment_block, protocol.wanted(series.segments.lengths), blocks)
        columns = [earned, claimed + wrong[protocol.false_alarms], wanted[:, None], found]
        whole = [*(a.sum() for a in amounts[:2]), wanted.sum(), amounts[2].sum()]
        if protocol.corrects:
            columns += [normal - wrong["points"], normal]
            whole += [normal.sum(), normal.sum()]
        table = np.stack([np.broadcast_to(each, earned.shape) for each in columns], axis=-1)
        made.append((table, np.array(whole) / blocks))
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


def _candidates(detector: Detector, blocks: int, kept: float | None) -> FloatArray:
    """Return rising thresholds: the one that is kept, or all among which blocks choose.

    Where there are very many, some from all over; none of them because it is best with hindsight.
    """
    if detector.is_binary:
        return np.array([1.0])
    if kept is not None:
        return np.array([kept])
    every = detector.ranked.thresholds
    if every.size * blocks <= MOST_CELLS:
        return np.sort(every).astype(np.float64)
    return np.unique(threshold_grid(detector, MOST_CELLS // blocks))


def _sharing(detector: Detector, levels: FloatArray) -> IntArray:
    """Return which of the rising thresholds flag given shares of the normal rows, from 0 to all."""
    falling = np.sort(detector.ranked.normal_scores)[::-1]
    if levels.size == 1 or not falling.size:
        return np.zeros(1, dtype=np.int64)
    flagged = np.geomspace(1, falling.size, SHARES - 1).round().astype(np.int64)
    nearest = np.searchsorted(levels, falling[flagged - 1], side="right") - 1
    silent = np.searchsorted(levels, falling[0], side="right")
    found: IntArray = np.clip(np.append(silent, nearest), 0, levels.size - 1)
    return found


def _level_of(scores: npt.ArrayLike, levels: FloatArray) -> IntArray:
    """Return how many of the rising thresholds each score reaches."""
    return np.searchsorted(levels, scores, side="right")
