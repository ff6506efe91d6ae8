"""How certain an F1 is: confidence intervals for detectors and for their differences.

A series is cut into blocks, each an incident with the time around it; `jackknife` makes the
intervals of them. Thresholds that were chosen on the same labels are judged by cross-fitting: each
block is counted at the threshold that is best on the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from padf_core.analysis import jackknife
from padf_core.analysis.blocks import blocks_of, candidate_levels, count_blocks, shared_levels
from padf_core.analysis.jackknife import f1_of, halves, logit
from padf_core.analysis.paired_test import PairedTest, sign_flip_test
from padf_core.io.series import Series
from padf_core.metrics.checks import FloatArray, IntArray, Progress, check_threshold, no_progress
from padf_core.metrics.protocols import Protocol, check_protocols

FEWEST = 5
"""With fewer blocks an interval covers most of the scale and says next to nothing."""

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
        levels = candidate_levels(detector, starts.size, kept)
        counted = count_blocks(detector, series, listed, starts, levels)
        wholes = [whole for _, whole in counted]
        shared = shared_levels(detector, levels)
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
