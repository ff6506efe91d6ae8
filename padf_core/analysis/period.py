"""The period of a signal, from its autocorrelation."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

CLEAR_PERIOD = 0.3
"""From this autocorrelation on, a lag can be a period. Noise stays below it."""


def guess_period(values: npt.ArrayLike) -> int | None:
    """Return the period of a signal in rows, or None if no period is clear.

    It is the shortest lag whose autocorrelation is a peak, is at least 0.3, and reaches 90 % of the
    highest such peak. Lags go from the first negative autocorrelation up to half of the rows. A
    linear trend is removed first.

    Parameters
    ----------
    values : array-like
        The signal, one number per row.

    Returns
    -------
    int or None
        The period.

    Raises
    ------
    ValueError
        If a value is missing or infinite.

    Examples
    --------
    >>> guess_period(np.sin(2 * np.pi * np.arange(200) / 24))
    24
    """
    signal = np.asarray(values, dtype=np.float64)
    if signal.ndim != 1 or not np.isfinite(signal).all():
        raise ValueError("values must be one column of finite numbers")
    rows = np.arange(signal.size) - (signal.size - 1) / 2
    signal = signal - signal.mean() if signal.size else signal
    slope = rows @ signal / (rows @ rows) if signal.size > 1 else 0.0
    signal = signal - slope * rows
    if signal.size < 6 or np.allclose(signal, 0):
        return None
    spectrum = np.fft.rfft(signal, 2 * signal.size)
    products = np.fft.irfft(np.abs(spectrum) ** 2)[: signal.size // 2 + 1]
    means = products / (signal.size - np.arange(products.size))
    correlation = means / means[0]
    is_peak = (correlation[1:-1] > correlation[:-2]) & (correlation[1:-1] >= correlation[2:])
    # Near lag 0, a smooth signal resembles itself, and noise makes peaks of that.
    is_peak &= np.logical_or.accumulate(correlation[1:-1] < 0)
    peaks = np.flatnonzero(is_peak) + 1
    peaks = peaks[correlation[peaks] >= CLEAR_PERIOD]
    if not peaks.size:
        return None
    strong = correlation[peaks] >= 0.9 * correlation[peaks].max()
    return int(peaks[strong][0])
