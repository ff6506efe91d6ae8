"""Rows that do not count, and borders between series."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import padf_core as padf
from padf_core import PointAdjust
from padf_core.analysis.alerting import ring
from padf_core.io.series import make_series
from padf_core.metrics.rows import make_rows
from tests import naive, strategies


@st.composite
def rows(draw):
    """(labels, scores, ignored rows, the series of each row)."""
    labels, scores = draw(strategies.scored())
    size = len(labels)
    bits = st.lists(st.integers(0, 1), min_size=size, max_size=size)
    ignore = draw(bits)
    begins = draw(bits)
    return labels, scores, ignore, np.cumsum(begins).tolist()


def apart(labels, ignore, series, detections):
    """The same labels and detections as one series in which every row counts."""
    begins = {t for t in range(1, len(series)) if series[t] != series[t - 1]}
    ignored = {t for t, is_ignored in enumerate(ignore) if is_ignored}
    kept = naive.as_one_series(labels, ignored, begins)
    return naive.taken(labels, detections, kept)


@given(rows(), strategies.protocols)
def test_detections_agree_with_brute_force(case, protocol):
    labels, scores, ignore, series = case
    threshold = sorted(scores)[len(scores) // 2]
    detections = [int(score >= threshold) for score in scores]
    result = padf.evaluate(labels, detections, protocol, ignore=ignore, series=series)
    plain = apart(labels, ignore, series, detections)
    wanted = tuple(map(float, naive.scores(*plain, protocol)))
    assert (result.precision, result.recall, result.f1) == pytest.approx(wanted)
    (same,) = padf.evaluate_all(labels, detections, [protocol], ignore=ignore, series=series)
    assert same.f1 == result.f1
    # Places are those of the rows as they came.
    assert [labels[segment.start] for segment in result.segments] == [1] * len(result.segments)
    assert result.credit.size == len(labels)


@given(rows(), strategies.protocols)
def test_every_threshold_agrees_with_brute_force(case, protocol):
    labels, scores, ignore, series = case
    made = padf.sweep(labels, scores, protocol, ignore=ignore, series=series)
    counting = {score for score, ignored in zip(scores, ignore, strict=True) if not ignored}
    assert made.thresholds.tolist() == sorted(counting, reverse=True)
    for threshold, f1 in zip(made.thresholds.tolist(), made.f1.tolist(), strict=True):
        flags = [int(score >= threshold) for score in scores]
        plain = apart(labels, ignore, series, flags)
        assert f1 == pytest.approx(float(naive.scores(*plain, protocol)[2]))
    if counting and not counting <= {0, 1}:
        (best,) = padf.best_f1(labels, scores, [protocol], ignore=ignore, series=series)
        assert best.f1 == pytest.approx(max(made.f1.tolist()))


def test_a_segment_does_not_go_over_a_border():
    # One run of four points is two segments of two: only the first of them is found.
    labels, alarms = [0, 1, 1, 1, 1, 0], [0, 1, 0, 0, 0, 0]
    assert padf.evaluate(labels, alarms, PointAdjust()).recall == 1
    split = padf.evaluate(labels, alarms, PointAdjust(), series=list("aaabbb"))
    assert [(s.start, s.stop) for s in split.segments] == [(1, 3), (3, 5)]
    assert split.recall == 0.5


def test_an_ignored_row_does_not_cut_an_incident_in_two():
    """Eight points, one of them ignored, are one incident of seven points.

    The alarm is at its first point, so PA finds all of it. Cut in two, PA would find 2 of 7 points.
    Six points lie before the last one, the ignored row not among them: an alarm there alone is
    worth 0.9^6 under PAdf. On the clock seven minutes have passed: half, with that half-life.
    """
    labels = [0, 1, 1, 1, 1, 1, 1, 1, 1, 0]
    ignore = [0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    first, last = ([int(t == at) for t in range(10)] for at in (1, 8))
    e = padf.evaluate(labels, first, PointAdjust(), ignore=ignore)
    assert (e.recall, e.precision) == (1, 1)
    assert [(s.start, s.stop, s.length) for s in e.segments] == [(1, 9, 7)]
    assert e.credit.tolist() == [0, 1, 1, 0, 1, 1, 1, 1, 1, 0]
    e = padf.evaluate(labels, last, padf.PointAdjustDecay(), ignore=ignore)
    assert (e.segments[0].delay, e.recall) == (6, pytest.approx(0.9**6))
    clock = padf.PointAdjustDecay(padf.HalfLifeDecay(7 * 60), measure="clock")
    for times in (60, [60 * t for t in range(10)]):
        assert padf.evaluate(labels, last, clock, ignore=ignore, times=times).recall == 0.5
        scores = [alarm / 2 for alarm in last]
        assert padf.sweep(labels, scores, clock, ignore=ignore, times=times).recall[0] == 0.5


def test_an_ignored_normal_row_lies_between_two_incidents():
    labels, alarms, ignore = [1, 1, 0, 1, 1], [1, 0, 0, 0, 0], [0, 0, 1, 0, 0]
    e = padf.evaluate(labels, alarms, PointAdjust(), ignore=ignore)
    assert (len(e.segments), e.recall) == (2, 0.5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"series": ["a", "b", "a"]}, "series: the rows of 'a' are not consecutive"),
        ({"series": ["a", "b"]}, "series and labels must have the same length; got 2 and 3"),
        ({"series": "abc"}, "series must name one series for each row"),
        ({"ignore": [0, 1]}, "ignore and labels must have the same length; got 2 and 3"),
        ({"ignore": [0, 2, 0]}, "ignore"),
    ],
)
def test_rows_are_checked(options, message):
    for ask in (padf.evaluate, padf.sweep):
        with pytest.raises(ValueError, match=message):
            ask([0, 1, 0], [0, 1, 0], PointAdjust(), **options)


def test_when_no_row_counts_nothing_is_found():
    ignore = [1, 1, 1]
    assert padf.evaluate([0, 1, 0], [0, 1, 0], PointAdjust(), ignore=ignore).f1 == 0
    (best,) = padf.best_f1([0, 1, 0], [0.2, 0.9, 0.1], [PointAdjust()], ignore=ignore)
    assert best.f1 == 0


def test_rows_that_count_say_whether_scores_are_detections():
    """Row 0 holds 0.5 and is ignored: what is left is 0 and 1, so no threshold is chosen."""
    labels, scores, ignore = [0, 1, 1, 0], [0.5, 0.0, 1.0, 1.0], [1, 0, 0, 0]
    (best,) = padf.best_f1(labels, scores, [PointAdjust()], ignore=ignore)
    rows = make_rows(4, ignore)
    detector = make_series("x", labels, {"a": np.array(scores)}, rows=rows).detectors[0]
    assert detector.is_binary
    assert (best.threshold, best.f1) == (1, detector.best(PointAdjust()).f1)


def test_an_early_alarm_of_a_rule_counts_at_the_onset():
    """Both points at or above 0.5 are before the onset: the rule raises an alarm in the window."""
    labels, scores = [0, 0, 0, 1, 1, 0], np.array([0.1, 0.9, 0.9, 0.1, 0.1, 0.1])
    series = make_series("x", labels, {"a": scores}).with_onset(padf.Onset(early=2))
    pattern = ring(series.detectors[0], padf.AlertRule(0.5, wait=2))
    assert pattern.detections.tolist() == [False, False, False, True, False, False]
    assert pattern.found.delays.tolist() == [0]


@pytest.mark.parametrize("dtype", [int, float, bool, np.float32])
def test_zeros_and_ones_are_detections(dtype):
    # PA: of two segments one is hit, no false alarm: P 1, R 2/3, F1 0.8. Flagging everything, as
    # the lower "threshold" of 0 would, gives P 3/5, R 1, F1 0.75; and here it would even win:
    labels, detections = [1, 1, 0, 0, 1], [0, 1, 0, 0, 0]
    (best,) = padf.best_f1(labels, np.array(detections, dtype=dtype), [PointAdjust()])
    assert (best.threshold, best.precision, best.f1) == (1, 1, pytest.approx(0.8))
    (silent,) = padf.best_f1(labels, np.zeros(5, dtype=dtype), [PointAdjust()])
    assert (silent.threshold, silent.f1) == (1, 0)
