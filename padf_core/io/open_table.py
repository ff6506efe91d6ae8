"""Inspect a file: its format and its column names."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import pandas as pd

from padf_core.io import csv_text, limits
from padf_core.io.column_values import distinct_names
from padf_core.io.csv_text import NO_WALK, as_table_error
from padf_core.io.errors import TableError
from padf_core.io.tables import MAX_COLUMNS, TableFile, look_at_text, parquet_file

_REFUSED: dict[bytes, str] = {
    b"PK\x03\x04": "is an Excel workbook or a zip archive; save the table as CSV",
    b"\xd0\xcf\x11\xe0": "is an Excel workbook; save the table as CSV",
    b"\x80": "looks like a pickle, which can run code when it is opened; save the table as CSV",
    b"\xff\xfe": "is written in UTF-16; save it as UTF-8",
    b"\xfe\xff": "is written in UTF-16; save it as UTF-8",
}
"""The first bytes of refused files, and the reason for each."""


def open_table(source: str | Path | bytes | BinaryIO, name: str | None = None) -> TableFile:
    """Inspect a CSV file (usual separators, UTF-8 or Latin-1, gzip allowed) or a Parquet file.

    ``source`` is a path, the content, or an open file, which is read from its start each time.
    """
    if isinstance(source, (str, Path)):
        path = Path(source)
        if not path.is_file():
            raise TableError(f"{path}: cannot be opened as a file")
        return look_at(name or str(path), lambda: path.open("rb"), path.stat().st_size)
    if isinstance(source, (bytes, io.BytesIO)):
        # BytesIO shares its content until it is written to, so nothing is copied.
        content = source if isinstance(source, bytes) else source.getvalue()
        return look_at(name or "table", lambda: io.BytesIO(content), len(content))
    stream = source
    size = stream.seek(0, io.SEEK_END)
    return look_at(name or "table", lambda: _Borrowed(stream), size)


class _Borrowed(io.RawIOBase, BinaryIO):
    """A caller's open file, read from its start and not closed after reading."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        stream.seek(0)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        content = self._stream.read(len(buffer))
        buffer[: len(content)] = content
        return len(content)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        return self._stream.tell()

    def __enter__(self) -> _Borrowed:
        return self


def look_at(name: str, opener: Callable[[], BinaryIO], size: int) -> TableFile:
    """Inspect a file: detect its format and its columns."""
    with as_table_error(name):
        with opener() as raw:
            beginning = raw.read(4096)
        if not beginning:
            raise TableError(f"{name}: is empty or does not start with a header")
        if beginning.startswith(b"PAR1"):
            return look_at_parquet(name, opener, size)
        if name.lower().endswith((".parquet", ".pq")):
            raise TableError(f"{name}: cannot be read as a table: it is not a Parquet file")
        is_packed = beginning.startswith(b"\x1f\x8b")
        if is_packed:
            with opener() as raw, gzip.open(raw) as unpacked:
                beginning = unpacked.read(4096)
        for mark, reason in _REFUSED.items():
            if beginning.startswith(mark):
                raise TableError(f"{name}: {reason}")
        if b"\0" in beginning:
            raise TableError(f"{name}: is not a text file; save the table as CSV")
        return look_at_text(name, opener, size, is_packed)


def look_at_parquet(name: str, opener: Callable[[], BinaryIO], size: int) -> TableFile:
    """Inspect a Parquet file."""
    with opener() as raw:
        file = parquet_file(raw, name)
        rows = int(file.metadata.num_rows)
        names = tuple(map(str, file.schema_arrow.names))
        if len(names) > MAX_COLUMNS:
            raise TableError(
                f"{name}: has {len(names):,} columns; at most {MAX_COLUMNS:,} are read"
            )
        head = next(file.iter_batches(csv_text.PREVIEW_ROWS), None)
        preview = pd.DataFrame()
        if head is not None:
            preview = limits.decoded(head).to_pandas(ignore_metadata=True)
    if preview.empty:
        raise TableError(f"{name}: has no rows")
    if len(names) == preview.shape[1]:
        preview.columns = pd.Index(distinct_names(names))
    return TableFile(
        name, opener, size, True, False, ",", ".", NO_WALK, True, names, preview, rows
    )  # fmt: skip


def read_table(path: str | Path) -> pd.DataFrame:
    """Read a whole table whose first row is the header."""
    table = open_table(path).with_header(True)
    frame = table.read(table.columns)
    named = zip(table.names, table.columns, strict=True)
    frame.columns = pd.Index([name or made for name, made in named])
    return frame
