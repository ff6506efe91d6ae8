"""One series of a corpus, read: labels, scores, which rows count and when they were."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from padf_core.corpus.formats import Format
from padf_core.corpus.layouts import LeftOut, ScoreFile, SeriesFiles, Spans, told
from padf_core.corpus.records import read_records
from padf_core.io.join import Source, read_array
from padf_core.io.options import MOST_PROBATION, Gaps, Order
from padf_core.io.read import label_values
from padf_core.io.series import ASSUMED, Series, make_series
from padf_core.io.tables import GapError, TableError, label_column, score_column, told_apart
from padf_core.io.times import Clock, TimeReader, make_clock, parse_times
from padf_core.metrics.checks import BoolArray, IntArray, NumberArray, frozen
from padf_core.metrics.onset import Onset
from padf_core.metrics.rows import Rows
from padf_core.metrics.segments import covered


@dataclass(frozen=True)
class Taking:
    """How the rows of every series are taken."""

    probation: float = 0.0
    """This share of the first rows does not count."""
    most: int = MOST_PROBATION
    """The most rows that this share may be."""
    skip: int = 0
    """So many first rows do not count."""
    skips_training: bool = True
    """Whether rows for training, by the file's name, do not count."""
    train: float = 0.0
    """The first rows on which thresholds are chosen; below 1, their share."""
    low: tuple[str, ...] = ()
    """Detectors whose low scores are the alarming ones."""
    gaps: Gaps = "refuse"
    order: Order = "sort"
    onset: Onset | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.probation < 1:
            raise ValueError(f"probation must be at least 0 and below 1; got {self.probation!r}")
        if not (self.skip >= 0 and self.train >= 0 and self.most >= 0):
            raise ValueError("rows that do not count must be 0 or more")


@dataclass(frozen=True, eq=False)
class Scored:
    """One detector's scores on one series, with onsets where they belong."""

    detector: str
    seed: str
    labels: BoolArray
    scores: NumberArray
    rows: Rows
    clock: Clock | None
    days: float | None
    """How long the rows that count last, if there is a clock."""
    training: int
    """So many first rows are for choosing thresholds."""


@dataclass(frozen=True, eq=False)
class _Columns:
    """What a file holds, before anything is sorted or left out."""

    scores: dict[tuple[str, str], NumberArray]
    labels: BoolArray | None
    ignored: BoolArray | None
    stamps: IntArray | None
    is_clock: bool
    file: str


def read_series_files(files: SeriesFiles, taking: Taking) -> tuple[list[Scored], list[LeftOut]]:
    """Read every detector of a series; what cannot be read is left out with its reason."""
    made: list[Scored] = []
    left_out: list[LeftOut] = []
    times = _Times()
    try:
        beside = None if files.labels is None else _labels_beside(files.labels, times)
    except TableError as error:
        return [], [LeftOut(files.name, str(error), is_bad=True)]
    for path, own in groupby(files.scores, lambda each: each.path):
        try:
            with_labels = beside is None and files.windows is None
            for columns in _columns(path, list(own), with_labels, times):
                for scored in _taken(files, columns, beside, taking):
                    if isinstance(scored, LeftOut):
                        left_out.append(scored)
                    else:
                        made.append(scored)
        except (TableError, ValueError, OSError) as error:
            left_out.append(
                LeftOut(f"{files.name}, {told(path)}", _reason(error, path), is_bad=True)
            )
    return made, left_out


def as_series(name: str, scored: Sequence[Scored]) -> Series:
    """Return one series with the detectors that have the same rows and labels as the first."""
    first = scored[0]
    same = [each for each in scored if _is_alike(each, first)]
    clock = first.clock
    if clock is not None and clock.stamps is not None and (np.diff(clock.stamps) <= 0).any():
        clock = None
    names = told_apart([f"{each.detector} {each.seed}".strip() for each in same])
    scores = {called: each.scores for called, each in zip(names, same, strict=True)}
    return make_series(name, first.labels, scores, clock, rows=first.rows)


def _is_alike(one: Scored, other: Scored) -> bool:
    first, second = one.rows.counts, other.rows.counts
    if first is None or second is None:
        return first is second and np.array_equal(one.labels, other.labels)
    return np.array_equal(first, second) and np.array_equal(one.labels, other.labels)


def _reason(error: Exception, path: Path) -> str:
    return str(error).removeprefix(f"{path}: ")


# ---- one file ------------------------------------------------------------------------------------


def _columns(
    path: Path, wanted: Sequence[ScoreFile], with_labels: bool, times: _Times
) -> Iterator[_Columns]:
    """Yield what a file holds: all detectors at once, or each for itself in a file of records."""
    form = wanted[0].format
    if form is None:
        for each, rows in zip(wanted, read_records(path, wanted), strict=True):
            yield _Columns(
                {(each.detector, each.seed): rows.scores},
                rows.labels,
                rows.ignored,
                rows.stamps,
                rows.is_clock,
                str(path),
            )
        return
    if form.kind == "array":
        scores = {(each.detector, each.seed): read_array(Source.at(path)) for each in wanted}
        yield _Columns(scores, None, None, None, False, str(path))
        return
    roles = form.roles
    label = roles.label if with_labels else None
    if with_labels and not label:
        raise TableError("holds no labels; say --label or --labels")
    asked = [roles.time, label, roles.ignore, *(each.column for each in wanted)]
    name = str(path)
    frame = form.table(path, name).read(list(dict.fromkeys(c for c in asked if c)))
    stamps, is_clock = times.read(frame, form, name)
    yield _Columns(
        {(each.detector, each.seed): _scores(frame, each, name) for each in wanted},
        label_values(frame, roles, name) if label else None,
        label_column(frame, roles.ignore, name) if roles.ignore else None,
        stamps,
        is_clock,
        name,
    )


def _scores(frame: Any, wanted: ScoreFile, name: str) -> NumberArray:
    return score_column(frame, wanted.column or "", name, may_miss=True)


class _Times:
    """Reads columns of times; detectors on the same series mostly have the same ones."""

    def __init__(self) -> None:
        self._last: tuple[Any, Any, tuple[IntArray, bool]] | None = None

    def read(self, frame: Any, form: Format, name: str) -> tuple[IntArray | None, bool]:
        """Return the times of the rows, read as those of the first file like it, if that works."""
        time = form.roles.time
        if time is None:
            return None, False
        column, last = frame[time], self._last
        if last is None or last[0] != form.way or not last[1].equals(column):
            last = (form.way, column, _parsed(column, form.way, name, time))
            self._last = last
        return last[2]


def _parsed(column: Any, way: Any, name: str, time: str) -> tuple[IntArray, bool]:
    if way is not None:
        found = parse_times(column, way)
        if found is not None:
            return found, way != "number"
    reader = TimeReader(name, time)
    reader.add(column)
    return reader.any_order()


def _labels_beside(file: ScoreFile, times: _Times) -> _Columns:
    """Read a table of labels."""
    form, name = file.format, str(file.path)
    assert form is not None
    if form.kind == "array":
        values = read_array(Source.at(file.path))
        if not ((values == 0) | (values == 1)).all():
            raise TableError(f"{name}: labels must be 0 or 1")
        return _Columns({}, values == 1, None, None, False, name)
    roles = replace(form.roles, label=file.column or "")
    asked = [roles.time, roles.label, roles.ignore]
    frame = form.table(file.path, name).read([each for each in asked if each])
    ignored = label_column(frame, roles.ignore, name) if roles.ignore else None
    return _Columns(
        {}, label_values(frame, roles, name), ignored, *times.read(frame, form, name), name
    )


# ---- which rows count ----------------------------------------------------------------------------


def _taken(
    files: SeriesFiles, columns: _Columns, beside: _Columns | None, taking: Taking
) -> Iterator[Scored | LeftOut]:
    """Put rows in order, label them, and say which count, for each detector of a file."""
    size = next(iter(columns.scores.values())).size
    if beside is not None and beside.labels is not None and beside.labels.size != size:
        raise TableError(
            f"has {size:,} rows, where {beside.file} has {beside.labels.size:,} labels"
        )
    timed = columns if columns.stamps is not None or beside is None else beside
    order, stamps = _ordered(timed.stamps, timed.is_clock, taking, timed.file)

    def arranged(column: Any) -> Any:
        return column if order is None or column is None else column[order]

    kept = size if order is None else order.size
    labels = arranged(columns.labels if beside is None else beside.labels)
    if files.windows is not None:
        labels = _inside(files.windows, stamps, kept)
    if labels is None:
        raise TableError("there are no labels for it: bring a table or windows (--labels)")
    ignored = np.zeros(kept, dtype=np.bool_)
    for mask in (columns.ignored, None if beside is None else beside.ignored):
        if mask is not None:
            ignored |= arranged(mask)
    first = max(min(int(taking.probation * kept), taking.most), taking.skip)
    training = round(taking.train * kept) if taking.train < 1 else int(taking.train)
    if files.training and not taking.train:
        training = files.training
        if taking.skips_training:
            first = max(first, files.training)
    ignored[: min(first, kept)] = True
    clock = _clock(stamps)
    timing = ASSUMED if clock is None else clock.timing
    onset = _onset(files.moments, taking, stamps, kept)
    for (detector, seed), column in columns.scores.items():
        try:
            scores, missing = _filled(arranged(column), detector in taking.low, taking.gaps)
        except GapError as error:
            what = f"{files.name}, {detector}"
            yield LeftOut(what, str(error), is_bad=taking.gaps == "refuse")
            continue
        counts = ~ignored if missing is None else ~(ignored | missing)
        rows = Rows(None if counts.all() else frozen(counts), None, timing)
        own, rows = rows.label(labels)
        if onset is not None and onset.is_moved:
            own, rows = onset.move(own, rows)[:2]
        days = None
        if clock is not None:
            days = clock.seconds_of(counts) / 86400
        yield Scored(detector, seed, own, scores, rows, clock, days, min(training, kept))


def _ordered(
    stamps: IntArray | None, is_clock: bool, taking: Taking, file: str
) -> tuple[IntArray | None, IntArray | None]:
    """Return which rows are taken in which order, None for all as they are, and their times."""
    if stamps is None or taking.order == "keep":
        return None, None
    steps = np.diff(stamps)
    order: IntArray | None = None
    if (steps <= 0).any() and taking.order == "refuse":
        row = int(np.flatnonzero(steps <= 0)[0]) + 1
        raise TableError(f"{file}: row {row + 1}: times must rise; say --order keep, sort or first")
    if (steps < 0).any():
        order = np.argsort(stamps, kind="stable")
    if taking.order == "first":
        order = np.arange(stamps.size) if order is None else order
        order = order[np.diff(stamps[order], prepend=stamps[order[0]] - 1) > 0]
    rising = stamps if order is None else stamps[order]
    return order, rising if is_clock else None


def _inside(windows: Spans, stamps: IntArray | None, size: int) -> BoolArray:
    """Return the rows inside windows; both ends belong to them."""
    firsts, lasts = np.array(windows.ends, dtype=np.int64).reshape(-1, 2).T
    if windows.is_rows:
        starts, stops = firsts, lasts + 1
        outside = (lasts >= size) | (firsts < 0)
    elif stamps is None:
        raise TableError(f"{windows.file} holds times, and the rows have none")
    else:
        starts = np.searchsorted(stamps, firsts)
        stops = np.searchsorted(stamps, lasts, side="right")
        outside = starts >= stops
    if outside.any():
        at = int(np.argmax(outside))
        raise TableError(f"{windows.file}: no row lies in its window {at + 1}")
    return covered(starts, stops, size)


def _onset(
    moments: Spans | None, taking: Taking, stamps: IntArray | None, size: int
) -> Onset | None:
    """Return where segments begin; a moment is the first row at or after it."""
    if moments is None:
        return taking.onset
    firsts = np.array([first for first, _ in moments.ends], dtype=np.int64)
    if not moments.is_rows:
        if stamps is None:
            raise TableError(f"{moments.file} holds times, and the rows have none")
        firsts = np.searchsorted(stamps, firsts)
    rows = tuple(row for row in firsts.tolist() if 0 <= row < size)
    return replace(taking.onset or Onset(), moments=rows)


def _clock(stamps: IntArray | None) -> Clock | None:
    """Return when rows were; times of which some stand twice are in order, too."""
    clock = None if stamps is None else make_clock(stamps, owned=True)
    return None if clock is None or clock.span_seconds <= 0 else clock


def _filled(scores: NumberArray, is_low: bool, gaps: Gaps) -> tuple[NumberArray, BoolArray | None]:
    """Return scores without gaps, high ones alarming, and the rows that have one."""
    values = scores.astype(np.float64)
    missing = np.isnan(values)
    known = values[~missing]
    is_binary = bool(((known == 0) | (known == 1)).all())
    if not known.size:
        raise GapError("has no score at all")
    if is_low:
        values = 1 - values if is_binary else -values
    if not missing.any():
        return values, None
    if gaps in ("refuse", "drop"):
        row = int(np.flatnonzero(missing)[0]) + 1
        hint = "; say --gaps quiet or ignore" if gaps == "refuse" else ""
        raise GapError(f"row {row}: scores must be numbers; got nothing{hint}")
    values[missing] = 0.0 if is_binary else -np.inf
    return values, missing if gaps == "ignore" else None
