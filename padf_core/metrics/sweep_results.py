"""The results of a sweep over all thresholds: its best point and its curves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from padf_core.metrics.checks import FloatArray, IntArray, NumberArray, frozen
from padf_core.metrics.counts import Counts
from padf_core.metrics.frames import Plotted
from padf_core.metrics.protocols import Protocol

SAME = 1e-13
"""Relative difference below which scores are equal."""


def first_best(f1: FloatArray) -> int:
    """Return the first position of the highest F1, which is the highest of tied thresholds.

    Sums of the same credits in another order may differ in their last digits; this is not a
    difference.
    """
    return int(np.argmax(f1 >= np.max(f1) * (1 - SAME)))


@dataclass(frozen=True)
class BestPoint:
    """The threshold with the highest F1 under a protocol (the highest such threshold).

    Attributes
    ----------
    protocol : Protocol
        The protocol for which it is best.
    threshold : float
        Points with a score of at least this are flagged.
    precision, recall, f1 : float
        The scores at this threshold.
    flagged : float
        The share of flagged points.

    Examples
    --------
    >>> from padf_core import Pointwise, best_f1
    >>> best_f1([0, 1, 1, 0], [0.1, 0.4, 0.2, 0.3], [Pointwise()])[0].threshold
    0.2
    """

    protocol: Protocol
    threshold: float
    precision: float
    recall: float
    f1: float
    flagged: float = field(repr=False)
    """The share of flagged points."""

    @property
    def flags_everything(self) -> bool:
        """Whether every point is flagged, so that the detector separates nothing."""
        return self.flagged == 1


@dataclass(frozen=True, eq=False)
class Sweep(Plotted):
    """One protocol at every distinct threshold, from the highest to the lowest.

    A point is flagged if ``score >= threshold``; every distinct score is a threshold.

    Attributes
    ----------
    thresholds : ndarray
        The thresholds, decreasing.
    precision, recall, f1 : ndarray
        The scores at each threshold.
    best : BestPoint
        The threshold with the highest F1.
    average_precision, roc_auc : float
        Areas under curves, which need no threshold.

    Examples
    --------
    >>> from padf_core import PointAdjust, sweep
    >>> sweep([0, 1, 1, 0], [0.1, 0.4, 0.2, 0.3], PointAdjust()).f1.round(3).tolist()
    [1.0, 0.8, 0.8, 0.667]
    """

    protocol: Protocol
    thresholds: NumberArray
    counts: Counts
    hits: IntArray
    """Number of flagged anomalous points at each threshold."""
    false_points: IntArray
    """Number of flagged normal points at each threshold."""
    false_positives: IntArray
    """False alarms as the protocol counts them."""
    anomalous: int
    normal: int

    @property
    def true_positives(self) -> FloatArray:
        """The amount earned at each threshold."""
        return np.asarray(self.counts.earned)

    @property
    def flagged(self) -> IntArray:
        """Number of flagged points at each threshold."""
        return self.hits + self.false_points

    @cached_property
    def precision(self) -> FloatArray:
        """Precision at each threshold."""
        return frozen(self.counts.precision)

    @cached_property
    def recall(self) -> FloatArray:
        """Recall at each threshold."""
        return frozen(self.counts.recall)

    @cached_property
    def f1(self) -> FloatArray:
        """F1 at each threshold."""
        return frozen(self.fbeta(1.0))

    def fbeta(self, beta: float) -> FloatArray:
        """Return F-beta at each threshold."""
        return self.counts.fbeta(beta)

    @cached_property
    def best(self) -> BestPoint:
        """The threshold with the highest F1; infinite if no row is scored."""
        if not self.f1.size:
            return BestPoint(self.protocol, float("inf"), 0.0, 0.0, 0.0, 0.0)
        at = first_best(self.f1)
        return BestPoint(
            self.protocol,
            self.thresholds[at].item(),
            float(self.precision[at]),
            float(self.recall[at]),
            float(self.f1[at]),
            int(self.flagged[at]) / (self.anomalous + self.normal),
        )

    def columns(self) -> Mapping[str, Any]:
        return {
            "threshold": self.thresholds,
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "true_positives": self.true_positives,
            "false_positives": self.false_positives,
        }

    def axes(self) -> tuple[str, list[str]]:
        return "threshold", ["precision", "recall", "f1"]

    @cached_property
    def average_precision(self) -> float:
        """Sum of precision times the increase in recall, as thresholds fall from no detections."""
        return float(np.diff(self.recall, prepend=0.0) @ self.precision)

    @cached_property
    def roc_auc(self) -> float:
        """Area under recall over the false-alarm rate; NaN unless both labels occur."""
        if not self.anomalous or not self.normal:
            return float("nan")
        alarm_rate = np.concatenate(([0.0], self.false_points / self.normal))
        return float(np.trapezoid(np.concatenate(([0.0], self.recall)), alarm_rate))
