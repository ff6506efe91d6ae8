"""Read the columns of a file piece by piece, in the file's row order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from padf_core.io.column_values import label_column, score_column, value_column
from padf_core.io.columns import entries_like
from padf_core.io.errors import TableError
from padf_core.io.options import MAX_DETECTORS, ReadOptions
from padf_core.io.series import smallest_exact
from padf_core.io.tables import MAX_ROWS, TableFile
from padf_core.io.times import TimeReader
from padf_core.metrics.checks import BoolArray, NumberArray, Progress

LARGEST_WHOLE = 2**53


def check_options(table: TableFile, options: ReadOptions) -> None:
    """Raise unless a series can be read with these options."""
    if not options.label:
        raise TableError(f"{table.name}: say which column has the labels (0 or 1)")
    if not options.detectors:
        raise TableError(
            f"{table.name}: say which columns are detectors (scores, or 0/1 detections)"
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
    """Estimate the memory for reading and comparing, in addition to the file itself.

    Per row: 61 bytes while columns are assembled and scores are sorted, 4 for the signal and 8 for
    an uneven time. Each detector takes 20 bytes more, and another 65 in anomalous rows.
    """
    label = table.sample[options.label] if options.label in table.columns else None
    share = 1.0
    if label is not None and label.dtype.kind in "biuf":
        share = min(1.0, 0.1 + 1.5 * float((label == 1).mean()))
    per_row = 61 + (20 + 65 * share) * len(options.detectors)
    per_row += 4 * bool(options.value) + 8 * bool(options.time)
    return round((rows or table.estimated_rows) * per_row)


class _Growing:
    """A column that grows piece by piece, in the smallest dtype that holds all pieces."""

    def __init__(self, rows: int) -> None:
        self._room = np.empty(0, dtype=np.int8)
        self._rows = rows
        self.size = 0

    def add(self, piece: NumberArray | BoolArray) -> None:
        end = self.size + piece.size
        room = max(end, self._rows)
        if not self.size:
            # Memory that is never written to costs nothing, so the buffer may be too large.
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
    """The columns of a file, in its row order. Missing scores are NaN."""

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
    """Notices about how files were joined."""


def read_columns(table: TableFile, options: ReadOptions, progress: Progress) -> Columns:
    """Read labels, scores and the other named columns, piece by piece."""
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


def label_values(
    piece: pd.DataFrame, options: ReadOptions, file: str, before: int = 0
) -> BoolArray:
    """Return the labels of some rows, as 0 and 1 or by comparison with the anomalous entry."""
    if options.anomaly is None:
        return label_column(piece, options.label, file, before)
    column = piece[options.label]
    missing = np.flatnonzero(column.isna().to_numpy())
    if missing.size:
        raise TableError(
            f"{file}: column {options.label!r}, row {before + int(missing[0]) + 1}: labels must "
            "not be missing"
        )
    return entries_like(column, options.anomaly).to_numpy(dtype=np.bool_)


def _check_exact(column: NumberArray, name: str, file: str, before: int) -> None:
    """Refuse whole numbers too large for a float, which thresholds could not separate."""
    if column.dtype.kind in "iu" and column.dtype.itemsize == 8:
        large = np.flatnonzero((column > LARGEST_WHOLE) | (column < -LARGEST_WHOLE))
        if large.size:
            row = int(large[0])
            raise TableError(
                f"{file}: column {name!r}, row {before + row + 1}: whole-number scores must be "
                f"below {LARGEST_WHOLE:,} to be distinguishable; got {column[row].item()}"
            )


def _series_names(file: str, column: str, pieces: Sequence[pd.Series]) -> np.ndarray:
    """Return the series name of every row as text."""
    names = pd.concat(pieces, ignore_index=True)
    missing = np.flatnonzero(names.isna().to_numpy())
    if missing.size:
        raise TableError(
            f"{file}: column {column!r}, row {int(missing[0]) + 1}: every row must name its "
            "series; got nothing"
        )
    return names.astype(str).str.strip().to_numpy(dtype=object)
