"""F1 over K and over d, at given detections and at best thresholds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import padf_core as padf
from padf_core import ExponentialDecay, PointAdjustDecay, PointAdjustK
from tests import naive, strategies


@given(strategies.patterns(max_size=25))
@settings(max_examples=30)
def test_f1_over_k_agrees_with_brute_force(pattern):
    for inclusive in (False, True):
        curve = padf.f1_over_k(*pattern, inclusive=inclusive)
        assert curve.values.tolist() == list(range(101))
        expected = [
            float(naive.scores(*pattern, PointAdjustK(k, inclusive))[2]) for k in range(101)
        ]
        np.testing.assert_allclose(curve.f1, expected, rtol=1e-12)


@given(strategies.patterns(max_size=25))
@settings(max_examples=30)
def test_f1_over_d_agrees_with_brute_force(pattern):
    rates = [0.01, 0.3, 0.9, 1.0]
    for precision in ("tables", "equations"):
        curve = padf.f1_over_d(*pattern, rates, precision=precision)
        expected = [
            float(naive.scores(*pattern, PointAdjustDecay(ExponentialDecay(d), precision))[2])
            for d in rates
        ]
        np.testing.assert_allclose(curve.f1, expected, rtol=1e-12)


@given(strategies.scored(max_size=16))
@settings(max_examples=25)
def test_best_f1_over_k_and_d_agree_with_brute_force(case):
    over_k = padf.best_f1_over_k(*case)
    for k in (0, 20, 29, 50, 77, 100):
        rows = naive.sweep(*case, PointAdjustK(k))
        assert over_k.f1[k] == pytest.approx(float(max(row[3] for row in rows)), rel=1e-12)
        assert over_k.thresholds[k] in {row[0] for row in rows}
    rates = [0.2, 0.9]
    for precision in ("tables", "equations"):
        over_d = padf.best_f1_over_d(*case, rates, precision=precision)
        for i, d in enumerate(rates):
            rows = naive.sweep(*case, PointAdjustDecay(ExponentialDecay(d), precision))
            assert over_d.f1[i] == pytest.approx(float(max(row[3] for row in rows)), rel=1e-12)


def test_areas_by_hand():
    # One segment of 2 with one hit: F1 is 1 while 50 % exceeds K (K = 0..49), then 2/3.
    # Trapezoids: 49 of height 1, one of (1 + 2/3)/2 = 5/6, 50 of 2/3; divided by 100.
    area = (49 + 5 / 6 + 50 * 2 / 3) / 100
    assert padf.f1_over_k([0, 1, 1, 0], [0, 1, 0, 0]).area == pytest.approx(area, rel=1e-14)
    # One hit at delay 1: F1 = 2d/(1 + d); rates 0.5 and 1 give 2/3 and 1: mean height 5/6.
    assert padf.f1_over_d([1, 1], [0, 1], [0.5, 1.0]).area == pytest.approx(5 / 6, rel=1e-15)


def test_a_hit_at_once_makes_d_irrelevant():
    curve = padf.f1_over_d([0, 1, 1, 1], [0, 1, 0, 0])
    assert curve.values[[0, -1]].tolist() == [0.01, 1.0]
    assert set(curve.f1) == {1.0}
    assert curve.area == pytest.approx(1.0)


def test_one_rate_is_a_curve_of_its_own_height():
    assert padf.f1_over_d([1, 1], [0, 1], [0.5]).area == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("rates", "message"),
    [
        ([], "rates must not be empty"),
        ([0.9, 0.1], "rates must increase; got [0.9, 0.1]"),
        ([0.5, 0.5], "rates must increase; got [0.5, 0.5]"),
        (["x"], "rates must be numbers; got 'x' at index 0"),
        ([[0.5, 0.9]], "rates must be one-dimensional; got shape (1, 2)"),
    ],
)
def test_rates_must_rise(rates, message):
    with pytest.raises(ValueError) as error:
        padf.f1_over_d([0, 1], [0, 1], rates)
    assert str(error.value) == message


def test_the_rule_of_k_reaches_the_best_thresholds():
    # A segment of 2; the higher of its scores lies above the false alarm: 1 of 2 hits is 50 %.
    labels, scores = [1, 1, 0], [9, 1, 5]
    assert padf.best_f1_over_k(labels, scores, inclusive=True).f1[50] == 1.0
    assert padf.best_f1_over_k(labels, scores).f1[50] == pytest.approx(0.8)


def test_shifted_alarms_by_hand():
    # A segment at 2..3 of 6, one alarm at 1: moved by 1 it hits at once, by 2 one step late.
    labels, alarms = [0, 0, 1, 1, 0, 0], [0, 1, 0, 0, 0, 0]
    protocols = [padf.PointAdjust(), PointAdjustDecay(ExponentialDecay(0.5))]
    pa, decayed = padf.f1_over_shift(labels, alarms, protocols, [-2, -1, 0, 1, 2, 3, 9])
    assert pa.f1.tolist() == [0, 0, 0, 1, 1, 0, 0]
    np.testing.assert_allclose(decayed.f1, [0, 0, 0, 1, 2 / 3, 0, 0])


def test_a_rate_out_of_range_is_named():
    with pytest.raises(ValueError, match=r"rate must be above 0 and at most 1; got 0.0"):
        padf.best_f1_over_d([0, 1], [0, 1], [0.0, 0.5])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: padf.f1_over_d([0, 1], [0, 1], []), "rates must not be empty"),
        (lambda: padf.best_f1_over_d([0, 1], [0.1, 0.2], []), "rates must not be empty"),
        (
            lambda: padf.f1_over_shift([0, 1], [0, 1], [padf.PointAdjust()], []),
            "shifts must not be empty",
        ),
        (
            lambda: padf.f1_over_shift([0, 1], [0, 1], [padf.PointAdjust()], [0, 0.5]),
            "shifts must be whole numbers; got 0.5 at index 1",
        ),
        (
            lambda: padf.f1_over_shift([0, 1], [0, 1], [padf.PointAdjust()], [np.inf]),
            "shifts must be whole numbers; got inf at index 0",
        ),
        (
            lambda: padf.f1_over_shift([0, 1], [0, 1], [padf.PointAdjust()], [2**64]),
            "shifts must be floats, or whole numbers that fit into 64 bits; got "
            "18446744073709551616",
        ),
        (lambda: padf.Curve.of([], []), "values must not be empty"),
        (
            lambda: padf.Curve.of([1, 2], [0.5]),
            "values and f1 must have the same length; got 2 and 1",
        ),
        (
            lambda: padf.Curve.of([1], [0.5], [3, 4]),
            "values and thresholds must have the same length; got 1 and 2",
        ),
    ],
)
def test_no_curve_without_values(make, message):
    with pytest.raises(ValueError) as error:
        make()
    assert str(error.value).startswith(message)


@given(strategies.scored(), st.data())
def test_curves_of_best_f1_are_the_best_one_by_one(case, data):
    labels, scores = case
    ranked = padf.rank_scores(labels, scores)
    rule = data.draw(st.booleans())
    ks = sorted(data.draw(st.sets(st.integers(0, 100), min_size=1, max_size=12)))
    families = [[PointAdjustK(k, rule) for k in (*ks, *reversed(ks))]]
    for precision in ("tables", "equations"):
        for weight in ("points", "segments"):
            families.append(
                [
                    PointAdjustDecay(ExponentialDecay(rate), precision, weight=weight)
                    for rate in (0.1, 0.5, 0.9, 1.0)
                ]
            )
    families.append([padf.EventWise(), padf.EventWise()])
    for protocols in families:
        for one, protocol in zip(ranked.best_over(protocols), protocols, strict=True):
            wanted = ranked.best(protocol)
            assert one.threshold == wanted.threshold or one.f1 == 0
            assert one.f1 == pytest.approx(wanted.f1, rel=1e-14)
            assert one.protocol == protocol
