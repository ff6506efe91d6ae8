"""Locate each point of a series in time, and put rows in the order of their times."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from padf_core.io.errors import OrderError, TableError
from padf_core.io.options import Order
from padf_core.io.timestamps import (
    FIRST_MOMENT,
    LAST_MOMENT,
    MICROSECONDS,
    first_bad,
    parse_times,
    ways_to_read,
)
from padf_core.metrics.checks import BoolArray, FloatArray, IntArray, frozen
from padf_core.metrics.timing import ASSUMED_STEP, Timing

FEW_REPEATS = 0.05
"""Maximum share of repeated timestamps.

A faulty logger repeats few timestamps, but a table that mixes series repeats most of them.
"""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, eq=False)
class Clock:
    """The time of each point: evenly spaced, or with individual timestamps.

    If the data hold several series, each has its own clock, and `begins` marks where they begin. A
    series without a clock, among others with one, has one row every `ASSUMED_STEP` seconds.
    """

    start: int
    """Microseconds since 1970."""
    step_seconds: float
    """The usual time from one row to the next."""
    size: int
    stamps: IntArray | None = None
    """The time of every point in microseconds, if they are not evenly spaced."""
    gaps: int = 0
    longest_gap_seconds: float = 0.0
    begins: BoolArray | None = None
    """Whether each point is the first of another series; None for a single series."""
    last_steps: FloatArray | None = None
    """Duration of each series' last point in seconds, if there are several series."""
    within: BoolArray | None = None
    """Which steps between rows are inside a series with a clock; None for all."""
    without: int = 0
    """Number of series without a clock."""

    def at(self, index: int) -> int:
        """Return the time of a point in microseconds; the usual step continues after the last."""
        if self.stamps is None:
            return self.start + round(index * self.step_seconds * MICROSECONDS)
        last = self.size - 1
        beyond = max(0, index - last) * round(self.step_seconds * MICROSECONDS)
        return int(self.stamps[min(index, last)]) + beyond

    def all(self) -> IntArray:
        """Return the time of every point in microseconds."""
        if self.stamps is not None:
            return self.stamps
        steps = np.arange(self.size) * self.step_seconds * MICROSECONDS
        return self.start + np.round(steps).astype(np.int64)

    def seconds_between(self, first: int, last: int) -> float:
        """Return the time between two points of the same series."""
        return (self.at(last) - self.at(first)) / MICROSECONDS

    @property
    def timing(self) -> Timing:
        """The clock in the form used to measure delays."""
        if self.stamps is None:
            return Timing(self.step_seconds)
        return Timing(times=self.stamps, per_second=MICROSECONDS)

    @property
    def span_seconds(self) -> float:
        """Total duration of all points."""
        return self.seconds_of(None)

    def seconds_of(self, counts: BoolArray | None) -> float:
        """Return the total duration of some of the points.

        Each point lasts until the next one. The last point of a series lasts for the usual step of
        the series.

        >>> clock = make_clock(np.array([0, 60, 180, 0, 60]) * MICROSECONDS,
        ...                    np.array([0, 0, 0, 1, 0], bool))
        >>> clock.seconds_of(None), clock.seconds_of(np.array([1, 0, 1, 0, 0], bool))
        (390.0, 150.0)
        """
        if self.stamps is None:
            count = self.size if counts is None else int(np.count_nonzero(counts))
            return self.step_seconds * count
        lasting = np.append(np.diff(self.stamps), 0) / MICROSECONDS
        last = self.step_seconds if self.last_steps is None else self.last_steps
        lasting[_ends(self.size, self.begins)] = last
        return float(lasting.sum() if counts is None else lasting[counts].sum())

    def name(self, index: int) -> str:
        """Format the time of a point, as precisely as the step requires."""
        moment = _EPOCH + timedelta(microseconds=min(self.at(index), LAST_MOMENT - 1))
        written = moment.isoformat(" ", "microseconds").partition("+")[0]
        if self.step_seconds >= 60 and not moment.second:
            return written[:-10]
        return written[:-7] if self.step_seconds >= 1 else written[:-3]


def _ends(size: int, begins: BoolArray | None) -> IntArray:
    """Return the last point of each series."""
    last = np.array([size - 1])
    return last if begins is None else np.append(np.flatnonzero(begins) - 1, last)


def make_clock(
    stamps: IntArray,
    begins: BoolArray | None = None,
    clocked: BoolArray | None = None,
    *,
    owned: bool = False,
) -> Clock | None:
    """Return the clock of times, or None if no series has increasing times.

    ``begins`` marks where other series begin, and ``clocked`` the rows whose series has increasing
    times. Uneven times are copied, unless they are ``owned``.

    >>> clock = make_clock(np.array([0, 10, 20, 7, 7]) * MICROSECONDS,
    ...                    np.array([0, 0, 0, 1, 0], bool))
    >>> clock.without, clock.seconds_between(3, 4)
    (1, 60.0)
    """
    if begins is None:
        step = usual_step(np.diff(stamps))
        return None if step is None else _clock(stamps, step, owned=owned)
    firsts = [0, *np.flatnonzero(begins).tolist()]
    own: list[float | None] = [
        None
        if clocked is not None and not clocked[first]
        else usual_step(np.diff(stamps[first:end]))
        for first, end in pairwise([*firsts, stamps.size])
    ]
    if all(step is None for step in own):
        return None
    known = np.repeat([step is not None for step in own], np.diff([*firsts, stamps.size]))
    if not known.all():
        stamps, owned = stamps.copy(), True
        count = np.count_nonzero(~known)
        stamps[~known] = np.arange(count) * round(ASSUMED_STEP * MICROSECONDS)
    within = (known & ~begins)[1:]
    step = usual_step(np.diff(stamps)[within])
    assert step is not None
    made = _clock(stamps, step, within, owned=owned)
    last_steps = [ASSUMED_STEP if each is None else each / MICROSECONDS for each in own]
    return replace(
        made,
        begins=begins,
        last_steps=np.array(last_steps),
        within=frozen(within),
        without=sum(each is None for each in own),
    )


def usual_step(steps: IntArray) -> float | None:
    """Return the median step, or the mean if most are 0; None if no time passes.

    >>> usual_step(np.array([5, 5, 60])), usual_step(np.array([0, 0, 60])), usual_step(np.array([]))
    (5.0, 20.0, None)
    """
    return (float(np.median(steps)) or float(np.mean(steps))) if steps.any() else None


def _clock(stamps: IntArray, step: float, within: BoolArray | None = None, *, owned: bool) -> Clock:
    """Return a clock with this usual step. ``within`` marks the steps inside a series."""
    steps = np.diff(stamps)
    is_even = within is None and bool((steps == steps[0]).all())
    if within is not None:
        steps = steps[within]
    is_gap = steps > 1.5 * step
    return Clock(
        start=int(stamps[0]),
        step_seconds=step / MICROSECONDS,
        size=int(stamps.size),
        stamps=None if is_even else frozen(stamps.view() if owned else stamps.copy()),
        gaps=int(np.count_nonzero(is_gap)),
        longest_gap_seconds=float(steps.max()) / MICROSECONDS if is_gap.any() else 0.0,
    )


class OrderedRows(NamedTuple):
    """Rows in the order to use, and their times."""

    order: IntArray | None
    """The row order, or None for the file's own."""
    stamps: IntArray | None
    """The times of these rows, or None if they are not on a clock."""
    clocked: BoolArray | None = None
    """Which rows belong to a series whose times never go back, or None for all rows."""


class TimeReader:
    """Reads one column of times piece by piece, and reports invalid entries."""

    def __init__(self, file: str, column: str) -> None:
        self._file = file
        self._column = column
        self._read: dict[Any, list[IntArray]] | None = None

    @classmethod
    def of_stamps(cls, file: str, column: str, stamps: IntArray, way: Any) -> TimeReader:
        """Return a reader of times that have already been parsed in this way."""
        made = cls(file, column)
        made._read = {way: [stamps]}
        return made

    def add(self, column: pd.Series, before: int = 0) -> None:
        """Read the next piece; ``before`` is the number of rows before it."""
        missing = np.flatnonzero(column.isna().to_numpy())
        if missing.size:
            self._refuse(before + int(missing[0]), "times must not be missing")
        if self._read is None:
            self._read = {way: [] for way in ways_to_read(column)}
            if not self._read:
                self._refuse(before, f"is not a time that can be read; got {column.iloc[0]!r:.60}")
        read = {way: parse_times(column, way) for way in self._read}
        good = {way: made for way, made in read.items() if made is not None}
        if not good:
            row = max(first_bad(column, way) for way in self._read)
            self._refuse(
                before + row, f"is not a time like those before it; got {column.iloc[row]!r:.60}"
            )
        for way, made in good.items():
            outside = np.flatnonzero((made < FIRST_MOMENT) | (made >= LAST_MOMENT))
            if outside.size and way != "number":
                row = int(outside[0])
                self._refuse(
                    before + row,
                    f"times must be in the years 1 to 9999; got {column.iloc[row]!r:.60}",
                )
        self._read = {way: [*self._read[way], made] for way, made in good.items()}

    def _refuse(self, row: int, rule: str) -> None:
        raise TableError(f"{self._file}: column {self._column!r}, row {row + 1}: {rule}")

    def ordered(
        self, how: Order, order: IntArray | None = None, series: IntArray | None = None
    ) -> OrderedRows:
        """Return the row order to use, and the times of these rows if they are on a clock.

        ``order`` is the previous row order, None for the file's own. ``series`` holds the code of
        each row's series; times need only increase within a series. A few rows may repeat the
        previous time. A series that keeps its order although times go back has no clock.
        """
        times, way = self._chosen(order, series)
        rows = np.arange(times.size) if order is None else order
        steps, same = _steps(times, rows, series)
        if how == "refuse" and not _is_in_order(steps[same]):
            self._refuse_order(times, way, rows, steps, same)
        if how in ("sort", "first"):
            own = times[rows] if series is None else (times[rows], series[rows])
            sorting = np.argsort(own, kind="stable") if series is None else np.lexsort(own)
            if (np.diff(sorting) != 1).any():
                order = rows = rows[sorting]
            if how == "first":
                steps, same = _steps(times, rows, series)
                order = rows = rows[np.append(True, (steps > 0) | ~same)]
        if way == "number":
            return OrderedRows(order, None)
        back = same & (steps < 0) if how == "keep" else np.zeros(steps.size, dtype=np.bool_)
        if not back.any():
            return OrderedRows(order, times[rows])
        if series is None:
            return OrderedRows(order, None)
        clocked = ~np.isin(series[rows], series[rows[1:][back]])
        return OrderedRows(order, times[rows] if clocked.any() else None, clocked)

    def _chosen(self, order: IntArray | None, series: IntArray | None) -> tuple[IntArray, Any]:
        """Return the times parsed in the one way that fits, and this way.

        Dates can be written with the day or the month first. The order in which times increase is
        the right one.
        """
        found = self.all()
        if len(found) == 1:
            return found[0]
        rows = np.arange(found[0][0].size) if order is None else order
        rising = []
        for times, way in found:
            steps, same = _steps(times, rows, series)
            if _is_in_order(steps[same]):
                rising.append((times, way))
        fitting = rising or found
        if any(not np.array_equal(fitting[0][0], other) for other, _ in fitting[1:]):
            self._ambiguous()
        return fitting[0]

    def _refuse_order(
        self, times: IntArray, way: Any, rows: IntArray, steps: IntArray, same: BoolArray
    ) -> None:
        """Raise an error that names the row out of order."""
        at = int(np.flatnonzero(same & (steps <= 0))[0])
        row, before = int(rows[at + 1]), int(rows[at])
        shown = [
            str(value) if way == "number" else str(np.datetime64(int(value), "us"))
            for value in (times[row], times[before])
        ]
        is_repeated = times[row] == times[before]
        groups = np.cumsum(np.append(False, ~same))
        sorting = np.lexsort((times[rows], groups))
        later, apart = np.diff(times[rows][sorting]), np.diff(groups[sorting])
        problem = (
            f"{shown[0]} is also in row {before + 1}"
            if is_repeated
            else f"{shown[0]} comes after row {before + 1} ({shown[1]})"
        )
        hint = "; write times in UTC if clocks were set back" if way != "number" else ""
        raise OrderError(
            f"{self._file}: column {self._column!r}, row {row + 1}: timestamps must increase; "
            f"{problem}. Sort the rows, or keep the file's order{hint}",
            backward=int(np.count_nonzero(same & (steps < 0))),
            repeated=int(np.count_nonzero((later == 0) & (apart == 0))),
        )

    def all(self) -> list[tuple[IntArray, Any]]:
        """Return the times under each way of parsing that fits all of them."""
        if not self._read:
            raise TableError(f"{self._file}: column {self._column!r} has no times")
        return [(np.concatenate(pieces), way) for way, pieces in self._read.items()]

    def way(self) -> Any:
        """Return the one way in which the times can be parsed."""
        found = self.all()
        if any(not np.array_equal(found[0][0], other) for other, _ in found[1:]):
            self._ambiguous()
        return found[0][1]

    def single(self) -> IntArray:
        """Return the times in the file's order, if only one way of parsing is possible."""
        found = self.all()
        if len(found) > 1 and not all(np.array_equal(found[0][0], other) for other, _ in found[1:]):
            self._ambiguous()
        if found[0][1] == "number":
            raise TableError(
                f"{self._file}: column {self._column!r} has numbers that are not times; write "
                "times as 2024-06-10 08:30:00"
            )
        return found[0][0]

    def _ambiguous(self) -> None:
        raise TableError(
            f"{self._file}: column {self._column!r} can be read with the day or the month first; "
            "write times as 2024-06-10 08:30:00"
        )


def _steps(times: IntArray, rows: IntArray, series: IntArray | None) -> tuple[IntArray, BoolArray]:
    """Return the time from each row to the next, and whether both belong to the same series."""
    steps = np.diff(times[rows])
    same = np.ones(steps.size, dtype=np.bool_)
    return steps, same if series is None else np.diff(series[rows]) == 0


def _is_in_order(steps: IntArray) -> bool:
    """Return whether times never go back and few repeat the previous time."""
    if not steps.size:
        return True
    return bool((steps >= 0).all()) and bool(np.mean(steps == 0) <= FEW_REPEATS)
