"""Which rows of a table count, how they form segments, and where one series ends."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from padf_core.metrics.checks import BoolArray, IntArray, NumberArray, check_binary, frozen
from padf_core.metrics.segments import Segments, runs_of
from padf_core.metrics.timing import NO_CLOCK, Timing, make_timing


@dataclass(frozen=True, eq=False)
class EarlyWindows:
    """The rows just before each onset, which are in no score themselves."""

    firsts: IntArray
    """The first row of each window."""
    onsets: IntArray
    """The row of each onset; the window ends before it."""
    counted: BoolArray | None
    """The rows that count, those of windows among them; None for all."""
    is_on_time: bool
    """Whether an alarm in a window counts as one at the onset."""

    def alarms(self, alarms: BoolArray) -> BoolArray:
        """Return alarms with those of each window moved to its onset."""
        if not self.is_on_time:
            return alarms
        heard = alarms if self.counted is None else alarms & self.counted
        before = np.concatenate(([0], np.cumsum(heard)))
        made = alarms.copy()
        made[self.onsets] |= before[self.onsets] > before[self.firsts]
        return made

    def scores(self, scores: NumberArray) -> NumberArray:
        """Return scores in which each onset has the highest score of its window."""
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
    """What is known of rows beside labels and scores; None where nothing is.

    An ignored row is neither anomalous nor an alarm, whatever it says: it is in neither precision
    nor recall. Inside an incident it is skipped: the incident goes on behind it, and delays in
    steps do not count it. No segment and no run of alarms goes over a border.
    """

    counts: BoolArray | None = None
    """Whether each row counts; the others are ignored."""
    begins: BoolArray | None = None
    """Whether each row is the first one of another series."""
    timing: Timing = NO_CLOCK
    """When the rows were."""
    inside: BoolArray | None = None
    """Ignored rows that are labelled anomalous: no incident ends there."""
    early: EarlyWindows | None = None
    """The windows before onsets, where there are some."""

    def only(self, values: BoolArray) -> BoolArray:
        """Return labels or detections, without those of ignored rows."""
        return values if self.counts is None else frozen(values & self.counts)

    def label(self, labels: BoolArray) -> tuple[BoolArray, Rows]:
        """Return the labels of the rows that count, and rows that remember the others."""
        if self.counts is None:
            return labels, self
        ignored = labels & ~self.counts
        if self.inside is not None:
            ignored |= self.inside
        return self.only(labels), replace(self, inside=frozen(ignored) if ignored.any() else None)

    def whole(self, labels: BoolArray) -> BoolArray:
        """Return labels as they were given: with the ignored rows inside incidents."""
        return labels if self.inside is None else labels | self.inside

    def segments(self, labels: BoolArray) -> Segments:
        """Find the segments among labels of the rows that count.

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
        """Return alarms as they count: of early windows at the onset, of ignored rows none."""
        return self.only(alarms if self.early is None else self.early.alarms(alarms))

    def scores(self, scores: NumberArray) -> NumberArray:
        """Return scores as they count: with the highest of each early window at its onset."""
        return scores if self.early is None else self.early.scores(scores)

    @property
    def watched(self) -> BoolArray | None:
        """The rows on which a detector is heard: those that count, and early windows."""
        return self.counts if self.early is None else self.early.counted


ALL = Rows()
"""Every row counts, and all of them are one series."""


def make_rows(
    size: int,
    ignore: npt.ArrayLike | None = None,
    series: npt.ArrayLike | None = None,
    times: npt.ArrayLike | None = None,
) -> Rows:
    """Check what a caller says of the rows.

    ``ignore`` is true for rows that are ignored; ``series`` names the series of every row, whose
    rows must stand together; ``times`` is the time of every row, or the seconds of a step.

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
                f"series: the rows of {again!r} do not stand together; sort the rows by series"
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
