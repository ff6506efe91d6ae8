"""Whether a detector knows when incidents happen: its scores against themselves, moved in time.

Scores are moved round in time: what leaves a series at its end comes in again at its beginning.
Their values and runs stay, and only what they know of the incidents is lost. A detector
that does no better than most of its moved copies knows nothing of the incidents, whatever the
protocol. Independent scores for each point would be no fair comparison: scores of real detectors
change slowly, and many tests would then find knowledge where there is none.
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
"""Scores that differ by less, relatively, are the same."""

SHIFTS = 199
"""How many moved copies are tried."""
FEWEST_SHIFTS = 19
"""With fewer copies no p-value could be 5 %."""
MOST_MOVED = 20_000_000
"""Fewer copies are tried where all of them together would have more rows than this."""

SHIFT_NULL = "the scores are unrelated to the times of the incidents"
INDEPENDENT_NULL = "the scores of all points are independent draws from one distribution"

EXACT_STATES = 1_000_000
"""So many states an exact p-value may take: units times false alarms."""


@dataclass(frozen=True)
class PValue:
    """How likely a score is under a null hypothesis, exactly or from simulated runs."""

    value: float
    runs: int
    """How many runs it is from; 0 where it is exact."""
    null: str = SHIFT_NULL
    """The null hypothesis in words."""

    @property
    def error(self) -> float:
        """The standard error of the simulation."""
        return float(np.sqrt(self.value * (1 - self.value) / self.runs)) if self.runs else 0.0

    @property
    def cell(self) -> str:
        """The value for a table cell: with its standard error, its lower limit, or "exact".

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
        """The value for a sentence.

        >>> PValue(1 / 200, 199).text, PValue(0.25, 199).text, PValue(1.0, 199).text
        ('p ≤ 0.005', 'p = 0.25 ± 0.03', 'p = 1')
        """
        return f"p {self.cell}" if self.cell.startswith("≤") else f"p = {self.cell}"


def p_value(drawn_f1: Sequence[float] | FloatArray, f1: float, null: str = SHIFT_NULL) -> PValue:
    """Return the share of runs that reach a score, the score itself counted among them.

    >>> p_value([0.1, 0.2, 0.3], 0.25).value
    0.5
    """
    runs = np.asarray(drawn_f1, dtype=np.float64)
    reached = int(np.count_nonzero(runs >= f1 * (1 - SAME)))
    return PValue((1 + reached) / (1 + runs.size), int(runs.size), null)


def count_shifts(rows: int, detectors: int = 1, most: int = SHIFTS) -> int:
    """Return how many copies of each detector can be tried within a few seconds.

    >>> count_shifts(10_000), count_shifts(200_000), count_shifts(10_000_000)
    (199, 100, 19)
    """
    return int(np.clip(MOST_MOVED // max(1, rows * detectors), min(FEWEST_SHIFTS, most), most))


class MovedScores:
    """Copies of a detector's scores, each moved round in time by amounts of its own.

    Every series is moved by itself. Ignored rows keep their scores, and the others move on among
    themselves.
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
        """The number of each anomalous point."""

    @property
    def lengths(self) -> IntArray:
        """How many rows each series has that can move."""
        return np.diff(self._edges)

    def amounts(self, count: int, seed: int = 0) -> list[IntArray]:
        """Return by how much each of so many copies moves each series; none is the original.

        Where there are no more ways to move the scores than that, it is all of them.
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
        """Say whether there are no more ways to move the scores than this."""
        return float(np.log(self.lengths).sum()) <= log(count + 1) + 1e-9

    def values(self, amounts: IntArray) -> NumberArray:
        """Return the scores, moved by these numbers of rows in each series."""
        values = self._scores.copy()
        values[self._targets(amounts)] = self._scores[self._places]
        return values

    def _targets(self, amounts: IntArray, places: IntArray | None = None) -> IntArray:
        """Return the row to which each score that can move goes, or each of some of them."""
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
        """Return the copy that has moved each series by these numbers of rows."""
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
    """Return how many of a detector's copies, moved in time, reach its F1 under each protocol.

    ``f1`` is what the detector itself has. Every copy chooses its threshold as the detector did:
    the best under each protocol; with ``threshold`` a protocol, the best under that one; with a
    number no copy chooses, and all are judged at this, as are alarms.

    Examples
    --------
    A spike at the incident and nothing elsewhere: none of the 39 other places is as good.

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
    """Return how likely independent scores reach F1 at their best threshold, where that is closed.

    It is for point-wise, and for PA when all segments are equally long. Lowering the threshold is
    drawing points one by one; what counts next is a unit that is not yet found (a point, or any
    point of a segment) or one of the ``normal`` points. F1 can only rise with a unit, so all that
    matters is how many false alarms there were when each unit came. None where it is not closed, or
    would take too long.

    Scores of real detectors change slowly. They are not independent, and this p-value is then far
    too small: see `shift_test`.

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
    # With more false alarms than this even all units together would not reach it.
    most = min(normal, int(2 * units * size * (1 / wanted - 1)))
    if units * (most + 1) > EXACT_STATES:
        return None
    wrong = np.arange(most + 1)
    with np.errstate(divide="ignore"):
        here = np.where(wrong == 0, 0.0, -np.inf)
        crossed = 0.0
        for found in range(units):
            left = (units - found) * size
            # The chance that the next that counts is a unit, after so many false alarms.
            hit = np.log(left) - np.log(left + normal - wrong)
            miss = np.log(normal - wrong) - np.log(left + normal - wrong)
            passed = np.concatenate(([0.0], np.cumsum(miss[:-1])))
            here = np.logaddexp.accumulate(here - passed) + passed + hit
            earned = size * (found + 1)
            reaches = 2 * earned >= wanted * (earned + wrong + units * size)
            crossed += float(np.exp(here[reaches]).sum())
            here = np.where(reaches, -np.inf, here)
    return PValue(min(crossed, 1.0), 0, INDEPENDENT_NULL)
