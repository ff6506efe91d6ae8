"""Find what separates two detectors, and the smallest change that reverses their order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from padf_core.io.series import Detector, Series
from padf_core.metrics.checks import FloatArray, IntArray
from padf_core.metrics.counts import Counts
from padf_core.metrics.evaluation import Pattern, evaluate_pattern, make_pattern
from padf_core.metrics.onset import Onset
from padf_core.metrics.protocols import Protocol

FARTHEST = 60
"""Onsets are shifted by up to this many rows, earlier and later."""

MOST_SETS = 200_000
"""Maximum number of sets of segments to try, starting with single segments."""

SAME = 1e-12
"""F1 values that differ by at most this are equal; a tie does not reverse the order."""


@dataclass(frozen=True, eq=False)
class Decisive:
    """Why one detector is ahead of another at given thresholds."""

    gap: float
    """F1 of the first detector minus that of the second."""
    shares: FloatArray
    """How much the gap would shrink without each segment."""
    turning: tuple[int, ...] | None
    """The smallest set of segments found whose removal reverses the order."""
    tried: int
    """Size up to which all sets of segments were tried."""
    shift: int | None
    """The smallest shift of all onsets, in rows, that reverses the order; None if none does."""


def what_decides(
    series: Series,
    detectors: tuple[Detector, Detector],
    thresholds: tuple[float, float],
    protocol: Protocol,
) -> Decisive:
    """Compare two detectors segment by segment, each at its threshold.

    Leaving out a segment removes its credit and its weight; false alarms stay. All sets of segments
    are tried, smallest first, to reverse the order. If there are too many sets, the segments that
    favour the leading detector most are left out one after another.
    """
    patterns = [
        detector.pattern(threshold)
        for detector, threshold in zip(detectors, thresholds, strict=True)
    ]
    gap = _gap(patterns, protocol)
    without = _gaps_without(patterns, protocol, np.arange(len(series.segments))[:, None])
    return Decisive(
        gap,
        gap - without,
        *_turning(patterns, protocol, gap, gap - without),
        _shift(series, patterns, protocol, gap),
    )


def _gap(patterns: Sequence[Pattern], protocol: Protocol) -> float:
    first, second = (evaluate_pattern(each, [protocol])[0].f1 for each in patterns)
    return first - second


def _gaps_without(
    patterns: Sequence[Pattern], protocol: Protocol, left_out: IntArray
) -> FloatArray:
    """Return the gap for each row of ``left_out``, which lists the segments to leave out."""
    first, second = (_f1_without(each, protocol, left_out) for each in patterns)
    return first - second


def _f1_without(pattern: Pattern, protocol: Protocol, left_out: IntArray) -> FloatArray:
    found = pattern.found
    tally = protocol.tally(found, protocol.credit(found))
    wanted = np.asarray(protocol.wanted(found.lengths), dtype=np.float64)

    def rest(amounts: FloatArray) -> FloatArray:
        kept: FloatArray = amounts.sum() - amounts[left_out].sum(axis=1)
        return kept

    earned = rest(tally.earned)
    claimed = earned if tally.claimed is None else rest(np.asarray(tally.claimed))
    return Counts(
        earned,
        claimed + pattern.false_alarms(protocol),
        rest(wanted),
        None if tally.found is None else rest(tally.found),
        *((pattern.normal - pattern.false_positives, pattern.normal) if protocol.corrects else ()),
    ).fbeta()


def _turning(
    patterns: Sequence[Pattern], protocol: Protocol, gap: float, shares: FloatArray
) -> tuple[tuple[int, ...] | None, int]:
    """Return segments whose removal reverses the order, and the size up to which all were tried."""
    if abs(gap) <= SAME:
        return None, 0
    tried, seen = 0, 0
    for size in range(1, shares.size):
        seen += comb(shares.size, size)
        if seen > MOST_SETS:
            break
        sets = np.array(list(combinations(range(shares.size), size)))
        left = _gaps_without(patterns, protocol, sets) * np.sign(gap)
        tried = size
        if left.min() < -SAME:
            return tuple(sets[np.argmin(left)].tolist()), tried
    order = np.argsort(-shares * np.sign(gap), kind="stable")
    for size in range(tried + 1, order.size):
        chosen = order[:size]
        if _gaps_without(patterns, protocol, chosen[None, :])[0] * np.sign(gap) < -SAME:
            return tuple(chosen.tolist()), tried
    return None, tried


def _shift(
    series: Series, patterns: Sequence[Pattern], protocol: Protocol, gap: float
) -> int | None:
    """Shift the onsets further and further, later and earlier, until the order reverses."""
    if abs(gap) <= SAME:
        return None
    for far in range(1, FARTHEST + 1):
        for shift in (far, -far):
            onset = Onset(shift)
            moved = [
                make_pattern(each.labels, each.detections, series.rows, onset) for each in patterns
            ]
            if _gap(moved, protocol) * np.sign(gap) < -SAME:
                return shift
    return None
