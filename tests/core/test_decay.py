"""Decays: their values, their limits, and what is said of a function that is none."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import padf_core as padf
from padf_core import (
    CheckedDecay,
    DeadlineDecay,
    Decay,
    ExponentialDecay,
    HalfLifeDecay,
    LinearDecay,
    PointAdjustDecay,
)
from tests import naive, strategies

LATE = np.array([0, 1, 10, 1_000, 1_000_000])


@given(strategies.decays, st.lists(st.integers(0, 60), min_size=1))
def test_values_are_the_definition(decay, delays):
    expected = [float(naive.worth(decay, delay)) for delay in delays]
    np.testing.assert_allclose(decay(np.array(delays)), expected, rtol=1e-12, atol=1e-300)


@given(strategies.decays)
def test_every_decay_starts_at_1_and_never_rises(decay):
    values = decay(np.arange(2000))
    assert values[0] == 1
    assert (np.diff(values) <= 0).all()
    assert ((values >= 0) & (values <= 1)).all()


@pytest.mark.parametrize(
    "decay",
    [ExponentialDecay(0.01), HalfLifeDecay(1e-3), LinearDecay(1e-300), DeadlineDecay(0)],
    ids=lambda decay: decay.label,
)
def test_very_late_is_worth_nothing_and_raises_no_floating_point_error(decay):
    with np.errstate(all="raise"):
        values = decay(LATE)
    assert values[0] == 1
    assert values[-1] < 1e-300


def test_a_very_late_hit_in_a_very_long_segment():
    labels = np.ones(1_000_001, dtype=bool)
    detections = np.zeros_like(labels)
    detections[-1] = True
    with np.errstate(all="raise"):
        prompt = padf.evaluate(labels, detections, PointAdjustDecay(ExponentialDecay(0.01)))
        assert prompt.f1 < 1e-300
        late = padf.evaluate(labels, detections, PointAdjustDecay(ExponentialDecay(0.999999)))
    assert late.recall == pytest.approx(math.exp(1_000_000 * math.log(0.999999)), rel=1e-9)


def test_half_life_is_an_exponential_decay():
    # 0.9^k = 1/2 at k = ln 2 / -ln 0.9 = 6.5788...
    half_life = math.log(2) / -math.log(0.9)
    assert HalfLifeDecay(half_life).rate == pytest.approx(0.9, rel=1e-12)


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (lambda k: 1 / (1 + k), "works on arrays"),
        (lambda k: 1 / (1 + int(k)), "works on one number only"),
        (lambda k: 1.0 if k < 5 else 0.0, "raises on arrays"),
        (lambda k: 1, "gives one number for an array"),
        (lambda k: 1 / 2**k, "would overflow in integers"),
        (lambda k: 1 / (1 + k**4), "would overflow in integers far out"),
        (lambda k: 2 / (1 + math.exp(k)), "overflows far out, on one number"),
        (lambda k: np.array([1, 0.5] + [0.2] * 200)[k], "looks values up"),
    ],
)
def test_any_decreasing_function_will_do(function, name):
    protocol = PointAdjustDecay(decay=function)
    labels = [1] * 8
    for delay in range(8):
        detections = [int(t == delay) for t in range(8)]
        result = padf.evaluate(labels, detections, protocol)
        assert result.recall == pytest.approx(float(function(delay))), name
    (best,) = padf.best_f1([1, 1, 0], [1, 2, 0], [protocol])
    assert best.f1 == 1


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda k: 0.5**k * 0.9, "decay must be 1 at delay 0; got 0.9"),
        (lambda k: 1 - 0.1 * k, "decay must stay between 0 and 1; got -0.1 at delay 11"),
        (
            lambda k: np.where(k == 3, 0.9, 0.5**k),
            "decay must not increase with the delay; got 0.25 at delay 2 and 0.9 at delay 3",
        ),
        (lambda k: k * np.nan, "decay must be 1 at delay 0; got nan"),
        (lambda k: 0.9**-k, "decay must stay between 0 and 1; got 1.11111 at delay 1"),
        (lambda k: "a lot", "decay must give a number for every delay; at delay 0 it raised"),
        (lambda k: 1 / k, "decay must be 1 at delay 0; got inf"),
        (0.9, "decay must be a function of the delay such as ExponentialDecay(0.9); got 0.9"),
        (ExponentialDecay, "decay must be a function of the delay such as ExponentialDecay(0.9)"),
    ],
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_function_that_is_no_decay(function, message):
    with pytest.raises(ValueError) as error:
        PointAdjustDecay(decay=function)
    assert str(error.value).startswith(message)


def test_a_decay_of_one_s_own_is_checked_too():
    class Rising(Decay):
        def __call__(self, delays):
            return 1.0 + np.asarray(delays)

        def label_in(self, measure):
            return "rising"

    with pytest.raises(ValueError, match="decay must stay between 0 and 1; got 2 at delay 1"):
        PointAdjustDecay(Rising())


def test_a_decay_of_one_s_own_keeps_its_name():
    class Slow(Decay):
        def __call__(self, delays):
            return 1 / (1 + 0.01 * np.asarray(delays))

        def label_in(self, measure):
            return "slow"

    assert PointAdjustDecay(Slow()).label == "PAdf (slow)"


def test_a_function_that_misbehaves_between_the_probes_is_caught_when_it_is_asked():
    protocol = PointAdjustDecay(decay=lambda k: np.where(k == 137, 1.0, 0.9**k))
    labels, detections = np.ones(200, dtype=int), np.zeros(200, dtype=int)
    detections[137] = 1
    with pytest.raises(ValueError, match="decay must not increase with the delay"):
        padf.evaluate(labels, detections, protocol)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ExponentialDecay(0), "rate must be above 0 and at most 1; got 0"),
        (lambda: ExponentialDecay(1.01), "rate must be above 0 and at most 1; got 1.01"),
        (lambda: ExponentialDecay(90), "got 90; a rate of 90 % is 0.9"),
        (lambda: ExponentialDecay("0.9"), "rate must be above 0 and at most 1; got '0.9'"),
        (lambda: ExponentialDecay(True), "rate must be above 0 and at most 1; got True"),
        (lambda: ExponentialDecay(10**400), "rate must be above 0 and at most 1; got 1000000"),
        (lambda: HalfLifeDecay(0), "half_life must be a number above 0; got 0"),
        (lambda: HalfLifeDecay(math.inf), "half_life must be a number above 0; got inf"),
        (lambda: LinearDecay(-1), "span must be a number above 0; got -1"),
        (lambda: DeadlineDecay(-1), "limit must be a number of at least 0; got -1"),
        (lambda: DeadlineDecay(math.nan), "limit must be a number of at least 0; got nan"),
    ],
)
def test_parameters_out_of_range_say_the_rule(make, message):
    with pytest.raises(ValueError) as error:
        make()
    assert message in str(error.value)


def test_labels_for_people():
    assert PointAdjustDecay().label == "PAdf (d = 0.9)"
    assert PointAdjustDecay(convention="equations").label == "PAdf (d = 0.9, equations)"
    assert CheckedDecay(lambda k: 1 / (1 + k)).label == "custom"
