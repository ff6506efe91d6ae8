"""Split tables with several series into one file of records per series."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from padf_core.corpus.stores import writing
from padf_core.io.column_values import label_column, score_column
from padf_core.io.errors import TableError
from padf_core.io.guess import decide, guesses_in_words
from padf_core.io.options import ReadOptions
from padf_core.io.read_columns import label_values
from padf_core.io.tables import TableFile
from padf_core.io.times import TimeReader
from padf_core.io.timestamps import parse_times
from padf_core.metrics.checks import BoolArray, NumberArray

if TYPE_CHECKING:
    from padf_core.corpus.plan import ScoreFile

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
"""File extension of record files."""


@dataclass(frozen=True, eq=False)
class Records:
    """The rows of one detector on one series."""

    scores: NumberArray
    labels: BoolArray
    ignored: BoolArray | None
    times: TimeReader | None


class Cutter:
    """Splits tables with several series into one file per series, piece by piece.

    A long table has a row for each point of each detector. A wide table has a column for each
    detector, and its rows are written once per detector.
    """

    def __init__(self, folder: Path, given: ReadOptions, *, has_windows: bool = False) -> None:
        self.folder = folder.absolute()
        self.folder.mkdir(parents=True, exist_ok=True)
        self._given = given
        self._has_windows = has_windows
        self.pairs: dict[str, dict[tuple[str, str], int]] = {}
        """For each series, the code of each detector and seed."""
        self.paths: dict[str, Path] = {}
        self.training: dict[str, int] = {}
        """Number of training rows of each series, according to its table's name."""
        self.notices: list[str] = []
        """Guesses about the tables, to be reported."""

    def add(self, table: TableFile) -> None:
        """Split one table."""
        found = decide(table, replace(self._given, low=()))
        options = found.options
        self._check(table, options)
        added = [line for line in guesses_in_words(found, self._given) if line not in self.notices]
        self.notices += added
        way = _way_of(table, options.time)
        keys = [name for name in (options.series, options.detector, options.seed) if name]
        asked = list(dict.fromkeys([*keys, *options.columns]))
        for before, piece in table.pieces(asked):
            missing = piece[keys].isna().any(axis=1).to_numpy()
            if missing.any():
                row = before + int(np.argmax(missing)) + 1
                raise TableError(
                    f"{table.name}: row {row}: every row must name its {', '.join(keys)}"
                )
            for score in options.detectors:
                rows = self._records(piece, options, score, table.name, before)
                if options.time is not None:
                    rows["time"] = parse_times(piece[options.time], way)
                    rows["is_clock"] = way != "number"
                self._write(piece, rows, options, score, table.name)

    def _check(self, table: TableFile, options: ReadOptions) -> None:
        if not options.label and not self._has_windows:
            raise TableError(f"{table.name}: use --label to name the column with the labels")
        if not options.detectors:
            raise TableError(f"{table.name}: use --detector to name the column with the scores")
        if options.detector and len(options.detectors) > 1:
            raise TableError(
                f"{table.name}: column {options.detector!r} names the detector of each row, and "
                f"there are several columns of scores ({', '.join(options.detectors)}); use "
                "--detector to choose one"
            )

    def _records(
        self, piece: Any, options: ReadOptions, score: str, name: str, before: int
    ) -> np.ndarray:
        rows = np.zeros(len(piece), RECORD)
        if options.label:
            rows["label"] = label_values(piece, options, name, before)
        rows["score"] = score_column(piece, score, name, before, may_miss=True)
        rows["is_clock"] = -1
        rows["ignored"] = -1
        if options.ignore:
            rows["ignored"] = label_column(piece, options.ignore, name, before)
        return rows

    def _write(
        self, piece: Any, rows: np.ndarray, options: ReadOptions, score: str, name: str
    ) -> None:
        def texts(column: str | None, else_: str) -> Any:
            if column is None:
                return np.full(len(piece), else_, dtype=object)
            return piece[column].astype(str).str.strip().to_numpy(dtype=object)

        keys = (
            texts(options.series, Path(name).stem),
            texts(options.detector, score),
            texts(options.seed, ""),
        )
        groups: Any = pd.DataFrame(dict(enumerate(keys))).groupby([0, 1, 2], sort=False).indices
        for (series, detector, seed), own in groups.items():
            known = self.pairs.setdefault(series, {})
            pair = known.setdefault((detector, seed), len(known))
            is_new = series not in self.paths
            self.training.setdefault(series, options.training)
            path = self.paths.setdefault(series, self.folder / f"{len(self.paths)}{RECORDS}")
            rows["pair"][own] = pair
            with writing(path), path.open("wb" if is_new else "ab") as file:
                file.write(rows[np.sort(own)].tobytes())


def _way_of(table: TableFile, time: str | None) -> Any:
    """Return the way to parse all times of a table."""
    if time is None:
        return None
    reader = TimeReader(table.name, time)
    for before, piece in table.pieces([time]):
        reader.add(piece[time], before)
    return reader.way()


def read_records(path: Path, wanted: Sequence[ScoreFile]) -> Iterator[Records]:
    """Read the rows of each detector of a series, in the file's order."""
    rows = np.fromfile(path, RECORD)
    for each in wanted:
        own = rows[rows["pair"] == each.code]
        times = None
        if (own["is_clock"] >= 0).all():
            way = "stamp" if (own["is_clock"] == 1).all() else "number"
            times = TimeReader.of_stamps(str(path), "time", own["time"].copy(), way)
        yield Records(
            own["score"].copy(),
            own["label"] == 1,
            own["ignored"] == 1 if (own["ignored"] >= 0).any() else None,
            times,
        )
