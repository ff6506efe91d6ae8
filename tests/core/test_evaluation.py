"""evaluate: counts, scores, credit and outcomes against hand derivations and brute force."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import padf_core as padf
from padf_core import ExponentialDecay, PointAdjust, PointAdjustDecay, PointAdjustK, Pointwise
from tests import naive, strategies


def bits(text):
    return [int(character) for character in text]


def padf_at(rate, precision="tables"):
    return PointAdjustDecay(ExponentialDecay(rate), precision)


def test_strategies_leave_no_protocol_out():
    assert set(strategies.by_key) == set(padf.PROTOCOLS)


GOLDEN = [
    # protocol, labels, detections, credit inside segments, and in words why
    (Pointwise(), "0111100", "1010000", [0, 1, 0, 0], "each point keeps its own detection"),
    (PointAdjust(), "0111100", "1010000", [1, 1, 1, 1], "one hit earns the segment"),
    (PointAdjust(), "0111100", "1000001", [0, 0, 0, 0], "alarms outside earn nothing"),
    (PointAdjustK(20), "0111100", "0010000", [1, 1, 1, 1], "1 of 4 is 25 %, above 20 %"),
    (PointAdjustK(25), "0111100", "0010000", [0, 1, 0, 0], "25 % does not exceed 25 %"),
    (PointAdjustK(25, True), "0111100", "0010000", [1, 1, 1, 1], "but it is 25 % or more"),
    (PointAdjustK(0, True), "0111100", "0000000", [0, 0, 0, 0], "no hit is never adjusted"),
    (padf_at(0.5), "0111100", "0100100", [1, 1, 1, 1], "at once: the second hit is moot"),
    (padf_at(0.5), "0111100", "0001100", [0.25] * 4, "delay 2 is worth 0.5^2"),
    (padf_at(0.5), "1100011", "1000001", [1, 1, 0.5, 0.5], "segments at both ends"),
]


@pytest.mark.parametrize(("protocol", "labels", "detections", "inside", "why"), GOLDEN)
def test_golden_credit(protocol, labels, detections, inside, why):
    result = padf.evaluate(bits(labels), bits(detections), protocol)
    assert result.credit[np.array(bits(labels)) == 1].tolist() == inside, why
    outside = np.array(bits(labels)) == 0
    assert result.credit[outside].tolist() == np.array(bits(detections))[outside].tolist()
    assert result.true_positives == sum(inside)


def test_counts_by_hand():
    # Segment of 4 at delay 1 with d = 0.9: eTP = 4 * 0.9 = 3.6. One alarm outside: FP = 1.
    # precision 3.6/4.6, recall 3.6/4, F1 = 2 * 3.6 / (4 + 4.6) = 7.2/8.6.
    result = padf.evaluate(bits("0011110"), bits("1001010"), padf_at(0.9))
    assert result.true_positives == pytest.approx(3.6, rel=1e-15)
    assert result.false_positives == 1
    assert result.false_negatives == pytest.approx(0.4, rel=1e-12)
    assert result.precision == pytest.approx(3.6 / 4.6, rel=1e-15)
    assert result.recall == pytest.approx(0.9, rel=1e-15)
    assert result.f1 == pytest.approx(7.2 / 8.6, rel=1e-15)
    # F2 = 5 * 3.6 / (4 * 4 + 4.6)
    assert result.fbeta(2.0) == pytest.approx(18 / 20.6, rel=1e-15)


def test_outcomes_say_what_happened_to_each_segment():
    result = padf.evaluate(bits("110011101"), bits("010001100"), padf_at(0.5))
    assert result.segments == (
        padf.SegmentOutcome(start=0, stop=2, hits=1, delay=1, credit=0.5),
        padf.SegmentOutcome(start=4, stop=7, hits=2, delay=1, credit=0.5),
        padf.SegmentOutcome(start=8, stop=9, hits=0, delay=None, credit=0.0),
    )
    assert [segment.length for segment in result.segments] == [2, 3, 1]


def test_composite_and_event_wise_by_hand():
    # Segments of 3 (hit twice, at delay 1) and of 2 (missed); false alarms at 0, 1 and at 9.
    labels, alarms = bits("0011100110"), bits("1101100001")
    composite = padf.evaluate(labels, alarms, padf.Composite())
    # Point precision 2/5; one of two segments: R = 1/2; F1 = 2 * 0.4 * 0.5 / 0.9.
    assert (composite.precision, composite.recall) == (0.4, 0.5)
    assert composite.f1 == pytest.approx(0.4 / 0.9, rel=1e-15)
    assert composite.credit.tolist() == [1, 1, 0, 1, 1, 0, 0, 0, 0, 1]
    event_wise = padf.evaluate(labels, alarms, padf.EventWise())
    # One segment found, two runs of false alarms: P = 1/3; R = 1/2; F1 = 2/5.
    assert event_wise.precision == pytest.approx(1 / 3, rel=1e-15)
    assert (event_wise.recall, event_wise.false_positives) == (0.5, 2)
    assert event_wise.f1 == pytest.approx(0.4, rel=1e-15)
    assert event_wise.false_negatives == 1


def test_event_wise_precision_corrected_by_the_false_alarm_rate():
    # As above: P = 1/3. Of the five normal points three have an alarm: P = 1/3 · 2/5; R = 1/2.
    labels, alarms = bits("0011100110"), bits("1101100001")
    made = padf.evaluate(labels, alarms, padf.EventWise("corrected"))
    assert made.precision == pytest.approx(2 / 15, rel=1e-15)
    assert made.f1 == pytest.approx(2 * (2 / 15) / 2 / (2 / 15 + 1 / 2), rel=1e-15)
    assert made.protocol.label == "Event-wise (corrected)"
    # Without a normal point there is no false-alarm rate to correct by.
    assert padf.evaluate([1, 1], [0, 1], padf.EventWise("corrected")).f1 == 1
    with pytest.raises(ValueError, match='event_precision must be "plain" or "corrected"'):
        padf.EventWise("else")


@pytest.mark.parametrize("count", [1, 2, 20])
def test_flagging_everything_is_worth_two_thirds_event_wise_and_nothing_corrected(count):
    # m segments between normal points: m found, m + 1 runs of false alarms: F1 = 2m / (3m + 1).
    labels = [0, 1] * count + [0]
    everything = [1] * len(labels)
    plain = padf.evaluate(labels, everything, padf.EventWise())
    assert plain.f1 == pytest.approx(2 * count / (3 * count + 1))
    assert padf.evaluate(labels, everything, padf.EventWise("corrected")).f1 == 0


def test_an_alarm_that_runs_out_of_its_segment_is_a_run_of_false_alarms():
    # The run goes on behind the segment: its two normal points are one false alarm.
    result = padf.evaluate(bits("0110000"), bits("0011100"), padf.EventWise())
    assert (result.true_positives, result.false_positives) == (1, 1)


def test_point_wise_outcome_is_the_share_of_hits():
    result = padf.evaluate(bits("1111"), bits("0100"), Pointwise())
    assert result.segments[0].credit == 0.25


@given(strategies.patterns(), strategies.protocols, st.sampled_from([0.5, 1, 2]))
def test_evaluate_agrees_with_brute_force(pattern, protocol, beta):
    labels, detections = pattern
    result = padf.evaluate(labels, detections, protocol)
    etp, fp, claimed, wanted, found = naive.counts(labels, detections, protocol)
    precision, recall, fbeta = naive.scores(labels, detections, protocol, beta)
    assert result.true_positives == pytest.approx(float(etp), rel=1e-12)
    assert result.false_positives == fp
    assert result.claimed == pytest.approx(float(claimed), rel=1e-12)
    assert result.found == pytest.approx(float(found), rel=1e-12)
    assert result.wanted == wanted
    assert result.anomalous == sum(labels)
    assert result.precision == pytest.approx(float(precision), rel=1e-12)
    assert result.recall == pytest.approx(float(recall), rel=1e-12)
    assert result.fbeta(beta) == pytest.approx(float(fbeta), rel=1e-12)
    credit, _ = naive.picture(labels, detections, protocol)
    np.testing.assert_allclose(result.credit, [float(c) for c in credit], rtol=1e-12)
    assert [(s.start, s.stop) for s in result.segments] == naive.segments(labels)


@given(strategies.patterns(), strategies.protocols)
def test_f1_is_the_harmonic_mean_and_everything_lies_in_0_to_1(pattern, protocol):
    result = padf.evaluate(*pattern, protocol)
    p, r = result.precision, result.recall
    assert result.f1 == pytest.approx(2 * p * r / (p + r) if p + r else 0.0, rel=1e-12)
    assert 0 <= p <= 1
    assert 0 <= r <= 1
    assert 0 <= result.f1 <= 1
    assert ((result.credit >= 0) & (result.credit <= 1)).all()


@given(strategies.patterns())
def test_k_0_is_pa_and_k_100_is_point_wise(pattern):
    for inclusive in (False, True):
        assert_same(pattern, PointAdjustK(0, inclusive), PointAdjust())
        assert_same(pattern, PointAdjustK(100, inclusive), Pointwise())


@given(strategies.patterns(), st.sampled_from(["tables", "equations"]))
def test_d_1_is_pa_under_both_conventions(pattern, precision):
    assert_same(pattern, padf_at(1.0, precision), PointAdjust())


def assert_same(pattern, first, second):
    a, b = padf.evaluate(*pattern, first), padf.evaluate(*pattern, second)
    assert (a.precision, a.recall, a.f1) == (b.precision, b.recall, b.f1)
    assert a.credit.tolist() == b.credit.tolist()


@given(strategies.patterns(), strategies.paper_protocols)
def test_every_protocol_lies_between_its_bounds(pattern, protocol):
    """PA is the ceiling of all; point-wise the floor of those that only add whole points."""
    result = padf.evaluate(*pattern, protocol)
    ceiling = padf.evaluate(*pattern, PointAdjust())
    assert result.recall <= ceiling.recall
    assert result.f1 <= ceiling.f1 + 1e-15
    if not isinstance(protocol, PointAdjustDecay):
        floor = padf.evaluate(*pattern, Pointwise())
        assert result.recall >= floor.recall
        assert result.f1 >= floor.f1


@given(strategies.patterns(), strategies.rates, strategies.rates)
def test_a_lower_rate_never_scores_more(pattern, a, b):
    low, high = sorted((a, b))
    assert padf.evaluate(*pattern, padf_at(low)).f1 <= (
        padf.evaluate(*pattern, padf_at(high)).f1 + 1e-15
    )


@pytest.mark.parametrize("delay", range(7))
def test_one_late_hit_under_both_conventions(delay):
    """No false alarm: "tables" gives 2D/(1+D), "equations" gives D itself."""
    worth = 0.9**delay
    detections = [0] * 5 + [int(t == delay) for t in range(7)]
    labels = [0] * 5 + [1] * 7
    tables = padf.evaluate(labels, detections, padf_at(0.9)).f1
    equations = padf.evaluate(labels, detections, padf_at(0.9, "equations")).f1
    assert tables == pytest.approx(2 * worth / (1 + worth), rel=1e-14)
    assert equations == pytest.approx(worth, rel=1e-14)


def test_appendix_c_with_false_alarms_follows_from_the_equations():
    # First hit at delay 2, another at 5, M = 2 false alarms: F1 = 2N/(2N + M) * D(2).
    labels = [1] * 10 + [0] * 20
    detections = [0] * 30
    for t in (2, 5, 20, 25):
        detections[t] = 1
    result = padf.evaluate(labels, detections, padf_at(0.9, "equations"))
    assert result.f1 == pytest.approx(20 / 22 * 0.81, rel=1e-14)


class TestDefectsSeenElsewhere:
    @pytest.mark.parametrize("key", padf.PROTOCOLS)
    def test_a_segment_that_starts_at_index_0_is_filled_back_to_it(self, key):
        protocol = padf.PROTOCOLS[key]()
        result = padf.evaluate(bits("1111100"), bits("0110000"), protocol)
        by_hand = {
            "pointwise": [0, 1, 1, 0, 0],
            "pa": [1] * 5,
            "pa_k": [1] * 5,
            "padf": [0.9] * 5,
            "composite": [0, 1, 1, 0, 0],
            "event_wise": [1] * 5,
        }
        credit, _ = naive.picture(bits("1111100"), bits("0110000"), protocol)
        assert result.credit[:5].tolist() == pytest.approx([float(c) for c in credit[:5]])
        assert result.credit[:5].tolist() == by_hand.get(key, result.credit[:5].tolist())

    @pytest.mark.parametrize("key", padf.PROTOCOLS)
    def test_inputs_are_never_changed(self, key):
        for dtype in (bool, np.int8, np.int64, np.float32):
            labels = np.array(bits("0111100"), dtype=dtype)
            detections = np.array(bits("0010001"), dtype=dtype)
            padf.evaluate(labels, detections, padf.PROTOCOLS[key]())
            assert labels.tolist() == bits("0111100")
            assert detections.tolist() == bits("0010001")

    def test_a_result_does_not_follow_later_changes_of_the_input(self):
        labels, detections = np.array([True, True, False]), np.array([False, True, False])
        result = padf.evaluate(labels, detections, Pointwise())
        detections[:] = True
        assert result.credit.tolist() == [0, 1, 0]

    def test_results_are_frozen(self):
        result = padf.evaluate([0, 1], [0, 1], PointAdjust())
        with pytest.raises(AttributeError):
            result.true_positives = 5
        with pytest.raises(ValueError, match="read-only"):
            result.credit[0] = 1

    def test_what_a_result_stands_on_cannot_be_changed(self):
        result = padf.evaluate([0, 1], [0, 1], PointAdjust())
        for array in (result.pattern.labels, result.pattern.detections, result.segment_credit):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1

    def test_29_percent_of_100_is_not_decided_by_float_error(self):
        # In floats 0.29 * 100 is 28.999..., so "29 hits > 29 %" comes out true. It is not more.
        labels = [1] * 100
        for hits, adjusted in ((28, False), (29, False), (30, True)):
            result = padf.evaluate(labels, [1] * hits + [0] * (100 - hits), PointAdjustK(29))
            assert (result.recall == 1) is adjusted

    def test_k_is_taken_as_given(self):
        # 33.3333333 % of 3 points is 0.999999999 points: one hit is more. 100/3 % would be 1.
        assert padf.evaluate([1, 1, 1], [1, 0, 0], PointAdjustK(33.3333333)).recall == 1
        assert padf.evaluate([1, 1, 1], [1, 0, 0], PointAdjustK(33.333333333333336)).recall < 1

    def test_a_decimal_k_means_what_is_written(self):
        # 33.3 % of 1000 is 333 hits: not more than 33.3 %.
        labels = [1] * 1000
        for hits, adjusted in ((333, False), (334, True)):
            result = padf.evaluate(labels, [1] * hits + [0] * (1000 - hits), PointAdjustK(33.3))
            assert (result.recall == 1) is adjusted


def test_nothing_anomalous_or_nothing_detected_scores_0():
    for protocol in (cls() for cls in padf.PROTOCOLS.values()):
        assert padf.evaluate([0, 0, 0], [0, 1, 0], protocol).f1 == 0
        assert padf.evaluate([0, 0, 0], [0, 0, 0], protocol).f1 == 0
        assert padf.evaluate([0, 1, 0], [0, 0, 0], protocol).f1 == 0
        assert padf.evaluate([1, 1], [1, 1], protocol).f1 == 1


def test_evaluate_all_gives_the_same_as_one_by_one():
    protocols = [cls() for cls in padf.PROTOCOLS.values()]
    labels, detections = bits("0011110011"), bits("1000110000")
    together = padf.evaluate_all(labels, detections, protocols)
    assert [e.f1 for e in together] == [padf.evaluate(labels, detections, p).f1 for p in protocols]
    assert [e.protocol for e in together] == protocols


@pytest.mark.parametrize(
    ("protocol", "message"),
    [
        (PointAdjust, "protocol must be a protocol such as PointAdjust(); got <class"),
        ("pa", "protocol must be a protocol such as PointAdjust(); got 'pa'"),
    ],
)
def test_something_that_is_no_protocol(protocol, message):
    with pytest.raises(ValueError) as error:
        padf.evaluate([0, 1], [0, 1], protocol)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: PointAdjustK(0.2),
            "k must be a percentage from 0 to 100; got 0.2, which looks like a fraction: "
            "0.2 of a segment is k=20; for 0.2 % of it say fractional_percent=True",
        ),
        (
            lambda: PointAdjustK(20, fractional_percent="yes"),
            "fractional_percent must be True or False; got 'yes'",
        ),
        (lambda: PointAdjustK(101), "k must be a percentage from 0 to 100; got 101"),
        (lambda: PointAdjustK(-1), "k must be a percentage from 0 to 100; got -1"),
        (lambda: PointAdjustK(float("nan")), "k must be a percentage from 0 to 100; got nan"),
        (lambda: PointAdjustK("20"), "k must be a percentage from 0 to 100; got '20'"),
        (
            lambda: PointAdjustK(20, "no"),
            "inclusive must be True or False; got 'no'",
        ),
        (
            lambda: PointAdjustDecay(convention="table"),
            'convention must be "tables" or "equations"; got \'table\'',
        ),
    ],
)
def test_parameters_out_of_range_say_the_rule(make, message):
    with pytest.raises(ValueError) as error:
        make()
    assert str(error.value) == message


def test_beta_must_be_a_number():
    for beta in (-1, float("nan"), 1e200, "2"):
        with pytest.raises(ValueError, match="beta must be a number of at least 0; got "):
            padf.evaluate([0, 1], [0, 1], PointAdjust()).fbeta(beta)


def test_an_awkward_k_in_a_long_segment_does_not_overflow():
    # 100/3 % of 3,000,000 points: 1,000,000 hits are not more than that, one hit more is.
    labels = np.ones(3_000_000, dtype=bool)
    for hits, adjusted in ((1_000_000, False), (1_000_001, True)):
        detections = np.arange(labels.size) < hits
        result = padf.evaluate(labels, detections, PointAdjustK(100 / 3))
        assert (result.recall == 1) is adjusted


@given(strategies.patterns(), strategies.protocols)
def test_a_segment_s_credit_is_that_of_its_points(pattern, protocol):
    result = padf.evaluate(*pattern, protocol)
    for segment in result.segments:
        points = result.credit[segment.start : segment.stop]
        assert segment.credit == pytest.approx(points.mean(), rel=1e-12)


def test_k_may_lie_between_0_and_1_when_said_so():
    # 0.5 % of 200 points is 1: one hit does not exceed it, and is "or more".
    labels, one, two = [0] + [1] * 200, [0, 1] + [0] * 199, [0, 1, 1] + [0] * 198
    half = PointAdjustK(0.5, fractional_percent=True)
    assert padf.evaluate(labels, one, half).f1 == pytest.approx(2 / 201)
    assert padf.evaluate(labels, two, half).f1 == 1
    assert padf.evaluate(labels, one, PointAdjustK(0.5, True, fractional_percent=True)).f1 == 1
    assert padf.pa_k_f1_score(labels, two, k=0.5, fractional_percent=True) == 1
    assert half.label == "PA%K (K = 0.5)"
    assert padf.best_f1(labels, two, [half])[0].f1 == 1


@given(strategies.patterns(), st.sampled_from([0.001, 0.1, 0.5, 0.99]), st.booleans())
def test_k_between_0_and_1_agrees_with_brute_force(pattern, k, inclusive):
    protocol = PointAdjustK(k, inclusive, fractional_percent=True)
    wanted = [float(value) for value in naive.scores(*pattern, protocol)]
    result = padf.evaluate(*pattern, protocol)
    assert [result.precision, result.recall, result.f1] == pytest.approx(wanted)


def test_saying_that_k_may_be_below_1_changes_no_other_k():
    assert PointAdjustK(20, fractional_percent=True) == PointAdjustK(20)
    assert hash(PointAdjustK(20, fractional_percent=True)) == hash(PointAdjustK(20))
