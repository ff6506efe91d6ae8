"""Which rows are scored, how they form segments, and where series end."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from padf_core.metrics.checks import BoolArray, IntArray, NumberArray, check_binary, frozen
from padf_core.metrics.segments import Segments, runs_of
from padf_core.metrics.timing import NO_CLOCK, Timing, make_timing


@dataclass(frozen=True, eq=False)
class EarlyWindows:
    """The windows of rows just before each onset, which are not scored themselves."""

    firsts: IntArray
    """The first row of each window."""
    onsets: IntArray
    """The row of each onset; the window ends before it."""
    counted: BoolArray | None
    """The scored rows, including windows; None for all rows."""
    is_on_time: bool
    """Whether an alarm in a window counts as an alarm at the onset."""

    def alarms(self, alarms: BoolArray) -> BoolArray:
        """Return the alarms, with those in each window moved to its onset."""
        if not self.is_on_time:
            return alarms
        heard = alarms if self.counted is None else alarms & self.counted
        before = np.concatenate(([0], np.cumsum(heard)))
        made = alarms.copy()
        made[self.onsets] |= before[self.onsets] > before[self.firsts]
        return made

    def scores(self, scores: NumberArray) -> NumberArray:
        """Return the scores, with the highest score of each window at its onset."""
        if not self.is_on_time:
            return scores
        values = scores
        if self.counted is not None:
            lowest = np.iinfo(scores.dtype).min if scores.dtype.kind in "iu" else -np.inf
            values = np.where(self.counted, scores, np.array(lowest, dtype=scores.dtype))
        edges = np.column_stack((self.firsts, self.onsets + 1)).ravel()
        padded = np.append(values, values[-1:])
        made = scores.copy()
        made[self.onsets] = np.maximum.reduceat(padded, edges)[::2]
        return made


@dataclass(frozen=True, eq=False)
class Rows:
    """Properties of rows other than labels and scores; None if there are none.

    An ignored row is neither anomalous nor an alarm, so it affects neither precision nor recall.
    Inside an incident it is skipped: the incident continues after it, and delays in steps do not
    count it. Segments and runs of alarms never cross a series border.
    """

    counts: BoolArray | None = None
    """Whether each row is scored; the other rows are ignored."""
    begins: BoolArray | None = None
    """Whether each row is the first of another series."""
    timing: Timing = NO_CLOCK
    """The times of the rows."""
    inside: BoolArray | None = None
    """Ignored rows labelled anomalous; an incident does not end there."""
    early: EarlyWindows | None = None
    """The windows before onsets, if there are any."""

    def only(self, values: BoolArray) -> BoolArray:
        """Return labels or detections with ignored rows set to False."""
        return values if self.counts is None else frozen(values & self.counts)

    def label(self, labels: BoolArray) -> tuple[BoolArray, Rows]:
        """Return the labels of scored rows, and rows that remember ignored anomalous rows."""
        if self.counts is None:
            return labels, self
        ignored = labels & ~self.counts
        if self.inside is not None:
            ignored |= self.inside
        return self.only(labels), replace(self, inside=frozen(ignored) if ignored.any() else None)

    def whole(self, labels: BoolArray) -> BoolArray:
        """Return the original labels, including ignored rows inside incidents."""
        return labels if self.inside is None else labels | self.inside

    def segments(self, labels: BoolArray) -> Segments:
        """Find the segments in the labels of scored rows.

        >>> labels = np.array([1, 1, 1, 1, 0], bool)
        >>> labels, rows = Rows(np.array([1, 1, 0, 1, 1], bool)).label(labels)
        >>> found = rows.segments(labels)
        >>> list(found), found.lengths.tolist()
        ([Segment(start=0, stop=4)], [3])
        """
        if self.inside is None:
            return runs_of(labels, self.begins)
        whole = runs_of(self.whole(labels), self.begins)
        points = np.flatnonzero(labels)
        first, last = np.searchsorted(points, (whole.starts, whole.stops))
        first, last = first[first < last], last[first < last]
        starts, stops = points[first], points[last - 1] + 1
        has_gaps = bool((stops - starts != last - first).any())
        return Segments(frozen(starts), frozen(stops), frozen(points) if has_gaps else None)

    def alarms(self, alarms: BoolArray) -> BoolArray:
        """Return the alarms that count: early ones at the onset, none in ignored rows."""
        return self.only(alarms if self.early is None else self.early.alarms(alarms))

    def scores(self, scores: NumberArray) -> NumberArray:
        """Return the scores that count: an onset has the highest score of its early window."""
        return scores if self.early is None else self.early.scores(scores)

    @property
    def watched(self) -> BoolArray | None:
        """The rows on which a detector may raise alarms: scored rows and early windows."""
        return self.counts if self.early is None else self.early.counted


ALL = Rows()
"""All rows are scored, and they form one series."""


def make_rows(
    size: int,
    ignore: npt.ArrayLike | None = None,
    series: npt.ArrayLike | None = None,
    times: npt.ArrayLike | None = None,
) -> Rows:
    """Check a caller's arguments about the rows.

    ``ignore`` is true for ignored rows. ``series`` names the series of every row; the rows of a
    series must be contiguous. ``times`` is the time of every row, or the seconds of a step.

    >>> make_rows(3, series=["a", "a", "b"]).begins.tolist()
    [False, False, True]
    """
    counts = begins = None
    if ignore is not None:
        mask = check_binary("ignore", ignore)
        _check_size("ignore", mask.size, size)
        counts = frozen(~mask) if mask.any() else None
    if series is not None:
        names = np.asarray(series)
        if names.ndim != 1:
            raise ValueError("series must name one series for each row")
        _check_size("series", names.size, size)
        changes = np.zeros(size, dtype=np.bool_)
        changes[1:] = names[1:] != names[:-1]
        firsts = names[np.append(0, np.flatnonzero(changes))] if size else names
        again = _first_repeated(firsts.tolist())
        if again is not None:
            raise ValueError(
                f"series: the rows of {again!r} are not consecutive; sort the rows by series"
            )
        begins = frozen(changes) if changes.any() else None
    return Rows(counts, begins, make_timing(times, size, begins))


def _check_size(name: str, found: int, size: int) -> None:
    if found != size:
        raise ValueError(f"{name} and labels must have the same length; got {found} and {size}")


def _first_repeated(names: list[object]) -> object | None:
    seen: set[object] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None
