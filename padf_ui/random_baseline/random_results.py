"""Simulated random scores, and the best F1 of a random detector."""

from __future__ import annotations

import pandas as pd

from padf_core import Settings
from padf_core.analysis.random_detector import Simulated, simulate_random_score
from padf_core.metrics.checks import Progress
from padf_core.metrics.expectation import random_score_best
from padf_core.metrics.protocols import Protocol
from padf_core.metrics.timing import ASSUMED_STEP
from padf_ui.server.cache import SMALL


def simulated(
    thresholds: tuple[float, ...],
    length: int,
    ratio: float,
    protocols: tuple[Protocol, ...],
    runs: int,
    seed: int,
    progress: Progress,
) -> list[Simulated]:
    """Return the points of simulated random scores. All protocols score the same simulations."""
    return SMALL.recall(
        ("simulated", thresholds, length, ratio, protocols, runs, seed),
        lambda: simulate_random_score(
            thresholds, length, ratio, protocols, runs=runs, seed=seed, progress=progress
        ),
    )


MAP_LENGTHS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000)
MAP_ROWS = 22


def random_map(key: str, ratio: float, settings: Settings) -> pd.DataFrame:
    """Return the best F1 of a random score.

    Rows are values of a protocol's parameter, columns are segment lengths.
    """
    number = settings.number(key)
    steps = number.steps if number else ()
    every = max(1, -(-len(steps) // MAP_ROWS))
    values = [*steps[every - 1 if steps[0] else 0 :: every]]
    values = sorted({*values, steps[-1]})
    protocols = settings.at(key, values)

    def make() -> pd.DataFrame:
        columns = {
            length: [best.f1 for best in random_score_best(length, ratio, protocols, ASSUMED_STEP)]
            for length in MAP_LENGTHS
        }
        return pd.DataFrame(columns, index=pd.Index(values))

    return SMALL.recall(("map", ratio, tuple(protocols)), make)
