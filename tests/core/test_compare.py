"""Detectors side by side: exact at given thresholds, chance, crossings, and resampling."""

import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from padf_core import (
    Curve,
    ExponentialDecay,
    PointAdjustDecay,
    Settings,
    best_f1,
    rank_scores,
)
from padf_core.analysis.compare import ranks_of
from padf_core.analysis.crossings import crossings
from padf_core.analysis.random_detector import random_rows
from padf_core.analysis.threshold_grid import threshold_grid
from padf_core.analysis.uncertainty import uncertainty
from padf_core.io.series import REMEMBERED, make_series
from padf_core.io.times import make_clock
from padf_core.metrics.protocols import PROTOCOLS
from tests import naive
from tests.strategies import protocols, scored


@given(scored(), protocols, st.lists(st.integers(-6, 51), min_size=1, max_size=5, unique=True))
def test_at_given_thresholds_agrees_with_brute_force(data, protocol, wanted):
    labels, values = data
    falling = sorted(map(float, wanted), reverse=True)
    made = rank_scores(labels, values).at(falling, protocol)
    for place, threshold in enumerate(falling):
        alarms = [int(value >= threshold) for value in values]
        precision, recall, f1 = naive.scores(labels, alarms, protocol)
        assert made.precision[place] == pytest.approx(float(precision))
        assert made.recall[place] == pytest.approx(float(recall))
        assert made.f1[place] == pytest.approx(float(f1))


@pytest.mark.parametrize("bad", [[1.0, 1.0], [0.0, 1.0], [float("nan")], []])
def test_thresholds_must_fall(bad):
    with pytest.raises(ValueError, match="thresholds must"):
        rank_scores([0, 1], [1.0, 2.0]).at(bad, Settings().protocols()[0])


@given(scored(), protocols)
def test_corners_have_the_areas_of_the_whole_sweep(data, protocol):
    labels, values = data
    ranked = rank_scores(labels, values)
    corners = ranked.corners(protocol)
    assert corners.average_precision == pytest.approx(
        float(naive.average_precision(labels, values, protocol))
    )
    if 0 < sum(labels) < len(labels):
        assert corners.roc_auc == pytest.approx(float(naive.roc_auc(labels, values, protocol)))
    assert corners.thresholds.size <= 2 * sum(labels) + 1


def test_ranks_share_the_better_place():
    assert ranks_of([0.2, 0.9, 0.9, 0.1]) == [3, 1, 1, 4]
    assert ranks_of([0.5, 0.5 + 1e-12]) == [1, 1]


# ---- the random detector -------------------------------------------------------------------------


def test_random_rows_are_best_f1_of_uniform_noise():
    labels = (np.arange(600) % 60) >= 48
    settings = Settings()
    rows = random_rows(labels, settings.all(), runs=7, seed=3)
    assert [row.protocol.key for row in rows] == list(PROTOCOLS)
    for row in rows:
        assert len(row.f1) == 7
        assert row.mean == pytest.approx(sum(row.f1) / 7)
        assert row.highest == max(row.f1)
        assert 0 < row.alarm_rate <= 1
    # Run 2 by hand: the same noise, the same best threshold, the share of points it flags. Where
    # only the order of scores matters, fewer numbers are drawn.
    noise = np.random.default_rng([3, 2]).random(600, dtype=np.float32)
    in_time = [row for row in rows if row.protocol.false_alarms == "runs"]
    assert in_time
    for row in in_time:
        (best,) = best_f1(labels, noise, [row.protocol])
        assert row.f1[2] == best.f1
        assert row.alarm_rates[2] == np.mean(noise.astype(float) >= best.threshold)
    # What a protocol gets does not depend on which others are asked about.
    for row in rows:
        (alone,) = random_rows(labels, [row.protocol], runs=7, seed=3)
        assert alone.f1 == row.f1


# ---- crossings -----------------------------------------------------------------------------------


def test_crossings_by_hand():
    grid = [0, 1, 2, 3]
    falls = Curve.of(grid, [0.9, 0.7, 0.5, 0.3])
    flat = Curve.of(grid, [0.6] * 4)
    same = Curve.of(grid, [0.6, 0.6, 0.6, 0.2])
    # 0.9 - 0.2 x = 0.6 at x = 1.5.
    found = crossings([falls, flat])
    assert [(c.at, c.f1, c.below, c.above) for c in found] == [
        (pytest.approx(1.5), pytest.approx(0.6), 0, 1)
    ]
    # Touching without passing is no crossing.
    assert crossings([flat, same]) == []
    assert crossings([flat, Curve.of(grid, [0.5, 0.6, 0.5, 0.5])]) == []
    # Equal for a while and then on the other side: one crossing, in the middle of the tie.
    for before, behind in ((0.7, 0.5), (0.9, 0.5), (0.61, 0.1)):
        tied = Curve.of(grid, [before, 0.6, 0.6, behind])
        assert [(c.at, c.f1, c.above) for c in crossings([tied, flat])] == [(1.5, 0.6, 1)]
    # Equal at one value only: there.
    once = Curve.of(grid, [0.9, 0.6, 0.5, 0.3])
    assert [(c.at, c.f1, c.above) for c in crossings([once, flat])] == [(1.0, 0.6, 1)]


@pytest.mark.parametrize("noise", [0.0, 1e-16, -1e-16, 1e-12, -1e-12])
@pytest.mark.parametrize("touch", [0.3, 0.3004])
def test_tangents_are_no_crossings(noise, touch):
    # (x - touch)^2 is 0 at one place and positive elsewhere, whatever rounding makes of it there.
    grid = np.linspace(0, 1, 11)
    flat = Curve.of(grid, np.full(11, 0.5))
    bowl = Curve.of(grid, 0.5 + (grid - touch) ** 2 + noise)
    dome = Curve.of(grid, 0.5 - (grid - touch) ** 2 + noise)
    assert crossings([flat, bowl]) == crossings([dome, flat]) == crossings([bowl, dome]) == []


@given(st.lists(st.lists(st.integers(0, 20), min_size=9, max_size=9), min_size=2, max_size=3))
def test_between_two_crossings_the_order_stays(heights):
    curves = [Curve.of(range(9), [h / 20 for h in line]) for line in heights]
    found = crossings(curves)
    for a in range(len(curves)):
        for b in range(a + 1, len(curves)):
            places = [c.at for c in found if {c.below, c.above} == {a, b}]
            signs = [
                (curves[a].f1[i] > curves[b].f1[i], sum(place < i for place in places))
                for i in range(9)
                if curves[a].f1[i] != curves[b].f1[i]
            ]
            for (one, before), (other, behind) in pairwise(signs):
                assert (one != other) == ((behind - before) % 2 == 1)


# ---- thresholds and series -----------------------------------------------------------------------


def series_of(labels, values):
    columns = {name: np.array(column, dtype=float) for name, column in values.items()}
    return make_series("x", labels, columns)


@given(scored())
def test_the_grid_of_thresholds_falls_and_lies_among_the_scores(data):
    labels, values = data
    detector = series_of(labels, {"a": np.array(values, dtype=float)}).detectors[0]
    grid = threshold_grid(detector, 20)
    assert (np.diff(grid) < 0).all()
    assert set(grid.tolist()) <= {float(value) for value in values}


@given(scored(), protocols)
def test_a_detector_gives_what_the_core_gives(data, protocol):
    labels, values = data
    detector = series_of(labels, {"a": np.array(values, dtype=float)}).detectors[0]
    best = detector.best(protocol)
    if detector.is_binary:
        alarms = [int(value == 1) for value in values]
        assert best.f1 == pytest.approx(float(naive.scores(labels, alarms, protocol)[2]))
    else:
        assert best == best_f1(labels, np.array(values, dtype=float), [protocol])[0]
    alarms = detector.detections(best.threshold).astype(int).tolist()
    wanted = naive.scores(labels, alarms, protocol)[2]
    assert isinstance(wanted, Fraction | float | int)
    assert best.f1 == pytest.approx(float(wanted))


def test_the_key_of_a_series_tells_everything_that_is_shown_apart():
    labels, scores = [0, 1, 1, 0], {"a": np.array([0.1, 0.2, 0.3, 0.4])}
    even = np.array([0, 60, 120, 180]) * 1_000_000
    gap = np.array([0, 60, 120, 6000]) * 1_000_000
    made = [
        make_series("x", labels, scores),
        make_series("x", labels, scores, value=np.ones(4)),
        make_series("x", labels, scores, value=np.zeros(4)),
        make_series("x", labels, scores, value=np.ones(4), value_name="v"),
        make_series("x", labels, scores, make_clock(even)),
        make_series("x", labels, scores, make_clock(gap)),
        make_series("x", labels, {"b": scores["a"]}),
        make_series("y", labels, scores),
    ]
    assert len({series.key for series in made}) == len(made)
    assert make_series("x", labels, scores).key == made[0].key


def test_a_series_neither_changes_nor_follows_the_arrays_it_was_made_of():
    rng = np.random.default_rng(0)
    labels, value = rng.random(50) < 0.3, rng.random(50).astype(np.float32)
    given = {
        "kept": rng.random(50),
        "single": rng.random(50).astype(np.float32),
        "narrow": np.arange(50, dtype=np.int8),
        "shrinks": np.arange(50.0),
        "strided": rng.random(100)[::2],
    }
    stamps = np.cumsum(rng.integers(1, 9, 50)) * 1_000_000
    arrays = [labels, value, stamps, *given.values()]
    before = [array.copy() for array in arrays]
    made = make_series("x", labels, given, make_clock(stamps), value)
    key = made.key
    for array, old in zip(arrays, before, strict=True):
        assert array.flags.writeable
        assert array.tolist() == old.tolist()
        array[:] = array[::-1].copy()
    again = make_series("x", labels, given, make_clock(np.sort(stamps)), value)
    assert again.key != key
    assert [d.scores.tolist() for d in made.detectors] == [old.tolist() for old in before[3:]]
    assert made.labels.tolist() == before[0].tolist()
    assert made.value.tolist() == before[1].tolist()
    assert made.clock.stamps.tolist() == before[2].tolist()


def test_arrays_that_are_given_away_are_not_copied():
    scores, value = np.random.default_rng(0).random(50), np.zeros(50, dtype=np.float32)
    made = make_series("x", [0, 1] * 25, {"a": scores}, value=value, owned=True)
    assert np.shares_memory(made.detectors[0].scores, scores)
    assert np.shares_memory(made.value, value)
    assert not made.detectors[0].scores.flags.writeable


def test_best_is_safe_under_threads():
    rng = np.random.default_rng(1)
    labels, scores = rng.random(40) < 0.4, rng.random(40)
    rates = [(step + 1) / 800 for step in range(REMEMBERED + 200)]
    asked = [PointAdjustDecay(ExponentialDecay(rate)) for rate in rates]
    wanted = best_f1(labels, scores, asked)
    detector = make_series("x", labels, {"a": scores}).detectors[0]
    pace = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(16) as pool:
            turns = [np.roll(np.arange(len(asked)), 45 * thread).tolist() for thread in range(16)]
            found = list(pool.map(lambda turn: [detector.best(asked[i]) for i in turn], turns))
    finally:
        sys.setswitchinterval(pace)
    for turn, points in zip(turns, found, strict=True):
        assert points == [wanted[i] for i in turn]


@pytest.mark.parametrize(
    ("thresholds", "message"),
    [
        (
            [np.timedelta64(1, "s")],
            "threshold must be a number that fits into 64 bits; got np.timedelta64",
        ),
        ([2**64], "threshold must be a number that fits into 64 bits; got 18446744073709551616"),
        ([], "thresholds must be one per detector; got 0 for 1"),
        ([0.1, 0.2], "thresholds must be one per detector; got 2 for 1"),
    ],
)
def test_thresholds_that_cannot_be_kept(thresholds, message):
    series = make_series("x", [0, 1, 0, 1], {"a": np.array([0.1, 0.4, 0.2, 0.3])})
    with pytest.raises(ValueError) as error:
        uncertainty(series, Settings().protocols(), thresholds=thresholds)
    assert str(error.value).startswith(message)
