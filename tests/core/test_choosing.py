"""From a need to a decay, and where detectors change places."""

from itertools import combinations, pairwise
from math import atanh, log

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from padf_core import (
    ADTQCDecay,
    DeadlineDecay,
    ExponentialDecay,
    LinearDecay,
    PointAdjustDecay,
    Settings,
    SigmoidDecay,
)
from padf_core.analysis.choosing import Need, agreeing_shapes, decay_for, need_of
from padf_core.analysis.decay_axis import Axis
from padf_core.analysis.flips import race
from padf_core.analysis.forms import forms_of_pattern, forms_of_scores
from padf_core.analysis.notices import notices
from padf_core.analysis.settings_file import settings_from_json, settings_to_json
from padf_core.io.series import make_series
from padf_core.io.times import make_clock
from padf_core.metrics.evaluation import make_pattern
from padf_core.metrics.sweep import rank_scores
from tests import naive
from tests.strategies import label_lists

# ---- needs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("percent", range(1, 100))
def test_a_need_of_whole_percents_goes_into_settings_and_back(percent):
    need = Need("worth", 600, percent / 100)
    assert need.values["worth"] == percent
    assert need_of(Settings(**need.values)) == need


@given(
    st.floats(1, 86400), st.floats(0.01, 0.99), st.sampled_from([1.0, 10.0, 60.0, 300.0, 3600.0])
)
def test_the_decay_gives_what_was_asked_for(seconds, share, step):
    shape, d = decay_for(Need("worth", seconds, share), step)
    assert shape == "exponential"
    assume(d > 1e-9)
    assert d ** (seconds / step) == pytest.approx(share)
    shape, half = decay_for(Need("half_life", seconds), step)
    assert (shape, half * step) == ("half_life", pytest.approx(max(seconds, 0.01 * step)))
    shape, span = decay_for(Need("loss", seconds), step)
    assert (shape, span * step) == ("linear", pytest.approx(max(seconds, 0.01 * step)))
    shape, limit = decay_for(Need("deadline", seconds), step)
    assert shape == "deadline"
    assert limit * step <= seconds * (1 + 1e-9) < (limit + 1) * step * (1 + 1e-9)


@given(
    st.sampled_from(["worth", "half_life", "loss", "deadline"]),
    st.integers(1, 86400),
    st.floats(0.01, 0.99),
    st.sampled_from([0.0, 120.0]),
)
def test_a_need_is_kept_as_settings_and_read_back(kind, seconds, share, grace):
    need = Need(kind, seconds, share if kind == "worth" else 0.5, grace)
    kept = need_of(Settings(**need.values))
    assert (kept.kind, kept.seconds, kept.grace) == (need.kind, need.seconds, need.grace)
    assert kept.share == pytest.approx(need.share)
    worth = Settings(**need.values).protocol("padf").worth(np.array([grace, grace + seconds]))
    wanted = {"worth": need.share, "half_life": 0.5, "loss": 0.0, "deadline": 1.0}[kind]
    assert worth.tolist() == pytest.approx([1.0, wanted], abs=1e-9)
    assert need_of(Settings()) is None


def test_a_decay_that_no_need_describes_is_no_need():
    # No shape on the clock lacks a need today, so these settings are a plain dictionary.
    assert need_of({"measure": "clock", "shape": "sigmoid"}) is None


@given(st.floats(60, 8640), st.floats(0.05, 0.95))
def test_shapes_agree_at_the_need(seconds, share):
    found = agreeing_shapes(Need("worth", seconds, share))
    made = {shape: Settings(**values).protocol("padf") for shape, values in found.items()}
    for shape in ("half_life", "linear"):
        assert made[shape].worth(np.array([seconds]))[0] == pytest.approx(share, rel=1e-6)
    # A deadline pays in full up to the need, and nothing behind it.
    late = np.array([seconds - 1, seconds + 1])
    assert made["deadline"].worth(late).tolist() == [1.0, 0.0]


def test_words_and_refusals():
    assert Need().text == "an alarm after 10 min is still worth 50 %"
    assert Need("loss", 5400).text == "the loss grows linearly and is total after 1 h 30 min"
    for bad in (
        {"kind": "now"},
        {"seconds": 0},
        {"seconds": float("nan")},
        {"share": 0},
        {"share": 1},
    ):
        with pytest.raises(ValueError, match="must be"):
            Need(**bad)
    with pytest.raises(ValueError, match="step_seconds must be above 0"):
        decay_for(Need(), 0)
    with pytest.raises(ValueError, match=r"1 d are 86,400,000 steps of 1 ms; at most 1,000,000"):
        decay_for(Need("half_life", 86400), 0.001)


# ---- notices -------------------------------------------------------------------------------------


def told(protocol, labels, random_f1=None, f1=()):
    series = make_series("x", labels, {"a": np.zeros(len(labels))})
    return {notice.key: notice for notice in notices(protocol, series, random_f1, f1)}


def one_segment(length):
    return [0, *[1] * length, 0]


def test_a_half_life_much_shorter_than_segments_is_told():
    # Half gone after 6.58 steps; 201 points last 200 steps: 6.58 / 200 = 3.3 %.
    notice = told(PointAdjustDecay(), one_segment(201))["short"]
    assert "after 6.6 steps, and the median segment lasts 200 steps" in notice.text
    assert "only alarms in its first 3.3 % earn more than half" in notice.text
    assert Settings().replace(**notice.remedy)["measure"] == "share"
    assert told(PointAdjustDecay(), one_segment(20)) == {}


def test_a_need_below_a_step_is_told():
    # Half is gone after 30 s, in steps of a minute.
    timed = Settings(**Need("half_life", 30).values).protocol("padf")
    stamps = np.arange(11) * 60_000_000
    series = make_series("x", one_segment(9), {"a": np.zeros(11)}, make_clock(stamps))
    (first, *_) = notices(timed, series, None)
    assert "The need is shorter than a step: 30 s against 1 min" in first.text


def test_a_flat_decay_and_a_deadline_beyond_every_segment_are_told_apart():
    # 0.99999 to the power of 99 is 0.99901.
    flat = told(PointAdjustDecay(ExponentialDecay(0.99999)), one_segment(100))["flat"]
    assert "keeps 99.9 % of its credit: this hardly differs from PA" in flat.text
    loose = told(PointAdjustDecay(DeadlineDecay(500)), one_segment(100))["flat"]
    assert "No segment lasts longer than the deadline" in loose.text
    assert told(PointAdjustDecay(DeadlineDecay(50)), one_segment(100)) == {}


def test_one_heavy_segment_is_told_unless_each_counts_once():
    # Segments of 60, 20 and 20: 60 % of the weight.
    labels = [*one_segment(60), *one_segment(20), *one_segment(20)]
    gentle = ExponentialDecay(0.97)
    notice = told(PointAdjustDecay(gentle), labels)["heavy"]
    assert "One segment of 3 carries 60 % of the weight" in notice.text
    assert "heavy" not in told(PointAdjustDecay(gentle, weight="segments"), labels)
    assert "heavy" not in told(PointAdjustDecay(gentle), one_segment(20) * 3)


def test_chance_that_beats_every_detector_is_told():
    notice = told(PointAdjustDecay(), one_segment(10), 0.5, [0.4, 0.3])["random"]
    assert "more than every detector here (the best has 0.400)" in notice.text
    assert told(PointAdjustDecay(), one_segment(10), 0.5, [0.4, 0.6]) == {}


def test_settings_files_are_read_again_and_bad_ones_refused():
    wanted = Settings(shape="linear", decay=30, k=12.5, inclusive=True, precision="equations")
    assert settings_from_json(settings_to_json(wanted, Need(), 60)) == wanted
    for bad in ("", "[]", "{}", '{"format": "padf-settings-1"}', "[" * 5000):
        with pytest.raises(ValueError, match=r"JSON file|settings"):
            settings_from_json(bad)
    with pytest.raises(ValueError, match="must be"):
        settings_from_json(settings_to_json(wanted).replace("30", "-3"))


# ---- flips ---------------------------------------------------------------------------------------


@st.composite
def two_detectors(draw):
    labels = draw(label_lists(max_size=40))
    assume(sum(labels))
    size = len(labels)
    alarms = [draw(st.lists(st.integers(0, 1), min_size=size, max_size=size)) for _ in range(2)]
    return labels, alarms


def raced(forms, protocol, longest):
    return race(forms, Axis.of(protocol, 1.0, float(longest)))


def exact_gap(labels, alarms, precision, weight):
    """F1 of one detector less that of the other, in exact fractions, given what is kept a step."""

    def gap(rate):
        protocol = PointAdjustDecay(ExponentialDecay(rate), precision, weight=weight)
        first, second = (naive.scores(labels, each, protocol)[2] for each in alarms)
        return first - second

    return gap


@pytest.mark.slow
@given(
    two_detectors(),
    st.sampled_from(["tables", "equations"]),
    st.sampled_from(["points", "segments"]),
)
@settings(max_examples=60)
def test_flips_at_given_detections_agree_with_exact_fractions(data, precision, weight):
    labels, alarms = data
    protocol = PointAdjustDecay(convention=precision, weight=weight)
    forms = [forms_of_pattern(make_pattern(labels, each), protocol) for each in alarms]
    found = raced(forms, protocol, len(labels)).flips
    gap = exact_gap(labels, alarms, precision, weight)
    for flip in found:
        # 1e-4 to either side in the half-life; near-tangents may be closer than that.
        rates = [0.5 ** (1 / (flip.at * (1 + side))) for side in (-1e-4, 1e-4)]
        low, high = gap(rates[0]), gap(rates[1])
        if low and high and (low > 0) != (high > 0):
            assert (low > 0) == (flip.below == 0)
            assert (high > 0) == (flip.above == 0)
    # A dense grid, dense near d = 1 too.
    half_lives = np.geomspace(0.08, 1e5, 60)
    rates = [0.5 ** (1 / half) for half in half_lives.tolist()]
    heights = [gap(rate) for rate in rates]
    for place, (one, other) in enumerate(pairwise(heights)):
        if abs(one) > 1e-11 and abs(other) > 1e-11 and (one > 0) != (other > 0):
            inside = [f for f in found if half_lives[place] < f.at < half_lives[place + 1]]
            assert len(inside) % 2 == 1


@st.composite
def scored_detectors(draw):
    labels = draw(label_lists(max_size=40))
    assume(sum(labels))
    size = len(labels)
    scores = [draw(st.lists(st.integers(0, 9), min_size=size, max_size=size)) for _ in range(3)]
    return labels, scores


@pytest.mark.slow
@given(
    scored_detectors(),
    st.sampled_from(["tables", "equations"]),
    st.sampled_from([ExponentialDecay(0.9), LinearDecay(5), DeadlineDecay(3)]),
    st.sampled_from([0, 2]),
)
@settings(max_examples=60)
def test_flips_at_best_thresholds_agree_with_a_dense_grid(data, precision, decay, grace):
    labels, scores = data
    protocol = PointAdjustDecay(decay, precision, grace=grace)
    ranked = [rank_scores(labels, each) for each in scores]
    made = raced([forms_of_scores(each, protocol) for each in ranked], protocol, len(labels))
    numbers = np.geomspace(0.3, 150, 60).tolist()
    kind = made.axis.kind
    heights = np.array(
        [
            [each.best(PointAdjustDecay(kind(n), precision, grace=grace)).f1 for each in ranked]
            for n in numbers
        ]
    )
    np.testing.assert_allclose(np.array(made.curves(numbers)).T, heights, rtol=1e-12, atol=1e-15)
    for a, b in combinations(range(3), 2):
        gap = heights[:, a] - heights[:, b]
        clear = np.flatnonzero(np.abs(gap) > 1e-10).tolist()
        for left, right in pairwise(clear):
            inside = [
                flip
                for flip in made.flips
                if {flip.below, flip.above} == {a, b} and numbers[left] <= flip.at <= numbers[right]
            ]
            assert len(inside) % 2 == int((gap[left] > 0) != (gap[right] > 0))
    assert all(one.stop == other.start for one, other in pairwise(made.bands))
    for band in made.bands:
        if band.stop < 150:
            middle = made.f1_at((band.start * band.stop) ** 0.5)
            ordered = [round(middle[index], 9) for index in band.ranking]
            assert ordered == sorted(ordered, reverse=True)


def test_a_flip_by_hand():
    # Segments of 4 and 10. A finds the first at once and the second 2 late, no false alarm;
    # B finds both 1 late. A: 4 + 10 d^2, B: 14 d. Equal at 10 d^2 - 14 d + 4 = 0: d = 0.4 (and 1).
    labels = [0, *[1] * 4, 0, 0, *[1] * 10, 0]
    a, b = [0] * 18, [0] * 18
    a[1] = a[9] = 1
    b[2] = b[8] = 1
    for precision in ("tables", "equations"):
        protocol = PointAdjustDecay(convention=precision)
        forms = [forms_of_pattern(make_pattern(labels, x), protocol) for x in (a, b)]
        made = raced(forms, protocol, 10)
        assert [(flip.below, flip.above) for flip in made.flips] == [(0, 1)]
        assert 0.5 ** (1 / made.flips[0].at) == pytest.approx(0.4, abs=1e-12)
        assert [band.ranking for band in made.bands] == [(0, 1), (1, 0)]
        assert made.bands[-1].stop == float("inf")


def test_a_flip_close_to_one_is_found():
    # One segment of 1000; A hits at 0 with 10 false alarms, B 100 late with none.
    # A: 1000 / 1010; B: 1000 d^100 / 1000. Equal at d^100 = 1000/1010: d = 0.99990050.
    labels = [1] * 1000 + [0] * 20
    a, b = np.zeros(1020, dtype=int), np.zeros(1020, dtype=int)
    a[0] = 1
    a[1000:1010] = 1
    b[100] = 1
    protocol = PointAdjustDecay()
    forms = [forms_of_pattern(make_pattern(labels, x), protocol) for x in (a, b)]
    (flip,) = raced(forms, protocol, 1000).flips
    assert 0.5 ** (1 / flip.at) == pytest.approx((1000 / 1010) ** 0.01, abs=1e-14)
    assert (flip.below, flip.above) == (0, 1)


@pytest.mark.parametrize(
    ("decay", "length", "number"),
    [(SigmoidDecay(5), 2, 4 * atanh(3**-0.5)), (ADTQCDecay(2), 4, log(4) / log(3))],
)
def test_flips_of_sigmoid_and_adtqc_are_found_to_the_last_digits(decay, length, number):
    """A is one step late in a segment of this length, B at once with one false alarm.

    They meet where D = N / (N + 1). A sigmoid of steepness s has (1 + tanh(s/4)²) / 2 in the middle
    of a segment: 2/3 at s = 4 artanh(1/√3). ADTQC has 1 / (1 + 3^-e) after a quarter: 4/5 where 3^e
    is 4.
    """
    labels = [1] * length + [0, 0]
    a, b = ([int(t in at) for t in range(length + 2)] for at in ({1}, {0, length + 1}))
    protocol = PointAdjustDecay(decay, measure="share")
    forms = [forms_of_pattern(make_pattern(labels, x), protocol) for x in (a, b)]
    (flip,) = raced(forms, protocol, length).flips
    assert flip.at == pytest.approx(number, rel=1e-14)


def test_curves_that_only_touch_do_not_flip():
    # A: 2 d + 2 ... against B: 1 + d^2, scaled so that 1 - 2d + d^2 touches 0 at d = 1 alone:
    # segments of 1 and 1; A finds both 1 late, B one at once and one 2 late. B - A = (1 - d)^2.
    labels = [0, 1, 1, 1, 0, 1, 1, 1]
    a, b = [0, 0, 1, 0, 0, 0, 1, 0], [0, 1, 0, 0, 0, 0, 0, 1]
    protocol = PointAdjustDecay()
    forms = [forms_of_pattern(make_pattern(labels, x), protocol) for x in (a, b)]
    assert raced(forms, protocol, 3).flips == ()


def test_equal_detectors_never_flip():
    labels = [0, *[1] * 8, 0, 0, *[1] * 5, 0]
    scores = np.random.default_rng(1).random(len(labels))
    protocol = PointAdjustDecay()
    forms = [
        forms_of_scores(rank_scores(labels, s), protocol) for s in (scores, scores, 2 * scores)
    ]
    made = raced(forms, protocol, 8)
    assert made.flips == ()
    assert len(made.bands) == 1
