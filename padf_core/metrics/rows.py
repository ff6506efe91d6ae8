"""Which rows of a table count, and where the rows of one series end and another's begin."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from padf_core.metrics.checks import BoolArray, check_binary, frozen
from padf_core.metrics.timing import NO_CLOCK, Timing, make_timing


@dataclass(frozen=True, eq=False)
class Rows:
    """What is known of rows beside labels and scores; None where nothing is.

    A row that does not count is neither anomalous nor an alarm, whatever it says: it is in neither
    precision nor recall. No segment and no run of alarms goes over a border.
    """

    counts: BoolArray | None = None
    """Whether each row counts."""
    begins: BoolArray | None = None
    """Whether each row is the first one of another series."""
    timing: Timing = NO_CLOCK
    """When the rows were."""

    def only(self, values: BoolArray) -> BoolArray:
        """Return labels or detections, without those of rows that do not count."""
        return values if self.counts is None else frozen(values & self.counts)


ALL = Rows()
"""Every row counts, and all of them are one series."""


def make_rows(
    size: int, ignore: object = None, series: object = None, times: object = None
) -> Rows:
    """Check what a caller says of the rows.

    ``ignore`` is true for rows that do not count; ``series`` names the series of every row, whose
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
