"""Score random detectors on given labels, and simulate random scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from padf_core.analysis.decay_axis import Axis
from padf_core.analysis.forms import Forms, forms_of_pattern, forms_of_scores
from padf_core.analysis.significance import MovedScores, chosen_threshold
from padf_core.io.series import Detector
from padf_core.metrics.checks import (
    BoolArray,
    FloatArray,
    NumberArray,
    Progress,
    check_binary,
    check_number,
    frozen,
    no_progress,
)
from padf_core.metrics.evaluation import make_pattern
from padf_core.metrics.protocols import PointAdjustDecay, Protocol, check_protocols
from padf_core.metrics.ranked_scores import RankedScores
from padf_core.metrics.rows import ALL, Rows
from padf_core.metrics.segments import SegmentScores
from padf_core.metrics.sweep import rank_scores
from padf_core.metrics.sweep_results import BestPoint
from padf_core.metrics.timing import ASSUMED_STEP

MOST_DRAWS, FEWEST_DRAWS = 199, 5
MOST_DRAWN = 4_000_000
"""Maximum number of points of all random detectors together, except on very long series."""


@dataclass(frozen=True)
class RandomRow:
    """F1 of random detectors under one protocol, over several runs."""

    protocol: Protocol
    f1: tuple[float, ...]
    """F1 of each run."""
    alarm_rates: tuple[float, ...]
    """Share of points that each run flags."""

    @property
    def mean(self) -> float:
        """Mean F1."""
        return float(np.mean(self.f1))

    @property
    def spread(self) -> float:
        """Standard deviation of F1 between runs."""
        return float(np.std(self.f1, ddof=1)) if len(self.f1) > 1 else 0.0

    @property
    def highest(self) -> float:
        """The highest F1 of all runs."""
        return max(self.f1)

    def share_below(self, f1: float) -> float:
        """Return the share of runs with an F1 below this one."""
        return float(np.mean(np.array(self.f1) < f1))

    @property
    def alarm_rate(self) -> float:
        """Mean share of points flagged."""
        return float(np.mean(self.alarm_rates))


def count_draws(points: int) -> int:
    """Return the default number of random detectors for a series of this length.

    >>> count_draws(10_000), count_draws(100_000), count_draws(10_000_000)
    (199, 40, 5)
    """
    return int(np.clip(MOST_DRAWN // max(1, points), FEWEST_DRAWS, MOST_DRAWS))


def count_alarms(scores: NumberArray, rows: Rows, threshold: float) -> int:
    """Return the number of alarms at a threshold, early windows included, ignored rows excluded.

    >>> count_alarms(np.array([0.1, 0.4, 0.3]), ALL, 0.3)
    2
    """
    heard = scores if rows.watched is None else scores[rows.watched]
    return int(np.count_nonzero(heard >= threshold))


def random_rows(
    labels: BoolArray,
    protocols: Sequence[Protocol],
    runs: int | None = None,
    seed: int = 0,
    progress: Progress = no_progress,
    rows: Rows = ALL,
    alarms: int | None = None,
) -> list[RandomRow]:
    """Score uniformly random scores, each run at its own best threshold.

    With ``alarms``, each run has this number of alarms at random positions. This is the baseline
    for given alarms.

    >>> from padf_core import PointAdjust
    >>> labels = np.arange(1000) % 100 >= 80
    >>> row = random_rows(labels, [PointAdjust()], runs=5)[0]
    >>> row.mean > 0.6, len(row.f1)
    (True, 5)
    >>> random_rows(labels, [PointAdjust()], 2, alarms=9)[0].alarm_rates
    (0.009, 0.009)
    """
    listed = check_protocols(protocols)
    labels = check_binary("labels", labels)
    asked = count_draws(labels.size) if runs is None else runs
    count = int(check_number("runs", asked, lambda x: 1 <= x <= 1000, "from 1 to 1000"))
    made: list[list[BestPoint]] = []
    for run in range(count):
        made.append(_points_of_one(labels, listed, seed, run, rows, alarms))
        progress((run + 1) / count)
    return [
        RandomRow(
            protocol,
            tuple(run[index].f1 for run in made),
            tuple(run[index].flagged for run in made),
        )
        for index, protocol in enumerate(listed)
    ]


def _random_scores(size: int, seed: int, run: int) -> NumberArray:
    """Return uniformly random scores in a read-only array."""
    return frozen(np.random.default_rng([seed, run]).random(size, dtype=np.float32))


def _points_of_one(
    labels: BoolArray,
    protocols: Sequence[Protocol],
    seed: int,
    run: int,
    rows: Rows,
    alarms: int | None,
) -> list[BestPoint]:
    """Score one random detector at its best threshold, or with a given number of alarms."""
    if alarms is None:
        # A protocol's result must not depend on which other protocols are scored.
        drawn = {
            in_time: _random_ranked(labels, seed, run, rows, in_time=in_time)
            for in_time in {_needs_time(protocol) for protocol in protocols}
        }
        return [drawn[_needs_time(protocol)].best(protocol) for protocol in protocols]
    scores = _random_scores(labels.size, seed, run)
    ranked = RankedScores(labels, scores, rows, keeps=False)
    threshold = highest(scores, rows, alarms)
    return [ranked.point(threshold, protocol) for protocol in protocols]


def _needs_time(protocol: Protocol) -> bool:
    """Return whether a protocol depends on which normal points are neighbours."""
    return protocol.false_alarms == "runs"


def _random_ranked(
    labels: BoolArray, seed: int, run: int, rows: Rows, *, in_time: bool
) -> RankedScores:
    """Draw a random detector; if time does not matter, only the order of its scores."""
    if in_time or rows.early is not None:
        return RankedScores(labels, _random_scores(labels.size, seed, run), rows, keeps=False)
    return _random_ranks(labels, np.random.default_rng([seed, run]), rows)


def _random_ranks(labels: BoolArray, rng: np.random.Generator, rows: Rows) -> RankedScores:
    """Return the sorted scores of a random detector without drawing each score.

    The anomalous points are in random order. The normal points fall between them as independent
    points fall between sorted uniform points: as a multinomial over exponential spacings. Scores
    are ranks. The highest anomalous point gets their number, and normal points between two ranks
    get the half in between.
    """
    truth, rows = rows.label(labels)
    segments = rows.segments(truth)
    count = int(np.count_nonzero(truth))
    normal = int(np.count_nonzero(rows.only(~truth)))
    spacings = rng.standard_exponential(count + 1)
    between = rng.multinomial(normal, spacings / spacings.sum())
    order = rng.permutation(count)
    in_time = np.empty(count, dtype=np.float32)
    in_time[order] = np.arange(count, 0, -1)
    steps = np.arange(count + 1, dtype=np.float32) + np.float32(0.5)
    inside = SegmentScores(segments, in_time, rows.timing, order)
    return RankedScores.of_parts(np.repeat(steps, between), inside, None)


def highest(scores: NumberArray, rows: Rows, count: int) -> float:
    """Return the threshold that ``count`` of the scores that can raise an alarm reach.

    >>> highest(np.array([0.1, 0.4, 0.3]), ALL, 2), highest(np.array([0.1]), ALL, 0)
    (0.3, inf)
    """
    heard = scores if rows.watched is None else scores[rows.watched]
    if not count:
        return float("inf")
    return float(np.partition(heard, heard.size - count)[heard.size - count])


@dataclass(frozen=True, eq=False)
class Runs:
    """F1 of simulated runs, one row per run and one column per position."""

    f1: FloatArray

    @property
    def mean(self) -> FloatArray:
        """Mean over the runs at each position."""
        average: FloatArray = self.f1.mean(axis=0)
        return average

    def band(self, level: float = 0.9) -> tuple[FloatArray, FloatArray]:
        """Return the interval that holds this share of the runs at each position."""
        low, high = np.quantile(self.f1, [(1 - level) / 2, (1 + level) / 2], axis=0)
        return low, high


@dataclass(frozen=True, eq=False)
class Simulated(Runs):
    """F1 of simulated random scores at several thresholds."""

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
    """Simulate random scores on a series of equal segments, and score them.

    The series has 100 segments, or fewer (at least ten) if it would exceed ``points`` points.
    Thresholds must be increasing.
    """
    every = max(length + 1, round(length / anomaly_ratio))
    segments = max(10, min(100, points // every))
    labels = (np.arange(segments * every) % every) >= every - length
    rising = np.asarray(thresholds, dtype=np.float64)
    falling_levels = np.arange(rising.size, 0, -1)
    made = np.zeros((len(protocols), runs, rising.size))
    for run in range(runs):
        scores = np.random.default_rng([seed, run]).random(labels.size)
        # The number of thresholds that a score reaches is all that matters, and it sorts much
        # faster.
        levels = np.searchsorted(rising, scores, side="right")
        ranked = rank_scores(labels, levels, times=ASSUMED_STEP)
        for index, protocol in enumerate(protocols):
            made[index, run] = ranked.at(falling_levels, protocol).f1[::-1]
        progress((run + 1) / runs)
    return [Simulated(made[index], protocol, rising) for index, protocol in enumerate(protocols)]


@dataclass(frozen=True, eq=False)
class RandomDetectors:
    """Random detectors under a decay with a varying parameter, each at its best thresholds."""

    axis: Axis
    forms: tuple[Forms, ...]

    def at(self, number: float) -> FloatArray:
        """Return the best F1 of each detector at one value of the decay's parameter."""
        return np.array([each.best_at(self.axis, number) for each in self.forms])

    def over(self, numbers: Sequence[float]) -> Runs:
        """Return the best F1 of each detector at many values of the parameter."""
        return Runs(np.array([self.at(number) for number in numbers]).T)


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
    """Draw random detectors that can be scored at any value of a decay's parameter.

    >>> labels = np.arange(400) % 40 >= 30
    >>> protocol = PointAdjustDecay()
    >>> drawn = random_detectors(labels, protocol, Axis.of(protocol, 1, 10), runs=3)
    >>> drawn.at(5).shape, drawn.over([5, 50]).f1.shape
    ((3,), (3, 2))
    """
    made = []
    for run in range(runs):
        ranked = _random_ranked(labels, seed, run, rows, in_time=False)
        made.append(forms_of_scores(ranked, protocol))
        progress((run + 1) / runs)
    return RandomDetectors(axis, tuple(made))


def moved_detectors(
    detector: Detector,
    threshold: float | Protocol | None,
    protocol: PointAdjustDecay,
    axis: Axis,
    *,
    shifts: int,
    progress: Progress = no_progress,
) -> RandomDetectors:
    """Shift a detector's scores in time, to score the copies at any value of a decay's parameter.

    ``threshold`` is a number, a protocol whose best threshold each copy uses, or None for the best
    thresholds under the decay.
    """
    moved = MovedScores(detector.labels, detector.scores, detector.rows)
    amounts = moved.amounts(shifts)
    made = []
    for done, by in enumerate(amounts, start=1):
        ranked = moved.moved(by)
        at = chosen_threshold(ranked, threshold)
        if at is None:
            made.append(forms_of_scores(ranked, protocol))
        else:
            alarms = moved.values(by) >= at
            pattern = make_pattern(detector.labels, alarms, detector.rows)
            made.append(forms_of_pattern(pattern, protocol))
        progress(done / len(amounts))
    return RandomDetectors(axis, tuple(made))
