"""Probabilities for independent alarms: when the first one occurs, and how many there are."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from padf_core.metrics.checks import FloatArray, frozen


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
    """Return, per row, the probability of 0, 1, 2, ... alarms in total.

    The generating functions p + (1 - p) z of the points are multiplied in pairs by FFT, until one
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


def any_hit_probability(normal: FloatArray) -> FloatArray:
    """Return, per row, the probability of at least one alarm.

    >>> any_hit_probability(np.array([[0.5, 0.5, 1.0]])).tolist()
    [0.75]
    """
    with np.errstate(divide="ignore"):
        probability: FloatArray = -np.expm1(np.log(normal).sum(axis=1))
    return probability


def any_random_hit(theta: FloatArray, length: int) -> FloatArray:
    """Return 1 - theta^N, the probability for equal points, accurate even if it is small."""
    with np.errstate(divide="ignore"):
        probability: FloatArray = -np.expm1(length * np.log(theta))
    return probability


def geometric_sum(ratio: FloatArray, terms: int) -> FloatArray:
    """Return 1 + q + ... + q^(n-1), including q equal or close to 1.

    >>> geometric_sum(np.array([0.5, 1.0]), 3).tolist()
    [1.75, 3.0]
    """
    total = np.full(ratio.shape, float(terms))
    below = ratio < 1
    q = ratio[below]
    with np.errstate(divide="ignore", under="ignore"):
        total[below] = -np.expm1(terms * np.log(q)) / (1 - q)
    return total


def binomial(theta: FloatArray, length: int) -> FloatArray:
    """Return, per threshold, the probability of 0, 1, ... alarms among points of a random score.

    The last few tables are cached, because many values of K share one.

    >>> binomial(np.array([0.5, 1.0]), 2).tolist()
    [[0.25, 0.5, 0.25], [1.0, 0.0, 0.0]]
    """
    return _binomial(np.ascontiguousarray(theta, dtype=np.float64).tobytes(), length)


@lru_cache(maxsize=4)
def _binomial(thetas: bytes, length: int) -> FloatArray:
    theta = np.frombuffer(thetas)
    hits = np.arange(length + 1)
    logs = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, length + 1)))))
    ways = logs[-1] - logs - logs[::-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        quiet = np.where(hits == length, 0.0, (length - hits) * np.log(theta)[:, None])
        loud = np.where(hits == 0, 0.0, hits * np.log1p(-theta)[:, None])
    probability: FloatArray = np.exp(ways + quiet + loud)
    total: FloatArray = probability.sum(axis=1, keepdims=True)
    return frozen(probability / total)
