"""What is replayed: incidents as clips, and the rules by which detectors ring."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf

import numpy as np

from padf_core import Evaluation, PointAdjust, PointAdjustDecay, Settings
from padf_core.analysis.alerting import RuleOutcome, RuleSearch, outcome_of, ring
from padf_core.analysis.choosing import Need
from padf_core.io.series import Detector, Series
from padf_core.io.times import MICROSECONDS
from padf_core.metrics.alerts import AlertRule
from padf_core.metrics.checks import FloatArray, Progress, no_progress
from padf_core.metrics.decays import LADDER
from padf_core.metrics.evaluation import Pattern, evaluate_pattern, make_pattern
from padf_core.metrics.timing import ASSUMED_STEP
from padf_ui.session.replay import Replay, fitted
from padf_ui.session.screen_names import shown_names
from padf_ui.wire.limits import MOST_CLIPS

LEAST_BEFORE = 10
"""So many points are shown before an incident at least."""


@dataclass(frozen=True)
class Clip:
    """The rows of an incident, with some before and behind; half-open."""

    number: int
    first: int
    start: int
    stop: int
    last: int


@dataclass(frozen=True, eq=False)
class Judged:
    """A detector at its rule: its alarms, and what they earn."""

    index: int
    name: str
    outcome: RuleOutcome
    pattern: Pattern
    usual: Evaluation
    aware: Evaluation

    @property
    def rule(self) -> AlertRule:
        """The rule by which it rings."""
        return self.outcome.rule

    @cached_property
    def credit(self) -> FloatArray:
        """What the first alarm in each incident was worth."""
        return self.aware.segment_credit


@dataclass(frozen=True, eq=False)
class Scene:
    """A series with its detectors at their rules, and what of it is replayed."""

    series: Series
    replay: Replay
    need: Need
    decay: PointAdjustDecay
    judged: tuple[Judged, ...]
    """Every detector."""
    pair: tuple[int, ...]
    """Those that run side by side."""
    clips: tuple[Clip, ...]

    @property
    def shown(self) -> list[Judged]:
        """The detectors that run side by side."""
        return [self.judged[index] for index in self.pair]

    def detector(self, judged: Judged) -> Detector:
        """Return the scores of a detector that was judged."""
        return self.series.detectors[judged.index]

    @property
    def step(self) -> float:
        """Seconds from one point to the next."""
        return self.series.step_seconds or ASSUMED_STEP

    @property
    def days(self) -> float:
        """How long the data are."""
        return days_of(self.series)

    @property
    def is_all(self) -> bool:
        """Whether all incidents are replayed in a row."""
        return self.replay.incident == "all"

    def seconds(self, first: int, last: int) -> FloatArray:
        """Return the time of rows since the first of them, half-open."""
        clock = self.series.clock
        if clock is None or clock.stamps is None:
            return np.arange(last - first, dtype=np.float64) * self.step
        since: FloatArray = (clock.stamps[first:last] - clock.stamps[first]) / MICROSECONDS
        return since


def watcher(scene: Scene, presses: Sequence[int]) -> Judged:
    """Return who pressed at these rows, as a detector for whom only the clips count."""
    series = scene.series
    rung, inside = np.zeros(series.size, dtype=np.bool_), np.zeros(series.size, dtype=np.bool_)
    rung[list(presses)] = True
    for clip in scene.clips:
        inside[clip.first : clip.last] = True
    rows = replace(series.rows, counts=series.rows.only(inside))
    pattern = make_pattern(series.labels, rung, rows)
    return _judged(-1, "You", pattern, AlertRule(1.0), scene.decay)


def days_of(series: Series) -> float:
    """Return how long data are; without a clock a row is taken as a minute."""
    if series.clock is None:
        return series.counted * ASSUMED_STEP / 86400
    return series.clock.seconds_of(series.rows.counts) / 86400


def suggested_need(series: Series) -> Need:
    """Return a need for data of which nobody has said one.

    Half of an alarm's worth is gone after a quarter of a typical incident, roundly.
    """
    lengths = series.segments.lengths
    step = series.step_seconds or ASSUMED_STEP
    typical = float(np.median(lengths)) * step / 4 if lengths.size else Need().seconds
    return Need(seconds=max((each for each in LADDER if each <= typical), default=LADDER[0]))


def padf_for_need(settings: Settings, need: Need) -> PointAdjustDecay:
    """Return the time-aware protocol with a need; the other choices are those of the settings."""
    protocol = settings.replace(**need.values).protocol("padf")
    assert isinstance(protocol, PointAdjustDecay)
    return protocol


def judge(
    series: Series, replay: Replay, decay: PointAdjustDecay, progress: Progress = no_progress
) -> tuple[Judged, ...]:
    """Set every detector to the threshold that earns most within the budget, at the wait asked."""
    names, count = shown_names(series.names), len(series.detectors)
    days = days_of(series)
    made = []
    for index, detector in enumerate(series.detectors):
        search = RuleSearch(detector, decay, replay.cooldown)
        best = search.best(replay.budget * days, [replay.wait])
        threshold = inf if best is None else best.rule.threshold
        rule = AlertRule(threshold, replay.wait, replay.cooldown)
        made.append(at_rule(detector, index, names[index], rule, decay))
        progress((index + 1) / count)
    return tuple(made)


def at_rule(
    detector: Detector, index: int, name: str, rule: AlertRule, decay: PointAdjustDecay
) -> Judged:
    """Return a detector at a rule."""
    return _judged(index, name, ring(detector, rule), rule, decay)


def _judged(
    index: int, name: str, pattern: Pattern, rule: AlertRule, decay: PointAdjustDecay
) -> Judged:
    usual, aware = evaluate_pattern(pattern, [PointAdjust(), decay])
    return Judged(index, name, outcome_of(pattern, rule, decay), pattern, usual, aware)


def set_scene(
    series: Series,
    replay: Replay,
    need: Need,
    decay: PointAdjustDecay,
    judged: tuple[Judged, ...],
    usual: Sequence[Judged],
) -> Scene:
    """Choose what is replayed: as was said, or what tells most.

    What tells most is found with the ``usual`` rule and need: no knob changes who is compared.
    """
    replay, _ = fitted(replay, series)
    pair = telling_pair(usual) if replay.detectors is None else replay.detectors
    fixed = list(judged)
    for place, index in enumerate(pair):
        threshold = replay.thresholds[place]
        if threshold is not None:
            rule = replace(judged[index].rule, threshold=threshold)
            detector = series.detectors[index]
            fixed[index] = at_rule(detector, index, judged[index].name, rule, decay)
    judged = tuple(fixed)
    chosen = chosen_incidents(replay, usual, pair)
    clips = tuple(clip_of(series, number) for number in chosen)
    return Scene(series, replay, need, decay, judged, pair, clips)


def telling_pair(judged: Sequence[Judged]) -> tuple[int, ...]:
    """Return whom the usual score flatters most, and whose alarms are worth most."""
    flattered = max(judged, key=lambda each: each.usual.f1 - each.aware.f1)
    others = [each for each in judged if each is not flattered]
    if not others:
        return (flattered.index,)
    best = max(others, key=lambda each: (each.outcome.worth, each.aware.f1))
    return flattered.index, best.index


def chosen_incidents(replay: Replay, judged: Sequence[Judged], pair: Sequence[int]) -> list[int]:
    """Return the incidents that are replayed, by number."""
    count = judged[pair[0]].outcome.incidents
    if replay.incident == "all":
        return list(range(min(count, MOST_CLIPS)))
    if replay.incident is not None and replay.incident < count:
        return [replay.incident]
    if not count:
        return []
    one, other = (judged[pair[place]].credit for place in (0, -1))
    # An alarm that comes late tells more than one that never comes.
    return [int(np.argmax(other - one - (one == 0)))]


def clip_of(series: Series, number: int) -> Clip:
    """Return an incident with half of its time before it and a quarter behind, alone."""
    segments = series.segments
    start, stop = int(segments.starts[number]), int(segments.stops[number])
    length = stop - start
    lowest = int(segments.stops[number - 1]) if number else 0
    highest = int(segments.starts[number + 1]) if number + 1 < len(segments) else series.size
    begins = series.rows.begins
    if begins is not None:
        borders = np.flatnonzero(begins)
        lowest = max(lowest, int(borders[borders <= start].max(initial=0)))
        highest = min(highest, int(borders[borders > start].min(initial=series.size)))
    first = max(lowest, start - max(LEAST_BEFORE, length // 2))
    last = min(highest, stop + max(LEAST_BEFORE // 2, length // 4))
    return Clip(number, first, start, stop, last)
