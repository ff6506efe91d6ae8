"""A table and the roles of its columns in, a series out: all or nothing, with reasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from padf_core.io.options import MAX_DETECTORS, Roles
from padf_core.io.series import Series, make_series, smallest_exact
from padf_core.io.tables import (
    MAX_ROWS,
    TableError,
    TableFile,
    label_column,
    score_column,
    value_column,
)
from padf_core.io.times import Clock, TimeReader, make_clock
from padf_core.metrics.checks import BoolArray, IntArray, NumberArray, Progress, no_progress
from padf_core.metrics.rows import make_rows

LARGEST_WHOLE = 2**53


def check_roles(table: TableFile, roles: Roles) -> None:
    """Raise unless a series can come of these roles."""
    if not roles.label:
        raise TableError(f"{table.name}: say which column holds the labels, 0 or 1")
    if not roles.detectors:
        raise TableError(
            f"{table.name}: say which columns are detectors: scores, or 0/1 detections"
        )
    if len(roles.detectors) > MAX_DETECTORS:
        raise TableError(f"{table.name}: at most {MAX_DETECTORS} detectors can be compared")
    others = (roles.time, roles.value, roles.series, roles.ignore)
    taken = [roles.label, *(name for name in others if name)]
    for name in roles.detectors:
        if name in taken:
            raise TableError(
                f"{table.name}: column {name!r} cannot be a detector and something else"
            )
    if len(set(taken)) < len(taken):
        raise TableError(
            f"{table.name}: a column can only be one of label, time, signal, series and rows that "
            "do not count"
        )
    if not roles.skip >= 0:
        raise TableError(f"{table.name}: the rows that do not count must be 0 or more")


def needed_bytes(table: TableFile, roles: Roles, rows: int | None = None) -> int:
    """Estimate the memory that reading and comparing will take beside the file itself.

    Per row: 61 bytes while columns are put together and scores are sorted, 4 of the signal, 8 of an
    uneven time; and for each detector 20, with 65 more where the row is anomalous.
    """
    label = table.sample[roles.label] if roles.label in table.columns else None
    share = 1.0
    if label is not None and label.dtype.kind in "biuf":
        share = min(1.0, 0.1 + 1.5 * float((label == 1).mean()))
    per_row = 61 + (20 + 65 * share) * len(roles.detectors)
    per_row += 4 * bool(roles.value) + 8 * bool(roles.time)
    return round((rows or table.estimated_rows) * per_row)


class _Column:
    """A column that grows piece by piece, in the smallest dtype that holds all its pieces."""

    def __init__(self, rows: int) -> None:
        self._room = np.empty(0, dtype=np.int8)
        self._rows = rows
        self.size = 0

    def add(self, piece: NumberArray | BoolArray) -> None:
        end = self.size + piece.size
        room = max(end, self._rows)
        if not self.size:
            # Memory that is never written to costs nothing: too much room is none.
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


@dataclass
class _Columns:
    """What has been read so far, piece by piece."""

    labels: _Column
    scores: dict[str, _Column]
    value: _Column | None
    ignored: _Column | None
    names: list[pd.Series] = field(default_factory=list)

    @classmethod
    def of(cls, roles: Roles, rows: int) -> _Columns:
        return cls(
            _Column(rows),
            {name: _Column(rows) for name in roles.detectors},
            _Column(rows) if roles.value else None,
            _Column(rows) if roles.ignore else None,
        )


def read_series(table: TableFile, roles: Roles, progress: Progress = no_progress) -> Series:
    """Read the columns that are needed, piece by piece, and make a series of them."""
    check_roles(table, roles)
    read = _Columns.of(roles, min(MAX_ROWS, table.estimated_rows + table.estimated_rows // 32))
    times = TimeReader(table.name, roles.time) if roles.time else None
    for before, piece in table.pieces(roles.columns, progress):
        read.labels.add(label_values(piece, roles, table.name, before))
        for name in roles.detectors:
            column = score_column(piece, name, table.name, before, may_miss=roles.gaps != "refuse")
            _check_exact(column, name, table.name, before)
            read.scores[name].add(smallest_exact(column))
        if roles.value and read.value:
            read.value.add(value_column(piece, roles.value, table.name).astype(np.float32))
        if roles.ignore and read.ignored:
            read.ignored.add(label_column(piece, roles.ignore, table.name, before))
        if roles.series:
            read.names.append(piece[roles.series])
        if times and roles.time:
            times.add(piece[roles.time], before)
    return _assemble(table, roles, read, times)


def _assemble(table: TableFile, roles: Roles, read: _Columns, times: TimeReader | None) -> Series:
    labels = read.labels.values
    names = _series_names(table, roles, read.names) if roles.series else None
    order, stamps = _order(table, roles, labels.size, names, times)
    size = labels.size if order is None else order.size

    def arranged(column: np.ndarray) -> np.ndarray:
        return column if order is None else column[order]

    scores = {name: arranged(read.scores.pop(name).values) for name in roles.detectors}
    ignored = arranged(read.ignored.values) if read.ignored else None
    ids = None if names is None else arranged(names)
    skipped = _skipped(roles, size, ids, stamps)
    scores, missing = _filled(table, roles, scores)
    known = [mask for mask in (ignored, skipped, missing) if mask is not None]
    rows = make_rows(size, np.logical_or.reduce(known) if known else None, ids)
    made = make_series(
        table.name,
        arranged(labels),
        scores,
        _clock(stamps, rows.begins),
        arranged(read.value.values) if read.value else None,
        roles.value or "",
        rows,
        owned=True,
    )
    for name in roles.low:
        made = made.turned(made.names.index(name))
    return made


def label_values(piece: pd.DataFrame, roles: Roles, file: str, before: int = 0) -> BoolArray:
    """Return the labels of some rows: 0 and 1, or whether they hold the anomalous entry."""
    if roles.anomaly is None:
        return label_column(piece, roles.label, file, before)
    column = piece[roles.label]
    missing = np.flatnonzero(column.isna().to_numpy())
    if missing.size:
        raise TableError(
            f"{file}: column {roles.label!r}, row {before + int(missing[0]) + 1}: labels must not "
            "be missing; got nothing"
        )
    if column.dtype.kind in "biuf":
        try:
            wanted = float(roles.anomaly)
        except ValueError:
            raise TableError(
                f"{file}: column {roles.label!r} holds numbers, none of which is {roles.anomaly!r}"
            ) from None
        numbers: BoolArray = column.to_numpy() == wanted
        return numbers
    words: BoolArray = (column.astype(str).str.strip() == roles.anomaly).to_numpy(dtype=np.bool_)
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


def _series_names(table: TableFile, roles: Roles, pieces: Sequence[pd.Series]) -> np.ndarray:
    """Return the series of every row as texts."""
    column = pd.concat(pieces, ignore_index=True)
    missing = np.flatnonzero(column.isna().to_numpy())
    if missing.size:
        raise TableError(
            f"{table.name}: column {roles.series!r}, row {int(missing[0]) + 1}: every row must "
            "name its series; got nothing"
        )
    return column.astype(str).str.strip().to_numpy(dtype=object)


def _order(
    table: TableFile,
    roles: Roles,
    size: int,
    names: np.ndarray | None,
    times: TimeReader | None,
) -> tuple[IntArray | None, IntArray | None]:
    """Return which rows are taken in which order, None for all as they are, and their times."""
    order: IntArray | None = None
    if names is not None:
        codes, known = pd.factorize(names)
        order = np.argsort(codes, kind="stable")
        if roles.only is not None:
            if roles.only not in known:
                raise TableError(
                    f"{table.name}: column {roles.series!r} names no series {roles.only!r}"
                )
            order = order[codes[order] == list(known).index(roles.only)]
        elif len(known) > 1:
            # The times of several series do not rise together: delays are in steps.
            return _order_within(roles, order, codes, times), None
    if times is None:
        return order, None
    if roles.order == "keep":
        return order, None
    if roles.order == "refuse":
        stamps, is_clock = times.rising(order)
        return order, stamps if is_clock else None
    stamps, is_clock = times.any_order()
    own = np.arange(size) if order is None else order
    own = own[np.argsort(stamps[own], kind="stable")]
    if roles.order == "first":
        own = own[np.diff(stamps[own], prepend=stamps[own[0]] - 1) > 0]
    return own, stamps[own] if is_clock else None


def _order_within(
    roles: Roles, order: IntArray, codes: IntArray, times: TimeReader | None
) -> IntArray:
    """Return the rows series by series, each in the order that was asked for."""
    if times is None or roles.order == "keep":
        return order
    if roles.order == "refuse":
        times.check_rising(order, codes)
        return order
    stamps, _ = times.any_order()
    order = np.lexsort((stamps, codes))
    if roles.order == "first":
        is_new = (np.diff(stamps[order]) > 0) | (np.diff(codes[order]) > 0)
        order = order[np.append(True, is_new)]
    return order


def _skipped(
    roles: Roles, size: int, ids: np.ndarray | None, stamps: IntArray | None
) -> BoolArray | None:
    """Return the first rows of each series, if these do not count."""
    if not roles.skip and roles.since is None:
        return None
    skipped = np.zeros(size, dtype=np.bool_)
    begins = [0]
    if ids is not None:
        begins += (np.flatnonzero(ids[1:] != ids[:-1]) + 1).tolist()
    for begin, end in zip(begins, [*begins[1:], size], strict=True):
        count = roles.skip if roles.skip >= 1 else np.floor(roles.skip * (end - begin))
        if roles.skip_most is not None:
            count = min(count, roles.skip_most)
        skipped[begin : min(end, begin + int(count))] = True
    if roles.since is not None:
        if stamps is None:
            raise TableError("rows before a time can only be left out where there is a clock")
        skipped |= stamps < roles.since
    return skipped


def _filled(
    table: TableFile, roles: Roles, scores: dict[str, NumberArray]
) -> tuple[dict[str, NumberArray], BoolArray | None]:
    """Return scores without gaps, and the rows that have one where these do not count."""
    if roles.gaps == "refuse":
        return scores, None  # None came so far.
    gaps = {
        name: np.isnan(column)
        for name, column in scores.items()
        if column.dtype.kind == "f" and np.isnan(column).any()
    }
    if not gaps:
        return scores, None
    if roles.gaps == "drop":
        kept = {name: column for name, column in scores.items() if name not in gaps}
        if not kept:
            raise TableError(f"{table.name}: every detector has rows without a score")
        return kept, None
    filled = {}
    for name, column in scores.items():
        if name in gaps:
            known = column[~gaps[name]]
            is_binary = bool(((known == 0) | (known == 1)).all())
            lowest = np.inf if name in roles.low else -np.inf
            column = np.where(gaps[name], 0.0 if is_binary else lowest, column)
        filled[name] = column
    missing = np.logical_or.reduce(list(gaps.values())) if roles.gaps == "ignore" else None
    return filled, missing


def _clock(stamps: IntArray | None, begins: BoolArray | None) -> Clock | None:
    return None if stamps is None or begins is not None else make_clock(stamps, owned=True)
