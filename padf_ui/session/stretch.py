"""The part of a long series that is in view."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from padf_core.io.series import Series

MIN_POINTS = 5


@dataclass(frozen=True)
class View:
    """The points in view, as a half-open interval."""

    first: int
    last: int


def clamped(first: float, last: float, size: int) -> View:
    """Return a view inside the series that shows at least a few points."""
    length = round(min(size, max(MIN_POINTS, last - first)))
    begin = round(min(max(0, first), size - length))
    return View(begin, begin + length)


def around(series: Series, segment: int) -> View:
    """Return a view of one segment, with a margin of about its length on either side."""
    if not len(series.segments):
        return View(0, series.size)
    start = int(series.segments.starts[segment])
    stop = int(series.segments.stops[segment])
    margin = max(8, stop - start)
    return clamped(start - margin, stop + margin, series.size)


def next_segment(series: Series, view: View) -> int:
    """Return the segment after the one in view. After the last one comes the first."""
    starts = series.segments.starts
    if view == View(0, series.size):
        return 0
    index = first = int(np.searchsorted(starts, view.first, side="right"))
    for candidate in range(max(0, first - 1), int(np.searchsorted(starts, view.last))):
        if around(series, candidate) == view:
            index = candidate + 1
    return index if index < starts.size else 0
