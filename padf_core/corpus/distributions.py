"""Distributions for comparing detectors over many series."""

from __future__ import annotations

from math import erfc, exp, lgamma, log, log1p, sqrt

import numpy as np

from padf_core.metrics.checks import FloatArray

TERMS = 400
"""Number of terms of the continued fraction."""

EXACT = 100
"""Up to this many differences the p-value is exact; beyond it, a normal approximation is used."""


def f_tail(value: float, freedom: float, below: float) -> float:
    """Return the probability that Fisher's F is at least this value.

    With x = f2 / (f2 + f1 F), it is the regularized incomplete beta function I_x(f2/2, f1/2).

    >>> round(f_tail(3.49, 3, 12), 3), round(f_tail(1.0, 5, 5), 3)
    (0.05, 0.5)
    """
    if value <= 0:
        return 1.0
    return _incomplete_beta(below / (below + freedom * value), below / 2, freedom / 2)


def _incomplete_beta(x: float, a: float, b: float) -> float:
    """Return I_x(a, b) by its continued fraction, from the end where it converges quickly."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(1 - x, b, a)
    front = exp(a * log(x) + b * log1p(-x) + lgamma(a + b) - lgamma(a) - lgamma(b)) / a
    # Evaluate the fraction from its tail. The terms decrease, and this number is more than enough.
    fraction = 1.0
    for m in range(TERMS, 0, -1):
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        fraction = 1 + even / (1 + odd / fraction)
    first = -(a + b) * x / (a + 1)
    return front / (1 + first / fraction)


def normal_tail(value: float) -> float:
    """Return the probability that a standard normal variable is at least this value.

    >>> round(normal_tail(1.96), 3)
    0.025
    """
    return erfc(value / sqrt(2)) / 2


def signed_rank_p(differences: FloatArray) -> float:
    """Return the two-sided p-value of Wilcoxon's signed-rank test, without differences of 0.

    Ties share the mean of their ranks. Up to 100 differences, the p-value is exact: the share of
    all sign choices whose sum is at least as far from the middle. Doubled ranks are whole numbers,
    so the sign choices can be counted.

    >>> signed_rank_p(np.array([1.0, 2.0, 3.0, 4.0, 5.0]))
    0.0625
    """
    moved = differences[differences != 0]
    if not moved.size:
        return 1.0
    _, place, shared = np.unique(np.abs(moved), return_inverse=True, return_counts=True)
    # Tied differences share the mean of their first and last rank.
    doubled = (2 * np.cumsum(shared) - shared + 1)[place]
    total = int(doubled.sum())
    above = int(doubled[moved > 0].sum())
    far = max(above, total - above)
    if moved.size > EXACT:
        middle, spread = total / 2, sqrt(float((doubled.astype(np.float64) ** 2).sum()) / 4)
        return min(1.0, 2 * normal_tail((far - middle) / spread))
    ways = np.zeros(total + 1)
    ways[0] = 1.0
    for rank in doubled.tolist():
        moved_up = np.zeros_like(ways)
        moved_up[rank:] = ways[: ways.size - rank]
        ways = (ways + moved_up) / 2
    return min(1.0, 2 * float(ways[far:].sum()))


def mean_ranks(values: FloatArray, tie: float = 0.0) -> FloatArray:
    """Return ranks per row, from the lowest value; values within ``tie`` share their mean rank.

    >>> mean_ranks(np.array([[3.0, 1.0, 3.0, 7.0]])).tolist()
    [[2.5, 1.0, 2.5, 4.0]]
    """
    below = (values[:, None, :] < values[:, :, None] - tie).sum(axis=2)
    same = (np.abs(values[:, None, :] - values[:, :, None]) <= tie).sum(axis=2)
    ranks: FloatArray = below + (same + 1) / 2
    return ranks
