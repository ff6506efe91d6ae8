"""Compute confidence intervals for the F1 of detectors and for their differences.

A series is cut into blocks, each an incident with the time around it. `jackknife` computes the
intervals from them. Thresholds tuned on the test labels are judged by cross-fitting: each block is
counted at the threshold that is best on the other blocks.
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
"""With fewer blocks, an interval covers most of the scale and is not informative."""

RESAMPLES = 200
"""Number of bootstrap resamples that measure how much the choice of a threshold varies F1."""


@dataclass(frozen=True, eq=False)
class Counted:
    """The counts of each block for one detector, and the variance from choosing a threshold."""

    blocks: FloatArray
    """One row per block: earned, claimed, wanted, found.

    If precision is corrected, unflagged and all normal points follow.
    """
    seen: FloatArray
    """The counts at the threshold best on all blocks; equal to ``blocks`` for a fixed threshold."""
    swappable: FloatArray
    """The counts of each block at thresholds comparable between detectors (second axis).

    These thresholds flag the same shares of normal rows for every detector. A fixed threshold is
    the only one.
    """
    choice: float
    """Variance of the logit of F1 that comes from choosing a threshold."""


@dataclass(frozen=True, eq=False)
class Uncertainty:
    """Confidence intervals for each detector under one protocol.

    For fixed thresholds, they cover the F1 on other data of the same kind. For chosen thresholds,
    they cover the F1 that a threshold chosen in the same way reaches on other data.
    """

    protocol: Protocol
    names: tuple[str, ...]
    detectors: tuple[Counted, ...]
    whole: FloatArray
    """The counts of a mean block in which everything is found."""
    is_chosen: bool

    @property
    def blocks(self) -> int:
        """Number of blocks into which the series was cut."""
        return len(self.detectors[0].blocks)

    @property
    def is_enough(self) -> bool:
        """Whether there are enough blocks for informative intervals."""
        return self.blocks >= FEWEST

    @property
    def equal_blocks(self) -> float:
        """The equivalent number of equally weighted blocks."""
        return jackknife.equal_blocks(self.detectors[0].blocks)

    @property
    def pairs(self) -> int:
        """Number of pairs of detectors."""
        return len(self.names) * (len(self.names) - 1) // 2

    def f1(self, index: int) -> float:
        """Return a detector's F1, cross-fitted if thresholds are chosen."""
        return float(f1_of(self.detectors[index].blocks.sum(axis=0)))

    def interval(self, index: int, level: float = 0.95) -> tuple[float, float]:
        """Return the confidence interval of a detector's F1 on new data."""
        detector = self.detectors[index]
        return jackknife.interval(detector.blocks, self.whole, level, detector.choice)

    def difference(
        self, first: int, second: int, level: float = 0.95, pairs: int = 1
    ) -> tuple[float, float]:
        """Return the confidence interval of the difference between two detectors' F1 on new data.

        For chosen thresholds, it covers both the interval of the held-out blocks and the interval
        at the thresholds best on all blocks. Both must exclude 0 for a significant difference. With
        ``pairs``, the intervals of that many pairs hold simultaneously (Bonferroni).
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
        """Return whether the interval of the difference excludes 0."""
        low, high = self.difference(first, second, level, pairs)
        return low > 0 or high < 0

    def paired(self, first: int, second: int) -> PairedTest:
        """Test whether two detectors are interchangeable, by swapping them block by block.

        Fixed thresholds are kept. Otherwise every swap chooses its best thresholds again, among
        thresholds that flag the same shares of normal rows for both. The score scales may differ.
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
    """Return the confidence intervals of every detector's F1, one entry per protocol.

    If ``thresholds`` are given (one per detector), they are fixed. Otherwise thresholds are chosen
    by cross-fitting: for each block, the best one on all other blocks.
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
    """Choose a threshold (second axis) for each block, from the counts of the other blocks."""
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
    """Return the index of the best F1 along the middle axis; on ties, the highest threshold."""
    f1 = f1_of(counts)
    last: IntArray = f1.shape[1] - 1 - np.argmax(f1[:, ::-1], axis=1)
    return last
