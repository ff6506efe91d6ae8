"""Detectors side by side: ranks, and where their curves cross."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from padf_core.io.series import Detector
from padf_core.metrics.checks import FloatArray, IntArray
from padf_core.metrics.curves import Curve

TIE = 1e-9
"""Scores that differ by no more than this share a rank."""


def ranks_of(scores: Sequence[float]) -> list[int]:
    """Return ranks from the highest score down; equal scores share the better rank.

    >>> ranks_of([0.5, 0.9, 0.5, 0.1])
    [2, 1, 2, 4]
    """
    return [1 + sum(other > score + TIE for other in scores) for score in scores]


# ---- where curves cross ------------------------------------------------------------------------


@dataclass(frozen=True)
class Crossing:
    """Where one detector passes another as a parameter rises."""

    at: float
    f1: float
    below: int
    """Index of the curve that is higher before the crossing."""
    above: int
    """Index of the curve that is higher behind it."""


def crossings(curves: Sequence[Curve]) -> list[Crossing]:
    """Find where curves over the same values change places, between two steps of the grid.

    Where they are equal for a while first, that is in the middle of it. Where they only touch, none
    passes the other.

    >>> a, b = Curve.of([0, 1, 2], [0.9, 0.6, 0.3]), Curve.of([0, 1, 2], [0.5, 0.5, 0.5])
    >>> [(round(c.at, 2), c.below, c.above) for c in crossings([a, b])]
    [(1.33, 0, 1)]
    """
    found = []
    for first, second in combinations(range(len(curves)), 2):
        values = curves[first].values
        gap = curves[first].f1 - curves[second].f1
        sign = np.where(np.abs(gap) <= TIE, 0, np.sign(gap))
        places = np.flatnonzero(sign)
        for left, right in zip(places[:-1].tolist(), places[1:].tolist(), strict=True):
            if sign[left] == sign[right]:
                continue
            if right - left > 1:
                at = float(values[left + 1] + values[right - 1]) / 2
            else:
                share = gap[left] / (gap[left] - gap[right])
                at = float(values[left] + share * (values[right] - values[left]))
            height = float(np.interp(at, values, curves[first].f1))
            order = (first, second) if sign[left] > 0 else (second, first)
            found.append(Crossing(at, height, *order))
    return sorted(found, key=lambda crossing: crossing.at)


# ---- thresholds worth a try ----------------------------------------------------------------------


def threshold_grid(detector: Detector, count: int) -> FloatArray:
    """Return about ``count`` falling thresholds among the scores, dense where F1 can change.

    Half follow the anomalous scores; the others the normal ones, from the highest down, ever
    further apart, since the few highest are those that tell a careful detector.
    """
    ranked = detector.ranked
    inside, normal = ranked.inside.scores, ranked.normal_scores[::-1]
    picked = [
        values[np.unique(places(values.size, count // 2))]
        for values, places in ((inside, _even), (normal, _widening))
        if values.size
    ]
    return np.unique(np.concatenate(picked).astype(np.float64))[::-1]


def _even(size: int, count: int) -> IntArray:
    return np.linspace(0, size - 1, count).round().astype(np.int64)


def _widening(size: int, count: int) -> IntArray:
    return (np.geomspace(1, size, count).round() - 1).astype(np.int64)
