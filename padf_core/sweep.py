"""Labels and scores in, every threshold at once out, exactly.

The scores are sorted once: the normal ones by themselves, which gives the false alarms of any
threshold, and the anomalous ones with their segment and delay, which gives the credit. A protocol
only says how much credit each anomalous point adds when the threshold falls to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from padf_core.checks import (
    FloatArray,
    IntArray,
    NumberArray,
    check_binary,
    check_same_length,
    check_scores,
    frozen,
)
from padf_core.measures import fbeta_of, precision_of, recall_of
from padf_core.protocols import PointAdjust, Protocol, check_protocol, check_protocols
from padf_core.segments import SegmentScores, runs_of


@dataclass(frozen=True)
class BestPoint:
    """The threshold with the highest F1 under a protocol (the highest such threshold)."""

    protocol: Protocol
    threshold: float
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, eq=False)
class Sweep:
    """One protocol at every distinct threshold, from the highest to the lowest.

    A point is a detection when ``score >= threshold``; every distinct score is a threshold.
    """

    protocol: Protocol
    thresholds: NumberArray
    true_positives: FloatArray
    false_positives: IntArray
    claimed: FloatArray
    anomalous: int
    normal: int

    @cached_property
    def precision(self) -> FloatArray:
        """Precision at each threshold."""
        return frozen(precision_of(self.true_positives, self.claimed))

    @cached_property
    def recall(self) -> FloatArray:
        """Recall at each threshold."""
        return frozen(recall_of(self.true_positives, self.anomalous))

    @cached_property
    def f1(self) -> FloatArray:
        """F1 at each threshold."""
        return frozen(self.fbeta(1.0))

    def fbeta(self, beta: float) -> FloatArray:
        """Return F-beta at each threshold."""
        return fbeta_of(self.true_positives, self.claimed, self.anomalous, beta)

    @cached_property
    def best(self) -> BestPoint:
        """The threshold with the highest F1."""
        at = int(np.argmax(self.f1))
        return _best_point(
            self.protocol,
            self.thresholds[at],
            self.true_positives[at],
            self.claimed[at],
            self.anomalous,
        )

    @cached_property
    def average_precision(self) -> float:
        """Sum of precision times the step in recall, thresholds falling from none detected."""
        return float(np.diff(self.recall, prepend=0.0) @ self.precision)

    @cached_property
    def roc_auc(self) -> float:
        """Area under recall over the false alarm rate; NaN unless both kinds of point exist."""
        if not self.anomalous or not self.normal:
            return float("nan")
        alarm_rate = np.concatenate(([0.0], self.false_positives / self.normal))
        return float(np.trapezoid(np.concatenate(([0.0], self.recall)), alarm_rate))


class RankedScores:
    """Labels and scores after the one sort that every protocol and parameter can share."""

    def __init__(self, labels: object, scores: object) -> None:
        truth = check_binary("labels", labels)
        values = check_scores("scores", scores)
        check_same_length("labels", truth, "scores", values)
        self.normal_scores = np.sort(values[~truth])
        self.inside = SegmentScores(runs_of(truth), values[truth])

    @property
    def anomalous(self) -> int:
        """Number of points with label 1."""
        return int(self.inside.scores.size)

    @property
    def normal(self) -> int:
        """Number of points with label 0."""
        return int(self.normal_scores.size)

    @cached_property
    def _false_positives(self) -> IntArray:
        """False alarms when the threshold is at each anomalous score."""
        ascending = self.inside.scores[::-1]
        return (self.normal - np.searchsorted(self.normal_scores, ascending))[::-1]

    @cached_property
    def _detected_points(self) -> FloatArray:
        return np.cumsum(PointAdjust().gains(self.inside))

    def _steps(self, protocol: Protocol) -> tuple[FloatArray, FloatArray]:
        """Credit, and what it is divided by beside false alarms, at each anomalous score."""
        detected = self._detected_points
        credit = np.minimum(np.cumsum(check_protocol(protocol).gains(self.inside)), detected)
        return credit, detected if protocol.counts_detected_points else credit

    def best(self, protocol: Protocol) -> BestPoint:
        """Return the threshold with the highest F1.

        It is one of the anomalous scores: just above one, only false alarms can have been added.
        """
        credit, covered = self._steps(protocol)
        if not self.anomalous:
            return BestPoint(protocol, self.normal_scores[-1].item(), 0.0, 0.0, 0.0)
        claimed = covered + self._false_positives
        f1 = fbeta_of(credit, claimed, self.anomalous)
        at = int(np.argmax(np.where(self.inside.is_last_of_ties, f1, -1.0)))
        return _best_point(
            protocol, self.inside.scores[at], credit[at], claimed[at], self.anomalous
        )

    def sweep(self, protocol: Protocol) -> Sweep:
        """Return precision, recall and F1 at every distinct threshold."""
        return self._sweep(protocol, self._thresholds, *self._counts)

    def at(self, thresholds: npt.ArrayLike, protocol: Protocol) -> Sweep:
        """Return precision, recall and F1 at these thresholds, exactly; they must fall.

        >>> from padf_core import PointAdjust
        >>> ranked = rank_scores([0, 1, 1, 0], [0.1, 0.4, 0.2, 0.3])
        >>> ranked.at([0.5, 0.35, 0.25], PointAdjust()).f1.tolist()
        [0.0, 1.0, 0.8]
        """
        wanted = check_scores("thresholds", thresholds)
        if (wanted[1:] >= wanted[:-1]).any():
            raise ValueError("thresholds must fall")
        return self._sweep(protocol, frozen(wanted), *self._counts_at(wanted))

    def corners(self, protocol: Protocol) -> Sweep:
        """Return the sweep at the anomalous scores, and at the normal ones just above them.

        Between these, only false alarms are added, one like the other. The areas are those of the
        whole sweep, with an array no longer than twice the anomalous points.
        """
        return self._sweep(protocol, self._corners, *self._counts_at(self._corners))

    @cached_property
    def _corners(self) -> NumberArray:
        own = self.inside.scores[self.inside.is_last_of_ties]
        above = np.searchsorted(self.normal_scores, own, side="right")
        just_above = self.normal_scores[above[above < self.normal]]
        return frozen(np.unique(np.concatenate((own, just_above, self.normal_scores[:1])))[::-1])

    def _sweep(
        self,
        protocol: Protocol,
        thresholds: NumberArray,
        hits: IntArray,
        false_positives: IntArray,
    ) -> Sweep:
        credit, covered = (np.concatenate(([0.0], steps))[hits] for steps in self._steps(protocol))
        return Sweep(
            protocol=protocol,
            thresholds=thresholds,
            true_positives=frozen(credit),
            false_positives=false_positives,
            claimed=frozen(covered + false_positives),
            anomalous=self.anomalous,
            normal=self.normal,
        )

    @cached_property
    def _thresholds(self) -> NumberArray:
        ascending = np.sort(np.concatenate((self.normal_scores, self.inside.scores)))
        is_new = np.ones(ascending.size, dtype=np.bool_)
        np.not_equal(ascending[1:], ascending[:-1], out=is_new[1:])
        return frozen(ascending[is_new][::-1])

    @cached_property
    def _counts(self) -> tuple[IntArray, IntArray]:
        """Anomalous and normal points at or above each threshold."""
        return self._counts_at(self._thresholds)

    def _counts_at(self, thresholds: NumberArray) -> tuple[IntArray, IntArray]:
        ascending = thresholds[::-1]
        hits = self.anomalous - np.searchsorted(self.inside.scores[::-1], ascending)
        alarms = self.normal - np.searchsorted(self.normal_scores, ascending)
        return frozen(hits[::-1]), frozen(alarms[::-1])


def rank_scores(labels: object, scores: object) -> RankedScores:
    """Sort once; then ask for sweeps and best points under any number of protocols.

    >>> from padf_core import PointAdjust, Pointwise
    >>> ranked = rank_scores([0, 1, 1, 0], [0.1, 0.4, 0.2, 0.3])
    >>> ranked.best(PointAdjust()).f1
    1.0
    >>> ranked.sweep(Pointwise()).f1.round(3).tolist()
    [0.667, 0.5, 0.8, 0.667]
    """
    return RankedScores(labels, scores)


def sweep(labels: object, scores: object, protocol: Protocol) -> Sweep:
    """Evaluate one protocol at every distinct threshold, exactly.

    >>> from padf_core import PointAdjust
    >>> s = sweep([0, 1, 1, 0], [0.1, 0.4, 0.2, 0.3], PointAdjust())
    >>> s.thresholds.tolist()
    [0.4, 0.3, 0.2, 0.1]
    >>> s.best.threshold, s.best.f1
    (0.4, 1.0)
    """
    return rank_scores(labels, scores).sweep(protocol)


def best_f1(labels: object, scores: object, protocols: Sequence[Protocol]) -> list[BestPoint]:
    """Find each protocol's best threshold, with one sort for all.

    >>> from padf_core import PointAdjust, Pointwise
    >>> [b.f1 for b in best_f1([0, 1, 1, 0], [0.1, 0.4, 0.2, 0.3], [Pointwise(), PointAdjust()])]
    [0.8, 1.0]
    """
    listed = check_protocols(protocols)
    ranked = rank_scores(labels, scores)
    return [ranked.best(protocol) for protocol in listed]


def _best_point(
    protocol: Protocol, threshold: np.generic, credit: float, claimed: float, anomalous: int
) -> BestPoint:
    return BestPoint(
        protocol=protocol,
        threshold=threshold.item(),
        precision=float(precision_of(credit, claimed)),
        recall=float(recall_of(credit, anomalous)),
        f1=float(fbeta_of(credit, claimed, anomalous)),
    )
