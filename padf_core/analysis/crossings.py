"""Find where curves cross."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from padf_core.analysis.compare import TIE
from padf_core.metrics.curves import Curve


@dataclass(frozen=True)
class Crossing:
    """A parameter value at which one detector passes another."""

    at: float
    f1: float
    below: int
    """Index of the curve that is higher before the crossing."""
    above: int
    """Index of the curve that is higher after the crossing."""


def crossings(curves: Sequence[Curve]) -> list[Crossing]:
    """Find where curves over the same values cross, interpolating between grid points.

    If two curves are equal over a stretch, the crossing is in its middle. Curves that only touch do
    not cross.

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
