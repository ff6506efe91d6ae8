"""Independent alarms with known probabilities: when the first one comes, and how many there are."""

from __future__ import annotations

import numpy as np

from padf_core.checks import FloatArray


def first_hit_probability(normal: FloatArray) -> FloatArray:
    """Return, per row, the probability that the first alarm is at each point.

    That is (1 - p_n) times the product of all earlier p_i.

    >>> first_hit_probability(np.array([[0.5, 0.5, 1.0]])).tolist()
    [[0.5, 0.25, 0.0]]
    """
    none_before = np.ones_like(normal)
    np.cumprod(normal[:, :-1], axis=1, out=none_before[:, 1:])
    return (1 - normal) * none_before


def hit_count_probability(normal: FloatArray) -> FloatArray:
    """Return, per row, the probability of 0, 1, 2, ... alarms in all.

    The generating functions p + (1 - p) z of the points are multiplied in pairs, by FFT, until one
    per row is left.

    >>> hit_count_probability(np.array([[0.5, 0.5, 1.0]])).round(12)[:, :3].tolist()
    [[0.25, 0.5, 0.25]]
    """
    rows, width = normal.shape
    points = 1 << max(width - 1, 0).bit_length()
    factors = np.zeros((rows, points, 2))
    factors[:, :, 0] = 1.0
    factors[:, :width, 0] = normal
    factors[:, :width, 1] = 1 - normal
    while factors.shape[1] > 1:
        degree = factors.shape[2] - 1
        spectrum = np.fft.rfft(factors, 4 * degree, axis=2)
        product = np.fft.irfft(spectrum[:, 0::2] * spectrum[:, 1::2], 4 * degree, axis=2)
        factors = product[:, :, : 2 * degree + 1]
    return np.clip(factors[:, 0, : width + 1], 0.0, 1.0)
