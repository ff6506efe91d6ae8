"""Write a corpus result as a tidy table, a wide table or LaTeX, and read it back."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import fields
from importlib import import_module
from math import isnan
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from padf_core.corpus.ranking import WILCOXON_NULL
from padf_core.corpus.results import COLUMNS, FORMER, LATER, CorpusResult, Summary, Tidy
from padf_core.corpus.rules import about_rule
from padf_core.corpus.stores import write_whole
from padf_core.io.errors import TableError
from padf_core.io.latex import latex_table
from padf_core.io.open_table import open_table


def write_tidy(result: CorpusResult, path: Path) -> None:
    """Write the tidy table, as Parquet if the name says so, otherwise as CSV."""
    if path.suffix.lower() in (".parquet", ".pq"):
        try:
            arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
        except ImportError:
            raise ValueError(
                f"{path}: writing Parquet needs pyarrow; use a name that ends in .csv"
            ) from None
        columns = {
            name: arrow.array(values, arrow.string() if COLUMNS[name] is str else arrow.float64())
            for name, values in result.columns().items()
        }
        table = arrow.table(columns)
        write_whole(path, lambda file: parquet.write_table(table, file))
    else:
        text = tidy_csv(result).encode()
        write_whole(path, lambda file: file.write(text))


def tidy_csv(result: CorpusResult) -> str:
    """Format the tidy table as CSV."""
    rows = ([getattr(row, name) for name in COLUMNS] for row in result.rows)
    return csv_text(list(COLUMNS), rows)


def csv_text(head: Sequence[str], rows: Any) -> str:
    """Format rows as CSV, with all digits of numbers and empty cells for unknown values."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return out.getvalue()


def _cell(value: object) -> str:
    if isinstance(value, float):
        return "" if isnan(value) else repr(int(value) if value.is_integer() else value)
    return str(value)


def summary_csv(summary: Sequence[Summary]) -> str:
    """Format each detector under each protocol over all series as CSV."""
    head = [field.name for field in fields(Summary)]
    return csv_text(head, ([getattr(row, name) for name in head] for row in summary))


def wide_csv(result: CorpusResult, protocol: str) -> str:
    """Format F1 of one protocol as a table of series by detectors, in TSB-AD's layout."""
    found = result.by_series(protocol)
    head = ["file", *result.detectors]
    rows = (
        [series, *(found[series].get(name, float("nan")) for name in result.detectors)]
        for series in sorted(found)
    )
    return csv_text(head, rows)


def ranks_csv(result: CorpusResult) -> str:
    """Format every pair of detectors under every protocol: wins, losses and p-values."""
    head = ["protocol", "first", "second", "wins", "losses", "series", "p", "p_holm"]
    rows = []
    for protocol in result.protocols:
        ranking = result.ranking(protocol)
        rows += [
            [
                *(protocol, p.first, p.second, p.wins, p.losses, len(ranking.series), p.p, p.holm),
                *(result.rule, WILCOXON_NULL),
            ]
            for p in ranking.pairs
        ]
    head += ["rule", "null_hypothesis"]
    return csv_text(head, rows)


def summary_latex(result: CorpusResult, summary: Sequence[Summary]) -> str:
    """Format pooled F1 and mean rank of every detector and protocol; the best are bold."""
    cell = {(row.detector, row.protocol): row for row in summary}
    best = {
        protocol: max(round(row.pooled_f1, 3) for row in summary if row.protocol == protocol)
        for protocol in result.protocols
    }

    def written(detector: str, protocol: str) -> tuple[str, str]:
        row = cell.get((detector, protocol))
        if row is None:
            return "--", "--"
        f1 = f"{row.pooled_f1:.3f}"
        if round(row.pooled_f1, 3) == best[protocol]:
            f1 = rf"\textbf{{{f1}}}"
        spread = rf" $\pm$ {row.pooled_spread:.3f}" if row.seeds > 1 else ""
        return f"{f1}{spread}", "--" if isnan(row.mean_rank) else f"{row.mean_rank:.2f}"

    heads = [text for each in result.protocols for text in (result.label(each), "rank")]
    rows = [
        [detector, *(text for each in result.protocols for text in written(detector, each))]
        for detector in result.detectors
    ]
    caption = f"Pooled F1 and mean rank over series; thresholds: {about_rule(result.rule)}."
    return latex_table(["Detector", *heads], [rows], caption, "tab:padf-corpus") + "\n"


MOST_ROWS = 300_000
_TOO_MANY = f"has more than {MOST_ROWS:,} rows, the maximum for an opened result"
MOST_DETECTORS = 200
LONGEST_WORD = 100
MOST_COUNTED = 1e15
_STRANGE = ("](", "<", ">", "`", "://", "www.", "\n")
"""Text that is never part of a protocol, setting or rule, and could become a link or an image."""


def read_result(source: str | Path | bytes | BinaryIO, name: str | None = None) -> CorpusResult:
    """Read a tidy table written by this package.

    Parameters
    ----------
    source : str, Path, bytes or file
        The table that ``padf corpus --out`` or `CorpusResult` wrote.
    name : str, optional
        Name of the table in error messages.

    Returns
    -------
    CorpusResult
        The result stored in the table.

    Raises
    ------
    ValueError
        If the source is not such a table.

    Examples
    --------
    >>> from padf_core.io.samples import sample_folder
    >>> names = sorted(path.name for path in (sample_folder() / "corpora").glob("*.csv.gz"))
    >>> len(read_result(sample_folder() / "corpora" / names[0]).rows) > 0
    True
    """
    table = open_table(source, name)
    there = set(table.columns)
    called = {
        column: name for column in COLUMNS for name in (FORMER.get(column), column) if name in there
    }
    missing = [column for column in COLUMNS if column not in called and column not in LATER]
    if missing:
        raise TableError(
            f"{table.name}: is not a corpus result, because it has no column {missing[0]!r}; "
            "results are written by padf corpus"
        )
    if table.estimated_rows > 2 * MOST_ROWS:
        raise TableError(f"{table.name}: {_TOO_MANY}")
    frame = table.read(list(called.values())).rename(
        columns={name: column for column, name in called.items()}
    )
    if len(frame) > MOST_ROWS:
        raise TableError(f"{table.name}: {_TOO_MANY}")
    columns: list[list[Any]] = []
    for column, kind in COLUMNS.items():
        if column not in frame:
            columns.append([float("nan")] * len(frame))
            continue
        if kind is str:
            texts = frame[column].astype(object).where(frame[column].notna(), "")
            columns.append([_text(value) for value in texts])
            continue
        try:
            numbers = frame[column].to_numpy(dtype=np.float64, na_value=np.nan)
        except (ValueError, TypeError):
            raise TableError(f"{table.name}: column {column!r} must have numbers") from None
        columns.append(numbers.tolist())
    result = CorpusResult(tuple(Tidy(*row) for row in zip(*columns, strict=True)))
    if not result.series:
        raise TableError(f"{table.name}: has no series")
    if len(result.detectors) > MOST_DETECTORS:
        raise TableError(f"{table.name}: has more than {MOST_DETECTORS} detectors")
    for row, each in enumerate(result.rows, start=1):
        problem = _problem(each)
        if problem:
            raise TableError(f"{table.name}: row {row}: {problem}")
    alone = {row.protocol for row in result.rows if not row.is_whole}
    for protocol in result.protocols:
        if protocol not in alone:
            raise TableError(f"{table.name}: has no series under {protocol!r}")
    return result


def _problem(row: Tidy) -> str:
    """Return what is invalid in a row, or an empty string."""
    for name in ("protocol", "setting", "rule"):
        text = getattr(row, name)
        if len(text) > LONGEST_WORD or any(mark in text for mark in _STRANGE):
            return f"{name} must be as written by padf corpus; got {text[:LONGEST_WORD]!r}"
    for name in ("precision", "recall", "f1", "random_f1", "random_f1_error", "flagged"):
        value = getattr(row, name)
        if not (isnan(value) or 0 <= value <= 1):
            return f"{name} must be from 0 to 1; got {value:g}"
    for name in ("segments", "detected", "false_alarms", "earned", "claimed", "wanted", "found"):
        value = getattr(row, name)
        if not (0 <= value <= MOST_COUNTED or (row.is_whole and isnan(value))):
            return f"{name} must be a number of at least 0; got {value:g}"
    if not (isnan(row.normal) or 0 <= row.silent <= row.normal <= MOST_COUNTED):
        return f"silent must be from 0 to normal; got {row.silent:g} and {row.normal:g}"
    return ""


def _text(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
