"""Scene of a replay: incidents as clips, and detectors with their alert rules."""

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
from padf_core.io.timestamps import MICROSECONDS
from padf_core.metrics.alerts import AlertRule
from padf_core.metrics.checks import FloatArray, Progress, no_progress
from padf_core.metrics.decays import LADDER
from padf_core.metrics.evaluation import Pattern, evaluate_pattern, make_pattern
from padf_core.metrics.timing import ASSUMED_STEP
from padf_ui.session.replay import Replay, fitted
from padf_ui.session.screen_names import shown_names
from padf_ui.wire.limits import MOST_CLIPS

LEAST_BEFORE = 10
"""Smallest number of points shown before an incident, if the data has them."""


@dataclass(frozen=True)
class Clip:
    """Rows of an incident and its surroundings: [start, stop) inside [first, last)."""

    number: int
    first: int
    start: int
    stop: int
    last: int


@dataclass(frozen=True, eq=False)
class Judged:
    """A detector at its alert rule: its alarms and its scores."""

    index: int
    name: str
    outcome: RuleOutcome
    pattern: Pattern
    usual: Evaluation
    aware: Evaluation

    @property
    def rule(self) -> AlertRule:
        """The alert rule of the detector."""
        return self.outcome.rule

    @cached_property
    def credit(self) -> FloatArray:
        """Credit of the first alarm in each incident."""
        return self.aware.segment_credit


@dataclass(frozen=True, eq=False)
class Scene:
    """A series with its detectors at their rules, and the part to replay."""

    series: Series
    replay: Replay
    need: Need
    decay: PointAdjustDecay
    judged: tuple[Judged, ...]
    """All detectors."""
    pair: tuple[int, ...]
    """Indices of the detectors shown side by side."""
    clips: tuple[Clip, ...]

    @property
    def shown(self) -> list[Judged]:
        """The detectors shown side by side."""
        return [self.judged[index] for index in self.pair]

    def detector(self, judged: Judged) -> Detector:
        """Return the scores of a judged detector."""
        return self.series.detectors[judged.index]

    @property
    def step(self) -> float:
        """Seconds between points."""
        return self.series.step_seconds or ASSUMED_STEP

    @property
    def days(self) -> float:
        """Duration of the data in days."""
        return days_of(self.series)

    @property
    def is_all(self) -> bool:
        """Whether all incidents are replayed in a row."""
        return self.replay.incident == "all"

    def seconds(self, first: int, last: int) -> FloatArray:
        """Return the times of rows [first, last) in seconds since the first of them."""
        clock = self.series.clock
        if clock is None or clock.stamps is None:
            return np.arange(last - first, dtype=np.float64) * self.step
        since: FloatArray = (clock.stamps[first:last] - clock.stamps[first]) / MICROSECONDS
        return since


def watcher(scene: Scene, presses: Sequence[int]) -> Judged:
    """Return the watcher as a detector with alarms at these rows. Only rows in the clips count."""
    series = scene.series
    rung, inside = np.zeros(series.size, dtype=np.bool_), np.zeros(series.size, dtype=np.bool_)
    rung[list(presses)] = True
    for clip in scene.clips:
        inside[clip.first : clip.last] = True
    rows = replace(series.rows, counts=series.rows.only(inside))
    pattern = make_pattern(series.labels, rung, rows)
    return _judged(-1, "You", pattern, AlertRule(1.0), scene.decay)


def days_of(series: Series) -> float:
    """Return the duration of the data in days. Without a clock, a row counts as one minute."""
    if series.clock is None:
        return series.counted * ASSUMED_STEP / 86400
    return series.clock.seconds_of(series.rows.counts) / 86400


def suggested_need(series: Series) -> Need:
    """Return a default need for data without one.

    An alarm loses half of its worth after a quarter of a typical incident, rounded down to a step.
    """
    lengths = series.segments.lengths
    step = series.step_seconds or ASSUMED_STEP
    typical = float(np.median(lengths)) * step / 4 if lengths.size else Need().seconds
    return Need(seconds=max((each for each in LADDER if each <= typical), default=LADDER[0]))


def padf_for_need(settings: Settings, need: Need) -> PointAdjustDecay:
    """Return PAdf with the decay of a need. All other choices come from the settings."""
    protocol = settings.replace(**need.values).protocol("padf")
    assert isinstance(protocol, PointAdjustDecay)
    return protocol


def judge(
    series: Series, replay: Replay, decay: PointAdjustDecay, progress: Progress = no_progress
) -> tuple[Judged, ...]:
    """Set each detector to the threshold that earns most within the budget, at the chosen wait."""
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
    """Evaluate a detector at a rule."""
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
    """Choose the detectors and incidents to replay. By default, choose the most instructive ones.

    The default depends only on the ``usual`` rule and need. Changing a control therefore does not
    change which detectors are compared.
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
    """Return the detector with the most inflated usual score, and the one with the most worth."""
    flattered = max(judged, key=lambda each: each.usual.f1 - each.aware.f1)
    others = [each for each in judged if each is not flattered]
    if not others:
        return (flattered.index,)
    best = max(others, key=lambda each: (each.outcome.worth, each.aware.f1))
    return flattered.index, best.index


def chosen_incidents(replay: Replay, judged: Sequence[Judged], pair: Sequence[int]) -> list[int]:
    """Return the numbers of the incidents to replay."""
    count = judged[pair[0]].outcome.incidents
    if replay.incident == "all":
        return list(range(min(count, MOST_CLIPS)))
    if replay.incident is not None and replay.incident < count:
        return [replay.incident]
    if not count:
        return []
    one, other = (judged[pair[place]].credit for place in (0, -1))
    # An incident that is detected late is more instructive than a missed one.
    return [int(np.argmax(other - one - (one == 0)))]


def clip_of(series: Series, number: int) -> Clip:
    """Return a clip with half an incident's length before it and a quarter after it.

    The clip contains no other incident.
    """
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
