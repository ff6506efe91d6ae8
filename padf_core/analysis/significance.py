"""Test whether a detector's scores are related to the times of incidents.

Scores are shifted circularly in time: values that leave a series at its end enter again at its
start. A shift keeps the values and their order and destroys only their relation to the incidents. A
detector that scores no better than most of its shifted copies shows no relation to the incidents,
under any protocol. Independent random scores would not be a fair comparison. Scores of real
detectors change slowly, so many tests against independent scores would give false positives.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import log

import numpy as np

from padf_core.metrics.checks import (
    BoolArray,
    FloatArray,
    IntArray,
    NumberArray,
    Progress,
    check_number,
    no_progress,
)
from padf_core.metrics.protocols import PointAdjust, Pointwise, Protocol
from padf_core.metrics.ranked_scores import RankedScores
from padf_core.metrics.rows import Rows
from padf_core.metrics.segments import SegmentScores

SAME = 1e-12
"""Relative difference below which scores are equal."""

SHIFTS = 199
"""Default number of shifted copies."""
FEWEST_SHIFTS = 19
"""With fewer copies, no p-value could reach 5 %."""
MOST_MOVED = 20_000_000
"""Fewer copies are used if all of them together would have more rows than this."""

SHIFT_NULL = "the scores are unrelated to the times of the incidents"
INDEPENDENT_NULL = "the scores of all points are independent draws from one distribution"

EXACT_STATES = 1_000_000
"""Maximum number of states of an exact p-value: units times false alarms."""


@dataclass(frozen=True)
class PValue:
    """The p-value of a score under a null hypothesis, exact or simulated."""

    value: float
    runs: int
    """Number of simulated runs; 0 if the value is exact."""
    null: str = SHIFT_NULL
    """The null hypothesis as text."""

    @property
    def error(self) -> float:
        """The standard error of the simulation."""
        return float(np.sqrt(self.value * (1 - self.value) / self.runs)) if self.runs else 0.0

    @property
    def cell(self) -> str:
        """The value for a table cell: with its standard error, as an upper bound, or marked exact.

        >>> PValue(1 / 200, 199).cell, PValue(0.25, 199).cell, PValue(0.125, 0).cell
        ('≤ 0.005', '0.25 ± 0.03', '0.12, exact')
        """
        if not self.runs:
            return f"{self.value:.2g}, exact"
        if self.value <= 1 / (self.runs + 1):
            return f"≤ {self.value:.2g}"
        return f"{self.value:.2g} ± {self.error:.1g}" if self.error else "1"

    @property
    def text(self) -> str:
        """The value for use in a sentence.

        >>> PValue(1 / 200, 199).text, PValue(0.25, 199).text, PValue(1.0, 199).text
        ('p ≤ 0.005', 'p = 0.25 ± 0.03', 'p = 1')
        """
        return f"p {self.cell}" if self.cell.startswith("≤") else f"p = {self.cell}"


def p_value(drawn_f1: Sequence[float] | FloatArray, f1: float, null: str = SHIFT_NULL) -> PValue:
    """Return the share of runs that reach a score, counting the score itself as one run.

    >>> p_value([0.1, 0.2, 0.3], 0.25).value
    0.5
    """
    runs = np.asarray(drawn_f1, dtype=np.float64)
    reached = int(np.count_nonzero(runs >= f1 * (1 - SAME)))
    return PValue((1 + reached) / (1 + runs.size), int(runs.size), null)


def count_shifts(rows: int, detectors: int = 1, most: int = SHIFTS) -> int:
    """Return how many copies of each detector can be scored within a few seconds.

    >>> count_shifts(10_000), count_shifts(200_000), count_shifts(10_000_000)
    (199, 100, 19)
    """
    return int(np.clip(MOST_MOVED // max(1, rows * detectors), min(FEWEST_SHIFTS, most), most))


class MovedScores:
    """Copies of a detector's scores, shifted circularly in time.

    Every series is shifted on its own. Ignored rows keep their scores, and the other scores shift
    among the other rows.
    """

    def __init__(self, labels: BoolArray, scores: NumberArray, rows: Rows) -> None:
        self._labels, self._rows = rows.label(labels)
        self._scores = scores
        size = labels.size
        watched = rows.watched
        self._places = np.arange(size) if watched is None else np.flatnonzero(watched)
        begins = np.zeros(1, dtype=np.int64)
        if rows.begins is not None:
            firsts = np.flatnonzero(rows.begins)
            begins = np.unique(np.append(begins, np.searchsorted(self._places, firsts)))
        self._edges = np.append(begins[begins < self._places.size], self._places.size)
        moving = scores[self._places]
        self._order = np.argsort(moving)[::-1]
        self._sorted = moving[self._order]
        self._segments = self._rows.segments(self._labels)
        self._counted = np.cumsum(self._labels) - 1
        """Index of each anomalous point among the anomalous points."""

    @property
    def lengths(self) -> IntArray:
        """Number of rows of each series that can be shifted."""
        return np.diff(self._edges)

    def amounts(self, count: int, seed: int = 0) -> list[IntArray]:
        """Return the shift of each series for each copy, without the original.

        If there are at most ``count`` possible shifts, all of them are returned.
        """
        lengths = self.lengths
        if self.can_try_all(count):
            return [np.array(by) for by in product(*map(range, lengths.tolist())) if any(by)]
        rng = np.random.default_rng([seed, 0])
        if lengths.size == 1:
            chosen = 1 + rng.choice(int(lengths[0]) - 1, size=count, replace=False)
            return [np.array([by]) for by in chosen.tolist()]
        drawn: list[IntArray] = []
        while len(drawn) < count:
            by = rng.integers(lengths)
            if by.any():
                drawn.append(by)
        return drawn

    def can_try_all(self, count: int) -> bool:
        """Return whether there are at most ``count`` possible shifts."""
        return float(np.log(self.lengths).sum()) <= log(count + 1) + 1e-9

    def values(self, amounts: IntArray) -> NumberArray:
        """Return the scores, shifted by these numbers of rows in each series."""
        values = self._scores.copy()
        values[self._targets(amounts)] = self._scores[self._places]
        return values

    def _targets(self, amounts: IntArray, places: IntArray | None = None) -> IntArray:
        """Return the target row of each score that can be shifted, or of some of them."""
        here = np.arange(self._places.size) if places is None else places
        if amounts.size == 1:
            moved = here + amounts[0]
            moved[moved >= self._places.size] -= self._places.size
        else:
            which = np.searchsorted(self._edges, here, side="right") - 1
            first = self._edges[which]
            moved = first + (here - first + amounts[which]) % self.lengths[which]
        rows: IntArray = moved
        return rows if self._places.size == self._labels.size else self._places[rows]

    def moved(self, amounts: IntArray) -> RankedScores:
        """Return the sorted scores of the copy shifted by these numbers of rows."""
        values = self.values(amounts)
        if self._rows.early is not None:
            return RankedScores(self._labels, values, self._rows, keeps=False)
        rows = self._targets(amounts, self._order)
        is_anomalous = self._labels[rows]
        inside = SegmentScores(
            self._segments,
            values[self._labels],
            self._rows.timing,
            self._counted[rows[is_anomalous]],
        )
        normal = self._sorted[~is_anomalous][::-1]
        return RankedScores.of_sorted(values, self._labels, self._rows, normal, inside)


def chosen_threshold(ranked: RankedScores, chosen: float | Protocol | None) -> float | None:
    """Return the threshold: a given number, or the best one under a protocol.

    None stands for the best threshold of each protocol.
    """
    return ranked.best(chosen).threshold if isinstance(chosen, Protocol) else chosen


def shift_test(
    labels: BoolArray,
    scores: NumberArray,
    rows: Rows,
    protocols: Sequence[Protocol],
    f1: Sequence[float],
    *,
    threshold: float | Protocol | None = None,
    shifts: int | None = None,
    seed: int = 0,
    progress: Progress = no_progress,
) -> list[PValue]:
    """Test, per protocol, how many time-shifted copies of a detector reach its F1.

    ``f1`` is the detector's own F1 under each protocol. Every copy chooses its threshold in the
    same way as the detector. By default that is the best one under each protocol. If ``threshold``
    is a protocol, it is the best one under that protocol. If it is a number, all copies are judged
    at this threshold.

    Examples
    --------
    The detector has one spike, at the incident. None of the 39 other positions scores as high.

    >>> labels = np.arange(40) == 20
    >>> found = shift_test(labels, labels * 1.0, Rows(), [PointAdjust()], [1.0])
    >>> found[0].value, found[0].text
    (0.025, 'p = 0.025, exact')
    """
    asked = count_shifts(labels.size) if shifts is None else shifts
    count = int(check_number("shifts", asked, lambda x: 1 <= x <= 100_000, "from 1 to 100,000"))
    moved = MovedScores(labels, scores, rows)
    amounts = moved.amounts(count, seed)
    reached = np.zeros(len(protocols), dtype=np.int64)
    for done, by in enumerate(amounts, start=1):
        ranked = moved.moved(by)
        at = chosen_threshold(ranked, threshold)
        for place, protocol in enumerate(protocols):
            point = ranked.best(protocol) if at is None else ranked.point(at, protocol)
            reached[place] += point.f1 >= f1[place] * (1 - SAME)
        progress(done / len(amounts))
    runs = 0 if moved.can_try_all(count) else len(amounts)
    return [PValue((1 + hits) / (1 + len(amounts)), runs) for hits in reached.tolist()]


def independent_p_value(
    f1: float, protocol: Protocol, lengths: IntArray, normal: int
) -> PValue | None:
    """Return the p-value of an F1 under independent scores, where it can be computed exactly.

    This covers point-wise, and PA if all segments have the same length. Lowering the threshold
    draws points one by one. What matters next is a unit not found yet (a point, or any point of a
    segment) or one of the ``normal`` points. F1 only rises with a unit, so only the number of false
    alarms before each unit matters. None if it cannot be computed exactly or would take too long.

    Scores of real detectors change slowly and are not independent. This p-value is then far too
    small; see `shift_test`.

    >>> one_of_three = independent_p_value(1.0, Pointwise(), np.array([1]), 2)
    >>> one_of_three.value, one_of_three.text
    (0.3333333333333333, 'p = 0.33, exact')
    """
    if isinstance(protocol, Pointwise):
        units, size = int(lengths.sum()), 1
    elif isinstance(protocol, PointAdjust) and lengths.size and (lengths == lengths[0]).all():
        units, size = int(lengths.size), int(lengths[0])
    else:
        return None
    if f1 <= 0:
        return PValue(1.0, 0, INDEPENDENT_NULL)
    wanted = f1 * (1 - SAME)
    # With more false alarms, even all units together would not reach this F1.
    most = min(normal, int(2 * units * size * (1 / wanted - 1)))
    if units * (most + 1) > EXACT_STATES:
        return None
    wrong = np.arange(most + 1)
    with np.errstate(divide="ignore"):
        here = np.where(wrong == 0, 0.0, -np.inf)
        crossed = 0.0
        for found in range(units):
            left = (units - found) * size
            # Log-probability that the next draw is a unit, given the number of false alarms so far.
            hit = np.log(left) - np.log(left + normal - wrong)
            miss = np.log(normal - wrong) - np.log(left + normal - wrong)
            passed = np.concatenate(([0.0], np.cumsum(miss[:-1])))
            here = np.logaddexp.accumulate(here - passed) + passed + hit
            earned = size * (found + 1)
            reaches = 2 * earned >= wanted * (earned + wrong + units * size)
            crossed += float(np.exp(here[reaches]).sum())
            here = np.where(reaches, -np.inf, here)
    return PValue(min(crossed, 1.0), 0, INDEPENDENT_NULL)
