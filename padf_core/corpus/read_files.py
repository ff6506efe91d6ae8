"""One series of a corpus: its files, read by the same pipeline as a single table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from padf_core.corpus.formats import Format
from padf_core.corpus.plan import LeftOut, ScoreFile, SeriesFiles, shown_path
from padf_core.corpus.records import read_records
from padf_core.io.arrange import Arranged, arrange
from padf_core.io.column_values import label_column, score_column, told_apart
from padf_core.io.columns import ColumnKind, plain_entries
from padf_core.io.errors import TableError
from padf_core.io.file_parts import read_array
from padf_core.io.guess import guess_anomaly, must_ask
from padf_core.io.join import join_parts
from padf_core.io.labels import labelled_rows, moment_rows
from padf_core.io.matching import Part
from padf_core.io.options import ReadOptions
from padf_core.io.read_columns import Columns, label_values, read_columns
from padf_core.io.series import Series, make_series
from padf_core.io.sources import Source
from padf_core.io.times import Clock, TimeReader, parse_times, ways_to_read
from padf_core.metrics.checks import BoolArray, NumberArray, no_progress
from padf_core.metrics.onset import Onset
from padf_core.metrics.rows import Rows


@dataclass(frozen=True, eq=False)
class Scored:
    """One detector's scores on one series, ready to be judged."""

    detector: str
    seed: str
    labels: BoolArray
    scores: NumberArray
    rows: Rows
    clock: Clock | None
    days: float | None
    """How long the scored rows last, if there is a clock."""
    training: int
    """The number of first rows on which thresholds are chosen."""
    is_inverted: bool = False
    """Whether low scores of the file mean an anomaly."""


Pair = tuple[str, str]
"""A detector and a seed."""


class Found(NamedTuple):
    """What was read of a series."""

    scored: list[Scored]
    left_out: list[LeftOut]
    dropped: list[Pair]
    """The detectors that ``missing="drop"`` leaves out, here and in every other series."""


def read_series_files(
    files: SeriesFiles, options: ReadOptions, *, scores_training: bool = False
) -> Found:
    """Read every detector of a series. What cannot be read is left out with its reason."""
    dropped: list[Pair] = []
    left_out: list[LeftOut] = []
    times = _Times()
    try:
        beside = (
            None if files.labels is None else _labels_beside(files.labels, times, options.anomaly)
        )
    except TableError as error:
        return Found([], [LeftOut(files.name, str(error), is_bad=True)], [])
    options = replace(options, training=files.training)
    read: list[tuple[Arranged, dict[str, Pair]]] = []
    for path, own in groupby(files.scores, lambda each: each.path):
        try:
            for columns, names in _columns(path, list(own), files, beside, times, options):
                left_out += [LeftOut(files.name, notice) for notice in columns.notices]
                for key, missing in _take_out_missing(columns, names, files.name, options):
                    left_out.append(missing)
                    if options.missing == "drop":
                        dropped.append(names[key])
                if columns.scores:
                    low = tuple(key for key, (name, _) in names.items() if name in options.low)
                    asked = replace(options, low=low)
                    arranged = arrange(columns, asked, scores_training=scores_training)
                    read.append((arranged, names))
        except (TableError, ValueError, OSError) as error:
            left_out.append(
                LeftOut(f"{files.name}, {shown_path(path)}", _reason(error, path), is_bad=True)
            )
    made: list[Scored] = []
    for arranged, names in read:
        try:
            made += _scored(files, arranged, names, _missing_elsewhere(arranged, read))
        except (TableError, ValueError) as error:
            left_out.append(LeftOut(files.name, str(error), is_bad=True))
    return Found(made, left_out, dropped)


def as_series(name: str, scored: Sequence[Scored]) -> Series:
    """Return one series with the detectors that have the same rows and labels as the first."""
    first = scored[0]
    same = [each for each in scored if _is_alike(each, first)]
    names = told_apart([f"{each.detector} {each.seed}".strip() for each in same])
    scores = {called: each.scores for called, each in zip(names, same, strict=True)}
    made = make_series(name, first.labels, scores, first.clock, rows=first.rows)
    detectors = (
        replace(detector, is_inverted=each.is_inverted)
        for detector, each in zip(made.detectors, same, strict=True)
    )
    return replace(made, detectors=tuple(detectors))


def _is_alike(one: Scored, other: Scored) -> bool:
    first, second = one.rows.counts, other.rows.counts
    if first is None or second is None:
        return first is second and np.array_equal(one.labels, other.labels)
    return np.array_equal(first, second) and np.array_equal(one.labels, other.labels)


def _reason(error: Exception, path: Path) -> str:
    return str(error).removeprefix(f"{path}: ")


# ---- one file ------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Beside:
    """Labels in a file of their own, row by row."""

    file: str
    labels: BoolArray
    ignored: BoolArray | None = None
    times: TimeReader | None = None


def _columns(
    path: Path,
    wanted: Sequence[ScoreFile],
    files: SeriesFiles,
    beside: _Beside | None,
    times: _Times,
    given: ReadOptions,
) -> Iterator[tuple[Columns, dict[str, Pair]]]:
    """Yield what a file holds, with the detector and seed of each column of scores.

    A file of records holds each detector by itself.
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
        yield _labelled(Columns(name, _none(size), scores), None, files, beside), keys
        return
    options = form.options
    with_labels = beside is None and files.windows is None
    if with_labels and not options.label:
        raise TableError("holds no labels; say --label or --labels")
    asked = [options.time, options.ignore, *(each.column for each in wanted)]
    if with_labels:
        asked.append(options.label)
    frame = form.table(path, name).read(list(dict.fromkeys(c for c in asked if c)))
    labels = _own_labels(frame, options, name, given.anomaly) if with_labels else None
    columns = Columns(
        name,
        _none(len(frame)),
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
    """Return the labels of a file. Which one means an anomaly may differ from file to file."""
    if anomaly is None:
        anomaly = _guessed_anomaly(frame[options.label], name)
    return label_values(frame, replace(options, anomaly=anomaly), name)


def _guessed_anomaly(column: Any, name: str) -> str | None:
    kind = ColumnKind(str(column.name), plain_entries(column))
    anomaly = guess_anomaly(kind)
    if anomaly is None and must_ask(kind):
        raise TableError(
            f"{name}: column {kind.name!r} holds {', '.join(kind.words)}: say which one means an "
            "anomaly (--anomaly)"
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
            Part(str(path), form.table(path, str(path)), scored),
            Part(beside.name, beside, labelled, holds_labels=True),
        ]
    )
    assert table.known is not None
    columns = read_columns(table, replace(table.known, missing="quiet"), no_progress)
    scores = zip(map(_key, wanted), columns.scores.values(), strict=True)
    return replace(columns, file=str(path), scores=dict(scores))


def _key(file: ScoreFile) -> str:
    return f"{file.detector}, seed {file.seed}" if file.seed else file.detector


def _none(size: int) -> BoolArray:
    return np.zeros(size, dtype=np.bool_)


def _labelled(
    columns: Columns, labels: BoolArray | None, files: SeriesFiles, beside: _Beside | None
) -> Columns:
    """Return the columns with their labels: the file's own, those beside it, or windows."""
    size = columns.labels.size
    if beside is not None:
        if beside.labels.size != size:
            raise TableError(
                f"has {size:,} rows, where {beside.file} has {beside.labels.size:,} labels"
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
        raise TableError("there are no labels for it: add a table or windows (--labels)")
    return replace(columns, labels=labels)


class _Times:
    """Reads columns of times. Detectors on the same series mostly have the same ones."""

    def __init__(self) -> None:
        self._last: tuple[Any, Any, TimeReader] | None = None

    def read(self, frame: Any, form: Format, name: str) -> TimeReader | None:
        """Return the times of the rows, read as those of the first file like it, if that works."""
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


def _labels_beside(file: ScoreFile, times: _Times, anomaly: str | None) -> _Beside:
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


# ---- all detectors of a series -------------------------------------------------------------------


def _take_out_missing(
    columns: Columns, names: dict[str, Pair], series: str, options: ReadOptions
) -> Iterator[tuple[str, LeftOut]]:
    """Take out the detectors whose missing scores forbid it; yield which and why."""
    for key, column in list(columns.scores.items()):
        missing = np.isnan(column) if column.dtype.kind == "f" else _none(column.size)
        if not missing.any() or (options.missing in ("quiet", "ignore") and not missing.all()):
            continue
        row = int(np.flatnonzero(missing)[0]) + 1
        why = f"row {row}: scores must be numbers; got nothing"
        if missing.all():
            why = "has no score at all"
        elif options.missing == "refuse":
            why += "; say --missing quiet or ignore"
        del columns.scores[key]
        yield key, LeftOut(f"{series}, {names[key][0]}", why, options.missing == "refuse")


def _missing_elsewhere(
    arranged: Arranged, read: Sequence[tuple[Arranged, Any]]
) -> BoolArray | None:
    """Return the rows on which a detector of another file has no score.

    Rows with missing scores are ignored for all detectors, so that all are judged on the same rows.
    Files whose rows differ are left alone.
    """
    if arranged.options.missing != "ignore":
        return None
    masks = [
        mask
        for other, _ in read
        if other is not arranged and other.size == arranged.size
        for mask in other.missing.values()
        if _same_times(other, arranged)
    ]
    return np.logical_or.reduce(masks) if masks else None


def _same_times(one: Arranged, other: Arranged) -> bool:
    if one.stamps is None or other.stamps is None:
        return one.stamps is other.stamps
    return np.array_equal(one.stamps, other.stamps)


def _scored(
    files: SeriesFiles,
    arranged: Arranged,
    names: dict[str, Pair],
    also_missing: BoolArray | None,
) -> Iterator[Scored]:
    """Yield each detector of a file."""
    options = replace(arranged.options, onset=_onset(files, arranged))
    series = replace(arranged, options=options).series(also_missing)
    for detector in series.detectors:
        name, seed = names[detector.name]
        yield Scored(
            name,
            seed,
            detector.labels,
            detector.scores,
            detector.rows,
            series.clock,
            series.days,
            options.training_rows(series.size),
            detector.is_inverted,
        )


def _onset(files: SeriesFiles, arranged: Arranged) -> Onset | None:
    """Return where segments begin. A moment is the first row at or after it."""
    onset = arranged.options.onset
    if files.moments is None:
        return onset
    entries = files.moments.of(files.name) or ()
    rows = moment_rows(files.moments, entries, arranged.size, arranged.stamps)
    return replace(onset or Onset(), moments=rows)
