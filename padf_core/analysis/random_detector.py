"""A detector whose scores are random: what it reaches on given labels, and simulated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from padf_core.analysis.flips import Axis, Forms, forms_of_scores
from padf_core.metrics.checks import (
    BoolArray,
    FloatArray,
    IntArray,
    NumberArray,
    Progress,
    check_number,
    frozen,
    no_progress,
)
from padf_core.metrics.protocols import (
    PointAdjust,
    PointAdjustDecay,
    Pointwise,
    Protocol,
    check_protocols,
)
from padf_core.metrics.rows import ALL, Rows
from padf_core.metrics.sweep import RankedScores, at_or_above, rank_scores
from padf_core.metrics.timing import ASSUMED_STEP

SAME = 1e-12
"""Scores that differ by less, relatively, are the same."""

EXACT_STATES = 1_000_000
"""So many states an exact p-value may take: units times false alarms."""


@dataclass(frozen=True)
class RandomRow:
    """The best F1 of a random detector under one protocol, over several seeds."""

    protocol: Protocol
    f1: tuple[float, ...]
    """The best F1 of each run."""
    alarm_rates: tuple[float, ...]
    """The share of points that each run flags at its best threshold."""

    @property
    def mean(self) -> float:
        """Mean of the best F1."""
        return float(np.mean(self.f1))

    @property
    def spread(self) -> float:
        """Standard deviation of the best F1 between seeds."""
        return float(np.std(self.f1, ddof=1)) if len(self.f1) > 1 else 0.0

    @property
    def highest(self) -> float:
        """The highest of all runs."""
        return max(self.f1)

    @property
    def alarm_rate(self) -> float:
        """Mean share of points flagged."""
        return float(np.mean(self.alarm_rates))


def random_rows(
    labels: BoolArray,
    protocols: Sequence[Protocol],
    runs: int = 20,
    seed: int = 0,
    progress: Progress = no_progress,
    rows: Rows = ALL,
) -> list[RandomRow]:
    """Score a detector whose scores are uniformly random, each run at its own best threshold.

    >>> from padf_core import PointAdjust
    >>> labels = np.arange(1000) % 100 >= 80
    >>> row = random_rows(labels, [PointAdjust()], runs=5)[0]
    >>> row.mean > 0.6, len(row.f1)
    (True, 5)
    """
    listed = check_protocols(protocols)
    count = int(check_number("runs", runs, lambda x: 1 <= x <= 1000, "from 1 to 1000"))
    made: list[list[tuple[float, float]]] = []
    for run in range(count):
        made.append(_best_of_one(labels, listed, seed, run, rows))
        progress((run + 1) / count)
    return [
        RandomRow(
            protocol,
            tuple(run[index][0] for run in made),
            tuple(run[index][1] for run in made),
        )
        for index, protocol in enumerate(listed)
    ]


def _random_scores(size: int, seed: int, run: int) -> NumberArray:
    """Return uniformly random scores that nobody will write to."""
    return frozen(np.random.default_rng([seed, run]).random(size, dtype=np.float32))


def _best_of_one(
    labels: BoolArray, protocols: Sequence[Protocol], seed: int, run: int, rows: Rows
) -> list[tuple[float, float]]:
    """Return the best F1 of one random detector under each protocol, and the share it flags."""
    ranked = _ranked_alone(labels, protocols, seed, run, rows)
    best = [ranked.best(protocol) for protocol in protocols]
    thresholds = np.array([point.threshold for point in best], dtype=np.float32)
    flagged = at_or_above(ranked.normal_scores, thresholds) + at_or_above(
        ranked.inside.scores[::-1], thresholds
    )
    shares = flagged / (ranked.normal + ranked.anomalous)
    return [(point.f1, share) for point, share in zip(best, shares.tolist(), strict=True)]


def _ranked_alone(
    labels: BoolArray, protocols: Sequence[Protocol], seed: int, run: int, rows: Rows
) -> RankedScores:
    """Return a random detector's scores once sorted; as they came they are held no longer."""
    scores = _random_scores(labels.size, seed, run)
    ranked = RankedScores(labels, scores, rows)
    counts_runs = any(protocol.false_alarms == "runs" for protocol in protocols)
    joints = ranked.joints if counts_runs else scores[:0].copy()
    return RankedScores.of_parts(ranked.normal_scores, ranked.inside, joints)


@dataclass(frozen=True, eq=False)
class Runs:
    """F1 of simulated runs at some places: one row per run."""

    f1: FloatArray

    @property
    def mean(self) -> FloatArray:
        """Mean over the runs at each place."""
        average: FloatArray = self.f1.mean(axis=0)
        return average

    def band(self, level: float = 0.9) -> tuple[FloatArray, FloatArray]:
        """Return the range that holds this share of the runs at each place."""
        low, high = np.quantile(self.f1, [(1 - level) / 2, (1 + level) / 2], axis=0)
        return low, high


@dataclass(frozen=True, eq=False)
class Simulated(Runs):
    """F1 of simulated random scores at a few thresholds."""

    protocol: Protocol
    thresholds: FloatArray

    @property
    def error(self) -> FloatArray:
        """Standard deviation between runs."""
        spread: FloatArray = self.f1.std(axis=0, ddof=1)
        return spread


def simulate_random_score(
    thresholds: Sequence[float],
    length: int,
    anomaly_ratio: float,
    protocols: Sequence[Protocol],
    *,
    runs: int = 10,
    points: int = 2_000_000,
    seed: int = 0,
    progress: Progress = no_progress,
) -> list[Simulated]:
    """Draw random scores on a series of equal segments, and score them like any detector.

    The series has 100 segments, or fewer (but ten at least) where that would be more than
    ``points`` points; thresholds must rise.
    """
    every = max(length + 1, round(length / anomaly_ratio))
    segments = max(10, min(100, points // every))
    labels = (np.arange(segments * every) % every) >= every - length
    rising = np.asarray(thresholds, dtype=np.float64)
    falling_levels = np.arange(rising.size, 0, -1)
    made = np.zeros((len(protocols), runs, rising.size))
    for run in range(runs):
        scores = np.random.default_rng([seed, run]).random(labels.size)
        # How many thresholds a score reaches says all about it, and is ranked much faster.
        levels = np.searchsorted(rising, scores, side="right")
        ranked = rank_scores(labels, levels, times=ASSUMED_STEP)
        for index, protocol in enumerate(protocols):
            made[index, run] = ranked.at(falling_levels, protocol).f1[::-1]
        progress((run + 1) / runs)
    return [Simulated(made[index], protocol, rising) for index, protocol in enumerate(protocols)]


@dataclass(frozen=True, eq=False)
class RandomDetectors:
    """Random detectors under a decay whose number moves, each at its own best thresholds."""

    axis: Axis
    forms: tuple[Forms, ...]

    def at(self, number: float) -> FloatArray:
        """Return the best F1 of each where the decay's number is this."""
        return np.array([each.best_at(self.axis, number) for each in self.forms])

    def over(self, numbers: Sequence[float]) -> Runs:
        """Return the best F1 of each at many numbers."""
        return Runs(np.array([self.at(number) for number in numbers]).T)


@dataclass(frozen=True)
class PValue:
    """How likely a random detector reaches a score, exactly or from simulated runs."""

    value: float
    runs: int
    """How many runs it is from; 0 where it is exact."""

    @property
    def error(self) -> float:
        """The standard error of the simulation."""
        return float(np.sqrt(self.value * (1 - self.value) / self.runs)) if self.runs else 0.0

    @property
    def text(self) -> str:
        """The value as it is written: with what the number of runs can tell at best.

        >>> PValue(1 / 200, 199).text, PValue(0.25, 199).text, PValue(1.0, 199).text
        ('p ≤ 0.005', 'p = 0.25 ± 0.03', 'p = 1')
        >>> PValue(0.125, 0).text
        'p = 0.12, exact'
        """
        if not self.runs:
            return f"p = {self.value:.2g}, exact"
        if self.value <= 1 / (self.runs + 1):
            return f"p ≤ {self.value:.2g}"
        return f"p = {self.value:.2g} ± {self.error:.1g}" if self.error else "p = 1"


def p_value(random_f1: Sequence[float] | FloatArray, f1: float) -> PValue:
    """Return the share of random runs that reach a score, the score itself counted among them.

    >>> p_value([0.1, 0.2, 0.3], 0.25).value
    0.5
    """
    runs = np.asarray(random_f1, dtype=np.float64)
    reached = int(np.count_nonzero(runs >= f1 * (1 - SAME)))
    return PValue((1 + reached) / (1 + runs.size), int(runs.size))


def exact_p_value(f1: float, protocol: Protocol, lengths: IntArray, normal: int) -> PValue | None:
    """Return how likely a random score reaches F1 at its best threshold, where that is closed.

    It is for point-wise, and for PA when all segments are equally long. Lowering the threshold is
    drawing points one by one; what counts next is a unit that is not yet found (a point, or any
    point of a segment) or one of the ``normal`` points. F1 can only rise with a unit, so all that
    matters is how many false alarms there were when each unit came. None where it is not closed, or
    would take too long.

    >>> one_of_three = exact_p_value(1.0, Pointwise(), np.array([1]), 2)
    >>> one_of_three.value, one_of_three.text
    (0.3333333333333333, 'p = 0.33, exact')
    """
    if isinstance(protocol, Pointwise):
        units, size = int(lengths.sum()), 1
    elif isinstance(protocol, PointAdjust) and lengths.size and (lengths == lengths[0]).all():
        units, size = int(lengths.size), int(lengths[0])
    else:
        return None
    if f1 <= 0:
        return PValue(1.0, 0)
    wanted = f1 * (1 - SAME)
    # With more false alarms than this even all units together would not reach it.
    most = min(normal, int(2 * units * size * (1 / wanted - 1)))
    if units * (most + 1) > EXACT_STATES:
        return None
    wrong = np.arange(most + 1)
    with np.errstate(divide="ignore"):
        here = np.where(wrong == 0, 0.0, -np.inf)
        crossed = 0.0
        for found in range(units):
            left = (units - found) * size
            # The chance that the next that counts is a unit, after so many false alarms.
            hit = np.log(left) - np.log(left + normal - wrong)
            miss = np.log(normal - wrong) - np.log(left + normal - wrong)
            passed = np.concatenate(([0.0], np.cumsum(miss[:-1])))
            here = np.logaddexp.accumulate(here - passed) + passed + hit
            earned = size * (found + 1)
            reaches = 2 * earned >= wanted * (earned + wrong + units * size)
            crossed += float(np.exp(here[reaches]).sum())
            here = np.where(reaches, -np.inf, here)
    return PValue(min(crossed, 1.0), 0)


def random_detectors(
    labels: BoolArray,
    protocol: PointAdjustDecay,
    axis: Axis,
    *,
    runs: int = 199,
    seed: int = 0,
    rows: Rows = ALL,
    progress: Progress = no_progress,
) -> RandomDetectors:
    """Draw random detectors, to be scored at any number of a decay.

    >>> labels = np.arange(400) % 40 >= 30
    >>> protocol = PointAdjustDecay()
    >>> drawn = random_detectors(labels, protocol, Axis.of(protocol, 1, 10), runs=3)
    >>> drawn.at(5).shape, drawn.over([5, 50]).f1.shape
    ((3,), (3, 2))
    """
    made = []
    for run in range(runs):
        scores = _random_scores(labels.size, seed, run)
        made.append(forms_of_scores(RankedScores(labels, scores, rows), protocol))
        progress((run + 1) / runs)
    return RandomDetectors(axis, tuple(made))
