"""Whether a detector knows when incidents happen, and whether two detectors differ."""

from itertools import product
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import padf_core as padf
from padf_core import Onset, PointAdjust, PointAdjustDecay, PointAdjustK, Pointwise, Settings
from padf_core.analysis.paired_test import SWAP_NULL, sign_flip_test
from padf_core.analysis.random_detector import highest, random_rows
from padf_core.analysis.significance import (
    INDEPENDENT_NULL,
    SHIFT_NULL,
    MovedScores,
    PValue,
    independent_p_value,
    shift_test,
)
from padf_core.analysis.uncertainty import uncertainty
from padf_core.io.series import make_series
from padf_core.metrics.rows import make_rows
from tests import naive, strategies

# ---- the random baseline -------------------------------------------------------------------------

TENS = np.arange(1500) % 200 < 10
"""Ten-point segments every 200 points."""


def test_the_random_baseline_has_early_windows_as_detectors_have():
    """Random detectors and the baseline are the same: their mean F1 differ by noise alone.

    Without windows the baseline had 0.364, where a random detector with windows of 20 has 0.636.
    """
    onset = Onset(early=20)
    rng = np.random.default_rng(5)
    own = [padf.best_f1(TENS, rng.random(1500), [PointAdjust()], onset=onset)[0].f1
           for _ in range(200)]  # fmt: skip
    made = padf.compare(TENS, {"x": rng.random(1500)}, [PointAdjust()], onset=onset, runs=200)
    baseline = made.random[0][0]
    error = sqrt((np.var(own) + baseline.spread**2) / 200)
    assert abs(baseline.mean - np.mean(own)) < 4 * error
    assert baseline.mean > 0.55


@pytest.mark.slow
@pytest.mark.parametrize("early", [5, 50])
def test_detectors_that_know_nothing_are_significant_as_often_as_promised(early):
    """Of 60 random detectors 3 reach 5 %; 10 or more are as likely as 0.001."""
    rng = np.random.default_rng(early)
    low = 0
    for _ in range(60):
        scores = rng.random(1500)
        options = {"onset": Onset(early=early), "runs": 1, "shifts": 39}
        made = padf.compare(TENS, {"x": scores}, [PointAdjust()], **options)
        low += made.against[0][0].value <= 0.05
    assert low < 10


def test_given_alarms_are_compared_with_as_many_random_alarms():
    """Ten alarms among 1,000 points: PA finds one of the ten-point segments by each with 0.1.

    At its best threshold a random detector flags other numbers of points, and reaches more.
    """
    labels = np.arange(1000) % 100 >= 90
    alarms = np.zeros(1000, dtype=int)
    alarms[::100] = 1
    made = padf.compare(labels, {"alarms": alarms, "scores": np.arange(1000.0)}, [PointAdjust()])
    baseline, best = (row[0] for row in made.random)
    assert set(baseline.alarm_rates) == {0.01}
    assert best.mean > baseline.mean
    assert made.to_frame()["random_f1"].tolist() == [baseline.mean, best.mean]


@given(strategies.label_lists(max_size=20), st.integers(0, 20), st.integers(0, 5))
@settings(max_examples=40)
def test_as_many_alarms_are_drawn_as_are_asked_for(labels, count, seed):
    rows = make_rows(len(labels), ignore=[t % 3 == 0 for t in range(len(labels))])
    heard = len(labels) - len(range(0, len(labels), 3))
    wanted = min(count, heard)
    scores = np.random.default_rng(seed).random(len(labels))
    at = highest(scores, rows, wanted)
    assert sum(score >= at for t, score in enumerate(scores) if t % 3) == wanted
    (row,) = random_rows(np.array(labels, bool), [Pointwise()], 1, seed, rows=rows, alarms=wanted)
    assert row.alarm_rates == (pytest.approx(wanted / max(1, heard)),)


# ---- moved in time -------------------------------------------------------------------------------


def rolled(values, by, parts):
    """Each part moved round by its own number of rows, by walking."""
    made = list(values)
    for (start, stop), step in zip(parts, by, strict=True):
        for row in range(start, stop):
            made[start + (row - start + step) % (stop - start)] = values[row]
    return made


@given(strategies.scored(), st.integers(0, 30), strategies.protocols)
def test_a_copy_is_what_moving_the_scores_gives(case, by, protocol):
    labels, scores = case
    size = len(labels)
    moved = MovedScores(np.array(labels, bool), np.array(scores, float), make_rows(size))
    ranked = moved.moved(np.array([by % size]))
    values = rolled(scores, [by % size], [(0, size)])
    plain = padf.rank_scores(labels, [float(value) for value in values])
    assert ranked.thresholds.tolist() == plain.thresholds.tolist()
    assert ranked.sweep(protocol).f1 == pytest.approx(plain.sweep(protocol).f1)
    assert ranked.best(protocol) == plain.best(protocol)


@given(strategies.scored(), st.integers(1, 28), st.tuples(*[st.integers(0, 30)] * 2))
def test_every_series_moves_by_itself_and_ignored_rows_stay(case, cut, by):
    labels, scores = case
    size = len(labels)
    cut = min(cut, size - 1) if size > 1 else 0
    ignored = {row for row in range(size) if row % 4 == 3}
    rows = make_rows(size, [row in ignored for row in range(size)],
                     [int(row >= cut) for row in range(size)])  # fmt: skip
    moved = MovedScores(np.array(labels, bool), np.array(scores, float), rows)
    heard = [row for row in range(size) if row not in ignored]
    first = sum(row < cut for row in heard)
    parts = [part for part in ((0, first), (first, len(heard))) if part[0] < part[1]]
    steps = [step % (stop - start) for step, (start, stop) in zip(by, parts, strict=False)]
    wanted = [float(score) for score in scores]
    for row, value in zip(heard, rolled([scores[row] for row in heard], steps, parts), strict=True):
        wanted[row] = float(value)
    assert moved.lengths.tolist() == [stop - start for start, stop in parts]
    assert moved.values(np.array(steps, dtype=int)).tolist() == wanted


def test_all_ways_to_move_short_scores_are_tried():
    """A spike at the second of twenty points, which is the incident. Of all twenty places one is as
    good, so p is 1/20; two incidents of one point each make it 2/20."""
    scores = np.eye(20)[1] * 0.5
    for labels, p in ((np.arange(20) == 1, 0.05), (np.isin(np.arange(20), (1, 9)), 0.1)):
        f1 = padf.best_f1(labels, scores, [PointAdjust()])[0].f1
        (found,) = shift_test(labels, scores, make_rows(20), [PointAdjust()], [f1])
        assert (found.value, found.runs, found.null) == (p, 0, SHIFT_NULL)
        assert "exact" in found.text


@pytest.mark.parametrize(
    ("labels", "scores", "series", "ways"),
    [
        ([0, 1, 0, 0], [0.1, 0.9, 0.2, 0.3], "aabc", 2),
        ([0, 1, 0, 0, 1, 0], [0.1, 0.9, 0.2, 0.1, 0.8, 0.3], "aaabbb", 9),
    ],
)
def test_all_ways_to_move_several_short_series_are_tried(labels, scores, series, ways):
    """Two series of one row each cannot move, one of two can: two ways. Three times three: nine.

    No other way is as good, so p is 1 / the number of ways, its smallest value.
    """
    made = padf.compare(labels, {"d": scores}, [Pointwise()], series=list(series))
    assert made.against[0][0].value == pytest.approx(1 / ways)
    assert made.against[0][0].runs == 0


@given(strategies.scored(), st.sampled_from([PointAdjust(), Pointwise(), PointAdjustDecay()]))
@settings(max_examples=60)
def test_copies_choose_their_threshold_as_the_detector_did(case, chooser):
    """At the best threshold under one protocol, judged by another: each copy chooses again."""
    labels, scores = case
    judge = PointAdjustK(20)
    reached = []
    for by in range(len(scores)):
        moved = [float(score) for score in rolled(scores, [by], [(0, len(scores))])]
        (best,) = padf.best_f1(labels, moved, [chooser])
        alarms = [int(value >= best.threshold) for value in moved]
        if set(moved) <= {0, 1}:
            return
        reached.append(float(naive.scores(labels, alarms, judge)[2]))
    values, size = np.array(scores, float), len(labels)
    (found,) = shift_test(
        np.array(labels, bool), values, make_rows(size), [judge], [reached[0]], threshold=chooser
    )
    assert found.value == pytest.approx(
        np.mean([each >= reached[0] * (1 - 1e-12) for each in reached])
    )


def autocorrelated(rng, size, keeps):
    """Scores that know nothing and change slowly: an AR(1) process."""
    steps = rng.standard_normal(size) * sqrt(1 - keeps**2)
    value, made = rng.standard_normal(), []
    for step in steps.tolist():
        value = keeps * value + step
        made.append(value)
    return np.array(made)


@pytest.mark.slow
@pytest.mark.parametrize("keeps", [0.0, 0.95, 0.99])
def test_slow_scores_that_know_nothing_are_significant_as_often_as_promised(keeps):
    """Of 60 detectors 3 reach 5 %; 10 or more are as likely as 0.001 under each protocol.

    The closed form for independent scores finds knowledge in half of the slow ones, point-wise.
    """
    labels = np.arange(900) % 90 >= 65
    protocols = [Pointwise(), PointAdjust(), PointAdjustK(20), PointAdjustDecay()]
    rng = np.random.default_rng(round(100 * keeps))
    low, independent = np.zeros(4), 0
    for _ in range(60):
        scores = autocorrelated(rng, 900, keeps)
        f1 = [point.f1 for point in padf.best_f1(labels, scores, protocols)]
        found = shift_test(labels, scores, make_rows(900), protocols, f1, shifts=39)
        low += [p.value <= 0.05 for p in found]
        closed = independent_p_value(f1[0], Pointwise(), np.full(10, 25), 650)
        independent += closed.value <= 0.05
    assert (low < 10).all()
    assert closed.null == INDEPENDENT_NULL
    assert (independent > 15) == (keeps > 0)


def test_a_detector_that_knows_is_significant_under_every_protocol():
    labels = np.arange(1500) % 150 >= 135
    scores = autocorrelated(np.random.default_rng(1), 1500, 0.95) + 3 * labels
    protocols = Settings().all()
    f1 = [point.f1 for point in padf.best_f1(labels, scores, protocols)]
    for p in shift_test(labels, scores, make_rows(1500), protocols[:4], f1[:4], shifts=99):
        assert p.text == "p ≤ 0.01"


# ---- two detectors -------------------------------------------------------------------------------


def blocks_of(labels, alarms, protocol):
    """One row of amounts for each four points."""
    return np.array(
        [
            [float(each) for each in naive.amounts(labels[at : at + 4], alarms[at : at + 4],
                                                   protocol)[:4]]
            for at in range(0, len(labels), 4)
        ]
    )  # fmt: skip


@given(
    st.lists(st.tuples(*[st.integers(0, 1)] * 4), min_size=2, max_size=6),
    st.sampled_from([Pointwise(), PointAdjust(), PointAdjustDecay()]),
)
@settings(max_examples=60)
def test_swapping_tries_every_way(drawn, protocol):
    """Incidents of two points with a normal one on each side; alarms of both are drawn."""
    labels = [0, 1, 1, 0] * len(drawn)
    one = [bit for a, b, _, _ in drawn for bit in (a, 0, b, 0)]
    other = [bit for _, _, a, b in drawn for bit in (0, a, 0, b)]
    gaps = []
    for swaps in product((0, 1), repeat=len(drawn)):
        both = [[], []]
        for at, swap in enumerate(swaps):
            cut = slice(4 * at, 4 * at + 4)
            both[swap] += one[cut]
            both[1 - swap] += other[cut]
        first, second = (float(naive.scores(labels, each, protocol)[2]) for each in both)
        gaps.append(abs(first - second))
    kept = [blocks_of(labels, each, protocol)[:, None] for each in (one, other)]
    made = sign_flip_test(*kept)
    assert abs(made.difference) == pytest.approx(gaps[0])
    assert made.p.value == pytest.approx(np.mean([gap >= gaps[0] - 1e-12 for gap in gaps]))
    assert made.p.null == SWAP_NULL
    low = [gap for gap in gaps if np.mean([other >= gap - 1e-12 for other in gaps]) <= 0.05]
    assert made.detectable == (pytest.approx(min(low)) if low else None)


@given(
    st.lists(st.tuples(*[st.integers(0, 3)] * 8), min_size=2, max_size=5),
    st.sampled_from([Pointwise(), PointAdjust(), PointAdjustDecay()]),
)
@settings(max_examples=40)
def test_thresholds_are_chosen_anew_for_every_way_to_swap(drawn, protocol):
    """Scores of both from 0 to 3, thresholds 1 to 3: each way has its own best one for each."""
    labels = [0, 1, 1, 0] * len(drawn)
    both = [[score for row in drawn for score in row[part]] for part in (slice(4), slice(4, 8))]

    def best(scores):
        alarms = [[int(score >= level) for score in scores] for level in (1, 2, 3)]
        return max(float(naive.scores(labels, each, protocol)[2]) for each in alarms)

    gaps = []
    for swaps in product((0, 1), repeat=len(drawn)):
        mixed = [
            [
                score
                for at, swap in enumerate(swaps)
                for score in both[swap ^ first][4 * at : 4 * at + 4]
            ]
            for first in (0, 1)
        ]
        gaps.append(abs(best(mixed[0]) - best(mixed[1])))
    tables = [
        np.stack(
            [
                blocks_of(labels, [int(score >= level) for score in scores], protocol)
                for level in (1, 2, 3)
            ],
            axis=1,
        )
        for scores in both
    ]
    made = sign_flip_test(*tables)
    assert abs(made.difference) == pytest.approx(gaps[0])
    assert made.p.value == pytest.approx(np.mean([gap >= gaps[0] - 1e-12 for gap in gaps]))


@pytest.mark.slow
def test_equal_detectors_at_their_best_thresholds_differ_as_often_as_promised():
    """Both are noise. Of 200 pairs 10 reach 5 %; 21 or more are as likely as 0.001.

    With thresholds that are kept when detectors are swapped, 23 of these pairs do.
    """
    rng = np.random.default_rng(3)
    labels = np.arange(400) % 40 >= 28
    low = 0
    for _ in range(200):
        series = make_series("x", labels, {"a": rng.random(400), "b": rng.random(400)})
        (made,) = uncertainty(series, [PointAdjustK(20)])
        low += made.paired(0, 1).p.value <= 0.05
    assert low < 21


def test_scales_do_not_matter_to_two_detectors_that_are_swapped():
    """Any rising change of one detector's scores leaves p as it is."""
    rng = np.random.default_rng(5)
    labels = np.arange(400) % 50 >= 38
    one, other = rng.random(400) + 0.6 * labels, rng.random(400) + 0.3 * labels
    found = [
        uncertainty(make_series("x", labels, {"a": one, "b": scores}), [PointAdjust()])[0]
        for scores in (other, 1000 * other**3)
    ]
    assert found[0].paired(0, 1) == found[1].paired(0, 1)


def test_what_six_incidents_can_show():
    """All of six incidents found by one detector alone: of 64 ways to swap, two are as far apart.

    That is p = 1/32. With five incidents it is 1/16, so nothing could be significant.
    """
    found, missed = [[1.0, 1, 1, 1]], [[0.0, 0, 1, 0]]
    six = sign_flip_test(np.array([found] * 6), np.array([missed] * 6))
    assert (six.p.value, six.detectable, six.differing) == (1 / 32, 1, 6)
    five = sign_flip_test(np.array([found] * 5), np.array([missed] * 5))
    assert (five.p.value, five.detectable) == (1 / 16, None)


def test_many_incidents_are_swapped_at_random():
    """Twenty incidents, found by the first alone in twelve and by the second in eight.

    The difference is 4/20. By the sign test p is that of 12 or more of 20: 0.5034.
    """
    found, missed = [[1.0, 1, 1, 1]], [[0.0, 0, 1, 0]]
    one = np.array([found] * 12 + [missed] * 8)
    other = np.array([missed] * 12 + [found] * 8)
    made = sign_flip_test(one, other)
    assert made.p.runs == 4999
    assert made.p.value == pytest.approx(0.5034, abs=0.02)


def test_p_values_say_how_sure_they_are():
    assert PValue(1 / 200, 199).text == "p ≤ 0.005"
    assert PValue(0.03, 0, SWAP_NULL).text == "p = 0.03, exact"
    assert PValue(0.5, 100).error == pytest.approx(0.05)
