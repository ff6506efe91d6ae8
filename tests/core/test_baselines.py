"""Baselines agree with their formulas row by row, and never look ahead."""

from statistics import median

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import IsolationForest

import padf_core as padf
from padf_core import baselines
from padf_core.analysis import rolling
from padf_core.analysis.period import guess_period

FEW = st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0, -3.0]), max_size=30)
"""Short signals with many equal values."""

SHORT = {
    "rolling_mad": {"window": 4},
    "ewma_residual": {"span": 3},
    "seasonal_difference": {"training": 20},
    "rate_of_change": {"steps": 2},
    "high": {},
    "low": {},
    "isolation_forest": {"window": 3, "training": 20},
}
"""Settings with which every baseline has scores from row 20 on."""


def noisy_wave(rows, seed=0):
    rng = np.random.default_rng(seed)
    return np.sin(2 * np.pi * np.arange(rows) / 6) + rng.normal(0, 0.2, rows)


def windows(values, width):
    """The last ``width`` values in each row that has as many."""
    return [values[row - width + 1 : row + 1] for row in range(width - 1, len(values))]


def same(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@given(FEW, st.integers(1, 12))
@settings(max_examples=200)
def test_a_rolling_median_is_the_median_of_each_window(values, width):
    found = rolling.rolling_median(np.array(values, dtype=float), width)
    expected = [median(window) for window in windows(values, width)]
    warm_up = min(width - 1, len(values))
    assert np.isnan(found[:warm_up]).all()
    assert found[warm_up:].tolist() == expected


@pytest.mark.parametrize("width", [2, 3, 101])
def test_a_rolling_median_of_many_blocks_is_the_one_of_pandas(width, monkeypatch):
    monkeypatch.setattr(rolling, "PAIRS_TOGETHER", 7)
    values = np.random.default_rng(width).integers(0, 50, 3000).astype(float)
    expected = pd.Series(values).rolling(width).median()
    assert np.array_equal(rolling.rolling_median(values, width), expected, equal_nan=True)


@given(FEW, st.integers(2, 6))
def test_rolling_mad_is_the_distance_from_the_median_in_mads(values, width):
    distances = [abs(window[-1] - median(window)) for window in windows(values, width)]
    expected = []
    for window in windows(distances, width):
        scale = median(window) or sum(window) / width
        expected.append(window[-1] / scale if window[-1] else 0.0)
    found = baselines.rolling_mad(values, window=width)
    warm_up = min(2 * width - 2, len(values))
    assert np.isnan(found[:warm_up]).all()
    same(found[warm_up:], expected)


@given(FEW, st.sampled_from([1.0, 1.5, 3.0, 10.0]))
def test_ewma_residual_is_the_distance_from_the_mean_of_earlier_values(values, span):
    expected, mean = [], None
    for row, value in enumerate(values):
        expected.append(np.nan if row < span else abs(value - mean))
        mean = value if mean is None else mean + 2 / (span + 1) * (value - mean)
    same(baselines.ewma_residual(values, span=span), expected)


@pytest.mark.parametrize("span", [1, 50, 400])
def test_ewma_residual_is_the_one_of_pandas(span):
    values = noisy_wave(2000) + 1e6
    means = pd.Series(values).ewm(span=span, adjust=False).mean().shift(1)
    expected = np.abs(values - means)
    expected[:span] = np.nan
    np.testing.assert_allclose(baselines.ewma_residual(values, span=span), expected, atol=1e-8)


@given(FEW, st.integers(1, 8))
def test_differences_are_taken_from_as_many_rows_earlier(values, lag):
    expected = [
        np.nan if row < lag else abs(value - values[row - lag]) for row, value in enumerate(values)
    ]
    same(baselines.seasonal_difference(values, period=lag), expected)
    same(baselines.rate_of_change(values, steps=lag), expected)


def test_a_seasonal_difference_guesses_its_period_from_the_training_rows():
    values = noisy_wave(60)
    found = baselines.seasonal_difference(values, training=30)
    assert np.isnan(found[:30]).all()
    same(found[30:], [abs(values[row] - values[row - 6]) for row in range(30, 60)])


def test_without_a_period_or_rows_to_learn_from_there_are_no_scores():
    noise = np.random.default_rng(1).normal(size=2000)
    assert np.isnan(baselines.seasonal_difference(noise)).all()
    assert np.isnan(baselines.seasonal_difference(noisy_wave(30), training=30)).all()
    assert np.isnan(baselines.isolation_forest(noisy_wave(30), training=30)).all()
    assert np.isnan(baselines.rolling_mad([1.0] * 10, window=101)).all()


def test_an_isolation_forest_learns_from_the_training_rows_alone():
    values = noisy_wave(80)
    table = np.array(windows(values, 4))
    # The window that ends at row 39 is the last of the 40 training rows: window 36 of the table.
    forest = IsolationForest(random_state=3).fit(table[:37])
    found = baselines.isolation_forest(values, window=4, training=40, seed=3)
    assert np.isnan(found[:40]).all()
    assert found[40:].tolist() == (-forest.score_samples(table[37:])).tolist()


@pytest.mark.parametrize("period", [2, 7, 24, 288])
def test_a_period_is_found_under_noise_and_a_trend(period):
    rows = np.arange(5 * period + 20)
    noise = np.random.default_rng(period).normal(0, 0.2, rows.size)
    wave = np.sin(2 * np.pi * (rows + 0.5) / period) + 0.01 * rows + noise
    found = guess_period(wave)
    # Noise moves the highest place of a flat peak by a few rows.
    assert found is not None
    assert abs(found - period) <= 0.03 * period


def test_the_period_of_taxi_passengers_is_a_week():
    """Half-hours: 48 a day, 336 a week. Weekends differ, so a day is no period."""
    taxis = padf.load_sample("nab_taxi")
    assert guess_period(taxis.value[:2000]) == 336


@pytest.mark.parametrize("seed", range(20))
def test_noise_has_no_period(seed):
    assert guess_period(np.random.default_rng(seed).normal(size=1000)) is None


@pytest.mark.parametrize("values", [[], [1.0], [1.0, 2.0] * 2, [3.0] * 50, list(range(50))])
def test_short_constant_and_straight_signals_have_no_period(values):
    assert guess_period(values) is None


@pytest.mark.parametrize("name", SHORT)
def test_a_score_never_depends_on_later_rows(name):
    """Whatever comes later, also far larger values, a prefix keeps its scores to the bit."""
    assert SHORT.keys() == padf.BASELINES.keys()
    values = noisy_wave(120)
    values[50:53] = np.nan
    whole = padf.BASELINES[name](values, **SHORT[name])
    assert np.isfinite(whole[21:50]).all()
    for rows in (0, 1, 5, 20, 21, 50, 52, 54, 90, 119):
        prefix = padf.BASELINES[name](values[:rows], **SHORT[name])
        assert np.array_equal(prefix, whole[:rows], equal_nan=True), rows
        changed = np.concatenate((values[:rows], 1e6 * noisy_wave(120 - rows, seed=1)))
        other = padf.BASELINES[name](changed, **SHORT[name])
        assert np.array_equal(other[:rows], whole[:rows], equal_nan=True), rows


@pytest.mark.parametrize("name", SHORT)
def test_a_missing_value_has_no_score_and_counts_as_the_last_known(name):
    values = noisy_wave(60)
    known = values.copy()
    values[:4] = values[30] = values[55] = np.nan
    known[30], known[55] = known[29], known[54]
    found = padf.BASELINES[name](values, **SHORT[name])
    expected = np.concatenate(([np.nan] * 4, padf.BASELINES[name](known[4:], **SHORT[name])))
    expected[[30, 55]] = np.nan
    assert np.array_equal(found, expected, equal_nan=True)
    assert np.isnan(padf.BASELINES[name]([np.nan] * 40, **SHORT[name])).all()


@pytest.mark.parametrize("name", SHORT)
def test_the_largest_score_of_several_columns_counts(name):
    columns = np.column_stack([noisy_wave(60, seed) for seed in range(3)])
    columns[40, 1] = np.nan
    each = [padf.BASELINES[name](columns[:, k], **SHORT[name]) for k in range(3)]
    found = padf.BASELINES[name](columns, **SHORT[name])
    expected = [
        max((e[row] for e in each if not np.isnan(e[row])), default=np.nan) for row in range(60)
    ]
    assert np.array_equal(found, expected, equal_nan=True)


@pytest.mark.parametrize("name", SHORT)
@pytest.mark.parametrize("values", [[], [1.0], [2.0] * 40, [[1.0, 2.0]] * 40])
def test_short_and_constant_signals_are_scored(name, values):
    found = padf.BASELINES[name](values, **SHORT[name])
    assert found.shape == (len(values),)
    assert not np.isinf(found).any()


@pytest.mark.parametrize("name", SHORT)
def test_an_infinite_value_is_named_by_its_place(name):
    with pytest.raises(ValueError, match="got inf at index 2"):
        padf.BASELINES[name]([0.0, 1.0, np.inf])
    with pytest.raises(ValueError, match=r"got -inf at index \(1, 0\)"):
        padf.BASELINES[name]([[0.0, 1.0], [-np.inf, 0.0]])
    with pytest.raises(ValueError, match="one or two dimensions"):
        padf.BASELINES[name](np.zeros((2, 2, 2)))
    with pytest.raises(ValueError, match="at least one column"):
        padf.BASELINES[name](np.zeros((2, 0)))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: baselines.rolling_mad([1.0], window=1), "window must be a whole number of at"),
        (lambda: baselines.rolling_mad([1.0], window=2.5), "window must be a whole number of at"),
        (lambda: baselines.ewma_residual([1.0], span=0), "span must be a number of at least 1"),
        (lambda: baselines.seasonal_difference([1.0], period=0), "period must be a whole number"),
        (lambda: baselines.seasonal_difference([1.0], training=0), "training must be a whole"),
        (lambda: baselines.rate_of_change([1.0], steps=0), "steps must be a whole number"),
        (lambda: baselines.isolation_forest([1.0], window=5, training=4), "at least 5"),
        (lambda: guess_period([1.0, np.nan]), "finite"),
    ],
)
def test_a_wrong_setting_is_refused_by_name(call, message):
    with pytest.raises(ValueError, match=message):
        call()
