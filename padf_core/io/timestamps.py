"""Parse columns and texts as timestamps, in microseconds since 1970."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from padf_core.io.errors import TableError
from padf_core.metrics.checks import IntArray

MICROSECONDS = 1_000_000
FIRST_MOMENT, LAST_MOMENT = -62_135_596_800 * MICROSECONDS, 253_402_300_800 * MICROSECONDS
"""The years 1 to 9999, which all date libraries support."""
MOSTLY = 0.8
"""Minimum share of parseable entries for a column to count as a time column."""

_CLOCK_STARTS = tuple(
    (6.3e8 * scale, 4.2e9 * scale, MICROSECONDS / scale) for scale in (1, 1e3, 1e6, 1e9)
)
"""Ranges of numbers read as seconds, milli-, micro- or nanoseconds since 1970: 1990 to 2103."""

_CALENDARS = {8: "%Y%m%d", 10: "%Y%m%d%H", 12: "%Y%m%d%H%M", 14: "%Y%m%d%H%M%S"}
"""Date formats of whole numbers by their digits, used if all entries are valid dates."""

_FORMATS = (
    "ISO8601",
    *(
        f"{date}{clock}"
        for date in (
            *("%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y/%m/%d", "%d-%m-%Y", "%m-%d-%Y"),
            *("%d.%m.%y", "%d/%m/%y", "%m/%d/%y"),
        )
        for clock in ("", " %H:%M", " %H:%M:%S", " %H:%M:%S.%f", " %I:%M %p", " %I:%M:%S %p")
    ),
)


def ways_to_read(column: pd.Series) -> list[Any]:
    """Return the ways in which the first piece of a column can be parsed as times."""
    if column.dtype.kind in "iuf":
        first = float(column.iloc[0])
        calendar = _CALENDARS.get(len(f"{first:.0f}")) if first.is_integer() else None
        if calendar and parse_times(column.iloc[:50], calendar) is not None:
            return [calendar]
        scales = [scale for low, high, scale in _CLOCK_STARTS if low <= first < high]
        return scales or ["number"]
    if column.dtype.kind == "M":
        return ["stamp"]
    if not any(letter.isdigit() for letter in str(column.iloc[0])):
        return []
    return [way for way in _FORMATS if parse_times(column.iloc[:1], way) is not None]


def first_bad(column: pd.Series, way: Any) -> int:
    """Return the position of the first entry that cannot be parsed in this way, by bisection."""
    good, bad = 0, len(column)
    while bad - good > 1:
        middle = (good + bad) // 2
        if parse_times(column.iloc[good:middle], way) is None:
            bad = middle
        else:
            good = middle
    return good


def parse_times(column: pd.Series, way: Any) -> IntArray | None:
    """Return microseconds, or plain numbers times a million; None if an entry is invalid.

    ``way`` is one of the ways returned by `TimeReader.all`.
    """
    try:
        if way == "number" or isinstance(way, (int, float)):
            numbers = column.to_numpy(dtype=np.float64)
            scaled = numbers * (MICROSECONDS if way == "number" else way)
            return np.round(scaled).astype(np.int64) if (np.abs(scaled) < 9e18).all() else None
        if way in _CALENDARS.values():
            column = column.astype(np.int64).astype(str)
        elif way != "stamp":
            column = column.astype(str)
        stamps = column if way == "stamp" else pd.to_datetime(column, format=way, utc=True)
        if stamps.dtype.kind != "M" or stamps.isna().any():
            return None
        if way in _CALENDARS.values() and not stamps.dt.year.between(1970, 2100).all():
            return None
        if stamps.dt.tz is not None:
            stamps = stamps.dt.tz_convert("UTC").dt.tz_localize(None)
        return stamps.to_numpy(dtype="datetime64[us]").astype(np.int64)
    except (ValueError, TypeError, OverflowError):
        return None


def parse_moment(text: str) -> int:
    """Parse a typed time as microseconds since 1970, in UTC unless it has another offset."""
    made = parse_times(pd.Series([text.strip()], dtype=object), "ISO8601")
    if made is None or not FIRST_MOMENT <= made[0] < LAST_MOMENT:
        raise TableError(f"a time must be written as 2024-06-10 08:30; got {text[:60]!r}")
    return int(made[0])


def looks_like_times(values: Sequence[Any] | pd.Series) -> bool:
    """Return whether the first entries can be parsed as times on a clock."""
    head = pd.Series(values).dropna().iloc[:50]
    ways = ways_to_read(head) if len(head) else []
    return any(way != "number" and _readable(head, way) >= MOSTLY * len(head) for way in ways)


def _readable(column: pd.Series, way: Any) -> int:
    """Count the entries that can be parsed in this way."""
    if parse_times(column, way) is not None:
        return len(column)
    return sum(parse_times(column.iloc[[row]], way) is not None for row in range(len(column)))
