"""Read one file of a corpus: the scores of its detectors, labels and times."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from padf_core.corpus.formats import Format
from padf_core.corpus.plan import ScoreFile, SeriesFiles
from padf_core.corpus.records import read_records
from padf_core.io.column_values import label_column, score_column
from padf_core.io.columns import ColumnKind, plain_entries
from padf_core.io.errors import TableError
from padf_core.io.file_parts import read_array
from padf_core.io.guess import guess_anomaly, must_ask
from padf_core.io.join import join_parts
from padf_core.io.labels import labelled_rows
from padf_core.io.matching import FilePart
from padf_core.io.options import ReadOptions
from padf_core.io.read_columns import Columns, label_values, read_columns
from padf_core.io.sources import Source
from padf_core.io.times import TimeReader
from padf_core.io.timestamps import parse_times, ways_to_read
from padf_core.metrics.checks import BoolArray, no_progress

Pair = tuple[str, str]
"""A detector and a seed."""


@dataclass(frozen=True, eq=False)
class _Beside:
    """Labels from a separate file, row by row."""

    file: str
    labels: BoolArray
    ignored: BoolArray | None = None
    times: TimeReader | None = None


def columns_of(
    path: Path,
    wanted: Sequence[ScoreFile],
    files: SeriesFiles,
    beside: _Beside | None,
    times: TimesOfFiles,
    given: ReadOptions,
) -> Iterator[tuple[Columns, dict[str, Pair]]]:
    """Yield the columns of a file, with the detector and seed of each score column.

    A file of records yields each detector separately.
    """
    form, name = wanted[0].format, str(path)
    if form is None:
        for each, rows in zip(wanted, read_records(path, wanted), strict=True):
            key = _key(each)
            columns = Columns(name, rows.labels, {key: rows.scores}, rows.times, rows.ignored)
            labelled = _labelled(columns, rows.labels, files, beside)
            yield labelled, {key: (each.detector, each.seed)}
        return
    keys = {_key(each): (each.detector, each.seed) for each in wanted}
    if form.kind == "array":
        scores = {_key(each): read_array(Source.at(path)) for each in wanted}
        size = next(iter(scores.values())).size
        yield _labelled(Columns(name, no_rows(size), scores), None, files, beside), keys
        return
    options = form.options
    has_own_labels = beside is None and files.windows is None
    if has_own_labels and not options.label:
        raise TableError("has no labels; use --label or --labels")
    asked = [options.time, options.ignore, *(each.column for each in wanted)]
    if has_own_labels:
        asked.append(options.label)
    frame = form.table(path, name).read(list(dict.fromkeys(c for c in asked if c)))
    labels = _own_labels(frame, options, name, given.anomaly) if has_own_labels else None
    columns = Columns(
        name,
        no_rows(len(frame)),
        {
            _key(each): score_column(frame, each.column or "", name, may_miss=True)
            for each in wanted
        },
        times.read(frame, form, name),
        label_column(frame, options.ignore, name) if options.ignore else None,
    )
    if beside is not None and _times_differ(columns.times, beside.times):
        yield _matched(path, wanted, files.labels, given.anomaly), keys
    else:
        yield _labelled(columns, labels, files, beside), keys


def _own_labels(frame: Any, options: ReadOptions, name: str, anomaly: str | None) -> BoolArray:
    """Return the labels of a file. The label that means an anomaly may differ between files."""
    if anomaly is None:
        anomaly = _guessed_anomaly(frame[options.label], name)
    return label_values(frame, replace(options, anomaly=anomaly), name)


def _guessed_anomaly(column: Any, name: str) -> str | None:
    kind = ColumnKind(str(column.name), plain_entries(column))
    anomaly = guess_anomaly(kind)
    if anomaly is None and must_ask(kind):
        raise TableError(
            f"{name}: column {kind.name!r} holds {', '.join(kind.words)}; use --anomaly to say "
            "which one means an anomaly"
        )
    return anomaly


def _times_differ(one: TimeReader | None, other: TimeReader | None) -> bool:
    if one is None or other is None or one is other:
        return False
    return not np.array_equal(one.all()[0][0], other.all()[0][0])


def _matched(
    path: Path, wanted: Sequence[ScoreFile], labels: ScoreFile | None, anomaly: str | None
) -> Columns:
    """Join a file with its labels by time, as `padf evaluate` does."""
    form = wanted[0].format
    assert form is not None
    assert labels is not None
    assert labels.format is not None
    scored = ReadOptions(
        detectors=tuple(each.column or "" for each in wanted),
        time=form.options.time,
        ignore=form.options.ignore,
    )
    beside, column = labels.format.table(labels.path, str(labels.path)), labels.column or ""
    if anomaly is None:
        anomaly = _guessed_anomaly(beside.read([column])[column], beside.name)
    options = labels.format.options
    labelled = ReadOptions(column, time=options.time, ignore=options.ignore, anomaly=anomaly)
    table = join_parts(
        [
            FilePart(str(path), form.table(path, str(path)), scored),
            FilePart(beside.name, beside, labelled, holds_labels=True),
        ]
    )
    assert table.known is not None
    columns = read_columns(table, replace(table.known, missing="quiet"), no_progress)
    scores = zip(map(_key, wanted), columns.scores.values(), strict=True)
    return replace(columns, file=str(path), scores=dict(scores))


def _key(file: ScoreFile) -> str:
    return f"{file.detector}, seed {file.seed}" if file.seed else file.detector


def no_rows(size: int) -> BoolArray:
    """Return a mask that is False in every row."""
    return np.zeros(size, dtype=np.bool_)


def _labelled(
    columns: Columns, labels: BoolArray | None, files: SeriesFiles, beside: _Beside | None
) -> Columns:
    """Return the columns with labels from the file itself, a separate table, or windows."""
    size = columns.labels.size
    if beside is not None:
        if beside.labels.size != size:
            raise TableError(
                f"has {size:,} rows, but {beside.file} has {beside.labels.size:,} labels"
            )
        ignored = [mask for mask in (columns.ignored, beside.ignored) if mask is not None]
        columns = replace(
            columns,
            times=columns.times or beside.times,
            ignored=np.logical_or.reduce(ignored) if ignored else None,
        )
        labels = beside.labels
    if files.windows is not None:
        stamps = None
        if not files.windows.is_rows and columns.times is not None:
            stamps = columns.times.single()
        entries = files.windows.of(files.name) or ()
        labels = labelled_rows(files.windows, entries, size, stamps)
    if labels is None:
        raise TableError("it has no labels; add a table or windows with --labels")
    return replace(columns, labels=labels)


class TimesOfFiles:
    """Reads time columns; detectors on the same series usually share them."""

    def __init__(self) -> None:
        self._last: tuple[Any, Any, TimeReader] | None = None

    def read(self, frame: Any, form: Format, name: str) -> TimeReader | None:
        """Return the times of the rows, read in the way of the first file like it if possible."""
        time = form.options.time
        if time is None:
            return None
        column, last = frame[time], self._last
        if last is None or last[0] != form.way or not last[1].equals(column):
            last = (form.way, column, _parsed(column, form.way, name, time))
            self._last = last
        return last[2]


def _parsed(column: Any, way: Any, name: str, time: str) -> TimeReader:
    if way is not None and way in ways_to_read(column):
        found = parse_times(column, way)
        if found is not None:
            return TimeReader.of_stamps(name, time, found, way)
    reader = TimeReader(name, time)
    reader.add(column)
    return reader


def labels_beside(file: ScoreFile, times: TimesOfFiles, anomaly: str | None) -> _Beside:
    """Read a table of labels."""
    form, name = file.format, str(file.path)
    assert form is not None
    if form.kind == "array":
        values = read_array(Source.at(file.path))
        if not ((values == 0) | (values == 1)).all():
            raise TableError(f"{name}: labels must be 0 or 1")
        return _Beside(name, values == 1)
    options = replace(form.options, label=file.column or "")
    asked = [options.time, options.label, options.ignore]
    frame = form.table(file.path, name).read([each for each in asked if each])
    return _Beside(
        name,
        _own_labels(frame, options, name, anomaly),
        label_column(frame, options.ignore, name) if options.ignore else None,
        times.read(frame, form, name),
    )
