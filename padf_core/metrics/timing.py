"""Measure the delay of a point after its onset: in steps, on the clock, or as a share."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from padf_core.metrics.checks import (
    BoolArray,
    FloatArray,
    IntArray,
    NumberArray,
    check_number,
    check_scores,
    frozen,
)
from padf_core.metrics.clock import format_duration, format_steps

Measure = Literal["steps", "clock", "share"]
"""The measure of a delay: rows, seconds, or shares of the segment's length."""

ASSUMED_STEP = 60.0
"""The assumed length of a step in seconds, if no times are given."""

MEASURES: tuple[Measure, ...] = get_args(Measure)


@dataclass(frozen=True, eq=False)
class Timing:
    """The times of rows, if known: individual times, or a constant step."""

    step: float | None = None
    """Seconds from one row to the next, if rows are evenly spaced."""
    times: NumberArray | None = None
    """The time of every row, if rows are unevenly spaced."""
    per_second: float = 1.0
    """Units of ``times`` per second."""

    def elapsed(self, starts: IntArray, delays: IntArray) -> FloatArray:
        """Return the seconds from each start to the row ``delays`` steps later."""
        if self.times is not None:
            gone = (self.times[starts + delays] - self.times[starts]) / self.per_second
            later: FloatArray = np.maximum(gone, 0.0)
            return later
        if self.step is None:
            raise ValueError(
                "a decay in clock time needs times; pass times=, the time of every row or the "
                "seconds per step"
            )
        return delays * np.float64(self.step)

    def at(self, rows: IntArray) -> Timing:
        """Return the timing of some of the rows, as if there were no other rows.

        >>> Timing(60).at(np.array([0, 5])).elapsed(np.array([0]), np.array([1])).tolist()
        [300.0]
        """
        if self.times is not None:
            return replace(self, times=self.times[rows])
        return self if self.step is None else Timing(times=rows * np.float64(self.step))


NO_CLOCK = Timing()
"""The times of rows are unknown."""


def late(
    measure: Measure, delays: IntArray, lengths: IntArray, starts: IntArray | None, timing: Timing
) -> NumberArray:
    """Convert delays in steps to the measure.

    >>> late("share", np.array([0, 3]), np.array([5, 6]), None, NO_CLOCK).tolist()
    [0.0, 0.5]
    """
    if measure == "steps":
        return delays
    if measure == "share":
        return delays / lengths
    return timing.elapsed(np.zeros(1, dtype=np.int64) if starts is None else starts, delays)


def make_timing(times: object, size: int, begins: BoolArray | None = None) -> Timing:
    """Check a caller's times: the seconds of a step, or the time of every row.

    >>> make_timing(60, 3).elapsed(np.array([0]), np.array([2])).tolist()
    [120.0]
    >>> late_rows = make_timing(np.array(["2024-01-01T00:00", "2024-01-01T00:05"], "M8[s]"), 2)
    >>> late_rows.elapsed(np.array([0]), np.array([1])).tolist()
    [300.0]
    """
    if times is None:
        return NO_CLOCK
    if np.ndim(times) == 0:  # type: ignore[arg-type]
        step = check_number("times", times, lambda x: 0 < x <= 1e10, "a step above 0 seconds")
        return Timing(step)
    array = np.asarray(times)
    per_second = 1.0
    if array.dtype.kind == "M":
        array, per_second = array.astype("M8[us]").astype(np.int64), 1e6
    array = check_scores("times", array)
    if array.size != size:
        raise ValueError(f"times and labels must have the same length; got {array.size} and {size}")
    falls = array[1:] < array[:-1]
    if begins is not None:
        falls &= ~begins[1:]
    if falls.any():
        row = int(np.flatnonzero(falls)[0]) + 1
        raise ValueError(
            f"times must not decrease; got {array[row]} after {array[row - 1]} at {row}"
        )
    return Timing(times=frozen(array.copy()), per_second=per_second)


def format_delay(delay: float, measure: Measure, step_seconds: float | None = None) -> str:
    """Format a delay in its measure.

    >>> format_delay(6.6, "steps"), format_delay(6, "steps", 60), format_delay(90, "clock")
    ('6.6 steps', '6 min', '1.5 min')
    >>> format_delay(0.25, "share")
    '25 % of the segment'
    """
    if measure == "steps":
        return format_steps(delay, step_seconds)
    if measure == "clock":
        return format_duration(delay)
    return f"{100 * delay:.3g} % of the segment"
