"""Simple detectors to compare with: each turns a signal into scores, without looking ahead.

A score never depends on later rows, so a prefix of the signal gets a prefix of the scores. Rows
have no score (NaN) while a detector warms up or learns, and where the signal is missing. Missing
values inside a window count as the last known value. With several columns, a row has the largest
score of its columns.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from math import ceil
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from padf_core.analysis.period import guess_period
from padf_core.analysis.rolling import exponential_mean, rolling_median
from padf_core.metrics.checks import FloatArray, check_number

LEARNING_ROWS = 1000
"""First rows from which a period is guessed or a model is fitted."""


def rolling_mad(values: npt.ArrayLike, window: int = 101) -> FloatArray:
    """Score each value by its distance from the rolling median, in rolling MADs.

    s_t = r_t / MAD_t with r_t = |x_t - m_t|, where m_t is the median of the last ``window`` values
    and MAD_t is the median of the last ``window`` distances r. Where MAD_t is 0, the mean of these
    distances replaces it. Where that is 0 too, so is s_t.

    Parameters
    ----------
    values : array-like
        The signal: one number per row, or several columns. NaN is a missing value.
    window : int
        Number of rows of the window, which ends at the scored row.

    Returns
    -------
    numpy.ndarray
        One score per row. The first 2 * ``window`` - 2 rows are NaN.

    Raises
    ------
    ValueError
        If a value is infinite, or the window is shorter than 2 rows.

    References
    ----------
    F. R. Hampel, The influence curve and its role in robust estimation, JASA 69 (1974).

    Examples
    --------
    >>> rolling_mad([0, 1, 2, 3, 4, 5, 15], window=3).tolist()   # r_t = 1, and 10 at last
    [nan, nan, nan, nan, 1.0, 1.0, 10.0]
    """
    width = _whole("window", window, 2)

    def score(signal: FloatArray) -> FloatArray:
        distances = np.abs(signal - rolling_median(signal, width))
        known = distances[width - 1 :]
        scale = np.full(signal.size, np.nan)
        scale[width - 1 :] = rolling_median(known, width)
        flat = np.flatnonzero(scale == 0)
        if flat.size:
            sums = np.concatenate(([0.0], np.cumsum(known)))
            ends = flat - (width - 1) + 1
            # A mean is at least the share of the scored row, whatever the rounding of the sums.
            means = (sums[ends] - sums[ends - width]) / width
            scale[flat] = np.maximum(means, distances[flat] / width)
        with np.errstate(invalid="ignore"):
            return np.where(distances == 0, 0.0 * scale, distances / scale)

    return _largest(values, score)


def ewma_residual(values: npt.ArrayLike, span: float = 50) -> FloatArray:
    """Score each value by its distance from the exponentially weighted mean of earlier values.

    s_t = |x_t - m_{t-1}| with m_t = m_{t-1} + a (x_t - m_{t-1}), a = 2 / (span + 1) and m_0 = x_0.

    Parameters
    ----------
    values : array-like
        The signal: one number per row, or several columns. NaN is a missing value.
    span : float
        Number of rows over which the mean looks back, at least 1.

    Returns
    -------
    numpy.ndarray
        One score per row. The first ``span`` rows are NaN.

    Raises
    ------
    ValueError
        If a value is infinite, or the span is below 1.

    References
    ----------
    S. W. Roberts, Control chart tests based on geometric moving averages, Technometrics 1 (1959).

    Examples
    --------
    >>> ewma_residual([0, 0, 0, 4, 0], span=3).tolist()   # a = 0.5
    [nan, nan, nan, 4.0, 2.0]
    """
    rows = check_number("span", span, lambda x: 1 <= x < np.inf, "a number of at least 1")

    def score(signal: FloatArray) -> FloatArray:
        means = exponential_mean(signal, 2 / (rows + 1))
        scores = np.full(signal.size, np.nan)
        scores[1:] = np.abs(signal[1:] - means[:-1])
        scores[: ceil(rows)] = np.nan
        return scores

    return _largest(values, score)


def seasonal_difference(
    values: npt.ArrayLike, period: int | None = None, training: int = LEARNING_ROWS
) -> FloatArray:
    """Score each value by its distance from the value one period earlier.

    s_t = |x_t - x_{t-p}|.

    Parameters
    ----------
    values : array-like
        The signal: one number per row, or several columns. NaN is a missing value.
    period : int, optional
        The period p in rows. If it is not given, it is guessed from the first rows.
    training : int
        Number of first rows from which the period is guessed.

    Returns
    -------
    numpy.ndarray
        One score per row. The first ``period`` rows are NaN. If the period is guessed, the
        ``training`` rows are NaN, or all rows if no period is found.

    Raises
    ------
    ValueError
        If a value is infinite, or a number of rows is not a whole number of at least 1.

    See Also
    --------
    guess_period : how the period is guessed.

    References
    ----------
    R. J. Hyndman, G. Athanasopoulos, Forecasting: Principles and Practice (2021), section 5.2.

    Examples
    --------
    >>> seasonal_difference([1, 5, 1, 5, 1, 9], period=2).tolist()
    [nan, nan, 0.0, 0.0, 0.0, 4.0]
    """
    given = None if period is None else _whole("period", period, 1)
    learned = _whole("training", training, 1)

    def score(signal: FloatArray) -> FloatArray:
        scores = np.full(signal.size, np.nan)
        if given is None and signal.size <= learned:
            return scores
        lag = given or guess_period(signal[:learned])
        if lag is not None:
            scores[lag:] = np.abs(signal[lag:] - signal[: max(0, signal.size - lag)])
        if given is None:
            scores[:learned] = np.nan
        return scores

    return _largest(values, score)


def rate_of_change(values: npt.ArrayLike, steps: int = 1) -> FloatArray:
    """Score each value by how much it has changed.

    s_t = |x_t - x_{t-k}| with k = ``steps``.

    Parameters
    ----------
    values : array-like
        The signal: one number per row, or several columns. NaN is a missing value.
    steps : int
        Number of rows between the two values.

    Returns
    -------
    numpy.ndarray
        One score per row. The first ``steps`` rows are NaN.

    Raises
    ------
    ValueError
        If a value is infinite, or ``steps`` is not a whole number of at least 1.

    References
    ----------
    R. Wu, E. Keogh, Current time series anomaly detection benchmarks are flawed, TKDE 35 (2023):
    one line of code finds most anomalies of several benchmarks.

    Examples
    --------
    >>> rate_of_change([1, 1, 4, 4]).tolist()
    [nan, 0.0, 3.0, 0.0]
    """
    return seasonal_difference(values, period=_whole("steps", steps, 1))


def high(values: npt.ArrayLike) -> FloatArray:
    """Score each value by itself: high values are anomalous.

    s_t = x_t. A threshold on this score is an ordinary upper limit.

    Parameters
    ----------
    values : array-like
        The signal: one number per row, or several columns. NaN is a missing value.

    Returns
    -------
    numpy.ndarray
        One score per row.

    Raises
    ------
    ValueError
        If a value is infinite.

    Examples
    --------
    >>> high([1, 7, 2]).tolist()
    [1.0, 7.0, 2.0]
    """
    return _largest(values, lambda signal: signal)


def low(values: npt.ArrayLike) -> FloatArray:
    """Score each value by its negative: low values are anomalous.

    s_t = -x_t. A threshold on this score is an ordinary lower limit.

    Parameters
    ----------
    values : array-like
        The signal: one number per row, or several columns. NaN is a missing value.

    Returns
    -------
    numpy.ndarray
        One score per row.

    Raises
    ------
    ValueError
        If a value is infinite.

    Examples
    --------
    >>> low([1, 7, 2]).tolist()
    [-1.0, -7.0, -2.0]
    """
    return _largest(values, lambda signal: -signal)


def isolation_forest(
    values: npt.ArrayLike, window: int = 10, training: int = LEARNING_ROWS, seed: int = 0
) -> FloatArray:
    """Score each window of values by an isolation forest that is fitted on the first rows.

    Needs scikit-learn. s_t is the negative of its ``score_samples`` for the last ``window`` values.

    Parameters
    ----------
    values : array-like
        The signal: one number per row, or several columns. NaN is a missing value.
    window : int
        Number of rows of a window, which ends at the scored row.
    training : int
        Number of first rows on which the forest is fitted.
    seed : int
        The same seed gives the same forest.

    Returns
    -------
    numpy.ndarray
        One score per row. The ``training`` rows are NaN.

    Raises
    ------
    ImportError
        If scikit-learn is not installed.
    ValueError
        If a value is infinite, or the training rows are fewer than a window.

    References
    ----------
    F. T. Liu, K. M. Ting, Z.-H. Zhou, Isolation forest, ICDM (2008).

    Examples
    --------
    >>> wave = np.sin(np.arange(300) / 5)
    >>> wave[250] = 5
    >>> int(np.nanargmax(isolation_forest(wave, training=200))) in range(250, 260)
    True
    """
    try:
        from sklearn.ensemble import IsolationForest
    except ImportError:
        raise ImportError("isolation_forest needs scikit-learn: pip install scikit-learn") from None
    width = _whole("window", window, 1)
    learned = _whole("training", training, width)

    def score(signal: FloatArray) -> FloatArray:
        scores = np.full(signal.size, np.nan)
        if signal.size > learned:
            windows = np.lib.stride_tricks.sliding_window_view(signal, width)
            first = learned - width + 1
            forest = IsolationForest(random_state=seed).fit(windows[:first])
            scores[learned:] = -forest.score_samples(windows[first:])
        return scores

    return _largest(values, score)


def _whole(name: str, value: object, least: int) -> int:
    rule = f"a whole number of at least {least}"
    return int(check_number(name, value, lambda x: least <= x < np.inf and x == int(x), rule))


def _largest(values: npt.ArrayLike, score: Callable[[FloatArray], FloatArray]) -> FloatArray:
    """Score every column of the signal, and return the largest score of each row."""
    table = np.asarray(values, dtype=np.float64)
    if table.ndim not in (1, 2):
        raise ValueError(f"values must have one or two dimensions; got shape {table.shape}")
    if np.isinf(table).any():
        place = tuple(np.argwhere(np.isinf(table))[0].tolist())
        where = place[0] if table.ndim == 1 else place
        raise ValueError(f"values must be finite or missing; got {table[place]} at index {where}")
    columns = [table] if table.ndim == 1 else list(table.T)
    if not columns:
        raise ValueError("values must have at least one column")
    scores: FloatArray = np.fmax.reduce([_score_known(column, score) for column in columns])
    return scores


def _score_known(column: FloatArray, score: Callable[[FloatArray], FloatArray]) -> FloatArray:
    """Score a column from its first known value on. A missing value has no score."""
    known = ~np.isnan(column)
    scores = np.full(column.size, np.nan)
    if known.any():
        first = int(np.argmax(known))
        last_known = np.maximum.accumulate(np.where(known, np.arange(column.size), first))
        scores[first:] = score(column[last_known[first:]])
    scores[~known] = np.nan
    return scores


Baseline = Callable[..., FloatArray]

_BASELINES: dict[str, Baseline] = {
    "rolling_mad": rolling_mad,
    "ewma_residual": ewma_residual,
    "seasonal_difference": seasonal_difference,
    "rate_of_change": rate_of_change,
    "high": high,
    "low": low,
}
if find_spec("sklearn") is not None:
    _BASELINES["isolation_forest"] = isolation_forest

BASELINES = MappingProxyType(_BASELINES)
"""Every baseline by its name. Each takes a signal and returns a score per row.

The isolation forest is among them if scikit-learn is installed.
"""
