"""Two detectors on the same incidents: is one of them better?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from padf_core.analysis.jackknife import f1_of
from padf_core.analysis.significance import SAME, PValue
from padf_core.metrics.checks import FloatArray

SWAP_NULL = "the two detectors are interchangeable on every incident"


MOST_SWAPPED = 14
"""Up to so many incidents on which two detectors differ, all ways to swap them are tried."""


SWAPS = 4999


AT_ONCE = 200_000
"""The number of swaps times thresholds that are held in memory together."""


LEVEL = 0.05


@dataclass(frozen=True)
class PairedTest:
    """Two detectors swapped incident by incident, and how far apart they then are."""

    difference: float
    """F1 of the first less that of the second."""
    p: PValue
    differing: int
    """The number of incidents on which the two differ."""
    detectable: float | None
    """The smallest difference that any swap of these incidents makes significant at 5 %."""


def sign_flip_test(one: FloatArray, other: FloatArray, seed: int = 0) -> PairedTest:
    """Swap what two detectors have on each incident, in all ways or in many at random.

    ``one`` and ``other`` hold counts for each block (an incident with the time around it), at each
    threshold from which a detector may choose; the last axis has the counts. If the detectors are
    interchangeable, every swap is equally likely: p is the share of swaps with at least this
    difference in best F1. Every swap chooses its best thresholds again, because fixed ones would
    favour the observed assignment. p is exact if at most 14 blocks differ.

    Examples
    --------
    Of four incidents the first detector finds all, the second only one. There are eight ways to
    swap the other three, and two of them give as large a difference: no swap, and all three.

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
        # To swap all incidents gives the same difference, so one of them can stay.
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
