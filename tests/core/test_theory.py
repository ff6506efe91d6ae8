"""Expected scores: against every possible pattern, against simulation, and in closed form."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import padf_core as padf
from padf_core import ExponentialDecay, PointAdjust, PointAdjustDecay, PointAdjustK, Pointwise
from padf_core.analysis.random_detector import (
    random_rows,
    simulate_random_score,
)
from padf_core.analysis.significance import independent_p_value, p_value
from padf_core.metrics.expectation import credit_terms, random_score_best
from tests import naive, strategies

ALL = [
    *padf.Settings().all(),
    PointAdjustK(50, inclusive=True),
    PointAdjustDecay(ExponentialDecay(0.9), "equations"),
    PointAdjustDecay(padf.LinearDecay(20)),
]


def test_no_protocol_is_left_out():
    assert {protocol.key for protocol in ALL} == set(padf.PROTOCOLS)


@st.composite
def probabilities(draw):
    labels = draw(strategies.label_lists(max_size=8))
    p = st.sampled_from([0.0, 0.125, 0.5, 0.75, 1.0])
    return labels, draw(st.lists(p, min_size=len(labels), max_size=len(labels)))


@given(probabilities(), strategies.protocols)
@settings(max_examples=60)
def test_expected_counts_are_the_mean_over_every_possible_pattern(case, protocol):
    labels, p = case
    result = padf.expected(labels, p, protocol)
    etp, claimed, found = naive.expectation(labels, p, protocol)
    assert result.true_positives == pytest.approx(float(etp), rel=1e-10, abs=1e-12)
    assert result.claimed == pytest.approx(float(claimed), rel=1e-10, abs=1e-12)
    assert result.found == pytest.approx(float(found), rel=1e-10, abs=1e-12)


@given(strategies.patterns(), strategies.protocols)
def test_a_certain_detector_scores_as_its_detections(pattern, protocol):
    labels, detections = pattern
    certain = padf.expected(labels, [1 - x for x in detections], protocol)
    given_detections = padf.evaluate(labels, detections, protocol)
    assert certain.f1 == pytest.approx(given_detections.f1, rel=1e-9, abs=1e-12)
    assert certain.precision == pytest.approx(given_detections.precision, rel=1e-9, abs=1e-12)
    assert certain.recall == pytest.approx(given_detections.recall, rel=1e-9, abs=1e-12)


def test_two_points_by_hand():
    # p = 0.5 at both points of a segment, d = 0.9, no alarm outside: R = 0.5 + 0.9 * 0.25 = 0.725.
    # equations: T has probability 0.75, so P = 0.725 / 0.75.
    e = padf.expected([0, 1, 1], [1, 0.5, 0.5], PointAdjustDecay(convention="equations"))
    assert e.recall == pytest.approx(0.725, rel=1e-15)
    assert e.precision == pytest.approx(0.725 / 0.75, rel=1e-15)


@pytest.mark.parametrize("protocol", ALL, ids=lambda p: p.label)
def test_simulation_of_a_random_score_agrees_within_three_standard_errors(protocol):
    theta, length, segments, runs = 0.97, 50, 20, 400
    labels = np.tile(np.repeat([0, 1], [450, length]), segments)  # anomaly ratio 0.1
    rng = np.random.default_rng(20230516)
    credit, claimed, found = np.empty((3, runs))
    for run in range(runs):
        result = padf.evaluate(labels, rng.random(labels.size) >= theta, protocol)
        credit[run], claimed[run], found[run] = result.true_positives, result.claimed, result.found
    exact = padf.expected(labels, np.full(labels.size, theta), protocol)
    for sample, mean in (
        (credit, exact.true_positives),
        (claimed, exact.claimed),
        (found, exact.found),
    ):
        assert abs(sample.mean() - mean) < 3 * sample.std(ddof=1) / np.sqrt(runs)
    closed = padf.random_score_f1(theta, length, 0.1, protocol)
    assert float(closed) == pytest.approx(exact.f1, rel=1e-9)
    if exact.counts.apart is not None or exact.wanted != labels.sum():
        return
    # F1 = 2C / (A + M) of the mean credit C and claim M; its error by the delta method.
    anomalous = labels.sum()
    f1 = 2 * credit.mean() / (anomalous + claimed.mean())
    slope = (2 * credit - f1 * claimed) / (anomalous + claimed.mean())
    assert abs(f1 - exact.f1) < 3 * slope.std(ddof=1) / np.sqrt(runs)


@pytest.mark.parametrize("length", [1, 7, 500])
def test_closed_forms_are_those_of_the_paper(length):
    theta = np.linspace(0.0, 0.999, 50)
    r = 0.05
    recall = 1 - theta**length
    precision = recall * r / (recall * r + (1 - theta) * (1 - r))
    f1 = 2 * precision * recall / (precision + recall)
    np.testing.assert_allclose(padf.random_score_f1(theta, length, r, PointAdjust()), f1)
    for d in (0.5, 0.9, 0.999):
        recall = (1 - theta) * (1 - (theta * d) ** length) / (1 - theta * d)
        alarms = (1 - theta) * (1 - r)
        for convention, denominator in (
            ("equations", alarms + (1 - theta**length) * r),
            ("tables", alarms + recall * r),
        ):
            precision = r * recall / denominator
            f1 = 2 * precision * recall / (precision + recall)
            protocol = PointAdjustDecay(ExponentialDecay(d), convention)
            np.testing.assert_allclose(padf.random_score_f1(theta, length, r, protocol), f1)


def test_d_1_is_the_pa_curve_and_half_life_is_exponential():
    theta = np.linspace(0, 1, 101)
    pa = padf.random_score_f1(theta, 500, 0.05, PointAdjust())
    for convention in ("tables", "equations"):
        same = PointAdjustDecay(ExponentialDecay(1), convention)
        np.testing.assert_allclose(padf.random_score_f1(theta, 500, 0.05, same), pa, rtol=1e-12)
    half = PointAdjustDecay(padf.HalfLifeDecay(np.log(2) / -np.log(0.9)))
    np.testing.assert_allclose(
        padf.random_score_f1(theta, 500, 0.05, half),
        padf.random_score_f1(theta, 500, 0.05, PointAdjustDecay()),
        rtol=1e-9,
    )


def test_at_threshold_1_nothing_is_detected():
    for protocol in ALL:
        assert float(padf.random_score_f1(1.0, 10, 0.05, protocol)) == 0


def test_a_constant_function_uses_the_general_sum_and_agrees_with_pa():
    theta = np.linspace(0, 1, 11)
    constant = PointAdjustDecay(decay=lambda k: np.ones(len(k)))
    np.testing.assert_allclose(
        padf.random_score_f1(theta, 30, 0.05, constant),
        padf.random_score_f1(theta, 30, 0.05, PointAdjust()),
        rtol=1e-9,
    )


def test_a_certain_detector_in_a_long_segment_is_exact_under_pa_k():
    labels = np.ones(100_000, dtype=int)
    certain = (np.arange(labels.size) >= 10_176).astype(float)
    exact = padf.expected(labels, certain, PointAdjustK(20))
    assert exact.true_positives == pytest.approx(10_176, rel=1e-13)


def test_a_rare_alarm_keeps_its_digits_under_pa():
    # 1 - (1 - 1e-12)^1000 = 1e-9 (1 - 5e-10): the difference of two numbers near 1 would lose it.
    labels = np.ones(1000, dtype=int)
    p = np.full(1000, 1 - 1e-12)
    rare = padf.expected(labels, p, PointAdjust()).recall
    assert rare == pytest.approx(1000 * (1 - p[0]), rel=1e-8)


def test_expected_fbeta_by_hand():
    # Point-wise, p = 0.5 everywhere, 2 anomalous and 2 normal points: credit 1, claimed 2.
    e = padf.expected([1, 1, 0, 0], [0.5] * 4, Pointwise())
    assert e.fbeta(2) == pytest.approx(5 * 1 / (4 * 2 + 2))


def test_one_threshold_gives_one_number():
    assert isinstance(padf.random_score_f1(0.5, 10, 0.05, PointAdjust()), float)
    assert padf.random_score_f1([0.5], 10, 0.05, PointAdjust()).shape == (1,)


def test_long_segments_stay_exact_under_pa_k():
    # 20,000 fair coins. K = 100 leaves every hit as it is: 10,000 expected, half of all.
    # K = 40 needs 8,001 hits, 28 standard deviations (71 hits each) below the mean: always there.
    labels = np.ones(20_000, dtype=int)
    assert padf.expected(labels, labels * 0.5, PointAdjustK(100)).recall == pytest.approx(0.5)
    assert padf.expected(labels, labels * 0.5, PointAdjustK(40)).recall == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1.2, 5, 0.05), "threshold must be between 0 and 1; got 1.2 at index 0"),
        ((0.5, 0, 0.05), "length must be a whole number of at least 1; got 0"),
        ((0.5, float("inf"), 0.05), "length must be a whole number of at least 1; got inf"),
        ((0.5, 2.5, 0.05), "length must be a whole number of at least 1; got 2.5"),
        ((0.5, 5, 1.0), "anomaly_ratio must be between 0 and 1; got 1.0"),
    ],
)
def test_random_score_says_what_must_hold(arguments, message):
    with pytest.raises(ValueError) as error:
        padf.random_score_f1(*arguments, PointAdjust())
    assert str(error.value) == message


def test_expected_says_what_must_hold():
    with pytest.raises(ValueError, match=r"normal_probability must be between 0 and 1; got 1.5"):
        padf.expected([0, 1], [0.5, 1.5], PointAdjust())


@pytest.mark.parametrize("protocol", ALL, ids=lambda protocol: protocol.label)
@pytest.mark.parametrize("length", [1, 2, 7, 40])
def test_the_best_random_score_is_the_highest_of_a_dense_search(protocol, length):
    best = random_score_best(length, 0.1, [protocol])[0]
    rates = np.linspace(1e-5, 1, 4001)
    dense = padf.random_score_f1(1 - rates, length, 0.1, protocol)
    assert best.f1 >= dense.max() - 1e-6
    assert padf.random_score_f1(1 - best.alarm_rate, length, 0.1, protocol) == pytest.approx(
        best.f1
    )


@pytest.mark.parametrize("protocol", ALL, ids=lambda protocol: protocol.label)
def test_closed_forms_agree_with_simulated_scores(protocol):
    thresholds = [0.5, 0.9, 0.97, 0.995]
    made = simulate_random_score(thresholds, 20, 0.05, [protocol], runs=12, seed=4)[0]
    closed = padf.random_score_f1(thresholds, 20, 0.05, protocol)
    for mean, error, wanted in zip(made.mean, made.error, closed, strict=True):
        # The mean of 12 runs lies within five of its own standard errors, or 0.01.
        assert abs(mean - wanted) <= max(5 * error / 12**0.5, 0.01)


def test_simulated_scores_are_scored_as_they_were_drawn():
    thresholds = [0.2, 0.5, 0.5, 0.9]
    made = simulate_random_score(thresholds, 4, 0.2, ALL[:4], runs=2, points=200, seed=3)
    # Ten segments of 4 points, each at the end of 20.
    labels = ([0] * 16 + [1] * 4) * 10
    for run in range(2):
        scores = np.random.default_rng([3, run]).random(200)
        for each, protocol in zip(made, ALL[:4], strict=True):
            wanted = [
                naive.scores(labels, (scores >= at).astype(int).tolist(), protocol)[2]
                for at in thresholds
            ]
            assert each.f1[run].tolist() == pytest.approx(wanted)


def test_terms_add_up_to_the_expected_credit():
    protocol = PointAdjustDecay(ExponentialDecay(0.9))
    normal = [0.9, 0.5, 1.0, 0.2]
    first, worth = credit_terms(normal, protocol)
    # (1-.9), .9*.5, 0, .9*.5*1*.8
    assert first.tolist() == pytest.approx([0.1, 0.45, 0.0, 0.36])
    assert worth.tolist() == pytest.approx([1, 0.9, 0.81, 0.729])
    whole = padf.expected([1, 1, 1, 1], normal, protocol)
    assert float(first @ worth) == pytest.approx(whole.recall)


# ---- p-values ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("labels", "protocol"),
    [
        ([1, 0, 1, 0, 0], Pointwise()),
        ([1, 1, 1, 0, 0], Pointwise()),
        ([1, 0, 0, 1, 0], PointAdjust()),
        ([1, 1, 0, 1, 1], PointAdjust()),
        ([0, 1, 1, 1, 0], PointAdjust()),
    ],
)
def test_independent_p_values_are_those_of_every_order_of_the_points(labels, protocol):
    lengths = np.array([len(run) for run in "".join(map(str, labels)).split("0") if run])
    heights = [
        float(max(row[3] for row in naive.sweep(labels, order, protocol)))
        for order in permutations(range(5))
    ]
    for f1 in sorted(set(heights)):
        made = independent_p_value(f1, protocol, lengths, labels.count(0))
        assert made.value == pytest.approx(np.mean([each >= f1 - 1e-12 for each in heights]))
        assert made.error == 0
    assert independent_p_value(0.0, protocol, lengths, labels.count(0)).value == 1


def test_independent_p_values_agree_with_simulated_runs():
    labels = np.arange(2000) % 100 >= 90
    for protocol in (Pointwise(), PointAdjust()):
        (row,) = random_rows(labels, [protocol], runs=400)
        f1 = float(np.quantile(row.f1, 0.8))
        simulated = p_value(row.f1, f1)
        exact = independent_p_value(f1, protocol, np.full(20, 10), 1800)
        assert exact.value == pytest.approx(simulated.value, abs=4 * simulated.error)


def test_what_has_no_closed_p_value_says_so():
    assert independent_p_value(0.5, PointAdjust(), np.array([2, 3]), 9) is None
    assert independent_p_value(0.5, PointAdjustDecay(), np.array([2, 2]), 9) is None
    assert independent_p_value(0.5, Pointwise(), np.array([10_000]), 1_000_000) is None
