"""F1 under each protocol as scikit-learn style functions, for use in make_scorer.

As in scikit-learn, ``zero_division`` is the result if F1 would be 0/0, without anomalies and
alarms.
"""

from __future__ import annotations

import numpy.typing as npt

from padf_core.metrics.decays import DecayFunction, ExponentialDecay
from padf_core.metrics.evaluation import evaluate
from padf_core.metrics.protocols import (
    PointAdjust,
    PointAdjustDecay,
    PointAdjustK,
    PrecisionConvention,
    Protocol,
)
from padf_core.metrics.renamed import renamed


def pa_f1_score(
    y_true: npt.ArrayLike, y_pred: npt.ArrayLike, *, beta: float = 1.0, zero_division: float = 0.0
) -> float:
    """Return F1 (or F-beta) under PA, for use as a scikit-learn metric.

    Parameters
    ----------
    y_true : array_like of 0 and 1
        The ground-truth labels.
    y_pred : array_like of 0 and 1
        The detections.
    beta : float
        The weight of recall; 1 is F1.
    zero_division : {0, 1, nan}
        The score if there are neither anomalies nor alarms.

    Returns
    -------
    float
        The score.

    Raises
    ------
    ValueError
        If an argument is invalid. The message names the argument, the row and the value.

    Examples
    --------
    >>> pa_f1_score([0, 1, 1, 0], [0, 0, 1, 0])
    1.0
    """
    return _score(y_true, y_pred, PointAdjust(), beta, zero_division)


@renamed("below_one", "fractional_percent")
def pa_k_f1_score(
    y_true: npt.ArrayLike,
    y_pred: npt.ArrayLike,
    *,
    k: float = 20,
    inclusive: bool = False,
    fractional_percent: bool = False,
    beta: float = 1.0,
    zero_division: float = 0.0,
) -> float:
    """Return F1 (or F-beta) under PA%K, for use as a scikit-learn metric.

    Parameters
    ----------
    y_true : array_like of 0 and 1
        The ground-truth labels.
    y_pred : array_like of 0 and 1
        The detections.
    k : float
        A segment is adjusted if more than this percentage of it was detected.
    inclusive : bool
        Whether exactly K % is enough.
    fractional_percent : bool
        Allow a ``k`` below 1 percent.
    beta : float
        The weight of recall; 1 is F1.
    zero_division : {0, 1, nan}
        The score if there are neither anomalies nor alarms.

    Returns
    -------
    float
        The score.

    Raises
    ------
    ValueError
        If an argument is invalid. The message names the argument, the row and the value.

    Examples
    --------
    >>> round(pa_k_f1_score([0, 1, 1, 0], [0, 0, 1, 0], k=50), 3)
    0.667
    """
    protocol = PointAdjustK(k, inclusive, fractional_percent)
    return _score(y_true, y_pred, protocol, beta, zero_division)


@renamed("precision", "convention")
def padf_f1_score(
    y_true: npt.ArrayLike,
    y_pred: npt.ArrayLike,
    *,
    d: float = 0.9,
    decay: DecayFunction | None = None,
    convention: PrecisionConvention = "tables",
    beta: float = 1.0,
    zero_division: float = 0.0,
) -> float:
    """Return F1 (or F-beta) under PAdf, for use as a scikit-learn metric.

    Parameters
    ----------
    y_true : array_like of 0 and 1
        The ground-truth labels.
    y_pred : array_like of 0 and 1
        The detections.
    d : float
        The decay rate: each step of delay keeps this share of the credit.
    decay : callable, optional
        A decay function, instead of ``d``.
    convention : {"tables", "equations"}
        The denominator of precision; see `PointAdjustDecay`.
    beta : float
        The weight of recall; 1 is F1.
    zero_division : {0, 1, nan}
        The score if there are neither anomalies nor alarms.

    Returns
    -------
    float
        The score.

    Raises
    ------
    ValueError
        If an argument is invalid. The message names the argument, the row and the value.

    Examples
    --------
    >>> round(padf_f1_score([0, 1, 1, 0], [0, 0, 1, 0]), 3)
    0.947
    """
    shape = ExponentialDecay(d) if decay is None else decay
    return _score(y_true, y_pred, PointAdjustDecay(shape, convention), beta, zero_division)


def _score(
    y_true: npt.ArrayLike,
    y_pred: npt.ArrayLike,
    protocol: Protocol,
    beta: float,
    zero_division: float,
) -> float:
    """Return the score, or ``zero_division`` if there are neither anomalies nor alarms."""
    if not (zero_division != zero_division or zero_division in (0, 1)):
        raise ValueError(f"zero_division must be 0, 1 or NaN; got {zero_division!r}")
    result = evaluate(y_true, y_pred, protocol)
    if result.wanted == 0 and result.claimed == 0:
        return float(zero_division)
    return result.fbeta(beta)
