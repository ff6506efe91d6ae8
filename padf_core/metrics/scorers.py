"""The protocols' F1 as functions shaped like those of scikit-learn, for use in make_scorer."""

from __future__ import annotations

from padf_core.metrics.decay import DecayFunction, ExponentialDecay
from padf_core.metrics.evaluation import evaluate
from padf_core.metrics.protocols import (
    PointAdjust,
    PointAdjustDecay,
    PointAdjustK,
    PrecisionConvention,
    Protocol,
)


def pa_f1_score(y_true: object, y_pred: object, *, beta: float = 1.0) -> float:
    """Return F1 (or F-beta) under PA.

    >>> pa_f1_score([0, 1, 1, 0], [0, 0, 1, 0])
    1.0
    """
    return _score(y_true, y_pred, PointAdjust(), beta)


def pa_k_f1_score(
    y_true: object, y_pred: object, *, k: float = 20, inclusive: bool = False, beta: float = 1.0
) -> float:
    """Return F1 (or F-beta) under PA%K.

    >>> round(pa_k_f1_score([0, 1, 1, 0], [0, 0, 1, 0], k=50), 3)
    0.667
    """
    return _score(y_true, y_pred, PointAdjustK(k, inclusive), beta)


def padf_f1_score(
    y_true: object,
    y_pred: object,
    *,
    d: float = 0.9,
    decay: DecayFunction | None = None,
    precision: PrecisionConvention = "tables",
    beta: float = 1.0,
) -> float:
    """Return F1 (or F-beta) under PAdf; ``decay``, when given, takes the place of ``d``.

    >>> round(padf_f1_score([0, 1, 1, 0], [0, 0, 1, 0]), 3)
    0.947
    """
    shape = ExponentialDecay(d) if decay is None else decay
    return _score(y_true, y_pred, PointAdjustDecay(shape, precision), beta)


def _score(y_true: object, y_pred: object, protocol: Protocol, beta: float) -> float:
    return evaluate(y_true, y_pred, protocol).fbeta(beta)
