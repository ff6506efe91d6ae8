"""Reading the tables that users bring, with errors that name the file, the column and the row.

A table is looked at first (`open_table`: kind, separator, encoding, columns, a preview) and read
afterwards, in pieces, so that only the columns that are needed are ever held.
"""

from __future__ import annotations

import csv
import gzip
import io
import re
import warnings
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np
import pandas as pd

from padf_core.io import limits
from padf_core.metrics.checks import BoolArray, NumberArray, Progress, no_progress

SEPARATORS = ",;\t|"
PREVIEW_ROWS = 200
MAX_ROWS = 20_000_000
MAX_COLUMNS = 500
ROWS_AT_ONCE = 250_000
BYTES_AT_ONCE = 1 << 23
READERS = 2
"""Pieces of a text are read by so many threads: pandas' parser lets others run meanwhile."""
SAMPLES = 10
SAMPLE_ROWS = 100
"""At so many places of a large file so many rows are looked at, beside the first ones."""
FIRST_STEP = 1 << 12
STRETCH = 1 << 16
"""A text is glanced at every so many bytes, ever more seldom as it goes on; a glance's length."""

_REFUSED: dict[bytes, str] = {
    b"PK\x03\x04": "is an Excel workbook or a zip archive; save the table as CSV",
    b"\xd0\xcf\x11\xe0": "is an Excel workbook; save the table as CSV",
    b"\x80": "looks like a pickle, which can run code when it is opened; save the table as CSV",
    b"\xff\xfe": "is written in UTF-16; save it as UTF-8",
    b"\xfe\xff": "is written in UTF-16; save it as UTF-8",
}
"""How files begin that are not accepted, and what is said of them."""


class TableError(ValueError):
    """Something about a table that its owner can mend."""


class MissingError(TableError):
    """A score is missing: its owner may say what that means."""


class OrderError(TableError):
    """Times do not rise: the owner may say how rows are to be taken."""

    def __init__(self, message: str, backward: int, repeated: int) -> None:
        super().__init__(message)
        self.backward = backward
        """Rows whose time is before that of the row above."""
        self.repeated = repeated
        """Rows whose time is that of another row before."""

    def __reduce__(self) -> tuple[type[OrderError], tuple[str, int, int]]:
        return OrderError, (str(self), self.backward, self.repeated)


@dataclass(frozen=True)
class Walk:
    """What going once through a text has told."""

    encoding: str
    size: int
    """Bytes of the text, unpacked."""
    stretches: Mapping[int, bytes]
    """What stands at some places that are evenly apart; none reaches into the next."""
    is_by_line: bool = False
    """Whether every line is a row: no quotes, in which a row may go on, and the usual line ends."""

    @property
    def lines(self) -> int:
        """About how many lines there are."""
        known = b"".join(self.stretches.values())
        return round(self.size * known.count(b"\n") / max(1, len(known)))


NO_WALK = Walk("utf-8", 0, {})
"""Of a table that is no text."""


@dataclass(frozen=True, eq=False)
class TableFile:
    """A table that has been looked at and not yet read."""

    name: str
    """What messages call it."""
    open: Callable[[], BinaryIO]
    size: int
    """Bytes of the file as it is."""
    is_parquet: bool
    is_packed: bool
    separator: str
    decimal: str
    walk: Walk
    has_header: bool
    names: tuple[str, ...]
    """The columns as the file names them."""
    preview: pd.DataFrame
    """The first rows, under `columns`."""
    estimated_rows: int
    frame: pd.DataFrame | None = None
    """All rows, of a table that was put together here."""
    notices: tuple[str, ...] = ()
    """What should be known about how it was put together."""
    training: int = 0
    """The number of training rows that the names of joined files give."""

    @property
    def columns(self) -> list[str]:
        """The columns under names that stand only once: a second "a" is "a (2)"."""
        return _distinct(self.names)

    @cached_property
    def sample(self) -> pd.DataFrame:
        """The preview, and rows from some other places of the file where these can be had."""
        if self.estimated_rows <= len(self.preview):
            return self.preview
        if self.frame is not None:
            places = np.linspace(0, len(self.frame) - 1, len(self.preview) + SAMPLES * SAMPLE_ROWS)
            return self.frame.iloc[np.unique(places.astype(np.int64))].reset_index(drop=True)
        parts = [self.preview]
        with suppress(Exception), warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            parts += self._parquet_samples() if self.is_parquet else self._text_samples()
        return pd.concat(parts, ignore_index=True)

    @property
    def is_seen(self) -> bool:
        """Whether `sample` holds every row."""
        return len(self.sample) >= self.estimated_rows

    def _text_samples(self) -> list[pd.DataFrame]:
        """Return whole rows of some stretches behind the first rows, none of them twice."""
        with self._text() as content:
            begin = sum(map(len, islice(content, len(self.preview) + self.has_header)))
        behind = [place for place in self.walk.stretches if place >= begin]
        chosen = behind[:: max(1, len(behind) // SAMPLES)]
        made = []
        for place in chosen:
            lines = self.walk.stretches[place].split(b"\n")[1:-1]
            if lines:
                text = io.BytesIO(b"\n".join(lines[:SAMPLE_ROWS]))
                frame = next(iter(_csv_reader(replace(self, has_header=False), text)))
                frame.columns = pd.Index(self.columns)
                made.append(frame)
        return made

    @contextmanager
    def _text(self) -> Iterator[BinaryIO]:
        """Open the text, unpacked."""
        with self.open() as raw, _unpacked(raw, self.is_packed) as content:
            yield content

    def _parquet_samples(self) -> list[pd.DataFrame]:
        with self.open() as raw:
            file = _parquet_file(raw, self.name)
            if file.metadata.num_row_groups > 1:
                groups = range(1, file.metadata.num_row_groups)
                chosen = list(groups)[:: max(1, len(groups) // SAMPLES)][:SAMPLES]
                batches = [
                    next(file.iter_batches(SAMPLE_ROWS, row_groups=[group])) for group in chosen
                ]
            else:
                # Rows of a single group can only be reached through those before them.
                batches = [
                    batch.take(_evenly(batch.num_rows))
                    for batch in islice(file.iter_batches(ROWS_AT_ONCE), SAMPLES)
                ]
            made = [limits.decoded(batch).to_pandas(ignore_metadata=True) for batch in batches]
        for frame in made:
            frame.columns = pd.Index(self.columns)
        return made

    def with_header(self, has_header: bool) -> TableFile:
        """Return the same table, its first row taken as names or as values."""
        if self.is_parquet or self.frame is not None or has_header == self.has_header:
            return self
        return _look_at_text(self.name, self.open, self.size, self.is_packed, self.walk, has_header)

    def pieces(
        self, columns: Sequence[str], progress: Progress = no_progress
    ) -> Iterator[tuple[int, pd.DataFrame]]:
        """Yield the number of rows before a piece, and the piece, with these columns only."""
        there = self.columns
        for name in columns:
            if name not in there:
                raise TableError(f"{self.name}: has no column {name!r}; {listing(there)}")
        with _explained(self.name):
            # The first column comes along, so that a row that was cut off is not taken for empty.
            wanted = list(dict.fromkeys([there[0], *columns]))
            positions = [there.index(name) for name in wanted]
            read = self._parquet_pieces if self.is_parquet else self._text_pieces
            if self.frame is not None:
                read = self._frame_pieces
            for before, piece in self._checked(read(positions, progress), wanted):
                yield before, piece[list(columns)]
        progress(1.0)

    def read(self, columns: Sequence[str]) -> pd.DataFrame:
        """Return all rows of these columns at once."""
        pieces = [piece for _, piece in self.pieces(columns)]
        return pieces[0] if len(pieces) == 1 else pd.concat(pieces, ignore_index=True)

    def _checked(
        self, pieces: Iterator[pd.DataFrame], columns: Sequence[str]
    ) -> Iterator[tuple[int, pd.DataFrame]]:
        """Count the rows, drop empty ones at the end, and refuse them before."""
        rows = empty = 0
        for frame in pieces:
            frame.columns = pd.Index(columns)
            kept = _filled_rows(frame)
            if kept and empty:
                raise TableError(f"{self.name}: row {rows + 1} is empty")
            empty += len(frame) - kept
            if rows + kept > MAX_ROWS:
                raise TableError(
                    f"{self.name}: has more than {MAX_ROWS:,} rows, the most that is read"
                )
            if kept:
                yield rows, frame.iloc[:kept]
                rows += kept
        if not rows:
            raise TableError(f"{self.name}: has no rows")

    def _text_pieces(self, positions: list[int], progress: Progress) -> Iterator[pd.DataFrame]:
        order = np.argsort(np.argsort(positions))
        with (
            self.open() as raw,
            warnings.catch_warnings(),
            _unpacked(raw, self.is_packed) as content,
        ):
            warnings.simplefilter("error", pd.errors.ParserWarning)
            read = self._by_line if self.walk.is_by_line else self._in_order
            for frame in read(content, sorted(positions)):
                progress(min(0.99, raw.tell() / max(1, self.size)))
                yield frame.iloc[:, order]

    def _in_order(self, content: BinaryIO, positions: list[int]) -> Iterator[pd.DataFrame]:
        # All columns are read: of some alone, pandas would pass over rows with too many fields.
        with limits.Metered(content) as metered, _csv_reader(self, metered) as reader:
            for frame in reader:
                metered.came_out()
                yield frame.iloc[:, positions]

    def _by_line(self, content: BinaryIO, positions: list[int]) -> Iterator[pd.DataFrame]:
        """Yield the same rows from blocks of whole lines, of which some are read at once."""
        if self.has_header:
            content.readline()
        # A mark of UTF-8 stands before the header, or before the first of all rows.
        walk = replace(self.walk, encoding=self.walk.encoding.removesuffix("-sig"))
        later = replace(self, has_header=False, walk=walk)
        first = replace(self, has_header=False)
        rows = int(self.has_header)
        waiting: deque[Future[pd.DataFrame]] = deque()

        def next_one() -> pd.DataFrame:
            nonlocal rows
            try:
                frame = waiting.popleft().result()
            except pd.errors.ParserError as error:
                raise pd.errors.ParserError(_with_lines_before(str(error), rows)) from None
            rows += len(frame)
            return frame

        with ThreadPoolExecutor(READERS) as readers:
            for at, block in enumerate(_line_blocks(content)):
                file = later if at or self.has_header else first
                waiting.append(readers.submit(_read_block, file, block, positions))
                if len(waiting) > READERS:
                    yield next_one()
            while waiting:
                yield next_one()

    def _frame_pieces(self, positions: list[int], progress: Progress) -> Iterator[pd.DataFrame]:
        frame = cast(pd.DataFrame, self.frame).iloc[:, positions]
        for first in range(0, len(frame), ROWS_AT_ONCE):
            progress(first / len(frame))
            yield frame.iloc[first : first + ROWS_AT_ONCE].copy()

    def _parquet_pieces(self, positions: list[int], progress: Progress) -> Iterator[pd.DataFrame]:
        with self.open() as raw:
            file = _parquet_file(raw, self.name)
            names = [file.schema_arrow.names[position] for position in positions]
            done = 0
            for batch in file.iter_batches(ROWS_AT_ONCE, columns=names):
                frame = limits.decoded(batch).to_pandas(ignore_metadata=True)[names]
                done += len(frame)
                progress(min(0.99, done / max(1, self.estimated_rows)))
                yield frame


def _evenly(rows: int) -> Any:
    """Return some places among so many rows, evenly apart."""
    return np.unique(np.linspace(0, rows - 1, SAMPLES * SAMPLE_ROWS).astype(np.int64))


def _filled_rows(frame: pd.DataFrame) -> int:
    """Return how many rows there are up to the last one that is not empty."""
    if frame.iloc[-1:].notna().to_numpy().any():
        return len(frame)
    filled = np.flatnonzero(frame.notna().any(axis=1).to_numpy())
    return int(filled[-1]) + 1 if filled.size else 0


@contextmanager
def _explained(name: str) -> Iterator[None]:
    """Turn whatever goes wrong inside a reader into a `TableError`."""
    try:
        yield
    except TableError:
        raise
    except pd.errors.ParserWarning:
        raise TableError(f"{name}: {_TOO_WIDE}") from None
    except pd.errors.ParserError as error:
        raise TableError(f"{name}: {_parser_reason(str(error))}") from error
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise TableError(
            f"{name}: is damaged or cut off: its gzip packing ends too early"
        ) from None
    except MemoryError:
        raise TableError(f"{name}: is too large for this machine's memory") from None
    except limits.TooLarge as error:
        raise TableError(f"{name}: {error}") from None
    except Exception as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise TableError(f"{name}: cannot be read as a table: {reason[:200]}") from error


_TOO_WIDE = "has rows with more fields than its header or first row"


def _parser_reason(message: str) -> str:
    """Say what a parser's message means.

    >>> _parser_reason("C error: Expected 4 fields in line 3, saw 5")
    'has rows with more fields than its header or first row: line 3 has 5 instead of 4'
    """
    found = re.search(r"Expected (\d+) fields in line (\d+), saw (\d+)", message)
    if found is None:
        return f"cannot be read as a table: {' '.join(message.split())[:200]}"
    return f"{_TOO_WIDE}: line {found[2]} has {found[3]} instead of {found[1]}"


def open_table(source: str | Path | bytes | BinaryIO, name: str | None = None) -> TableFile:
    """Look at a CSV file (the usual separators, UTF-8 or Latin-1, gzip allowed) or a Parquet file.

    ``source`` is a path, the content, or an open file, which is read from its start each time.
    """
    if isinstance(source, (str, Path)):
        path = Path(source)
        if not path.is_file():
            raise TableError(f"{path}: is not a file that can be opened")
        return _look_at(name or str(path), lambda: path.open("rb"), path.stat().st_size)
    if isinstance(source, (bytes, io.BytesIO)):
        # What nobody has written to is shared, not copied.
        content = source if isinstance(source, bytes) else source.getvalue()
        return _look_at(name or "table", lambda: io.BytesIO(content), len(content))
    stream = source
    size = stream.seek(0, io.SEEK_END)
    return _look_at(name or "table", lambda: _Borrowed(stream), size)


def table_of(frame: pd.DataFrame, name: str) -> TableFile:
    """Return rows that are here already as a table. Levels of the index become columns."""
    if not isinstance(frame.index, pd.RangeIndex) and (
        frame.index.nlevels > 1 or frame.index.name is not None or frame.index.dtype.kind == "M"
    ):
        frame = frame.reset_index()
    if frame.empty:
        raise TableError(f"{name}: has no rows")
    names = tuple(map(str, frame.columns))
    shown = frame.set_axis(_distinct(names), axis=1)
    size = int(frame.memory_usage().sum())
    return TableFile(
        name=name,
        open=io.BytesIO,
        size=size,
        is_parquet=False,
        is_packed=False,
        separator=",",
        decimal=".",
        walk=NO_WALK,
        has_header=True,
        names=names,
        preview=shown.head(PREVIEW_ROWS),
        estimated_rows=len(frame),
        frame=shown,
    )


class _Borrowed(io.RawIOBase, BinaryIO):
    """A file of somebody else's, from its start, that is not closed when a reader is done."""

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


def _look_at(name: str, opener: Callable[[], BinaryIO], size: int) -> TableFile:
    with _explained(name):
        with opener() as raw:
            beginning = raw.read(4096)
        if not beginning:
            raise TableError(f"{name}: is empty or does not start with a header")
        if beginning.startswith(b"PAR1"):
            return _look_at_parquet(name, opener, size)
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
        return _look_at_text(name, opener, size, is_packed)


def _look_at_parquet(name: str, opener: Callable[[], BinaryIO], size: int) -> TableFile:
    with opener() as raw:
        file = _parquet_file(raw, name)
        rows = int(file.metadata.num_rows)
        names = tuple(map(str, file.schema_arrow.names))
        if len(names) > MAX_COLUMNS:
            raise TableError(
                f"{name}: has {len(names):,} columns; at most {MAX_COLUMNS:,} are read"
            )
        head = next(file.iter_batches(PREVIEW_ROWS), None)
        preview = pd.DataFrame()
        if head is not None:
            preview = limits.decoded(head).to_pandas(ignore_metadata=True)
    if preview.empty:
        raise TableError(f"{name}: has no rows")
    if len(names) == preview.shape[1]:
        preview.columns = pd.Index(_distinct(names))
    return TableFile(
        name, opener, size, True, False, ",", ".", NO_WALK, True, names, preview, rows
    )  # fmt: skip


def _parquet_file(raw: BinaryIO, name: str) -> Any:
    try:
        from pyarrow import parquet
    except ImportError as error:
        raise TableError(
            f"{name}: reading Parquet needs pyarrow; install it or save as CSV"
        ) from error
    metadata = parquet.read_metadata(raw)
    limits.check_parquet(metadata, MAX_ROWS)
    raw.seek(0)
    return parquet.ParquetFile(
        raw,
        metadata=metadata,
        read_dictionary=limits.text_columns(metadata),
        page_checksum_verification=True,
    )


def _look_at_text(
    name: str,
    opener: Callable[[], BinaryIO],
    size: int,
    is_packed: bool,
    known: Walk | None = None,
    has_header: bool | None = None,
) -> TableFile:
    walk = known or _walk(opener, is_packed)
    with opener() as raw, _unpacked(raw, is_packed) as content:
        lines = _first_lines(content, walk.encoding)
    is_more = len(lines) > PREVIEW_ROWS
    while len(lines) > 1 and not lines[-1].strip():
        lines.pop()
    if not lines or not lines[0].strip():
        raise TableError(f"{name}: is empty or does not start with a header")
    separator = _separator(lines)
    rows = [_fields(line, separator) for line in lines[1:]]
    first = _fields(lines[0], separator)
    if len(first) > MAX_COLUMNS:
        raise TableError(f"{name}: has {len(first):,} columns; at most {MAX_COLUMNS:,} are read")
    if has_header is None:
        numbers = sum(map(_is_number, first))
        has_header = not numbers or (bool(rows) and numbers < sum(map(_is_number, rows[0])))
    names = first if has_header else [""] * len(first)
    found = TableFile(
        name=name,
        open=opener,
        size=size,
        is_parquet=False,
        is_packed=is_packed,
        separator=separator,
        decimal="," if _has_decimal_commas(rows) else ".",
        walk=walk,
        has_header=has_header,
        names=tuple(names),
        preview=pd.DataFrame(),
        estimated_rows=(max(walk.lines, len(lines)) if is_more else len(lines)) - has_header,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error", pd.errors.ParserWarning)
        text = io.BytesIO("".join(lines).encode(walk.encoding))
        preview = next(iter(_csv_reader(found, text)), pd.DataFrame())
    if preview.empty:
        raise TableError(f"{name}: has no rows")
    preview.columns = pd.Index(found.columns)
    return replace(found, preview=preview)


def _csv_reader(file: TableFile, content: BinaryIO, **options: Any) -> Any:
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


def _read_block(file: TableFile, block: bytes, positions: list[int]) -> pd.DataFrame:
    if not block.strip():
        return pd.DataFrame(np.nan, range(block.count(b"\n")), positions)
    options: dict[str, Any] = {"low_memory": False, "chunksize": None}
    if len(positions) < len(file.names):
        _check_widths(block, file.separator, len(file.names))
        options["usecols"] = positions
    try:
        frame: pd.DataFrame = _csv_reader(file, io.BytesIO(block), **options)
    except (pd.errors.ParserWarning, pd.errors.ParserError):
        _check_widths(block, file.separator, len(file.names))
        raise
    return frame


def _check_widths(block: bytes, separator: str, fields: int) -> None:
    """Refuse lines with too many fields, which pandas passes over when only some are wanted."""
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


def _line_blocks(content: BinaryIO) -> Iterator[bytes]:
    """Cut a text into blocks of whole lines."""
    while block := content.read(BYTES_AT_ONCE):
        if not block.endswith(b"\n"):
            block += content.readline()
        yield block


def _with_lines_before(message: str, lines: int) -> str:
    """Let a line that a block's reader speaks of be that of the file.

    >>> _with_lines_before("Expected 4 fields in line 3, saw 5", 100)
    'Expected 4 fields in line 103, saw 5'
    """
    return re.sub(r"(?<=in line )\d+", lambda found: str(int(found[0]) + lines), message)


def _unpacked(raw: BinaryIO, is_packed: bool) -> BinaryIO:
    return cast(BinaryIO, gzip.open(raw)) if is_packed else raw


def _walk(opener: Callable[[], BinaryIO], is_packed: bool) -> Walk:
    """Go through a text once: UTF-8 if all of it is, else Latin-1, which any text is."""
    stretches: dict[int, bytes] = {}
    size, step, rest, watch = 0, FIRST_STEP, b"", limits.LineWatch()
    is_by_line = True
    with opener() as raw, _unpacked(raw, is_packed) as content:
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
    """Return what is left of a block once all its whole UTF-8 characters are taken away."""
    try:
        block.decode("utf-8")
    except UnicodeDecodeError as error:
        is_cut_off = error.reason == "unexpected end of data" and error.end == len(block)
        return block[error.start :] if is_cut_off else b"....."
    return b""


def _first_lines(content: BinaryIO, encoding: str) -> list[str]:
    text = io.TextIOWrapper(content, encoding=encoding, newline="")
    longest = limits.LONGEST_LINE
    lines = [text.readline(longest)]
    lines += islice(iter(lambda: text.readline(longest), ""), PREVIEW_ROWS)
    text.detach()
    return [line for line in lines if line]


def _separator(lines: list[str]) -> str:
    """Return the mark that cuts all rows into equally many fields, as many as can be.

    On a tie a comma loses: it may stand in numbers.
    """

    def worth(mark: str) -> tuple[bool, int, bool]:
        counts = [len(_fields(line, mark)) for line in lines[:50]]
        return counts[0] > 1 and len(set(counts)) == 1, counts[0], mark != ","

    return max(SEPARATORS, key=worth)


def _fields(line: str, separator: str) -> list[str]:
    limited = line.rstrip("\r\n")
    fields = next(csv.reader([limited], delimiter=separator, skipinitialspace=True), [])
    return [name.strip() for name in fields]


def _is_number(field: str) -> bool:
    try:
        float(field.replace(",", "."))
    except ValueError:
        return bool(re.fullmatch(r"\d{4}-\d\d-\d\d([ T].*)?", field))
    return True


def _has_decimal_commas(rows: list[list[str]]) -> bool:
    fields = [field for row in rows for field in row]
    return any(re.fullmatch(r"[-+]?\d+,\d+", field) for field in fields) and not any(
        re.fullmatch(r"[-+]?\d+\.\d+", field) for field in fields
    )


def _distinct(names: Sequence[str]) -> list[str]:
    return told_apart([name or f"column {number}" for number, name in enumerate(names, start=1)])


def told_apart(names: Sequence[str]) -> list[str]:
    """Return names that stand only once: a second "a" becomes "a (2)".

    >>> told_apart(["a", "b", "a", "a"])
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
    """Name the columns of a table, at most twenty of them."""
    there = ", ".join(repr(column)[:40] for column in columns[:20])
    return f"its columns are {there}{', ...' if len(columns) > 20 else ''}"


def read_table(path: str | Path) -> pd.DataFrame:
    """Read a whole table whose first row names its columns."""
    table = open_table(path).with_header(True)
    frame = table.read(table.columns)
    named = zip(table.names, table.columns, strict=True)
    frame.columns = pd.Index([name or made for name, made in named])
    return frame


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
    """Return a column of numbers as scores or detections, without gaps unless there may be some."""
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
    """Return a column of numbers, of which some may be missing."""
    return _column(frame, name, file)


def _column(frame: pd.DataFrame, name: str, file: str | Path) -> NumberArray:
    count = list(frame.columns).count(name)
    if not count:
        raise TableError(f"{file}: has no column {name!r}; {listing(list(frame.columns))}")
    if count > 1:
        raise TableError(f"{file}: column {name!r} stands there more than once")
    column = frame[name]
    if column.dtype.kind in "mM":
        raise TableError(f"{file}: column {name!r} holds times, not numbers")
    try:
        numbers = pd.to_numeric(column, errors="coerce")
    except (OverflowError, TypeError):
        raise TableError(f"{file}: column {name!r}: scores must be numbers below 1e308") from None
    if numbers.dtype.kind == "c":
        raise TableError(f"{file}: column {name!r} holds complex numbers")
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
