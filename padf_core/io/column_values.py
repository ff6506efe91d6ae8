"""Read columns of a table as labels, scores and values, and check every entry."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from padf_core.io.errors import MissingError, TableError
from padf_core.metrics.checks import BoolArray, NumberArray


def distinct_names(names: Sequence[str]) -> list[str]:
    """Return unique column names; repeated names get a number."""
    return unique_names([name or f"column {number}" for number, name in enumerate(names, start=1)])


def unique_names(names: Sequence[str]) -> list[str]:
    """Return unique names: a second "a" becomes "a (2)".

    >>> unique_names(["a", "b", "a", "a"])
    ['a', 'b', 'a (2)', 'a (3)']
    """
    made: list[str] = []
    for base in names:
        copy = 1
        while (unique := base if copy == 1 else f"{base} ({copy})") in made:
            copy += 1
        made.append(unique)
    return made


def listing(columns: Sequence[object]) -> str:
    """List the columns of a table, at most twenty of them."""
    there = ", ".join(repr(column)[:40] for column in columns[:20])
    return f"its columns are {there}{', ...' if len(columns) > 20 else ''}"


def label_column(frame: pd.DataFrame, name: str, file: str | Path, before: int = 0) -> BoolArray:
    """Return a column of 0 and 1 as labels; ``before`` is the number of rows before the frame."""
    values = _column(frame, name, file)
    allowed: BoolArray = (values == 0) | (values == 1)
    if not allowed.all():
        raise _bad_entry(frame, name, file, allowed, "labels must be 0 or 1", before)
    ones: BoolArray = values == 1
    return ones


def score_column(
    frame: pd.DataFrame, name: str, file: str | Path, before: int = 0, *, may_miss: bool = False
) -> NumberArray:
    """Return a numeric column as scores or detections; missing values need ``may_miss``."""
    values = _column(frame, name, file)
    known = ~np.isnan(values)
    if may_miss:
        known |= frame[name].isna().to_numpy(dtype=np.bool_)
    if not known.all():
        error = _bad_entry(frame, name, file, known, "scores must be numbers", before)
        is_gap = pd.isna(frame[name].iloc[int(np.flatnonzero(~known)[0])]) is True
        raise MissingError(str(error)) if is_gap else error
    return values


def value_column(frame: pd.DataFrame, name: str, file: str | Path) -> NumberArray:
    """Return a numeric column that may have missing values."""
    return _column(frame, name, file)


def _column(frame: pd.DataFrame, name: str, file: str | Path) -> NumberArray:
    count = list(frame.columns).count(name)
    if not count:
        raise TableError(f"{file}: has no column {name!r}; {listing(list(frame.columns))}")
    if count > 1:
        raise TableError(f"{file}: column {name!r} appears more than once")
    column = frame[name]
    if column.dtype.kind in "mM":
        raise TableError(f"{file}: column {name!r} has times, not numbers")
    try:
        numbers = pd.to_numeric(column, errors="coerce")
    except (OverflowError, TypeError):
        raise TableError(f"{file}: column {name!r}: scores must be numbers below 1e308") from None
    if numbers.dtype.kind == "c":
        raise TableError(f"{file}: column {name!r} has complex numbers")
    if not isinstance(numbers.dtype, np.dtype):
        return numbers.to_numpy(dtype=np.float64, na_value=np.nan)
    return numbers.to_numpy()


def _bad_entry(
    frame: pd.DataFrame, name: str, file: str | Path, allowed: BoolArray, rule: str, before: int
) -> TableError:
    row = int(np.flatnonzero(~allowed)[0])
    value = frame[name].iloc[row]
    plain = value.item() if isinstance(value, np.generic) else value
    shown = "nothing" if pd.isna(value) is True else repr(plain)[:60]
    return TableError(f"{file}: column {name!r}, row {before + row + 1}: {rule}; got {shown}")
