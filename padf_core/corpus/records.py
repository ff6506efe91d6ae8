"""A long table, cut into a file of records for each series, piece by piece."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from padf_core.corpus.stores import writing
from padf_core.io.options import Roles
from padf_core.io.read import label_values
from padf_core.io.tables import TableError, TableFile, label_column, score_column
from padf_core.io.times import TimeReader
from padf_core.metrics.checks import BoolArray, IntArray, NumberArray

if TYPE_CHECKING:
    from padf_core.corpus.layouts import ScoreFile

RECORD = np.dtype(
    [
        ("pair", "<i4"),
        ("time", "<i8"),
        ("is_clock", "i1"),
        ("label", "i1"),
        ("ignored", "i1"),
        ("score", "<f8"),
    ]
)

RECORDS = ".records"
"""How the files of records end."""

NAMES: dict[str, tuple[str, ...]] = {
    "series": ("series", "file", "dataset", "ts", "series_id"),
    "detector": ("detector", "model", "algorithm", "method"),
    "seed": ("seed", "run", "repetition"),
    "label": ("label", "is_anomaly", "anomaly", "y_true"),
    "score": ("score", "anomaly_score", "y_score"),
    "time": ("time", "timestamp"),
    "ignore": ("ignore", "is_ignored"),
}
"""How the columns of a long table may be called."""

NEEDED = ("series", "detector", "label", "score")


@dataclass(frozen=True, eq=False)
class Records:
    """The rows of one detector on one series."""

    scores: NumberArray
    labels: BoolArray
    ignored: BoolArray | None
    stamps: IntArray | None
    is_clock: bool


def columns_of(table: TableFile, said: Mapping[str, str | None]) -> dict[str, str]:
    """Return which column of a long table is what: as somebody says, else by their names."""
    there = table.columns
    lower = {name.strip().lower(): name for name in reversed(there)}
    found = {}
    for role, names in NAMES.items():
        named = said.get(role)
        if named is not None:
            if named not in there:
                raise TableError(f"{table.name}: has no column {named!r}")
            found[role] = named
        else:
            known = next((lower[name] for name in names if name in lower), None)
            if known is not None:
                found[role] = known
    for role in NEEDED:
        if role not in found:
            option = role if role in ("label", "score") else f"{role}-column"
            raise TableError(f"{table.name}: say --{option}, the column with each row's {role}")
    return found


class Cutter:
    """Writes the rows of long tables to a file for each series, piece by piece."""

    def __init__(self, folder: Path, anomaly: str | None = None) -> None:
        self.folder = folder.absolute()
        self.folder.mkdir(parents=True, exist_ok=True)
        self._anomaly = anomaly
        self.pairs: dict[str, dict[tuple[str, str], int]] = {}
        """For each series the number of each detector and seed."""
        self.paths: dict[str, Path] = {}

    def add(self, table: TableFile, said: Mapping[str, str | None]) -> None:
        """Cut one table."""
        named = columns_of(table, said)
        roles = Roles(named["label"], (named["score"],), anomaly=self._anomaly)
        for before, piece in table.pieces(list(dict.fromkeys(named.values()))):
            rows = self._records(piece, named, roles, table.name, before)
            if "time" in named:
                times = TimeReader(table.name, named["time"])
                times.add(piece[named["time"]], before)
                rows["time"], rows["is_clock"] = times.any_order()
            self._write(piece, rows, named, table.name, before)

    def _records(
        self, piece: Any, named: Mapping[str, str], roles: Roles, name: str, before: int
    ) -> np.ndarray:
        rows = np.zeros(len(piece), RECORD)
        rows["label"] = label_values(piece, roles, name, before)
        rows["score"] = score_column(piece, named["score"], name, before, may_miss=True)
        rows["is_clock"] = -1
        rows["ignored"] = -1
        if "ignore" in named:
            rows["ignored"] = label_column(piece, named["ignore"], name, before)
        return rows

    def _write(
        self, piece: Any, rows: np.ndarray, named: Mapping[str, str], name: str, before: int
    ) -> None:
        keys = [named[role] for role in ("series", "detector", "seed") if role in named]
        missing = piece[keys].isna().any(axis=1).to_numpy()
        if missing.any():
            row = before + int(np.argmax(missing)) + 1
            raise TableError(f"{name}: row {row}: every row must name its {', '.join(keys)}")
        places = piece.groupby(keys, sort=False).indices
        for key, own in places.items():
            series, detector, *seed = (str(part).strip() for part in key)
            known = self.pairs.setdefault(series, {})
            pair = known.setdefault((detector, seed[0] if seed else ""), len(known))
            is_new = series not in self.paths
            path = self.paths.setdefault(series, self.folder / f"{len(self.paths)}{RECORDS}")
            rows["pair"][own] = pair
            with writing(path), path.open("wb" if is_new else "ab") as file:
                file.write(rows[np.sort(own)].tobytes())


def read_records(path: Path, wanted: Sequence[ScoreFile]) -> Iterator[Records]:
    """Read the rows of each detector of a series, in the order in which they were brought."""
    rows = np.fromfile(path, RECORD)
    for each in wanted:
        own = rows[rows["pair"] == each.code]
        yield Records(
            own["score"].copy(),
            own["label"] == 1,
            own["ignored"] == 1 if (own["ignored"] >= 0).any() else None,
            own["time"].copy() if (own["is_clock"] >= 0).all() else None,
            bool((own["is_clock"] == 1).all()),
        )
