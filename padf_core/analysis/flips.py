"""Where rankings flip as the decay rate moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from padf_core.analysis.compare import TIE
from padf_core.metrics.checks import FloatArray, IntArray, Progress, no_progress
from padf_core.metrics.evaluation import Pattern
from padf_core.metrics.protocols import PrecisionConvention

NINE_DIGITS = 1e-9
SAMPLES = 15
MAX_TERMS = 200
"""Distinct delays up to which all flips are found from a polynomial."""


@dataclass(frozen=True)
class Flip:
    """A decay rate at which two detectors change places."""

    at: float
    below: int
    """The detector that is ahead for smaller rates."""
    above: int
    """The detector that is ahead for larger rates."""


@dataclass(frozen=True)
class Band:
    """A range of decay rates over which the ranking stays the same."""

    start: float
    stop: float
    ranking: tuple[int, ...]
    """Detectors from the first to the last."""


def exact_flips(patterns: Sequence[Pattern], precision: PrecisionConvention) -> list[Flip]:
    """Find every rate in (0, 1) at which two detectors with given detections change places.

    F1 under PAdf is 2 E / (A + c), with E the sum of N d^k over detected segments and c either
    E + FP or T + FP. Two detectors are equal where E1 w2 = E2 w1 (w = A + FP, or A + T + FP): a
    polynomial in d with one term per distinct delay. Between the zeros of its derivative, which has
    a term less, it changes sign once at most; so all its changes of sign are found.
    """
    found = []
    terms = [_terms(pattern, precision) for pattern in patterns]
    for first, second in combinations(range(len(patterns)), 2):
        (delays_a, sums_a, weight_a), (delays_b, sums_b, weight_b) = terms[first], terms[second]
        exponents = np.union1d(delays_a, delays_b)
        gap = np.zeros(exponents.size)
        gap[np.searchsorted(exponents, delays_a)] += sums_a * weight_b
        gap[np.searchsorted(exponents, delays_b)] -= sums_b * weight_a
        kept = gap != 0
        for at, rises in sign_changes(exponents[kept], gap[kept]):
            found.append(Flip(at, *((second, first) if rises else (first, second))))
    return sorted(found, key=lambda flip: flip.at)


def has_few_delays(patterns: Sequence[Pattern]) -> bool:
    """Say whether `exact_flips` can be asked for: its polynomial has a term per distinct delay."""
    delays = [np.unique(pattern.found.delays) for pattern in patterns]
    return np.unique(np.concatenate(delays)).size <= MAX_TERMS


def _terms(pattern: Pattern, precision: PrecisionConvention) -> tuple[IntArray, FloatArray, float]:
    hits = pattern.found
    delays, place = np.unique(hits.delays[hits.detected], return_inverse=True)
    lengths = hits.lengths[hits.detected]
    sums = np.bincount(place, lengths, delays.size).astype(np.float64)
    weight = float(pattern.anomalous + pattern.false_positives)
    if precision == "equations":
        weight += float(lengths.sum())
    return delays, sums, weight


def sign_changes(exponents: IntArray, coefficients: FloatArray) -> list[tuple[float, bool]]:
    """Return where a sum of c x^e changes sign for x in (0, 1), and whether it rises there.

    >>> sign_changes(np.array([0, 2]), np.array([-0.25, 1.0]))
    [(0.5, True)]
    """
    signs = np.sign(coefficients)
    changes = int(np.count_nonzero(signs[1:] != signs[:-1]))
    if not changes:
        return []
    powers = exponents - exponents[0]

    def value(x: float) -> float:
        return float(coefficients @ np.power(x, powers))

    turning: list[float] = []
    if changes > 1:
        slopes = coefficients[1:] * powers[1:]
        slopes = slopes / np.abs(slopes).max()
        turning = [at for at, _ in sign_changes(powers[1:], slopes)]
    found = []
    for low, high in pairwise([0.0, *turning, 1.0]):
        left, right = value(low), value(high)
        if left and right and (left > 0) != (right > 0):
            found.append((_bisect(value, low, high, left > 0), right > 0))
    return found


def _bisect(
    value: Callable[[float], float], low: float, high: float, falls: bool, width: float = 0.0
) -> float:
    """Halve the range in which the sign changes, down to a width, or to the last digit."""
    while high - low > width:
        middle = (low + high) / 2
        if not low < middle < high:
            break
        if (value(middle) > 0) == falls:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def searched_flips(
    score: Callable[[float], Sequence[float]],
    grid: Sequence[float],
    progress: Progress = no_progress,
) -> list[Flip]:
    """Find where detectors change places when ``score`` gives the F1 of all at a rate.

    For scores at the best threshold, which is another one for each rate. A change between two steps
    of the grid is then closed in on; two changes of the same pair within one step are not seen.
    """
    heights = []
    for done, rate in enumerate(grid, start=1):
        heights.append(np.asarray(score(rate), dtype=np.float64))
        progress(0.7 * done / len(grid))
    table = np.array(heights)
    found = []
    for first, second in combinations(range(table.shape[1]), 2):
        gap = table[:, first] - table[:, second]
        places = np.flatnonzero(np.abs(gap) > TIE)
        for left, right in pairwise(places.tolist()):
            if (gap[left] > 0) == (gap[right] > 0):
                continue

            def difference(rate: float, a: int = first, b: int = second) -> float:
                made = score(rate)
                return float(made[a] - made[b])

            at = _bisect(difference, grid[left], grid[right], bool(gap[left] > 0), NINE_DIGITS)
            order = (first, second) if gap[left] > 0 else (second, first)
            found.append(Flip(at, *order))
    progress(1.0)
    return sorted(found, key=lambda flip: flip.at)


def bands(
    flips: Sequence[Flip], score: Callable[[float], Sequence[float]], low: float, high: float
) -> list[Band]:
    """Cut the range at the flips, and say the ranking in each part; equal neighbours are joined."""
    cuts = [low, *(flip.at for flip in flips if low < flip.at < high), high]
    made: list[Band] = []
    for start, stop in pairwise(cuts):
        if stop - start <= 1e-12:
            continue
        # No two change places inside, so their means are in the same order, ties apart.
        inside = np.linspace(start, stop, SAMPLES + 2)[1:-1]
        heights = np.round(np.mean([score(rate) for rate in inside.tolist()], axis=0), 9)
        ranking = tuple(np.argsort(-heights, kind="stable").tolist())
        if made and made[-1].ranking == ranking:
            made[-1] = Band(made[-1].start, stop, ranking)
        else:
            made.append(Band(start, stop, ranking))
    return made
