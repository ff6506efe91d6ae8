"""One pipeline from the columns of a file to a series, for the app, the commands and the library.

A file is read into `Columns`, in the file's own row order. `arrange` orders the rows, fills missing
scores and decides which rows are ignored. `Arranged.series` adds the clock and the onsets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from padf_core.io.column_values import label_column, score_column, value_column
from padf_core.io.errors import MissingError, TableError
from padf_core.io.guess import decide
from padf_core.io.join import open_files, read_moments
from padf_core.io.long import widen
from padf_core.io.options import MAX_DETECTORS, ReadOptions
from padf_core.io.series import Series, make_series, smallest_exact
from padf_core.io.sources import Source
from padf_core.io.tables import MAX_ROWS, TableFile, table_of
from padf_core.io.times import TimeReader, make_clock
from padf_core.metrics.checks import BoolArray, IntArray, NumberArray, Progress, no_progress
from padf_core.metrics.onset import Onset
from padf_core.metrics.rows import make_rows

LARGEST_WHOLE = 2**53


def check_options(table: TableFile, options: ReadOptions) -> None:
    """Raise unless a series can be read with these options."""
    if not options.label:
        raise TableError(f"{table.name}: say which column holds the labels, 0 or 1")
    if not options.detectors:
        raise TableError(
            f"{table.name}: say which columns are detectors: scores, or 0/1 detections"
        )
    if len(options.detectors) > MAX_DETECTORS:
        raise TableError(f"{table.name}: at most {MAX_DETECTORS} detectors can be compared")
    others = (options.time, options.value, options.series, options.ignore)
    taken = [options.label, *(name for name in others if name)]
    for name in options.detectors:
        if name in taken:
            raise TableError(
                f"{table.name}: column {name!r} cannot be a detector and something else"
            )
    if len(set(taken)) < len(taken):
        raise TableError(
            f"{table.name}: a column can only be one of label, time, signal, series and ignored "
            "rows"
        )


def needed_bytes(table: TableFile, options: ReadOptions, rows: int | None = None) -> int:
    """Estimate the memory that reading and comparing will take on top of the file itself.

    Per row: 61 bytes while columns are put together and scores are sorted, 4 of the signal, 8 of an
    uneven time; and for each detector 20, with 65 more where the row is anomalous.
    """
    label = table.sample[options.label] if options.label in table.columns else None
    share = 1.0
    if label is not None and label.dtype.kind in "biuf":
        share = min(1.0, 0.1 + 1.5 * float((label == 1).mean()))
    per_row = 61 + (20 + 65 * share) * len(options.detectors)
    per_row += 4 * bool(options.value) + 8 * bool(options.time)
    return round((rows or table.estimated_rows) * per_row)


class _Growing:
    """A column that grows piece by piece, in the smallest dtype that holds all its pieces."""

    def __init__(self, rows: int) -> None:
        self._room = np.empty(0, dtype=np.int8)
        self._rows = rows
        self.size = 0

    def add(self, piece: NumberArray | BoolArray) -> None:
        end = self.size + piece.size
        room = max(end, self._rows)
        if not self.size:
            # Memory that is never written to costs nothing, so the room may be too large.
            self._room = np.empty(room, dtype=piece.dtype)
        kind = np.result_type(self._room.dtype, piece.dtype)
        if end > self._room.size or kind != self._room.dtype:
            grown = np.empty(room if end <= room else end + end // 4, dtype=kind)
            grown[: self.size] = self._room[: self.size]
            self._room = grown
        self._room[self.size : end] = piece
        self.size = end

    @property
    def values(self) -> NumberArray:
        return self._room[: self.size]


@dataclass(eq=False)
class Columns:
    """What a file holds, in its own row order. Missing scores are NaN."""

    file: str
    labels: BoolArray
    scores: dict[str, NumberArray]
    times: TimeReader | None = None
    ignored: BoolArray | None = None
    value: NumberArray | None = None
    series: np.ndarray | None = None
    """The name of each row's series."""
    value_name: str = ""
    notices: tuple[str, ...] = ()
    """What should be known about how files were joined."""


def read_series(
    *files: str | Path | pd.DataFrame,
    labels: str | Path | None = None,
    onsets: str | Path | None = None,
    **options: Any,
) -> Series:
    """Read labels and scores from files, as ``padf evaluate`` and the app do.

    Parameters
    ----------
    *files : str, Path or DataFrame
        One table, or several files that are joined by time or row: scores, labels, windows.
    labels : str or Path, optional
        The file with the labels: a table, or windows.
    onsets : str or Path, optional
        A file of moments at which segments begin.
    **options
        The fields of `ReadOptions`. Columns that are not named are guessed.

    Returns
    -------
    Series
        Labels, detectors, ignored rows and the clock.

    Raises
    ------
    ValueError
        If a file cannot be read. The message names file, column, row and value.

    Examples
    --------
    >>> frame = pd.DataFrame({"label": [0, 1, 1, 0], "score": [0.1, 0.9, 0.8, 0.2]})
    >>> series = read_series(frame)
    >>> series.names, series.anomalous
    (['score'], 2)
    """
    given = ReadOptions(**{name: _as_tuple(name, value) for name, value in options.items()})
    table = _open(files, labels, given)
    asked = decide(table, given).options
    series = series_from(table, replace(asked, onset=None) if onsets else asked)
    if onsets is None:
        return series
    names = [str(file) for file in files if not isinstance(file, pd.DataFrame)]
    moments = read_moments(Source.at(onsets), names or [table.name], series)
    return series.with_onset(replace(given.onset or Onset(), moments=moments))


def _as_tuple(name: str, value: Any) -> Any:
    """Let lists of names be given as one name or as any sequence."""
    if name not in ("detectors", "low") or isinstance(value, tuple):
        return value
    return (value,) if isinstance(value, str) else tuple(value)


def _open(
    files: Sequence[str | Path | pd.DataFrame], labels: str | Path | None, given: ReadOptions
) -> TableFile:
    if len(files) == 1 and isinstance(files[0], pd.DataFrame) and labels is None:
        return table_of(files[0], "table")
    beside = [] if labels is None else [Source.at(labels, holds_labels=True)]
    own = [Source.at(file) for file in files if not isinstance(file, pd.DataFrame)]
    if len(own) < len(files):
        raise TypeError("give one DataFrame, or the paths of files")
    return open_files([*own, *beside], given)


def series_from(
    table: TableFile,
    options: ReadOptions,
    progress: Progress = no_progress,
    *,
    scores_training: bool = False,
) -> Series:
    """Read the columns that are needed, piece by piece, and make a series of them."""
    table, options = widen(table, options)
    columns = read_columns(table, options, progress)
    return arrange(columns, options, scores_training=scores_training).series()


def read_columns(table: TableFile, options: ReadOptions, progress: Progress) -> Columns:
    """Read labels, scores and what else is named, piece by piece."""
    check_options(table, options)
    rows = min(MAX_ROWS, table.estimated_rows + table.estimated_rows // 32)
    labels, ignored, value = _Growing(rows), _Growing(rows), _Growing(rows)
    scores = {name: _Growing(rows) for name in options.detectors}
    names: list[pd.Series] = []
    times = TimeReader(table.name, options.time) if options.time else None
    for before, piece in table.pieces(options.columns, progress):
        labels.add(label_values(piece, options, table.name, before))
        for name, column in scores.items():
            may_miss = options.missing != "refuse"
            read = score_column(piece, name, table.name, before, may_miss=may_miss)
            _check_exact(read, name, table.name, before)
            column.add(smallest_exact(read))
        if options.value:
            value.add(value_column(piece, options.value, table.name).astype(np.float32))
        if options.ignore:
            ignored.add(label_column(piece, options.ignore, table.name, before))
        if options.series:
            names.append(piece[options.series])
        if times and options.time:
            times.add(piece[options.time], before)
    return Columns(
        table.name,
        labels.values.astype(np.bool_, copy=False),
        {name: column.values for name, column in scores.items()},
        times,
        ignored.values.astype(np.bool_, copy=False) if options.ignore else None,
        value.values if options.value else None,
        _series_names(table.name, options.series, names) if options.series else None,
        options.value or "",
        table.notices,
    )


@dataclass(eq=False)
class Arranged:
    """Columns in their final row order, with the rows that are ignored for all detectors."""

    columns: Columns
    options: ReadOptions
    ids: np.ndarray | None
    """The series of each row, where there are several."""
    stamps: IntArray | None
    """Microseconds of each row since 1970, where there is a clock."""
    missing: dict[str, BoolArray] = field(default_factory=dict)
    """The rows without a score, of each detector that has any."""

    @property
    def size(self) -> int:
        return int(self.columns.labels.size)

    def series(self, also_missing: BoolArray | None = None) -> Series:
        """Make the series. ``also_missing`` are rows on which another file has no score."""
        columns, options = self.columns, self.options
        masks = [columns.ignored, also_missing]
        if options.missing == "ignore":
            masks += self.missing.values()
        known = [mask for mask in masks if mask is not None]
        rows = make_rows(self.size, np.logical_or.reduce(known) if known else None, self.ids)
        made = make_series(
            columns.file,
            columns.labels,
            columns.scores,
            None if self.stamps is None else make_clock(self.stamps, rows.begins, owned=True),
            columns.value,
            columns.value_name,
            rows,
            inverted=options.low,
            owned=True,
        )
        return made if options.onset is None else made.with_onset(options.onset)


def arrange(columns: Columns, options: ReadOptions, *, scores_training: bool = False) -> Arranged:
    """Order the rows, and find out which are ignored and which have no score.

    ``scores_training`` scores the training rows, because thresholds are chosen on them.
    """
    codes, known = _series_codes(columns, options)
    order, stamps = _order(columns, options, codes, known)

    def arranged(column: np.ndarray) -> np.ndarray:
        return column if order is None else column[order]

    ids = None if codes is None else arranged(codes)
    size = columns.labels.size if order is None else order.size
    ignored = _first_rows(options, size, ids, scores_training)
    if columns.ignored is not None:
        own = arranged(columns.ignored)
        ignored = own if ignored is None else ignored | own
    if options.since is not None:
        if stamps is None:
            raise TableError(f"{columns.file}: rows before a time can only be ignored with a clock")
        early = stamps < options.since
        ignored = early if ignored is None else ignored | early
    scores, missing = _filled(
        columns.file,
        {name: arranged(column) for name, column in columns.scores.items()},
        options,
    )
    made = replace(
        columns,
        labels=arranged(columns.labels),
        scores=scores,
        times=None,
        ignored=ignored,
        value=None if columns.value is None else arranged(columns.value),
        series=None,
    )
    return Arranged(made, options, ids, stamps, missing)


def label_values(
    piece: pd.DataFrame, options: ReadOptions, file: str, before: int = 0
) -> BoolArray:
    """Return the labels of some rows: 0 and 1, or whether they hold the anomalous entry."""
    if options.anomaly is None:
        return label_column(piece, options.label, file, before)
    column = piece[options.label]
    missing = np.flatnonzero(column.isna().to_numpy())
    if missing.size:
        raise TableError(
            f"{file}: column {options.label!r}, row {before + int(missing[0]) + 1}: labels must "
            "not be missing; got nothing"
        )
    if column.dtype.kind in "biuf":
        try:
            wanted = float(options.anomaly)
        except ValueError:
            raise TableError(
                f"{file}: column {options.label!r} holds numbers, none of which is "
                f"{options.anomaly!r}"
            ) from None
        numbers: BoolArray = column.to_numpy() == wanted
        return numbers
    words: BoolArray = (column.astype(str).str.strip() == options.anomaly).to_numpy(dtype=np.bool_)
    return words


def _check_exact(column: NumberArray, name: str, file: str, before: int) -> None:
    """Refuse whole numbers that a threshold, which is a float, could not tell apart."""
    if column.dtype.kind in "iu" and column.dtype.itemsize == 8:
        large = np.flatnonzero((column > LARGEST_WHOLE) | (column < -LARGEST_WHOLE))
        if large.size:
            row = int(large[0])
            raise TableError(
                f"{file}: column {name!r}, row {before + row + 1}: whole-number scores must be "
                f"below {LARGEST_WHOLE:,} to be told apart; got {column[row].item()}"
            )


# ---- rows ----------------------------------------------------------------------------------------


def _series_names(file: str, column: str, pieces: Sequence[pd.Series]) -> np.ndarray:
    """Return the series of every row as texts."""
    names = pd.concat(pieces, ignore_index=True)
    missing = np.flatnonzero(names.isna().to_numpy())
    if missing.size:
        raise TableError(
            f"{file}: column {column!r}, row {int(missing[0]) + 1}: every row must name its "
            "series; got nothing"
        )
    return names.astype(str).str.strip().to_numpy(dtype=object)


def _series_codes(columns: Columns, options: ReadOptions) -> tuple[IntArray | None, Sequence[str]]:
    """Return the number of each row's series, and the names of the series."""
    if columns.series is None:
        return None, ()
    codes, known = pd.factorize(columns.series)
    names = list(map(str, known))
    if options.only is not None and options.only not in names:
        raise TableError(
            f"{columns.file}: column {options.series!r} names no series {options.only!r}"
        )
    return codes.astype(np.int64), names


def _order(
    columns: Columns, options: ReadOptions, codes: IntArray | None, known: Sequence[str]
) -> tuple[IntArray | None, IntArray | None]:
    """Return the row order to use, None for the file's own, and the times on the clock, if any."""
    order: IntArray | None = None
    if codes is not None:
        order = np.argsort(codes, kind="stable")
        if options.only is not None:
            order = order[codes[order] == known.index(options.only)]
        elif (codes[1:] >= codes[:-1]).all():
            order = None
    if columns.times is None:
        return order, None
    return columns.times.ordered(options.order, order, codes)


def _first_rows(
    options: ReadOptions, size: int, ids: IntArray | None, scores_training: bool
) -> BoolArray | None:
    """Return the first rows of each series that are ignored."""
    borders = [0, size]
    if ids is not None:
        borders[1:1] = (np.flatnonzero(ids[1:] != ids[:-1]) + 1).tolist()
    ignored = np.zeros(size, dtype=np.bool_)
    for begin, end in pairwise(borders):
        count = options.first_ignored(end - begin, scores_training=scores_training)
        ignored[begin : begin + count] = True
    return ignored if ignored.any() else None


def _filled(
    file: str, scores: dict[str, NumberArray], options: ReadOptions
) -> tuple[dict[str, NumberArray], dict[str, BoolArray]]:
    """Return scores without missing ones, and the rows in which each detector had none."""
    missing = {
        name: np.isnan(column)
        for name, column in scores.items()
        if column.dtype.kind == "f" and np.isnan(column).any()
    }
    if not missing:
        return scores, {}
    if options.missing == "refuse":
        name, mask = next(iter(missing.items()))
        row = int(np.flatnonzero(mask)[0]) + 1
        raise MissingError(
            f"{file}: column {name!r}, row {row}: scores must be numbers; got nothing"
        )
    if options.missing == "drop":
        kept = {name: column for name, column in scores.items() if name not in missing}
        if not kept:
            raise TableError(f"{file}: every detector has rows without a score")
        return kept, {}
    filled = dict(scores)
    for name, mask in missing.items():
        known = scores[name][~mask]
        if not known.size:
            raise MissingError(f"{file}: column {name!r}: has no score at all")
        is_low = name in options.low
        # What is filled in must mean no alarm, also after the scores were inverted.
        if ((known == 0) | (known == 1)).all():
            quiet = 1.0 if is_low else 0.0
        else:
            quiet = np.inf if is_low else -np.inf
        filled[name] = np.where(mask, quiet, scores[name])
    return filled, missing
