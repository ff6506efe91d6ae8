"""Convert long tables, with a row for each point of each detector, to wide tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from padf_core.io.column_values import unique_names
from padf_core.io.errors import MissingError, TableError
from padf_core.io.options import ReadOptions
from padf_core.io.tables import TableFile, table_of


def widen(table: TableFile, options: ReadOptions) -> tuple[TableFile, ReadOptions]:
    """Return a long table with one column per detector, and the options to read it with.

    All detectors of a series must have the same rows: equally many, with the same times and labels.
    Their order may differ if rows are sorted by time.
    """
    if options.detector is None:
        return table, options
    if len(options.detectors) != 1:
        found = ", ".join(options.detectors) or "none"
        raise TableError(
            f"{table.name}: column {options.detector!r} names the detector of each row, so one "
            f"column must have the scores; found {found}. Name it with --detector"
        )
    score = options.detectors[0]
    shared = [options.series, options.time, options.value, options.label, options.ignore]
    keep = list(dict.fromkeys(name for name in shared if name))
    keys = [name for name in (options.detector, options.seed) if name]
    frame = table.read([*keep, *keys, score])
    called = frame[keys].astype(str).apply(lambda row: " ".join(map(str.strip, row)), axis=1)
    names = list(dict.fromkeys(called))
    groups = (
        [("", frame.index)]
        if options.series is None
        else frame.groupby(options.series, sort=False).groups.items()
    )
    pieces = [
        _one_series(table, options, str(series), frame.loc[rows], called.loc[rows], keep, score)
        for series, rows in groups
    ]
    if options.missing == "refuse":
        for (series, _), piece in zip(groups, pieces, strict=True):
            lacking = [name for name in names if name not in piece.columns]
            if lacking:
                raise MissingError(
                    f"{table.name}: series {series} has no row of detector {lacking[0]}"
                )
    wide = pd.concat(pieces, ignore_index=True)
    columns = unique_names([*keep, *names])[len(keep) :]
    wide = wide.rename(columns=dict(zip(names, columns, strict=True)))
    # A detector's name refers to all of its runs.
    detector = dict(zip(called, frame[options.detector].astype(str).str.strip(), strict=True))
    own = dict(zip(columns, names, strict=True))
    low = tuple(c for c in columns if {c, own[c], detector[own[c]]} & set(options.low))
    unknown = [name for name in options.low if name not in {*own, *names, *detector.values()}]
    if unknown:
        raise TableError(f"{table.name}: low names {unknown[0]!r}, which is not a detector")
    made = table_of(wide[[*keep, *columns]], table.name)
    return made, replace(options, detectors=tuple(columns), detector=None, seed=None, low=low)


def _one_series(
    table: TableFile,
    options: ReadOptions,
    series: str,
    frame: Any,
    called: Any,
    keep: list[str],
    score: str,
) -> Any:
    """Return the rows of one series, with one column per detector."""
    made, first = None, ""
    for name, rows in frame.groupby(called, sort=False):
        if options.time and options.order in ("sort", "first"):
            rows = rows.sort_values(options.time, kind="stable")
        own = rows.reset_index(drop=True)
        if made is None:
            made, first = own[keep].copy(), str(name)
        else:
            _check_same(table, options, series, made, own, (first, str(name)))
        made[name] = own[score].to_numpy()
    return made


def _check_same(
    table: TableFile,
    options: ReadOptions,
    series: str,
    made: Any,
    own: Any,
    names: tuple[str, str],
) -> None:
    """Refuse a detector whose rows differ from those of the first detector."""
    where = f"{table.name}: series {series}, " if series else f"{table.name}: "
    first, other = names
    if len(own) != len(made):
        raise TableError(
            f"{where}detector {other} has {len(own):,} rows, and {first} has {len(made):,}. Use "
            "padf corpus, which judges each detector on its own rows"
        )
    for column in (options.time, options.label, options.ignore):
        if column and not made[column].equals(own[column]):
            row = int(np.argmax((made[column] != own[column]).to_numpy()))
            raise TableError(
                f"{where}detector {other}, row {row + 1}: column {column!r} is "
                f"{own[column].iloc[row]}, and for {first} it is {made[column].iloc[row]}. Use "
                "padf corpus, which judges each detector on its own rows"
            )
