"""An inspected table: its columns, a sample of its rows, and reading in pieces."""

from __future__ import annotations

import io
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Any, BinaryIO, cast

import numpy as np
import pandas as pd

from padf_core.io import csv_text, limits
from padf_core.io.column_values import distinct_names, listing
from padf_core.io.csv_text import (
    NO_WALK,
    Walk,
    as_table_error,
    csv_reader,
    find_separator,
    first_lines,
    has_decimal_commas,
    is_number,
    line_blocks,
    open_unpacked,
    read_block,
    split_fields,
    walk_through,
    with_lines_before,
)
from padf_core.io.errors import TableError
from padf_core.io.options import ReadOptions
from padf_core.metrics.checks import Progress, no_progress

MAX_ROWS = 20_000_000


MAX_COLUMNS = 500


READERS = 2
"""Number of threads that parse pieces of text; pandas' parser releases the GIL."""


SAMPLE_ROWS = 100
"""Number of rows sampled at each of several places in a large file."""


@dataclass(frozen=True, eq=False)
class TableFile:
    """A table that has been inspected but not read."""

    name: str
    """Its name in messages."""
    open: Callable[[], BinaryIO]
    size: int
    """Size of the file in bytes, before decompression."""
    is_parquet: bool
    is_packed: bool
    separator: str
    decimal: str
    walk: Walk
    has_header: bool
    names: tuple[str, ...]
    """The column names in the file."""
    preview: pd.DataFrame
    """The first rows, with the names in `columns`."""
    estimated_rows: int
    frame: pd.DataFrame | None = None
    """All rows, if the table was built in memory."""
    notices: tuple[str, ...] = ()
    """Notices about how the table was built."""
    known: ReadOptions | None = None
    """The roles of the columns, if the table was joined from files."""
    renamed: Mapping[str, str] = field(default_factory=dict)
    """New names of columns in joined files, except detectors."""
    renamed_detectors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """New names of detectors in joined files."""

    @property
    def columns(self) -> list[str]:
        """Unique column names: a second "a" is "a (2)"."""
        return distinct_names(self.names)

    @cached_property
    def sample(self) -> pd.DataFrame:
        """The preview, and rows from other parts of the file if they are available."""
        if self.estimated_rows <= len(self.preview):
            return self.preview
        if self.frame is not None:
            places = np.linspace(
                0, len(self.frame) - 1, len(self.preview) + csv_text.SAMPLES * SAMPLE_ROWS
            )
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
        """Return whole rows from samples after the preview, without duplicates."""
        with self._text() as content:
            begin = sum(map(len, islice(content, len(self.preview) + self.has_header)))
        behind = [place for place in self.walk.stretches if place >= begin]
        chosen = behind[:: max(1, len(behind) // csv_text.SAMPLES)]
        made = []
        for place in chosen:
            lines = self.walk.stretches[place].split(b"\n")[1:-1]
            if lines:
                text = io.BytesIO(b"\n".join(lines[:SAMPLE_ROWS]))
                frame = next(iter(csv_reader(replace(self, has_header=False), text)))
                frame.columns = pd.Index(self.columns)
                made.append(frame)
        return made

    @contextmanager
    def _text(self) -> Iterator[BinaryIO]:
        """Open the text, decompressed."""
        with self.open() as raw, open_unpacked(raw, self.is_packed) as content:
            yield content

    def _parquet_samples(self) -> list[pd.DataFrame]:
        with self.open() as raw:
            file = parquet_file(raw, self.name)
            if file.metadata.num_row_groups > 1:
                groups = range(1, file.metadata.num_row_groups)
                chosen = list(groups)[:: max(1, len(groups) // csv_text.SAMPLES)][
                    : csv_text.SAMPLES
                ]
                batches = [
                    next(file.iter_batches(SAMPLE_ROWS, row_groups=[group])) for group in chosen
                ]
            else:
                # Rows of a single row group can only be reached by reading the rows before them.
                batches = [
                    batch.take(_evenly(batch.num_rows))
                    for batch in islice(file.iter_batches(csv_text.ROWS_AT_ONCE), csv_text.SAMPLES)
                ]
            made = [limits.decoded(batch).to_pandas(ignore_metadata=True) for batch in batches]
        for frame in made:
            frame.columns = pd.Index(self.columns)
        return made

    def with_header(self, has_header: bool) -> TableFile:
        """Return the same table with its first row read as names or as values."""
        if self.is_parquet or self.frame is not None or has_header == self.has_header:
            return self
        return look_at_text(self.name, self.open, self.size, self.is_packed, self.walk, has_header)

    def pieces(
        self, columns: Sequence[str], progress: Progress = no_progress
    ) -> Iterator[tuple[int, pd.DataFrame]]:
        """Yield each piece with these columns only, after the number of rows before it."""
        there = self.columns
        for name in columns:
            if name not in there:
                raise TableError(f"{self.name}: has no column {name!r}; {listing(there)}")
        with as_table_error(self.name):
            # Also read the first column, so that a truncated row is not mistaken for an empty one.
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
        """Count the rows, drop empty rows at the end, and refuse empty rows elsewhere."""
        rows = empty = 0
        for frame in pieces:
            frame.columns = pd.Index(columns)
            kept = _filled_rows(frame)
            if kept and empty:
                raise TableError(f"{self.name}: row {rows + 1} is empty")
            empty += len(frame) - kept
            if rows + kept > MAX_ROWS:
                raise TableError(f"{self.name}: has more than {MAX_ROWS:,} rows, the maximum")
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
            open_unpacked(raw, self.is_packed) as content,
        ):
            warnings.simplefilter("error", pd.errors.ParserWarning)
            read = self._by_line if self.walk.is_by_line else self._in_order
            for frame in read(content, sorted(positions)):
                progress(min(0.99, raw.tell() / max(1, self.size)))
                yield frame.iloc[:, order]

    def _in_order(self, content: BinaryIO, positions: list[int]) -> Iterator[pd.DataFrame]:
        # Read all columns: with a subset, pandas ignores rows with too many fields.
        with limits.Metered(content) as metered, csv_reader(self, metered) as reader:
            for frame in reader:
                metered.came_out()
                yield frame.iloc[:, positions]

    def _by_line(self, content: BinaryIO, positions: list[int]) -> Iterator[pd.DataFrame]:
        """Yield the same rows from blocks of whole lines, parsed in parallel."""
        if self.has_header:
            content.readline()
        # A UTF-8 byte order mark can only come before the header or the first row.
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
                raise pd.errors.ParserError(with_lines_before(str(error), rows)) from None
            rows += len(frame)
            return frame

        with ThreadPoolExecutor(READERS) as readers:
            for at, block in enumerate(line_blocks(content)):
                file = later if at or self.has_header else first
                waiting.append(readers.submit(read_block, file, block, positions))
                if len(waiting) > READERS:
                    yield next_one()
            while waiting:
                yield next_one()

    def _frame_pieces(self, positions: list[int], progress: Progress) -> Iterator[pd.DataFrame]:
        frame = cast(pd.DataFrame, self.frame).iloc[:, positions]
        for first in range(0, len(frame), csv_text.ROWS_AT_ONCE):
            progress(first / len(frame))
            yield frame.iloc[first : first + csv_text.ROWS_AT_ONCE].copy()

    def _parquet_pieces(self, positions: list[int], progress: Progress) -> Iterator[pd.DataFrame]:
        with self.open() as raw:
            file = parquet_file(raw, self.name)
            names = [file.schema_arrow.names[position] for position in positions]
            done = 0
            for batch in file.iter_batches(csv_text.ROWS_AT_ONCE, columns=names):
                frame = limits.decoded(batch).to_pandas(ignore_metadata=True)[names]
                done += len(frame)
                progress(min(0.99, done / max(1, self.estimated_rows)))
                yield frame


def _evenly(rows: int) -> Any:
    """Return evenly spaced positions among ``rows`` rows."""
    return np.unique(np.linspace(0, rows - 1, csv_text.SAMPLES * SAMPLE_ROWS).astype(np.int64))


def _filled_rows(frame: pd.DataFrame) -> int:
    """Return the number of rows up to the last one that is not empty."""
    if frame.iloc[-1:].notna().to_numpy().any():
        return len(frame)
    filled = np.flatnonzero(frame.notna().any(axis=1).to_numpy())
    return int(filled[-1]) + 1 if filled.size else 0


def table_of(frame: pd.DataFrame, name: str) -> TableFile:
    """Return a frame in memory as a table. Index levels become columns."""
    if not isinstance(frame.index, pd.RangeIndex) and (
        frame.index.nlevels > 1 or frame.index.name is not None or frame.index.dtype.kind == "M"
    ):
        frame = frame.reset_index()
    if frame.empty:
        raise TableError(f"{name}: has no rows")
    names = tuple(map(str, frame.columns))
    shown = frame.set_axis(distinct_names(names), axis=1)
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
        preview=shown.head(csv_text.PREVIEW_ROWS),
        estimated_rows=len(frame),
        frame=shown,
    )


def parquet_file(raw: BinaryIO, name: str) -> Any:
    """Open a Parquet file."""
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


def look_at_text(
    name: str,
    opener: Callable[[], BinaryIO],
    size: int,
    is_packed: bool,
    known: Walk | None = None,
    has_header: bool | None = None,
) -> TableFile:
    """Inspect a text table."""
    walk = known or walk_through(opener, is_packed)
    with opener() as raw, open_unpacked(raw, is_packed) as content:
        lines = first_lines(content, walk.encoding)
    is_more = len(lines) > csv_text.PREVIEW_ROWS
    while len(lines) > 1 and not lines[-1].strip():
        lines.pop()
    if not lines or not lines[0].strip():
        raise TableError(f"{name}: is empty or does not start with a header")
    separator = find_separator(lines)
    rows = [split_fields(line, separator) for line in lines[1:]]
    first = split_fields(lines[0], separator)
    if len(first) > MAX_COLUMNS:
        raise TableError(f"{name}: has {len(first):,} columns; at most {MAX_COLUMNS:,} are read")
    if has_header is None:
        numbers = sum(map(is_number, first))
        has_header = not numbers or (bool(rows) and numbers < sum(map(is_number, rows[0])))
    names = first if has_header else [""] * len(first)
    found = TableFile(
        name=name,
        open=opener,
        size=size,
        is_parquet=False,
        is_packed=is_packed,
        separator=separator,
        decimal="," if has_decimal_commas(rows) else ".",
        walk=walk,
        has_header=has_header,
        names=tuple(names),
        preview=pd.DataFrame(),
        estimated_rows=(max(walk.lines, len(lines)) if is_more else len(lines)) - has_header,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error", pd.errors.ParserWarning)
        text = io.BytesIO("".join(lines).encode(walk.encoding))
        preview = next(iter(csv_reader(found, text)), pd.DataFrame())
    if preview.empty:
        raise TableError(f"{name}: has no rows")
    preview.columns = pd.Index(found.columns)
    return replace(found, preview=preview)
