"""Alert rules: when they ring, what they earn, and the best of them, against brute force."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import padf_core as padf
from padf_core.analysis.alerting import COST_DECAY, MONTH_DAYS, RuleSearch, outcome_of, ring
from padf_core.analysis.trade_map import trade_map
from padf_core.io.series import make_series
from padf_core.io.times import make_clock
from padf_core.metrics.evaluation import evaluate_pattern
from padf_core.metrics.rows import make_rows
from tests import naive
from tests.strategies import scored, timed_protocols

RINGS = [
    # scores, threshold, wait, cooldown, alarms, and what the row shows
    ("01101110", 1, 1, 0, "01101110", "waiting for one point is the bare threshold"),
    ("01101110", 1, 2, 0, "00100110", "an alarm at the last of two points in a row"),
    ("01101110", 1, 3, 0, "00000010", "a shorter run never rings"),
    ("01111111", 1, 1, 2, "01001001", "a run that outlasts the cool-down rings again"),
    ("01111111", 1, 3, 2, "00010010", "points in a row are counted on through the cool-down"),
    ("01110111", 1, 2, 3, "00100010", "in the cool-down a run grows, and rings right behind it"),
    ("01001000", 1, 1, 3, "01000000", "what begins and ends in the cool-down never rings"),
    ("11111111", 1, 9, 0, "00000000", "nothing is as long as the wait"),
    ("02230122", 2, 2, 0, "00110001", "at or above the threshold"),
]


def bits(text):
    return [int(each) for each in text]


@pytest.mark.parametrize(("scores", "threshold", "wait", "cooldown", "alarms", "shows"), RINGS)
def test_a_rule_rings_as_it_is_told(scores, threshold, wait, cooldown, alarms, shows):
    made = padf.alarms_from(bits(scores), padf.AlertRule(threshold, wait, cooldown))
    assert made.astype(int).tolist() == bits(alarms), shows


def test_neither_a_run_nor_a_cooldown_goes_over_a_border():
    rule = padf.AlertRule(1, wait=2, cooldown=3)
    made = padf.alarms_from([1, 1, 1, 1, 1, 1], rule, series=list("aaabbb"))
    assert made.astype(int).tolist() == [0, 1, 0, 0, 1, 0]


def test_a_row_that_does_not_count_ends_a_run_and_the_cooldown_goes_on():
    ignore = [0, 0, 1, 0, 0, 0, 0]
    made = padf.alarms_from([1] * 7, padf.AlertRule(1, wait=2), ignore=ignore)
    assert made.astype(int).tolist() == [0, 1, 0, 0, 1, 1, 1]
    quiet = padf.alarms_from([1] * 7, padf.AlertRule(1, wait=2, cooldown=3), ignore=ignore)
    assert quiet.astype(int).tolist() == [0, 1, 0, 0, 0, 1, 0]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"wait": 0}, "wait must be a whole number of points from 1 to 1,000,000; got 0"),
        ({"wait": 1.5}, "wait must be a whole number of points from 1"),
        ({"wait": True}, "wait must be a whole number of points from 1"),
        ({"cooldown": -1}, "cooldown must be a whole number of points from 0"),
        ({"threshold": float("nan")}, "threshold must be a number"),
    ],
)
def test_a_rule_says_what_it_must_be(change, problem):
    with pytest.raises(ValueError, match=problem):
        padf.AlertRule(**{"threshold": 0.5, **change})


def test_what_is_no_rule_is_refused():
    with pytest.raises(ValueError, match="rule must be an AlertRule"):
        padf.alarms_from([0.1], 0.5)


@st.composite
def watched(draw):
    """(labels, scores, first rows of further series, rows that do not count)."""
    labels, scores = draw(scored(max_size=24))
    place = st.integers(1, max(1, len(labels) - 1))
    begins = draw(st.sets(place, max_size=2)) if len(labels) > 1 else set()
    ignored = draw(st.sets(st.integers(0, len(labels) - 1), max_size=3))
    return labels, scores, begins, ignored


waits = st.integers(1, 5)
cooldowns = st.sampled_from([0, 0, 1, 2, 3, 7])


def named(size, begins):
    return np.cumsum([t in begins for t in range(size)])


@given(watched(), waits, cooldowns)
def test_alarms_are_those_of_a_walk_through_the_scores(given, wait, cooldown):
    _, scores, begins, ignored = given
    mask = [t in ignored for t in range(len(scores))]
    for threshold in {*scores, 0.5}:
        rule = padf.AlertRule(threshold, wait, cooldown)
        made = padf.alarms_from(scores, rule, ignore=mask, series=named(len(scores), begins))
        wanted = naive.ring(scores, float(threshold), wait, cooldown, begins, ignored)
        assert made.astype(int).tolist() == wanted


def detector_of(labels, scores, begins, ignored, step=60.0):
    mask = [t in ignored for t in range(len(labels))]
    rows = make_rows(len(labels), mask, named(len(labels), begins))
    clock = make_clock((np.arange(len(labels)) * step * 1e6).astype(np.int64))
    values = {"one": np.array(scores, dtype=float)}
    return make_series("s", labels, values, clock, rows=rows).detectors[0]


@given(watched(), waits, cooldowns, timed_protocols)
def test_what_a_rule_earns_and_costs_is_what_is_counted_by_hand(given, wait, cooldown, decay):
    labels, scores, begins, ignored = given
    detector = detector_of(labels, scores, begins, ignored)
    for threshold in set(scores) - {0.0}:
        rule = padf.AlertRule(threshold, wait, cooldown)
        made = outcome_of(ring(detector, rule), rule, decay)
        at = 1 if detector.is_binary else threshold
        alarms = naive.ring(scores, at, wait, cooldown, begins, ignored)
        worth, calls, unnoticed = naive.rule_outcome(labels, alarms, decay, 60, begins, ignored)
        assert made.worth == pytest.approx(float(worth), abs=1e-12)
        assert made.false_calls == calls
        assert made.unnoticed_seconds == float(unnoticed)


@settings(max_examples=150)
@given(watched(), cooldowns, timed_protocols, st.integers(0, 4))
def test_the_best_rule_is_the_best_of_all_thresholds(given, cooldown, decay, most):
    labels, scores, begins, ignored = given
    detector = detector_of(labels, scores, begins, ignored)
    found = RuleSearch(detector, decay, cooldown).best(most, waits=[1, 2, 4])
    thresholds = {1} if detector.is_binary else set(scores)
    wanted = naive.best_rule(
        labels, scores, thresholds, decay, [1, 2, 4], cooldown, most, begins, ignored
    )
    if found is None:
        assert wanted is None
        return
    assert found.false_calls <= most
    assert found.worth == pytest.approx(float(wanted), rel=1e-9, abs=1e-12)


def test_a_cooldown_can_silence_the_alarm_that_matters():
    """A false alarm two points before the onset keeps the rule quiet for the whole incident.

    At 0.9 it rings at 1 and, with a cool-down of 5, no more until 7: the incident of 3 to 5 is
    missed. So the best rule is the higher threshold, which rings at 4: one step late.
    """
    labels = [0, 0, 0, 1, 1, 1, 0, 0]
    scores = [0, 0.9, 0, 0.9, 0.95, 0, 0, 0]
    decay = padf.PointAdjustDecay(padf.HalfLifeDecay(60), measure="clock")
    search = RuleSearch(detector_of(labels, scores, (), ()), decay, cooldown=5)
    assert search.outcome(padf.AlertRule(0.9, 1, 5)).worth == 0
    best = search.best(10, waits=[1])
    assert (best.rule.threshold, best.worth) == (0.95, 0.5)


def test_an_alarm_that_never_stops_keeps_no_budget():
    """At 0.1 it is on all the time, and each of the six points outside the incident is a call.

    At 0.5 it rings three times for nothing, so with a budget of two calls only 0.9 is left.
    """
    labels = [0, 0, 0, 0, 0, 1, 1, 0]
    scores = [0.5, 0.1, 0.5, 0.1, 0.5, 0.1, 0.9, 0.1]
    decay = padf.PointAdjustDecay(padf.HalfLifeDecay(60), measure="clock")
    best = RuleSearch(detector_of(labels, scores, (), ()), decay).best(2, waits=[1])
    assert (best.rule.threshold, best.worth, best.false_calls) == (0.9, 0.5, 0)


def test_of_rules_that_earn_the_same_fewer_false_calls_then_the_shorter_wait_win():
    """Waiting two points drops the false call at 0 and still finds the incident in time.

    The grace of one step makes the second point of the incident as good as the first.
    """
    labels = [0, 0, 0, 1, 1, 1, 0]
    scores = [1, 0, 0, 1, 1, 0.5, 0]
    decay = padf.PointAdjustDecay(padf.HalfLifeDecay(60), measure="clock", grace=60)
    best = RuleSearch(detector_of(labels, scores, (), ()), decay).best(5, waits=[1, 2, 3])
    assert (best.rule.wait, best.rule.threshold, best.worth) == (2, 1, 1)
    assert best.false_calls == 0


@given(watched(), waits)
def test_a_cost_per_minute_is_a_linear_decay_to_the_incidents_own_end(given, wait):
    """a·t unnoticed instead of a·L: what is saved is 1 - t/L of each incident, by its length."""
    labels, scores, begins, ignored = given
    detector = detector_of(labels, scores, begins, ignored)
    rule = padf.AlertRule(1.0 if detector.is_binary else scores[0], wait)
    pattern = ring(detector, rule)
    # The clock goes on through ignored rows of an incident, which are none of its points.
    assume(not any(labels[t] for t in ignored))
    made = outcome_of(pattern, rule, COST_DECAY)
    saved = evaluate_pattern(pattern, [COST_DECAY])[0].true_positives
    whole = 60 * pattern.anomalous
    assert made.unnoticed_seconds == pytest.approx(whole - 60 * saved)
    # Two per minute and five per false call, in half a day: so many times in a month.
    once = 2 * made.unnoticed_seconds / 60 + 5 * made.false_calls
    assert made.cost(0.5, 2, 5) == pytest.approx(once * MONTH_DAYS / 0.5)


def test_incidents_last_to_the_step_behind_their_last_row():
    """Rows at 0, 10, 40, 100 and 130 s: the incident of the rows 1 and 2 lasts from 10 to 100.

    One at the end of all goes on for as long as the last step was: from 100 to 160.
    """
    clock = make_clock((np.array([0, 10, 40, 100, 130]) * 1_000_000).astype(np.int64))
    for labels, seconds in (([0, 1, 1, 0, 0], 90), ([0, 0, 0, 1, 1], 60)):
        scores = {"a": np.array([0.5, 0, 0, 0, 0.1])}
        (detector,) = make_series("s", labels, scores, clock).detectors
        rule = padf.AlertRule(0.5)
        made = outcome_of(ring(detector, rule), rule, COST_DECAY)
        assert made.unnoticed_seconds == seconds


def test_a_map_computes_every_cell_and_holds_its_best_rule():
    labels = [0, 0, 1, 1, 1, 1, 0, 0, 0, 0]
    scores = [0.6, 0.1, 0.7, 0.8, 0.9, 0.2, 0.65, 0.3, 0.75, 0.1]
    decay = padf.PointAdjustDecay(padf.HalfLifeDecay(60), measure="clock")
    search = RuleSearch(detector_of(labels, scores, (), ()), decay)
    made = trade_map(search, [0.6, 0.9], most=0, waits=(1, 2, 3, 9))
    assert made.waits == (1, 2, 3)  # the incident has four points
    # 0.8 is one step late and rings nowhere else; 0.75 also rings at 8. So does 0.7 for two points
    # in a row, with a longer wait.
    assert (made.best.rule, made.best.worth) == (padf.AlertRule(0.8), 0.5)
    assert made.thresholds == (0.6, 0.8, 0.9)
    for wait, row in zip(made.waits, made.cells, strict=True):
        for threshold, cell in zip(made.thresholds, row, strict=True):
            alarms = naive.ring(scores, threshold, wait, 0)
            worth, calls, unnoticed = naive.rule_outcome(labels, alarms, decay, 60)
            assert (cell.worth, cell.false_calls) == (pytest.approx(float(worth)), calls)
            assert cell.unnoticed_seconds == float(unnoticed)
            assert cell.rule == padf.AlertRule(threshold, wait)


@pytest.mark.parametrize("cooldown", [1, 4, 30])
def test_many_chains_of_alarms_are_those_of_a_walk(cooldown):
    """More runs than are followed one by one, short and long, and one border."""
    rng = np.random.default_rng(cooldown)
    scores = np.repeat(rng.random(1500), rng.integers(1, 30, size=1500))
    rule = padf.AlertRule(0.4, 2, cooldown)
    border = scores.size // 2
    series = np.arange(scores.size) >= border
    made = padf.alarms_from(scores, rule, series=series)
    wanted = naive.ring(scores.tolist(), 0.4, 2, cooldown, {border})
    assert made.astype(int).tolist() == wanted


def test_days_are_those_of_the_rows_that_count_where_sampling_is_uneven():
    # Each row lasts until the next one, the last one a usual step: 60, 60, 480 and 60 seconds.
    clock = make_clock((np.array([0, 60, 120, 600]) * 1_000_000).astype(np.int64))
    assert clock.step_seconds == 60
    assert clock.seconds_of(None) == 660
    assert clock.seconds_of(np.array([False, True, True, True])) == 600
    assert clock.seconds_of(np.array([True, True, False, False])) == 120
    even = make_clock((np.arange(5) * 60_000_000).astype(np.int64))
    assert even.seconds_of(np.array([False, True, True, True, True])) == 240
