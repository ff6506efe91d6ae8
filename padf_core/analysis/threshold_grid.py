"""Choose a grid of candidate thresholds."""

from __future__ import annotations

import numpy as np

from padf_core.io.series import Detector
from padf_core.metrics.checks import FloatArray, IntArray


def threshold_grid(detector: Detector, count: int) -> FloatArray:
    """Return about ``count`` decreasing thresholds among the scores, dense where F1 can change.

    Half of them follow the anomalous scores. The others follow the normal scores, from the highest
    down with growing distances, because the few highest scores matter most.
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
