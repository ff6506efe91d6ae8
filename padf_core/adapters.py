"""Adapters that give protocols the interfaces of other packages.

Each package is imported only when its adapter is called.

scikit-learn needs no adapter: ``make_scorer`` accepts `padf_f1_score` and the similar functions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy.typing as npt

from padf_core.metrics.evaluation import evaluate
from padf_core.metrics.protocols import Protocol
from padf_core.metrics.sweep import best_f1


def best_f1_score(protocol: Protocol) -> Callable[[npt.ArrayLike, npt.ArrayLike], float]:
    """Return a function of labels and scores that computes F1 at the protocol's best threshold.

    aeon's metrics for scores have this signature.

    >>> from padf_core import PointAdjust
    >>> best_f1_score(PointAdjust())([0, 1, 1, 0], [0.1, 0.2, 0.9, 0.3])
    1.0
    """

    def score(y_true: npt.ArrayLike, y_score: npt.ArrayLike) -> float:
        (best,) = best_f1(y_true, y_score, [protocol])
        return best.f1

    score.__name__ = f"best_f1_{protocol.key}"
    score.__doc__ = f"Return the F1 of {protocol.label} at its best threshold."
    return score


def dtaianomaly_metric(protocol: Protocol) -> Any:
    """Return F1 under a protocol as a dtaianomaly binary metric.

    dtaianomaly's ``BestThresholdMetric`` and ``ThresholdMetric`` can wrap it.
    """
    from dtaianomaly.evaluation import BinaryMetric

    class ProtocolF1(BinaryMetric):  # type: ignore[misc]
        """F1 under a protocol of padf_core."""

        def __init__(self, protocol: Protocol) -> None:
            super().__init__()
            self.protocol = protocol

        def _compute(self, y_true: Any, y_pred: Any, **_: Any) -> float:
            return evaluate(y_true, y_pred, self.protocol).f1

    return ProtocolF1(protocol)
