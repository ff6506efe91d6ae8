"""From a need to a decay, and where detectors change places."""

from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from padf_core import ExponentialDecay, PointAdjustDecay, Settings, evaluate_all
from padf_core.analysis.choosing import Need, agreeing_shapes, decay_for, decay_warnings
from padf_core.analysis.flips import (
    Flip,
    bands,
    exact_flips,
    has_few_delays,
    searched_flips,
    sign_changes,
)
from padf_core.analysis.settings_file import settings_from_json, settings_to_json
from padf_core.metrics.decay import decay_of
from padf_core.metrics.evaluation import make_pattern
from tests import naive
from tests.strategies import label_lists

# ---- needs ---------------------------------------------------------------------------------------


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


@given(st.floats(60, 8640), st.floats(0.05, 0.95))
def test_shapes_agree_at_the_need(seconds, share):
    found = agreeing_shapes(Need("worth", seconds, share), 1.0)
    for shape in ("exponential", "linear"):
        decay = decay_of(shape, found[shape])
        assert decay(np.array([seconds]))[0] == pytest.approx(share, rel=1e-6)
    # A deadline pays in full up to the need, and nothing behind it.
    deadline = decay_of("deadline", found["deadline"])
    assert deadline(np.array([seconds - 1, seconds + 1])).tolist() == [1.0, 0.0]


def test_words_and_refusals():
    assert Need().text == "an alarm after 10 min is still worth 50 %"
    assert Need("loss", 5400).text == "the loss grows evenly and is total after 1 h 30 min"
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


def test_warnings_when_credit_vanishes_or_never_decays():
    assert "3.0 % of its credit" in decay_warnings(ExponentialDecay(0.03), 60, 100)[0]
    assert "one step (1 min)" in decay_warnings(ExponentialDecay(0.03), 60, 100)[0]
    assert decay_warnings(ExponentialDecay(0.9), 60, 100) == []
    # 0.99999 to the power of 99 is 0.99901.
    assert "keeps 99.9 %" in decay_warnings(ExponentialDecay(0.99999), 60, 100)[0]
    assert "hardly differs from PA" in decay_warnings(ExponentialDecay(0.99999), None, None)[0]


def test_settings_files_are_read_again_and_bad_ones_refused():
    wanted = Settings(shape="linear", decay=30, k=12.5, inclusive=True, precision="equations")
    assert settings_from_json(settings_to_json(wanted, Need(), 60)) == wanted
    for bad in ("", "[]", "{}", '{"format": "padf-settings-1"}', "[" * 5000):
        with pytest.raises(ValueError, match=r"JSON file|settings"):
            settings_from_json(bad)
    with pytest.raises(ValueError, match="must be"):
        settings_from_json(settings_to_json(wanted).replace("30", "-3"))


def test_many_distinct_delays_are_left_to_the_search():
    labels = [bit for length in range(1, 260) for bit in [0, *[1] * length]]
    late = [bit for length in range(1, 260) for bit in [0, *[0] * (length - 1), 1]]
    patterns = [make_pattern(labels, late), make_pattern(labels, labels)]
    assert not has_few_delays(patterns)
    assert has_few_delays([make_pattern(labels, labels)])


# ---- flips ---------------------------------------------------------------------------------------


def polynomial(exponents, coefficients, x):
    return sum(
        Fraction(c) * Fraction(x) ** int(e) for e, c in zip(exponents, coefficients, strict=True)
    )


@given(
    st.lists(st.integers(0, 40), min_size=1, max_size=7, unique=True),
    st.lists(st.integers(-9, 9).filter(bool), min_size=7, max_size=7),
)
@settings(max_examples=200)
def test_all_changes_of_sign_are_found(exponents, coefficients):
    exponents = np.array(sorted(exponents))
    coefficients = np.array(coefficients[: exponents.size], dtype=float)
    found = sign_changes(exponents, coefficients)
    assert [at for at, _ in found] == sorted(at for at, _ in found)
    # Exactly: the sign on either side of each change, and no change on a dense grid in between.
    for at, rises in found:
        before = polynomial(exponents, coefficients, at - 1e-7)
        behind = polynomial(exponents, coefficients, at + 1e-7)
        assert (before < 0 < behind) if rises else (before > 0 > behind)
    grid = np.linspace(0.0005, 0.9995, 1000)
    heights = np.power(grid[:, None], exponents) @ coefficients
    clear = np.abs(heights) > 1e-9
    for place, (one, other) in enumerate(pairwise(heights)):
        if clear[place] and clear[place + 1] and (one > 0) != (other > 0):
            inside = [at for at, _ in found if grid[place] < at < grid[place + 1]]
            assert len(inside) % 2 == 1


@st.composite
def two_detectors(draw):
    labels = draw(label_lists(max_size=40))
    assume(sum(labels))
    size = len(labels)
    alarms = [draw(st.lists(st.integers(0, 1), min_size=size, max_size=size)) for _ in range(2)]
    return labels, alarms


@given(two_detectors(), st.sampled_from(["tables", "equations"]))
@settings(max_examples=60)
def test_exact_flips_agree_with_brute_force_on_a_dense_grid(data, precision):
    labels, alarms = data
    found = exact_flips([make_pattern(labels, a) for a in alarms], precision)

    def gap(rate):
        protocol = PointAdjustDecay(ExponentialDecay(rate), precision)
        first, second = (naive.scores(labels, a, protocol)[2] for a in alarms)
        return first - second

    for flip in found:
        low, high = gap(max(1e-6, flip.at - 1e-6)), gap(min(1.0, flip.at + 1e-6))
        if low and high:
            assert (low > 0) == (flip.below == 0)
            assert (high > 0) == (flip.above == 0)
    grid = np.linspace(0.01, 0.999, 40).tolist()
    heights = [gap(rate) for rate in grid]
    for (x, one), (y, other) in pairwise(zip(grid, heights, strict=True)):
        if one and other and (one > 0) != (other > 0):
            assert sum(x < flip.at < y for flip in found) % 2 == 1


def test_a_flip_by_hand():
    # Segments of 4 and 10. A finds the first at once and the second 2 late, no false alarm;
    # B finds both 1 late. A: 4 + 10 d^2, B: 14 d. Equal at 10 d^2 - 14 d + 4 = 0: d = 0.4 (and 1).
    labels = [0, *[1] * 4, 0, 0, *[1] * 10, 0]
    a, b = [0] * 18, [0] * 18
    a[1] = a[9] = 1
    b[2] = b[8] = 1
    patterns = [make_pattern(labels, x) for x in (a, b)]
    for precision in ("tables", "equations"):
        flips = exact_flips(patterns, precision)
        assert [(flip.below, flip.above) for flip in flips] == [(0, 1)]
        assert flips[0].at == pytest.approx(0.4, abs=1e-12)

    def score(rate):
        protocol = PointAdjustDecay(ExponentialDecay(rate))
        return [evaluate_all(labels, x, [protocol])[0].f1 for x in (a, b)]

    grid = np.linspace(0.01, 1, 60).tolist()
    searched = searched_flips(score, grid)
    assert [(flip.below, flip.above) for flip in searched] == [(0, 1)]
    assert searched[0].at == pytest.approx(0.4, abs=1e-8)
    cut = bands(flips, score, 0.01, 1.0)
    assert [(round(band.start, 6), round(band.stop, 6), band.ranking) for band in cut] == [
        (0.01, 0.4, (0, 1)),
        (0.4, 1.0, (1, 0)),
    ]


@given(st.lists(st.lists(st.integers(0, 10), min_size=12, max_size=12), min_size=2, max_size=4))
def test_searched_flips_and_bands_cover_the_range(lines):
    grid = [step / 11 for step in range(12)]

    def score(rate):
        return [float(np.interp(rate, grid, line)) / 10 for line in lines]

    flips = searched_flips(score, grid)
    cut = bands(flips, score, 0.0, 1.0)
    assert cut[0].start == 0.0
    assert cut[-1].stop == 1.0
    assert all(one.stop == other.start for one, other in pairwise(cut))
    for band in cut:
        middle = score((band.start + band.stop) / 2)
        ordered = [round(middle[index], 9) for index in band.ranking]
        assert ordered == sorted(ordered, reverse=True)
    for a, b in combinations(range(len(lines)), 2):
        own = [flip for flip in flips if {flip.below, flip.above} == {a, b}]
        for flip in own:
            assert isinstance(flip, Flip)
            assert score(flip.at)[a] == pytest.approx(score(flip.at)[b], abs=1e-6)
