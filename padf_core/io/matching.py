"""Match the rows of several files, by position or, if times differ, by time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np
import pandas as pd

from padf_core.io.errors import TableError
from padf_core.io.options import ReadOptions
from padf_core.io.tables import TableFile
from padf_core.io.times import TimeReader
from padf_core.io.timestamps import MICROSECONDS
from padf_core.metrics.checks import IntArray, NumberArray

LEAST_MATCHED = 0.5
"""Minimum share of rows with a matching time, of the shorter of two files."""
FEW_NAMED = 3
"""Maximum number of rows listed that a file lacks."""


@dataclass(frozen=True, eq=False)
class FilePart:
    """A file with rows: its table, and the roles of its columns."""

    name: str
    table: TableFile
    options: ReadOptions
    """The roles of its columns."""
    is_flag: bool = False
    """Whether its only column holds only 0 and 1."""
    holds_labels: bool = False
    """Whether it was given as the label file."""
    called: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For a table that was long, the detectors that each score column was split into."""
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Columns without a role, and why."""

    @property
    def label(self) -> str | None:
        """The label column, if there is one."""
        return self.options.label or None

    @property
    def time(self) -> str | None:
        """The time column, if there is one."""
        return self.options.time

    @property
    def detectors(self) -> tuple[str, ...]:
        """The columns with scores of detectors."""
        return self.options.detectors


@dataclass(frozen=True, eq=False)
class JoinedRows:
    """The matched rows of all files."""

    frames: Sequence[pd.DataFrame]
    """The content of each file, with the same rows."""
    time: Any = None
    stamps: IntArray | None = None
    places: Sequence[IntArray] | None = None
    """The row of each file in each joined row, -1 for none; None if rows match by position."""
    notices: tuple[str, ...] = ()
    """Notices about how the rows were matched."""

    def name(self, part: int, row: int) -> str:
        """Name a row by its number in its file, with its time if files were matched by time."""
        if self.places is None:
            return f"row {row + 1}"
        return f"row {self.places[part][row] + 1} ({self.time.iloc[row]})"


def join_rows(parts: Sequence[FilePart]) -> JoinedRows:
    """Match rows by position if all times are equal, otherwise by time."""
    frames = [_whole(part) for part in parts]
    timed = [(p, f) for p, f in zip(parts, frames, strict=True) if p.time]
    readings = [_readings(part, frame) for part, frame in timed]
    plain = [next(iter(found.values())) for found in readings]
    if any(not np.array_equal(plain[0], other) for other in plain[1:]):
        for part in parts:
            if part.options.series:
                raise TableError(
                    f"{part.name}: column {part.options.series!r} has several series, and the "
                    "files have different times, so their rows cannot be matched. Put all "
                    "columns into one table"
                )
        return _matched(parts, frames, *_agreed_readings([part for part, _ in timed], readings))
    first, rows = parts[0], len(frames[0])
    for part, frame in zip(parts[1:], frames[1:], strict=True):
        if len(frame) != rows:
            raise TableError(f"{part.name}: has {len(frame):,} rows, but {first.name} has {rows:,}")
    if not timed:
        return JoinedRows(frames)
    part, frame = timed[0]
    lines = tuple(
        f"{other.name} has no timestamps: its rows are read in the order of the other files"
        for other in parts
        if not other.time and len(other.table.columns) > 1
    )
    return JoinedRows(frames, frame[part.time], plain[0], notices=lines)


def _whole(part: FilePart) -> pd.DataFrame:
    return part.table.read(part.options.columns or part.table.columns[:1])


def _readings(part: FilePart, frame: pd.DataFrame) -> dict[Any, IntArray]:
    """Return the times of a file under each format that fits all of them."""
    reader = TimeReader(part.name, part.time or "")
    reader.add(frame[part.time])
    return {way: times for times, way in reader.all()}


def _agreed_readings(
    parts: Sequence[FilePart], readings: Sequence[Mapping[Any, IntArray]]
) -> tuple[list[IntArray], bool]:
    """Return the times of each file, and whether they are times on a clock.

    All files must have the same kind of times, and no format may be ambiguous.
    """
    numbered = ["number" in found for found in readings]
    if any(numbered) and not all(numbered):
        one, other = parts[numbered.index(True)], parts[numbered.index(False)]
        raise TableError(
            f"{one.name}: column {one.time!r} has numbers, but {other.name} has timestamps; "
            "rows cannot be matched"
        )
    shared = [way for way in readings[0] if all(way in found for found in readings)]
    agreed = []
    for part, found in zip(parts, readings, strict=True):
        own = [found[way] for way in shared or found]
        own = [times for times in own if (np.diff(times) > 0).all()] or own
        if any(not np.array_equal(own[0], times) for times in own):
            raise TableError(
                f"{part.name}: column {part.time!r} can be read with the day or the month first; "
                "write times as 2024-06-10 08:30:00"
            )
        agreed.append(own[0])
    return agreed, not any(numbered)


def _matched(
    parts: Sequence[FilePart],
    frames: Sequence[pd.DataFrame],
    times: Sequence[IntArray],
    is_clock: bool,
) -> JoinedRows:
    """Match rows with the same time; rows that a file lacks remain empty."""
    for part in parts:
        if not part.time:
            raise TableError(
                f"{part.name}: has no timestamps, and those of the other files differ, so its "
                "rows cannot be matched"
            )
    for part, own in zip(parts, times, strict=True):
        _check_enough(part, own, parts[0], times[0])
    for part, frame, own in zip(parts, frames, times, strict=True):
        _check_once(part, frame, own)
    every = np.unique(np.concatenate(times))
    places = []
    for own in times:
        place = np.full(every.size, -1, dtype=np.int64)
        place[np.searchsorted(every, own)] = np.arange(own.size)
        places.append(place)
    made = JoinedRows(
        [f.reindex(p).reset_index(drop=True) for f, p in zip(frames, places, strict=True)],
        pd.Series(every.view("datetime64[us]") if is_clock else _numbers(every)),
        every if is_clock else None,
        places,
    )
    return replace(made, notices=_told_matches(parts, made, times))


def _numbers(times: IntArray) -> NumberArray:
    """Convert times without a clock back to the original numbers."""
    numbers = times / MICROSECONDS
    return numbers if (times % MICROSECONDS).any() else numbers.astype(np.int64)


def _check_once(part: FilePart, frame: pd.DataFrame, times: IntArray) -> None:
    order = np.argsort(times, kind="stable")
    again = order[1:][np.diff(times[order]) == 0]
    if again.size:
        row = int(again.min())
        raise TableError(
            f"{part.name}: row {row + 1} repeats the time {frame[part.time].iloc[row]}, and the "
            "files have different times, so it is not clear which rows belong together"
        )


def _check_enough(part: FilePart, times: IntArray, first: FilePart, others: IntArray) -> None:
    """Refuse files with few common times, because they are not of the same series."""
    shared = np.intersect1d(times, others).size
    least = min(np.unique(times).size, np.unique(others).size)
    if shared < LEAST_MATCHED * least:
        raise TableError(
            f"{part.name}: {shared:,} of {least:,} rows have a time that is also in "
            f"{first.name}, which is too few. The files do not belong together, or their clocks "
            "differ"
        )


def _told_matches(
    parts: Sequence[FilePart], rows: JoinedRows, times: Sequence[IntArray]
) -> tuple[str, ...]:
    """Report how many rows matched, and which rows a file lacks."""
    places = np.stack(cast(Sequence[IntArray], rows.places))
    is_whole = (places >= 0).all(axis=0)
    lines = [
        f"The files were matched by time: {is_whole.sum():,} of {is_whole.size:,} rows are in all "
        "of them"
    ]
    for part, own, place in zip(parts, times, places, strict=True):
        lacking = np.flatnonzero(place < 0)
        named = []
        for row in lacking[:FEW_NAMED].tolist():
            other = int(np.argmax(places[:, row] >= 0))
            named.append(
                f"{rows.time.iloc[row]} (row {places[other, row] + 1} of {parts[other].name})"
            )
        if lacking.size:
            more = f" and {lacking.size - len(named):,} more" if lacking.size > len(named) else ""
            lines.append(f"{part.name} has no row for {', '.join(named)}{more}")
        if (np.diff(own) < 0).any():
            lines.append(f"{part.name} was not in time order, so its rows were sorted")
    return tuple(lines)
