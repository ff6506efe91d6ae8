"""Read labels from separate files: time windows, row intervals or single moments."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

import numpy as np

from padf_core.io.errors import TableError
from padf_core.io.sources import Source
from padf_core.io.tables import TableFile
from padf_core.io.timestamps import parse_moment
from padf_core.metrics.checks import BoolArray, IntArray
from padf_core.metrics.segments import covered

_INTERVAL_LINE = re.compile(r"(\d+)-(\d+)(:[\d,\s]*)?")


@dataclass(frozen=True)
class Windows:
    """The labels of one or more files: intervals of time or rows, or moments."""

    name: str
    entries: Mapping[str, Sequence[Any]]
    """The windows ``[start, end]`` or the moments of each file."""
    is_rows: bool
    """Whether the numbers are row numbers, counted from 0."""
    are_moments: bool
    has_ends: bool = True
    """Whether the end belongs to an interval."""
    holds_labels: bool = False
    """Whether it was given as the label file."""

    def has(self, part: str) -> bool:
        """Return whether there is an entry under the name of a file."""
        return bool(self._under(part))

    def _under(self, part: str) -> list[Sequence[Any]]:
        stem = _stem(part)
        return [entry for key, entry in self.entries.items() if _matches(_stem(key), stem)]

    def of(self, part: str) -> Sequence[Any] | None:
        """Return the entry of a file: the one under its name, or the only entry."""
        stem = _stem(part)
        found = self._under(part)
        if len(found) > 1:
            exact = [e for key, e in self.entries.items() if stem.endswith(_stem(key))]
            found = exact if len(exact) == 1 else found
        if len(found) == 1:
            return found[0]
        return next(iter(self.entries.values())) if len(self.entries) == 1 and not found else None

    def borrowed(self, parts: Sequence[str]) -> str | None:
        """Report that the only entry is used for files with other names, if that is the case."""
        key = next(iter(self.entries), "")
        if len(self.entries) != 1 or key in ("", self.name) or any(map(self.has, parts)):
            return None
        return f"{self.name} has one entry, for {key}. It is used for {parts[0]}"


def windows_of(name: str, found: Any) -> Windows:
    """Return the windows or moments in the content of a JSON file."""
    if isinstance(found, list):
        found = {"": found}
    if not isinstance(found, dict) or not all(isinstance(e, list) for e in found.values()):
        raise TableError(f"{name}: must have rows, or a list of windows or moments for each file")
    entries = [entry for each in found.values() for entry in each]
    are_windows = all(isinstance(entry, list) and len(entry) == 2 for entry in entries)
    are_moments = all(isinstance(entry, (str, int)) for entry in entries)
    if not (are_windows or are_moments):
        raise TableError(f"{name}: a window must be [start, end]")
    ends = [end for entry in entries for end in (entry if are_windows else [entry])]
    is_rows = bool(ends) and all(type(end) is int for end in ends)
    if not is_rows and not all(isinstance(end, str) for end in ends):
        raise TableError(f"{name}: windows must be times or row numbers")
    return Windows(name, found, is_rows, are_moments and not are_windows)


def is_interval_line(line: str) -> bool:
    """Return whether a line looks like ``15849-16368:1,9,10``.

    >>> is_interval_line("15849-16368:1,9,10"), is_interval_line("2024-01-01,3")
    (True, False)
    """
    return bool(_INTERVAL_LINE.fullmatch(line.strip()))


def read_intervals(source: Source, most: int) -> Windows:
    """Read lines such as ``15849-16368:1,9,10`` (SMD) or ``100-120``.

    SMD lists the affected columns after a colon, and the end is the first row after the interval.
    Without a colon, the end belongs to the interval.
    """
    made = []
    is_smd = False
    text = source.read(most).decode("utf-8", "replace")
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            found = _INTERVAL_LINE.fullmatch(line.strip())
            if found is None:
                raise TableError(
                    f"{source.name}: line {number} must be like 100-120; got {line!r:.60}"
                )
            is_smd = is_smd or found[3] is not None
            made.append([int(found[1]), int(found[2])])
    return Windows(source.name, {source.name: made}, True, False, has_ends=not is_smd)


def read_moment_lines(source: Source, most: int) -> Windows:
    """Read one time or row per line."""
    text = source.read(most).decode("utf-8", "replace")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        raise TableError(f"{source.name}: has no moments")
    is_rows = all(line.isdecimal() for line in lines)
    return Windows(source.name, {"": [int(e) if is_rows else e for e in lines]}, is_rows, True)


def read_sequences(table: TableFile) -> Windows:
    """Read telemanom's table: one row per channel, with its intervals as text."""
    there = table.columns
    key = next((name for name in there if re.fullmatch(r"chan(nel)?(_id)?", name, re.I)), there[0])
    entries: dict[str, list[Any]] = {}
    for before, piece in table.pieces([key, "anomaly_sequences"]):
        for row, (channel, text) in enumerate(piece.itertuples(index=False, name=None)):
            try:
                found = ast.literal_eval(str(text))
                pairs = [[int(first), int(last)] for first, last in found]
            except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
                raise TableError(
                    f"{table.name}: column 'anomaly_sequences', row {before + row + 1}: must be "
                    f"like [[2149, 2349]]; got {text!r:.60}"
                ) from None
            entries.setdefault(str(channel), []).extend(pairs)
    return Windows(table.name, entries, True, False)


def labelled_rows(
    windows: Windows, entries: Sequence[Any], size: int, stamps: IntArray | None
) -> BoolArray:
    """Return which rows lie in a window or at a moment. Rows may be in any order."""
    made = np.zeros(size, dtype=np.bool_)
    for entry in entries:
        made |= rows_in(windows, entry, size, stamps)
    return made


def rows_in(windows: Windows, entry: Any, size: int, stamps: IntArray | None) -> BoolArray:
    """Return the rows of one window."""
    low, high = entry if isinstance(entry, list) else (entry, entry)
    if windows.is_rows:
        stop = high + 1 if windows.has_ends or high == low else high
        if not 0 <= low <= high or not stop <= size:
            raise TableError(f"{windows.name}: {[low, high]} is outside rows 0 to {size - 1:,}")
        return covered(np.array([low]), np.array([stop]), size)
    if stamps is None:
        raise TableError(f"{windows.name}: has times, but the rows have no timestamps")
    first, last = parse_moment(low), parse_moment(high)
    if last < first:
        raise TableError(f"{windows.name}: a window must end after it starts: {entry}")
    inside: BoolArray = (stamps >= first) & (stamps <= last)
    if not inside.any():
        raise TableError(f"{windows.name}: no row is inside {entry}")
    return inside


def moment_rows(
    windows: Windows, entries: Sequence[Any], size: int, stamps: IntArray | None
) -> tuple[int, ...]:
    """Return the row of each moment: the first row at or after it. Times must be increasing."""
    if windows.is_rows:
        for row in entries:
            rows_in(windows, row, size, None)
        return tuple(int(row) for row in entries)
    if stamps is None:
        raise TableError(f"{windows.name}: has times, but the rows have no timestamps")
    made = []
    for entry in entries:
        row = int(np.searchsorted(stamps, parse_moment(entry)))
        if row == size:
            raise TableError(f"{windows.name}: {entry} is after the last row")
        made.append(row)
    return tuple(made)


def _stem(name: str) -> str:
    return PurePath(name).name.rsplit(".", 1)[0].lower()


def _matches(key: str, stem: str) -> bool:
    """Return whether a key equals a file's stem or is a whole-word part of it."""
    return bool(key) and (
        key == stem or bool(re.search(rf"(^|[ _.-]){re.escape(key)}($|[ _.-])", stem))
    )
