"""Delays on the clock and as shares, grace, weights and onsets, against brute force."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import padf_core as padf
from padf_core import Onset
from tests import naive, strategies


@st.composite
def timed(draw, case):
    """Labels and a column, with the time of every row in whole seconds, unevenly spaced."""
    labels, column = draw(case)
    steps = draw(
        st.lists(
            st.sampled_from([1, 60, 60, 300, 7200]), min_size=len(labels), max_size=len(labels)
        )
    )
    return labels, column, np.cumsum(steps).tolist()


def close(computed, wanted):
    np.testing.assert_allclose(computed, [float(x) for x in wanted], rtol=1e-9, atol=1e-12)


@given(timed(strategies.patterns()), strategies.timed_protocols)
def test_given_detections_on_the_clock(case, protocol):
    labels, detections, times = case
    e = padf.evaluate(labels, detections, protocol, times=times)
    close((e.precision, e.recall, e.f1), naive.scores(labels, detections, protocol, times=times))


@given(timed(strategies.scored()), strategies.timed_protocols)
def test_every_threshold_on_the_clock(case, protocol):
    labels, scores, times = case
    s = padf.sweep(labels, scores, protocol, times=times)
    rows = naive.sweep(labels, scores, protocol, times)
    close(s.precision, [row[1] for row in rows])
    close(s.recall, [row[2] for row in rows])
    close(s.f1, [row[3] for row in rows])


@pytest.mark.slow
@given(timed(strategies.patterns(max_size=9)), strategies.timed_protocols, st.data())
def test_in_expectation_on_the_clock(case, protocol, data):
    labels, _, times = case
    p = data.draw(
        st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=len(labels), max_size=len(labels))
    )
    e = padf.expected(labels, p, protocol, times=times)
    earned, claimed, _ = naive.expectation(labels, p, protocol, times)
    close((e.true_positives, e.claimed), (earned, claimed))


@given(strategies.patterns(), strategies.timed_protocols, st.sampled_from([1, 30, 60.5]))
def test_a_step_is_the_same_as_times_that_are_evenly_spaced(pattern, protocol, step):
    times = np.arange(len(pattern[0])) * step
    by_step = padf.evaluate(*pattern, protocol, times=step)
    assert by_step.f1 == pytest.approx(padf.evaluate(*pattern, protocol, times=times).f1)


def test_the_same_need_is_the_same_metric_at_any_sampling_rate():
    # An alarm 20 minutes late, at a half-life of 10 minutes: a quarter of the credit, whether a
    # row is a minute, five minutes or 20 minutes. One segment and no false alarm: recall is that.
    need = padf.PointAdjustDecay(padf.HalfLifeDecay(600), measure="clock")
    for minutes in (1, 5, 20):
        late = 20 // minutes
        labels = np.ones(2 * late, dtype=int)
        alarms = np.arange(2 * late) == late
        assert padf.evaluate(labels, alarms, need, times=60 * minutes).recall == pytest.approx(0.25)


def test_a_gap_inside_a_segment_costs_what_it_lasted():
    # Rows at 0, 60 and 3660 s; the alarm at the third is 61 minutes late, not two steps.
    need = padf.PointAdjustDecay(padf.LinearDecay(7320), measure="clock")
    e = padf.evaluate([1, 1, 1], [0, 0, 1], need, times=[0, 60, 3660])
    assert e.recall == pytest.approx(0.5)


def test_times_may_be_dates():
    need = padf.PointAdjustDecay(padf.HalfLifeDecay(3600), measure="clock")
    times = np.array(["2024-01-01T00:00", "2024-01-01T01:00"], dtype="M8[m]")
    assert padf.evaluate([1, 1], [0, 1], need, times=times).recall == 0.5


def test_without_times_a_need_on_the_clock_says_what_it_lacks():
    need = padf.PointAdjustDecay(padf.HalfLifeDecay(3600), measure="clock")
    with pytest.raises(ValueError, match="needs times"):
        padf.evaluate([1, 1], [0, 1], need)
    with pytest.raises(ValueError, match="times must not decrease; got 1 after 2"):
        padf.evaluate([1, 1], [0, 1], need, times=[2, 1])
    with pytest.raises(ValueError, match="times and labels must have the same length"):
        padf.evaluate([1, 1], [0, 1], need, times=[1])


def test_one_minus_k_over_n_is_linear_over_the_segments_own_length():
    # Segments of 4 and of 2, each first hit in its middle: both keep half; recall is 1/2.
    rule = padf.PointAdjustDecay(padf.LinearDecay(1), measure="share")
    e = padf.evaluate([1, 1, 1, 1, 0, 1, 1], [0, 0, 1, 0, 0, 0, 1], rule)
    assert [s.credit for s in e.segments] == [0.5, 0.5]
    assert e.recall == 0.5


def test_grace_costs_nothing_and_then_decay_begins():
    # Grace 2, half-life 1: delays 0, 2 and 3 are worth 1, 1 and 1/2.
    rule = padf.PointAdjustDecay(padf.HalfLifeDecay(1), grace=2)
    for delay, worth in ((0, 1), (2, 1), (3, 0.5)):
        alarms = np.arange(5) == delay
        assert padf.evaluate(np.ones(5, int), alarms, rule).recall == worth


def test_each_segment_once():
    # A segment of 6 found at once, one of 1 missed, one false alarm: recall and precision 1/2.
    rule = padf.PointAdjustDecay(weight="segments")
    e = padf.evaluate([1, 1, 1, 1, 1, 1, 0, 0, 1], [1, 0, 0, 0, 0, 0, 0, 1, 0], rule)
    assert (e.recall, e.precision, e.wanted) == (0.5, 0.5, 2)


def test_a_credit_that_underflows_keeps_precision():
    labels = np.ones(2000, int)
    alarms = np.arange(2000) == 1999
    e = padf.evaluate(labels, alarms, padf.PointAdjustDecay(padf.ExponentialDecay(0.01)))
    assert e.precision == 1
    scored = padf.sweep(labels, alarms * 0.5, padf.PointAdjustDecay(padf.ExponentialDecay(0.01)))
    assert scored.precision[0] == 1


@given(timed(strategies.scored()), st.one_of(strategies.protocols, strategies.timed_protocols))
def test_what_is_best_is_to_the_last_digit_what_evaluate_gives(case, protocol):
    labels, scores, times = case
    (best,) = padf.best_f1(labels, scores, [protocol], times=times)
    detections = [int(score >= best.threshold) for score in scores]
    e = padf.evaluate(labels, detections, protocol, times=times)
    assert (best.f1, best.precision, best.recall) == (e.f1, e.precision, e.recall)


# ---- onsets --------------------------------------------------------------------------------------


onsets = st.one_of(
    st.builds(Onset, shift=st.integers(-6, 6)),
    st.builds(Onset, shift=st.sampled_from([-1, -0.5, 0.3, 0.5, 0.99, 1]), unit=st.just("share")),
    st.builds(Onset, shift=st.sampled_from([-7200, -90, 30, 60, 400]), unit=st.just("seconds")),
    st.builds(Onset, moments=st.lists(st.integers(0, 30), max_size=5).map(tuple)),
)
early = st.fixed_dictionaries(
    {
        "early": st.sampled_from([0, 1, 3, 60, 400]),
        "early_unit": st.sampled_from(["rows", "seconds"]),
        "early_alarms": st.sampled_from(["on_time", "nothing"]),
    }
)


ignored_rows = st.sets(st.integers(0, 29), max_size=6)


@given(timed(strategies.patterns()), onsets, early, ignored_rows, strategies.protocols)
def test_a_moved_onset_is_what_walking_the_rows_gives(case, onset, window, ignored, protocol):
    labels, detections, times = case
    onset = padf.Onset(onset.shift, onset.unit, onset.moments, **window)
    ignore = [int(row in ignored) for row in range(len(labels))]
    truth, alarms, waiting = naive.with_onset(labels, detections, onset, times, ignored)
    kept = naive.as_one_series(truth, {row for row, here in enumerate(waiting) if here})
    plain = naive.taken(truth, alarms, kept)
    wanted = tuple(map(float, naive.scores(*plain, protocol)))
    e = padf.evaluate(labels, detections, protocol, ignore=ignore, times=times, onset=onset)
    assert (e.precision, e.recall, e.f1) == pytest.approx(wanted)


@given(timed(strategies.scored()), onsets, early, ignored_rows, strategies.protocols)
def test_a_moved_onset_is_exact_at_every_threshold(case, onset, window, ignored, protocol):
    labels, scores, times = case
    onset = padf.Onset(onset.shift, onset.unit, onset.moments, **window)
    options = {
        "ignore": [int(row in ignored) for row in range(len(labels))],
        "times": times,
        "onset": onset,
    }
    s = padf.sweep(labels, scores, protocol, **options)
    for threshold, f1 in zip(s.thresholds.tolist(), s.f1.tolist(), strict=True):
        alarms = [int(score >= threshold) for score in scores]
        e = padf.evaluate(labels, alarms, protocol, **options)
        assert f1 == pytest.approx(e.f1, rel=1e-12)


def test_an_ignored_row_never_becomes_anomalous():
    """The onset moves one row earlier, onto an ignored row: it stays at the next row that counts.

    So the high score of the ignored row earns nothing, and the best threshold is 0.5.
    """
    labels, scores, ignore = [0, 0, 1, 1, 0], [0.1, 0.9, 0.5, 0.5, 0.2], [0, 1, 0, 0, 0]
    earlier = Onset(shift=-1)
    ranked = padf.rank_scores(labels, scores, ignore=ignore, onset=earlier)
    best = ranked.best(padf.PointAdjust())
    assert (best.threshold, best.f1) == (0.5, 1)
    alarms = [int(score >= best.threshold) for score in scores]
    e = padf.evaluate(labels, alarms, padf.PointAdjust(), ignore=ignore, onset=earlier)
    assert (e.f1, e.segments[0].start) == (1, 2)


def test_an_early_alarm_counts_as_on_time_or_as_nothing():
    # The alarm comes two rows before the onset. On time: a hit at delay 0. Nothing: neither a
    # hit nor a false alarm. Without a window it is false.
    labels, alarms = [0, 0, 0, 1, 1, 0], [0, 1, 0, 0, 0, 0]
    on_time = padf.evaluate(labels, alarms, padf.PointAdjust(), onset=Onset(early=2))
    assert (on_time.recall, on_time.precision) == (1, 1)
    nothing = Onset(early=2, early_alarms="nothing")
    assert padf.evaluate(labels, alarms, padf.PointAdjust(), onset=nothing).false_positives == 0
    assert padf.evaluate(labels, alarms, padf.PointAdjust()).false_positives == 1


def test_rows_that_do_not_count_are_no_early_alarms():
    labels, alarms = [0, 0, 0, 1, 1, 0], [0, 1, 0, 0, 0, 0]
    onset, ignore = Onset(early=2), [0, 1, 0, 0, 0, 0]
    assert padf.evaluate(labels, alarms, padf.PointAdjust(), ignore=ignore, onset=onset).f1 == 0
    best = padf.best_f1(labels, [0.1, 0.9, 0, 0.2, 0, 0], [padf.PointAdjust()],
                        ignore=ignore, onset=onset)  # fmt: skip
    assert best[0].threshold == 0.2


def test_an_onset_stays_inside_its_own_series():
    # The second series begins at row 3 with its segment; it cannot begin earlier.
    labels = [0, 0, 0, 1, 1, 0]
    e = padf.evaluate(labels, [0] * 6, padf.PointAdjust(), series=list("aaabbb"), onset=Onset(-2))
    assert e.segments[0].start == 3


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"unit": "hours"}, 'unit must be "rows" or "seconds" or "share"'),
        ({"shift": 2, "unit": "share"}, "shift must be from -1 to 1"),
        ({"early": -1}, "early must be at least 0"),
        ({"moments": (1.5,)}, "moments must be row numbers"),
    ],
)
def test_an_onset_says_what_it_must_be(wrong, said):
    with pytest.raises(ValueError, match=said):
        Onset(**wrong)
