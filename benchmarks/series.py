"""Test series and timing for all benchmarks."""

import time
from collections.abc import Callable

import numpy as np


def make_series(size: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return labels and scores. About 10 % of the points are anomalous and have higher scores.

    Segments have 10 to 1000 points. Labels are int64 and scores float64, as in most files.
    """
    rng = np.random.default_rng(seed)
    longest = min(1000, max(20, size // 50))
    lengths = rng.integers(10, longest + 1, size=max(1, round(size * 0.1 / ((10 + longest) / 2))))
    gaps = rng.dirichlet(np.ones(lengths.size + 1)) * (size - lengths.sum() - lengths.size)
    starts = np.cumsum(gaps[:-1].astype(int) + 1) + np.concatenate(([0], np.cumsum(lengths)[:-1]))
    labels = np.zeros(size, dtype=np.int64)
    for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
        labels[start : start + length] = 1
    return labels, rng.normal(size=size) + 0.8 * labels


def best_seconds(call: Callable[[], object], repeats: int = 7) -> float:
    """Return the shortest time of several runs, which is least disturbed by other processes."""
    taken = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        taken.append(time.perf_counter() - start)
    return min(taken)
