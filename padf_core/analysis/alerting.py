"""What an alert rule earns and what it costs: every cell of a map, and the best rule, exactly.

Waiting for ``wait`` points in a row is a threshold on the lowest of the last ``wait`` scores, so
every threshold of every wait comes from the sweep of those. A cool-down takes alarms away: what
is earned without one is the most that can be earned with it, which tells where not to look.
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
"""The days of a month of costs."""


COST_DECAY = PointAdjustDecay(LinearDecay(1.0), measure="share", weight="points")
"""The decay that a cost per minute is: credit falls evenly to the incident's own end.

An incident that lasts L and is noticed after t has cost a·t instead of a·L: a share of 1 - t/L of
its cost is saved, and incidents weigh by how long they last.
"""

WAITS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 45, 60)
"""The waits that a map shows, in points, as far as incidents are that long."""


@dataclass(frozen=True)
class RuleOutcome:
    """What a rule did on a series: how much was earned, and how often it rang for nothing."""

    rule: AlertRule
    worth: float
    """Mean over incidents of what the first alarm in each was worth; nothing where none came."""
    found: int
    incidents: int
    false_calls: int
    """Alarms outside incidents: without a cool-down, one for each point that rings."""
    unnoticed_seconds: float
    """How long incidents went on unnoticed, all together; those that were missed to their end."""

    def per_day(self, days: float) -> float:
        """Return the false calls of a day."""
        return self.false_calls / days

    def cost(self, days: float, per_minute: float, per_call: float) -> float:
        """Return the cost of a month, if all months are like these days."""
        once = per_minute * self.unnoticed_seconds / 60 + per_call * self.false_calls
        return once / days * MONTH_DAYS


def ring(detector: Detector, rule: AlertRule) -> Pattern:
    """Return labels and the alarms of a rule; detections ring as scores of 0 and 1."""
    wanted = replace(rule, threshold=1.0) if detector.is_binary else rule
    alarms = alarms_of(detector.scores, wanted, detector.rows)
    return make_pattern(detector.labels, alarms, detector.rows)


def outcome_of(pattern: Pattern, rule: AlertRule, decay: PointAdjustDecay) -> RuleOutcome:
    """Return what a rule's alarms earned and cost."""
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
    """Return how long each incident went unnoticed; one that was missed, to its end."""
    late = np.asarray(pattern.found.late("clock"), dtype=np.float64)
    return np.where(pattern.found.detected, late, lasted_seconds(pattern))


def lasted_seconds(pattern: Pattern) -> FloatArray:
    """Return how long each incident lasted: to its last row, and the step behind that."""
    timing, starts, stops = pattern.rows.timing, pattern.segments.starts, pattern.segments.stops
    if timing.times is None:
        return timing.elapsed(starts, stops - starts)
    rows = timing.times.size
    # Behind the last row of all, as if the last step went on.
    ahead = np.minimum(stops, rows - 1)
    step = timing.times[ahead] - timing.times[ahead - 1] if rows > 1 else np.zeros(stops.size)
    last = timing.elapsed(starts, stops - 1 - starts)
    return last + np.maximum(step, 0) / timing.per_second


class RuleSearch:
    """Every threshold of a detector's rules, at one cool-down.

    Scores are kept as levels: 1 for the lowest score that there is, one more for each higher one,
    0 where a rule can never ring.
    """

    def __init__(self, detector: Detector, decay: PointAdjustDecay, cooldown: int = 0) -> None:
        self.detector = detector
        self.decay = replace(decay, weight="segments", convention="tables")
        self.cooldown = check_points("cooldown", cooldown, 0)

    @cached_property
    def scores(self) -> list[float]:
        """The thresholds that there are, rising; detections have but one."""
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
        """Points of the longest incident: no longer wait can earn anything."""
        return int(self._segments.lengths.max(initial=1))

    def _waited(self, waits: Sequence[int]) -> Iterator[tuple[int, IntArray]]:
        """Yield the lowest level of the last points, for each of these rising waits."""
        begins, now, levels = self._begins, 1, self._levels
        for wait in waits:
            while now < wait:
                # Twice the points that are known, or as many as are still wanted.
                more = min(now, wait - now)
                levels = _lowest_with(levels, more, begins)
                now += more
            yield wait, levels

    def best(
        self, most: float, waits: Sequence[int] = WAITS, progress: Progress = no_progress
    ) -> RuleOutcome | None:
        """Return the rule that earns most with at most so many false calls; None without any.

        Every threshold of each of these waits is considered. Of thresholds that earn the same a
        wait has the highest; of waits, the one with fewer false calls wins, then the shorter one.
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
        """Return the highest of the levels that earn most with so many false calls."""
        ranked = RankedScores(self.detector.labels, levels, self.detector.rows, keeps=False)
        falling = ranked.thresholds
        if self.detector.rows.early is not None:
            # Scores of early windows are no thresholds of their own, but a rule may ring at them.
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
        """Let rules with a cool-down ring, from the levels that may earn most on.

        ``bound`` is what each level earns without a cool-down. That rises as levels fall, so the
        search ends where it is below what has been found. False calls do not rise with it: a lower
        threshold may ring earlier and then keep quiet.
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
                # Of equal ones the highest: those of this group fall, those of the next are higher.
                is_new = earned > best * (1 + SAME) or (
                    at is not None and level > at and earned >= best * (1 - SAME)
                )
                if calls <= most and is_new:
                    best, at = earned, level
                    if earned >= bound[start] * (1 - SAME):
                        break
        return at

    def _rung(self, levels: IntArray, level: int) -> tuple[float, int]:
        """Return what the rule of one level earns, and how often it rings for nothing."""
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
        """Return how many of the falling levels there are before all others ring too often.

        An alarm in an incident keeps at most ``cooldown`` rows behind it quiet. What rings behind
        them, as if nothing had rung before, is the least that a level can ring for nothing; and
        that never falls as levels do.
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
        """Rows on which an alarm is no false call: those of incidents and early windows."""
        watched = self.detector.rows.watched
        return ~self._is_normal if watched is None else watched & ~self._is_normal

    @cached_property
    def _stretches(self) -> BoolArray:
        """Where a stretch without incidents begins, or a series."""
        cut = np.zeros(self._labels.size, dtype=np.bool_)
        cut[1:] = self._may_hit[:-1] & ~self._may_hit[1:]
        return cut if self._begins is None else cut | self._begins

    @cached_property
    def _is_clear(self) -> BoolArray:
        """Normal rows that no alarm in an incident can keep quiet."""
        ends = np.flatnonzero(self._may_hit[:-1] & ~self._may_hit[1:]) + 1
        stops = ends + self.cooldown
        if self._begins is not None:
            firsts = np.append(np.flatnonzero(self._begins), self._labels.size)
            # A series that ends with its incident keeps nothing of the next one quiet.
            stops = np.minimum(stops, firsts[np.searchsorted(firsts, ends)])
        return self._is_normal & ~covered(ends, stops, self._labels.size)


def _lowest_with(levels: IntArray, back: int, begins: BoolArray | None) -> IntArray:
    """Return the lower of each level and the one so many points before; 0 where there is none."""
    made = np.zeros_like(levels)
    np.minimum(levels[back:], levels[:-back], out=made[back:])
    if begins is not None:
        firsts = np.flatnonzero(begins)
        made[covered(firsts, firsts + back, levels.size)] = 0
    return made


def _is_better(one: RuleOutcome, other: RuleOutcome) -> bool:
    """Say whether a rule with a longer wait is to be preferred."""
    if abs(one.worth - other.worth) > SAME * max(one.worth, other.worth):
        return one.worth > other.worth
    return one.false_calls < other.false_calls
