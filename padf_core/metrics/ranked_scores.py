"""Sort scores once, and count every threshold exactly."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from padf_core.metrics.checks import (
    BoolArray,
    FloatArray,
    FrozenArray,
    IntArray,
    NumberArray,
    check_binary,
    check_same_length,
    check_scores,
    check_threshold,
    frozen,
)
from padf_core.metrics.counts import Counts
from padf_core.metrics.evaluation import counts_of
from padf_core.metrics.onset import Onset
from padf_core.metrics.protocols import Protocol, Tally, check_protocol
from padf_core.metrics.rows import ALL, Rows
from padf_core.metrics.segments import SegmentScores
from padf_core.metrics.sweep_results import BestPoint, Sweep, first_best


class Turns(NamedTuple):
    """Scores of normal points at which runs of false alarms begin or join, both increasing.

    Lowering the threshold to a peak begins a run, and lowering it to a dip joins two runs. The
    number of runs is the number of peaks at or above the threshold, minus the dips.
    """

    peaks: NumberArray
    dips: NumberArray


class RankedScores:
    """Labels and scores after one sort, which all protocols and parameters share.

    Parameters
    ----------
    labels : array_like of 0 and 1
        The ground-truth labels, one entry per row.
    scores : array_like of float
        One score per row.
    rows : Rows, optional
        Which rows are scored, and their times.
    onset : Onset, optional
        Moves where segments begin.
    keeps : bool
        Whether the inputs are copied, so that false-alarm runs can be counted later.

    Examples
    --------
    >>> from padf_core import PointAdjust
    >>> RankedScores([0, 1, 1, 0], [0.1, 0.4, 0.2, 0.3]).best(PointAdjust()).f1
    1.0
    """

    def __init__(
        self,
        labels: npt.ArrayLike,
        scores: npt.ArrayLike,
        rows: Rows = ALL,
        onset: Onset | None = None,
        *,
        keeps: bool = True,
    ) -> None:
        truth, rows = rows.label(check_binary("labels", labels))
        values = check_scores("scores", scores)
        check_same_length("labels", truth, "scores", values)
        if onset is not None:
            truth, rows = onset.move(truth, rows)[:2]
        values = rows.scores(values)
        self.normal_scores = values[rows.only(~truth)]
        self.normal_scores.sort()
        self.inside = SegmentScores(rows.segments(truth), values[truth], rows.timing)
        # Runs of false alarms are counted on request. Until then the caller may change the arrays,
        # so they are copied unless the result is used at once.
        self._values = _own(values, scores) if keeps else values
        self._truth = _own(truth, labels) if keeps else truth
        self._rows = rows
        self._last_base: tuple[float, FloatArray] | None = None

    @classmethod
    def of_parts(
        cls, normal_scores: NumberArray, inside: SegmentScores, turns: Turns | None
    ) -> RankedScores:
        """Rebuild sorted scores from their parts; counting runs needs ``turns``."""
        made = cls.__new__(cls)
        made.normal_scores = normal_scores
        made.inside = inside
        made._last_base = None
        if turns is not None:
            vars(made)["turns"] = turns
        return made

    @classmethod
    def of_sorted(
        cls,
        values: NumberArray,
        truth: BoolArray,
        rows: Rows,
        normal_scores: NumberArray,
        inside: SegmentScores,
    ) -> RankedScores:
        """Return scores that are already sorted, with their sorted parts."""
        made = cls.__new__(cls)
        made.normal_scores, made.inside = normal_scores, inside
        made._values, made._truth, made._rows = values, truth, rows
        made._last_base = None
        return made

    @cached_property
    def is_binary(self) -> bool:
        """Whether the scores are detections, only 0 and 1."""
        return _is_zeros_and_ones(self.normal_scores) and _is_zeros_and_ones(
            self.inside.scores[::-1]
        )

    @property
    def anomalous(self) -> int:
        """Number of points with label 1."""
        return int(self.inside.scores.size)

    @property
    def normal(self) -> int:
        """Number of points with label 0."""
        return int(self.normal_scores.size)

    @cached_property
    def turns(self) -> Turns:
        """The scores at which runs of false alarms begin or join.

        The number of runs of flagged normal points is the number of such points, minus the pairs of
        neighbours that are both flagged. A pair is flagged at its lower score, or at its left point
        if both are equal, so it cancels that point. A point that no pair cancels is a peak. A point
        that two pairs cancel is a dip.
        """
        normal = self._rows.only(~self._truth)
        pairs = normal[1:] & normal[:-1]
        if self._rows.begins is not None:
            pairs &= ~self._rows.begins[1:]
        rises = self._values[:-1] <= self._values[1:]
        by_next, by_last = np.zeros((2, normal.size), dtype=np.bool_)
        np.logical_and(pairs, rises, out=by_next[:-1])
        np.greater(pairs, rises, out=by_last[1:])
        # Indexing by positions is faster here than by a mask.
        peaks = self._values[np.flatnonzero(normal & ~(by_next | by_last))]
        dips = self._values[np.flatnonzero(by_next & by_last)]
        peaks.sort()
        dips.sort()
        return Turns(peaks, dips)

    @cached_property
    def _normal_above(self) -> IntArray:
        """Number of flagged normal points with the threshold at each anomalous score."""
        ascending = self.inside.scores[::-1]
        return (self.normal - np.searchsorted(self.normal_scores, ascending))[::-1]

    def steps(self, protocol: Protocol) -> Tally:
        """Add up a protocol's counts as the threshold falls to each anomalous score."""
        gains = check_protocol(protocol).gains(self.inside)
        claimed, found, limit = (
            None if steps is None else self._sum(steps)
            for steps in (gains.claimed, gains.found, gains.limit)
        )
        earned = self._sum(gains.earned)
        return Tally(earned if limit is None else np.minimum(earned, limit), claimed, found)

    def _sum(self, steps: FloatArray) -> FloatArray:
        if steps is self.inside.detected_points:
            return self._detected_points
        return _running_sum(steps)

    @cached_property
    def _detected_points(self) -> FloatArray:
        return np.cumsum(self.inside.detected_points)

    def best(self, protocol: Protocol) -> BestPoint:
        """Return the threshold with the highest F1.

        It is one of the anomalous scores, because a threshold just above one can only add false
        alarms. If runs of false alarms count, a lower threshold may join two runs, so any score can
        be the best.
        """
        if not self.anomalous:
            check_protocol(protocol)
            highest = self.normal_scores[-1].item() if self.normal else float("inf")
            return self.point(highest, protocol)
        if protocol.false_alarms == "runs":
            return self._best_by_runs(protocol)
        steps = self.steps(protocol)
        inside = steps.earned if steps.claimed is None else steps.claimed
        counts = Counts(
            steps.earned, inside + self._normal_above, self.wanted(protocol), steps.found
        )
        f1 = counts.fbeta()
        at = first_best(np.where(self.inside.is_last_of_ties, f1, -1.0))
        return self.point(self.inside.scores[at].item(), protocol)

    def _best_by_runs(self, protocol: Protocol) -> BestPoint:
        """Return the best threshold if runs of false alarms count.

        As the threshold falls, F1 rises only at an anomalous score or at a dip, where two runs
        join. If it never rises above 0, the highest threshold is used.
        """
        peaks, dips = self.turns
        falling, (hits, begun, joined) = _merge(self.inside.scores[::-1], peaks, dips)
        # At a score that is only a peak, F1 cannot rise.
        is_one = np.diff(hits + joined, prepend=0) > 0
        falling, hits, wrong = falling[is_one], hits[is_one], (begun - joined)[is_one]
        points = at_or_above(self.normal_scores, falling) if protocol.corrects else wrong
        f1 = self._counts_of(protocol, hits, wrong, points).fbeta()
        if not f1.max():
            ends = (*self.normal_scores[-1:].tolist(), *self.inside.scores[:1].tolist())
            return self.point(max(ends), protocol)
        return self.point(falling[first_best(f1)].item(), protocol)

    def counts_at(self, threshold: float, protocol: Protocol) -> Counts:
        """Return the counts for precision and recall at one threshold."""
        wanted = np.array([check_threshold(threshold)])
        hits, points = (int(count[0]) for count in self._counts_at(wanted))
        wrong = points
        if protocol.false_alarms == "runs":
            wrong = int(self.false_runs(wanted)[0])
        found = self.inside.hits_at(hits, with_places=protocol.grants == "point")
        credit = protocol.credit(found)
        return counts_of(protocol, found, credit, wrong, self.normal - points, self.normal)

    def flagged(self, threshold: float) -> float:
        """Return the share of flagged points at a threshold."""
        hits, points = (int(count[0]) for count in self._counts_at(np.array([threshold])))
        return (hits + points) / max(1, self.anomalous + self.normal)

    def false_runs(self, thresholds: NumberArray) -> IntArray:
        """Return the number of runs of false alarms at each of these decreasing thresholds."""
        peaks, dips = self.turns
        return at_or_above(peaks, thresholds) - at_or_above(dips, thresholds)

    def point(self, threshold: float, protocol: Protocol) -> BestPoint:
        """Return a protocol's result at one threshold, identical to `evaluate` in every digit."""
        counts = self.counts_at(threshold, protocol)
        return BestPoint(
            protocol,
            threshold,
            float(counts.precision),
            float(counts.recall),
            float(counts.fbeta()),
            self.flagged(threshold),
        )

    def best_over(self, protocols: Sequence[Protocol]) -> list[BestPoint]:
        """Return the best threshold at many values of one protocol's parameter, from one sort."""
        if not protocols:
            return []
        kind = type(next(iter(protocols)))
        if not self.anomalous or kind.false_alarms == "runs":
            return [self.best(protocol) for protocol in protocols]
        tallies = kind.gains_over(self.inside, protocols)
        return [self._best_of(*each) for each in zip(protocols, tallies, strict=True)]

    def _best_of(self, protocol: Protocol, gains: Tally) -> BestPoint:
        """Return the best threshold, given what each point, or each of some points, adds."""
        claimed, found, limit = (
            None if steps is None else _running_sum(steps)
            for steps in (gains.claimed, gains.found, gains.limit)
        )
        earned = _running_sum(gains.earned)
        if limit is not None:
            earned = np.minimum(earned, limit)
        wrong = self._normal_above if gains.places is None else self._normal_above[gains.places]
        last = self._last_among(gains.places)
        wanted = self.wanted(protocol)
        if found is None:
            # F1 = 2 E / (wanted + claimed) is highest where E divided by the rest of the
            # denominator is.
            base = wrong + wanted if gains.places is not None else self._base(wanted)
            height = earned / (base if claimed is None else base + claimed)
        else:
            inside = earned if claimed is None else claimed
            height = Counts(earned, inside + wrong, wanted, found).fbeta()
        at = first_best(height if last is None else np.where(last, height, -1.0))
        place = at if gains.places is None else int(gains.places[at])
        here = Counts(
            float(earned[at]),
            float((earned if claimed is None else claimed)[at]) + float(wrong[at]),
            wanted,
            None if found is None else float(found[at]),
        )
        threshold = self.inside.scores[place].item()
        return BestPoint(
            protocol,
            threshold,
            float(here.precision),
            float(here.recall),
            float(here.fbeta()),
            self.flagged(threshold),
        )

    def _base(self, wanted: float) -> FloatArray:
        """Return false alarms plus wanted at each anomalous score; the last result is cached."""
        kept = self._last_base
        if kept is None or kept[0] != wanted:
            kept = (wanted, self._normal_above + np.float64(wanted))
            self._last_base = kept
        return kept[1]

    def _last_among(self, places: IntArray | None) -> BoolArray | None:
        """Return which points can be thresholds, or None if all can."""
        if places is None:
            return None if self._has_no_ties else self.inside.is_last_of_ties
        scores = self.inside.scores[places]
        last: BoolArray = np.append(scores[1:] != scores[:-1], True)
        return None if last.all() else last

    @cached_property
    def _has_no_ties(self) -> bool:
        return bool(self.inside.is_last_of_ties.all())

    def wanted(self, protocol: Protocol) -> float:
        """Return the denominator of recall."""
        return float(protocol.wanted(self.inside.lengths).sum())

    def sweep(self, protocol: Protocol) -> Sweep:
        """Return precision, recall and F1 at every distinct threshold."""
        return self._sweep(protocol, self.thresholds, *self._counts)

    def at(self, thresholds: npt.ArrayLike, protocol: Protocol) -> Sweep:
        """Return precision, recall and F1 at these decreasing thresholds, exactly.

        >>> from padf_core import PointAdjust, rank_scores
        >>> ranked = rank_scores([0, 1, 1, 0], [0.1, 0.4, 0.2, 0.3])
        >>> ranked.at([0.5, 0.35, 0.25], PointAdjust()).f1.tolist()
        [0.0, 1.0, 0.8]
        """
        wanted = check_scores("thresholds", thresholds)
        if (wanted[1:] >= wanted[:-1]).any():
            raise ValueError("thresholds must decrease")
        return self._sweep(protocol, frozen(wanted.copy()), *self._counts_at(wanted))

    def corners(self, protocol: Protocol) -> Sweep:
        """Return the sweep at the anomalous scores, and at the next higher normal scores.

        In between, each step only adds a false alarm. The areas equal those of the whole sweep, but
        the arrays are at most about twice as long as the number of anomalous points.
        """
        return self._sweep(protocol, self._corners, *self._counts_at(self._corners))

    @cached_property
    def _corners(self) -> NumberArray:
        own = self.inside.scores[self.inside.is_last_of_ties]
        above = np.searchsorted(self.normal_scores, own, side="right")
        just_above = self.normal_scores[above[above < self.normal]]
        return frozen(np.unique(np.concatenate((own, just_above, self.normal_scores[:1])))[::-1])

    def _sweep(
        self, protocol: Protocol, thresholds: NumberArray, hits: IntArray, wrong: IntArray
    ) -> Sweep:
        false_alarms = wrong
        if protocol.false_alarms == "runs":
            false_alarms = frozen(self.false_runs(thresholds))
        return Sweep(
            protocol=protocol,
            thresholds=thresholds,
            counts=self._counts_of(protocol, hits, false_alarms, wrong),
            hits=hits,
            false_points=wrong,
            false_positives=false_alarms,
            anomalous=self.anomalous,
            normal=self.normal,
        )

    def _counts_of(
        self, protocol: Protocol, hits: IntArray, false_alarms: IntArray, points: IntArray
    ) -> Counts:
        """Return a protocol's counts from the numbers of flagged anomalous and normal points."""
        steps = self.steps(protocol)
        earned, claimed, found = (
            None if amounts is None else frozen(np.concatenate(([0.0], amounts))[hits])
            for amounts in (steps.earned, steps.claimed, steps.found)
        )
        assert earned is not None
        return Counts(
            earned,
            frozen((earned if claimed is None else claimed) + false_alarms),
            self.wanted(protocol),
            found,
            *((frozen(self.normal - points), self.normal) if protocol.corrects else ()),
        )

    @cached_property
    def thresholds(self) -> NumberArray:
        """Every distinct score, in decreasing order."""
        return self._merged[0]

    @property
    def _counts(self) -> tuple[IntArray, IntArray]:
        """Numbers of anomalous and normal points at or above each threshold."""
        return self._merged[1:]

    @cached_property
    def _merged(self) -> tuple[NumberArray, IntArray, IntArray]:
        """Every distinct score, and the numbers of anomalous and normal points at or above it."""
        falling, (hits, wrong) = _merge(self.inside.scores[::-1], self.normal_scores)
        return frozen(falling), frozen(hits), frozen(wrong)

    def _counts_at(self, thresholds: NumberArray) -> tuple[IntArray, IntArray]:
        hits = at_or_above(self.inside.scores[::-1], thresholds)
        return frozen(hits), frozen(at_or_above(self.normal_scores, thresholds))


def _own(array: FrozenArray, given: object) -> FrozenArray:
    """Return an array that the caller cannot change: itself, or a copy."""
    is_theirs = array.flags.writeable and np.may_share_memory(array, np.asarray(given))
    return array.copy() if is_theirs else array


def _running_sum(steps: FloatArray) -> FloatArray:
    """Return the cumulative sum, in extended precision unless all parts are whole numbers.

    Whole numbers add up exactly in float64.
    """
    if steps.dtype.kind == "i" or (steps == np.rint(steps)).all():
        return np.cumsum(steps)
    return np.cumsum(steps, dtype=np.longdouble).astype(np.float64)


def _is_zeros_and_ones(ascending: NumberArray) -> bool:
    if not ascending.size:
        return True
    ends = {ascending[0].item(), ascending[-1].item()}
    between = np.searchsorted(ascending, 0, side="right") != np.searchsorted(ascending, 1)
    return ends <= {0, 1} and not between


def _merge(*rising: NumberArray) -> tuple[NumberArray, list[IntArray]]:
    """Return the distinct values of increasing arrays, decreasing, with each array's counts.

    A count is the number of an array's values at or above a distinct value.

    A stable sort merges sorted arrays, and its order shows which array a value came from.

    >>> falling, counts = _merge(np.array([1, 3]), np.array([2, 3, 3]))
    >>> falling.tolist(), [count.tolist() for count in counts]
    ([3, 2, 1], [[1, 1, 2], [2, 3, 3]])
    """
    every = np.concatenate(rising)
    order = np.argsort(every, kind="stable")[::-1]
    falling = every[order]
    left: IntArray = np.arange(1, every.size + 1)
    counts: list[IntArray] = []
    ends = np.cumsum([each.size for each in rising])
    for end in ends[-2::-1].tolist():
        # 32-bit sums take an eighth of the time.
        is_short = every.size < 2**31
        reached = np.cumsum(order < end, dtype=np.int32 if is_short else np.int64).astype(np.int64)
        counts.append(left - reached)
        left = reached
    counts.append(left)
    is_last = np.ones(every.size, dtype=np.bool_)
    np.not_equal(falling[1:], falling[:-1], out=is_last[:-1])
    if not is_last.all():
        falling, counts = falling[is_last], [count[is_last] for count in counts]
    return falling, counts[::-1]


def at_or_above(ascending: NumberArray, falling: NumberArray) -> IntArray:
    """Return how many of the sorted scores are at or above each of the decreasing thresholds.

    >>> at_or_above(np.array([1, 2, 2, 5]), np.array([6, 5, 2, 0])).tolist()
    [0, 1, 3, 4]
    """
    if falling.size <= 2 * ascending.size:
        return (ascending.size - np.searchsorted(ascending, falling[::-1]))[::-1]
    # With many thresholds, it is faster to count how many of them each score reaches.
    reached = np.searchsorted(falling[::-1], ascending, side="right")
    return np.cumsum(np.bincount(reached, minlength=falling.size + 1)[:0:-1])
