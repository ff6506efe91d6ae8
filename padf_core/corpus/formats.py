"""How the files of a corpus are written: found out once for all files with the same head."""

from __future__ import annotations

import gzip
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from padf_core.io.join import Source, part_of
from padf_core.io.options import Roles, guess
from padf_core.io.tables import TableError, TableFile, Walk, open_table
from padf_core.io.times import TimeReader

Kind = Literal["text", "parquet", "array"]

USUAL_SCORE = "anomaly_score"
"""The column that NAB's results hold their scores in, whatever else they hold."""


@dataclass(frozen=True)
class Columns:
    """The columns that somebody named, in place of those that look like it."""

    label: str | None = None
    score: str | None = None
    time: str | None = None
    ignore: str | None = None
    anomaly: str | None = None
    """The entry of the label column that means an anomaly."""
    detectors: tuple[str, ...] = ()
    """The columns of detectors, where a table holds several."""
    series: str | None = None
    """In a long table, the column that names each row's series."""
    detector: str | None = None
    seed: str | None = None


@dataclass(frozen=True)
class Format:
    """How a file is written and what its columns are."""

    kind: Kind
    roles: Roles
    is_packed: bool = False
    separator: str = ","
    decimal: str = "."
    encoding: str = "utf-8"
    has_header: bool = True
    names: tuple[str, ...] = ()
    way: Any = None
    """How its times are read, where that is clear."""
    left_out: tuple[str, ...] = ()
    """Columns that are taken for no detector, and why."""

    def table(self, path: Path, name: str) -> TableFile:
        """Return a file that is written like this, ready to be read."""
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
"""No preview: nobody looks at these tables before they are read."""


class Formats:
    """Finds out how files are written, one file of each kind."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        self._known: dict[tuple[Any, ...], Format] = {}

    def of(self, path: Path) -> Format:
        """Return how a file is written; only the first one with its head is looked at closely."""
        key = _head(path)
        if key not in self._known:
            self._known[key] = self._look_at(path)
        return self._known[key]

    def _look_at(self, path: Path) -> Format:
        if path.suffix == ".npy":
            return Format("array", Roles("", ("score",)))
        table = Source.at(path).table()
        roles, left_out = self._roles(table)
        return Format(
            "parquet" if table.is_parquet else "text",
            roles,
            table.is_packed,
            table.separator,
            table.decimal,
            table.walk.encoding,
            table.has_header,
            table.names,
            _way(table, roles.time),
            left_out,
        )

    def _roles(self, table: TableFile) -> tuple[Roles, tuple[str, ...]]:
        named = self.columns
        if len(table.columns) == 1:
            part = part_of(table.name, table)
            return Roles(part.label or "", part.detectors), ()
        for name in (named.label, named.score, named.time, named.ignore):
            if name is not None and table.names.count(name) > 1:
                raise TableError(f"{table.name}: column {name!r} stands there more than once")
        there = set(table.columns)
        guessed = guess(table)
        found = guessed.roles
        said: dict[str, Any] = {
            key: value
            for key, value in (
                ("label", named.label),
                ("time", named.time),
                ("ignore", named.ignore),
            )
            if value in there
        }
        if named.anomaly is not None:
            said["anomaly"] = named.anomaly
        detectors = tuple(each for each in found.detectors if each not in said.values())
        if named.score is not None and named.score in there:
            detectors = (named.score,)
        if named.detectors:
            detectors = tuple(name for name in named.detectors if name in there)
        why = tuple(f"{name} ({reason})" for name, reason in guessed.left_out.items())
        return replace(found, detectors=detectors, value=None, series=None, **said), why


def _head(path: Path) -> tuple[Any, ...]:
    """Return what tells how a file is written: its first line, or only how many numbers it has."""
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
    """Return the one way in which the times of a table can be read, if there is only one."""
    if time is None:
        return None
    reader = TimeReader(table.name, time)
    for before, piece in table.pieces([time]):
        reader.add(piece[time], before)
    found = reader.all()
    return found[0][1] if len(found) == 1 else None


def score_column_of(form: Format) -> str | None:
    """Return the column with the scores of a file that holds those of one detector."""
    if USUAL_SCORE in form.names:
        return USUAL_SCORE
    detectors = form.roles.detectors
    return detectors[0] if len(detectors) == 1 else None
