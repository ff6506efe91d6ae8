"""Reading the tables that users bring, with errors that name the file, the column and the row."""

from __future__ import annotations

import csv
import gzip
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from padf_core.checks import BoolArray, NumberArray

SEPARATORS = ",;\t|"

_REFUSED: dict[bytes, str] = {
    b"PK\x03\x04": "is an Excel workbook or a zip archive; save the table as CSV",
    b"\xd0\xcf\x11\xe0": "is an Excel workbook; save the table as CSV",
    b"\x80": "looks like a pickle, which can run code when it is opened; save the table as CSV",
}
"""How files begin that are not accepted, and what is said of them."""


class TableError(ValueError):
    """Something about a table that its owner can mend."""


def read_table(path: str | Path) -> pd.DataFrame:
    """Read a CSV file (the usual separators, UTF-8 or Latin-1, gzip allowed) or a Parquet file."""
    file = Path(path)
    if not file.is_file():
        raise TableError(f"{file}: is not a file that can be opened")
    try:
        is_parquet = file.suffix.lower() in (".parquet", ".pq")
        frame = _read_parquet(file) if is_parquet else _read_text(file)
    except TableError:
        raise
    except Exception as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise TableError(f"{file}: cannot be read as a table: {reason}") from error
    if frame.empty:
        raise TableError(f"{file}: has no rows")
    return frame


def _read_parquet(file: Path) -> pd.DataFrame:
    try:
        return pd.read_parquet(file)
    except ImportError as error:
        raise TableError(
            f"{file}: reading Parquet needs pyarrow; install it or save as CSV"
        ) from error


def _opener(file: Path) -> Any:
    return gzip.open if file.suffix.lower() == ".gz" else open


def _read_text(file: Path) -> pd.DataFrame:
    with _opener(file)(file, "rb") as content:
        beginning = content.read(4096)
    for mark, reason in _REFUSED.items():
        if beginning.startswith(mark):
            raise TableError(f"{file}: {reason}")
    if b"\0" in beginning:
        raise TableError(f"{file}: is not a text file; save the table as CSV")
    try:
        return _read_csv(file, "utf-8-sig")
    except UnicodeDecodeError:
        return _read_csv(file, "latin-1")


def _read_csv(file: Path, encoding: str) -> pd.DataFrame:
    with _opener(file)(file, "rt", encoding=encoding, newline="") as lines:
        header = lines.readline()
    if not header.strip():
        raise TableError(f"{file}: is empty or does not start with a header")
    separator = max(SEPARATORS, key=lambda mark: len(_fields(header, mark)))
    names = _fields(header, separator)
    with warnings.catch_warnings():
        warnings.simplefilter("error", pd.errors.ParserWarning)
        try:
            frame = pd.read_csv(
                file,
                sep=separator,
                encoding=encoding,
                skipinitialspace=True,
                skip_blank_lines=False,
                index_col=False,
            )
        except pd.errors.ParserWarning:
            raise TableError(
                f"{file}: has rows with more fields than the {len(names)} of its header"
            ) from None
    if len(names) == frame.shape[1]:
        frame.columns = pd.Index(names)
    filled = frame.notna().any(axis=1).to_numpy()
    return frame.iloc[: int(np.flatnonzero(filled)[-1]) + 1 if filled.any() else 0]


def _fields(header: str, separator: str) -> list[str]:
    line = next(csv.reader([header.rstrip("\r\n")], delimiter=separator, skipinitialspace=True))
    return [name.strip() for name in line]


def label_column(frame: pd.DataFrame, name: str, file: str | Path) -> BoolArray:
    """Return a column of 0 and 1 as labels."""
    values = _column(frame, name, file)
    allowed = np.isin(values, (0, 1))
    if not allowed.all():
        raise _bad_entry(frame, name, file, allowed, "labels must be 0 or 1")
    ones: BoolArray = values == 1
    return ones


def score_column(frame: pd.DataFrame, name: str, file: str | Path) -> NumberArray:
    """Return a column of numbers without gaps as scores or detections."""
    values = _column(frame, name, file)
    known = ~np.isnan(values)
    if not known.all():
        raise _bad_entry(frame, name, file, known, "scores must be numbers")
    return values


def _column(frame: pd.DataFrame, name: str, file: str | Path) -> NumberArray:
    count = list(frame.columns).count(name)
    if not count:
        there = ", ".join(repr(column)[:40] for column in frame.columns[:20])
        more = ", ..." if frame.shape[1] > 20 else ""
        raise TableError(f"{file}: has no column {name!r}; its columns are {there}{more}")
    if count > 1:
        raise TableError(f"{file}: column {name!r} stands there more than once")
    column = frame[name]
    if column.dtype.kind in "mM":
        raise TableError(f"{file}: column {name!r} holds times, not numbers")
    try:
        numbers = pd.to_numeric(column, errors="coerce")
    except OverflowError:
        raise TableError(f"{file}: column {name!r}: scores must be numbers below 1e308") from None
    if not isinstance(numbers.dtype, np.dtype):
        return numbers.to_numpy(dtype=np.float64, na_value=np.nan)
    return numbers.to_numpy()


def _bad_entry(
    frame: pd.DataFrame, name: str, file: str | Path, allowed: BoolArray, rule: str
) -> TableError:
    row = int(np.flatnonzero(~allowed)[0])
    value = frame[name].iloc[row]
    plain = value.item() if isinstance(value, np.generic) else value
    shown = "nothing" if pd.isna(value) else repr(plain)
    return TableError(f"{file}: column {name!r}, row {row + 1}: {rule}; got {shown}")
