"""Test whether one of two detectors is better on the same incidents."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from padf_core.analysis.jackknife import f1_of
from padf_core.analysis.significance import SAME, PValue
from padf_core.metrics.checks import FloatArray

SWAP_NULL = "the two detectors are interchangeable on every incident"


MOST_SWAPPED = 14
"""Up to this many incidents on which two detectors differ, all swaps are tried."""


SWAPS = 4999


AT_ONCE = 200_000
"""Maximum number of swaps times thresholds held in memory at once."""


LEVEL = 0.05


@dataclass(frozen=True)
class PairedTest:
    """The result of swapping two detectors incident by incident."""

    difference: float
    """F1 of the first detector minus that of the second."""
    p: PValue
    differing: int
    """Number of incidents on which the two detectors differ."""
    detectable: float | None
    """The smallest difference that is significant at 5 % for any swap of these incidents."""


def sign_flip_test(one: FloatArray, other: FloatArray, seed: int = 0) -> PairedTest:
    """Run a permutation test that swaps two detectors' counts on each incident.

    ``one`` and ``other`` hold counts per block (an incident with the time around it) and per
    threshold that a detector may choose. The last axis holds the counts. If the detectors are
    interchangeable, every swap is equally likely. p is the share of swaps with at least the
    observed difference in best F1. Every swap chooses its best thresholds again, because fixed
    thresholds would favour the observed assignment. p is exact if at most 14 blocks differ.

    Examples
    --------
    The first detector finds all four incidents, the second only one. There are eight ways to swap
    the other three. Two of them give a difference this large: no swap, and all three.

    >>> first = np.array([[[1.0, 1, 1, 1]]] * 4)
    >>> second = np.array([[[1.0, 1, 1, 1]], *[[[0.0, 0, 1, 0]]] * 3])
    >>> made = sign_flip_test(first, second)
    >>> made.p.value, made.differing, made.detectable
    (0.25, 3, None)
    """
    one, other = np.broadcast_arrays(one, other)
    apart = other - one
    differing = np.flatnonzero((apart != 0).any(axis=(1, 2)))
    count = differing.size
    is_exact = count <= MOST_SWAPPED
    if is_exact:
        # Swapping all incidents gives the same difference, so one of them can stay fixed.
        ways = (np.arange(1 << max(0, count - 1))[:, None] >> np.arange(count)) & 1
    else:
        drawn = np.random.default_rng(seed).integers(0, 2, (SWAPS, count))
        ways = np.concatenate([np.zeros((1, count), dtype=np.int64), drawn])
    levels, columns = apart.shape[1:]
    flat = apart[differing].reshape(count, levels * columns)
    totals = one.sum(axis=0), other.sum(axis=0)
    each = max(1, AT_ONCE // levels)
    parts = []
    for start in range(0, len(ways), each):
        some = ways[start : start + each].astype(np.float64)
        moved = (some @ flat).reshape(-1, levels, columns)
        first, second = totals[0] + moved, totals[1] - moved
        parts.append(f1_of(first).max(axis=1) - f1_of(second).max(axis=1))
    gaps = np.concatenate(parts)
    sizes, found = np.abs(gaps), float(gaps[0])
    reached = np.count_nonzero(sizes >= abs(found) - SAME)
    p = PValue(float(reached / sizes.size), 0 if is_exact else SWAPS, SWAP_NULL)
    return PairedTest(found, p, count, _detectable(sizes))


def _detectable(sizes: FloatArray) -> float | None:
    """Return the smallest of these differences that at most 5 % of them reach."""
    rising = np.sort(sizes)
    reached = rising.size - np.searchsorted(rising, rising - SAME)
    few = rising[reached <= LEVEL * rising.size]
    return float(few[0]) if few.size else None
