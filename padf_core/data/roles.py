"""Which column of a table is what, and the series that comes of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from padf_core.data.series import Series, make_series, smallest_exact
from padf_core.data.tables import (
    TableError,
    TableFile,
    label_column,
    score_column,
    value_column,
)
from padf_core.data.times import MOSTLY, Clock, TimeReader, looks_like_times, make_clock
from padf_core.metrics.checks import BoolArray, NumberArray, Progress, no_progress

MAX_DETECTORS = 50
LARGEST_WHOLE = 2**53

_LABEL_NAMES = re.compile(
    r"(is_?)?(labels?|anomal(y|ies|ous)|truth|ground_?truth|gt|target|y(_true)?|attack|outlier)",
    re.I,
)
_TIME_NAMES = re.compile(
    r"(time|timestamps?|date|datetime|date_?time|ts|t|index|step|unnamed.*)", re.I
)
_VALUE_NAMES = re.compile(r"(values?|signal|sensor|metric|reading|kpi|x|measurement|data)", re.I)


@dataclass(frozen=True)
class Roles:
    """What the columns of a table are."""

    label: str
    detectors: tuple[str, ...]
    time: str | None = None
    value: str | None = None

    @property
    def columns(self) -> list[str]:
        """All columns that are needed."""
        extra = [name for name in (self.time, self.value) if name is not None]
        return list(dict.fromkeys([*extra, self.label, *self.detectors]))


def guess_roles(table: TableFile) -> Roles:
    """Guess from names and first rows; what stays unknown is an empty text or None."""
    columns = table.columns
    if len(columns) < 2:
        raise TableError(
            f"{table.name}: has only one column; a label column and a detector are needed, "
            "separated by comma, semicolon, tab or |"
        )
    head = table.preview
    numeric = [name for name in columns if _is_numeric(head[name])]
    times = [name for name in columns if name not in numeric and looks_like_times(head[name])]
    time = _first(times, _TIME_NAMES) or (times[0] if times else None)
    if time is None:
        own = _first(numeric, _TIME_NAMES)
        time = own if own and (looks_like_times(head[own]) or _rises(head[own])) else None
    rest = [name for name in numeric if name != time]
    flags = [name for name in rest if _is_flag(head[name])]
    named = _first(flags, _LABEL_NAMES) or _first(rest, _LABEL_NAMES)
    label = named or (flags[0] if flags else "")
    rest = [name for name in rest if name != label]
    value = _first([name for name in rest if name not in flags], _VALUE_NAMES)
    detectors = tuple(name for name in rest if name != value)[:MAX_DETECTORS]
    return Roles(label, detectors, time, value)


def describe_columns(table: TableFile) -> dict[str, str]:
    """Say of each column what its first rows look like."""
    return {name: _kind(table.preview[name]) for name in table.columns}


def _kind(column: pd.Series) -> str:
    if not _is_numeric(column):
        return "times" if looks_like_times(column) else "text"
    if _is_flag(column):
        return "0 and 1"
    return "times" if looks_like_times(column) else "numbers"


def _is_numeric(column: pd.Series) -> bool:
    """Say whether a column was meant to hold numbers, even if an entry is not one."""
    if column.dtype.kind in "biuf":
        return True
    if column.dtype.kind == "M":
        return False
    known = column.dropna()
    return bool(len(known)) and _numbers(known).notna().mean() >= MOSTLY


def _is_flag(column: pd.Series) -> bool:
    return bool(_numbers(column).dropna().isin([0, 1]).all())


def _rises(column: pd.Series) -> bool:
    return bool((_numbers(column).diff().dropna() > 0).all())


def _numbers(column: pd.Series) -> pd.Series:
    try:
        return pd.to_numeric(column, errors="coerce")
    except (OverflowError, TypeError):
        return pd.Series(np.nan, index=column.index)


def _first(names: Sequence[str], pattern: re.Pattern[str]) -> str | None:
    return next((name for name in names if pattern.fullmatch(name.strip())), None)


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
    taken = [roles.label, *(name for name in (roles.time, roles.value) if name)]
    for name in roles.detectors:
        if name in taken:
            raise TableError(
                f"{table.name}: column {name!r} cannot be a detector and something else"
            )
    if len(set(taken)) < len(taken):
        raise TableError(f"{table.name}: a column can only be one of label, time and signal")


def needed_bytes(table: TableFile, roles: Roles, rows: int | None = None) -> int:
    """Estimate the memory that reading and comparing will take beside the file itself.

    Per row: a byte of label, 8 of each score and 8 of its sorted copy, 4 of the signal, 8 of an
    uneven time, and 60 while columns are put together and one detector is being sorted.
    """
    per_row = 61 + 16 * len(roles.detectors) + 4 * bool(roles.value) + 8 * bool(roles.time)
    return (rows or table.estimated_rows) * per_row


def read_series(table: TableFile, roles: Roles, progress: Progress = no_progress) -> Series:
    """Read the columns that are needed, piece by piece, and make a series of them."""
    check_roles(table, roles)
    labels: list[BoolArray] = []
    scores: dict[str, list[NumberArray]] = {name: [] for name in roles.detectors}
    values: list[NumberArray] = []
    times = TimeReader(table.name, roles.time) if roles.time else None
    for before, piece in table.pieces(roles.columns, progress):
        labels.append(label_column(piece, roles.label, table.name, before))
        for name in roles.detectors:
            column = score_column(piece, name, table.name, before)
            _check_exact(column, name, table.name, before)
            scores[name].append(smallest_exact(column))
        if roles.value:
            values.append(value_column(piece, roles.value, table.name).astype(np.float32))
        if times and roles.time:
            times.add(piece[roles.time], before)
    return make_series(
        table.name,
        np.concatenate(labels),
        {name: np.concatenate(scores.pop(name)) for name in roles.detectors},
        _clock(times),
        np.concatenate(values) if values else None,
        roles.value or "",
    )


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


def _clock(times: TimeReader | None) -> Clock | None:
    if times is None:
        return None
    stamps, is_clock = times.rising()
    return make_clock(stamps) if is_clock else None
