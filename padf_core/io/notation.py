"""Read and write a series of 0 and 1 as bits "0001110" or ranges "10-21, 30"."""

from __future__ import annotations

import re

import numpy as np

from padf_core.metrics.checks import BoolArray
from padf_core.metrics.segments import runs_of

_RANGE = re.compile(r"(\d{1,9})(?:\s*[-–]\s*(\d{1,9}))?")


def parse_points(text: str, size: int, name: str = "points") -> BoolArray:
    """Parse bits or ranges as a series of ``size`` points.

    Bits may be shorter than the series (the rest is 0) but not longer, and may be written as a
    list. Ranges count from 0 and include both ends. Ambiguous text, such as "10" on a board of 30
    points, is a point.

    >>> parse_points("0110", 6).astype(int).tolist()
    [0, 1, 1, 0, 0, 0]
    >>> parse_points("[0, 0, 1, 1]", 6).astype(int).tolist()
    [0, 0, 1, 1, 0, 0]
    >>> parse_points("1-2, 5", 6).astype(int).tolist()
    [0, 1, 1, 0, 0, 1]
    """
    series = np.zeros(size, dtype=np.bool_)
    stripped = text.strip()
    if not stripped:
        return series
    bits = re.sub(r"\s", "", stripped)
    is_list = re.fullmatch(r"\[?[01](?:[,;][01])+\]?", bits) is not None
    bits = re.sub(r"[^01]", "", bits) if is_list else bits
    is_number = not is_list and not bits.startswith("0") and len(bits) <= len(str(size - 1))
    if len(bits) > 1 and set(bits) <= {"0", "1"} and not is_number:
        if len(bits) > size:
            raise ValueError(
                f"{name}: {len(bits)} bits do not fit into {size} points; make the board longer "
                "or remove some"
            )
        series[np.flatnonzero(np.frombuffer(bits.encode(), dtype=np.uint8) == ord("1"))] = True
        return series
    position = 0
    for part in re.split(r"[,;]", text):
        first, last = _read_range(part, position + 1, size, name)
        series[first : last + 1] = True
        position += len(part) + 1
    return series


def _read_range(part: str, place: int, size: int, name: str) -> tuple[int, int]:
    shown = part.strip()
    found = _RANGE.fullmatch(shown)
    if not found:
        raise ValueError(
            f"{name}: {shown!r} at character {place} is neither bits such as 0001110 "
            "nor a range such as 10-21"
        )
    first = int(found[1])
    last = int(found[2] or first)
    if first > last:
        raise ValueError(f"{name}: {shown!r} at character {place} runs backwards")
    if last >= size:
        raise ValueError(
            f"{name}: {shown!r} at character {place} lies beyond the last point, {size - 1}"
        )
    return first, last


def format_ranges(series: BoolArray, separator: str = ", ") -> str:
    """Format a series as ranges that `parse_points` can read.

    >>> format_ranges(np.array([0, 1, 1, 0, 0, 1], dtype=bool))
    '1-2, 5'
    """
    return separator.join(
        f"{start}-{stop - 1}" if stop - start > 1 else f"{start}" for start, stop in runs_of(series)
    )


def format_bits(series: BoolArray) -> str:
    """Format a series as bits.

    >>> format_bits(np.array([False, True, True]))
    '011'
    """
    return "".join("1" if point else "0" for point in series.tolist())


def percent(share: float) -> str:
    """Format a share as a percentage with two digits.

    >>> percent(0.0123), percent(0.5), percent(1.0)
    ('1.2 %', '50 %', '100 %')
    """
    value = 100 * share
    return f"{value:.0f} %" if value >= 10 else f"{value:.2g} %"
