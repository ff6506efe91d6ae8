"""Detect the format of a corpus' files, once for all files with the same header."""

from __future__ import annotations

import gzip
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from padf_core.io.csv_text import Walk
from padf_core.io.errors import TableError
from padf_core.io.file_parts import part_of
from padf_core.io.guess import complete
from padf_core.io.open_table import open_table
from padf_core.io.options import NOTHING, ReadOptions
from padf_core.io.sources import Source
from padf_core.io.tables import TableFile
from padf_core.io.times import TimeReader

Kind = Literal["text", "parquet", "array"]

USUAL_SCORE = "anomaly_score"
"""The score column in NAB's results, whatever other columns they have."""


@dataclass(frozen=True)
class Format:
    """The format of a file, and the roles of its columns."""

    kind: Kind
    options: ReadOptions
    is_packed: bool = False
    separator: str = ","
    decimal: str = "."
    encoding: str = "utf-8"
    has_header: bool = True
    names: tuple[str, ...] = ()
    way: Any = None
    """How times are parsed, if that is unambiguous."""
    left_out: tuple[str, ...] = ()
    """Columns that are not detectors, and why."""

    def table(self, path: Path, name: str) -> TableFile:
        """Return a file in this format, ready to be read."""
        return TableFile(
            name=name,
            open=lambda: path.open("rb"),
            size=path.stat().st_size,
            is_parquet=self.kind == "parquet",
            is_packed=self.is_packed,
            separator=self.separator,
            decimal=self.decimal,
            walk=Walk(self.encoding, 0, {}),
            has_header=self.has_header,
            names=self.names,
            preview=_NOTHING,
            estimated_rows=0,
        )


_NOTHING: Any = None
"""These tables are read without a preview."""


class Formats:
    """Detects the formats of files.

    Files with the same header share a format. A column is a detector in all of them if it looks
    like one in any of them.
    """

    def __init__(self, options: ReadOptions, *, holds_labels: bool = False) -> None:
        self.options = options
        self._holds_labels = holds_labels
        self._known: dict[tuple[Any, ...], Format] = {}
        self.columns: set[str] = set()
        """All columns of the inspected files."""

    def of(self, path: Path) -> Format:
        """Return the format of a file; only the first file with its header is inspected."""
        key = _head(path)
        if key not in self._known:
            self._known[key] = self._inspect(path)
        return self._known[key]

    def learn(self, path: Path) -> None:
        """Inspect one more file; its detector columns are detectors in all files like it."""
        key = _head(path)
        known = self._known.get(key)
        if known is None or known.kind == "array" or self.options.detectors:
            self.of(path)
            return
        more = self._inspect(path)
        detectors = dict.fromkeys([*known.options.detectors, *more.options.detectors])
        left_out = tuple(
            note for note in known.left_out if note.partition(" (")[0] not in detectors
        )
        options = replace(known.options, detectors=tuple(detectors))
        self._known[key] = replace(known, options=options, left_out=left_out)

    def _inspect(self, path: Path) -> Format:
        if path.suffix == ".npy":
            values = {"label": "score"} if self._holds_labels else {"detectors": ("score",)}
            return Format("array", replace(NOTHING, **values))
        table = Source.at(path).table()
        options, left_out = self._options(table)
        return Format(
            "parquet" if table.is_parquet else "text",
            options,
            table.is_packed,
            table.separator,
            table.decimal,
            table.walk.encoding,
            table.has_header,
            table.names,
            _way(table, options.time),
            left_out,
        )

    def _options(self, table: TableFile) -> tuple[ReadOptions, tuple[str, ...]]:
        self.columns.update(table.columns)
        if len(table.columns) == 1:
            return part_of(table, self.options, holds_labels=self._holds_labels).options, ()
        there, asked = set(table.columns), self.options
        named = () if self._holds_labels else asked.detectors
        # Files of one corpus may differ: a named column need not be in all of them.
        given = ReadOptions(
            label=asked.label if asked.label in there else "",
            detectors=tuple(name for name in named if name in there),
            time=asked.time if asked.time in there else None,
            ignore=asked.ignore if asked.ignore in there else None,
            anomaly=asked.anomaly,
        )
        found = complete(table, given)
        why = tuple(f"{name} ({reason})" for name, reason in found.left_out.items())
        return replace(found.options, value=None, training=0), why


def _head(path: Path) -> tuple[Any, ...]:
    """Return what identifies a format: the header, or the numbers of separators without one."""
    if path.suffix == ".npy":
        return ("array",)
    try:
        with path.open("rb") as file:
            start = file.read(4)
            if start == b"PAR1":
                return ("parquet", open_table(path).names)
            is_packed = start[:2] == b"\x1f\x8b"
            file.seek(0)
            with gzip.open(file) if is_packed else file as content:
                line = content.readline(1 << 20)
    except (OSError, EOFError) as error:
        raise TableError(f"{path}: cannot be read: {error}") from None
    if any(mark.isalpha() for mark in line.decode("latin-1").replace("e", "")):
        return ("text", is_packed, line)
    return ("numbers", is_packed, *(line.count(mark) for mark in b",;\t|"))


def _way(table: TableFile, time: str | None) -> Any:
    """Return the way to parse a table's times, if there is only one."""
    if time is None:
        return None
    reader = TimeReader(table.name, time)
    for before, piece in table.pieces([time]):
        reader.add(piece[time], before)
    found = reader.all()
    return found[0][1] if len(found) == 1 else None


def score_column_of(form: Format, asked: ReadOptions) -> str | None:
    """Return the score column of a file with one detector, or None if it is unclear."""
    named = [name for name in asked.detectors if name in form.names]
    if len(named) == 1:
        return named[0]
    if USUAL_SCORE in form.names:
        return USUAL_SCORE
    detectors = form.options.detectors
    return detectors[0] if len(detectors) == 1 else None
