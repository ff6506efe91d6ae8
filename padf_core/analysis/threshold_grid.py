"""Thresholds that are worth a try."""

from __future__ import annotations

import numpy as np

from padf_core.io.series import Detector
from padf_core.metrics.checks import FloatArray, IntArray


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
