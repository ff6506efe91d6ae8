"""Detectors side by side: exact at given thresholds, chance, crossings, and resampling."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from padf_core import Curve, Settings, best_f1, find_segments, rank_scores
from padf_core.analysis.compare import (
    blocks_of,
    bootstrap,
    crossings,
    ranks_of,
    threshold_grid,
)
from padf_core.analysis.random_detector import random_rows
from padf_core.data.series import make_series
from padf_core.data.times import make_clock
from padf_core.metrics.protocols import PROTOCOLS
from tests import naive
from tests.strategies import label_lists, protocols, scored


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
    # Run 2 by hand: the same noise, the same best threshold, the share of points it flags.
    noise = np.random.default_rng([3, 2]).random(600, dtype=np.float32)
    for row, best in zip(rows, best_f1(labels, noise, settings.all()), strict=True):
        assert row.f1[2] == best.f1
        assert row.alarm_rates[2] == np.mean(noise.astype(float) >= best.threshold)
    again = random_rows(labels, settings.all(), runs=7, seed=3)
    assert [row.f1 for row in again] == [row.f1 for row in rows]


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
    tied = Curve.of(grid, [0.7, 0.6, 0.6, 0.5])
    assert [c.above for c in crossings([tied, flat])] == [1]


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


# ---- resampling ----------------------------------------------------------------------------------


@given(label_lists())
def test_blocks_hold_whole_segments_and_all_points(labels):
    segments = find_segments(labels)
    starts = blocks_of(segments).tolist()
    assert starts[0] == 0
    assert starts == sorted(set(starts))
    assert len(starts) == max(1, len(segments))
    for start, stop in segments:
        assert not any(start < cut < stop for cut in starts)


def series_of(labels, values):
    columns = {name: np.array(column, dtype=float) for name, column in values.items()}
    return make_series("x", labels, columns)


@pytest.mark.parametrize("key", PROTOCOLS)
@pytest.mark.parametrize("keeps", [True, False])
def test_resamples_agree_with_series_put_together_from_blocks(key, keeps):
    """Every resample, built as a real series and scored by brute force."""
    rng = np.random.default_rng(5)
    labels = [0, 0, 1, 1, 1, 0, 0, 0, 1, 0, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0]
    scores = np.round(rng.random(len(labels)) + 0.4 * np.array(labels), 1)
    protocol = Settings(k=30).protocol(key)
    series = series_of(labels, {"a": scores, "flag": (scores > 0.7).astype(int)})
    thresholds = [0.8, 0.5] if keeps else None
    made = bootstrap(series, [protocol], thresholds=thresholds, resamples=30, seed=1)[0]
    starts = blocks_of(series.segments)
    blocks = np.split(np.arange(series.size), starts[1:])
    drawn = np.random.default_rng(1).multinomial(len(blocks), [1 / len(blocks)] * len(blocks), 30)
    assert made.blocks == len(blocks)

    def resampled_f1(truth, alarms, all_alarms, counts):
        """F1 of the series put together; a run of false alarms counts where it begins."""
        earned, wrong, claimed, wanted, found = naive.counts(truth, alarms, protocol)
        if protocol.false_alarms == "runs":
            false = all_alarms & ~series.labels
            begins = false & ~np.concatenate(([False], false[:-1]))
            runs = sum(
                int(count) * int(begins[block].sum())
                for block, count in zip(blocks, counts, strict=True)
            )
            claimed += runs - wrong
        precision, recall = naive.ratio(earned, claimed), naive.ratio(found, wanted)
        return naive.ratio(2 * precision * recall, precision + recall)

    for column, counts in enumerate(drawn):
        # A normal point between blocks keeps segments of neighbours apart; it is never flagged.
        pieces = [block for block, count in zip(blocks, counts, strict=True) for _ in range(count)]
        truth = [bit for piece in pieces for bit in [*series.labels[piece].astype(int), 0]]
        values = [value for piece in pieces for value in [*scores[piece], -1.0]]
        flags = [value > 0.7 for value in values]
        candidates = [0.8] if keeps else sorted(set(scores.tolist()))
        best = max(
            resampled_f1(truth, [int(v >= t) for v in values], scores >= t, drawn[column])
            for t in candidates
        )
        assert made.f1[0, column] == pytest.approx(float(best))
        flagged = resampled_f1(truth, [int(flag) for flag in flags], scores > 0.7, drawn[column])
        assert made.f1[1, column] == pytest.approx(float(flagged))


def test_intervals_and_what_is_told_apart():
    labels = ([0] * 20 + [1] * 5) * 40
    rng = np.random.default_rng(0)
    good = np.array(labels) + 0.1 * rng.random(len(labels))
    noise = rng.random(len(labels))
    series = series_of(labels, {"good": good, "noise": noise, "twin": noise + 1e-9})
    told = []
    made = bootstrap(series, Settings().protocols(), resamples=200, progress=told.append)
    assert told[-1] == 1.0
    for result in made:
        assert result.interval(0) == (1.0, 1.0)
        low, high = result.interval(1)
        assert low < high < 1
        assert result.told_apart(0, 1)
        assert not result.told_apart(1, 2)
        assert result.interval(1, 0.5)[0] >= low


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
