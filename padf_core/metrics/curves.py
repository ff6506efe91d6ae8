"""Compute F1 as a function of a protocol's parameter: K, the decay rate d, or a shift in time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from padf_core.metrics.checks import (
    BoolArray,
    FloatArray,
    NumberArray,
    check_binary,
    check_same_length,
    check_scores,
    check_whole,
    frozen,
)
from padf_core.metrics.decays import ExponentialDecay, ShapedDecay
from padf_core.metrics.evaluation import (
    Pattern,
    evaluate_pattern,
    f1_over,
    make_pattern,
    with_detections,
)
from padf_core.metrics.frames import Plotted
from padf_core.metrics.protocols import (
    PointAdjustDecay,
    PointAdjustK,
    PrecisionConvention,
    Protocol,
    check_protocols,
)
from padf_core.metrics.ranked_scores import RankedScores
from padf_core.metrics.rows import make_rows
from padf_core.metrics.sweep import rank_scores

PERCENTAGES: tuple[int, ...] = tuple(range(101))
RATES: tuple[float, ...] = tuple(step / 100 for step in range(1, 101))


@dataclass(frozen=True, eq=False)
class Curve(Plotted):
    """F1 over a parameter.

    Attributes
    ----------
    values : ndarray
        The values of the parameter.
    f1 : ndarray
        F1 at each value.
    thresholds : ndarray or None
        The threshold of each F1, if each value has its own best threshold.

    Examples
    --------
    >>> f1_over_d([0, 1, 1, 0], [0, 0, 1, 0], [0.5, 1.0]).values.tolist()
    [0.5, 1.0]
    """

    values: FloatArray
    f1: FloatArray
    thresholds: NumberArray | None = None

    @classmethod
    def of(
        cls, values: npt.ArrayLike, f1: npt.ArrayLike, thresholds: npt.ArrayLike | None = None
    ) -> Curve:
        """Build a curve from sequences of the same length."""
        places = check_scores("values", values).astype(np.float64)
        heights = np.array(f1, dtype=np.float64)
        chosen = None if thresholds is None else frozen(np.array(thresholds))
        check_same_length("values", places, "f1", heights)
        if chosen is not None:
            check_same_length("values", places, "thresholds", chosen)
        return cls(frozen(places), frozen(heights), chosen)

    def columns(self) -> Mapping[str, Any]:
        best = {} if self.thresholds is None else {"threshold": self.thresholds}
        return {"value": self.values, "f1": self.f1, **best}

    def axes(self) -> tuple[str, list[str]]:
        return "value", ["f1"]

    @cached_property
    def area(self) -> float:
        """Mean height of the curve by the trapezoidal rule; 1 is a perfect F1 everywhere."""
        width = self.values[-1] - self.values[0]
        return float(np.trapezoid(self.f1, self.values) / width) if width else float(self.f1[0])


def half_life_of(protocol: Protocol) -> float | None:
    """Return the half-life of a protocol's decay, or None if it has no known half-life."""
    if isinstance(protocol, PointAdjustDecay) and isinstance(protocol.decay, ShapedDecay):
        return protocol.decay.half_life
    return None


def area_over_half_life(curve: Curve, protocols: Sequence[Protocol]) -> float:
    """Return the mean height over the logarithm of the half-life, for values of PAdf's parameter.

    Equal factors of the half-life then get equal shares of the area: one to two minutes counts as
    much as one to two hours. Values that never decay, or decay at once, are left out.

    >>> steps = [PointAdjustDecay(ExponentialDecay(d)) for d in (0.25, 0.5, 0.5 ** 0.5, 1.0)]
    >>> curve = Curve.of([0.25, 0.5, 0.5 ** 0.5, 1.0], [0.0, 0.4, 0.8, 0.9])
    >>> round(area_over_half_life(curve, steps), 6)   # half-lives of 1/2, 1 and 2 steps
    0.4
    """
    halves = np.array([half_life_of(each) or np.nan for each in protocols])
    known = np.isfinite(halves) & (halves > 0)
    if np.unique(halves[known]).size < 2:
        return curve.area
    return Curve.of(np.log(halves[known]), curve.f1[known]).area


def f1_over_k(
    labels: npt.ArrayLike, detections: npt.ArrayLike, *, inclusive: bool = False
) -> Curve:
    """Return F1 under PA%K for K = 0, 1, ..., 100 at given detections.

    Parameters
    ----------
    labels : array_like of 0 and 1
        The ground-truth labels, one entry per row.
    detections : array_like of 0 and 1
        The detections, one entry per row.
    inclusive : bool
        Whether exactly K % is enough.

    Returns
    -------
    Curve
        F1 at each K.

    Raises
    ------
    ValueError
        If an argument is invalid. The message names the argument, the row and the value.

    Examples
    --------
    >>> curve = f1_over_k([0, 1, 1, 0], [0, 1, 0, 0])
    >>> curve.f1[[0, 49, 50]].round(3).tolist()
    [1.0, 1.0, 0.667]
    """
    return _over_parameter(labels, detections, "k", PERCENTAGES, _k_protocols(inclusive))


def f1_over_d(
    labels: npt.ArrayLike,
    detections: npt.ArrayLike,
    rates: npt.ArrayLike = RATES,
    *,
    precision: PrecisionConvention = "tables",
) -> Curve:
    """Return F1 under PAdf for each decay rate at given detections.

    Parameters
    ----------
    labels : array_like of 0 and 1
        The ground-truth labels, one entry per row.
    detections : array_like of 0 and 1
        The detections, one entry per row.
    rates : array_like of float
        Decay rates d in increasing order, each above 0 and at most 1.

    Returns
    -------
    Curve
        F1 at each rate.

    Raises
    ------
    ValueError
        If an argument is invalid. The message names the argument, the row and the value.

    Examples
    --------
    >>> f1_over_d([0, 1, 1, 0], [0, 0, 1, 0], [0.5, 1.0]).f1.round(3).tolist()
    [0.667, 1.0]
    """
    values = _rates(rates)
    steps = _d_protocols(values, precision)
    return _over_parameter(labels, detections, "decay", values, steps)


def best_f1_over_k(
    labels: npt.ArrayLike, scores: npt.ArrayLike, *, inclusive: bool = False
) -> Curve:
    """Return the best F1 over all thresholds for K = 0, 1, ..., 100, from one sort.

    Parameters
    ----------
    labels : array_like of 0 and 1
        The ground-truth labels, one entry per row.
    scores : array_like of float
        One score per row; higher means more anomalous. Scores that are all 0 or 1 are detections.
    inclusive : bool
        Whether exactly K % is enough.

    Returns
    -------
    Curve
        The best F1 at each K, with its threshold.

    Raises
    ------
    ValueError
        If an argument is invalid. The message names the argument, the row and the value.

    Examples
    --------
    >>> best_f1_over_k([0, 1, 1, 0], [0.1, 0.2, 0.4, 0.3]).f1[[0, 50]].tolist()
    [1.0, 0.8]
    """
    return best_over_parameter(rank_scores(labels, scores), PERCENTAGES, _k_protocols(inclusive))


def best_f1_over_d(
    labels: npt.ArrayLike,
    scores: npt.ArrayLike,
    rates: npt.ArrayLike = RATES,
    *,
    precision: PrecisionConvention = "tables",
) -> Curve:
    """Return the best F1 over all thresholds for each decay rate, from one sort.

    Parameters
    ----------
    labels : array_like of 0 and 1
        The ground-truth labels, one entry per row.
    scores : array_like of float
        One score per row; higher means more anomalous. Scores that are all 0 or 1 are detections.
    rates : array_like of float
        Decay rates d in increasing order, each above 0 and at most 1.

    Returns
    -------
    Curve
        The best F1 at each rate, with its threshold.

    Raises
    ------
    ValueError
        If an argument is invalid. The message names the argument, the row and the value.

    Examples
    --------
    >>> best_f1_over_d([0, 1, 1, 0], [0.1, 0.2, 0.4, 0.3], [0.5, 1.0]).f1.round(3).tolist()
    [0.8, 1.0]
    """
    values = _rates(rates)
    ranked = rank_scores(labels, scores)
    return best_over_parameter(ranked, values, _d_protocols(values, precision))


def f1_over_shift(
    labels: npt.ArrayLike,
    detections: npt.ArrayLike,
    protocols: Sequence[Protocol],
    shifts: npt.ArrayLike,
    *,
    times: npt.ArrayLike | None = None,
) -> list[Curve]:
    """Return one curve per protocol: F1 as all detections are shifted later in time.

    Parameters
    ----------
    labels : array_like of 0 and 1
        The ground-truth labels, one entry per row.
    detections : array_like of 0 and 1
        The detections, one entry per row.
    protocols : sequence of Protocol
        For example ``[Pointwise(), PointAdjust()]``.
    shifts : array_like of int
        Numbers of steps by which detections are shifted. Detections shifted out of the series are
        dropped.
    times : array_like or float, optional
        The time of each row (seconds or datetime64), or the seconds of one step. Needed for
        delays on the clock.

    Returns
    -------
    list of Curve
        One curve per protocol, in the same order.

    Raises
    ------
    ValueError
        If an argument is invalid. The message names the argument, the row and the value.

    Examples
    --------
    >>> from padf_core import PointAdjust
    >>> f1_over_shift([0, 1, 1, 0], [1, 0, 0, 0], [PointAdjust()], [0, 1, 2, 3])[0].f1.tolist()
    [0.0, 1.0, 1.0, 0.0]
    """
    truth = check_binary("labels", labels)
    pattern = make_pattern(truth, detections, make_rows(truth.size, times=times))
    listed = check_protocols(protocols)
    steps = check_whole("shifts", shifts)
    results = [
        evaluate_pattern(with_detections(pattern, _moved(pattern.detections, shift)), listed)
        for shift in steps
    ]
    return [Curve.of(steps, [row[index].f1 for row in results]) for index in range(len(listed))]


def _moved(series: BoolArray, shift: int) -> BoolArray:
    moved = np.zeros_like(series)
    if abs(shift) < series.size:
        moved[max(shift, 0) : series.size + min(shift, 0)] = series[
            max(-shift, 0) : series.size - max(shift, 0)
        ]
    return moved


def _rates(rates: npt.ArrayLike) -> list[float]:
    values: list[float] = check_scores("rates", rates).tolist()
    if any(later <= earlier for earlier, later in pairwise(values)):
        raise ValueError(f"rates must increase; got {values[:5]}")
    return values


def _k_protocols(inclusive: bool) -> list[Protocol]:
    return [PointAdjustK(k, inclusive) for k in PERCENTAGES]


def _d_protocols(rates: Iterable[float], precision: PrecisionConvention) -> list[Protocol]:
    return [PointAdjustDecay(ExponentialDecay(rate), precision) for rate in rates]


def _over_parameter(
    labels: npt.ArrayLike,
    detections: npt.ArrayLike,
    key: str,
    values: Sequence[float],
    steps: list[Protocol],
) -> Curve:
    return over_parameter(make_pattern(labels, detections), key, values, steps)


def over_parameter(
    pattern: Pattern, key: str, values: Sequence[float], steps: Sequence[Protocol]
) -> Curve:
    """Return F1 of given detections at each value of a protocol's parameter."""
    return Curve.of(values, f1_over(pattern, steps, key, values))


def best_over_parameter(
    ranked: RankedScores, values: npt.ArrayLike, protocols: Sequence[Protocol]
) -> Curve:
    """Return the best F1 under each protocol, with one protocol per value of a parameter."""
    best = ranked.best_over(protocols)
    return Curve.of(values, [point.f1 for point in best], [point.threshold for point in best])
