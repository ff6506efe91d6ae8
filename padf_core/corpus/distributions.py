"""The few distributions that comparing detectors over many series needs."""

from __future__ import annotations

from math import erfc, exp, lgamma, log, sqrt

import numpy as np

from padf_core.metrics.checks import FloatArray

EXACT = 100
"""Up to so many differences every sign is tried; for more the sum is taken for normal."""


def chi_square_tail(value: float, freedom: int) -> float:
    """Return how likely a chi-square of so many degrees of freedom is at least this.

    For whole degrees of freedom it is a finite sum: with h = x/2, e^-h times the sum of h^i / i!
    for an even number, and erfc(sqrt(h)) with half steps for an odd one.

    >>> round(chi_square_tail(5.991, 2), 4), round(chi_square_tail(3.841, 1), 4)
    (0.05, 0.05)
    """
    if value <= 0:
        return 1.0
    half = value / 2
    start = 0.5 * (freedom % 2)
    total = erfc(sqrt(half)) if freedom % 2 else 0.0
    powers = np.arange(freedom // 2) + start
    logs = [power * log(half) - half - lgamma(power + 1) for power in powers.tolist()]
    return min(1.0, total + sum(map(exp, logs)))


def normal_tail(value: float) -> float:
    """Return how likely a standard normal is at least this.

    >>> round(normal_tail(1.96), 3)
    0.025
    """
    return erfc(value / sqrt(2)) / 2


def signed_rank_p(differences: FloatArray) -> float:
    """Return the two-sided p-value of Wilcoxon's signed ranks; differences of 0 are left out.

    Ties share the mean of their ranks. Up to 100 differences the p-value is exact: how many of all
    ways to choose signs give a sum as far from the middle. Doubled ranks are whole numbers, so the
    ways can be counted.

    >>> signed_rank_p(np.array([1.0, 2.0, 3.0, 4.0, 5.0]))
    0.0625
    """
    moved = differences[differences != 0]
    if not moved.size:
        return 1.0
    _, place, shared = np.unique(np.abs(moved), return_inverse=True, return_counts=True)
    # Who shares a rank has the mean of the first and the last of them.
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
    """Return ranks from the lowest on in each row; what differs by no more than ``tie`` shares.

    >>> mean_ranks(np.array([[3.0, 1.0, 3.0, 7.0]])).tolist()
    [[2.5, 1.0, 2.5, 4.0]]
    """
    below = (values[:, None, :] < values[:, :, None] - tie).sum(axis=2)
    same = (np.abs(values[:, None, :] - values[:, :, None]) <= tie).sum(axis=2)
    ranks: FloatArray = below + (same + 1) / 2
    return ranks
