"""Compute what alert rules earn and cost, and find the best rule exactly.

A rule that waits for ``wait`` points in a row is a threshold on the minimum of the last ``wait``
scores. One sweep of these minima therefore covers every threshold of a wait. A cool-down only
removes alarms, so the credit without a cool-down is an upper bound that limits the search.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from padf_core.io.series import Detector
from padf_core.metrics.alerts import AlertRule, alarms_of, check_points, thinned
from padf_core.metrics.checks import (
    BoolArray,
    FloatArray,
    IntArray,
    Progress,
    check_number,
    no_progress,
)
from padf_core.metrics.decays import LinearDecay
from padf_core.metrics.evaluation import Pattern, make_pattern
from padf_core.metrics.protocols.point_adjust_decay import PointAdjustDecay
from padf_core.metrics.ranked_scores import RankedScores
from padf_core.metrics.segments import Segments, count_hits, covered
from padf_core.metrics.sweep_results import SAME

MONTH_DAYS = 30
"""Days in a month, for costs per month."""


COST_DECAY = PointAdjustDecay(LinearDecay(1.0), measure="share", weight="points")
"""The decay that equals a cost per minute: credit falls linearly to the incident's end.

An incident of length L that is detected after t has cost a·t instead of a·L. The share of the cost
that is saved is 1 - t/L. Incidents are weighted by their length.
"""

WAITS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 45, 60)
"""Waits shown in a map, in points, up to the length of the longest incident."""


@dataclass(frozen=True)
class RuleOutcome:
    """The result of a rule on a series: the credit earned and the number of false alarms."""

    rule: AlertRule
    worth: float
    """Mean credit of the first alarm in each incident; 0 for a missed incident."""
    found: int
    incidents: int
    false_calls: int
    """Alarms outside incidents. Without a cool-down, every flagged point is one alarm."""
    unnoticed_seconds: float
    """Total time that incidents went undetected. A missed incident counts to its end."""

    def per_day(self, days: float) -> float:
        """Return the number of false alarms per day."""
        return self.false_calls / days

    def cost(self, days: float, per_minute: float, per_call: float) -> float:
        """Return the cost per month, assuming that every month is like these days."""
        once = per_minute * self.unnoticed_seconds / 60 + per_call * self.false_calls
        return once / days * MONTH_DAYS


def ring(detector: Detector, rule: AlertRule) -> Pattern:
    """Return the labels with a rule's alarms; detections are treated as scores of 0 and 1."""
    wanted = replace(rule, threshold=1.0) if detector.is_binary else rule
    alarms = alarms_of(detector.scores, wanted, detector.rows)
    return make_pattern(detector.labels, alarms, detector.rows)


def outcome_of(pattern: Pattern, rule: AlertRule, decay: PointAdjustDecay) -> RuleOutcome:
    """Return the credit and the costs of a rule's alarms."""
    found = pattern.found
    count = len(pattern.segments)
    return RuleOutcome(
        rule,
        float(decay.credit(found).sum() / count) if count else 0.0,
        pattern.detected,
        count,
        pattern.false_positives,
        float(unnoticed_seconds(pattern).sum()),
    )


def unnoticed_seconds(pattern: Pattern) -> FloatArray:
    """Return how long each incident went undetected; a missed incident counts to its end."""
    late = np.asarray(pattern.found.late("clock"), dtype=np.float64)
    return np.where(pattern.found.detected, late, lasted_seconds(pattern))


def lasted_seconds(pattern: Pattern) -> FloatArray:
    """Return how long each incident lasted, including the step after its last row."""
    timing, starts, stops = pattern.rows.timing, pattern.segments.starts, pattern.segments.stops
    if timing.times is None:
        return timing.elapsed(starts, stops - starts)
    rows = timing.times.size
    # After the last row of the data, assume that the last step repeats.
    ahead = np.minimum(stops, rows - 1)
    step = timing.times[ahead] - timing.times[ahead - 1] if rows > 1 else np.zeros(stops.size)
    last = timing.elapsed(starts, stops - 1 - starts)
    return last + np.maximum(step, 0) / timing.per_second


class RuleSearch:
    """Search all thresholds of a detector's alert rules, with a fixed cool-down.

    Scores are replaced by levels: 1 for the lowest score, 2 for the next one, and so on. Level 0
    marks rows where a rule can never alert.
    """

    def __init__(self, detector: Detector, decay: PointAdjustDecay, cooldown: int = 0) -> None:
        self.detector = detector
        self.decay = replace(decay, weight="segments", convention="tables")
        self.cooldown = check_points("cooldown", cooldown, 0)

    @cached_property
    def scores(self) -> list[float]:
        """The distinct thresholds in increasing order; detections have only one."""
        return self._distinct[0]

    @cached_property
    def _levels(self) -> IntArray:
        return self._distinct[1]

    @cached_property
    def _distinct(self) -> tuple[list[float], IntArray]:
        detector = self.detector
        if detector.is_binary:
            rung = alarms_of(detector.scores, AlertRule(1.0), detector.rows)
            return [1.0], rung.astype(np.int64)
        values, places = np.unique(detector.scores, return_inverse=True)
        watched = detector.rows.watched
        levels = places.astype(np.int64) + 1
        return values.tolist(), levels if watched is None else np.where(watched, levels, 0)

    @property
    def longest(self) -> int:
        """Length of the longest incident in points; a longer wait cannot earn any credit."""
        return int(self._segments.lengths.max(initial=1))

    def _waited(self, waits: Sequence[int]) -> Iterator[tuple[int, IntArray]]:
        """Yield the minimum level of the last points, for each of these increasing waits."""
        begins, now, levels = self._begins, 1, self._levels
        for wait in waits:
            while now < wait:
                # Double the window, or add only as many points as are still missing.
                more = min(now, wait - now)
                levels = _lowest_with(levels, more, begins)
                now += more
            yield wait, levels

    def best(
        self, most: float, waits: Sequence[int] = WAITS, progress: Progress = no_progress
    ) -> RuleOutcome | None:
        """Return the rule that earns most with at most ``most`` false alarms, or None.

        Every threshold of each wait is considered. Within a wait, the highest of equally good
        thresholds is chosen. Between waits, fewer false alarms win, then the shorter wait.
        """
        allowed = check_number("most", most, lambda x: x >= 0, "at least 0")
        usable = sorted({check_points("waits", wait, 1) for wait in waits})
        found: RuleOutcome | None = None
        for done, (wait, levels) in enumerate(self._waited(usable), start=1):
            level = self._best_level(levels, allowed)
            if level is not None:
                made = self.outcome(AlertRule(self.scores[level - 1], wait, self.cooldown))
                if found is None or _is_better(made, found):
                    found = made
            progress(done / len(usable))
        return found

    def outcome(self, rule: AlertRule) -> RuleOutcome:
        """Return what a rule earns and costs."""
        return outcome_of(ring(self.detector, rule), rule, self.decay)

    def _best_level(self, levels: IntArray, most: float) -> int | None:
        """Return the highest level among those that earn most within the false-alarm budget."""
        ranked = RankedScores(self.detector.labels, levels, self.detector.rows, keeps=False)
        falling = ranked.thresholds
        if self.detector.rows.early is not None:
            # Scores in early windows are not thresholds of the sweep, but a rule may use them.
            falling = np.unique(levels)[::-1]
        falling = falling[: np.count_nonzero(falling > 0)]
        if not falling.size:
            return None
        sweep = ranked.at(falling, self.decay)
        earned = np.asarray(sweep.counts.earned)
        if self.cooldown:
            possible = self._count_possible(levels, falling, most)
            return self._best_quieted(levels, falling[:possible], earned[:possible], most)
        allowed = int(np.searchsorted(sweep.false_points, most, side="right"))
        if not allowed:
            return None
        return int(falling[np.argmax(earned >= earned[allowed - 1] * (1 - SAME))])

    def _best_quieted(
        self, levels: IntArray, falling: IntArray, bound: FloatArray, most: float
    ) -> int | None:
        """Search rules with a cool-down, starting with the levels that may earn most.

        ``bound`` is what each level earns without a cool-down. It rises as levels fall, so the
        search stops when the bound drops below the best result. False alarms do not rise in the
        same way: a lower threshold may alert earlier and then stay silent.
        """
        if not falling.size:
            return None
        edges = np.flatnonzero(bound[1:] > bound[:-1] * (1 + SAME)) + 1
        starts = [0, *edges.tolist()]
        best, at = -1.0, None
        for start, stop in zip(starts[::-1], [falling.size, *starts[:0:-1]], strict=True):
            if bound[start] < best * (1 - SAME):
                break
            for level in falling[start:stop].tolist():
                earned, calls = self._rung(levels, level)
                # On ties, keep the highest level. Levels fall within a group, and the next group is
                # higher.
                is_new = earned > best * (1 + SAME) or (
                    at is not None and level > at and earned >= best * (1 - SAME)
                )
                if calls <= most and is_new:
                    best, at = earned, level
                    if earned >= bound[start] * (1 - SAME):
                        break
        return at

    def _rung(self, levels: IntArray, level: int) -> tuple[float, int]:
        """Return the credit and the number of false alarms of the rule at one level."""
        places = thinned(np.flatnonzero(levels >= level), self.cooldown, self._begins)
        calls = int(np.count_nonzero(self._is_normal[places]))
        rows = self.detector.rows
        if rows.early is not None:
            alarms = np.zeros(levels.size, dtype=np.bool_)
            alarms[places] = True
            places = np.flatnonzero(rows.alarms(alarms))
        hits = count_hits(self._segments, places[self._labels[places]], rows.timing)
        return float(self.decay.credit(hits).sum()), calls

    def _count_possible(self, levels: IntArray, falling: IntArray, most: float) -> int:
        """Count the levels, from the highest down, that may stay within the false-alarm budget.

        An alarm in an incident silences at most the ``cooldown`` rows after the incident. Alarms
        after these rows, counted as if there were none before, are a lower bound on the false
        alarms of a level. This bound never decreases as levels fall, so a binary search is enough.
        """
        low, high = 0, falling.size
        while low < high:
            middle = (low + high) // 2
            places = np.flatnonzero((levels >= falling[middle]) & self._is_clear)
            if thinned(places, self.cooldown, self._stretches).size <= most:
                low = middle + 1
            else:
                high = middle
        return low

    @property
    def _labels(self) -> BoolArray:
        return self.detector.labels

    @property
    def _begins(self) -> BoolArray | None:
        return self.detector.rows.begins

    @cached_property
    def _segments(self) -> Segments:
        return self.detector.rows.segments(self._labels)

    @cached_property
    def _is_normal(self) -> BoolArray:
        return self.detector.rows.only(~self._labels)

    @cached_property
    def _may_hit(self) -> BoolArray:
        """Rows where an alarm is not a false alarm: incidents and early windows."""
        watched = self.detector.rows.watched
        return ~self._is_normal if watched is None else watched & ~self._is_normal

    @cached_property
    def _stretches(self) -> BoolArray:
        """Rows where a stretch between incidents, or a series, begins."""
        cut = np.zeros(self._labels.size, dtype=np.bool_)
        cut[1:] = self._may_hit[:-1] & ~self._may_hit[1:]
        return cut if self._begins is None else cut | self._begins

    @cached_property
    def _is_clear(self) -> BoolArray:
        """Normal rows that cannot be silenced by an alarm in an incident."""
        ends = np.flatnonzero(self._may_hit[:-1] & ~self._may_hit[1:]) + 1
        stops = ends + self.cooldown
        if self._begins is not None:
            firsts = np.append(np.flatnonzero(self._begins), self._labels.size)
            # An incident at the end of a series cannot silence rows of the next series.
            stops = np.minimum(stops, firsts[np.searchsorted(firsts, ends)])
        return self._is_normal & ~covered(ends, stops, self._labels.size)


def _lowest_with(levels: IntArray, back: int, begins: BoolArray | None) -> IntArray:
    """Return the lower of each level and the level ``back`` points earlier; 0 if there is none."""
    made = np.zeros_like(levels)
    np.minimum(levels[back:], levels[:-back], out=made[back:])
    if begins is not None:
        firsts = np.flatnonzero(begins)
        made[covered(firsts, firsts + back, levels.size)] = 0
    return made


def _is_better(one: RuleOutcome, other: RuleOutcome) -> bool:
    """Return whether a rule with a longer wait is better."""
    if abs(one.worth - other.worth) > SAME * max(one.worth, other.worth):
        return one.worth > other.worth
    return one.false_calls < other.false_calls
