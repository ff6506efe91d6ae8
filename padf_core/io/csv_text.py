"""Read text tables: encoding, separator, header, and reading in blocks."""

from __future__ import annotations

import csv
import gzip
import io
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import numpy as np
import pandas as pd

from padf_core.io import limits
from padf_core.io.errors import TableError

if TYPE_CHECKING:
    from padf_core.io.tables import TableFile

PREVIEW_ROWS = 200
ROWS_AT_ONCE = 250_000
SAMPLES = 10
SEPARATORS = ",;\t|"


BYTES_AT_ONCE = 1 << 23


FIRST_STEP = 1 << 12


STRETCH = 1 << 16
"""The initial distance between text samples, which grows along the file, and their length."""


@dataclass(frozen=True)
class Walk:
    """The results of one pass through a text."""

    encoding: str
    size: int
    """Uncompressed size of the text in bytes."""
    stretches: Mapping[int, bytes]
    """Text samples at regular positions; they do not overlap."""
    is_by_line: bool = False
    """Whether every line is one row.

    A quoted field could span several lines, so there must be no quotes. Line ends must be standard.
    """

    @property
    def lines(self) -> int:
        """Estimated number of lines."""
        known = b"".join(self.stretches.values())
        return round(self.size * known.count(b"\n") / max(1, len(known)))


NO_WALK = Walk("utf-8", 0, {})
"""Placeholder for a table that is not text."""


@contextmanager
def as_table_error(name: str) -> Iterator[None]:
    """Convert any error inside a reader to a `TableError`."""
    try:
        yield
    except TableError:
        raise
    except pd.errors.ParserWarning:
        raise TableError(f"{name}: {_TOO_WIDE}") from None
    except pd.errors.ParserError as error:
        raise TableError(f"{name}: {_parser_reason(str(error))}") from error
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise TableError(f"{name}: is damaged or truncated: its gzip data ends too early") from None
    except MemoryError:
        raise TableError(f"{name}: is too large for this machine's memory") from None
    except limits.TooLarge as error:
        raise TableError(f"{name}: {error}") from None
    except Exception as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise TableError(f"{name}: cannot be read as a table: {reason[:200]}") from error


_TOO_WIDE = "has rows with more fields than its header or first row"


def _parser_reason(message: str) -> str:
    """Translate a parser's message into plain words.

    >>> _parser_reason("C error: Expected 4 fields in line 3, saw 5")
    'has rows with more fields than its header or first row: line 3 has 5 instead of 4'
    """
    found = re.search(r"Expected (\d+) fields in line (\d+), saw (\d+)", message)
    if found is None:
        return f"cannot be read as a table: {' '.join(message.split())[:200]}"
    return f"{_TOO_WIDE}: line {found[2]} has {found[3]} instead of {found[1]}"


def csv_reader(file: TableFile, content: BinaryIO, **options: Any) -> Any:
    """Return a reader that yields some columns of a text in pieces."""
    return pd.read_csv(
        content,
        sep=file.separator,
        decimal=file.decimal,
        encoding=file.walk.encoding,
        header=None,
        skiprows=1 if file.has_header else 0,
        names=range(len(file.names)),
        skipinitialspace=True,
        skip_blank_lines=False,
        index_col=False,
        **{"chunksize": ROWS_AT_ONCE, **options},
    )


def read_block(file: TableFile, block: bytes, positions: list[int]) -> pd.DataFrame:
    """Read some columns of a block of lines."""
    if not block.strip():
        return pd.DataFrame(np.nan, range(block.count(b"\n")), positions)
    options: dict[str, Any] = {"low_memory": False, "chunksize": None}
    if len(positions) < len(file.names):
        _check_widths(block, file.separator, len(file.names))
        options["usecols"] = positions
    try:
        frame: pd.DataFrame = csv_reader(file, io.BytesIO(block), **options)
    except (pd.errors.ParserWarning, pd.errors.ParserError):
        _check_widths(block, file.separator, len(file.names))
        raise
    return frame


def _check_widths(block: bytes, separator: str, fields: int) -> None:
    """Refuse lines with too many fields, which pandas ignores if only some columns are read."""
    text = np.frombuffer(block, dtype=np.uint8)
    ends = np.flatnonzero(text == ord("\n"))
    if not block.endswith(b"\n"):
        ends = np.append(ends, text.size)
    marks = np.flatnonzero(text == ord(separator))
    each = fields - 1
    if marks.size == each * ends.size:
        by_line = marks.reshape(ends.size, each)
        if not each or ((by_line[:, -1] < ends) & (by_line[:, 0] > np.append(-1, ends[:-1]))).all():
            return
    counts = np.diff(np.searchsorted(marks, ends), prepend=0)
    long = np.flatnonzero(counts > each)
    if long.size:
        line = int(long[0])
        raise pd.errors.ParserError(
            f"Expected {fields} fields in line {line + 1}, saw {int(counts[line]) + 1}"
        )


def line_blocks(content: BinaryIO) -> Iterator[bytes]:
    """Split a text into blocks of whole lines."""
    while block := content.read(BYTES_AT_ONCE):
        if not block.endswith(b"\n"):
            block += content.readline()
        yield block


def with_lines_before(message: str, lines: int) -> str:
    """Convert the line number in a message from a block to the file.

    >>> with_lines_before("Expected 4 fields in line 3, saw 5", 100)
    'Expected 4 fields in line 103, saw 5'
    """
    return re.sub(r"(?<=in line )\d+", lambda found: str(int(found[0]) + lines), message)


def open_unpacked(raw: BinaryIO, is_packed: bool) -> BinaryIO:
    """Return the content of a file, decompressed if it is gzip."""
    return cast(BinaryIO, gzip.open(raw)) if is_packed else raw


def walk_through(opener: Callable[[], BinaryIO], is_packed: bool) -> Walk:
    """Read a text once, to find its encoding: UTF-8 if it is valid, otherwise Latin-1."""
    stretches: dict[int, bytes] = {}
    size, step, rest, watch = 0, FIRST_STEP, b"", limits.LineWatch()
    is_by_line = True
    with opener() as raw, open_unpacked(raw, is_packed) as content:
        while block := content.read(1 << 20):
            watch.see(block)
            for place in range(-(-size // step) * step, size + len(block), step):
                stretches[place] = block[place - size : place - size + STRETCH]
            while len(stretches) > 2 * SAMPLES:
                step *= 2
                stretches = {at: text for at, text in stretches.items() if not at % step}
            size += len(block)
            if is_by_line:
                is_by_line = b'"' not in block and not _has_lone_returns(block)
            if len(rest) <= 3 and (rest or not block.isascii()):
                rest = _undecoded(rest + block)
    apart = {at: text[:step] for at, text in stretches.items()}
    return Walk("latin-1" if rest else "utf-8-sig", size, apart, is_by_line)


def _has_lone_returns(block: bytes) -> bool:
    return b"\r" in block and block.count(b"\r") != block.count(b"\r\n")


def _undecoded(block: bytes) -> bytes:
    """Return the undecoded rest of a block after its complete UTF-8 characters."""
    try:
        block.decode("utf-8")
    except UnicodeDecodeError as error:
        is_cut_off = error.reason == "unexpected end of data" and error.end == len(block)
        return block[error.start :] if is_cut_off else b"....."
    return b""


def first_lines(content: BinaryIO, encoding: str) -> list[str]:
    """Return the first lines of a text."""
    text = io.TextIOWrapper(content, encoding=encoding, newline="")
    longest = limits.LONGEST_LINE
    lines = [text.readline(longest)]
    lines += islice(iter(lambda: text.readline(longest), ""), PREVIEW_ROWS)
    text.detach()
    return [line for line in lines if line]


def find_separator(lines: list[str]) -> str:
    """Return the separator that splits all rows into equally many fields, and most of them.

    On a tie a comma loses, because it may be part of a number.
    """

    def worth(mark: str) -> tuple[bool, int, bool]:
        counts = [len(split_fields(line, mark)) for line in lines[:50]]
        return counts[0] > 1 and len(set(counts)) == 1, counts[0], mark != ","

    return max(SEPARATORS, key=worth)


def split_fields(line: str, separator: str) -> list[str]:
    """Return the fields of a line."""
    limited = line.rstrip("\r\n")
    fields = next(csv.reader([limited], delimiter=separator, skipinitialspace=True), [])
    return [name.strip() for name in fields]


def is_number(field: str) -> bool:
    """Return whether a field is a number, with a point or a comma, or an ISO date."""
    try:
        float(field.replace(",", "."))
    except ValueError:
        return bool(re.fullmatch(r"\d{4}-\d\d-\d\d([ T].*)?", field))
    return True


def has_decimal_commas(rows: list[list[str]]) -> bool:
    """Return whether the numbers of a table use decimal commas."""
    fields = [field for row in rows for field in row]
    return any(re.fullmatch(r"[-+]?\d+,\d+", field) for field in fields) and not any(
        re.fullmatch(r"[-+]?\d+\.\d+", field) for field in fields
    )
