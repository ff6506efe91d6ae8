"""How sure a score is: ranges of F1 and of differences that hold what they promise.

Blocks, each a segment with the time around it, are what would come out otherwise on other data of
the same kind. F1 is made of sums over blocks, so leaving out one block after the other (jackknife)
tells how far it moves. Three things keep the ranges honest where blocks are few:

- they are made on the logit of F1, with Student's t;
- half a block that is found and half a block that is missed are added. A detector that found all of
  five segments is not known to find all, and so has no range of width 0;
- t has as many degrees of freedom as there would be blocks of equal weight: where one long segment
  outweighs all others, the others hardly count.

Thresholds that were chosen on the same labels are judged by cross-fitting: each block is counted at
the threshold that is best on the others. ``make bench-coverage`` measures what comes of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from padf_core.analysis.compare import threshold_grid
from padf_core.data.series import Detector, Series
from padf_core.metrics.checks import (
    FloatArray,
    IntArray,
    NumberArray,
    Progress,
    check_threshold,
    no_progress,
)
from padf_core.metrics.counts import Counts
from padf_core.metrics.protocols import Protocol, check_protocols
from padf_core.metrics.segments import Segments

FEWEST = 5
"""With fewer blocks a range covers most of the scale and says next to nothing."""

MAX_BLOCKS = 400
MOST_CELLS = 400_000
"""So many thresholds times blocks are counted at the most; beyond that, some of all thresholds."""
RESAMPLES = 200
"""How often thresholds are chosen anew to see how far the choice itself moves F1."""


@dataclass(frozen=True, eq=False)
class Counted:
    """What each block holds for one detector, and how far the choice of a threshold moves F1."""

    blocks: FloatArray
    """One row per block: earned, claimed, wanted, found."""
    seen: FloatArray
    """The same at the threshold that is best on all blocks; the very same where one is kept."""
    choice: float
    """The variance of the logit of F1 that comes from choosing a threshold."""


@dataclass(frozen=True, eq=False)
class Uncertainty:
    """Ranges for each detector under one protocol.

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
        """Whether there are blocks enough for ranges that say something."""
        return self.blocks >= FEWEST

    @property
    def equal_blocks(self) -> float:
        """How many blocks of equal weight would tell as much."""
        wanted = self.detectors[0].blocks[:, 2]
        squares = float((wanted**2).sum())
        return float(wanted.sum()) ** 2 / squares if squares > 0 else 0.0

    def f1(self, index: int) -> float:
        """Return a detector's F1; at chosen thresholds each block counts as the others choose."""
        return float(_f1(self.detectors[index].blocks.sum(axis=0)))

    def interval(self, index: int, level: float = 0.95) -> tuple[float, float]:
        """Return the range that holds a detector's F1 on new data with this probability."""
        if self.blocks < 2:
            return 0.0, 1.0
        detector = self.detectors[index]
        centre, moves = _moves(_padded(detector.blocks, self.whole, (1.0, 0.0)))
        reach = self._reach(level) * np.sqrt(_spread(moves) + detector.choice)
        f1 = self.f1(index)
        return (
            min(f1, float(_expit(centre - reach))),
            max(f1, float(_expit(centre + reach))),
        )

    def difference(self, first: int, second: int, level: float = 0.95) -> tuple[float, float]:
        """Return the range that holds the difference of two detectors' F1 on new data.

        At chosen thresholds it holds the range of the held-out blocks and that of all blocks at
        the thresholds that are best on them: to leave out 0, both must.
        """
        if self.blocks < 2:
            return -1.0, 1.0
        one, other = self.detectors[first], self.detectors[second]
        choice = one.choice + other.choice
        ends = self._apart(one.blocks, other.blocks, choice, level)
        if self.is_chosen:
            ends += self._apart(one.seen, other.seen, 0.0, level)
        return min(ends), max(ends)

    def told_apart(self, first: int, second: int, level: float = 0.95) -> bool:
        """Say whether the range of the difference leaves out 0."""
        low, high = self.difference(first, second, level)
        return low > 0 or high < 0

    def _reach(self, level: float) -> float:
        return t_quantile((1 + level) / 2, max(1.0, self.equal_blocks - 1))

    def _apart(
        self, one: FloatArray, other: FloatArray, choice: float, level: float
    ) -> tuple[float, ...]:
        """Return the ends of the range of a difference, and the difference itself."""
        # Half a block that only the first finds, and half a block that only the second finds.
        centre_one, moves_one = _moves(_padded(one, self.whole, (1.0, 0.0)))
        centre_other, moves_other = _moves(_padded(other, self.whole, (0.0, 1.0)))
        gap, middle = centre_one - centre_other, (centre_one + centre_other) / 2
        reach = self._reach(level) * np.sqrt(_spread(moves_one - moves_other) + choice)
        halves = np.array([gap - reach, gap + reach]) / 2
        low, high = _expit(middle + halves) - _expit(middle - halves)
        found = float(_f1(one.sum(axis=0)) - _f1(other.sum(axis=0)))
        return float(low), float(high), found


def uncertainty(
    series: Series,
    protocols: Sequence[Protocol],
    *,
    thresholds: Sequence[float] | None = None,
    progress: Progress = no_progress,
) -> list[Uncertainty]:
    """Return how sure every detector's F1 is, protocol by protocol.

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
        counted = _block_counts(detector, series, listed, starts, kept)
        wholes = [whole for _, whole in counted]
        for index, (counts, whole) in enumerate(counted):
            found[index].append(_measured(counts, whole))
        progress((row + 1) / len(series.detectors))
    return [
        Uncertainty(protocol, tuple(series.names), tuple(made), whole, thresholds is None)
        for protocol, made, whole in zip(listed, found, wholes, strict=True)
    ]


def _measured(counts: FloatArray, whole: FloatArray) -> Counted:
    """Choose among the thresholds (second axis), for each block without itself."""
    blocks = len(counts)
    every = np.arange(blocks)
    total = counts.sum(axis=0)
    seen = counts[:, _best(total[None])[0]].copy()
    if counts.shape[1] == 1 or blocks < 2:
        return Counted(seen, seen, 0.0)
    held_out = counts[every, _best(total[None] - counts)]
    drawn = np.random.default_rng(0).multinomial(
        blocks, np.full(blocks, 1 / blocks), size=RESAMPLES
    )
    chosen = _best(np.tensordot(drawn.astype(np.float64), counts, axes=1))
    reached = _logit(_f1(total[chosen] + _halves(whole, (1.0, 0.0)).sum(axis=0)))
    return Counted(held_out, seen, float(reached.var()))


def _best(counts: FloatArray) -> IntArray:
    """Return where F1 is best along the middle axis; of equal ones the highest threshold."""
    f1 = _f1(counts)
    last: IntArray = f1.shape[1] - 1 - np.argmax(f1[:, ::-1], axis=1)
    return last


def _halves(whole: FloatArray, finds: tuple[float, float]) -> FloatArray:
    """Return two halves of a mean block, each found or missed."""
    halves = np.tile(whole / 2, (2, 1))
    halves[:, [0, 1, 3]] *= np.array(finds)[:, None]
    return halves


def _padded(blocks: FloatArray, whole: FloatArray, finds: tuple[float, float]) -> FloatArray:
    return np.concatenate([blocks, _halves(whole, finds)])


def _moves(blocks: FloatArray) -> tuple[float, FloatArray]:
    """Return the logit of F1, and by how much it moves without each of the blocks."""
    total = blocks.sum(axis=0)
    f1 = float(_f1(total))
    slope = f1 * (1 - f1)
    if slope <= 0:
        return float(_logit(np.array(f1))), np.zeros(len(blocks))
    moves: FloatArray = (_f1(total - blocks) - f1) / slope
    return float(_logit(np.array(f1))), moves


def _spread(moves: FloatArray) -> float:
    """Return the jackknife's variance."""
    return float((moves.size - 1) / moves.size * ((moves - moves.mean()) ** 2).sum())


def _f1(counts: FloatArray) -> FloatArray:
    """Return F1 from earned, claimed, wanted and found along the last axis."""
    earned, claimed, wanted, found = np.moveaxis(np.maximum(counts, 0.0), -1, 0)
    return Counts(earned, claimed, wanted, found).fbeta()


def _logit(share: FloatArray) -> FloatArray:
    inside = np.clip(share, 1e-9, 1 - 1e-9)
    odds: FloatArray = np.log(inside / (1 - inside))
    return odds


def _expit(value: npt.ArrayLike) -> FloatArray:
    share: FloatArray = (1 + np.tanh(np.asarray(value, dtype=np.float64) / 2)) / 2
    return share


@lru_cache(maxsize=1024)
def t_quantile(share: float, freedom: float) -> float:
    """Return the quantile of Student's t, for any number of degrees of freedom from 1 on.

    With x = sqrt(f) tan(a) the density of a is cos(a)^(f - 1), which is summed up on a fine grid.

    >>> round(t_quantile(0.975, 10), 3)
    2.228
    """
    angle = np.linspace(0, np.pi / 2, 4001)
    density = np.cos(angle) ** (freedom - 1)
    sums = np.concatenate(([0.0], np.cumsum(density[1:] + density[:-1])))
    place = np.interp(2 * share - 1, sums / sums[-1], angle)
    return float(np.sqrt(freedom) * np.tan(place))


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
    kept: float | None,
) -> list[tuple[FloatArray, FloatArray]]:
    """Count each protocol in each block, at each candidate threshold.

    Along the last axis stand earned, claimed, wanted and found. The second array has them for a
    mean block in which everything is found at once.
    """
    levels = _candidates(detector, starts.size, kept)
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
        parts = [gains.earned, gains.claimed, gains.found]
        amounts = [gains.earned if part is None else part for part in parts]
        earned, claimed, found = (per_block(amount) for amount in amounts)
        wanted = np.bincount(segment_block, protocol.wanted(series.segments.lengths), blocks)
        made.append(
            (
                np.stack(
                    [
                        earned,
                        claimed + wrong[protocol.false_alarms],
                        np.broadcast_to(wanted[:, None], earned.shape),
                        found,
                    ],
                    axis=-1,
                ),
                np.array([*(a.sum() for a in amounts[:2]), wanted.sum(), amounts[2].sum()])
                / blocks,
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


def _level_of(scores: npt.ArrayLike, levels: FloatArray) -> IntArray:
    """Return how many of the rising thresholds each score reaches."""
    return np.searchsorted(levels, scores, side="right")
