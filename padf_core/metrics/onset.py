"""Move the onsets of segments, because labels may start before or after the event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, get_args

import numpy as np

from padf_core.metrics.checks import BoolArray, IntArray, check_number, frozen
from padf_core.metrics.rows import EarlyWindows, Rows
from padf_core.metrics.segments import Segments, covered

ShiftUnit = Literal["rows", "seconds", "share"]
EarlyUnit = Literal["rows", "seconds"]
EarlyAlarms = Literal["on_time", "nothing"]


@dataclass(frozen=True)
class Onset:
    """Where segments begin, if that differs from where their labels begin.

    Rows before a later onset become normal. An onset never passes the end of its segment, the
    previous segment, or the border of its series.

    Parameters
    ----------
    shift : float
        How much later the onset is than labelled; negative values are earlier.
    unit : {"rows", "seconds", "share"}
        The unit of ``shift``; "share" is a share of the segment.
    moments : tuple of int, optional
        Row numbers; the first one inside a segment becomes its onset.
    early : float
        A window before the onset, in which an alarm is not false.
    early_unit : {"rows", "seconds"}
        The unit of ``early``.
    early_alarms : {"on_time", "nothing"}
        Whether an alarm in the window counts as an alarm at the onset, or not at all.

    Examples
    --------
    >>> moved = Onset(shift=2).move(np.array([0, 1, 1, 1, 1, 0], bool), Rows())
    >>> moved.labels.astype(int).tolist()
    [0, 0, 0, 1, 1, 0]
    """

    shift: float = 0.0
    unit: ShiftUnit = "rows"
    moments: tuple[int, ...] | None = None
    early: float = 0.0
    early_unit: EarlyUnit = "rows"
    early_alarms: EarlyAlarms = "on_time"

    def __post_init__(self) -> None:
        for name, kinds in (
            ("unit", get_args(ShiftUnit)),
            ("early_unit", get_args(EarlyUnit)),
            ("early_alarms", get_args(EarlyAlarms)),
        ):
            if getattr(self, name) not in kinds:
                allowed = " or ".join(f'"{kind}"' for kind in kinds)
                raise ValueError(f"{name} must be {allowed}; got {getattr(self, name)!r}")
        low, high = (-1.0, 1.0) if self.unit == "share" else (-1e12, 1e12)
        shift = check_number(
            "shift", self.shift, lambda x: low <= x <= high, f"from {low:g} to {high:g}"
        )
        early = check_number("early", self.early, lambda x: 0 <= x <= 1e12, "at least 0")
        object.__setattr__(self, "shift", shift)
        object.__setattr__(self, "early", early)
        if self.moments is not None:
            object.__setattr__(self, "moments", _whole_rows(self.moments))

    @property
    def is_moved(self) -> bool:
        """Whether anything differs from the labels."""
        return bool(self.shift or self.early or self.moments)

    def move(self, labels: BoolArray, rows: Rows) -> Moved:
        """Return labels and rows with moved onsets.

        An onset on an ignored row moves to the next scored row.
        """
        labels, rows = rows.label(labels)
        before = rows.segments(labels)
        lowest = _floors(before, rows)
        wanted = self._onsets(before, rows)
        onsets = np.clip(wanted, lowest, before.stops - 1)
        held = int(np.count_nonzero(onsets != wanted))
        if rows.counts is not None:
            counted = np.flatnonzero(rows.counts)
            onsets = counted[np.searchsorted(counted, onsets)]
        firsts = onsets
        if self.early:
            firsts = np.clip(self._early(onsets, rows), lowest, onsets)
        counts, early = rows.counts, None
        waiting = covered(firsts, onsets, labels.size)
        if waiting.any():
            is_on_time = self.early_alarms == "on_time"
            early = EarlyWindows(frozen(firsts), frozen(onsets), counts, is_on_time)
            counts = ~waiting if counts is None else counts & ~waiting
        whole = covered(onsets, before.stops, labels.size)
        anomalous, moved = replace(rows, inside=None).label(whole)
        kept = None if counts is None else frozen(counts)
        return Moved(frozen(anomalous), replace(moved, counts=kept, early=early), before, held)

    def _onsets(self, segments: Segments, rows: Rows) -> IntArray:
        if self.moments is not None:
            given = np.unique(np.array(self.moments, dtype=np.int64))
            if not given.size:
                return segments.starts
            place = np.searchsorted(given, segments.starts)
            nearest: IntArray = given[np.minimum(place, given.size - 1)]
            inside = (nearest >= segments.starts) & (nearest < segments.stops)
            return np.where(inside, nearest, segments.starts)
        if not self.shift:
            return segments.starts
        if self.unit == "rows":
            return segments.starts + int(np.ceil(self.shift))
        if self.unit == "share":
            spans = segments.stops - segments.starts
            part: IntArray = np.floor(self.shift * spans).astype(np.int64)
            return segments.starts + part
        return _rows_after(segments.starts, self.shift, rows)

    def _early(self, onsets: IntArray, rows: Rows) -> IntArray:
        if self.early_unit == "rows":
            return onsets - int(self.early)
        return _rows_after(onsets, -self.early, rows)


class Moved(NamedTuple):
    """Labels and rows with moved onsets."""

    labels: BoolArray
    rows: Rows
    before: Segments
    """The segments as labelled."""
    held: int
    """Number of onsets that could not be moved as far as requested."""


def _whole_rows(moments: Sequence[int]) -> tuple[int, ...]:
    array = np.asarray(moments)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu") or (array < 0).any():
        raise ValueError(f"moments must be row numbers, from 0; got {moments!r:.60}")
    return tuple(array.tolist())


def _floors(segments: Segments, rows: Rows) -> IntArray:
    """Return the first possible row of each onset; one row remains between two segments."""
    apart = np.minimum(segments.stops[:-1] + 1, segments.starts[1:])
    floors = np.concatenate(([0], apart))[: len(segments)]
    if rows.begins is None:
        return floors
    borders = np.concatenate(([0], np.flatnonzero(rows.begins)))
    own = borders[np.searchsorted(borders, segments.starts, side="right") - 1]
    return np.maximum(floors, own)


def _rows_after(places: IntArray, seconds: float, rows: Rows) -> IntArray:
    """Return the first row at or after a number of seconds from each of these rows."""
    timing = rows.timing
    if timing.times is None:
        if timing.step is None:
            raise ValueError("an onset in seconds needs times; pass times=")
        return places + int(np.ceil(seconds / timing.step - 1e-9))
    wanted = timing.times[places] + seconds * timing.per_second
    if rows.begins is None:
        return np.searchsorted(timing.times, wanted)
    borders = np.concatenate(([0], np.flatnonzero(rows.begins), [timing.times.size]))
    part = np.searchsorted(borders, places, side="right") - 1
    return np.array(
        [
            borders[at] + np.searchsorted(timing.times[borders[at] : borders[at + 1]], moment)
            for at, moment in zip(part.tolist(), wanted.tolist(), strict=True)
        ],
        dtype=np.int64,
    )
