"""Several files that belong together, joined into one table.

Each detector may have a file of its own, and labels may stand beside them: as columns, as windows
of time or as intervals of rows. Rows belong together by their place if the times are the same or
there are none, and otherwise by their time. Whatever does not fit is reported with file and row.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import PurePath
from typing import Any

import numpy as np
import pandas as pd

from padf_core.io.column_values import label_column, told_apart
from padf_core.io.columns import ColumnKind, entries_like, plain_entries, word_of
from padf_core.io.errors import TableError
from padf_core.io.guess import complete, guess_anomaly, training_end
from padf_core.io.labels import (
    Windows,
    is_interval_line,
    labelled_rows,
    moment_rows,
    read_intervals,
    read_moment_lines,
    read_sequences,
    rows_in,
    windows_of,
)
from padf_core.io.long import widen
from padf_core.io.matching import JoinedRows, Part, join_rows
from padf_core.io.options import NOTHING, ReadOptions
from padf_core.io.series import Series
from padf_core.io.sources import Source
from padf_core.io.tables import TableFile, table_of
from padf_core.metrics.checks import BoolArray, IntArray, NumberArray

LABEL, TIME, VALUE, SERIES, IGNORED = "label", "time", "value", "series", "ignored"
"""What the columns of joined files are called."""
FROM_ONSET = "label from the labelled moment"
LARGEST_JSON = 50_000_000
MOST_FILES = 200
MOST_NAMED = 20

_JSON_LINES = (".jsonl", ".ndjson")
_JSON = (".json", *_JSON_LINES)
_GENERIC = re.compile(
    r"(anomaly|outlier|raw|final)?[ _-]?(scores?|predictions?|probabilit(y|ies)|value)|column \d+",
    re.I,
)


def open_files(sources: Sequence[Source | TableFile], given: ReadOptions = NOTHING) -> TableFile:
    """Look at a table as it is; JSON, arrays and several files become one."""
    first = sources[0] if len(sources) == 1 else None
    if isinstance(first, TableFile):
        return first
    if first is not None and not first.name.lower().endswith((*_JSON, ".npy")):
        return first.table()
    return join_files(sources, given=given)


def join_files(
    sources: Sequence[Source | TableFile], name: str | None = None, given: ReadOptions = NOTHING
) -> TableFile:
    """Join files into one table: a label, the time and signal of the first, and all detectors.

    Columns that are named in ``given`` have that use in every file that holds them. Labels of a
    file that was given as the one with the labels replace all others.
    """
    if not sources:
        raise TableError("there is no file to read")
    if len(sources) > MOST_FILES:
        raise TableError(f"at most {MOST_FILES} files can be joined; got {len(sources)}")
    parts: list[Part] = []
    windows: list[Windows] = []
    for source in sources:
        read = _read(source, given)
        if isinstance(read, Windows):
            windows.append(read)
        else:
            parts.append(read)
    if not parts:
        raise TableError(f"{sources[0].name}: holds only labels; add the files with scores")
    used = _chosen_windows(parts, windows)
    if given.anomaly and not any(part.options.anomaly == given.anomaly for part in parts):
        raise TableError(f"no file has labels of which one is {given.anomaly!r}")
    made = join_parts(_with_labels(parts, used), used, name)
    unused = [f"{each.name} is not used" for each in windows if each not in used]
    return replace(made, notices=(*made.notices, *unused))


def _chosen_windows(parts: Sequence[Part], windows: Sequence[Windows]) -> list[Windows]:
    """Return the windows that are used: none beside given labels, and those that were given."""
    moments = [each for each in windows if each.are_moments]
    given = [each for each in windows if each.holds_labels]
    if any(part.holds_labels for part in parts):
        return moments if any(part.label for part in parts) and not given else []
    return [*given, *(each for each in moments if each not in given)] if given else list(windows)


def _with_labels(parts: Sequence[Part], windows: Sequence[Windows]) -> list[Part]:
    """Return the files, with the labels found by content if no name says which file has them.

    A file that holds nothing but 0 and 1 in one column has the labels, if it is the only one.
    """
    if windows or any(part.label for part in parts):
        return list(parts)
    flags = [part for part in parts if part.is_flag]
    if not flags or len(flags) == len(parts):
        return list(parts)
    if len(flags) > 1:
        raise TableError(
            f"{', '.join(part.name for part in flags)}: each holds only 0 and 1, so it is not "
            'clear which one has the labels. Use --labels, or put "label" into its name'
        )
    only = flags[0]
    labelled = replace(only, options=ReadOptions(label=only.detectors[0]))
    return [labelled if part is only else part for part in parts]


def read_moments(source: Source, files: Sequence[str], series: Series) -> tuple[int, ...]:
    """Return the rows of the moments that a file gives for a series read from ``files``.

    The file is JSON as NAB's combined_labels.json, a list of times or rows as JSON, or one of them
    a line. A moment between two rows is the later one.
    """
    is_json = source.name.lower().endswith(_JSON)
    told = read_json(source) if is_json else read_moment_lines(source, LARGEST_JSON)
    if not isinstance(told, Windows) or not told.are_moments:
        raise TableError(f"{source.name}: must hold moments: times, or whole numbers of rows")
    entries = next((found for file in files if (found := told.of(file)) is not None), None)
    if entries is None:
        raise TableError(f"{source.name}: says nothing of {' or '.join(files)}")
    if not told.is_rows and series.rows.begins is not None:
        raise TableError(f"{source.name}: holds times, and the rows are of several series")
    stamps = None if series.clock is None else series.clock.all()
    return moment_rows(told, entries, series.size, stamps)


# ---- what each file is ---------------------------------------------------------------------------


def _read(source: Source | TableFile, given: ReadOptions) -> Part | Windows:
    if isinstance(source, TableFile):
        return part_of(source, given)
    lower = source.name.lower()
    if lower.endswith(".npy"):
        table = table_of(pd.DataFrame({"score": read_array(source)}), source.name)
    elif lower.endswith(_JSON):
        found = read_json(source)
        if isinstance(found, Windows):
            return replace(found, holds_labels=source.holds_labels)
        table = found
    else:
        intervals = read_interval_file(source)
        if intervals is not None:
            return replace(intervals, holds_labels=source.holds_labels)
        table = source.table()
        if "anomaly_sequences" in table.columns:
            return replace(read_sequences(table), holds_labels=source.holds_labels)
    return part_of(table, given, holds_labels=source.holds_labels)


def read_interval_file(source: Source) -> Windows | None:
    """Read a file of intervals of rows; None if it is another kind of file."""
    with source.open() as raw:
        beginning = raw.read(4096)
    first = beginning.decode("utf-8", "replace").strip().splitlines()
    is_one = bool(first) and is_interval_line(first[0])
    return read_intervals(source, LARGEST_JSON) if is_one else None


def read_array(source: Source) -> NumberArray:
    """Read one number for each row from a file of numpy's."""
    try:
        values: NumberArray = np.load(io.BytesIO(source.read(2_000_000_000)), allow_pickle=False)
    except TableError:
        raise
    except Exception:
        # A header is read as a line of Python: it can be wrong in any way in which such a line can.
        raise TableError(f"{source.name}: cannot be read as an array of numbers") from None
    values = np.squeeze(values)
    if values.ndim != 1 or values.dtype.kind not in "biuf":
        raise TableError(f"{source.name}: must hold one number for each row")
    return values


def read_json(source: Source) -> TableFile | Windows:
    """Read rows, or what is said of each file: windows or moments."""
    content = source.read(LARGEST_JSON)
    try:
        is_lines = source.name.lower().endswith(_JSON_LINES)
        found = list(map(json.loads, content.splitlines())) if is_lines else json.loads(content)
    except (ValueError, RecursionError):
        raise TableError(f"{source.name}: is not JSON that can be read") from None
    if isinstance(found, list) and found and all(isinstance(row, dict) for row in found):
        return table_of(pd.DataFrame(found), source.name)
    return windows_of(source.name, found)


def part_of(table: TableFile, given: ReadOptions = NOTHING, *, holds_labels: bool = False) -> Part:
    """Return what the columns of a file are: as ``given``, else as they seem.

    A single column is a label or a detector. A file that was given as the one with the labels has
    no detectors.
    """
    if len(table.columns) == 1:
        return _single(table, given, holds_labels)
    there = set(table.columns)
    fields = ("label", "time", "value", "series", "ignore", "detector", "seed")
    named = {field: name for field in fields if (name := getattr(given, field)) in there}
    detectors = tuple(name for name in given.detectors if name in there and not holds_labels)
    asked = replace(NOTHING, detectors=detectors, **named)
    asked = replace(asked, order=given.order, missing=given.missing)
    found = complete(table, asked)
    options = found.options
    if options.label:
        options = replace(options, anomaly=_anomaly(found.kinds[options.label], given))
    if holds_labels:
        if not options.label:
            raise TableError(f"{table.name}: say which column holds the labels")
        options = replace(options, value=None, detectors=(), detector=None, seed=None)
        return Part(table.name, table, options, holds_labels=True)
    wide, named_detectors = widen(table, options)
    called = {}
    if options.detector is not None:
        called = {options.detectors[0]: named_detectors.detectors}
    return Part(table.name, wide, named_detectors, called=called, left_out=found.left_out)


def _anomaly(label: ColumnKind, given: ReadOptions) -> str | None:
    """Return the label that means an anomaly: the given one, if the file has it."""
    if given.anomaly and entries_like(label.head, given.anomaly).any():
        return given.anomaly
    return guess_anomaly(label)


def _single(table: TableFile, given: ReadOptions, holds_labels: bool) -> Part:
    only = table.columns[0]
    kind = ColumnKind(only, plain_entries(table.sample[only]))
    says_label = kind.label_rank is not None or "label" in PurePath(table.name).name.lower()
    if given.label == only or holds_labels:
        is_label = True
    else:
        is_label = kind.is_flag and says_label and only not in given.detectors
    if is_label:
        options = ReadOptions(label=only, anomaly=_anomaly(kind, given))
    else:
        options = ReadOptions(detectors=(only,))
    return Part(table.name, table, options, not is_label and kind.is_flag, holds_labels)


# ---- joining -------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Labels:
    """The labels of joined files."""

    columns: dict[str, Any]
    anomaly: str | None = None
    """The entry that means an anomaly, if that is not 1."""
    file: Part | None = None
    """The file that was given as the one with the labels."""
    are_windows: bool = False

    @property
    def flags(self) -> Any:
        """The labels as 0 and 1."""
        return _flags(self.columns[LABEL], self.anomaly)


def join_parts(
    parts: Sequence[Part], windows: Sequence[Windows] = (), name: str | None = None
) -> TableFile:
    """Return all columns side by side, with what they are and how they were joined."""
    rows = join_rows(parts)
    columns: dict[str, Any] = {}
    known = ReadOptions(label=LABEL, training=max(training_end(part.name) for part in parts))
    if rows.time is not None:
        columns[TIME], known = rows.time, replace(known, time=TIME)
    value = _first(parts, rows.frames, "value")
    if value is not None:
        columns[VALUE], known = value, replace(known, value=VALUE)
    series = _series(parts, rows.frames)
    if series is not None:
        columns[SERIES], known = series, replace(known, series=SERIES)
    ignored = _ignored(parts, rows)
    if ignored is not None:
        columns[IGNORED], known = ignored, replace(known, ignore=IGNORED)
    labels = _labels(parts, rows, windows)
    columns |= labels.columns
    detectors, renamed_detectors = _detectors(parts, rows.frames, list(columns))
    columns |= detectors
    known = replace(known, anomaly=labels.anomaly, detectors=tuple(detectors))
    renamed: dict[str, str] = {}
    for field in ("label", "time", "value", "series", "ignore"):
        own = (getattr(part.options, field) for part in parts)
        renamed |= {column: getattr(known, field) for column in own if column}
    frame, notices = _labelled_rows(pd.DataFrame(columns), rows)
    told = _told_labels(parts, rows, windows, labels)
    return replace(
        table_of(frame, name or _bundle_name(parts)),
        notices=(*notices, *told, *map(_told_columns, [p for p in parts if p.left_out])),
        known=known,
        renamed=renamed,
        renamed_detectors=renamed_detectors,
    )


def _told_columns(part: Part) -> str:
    """Say which columns of a file are left out, and why."""
    named = [f"{name} ({reason})" for name, reason in part.left_out.items()]
    more = f" and {len(named) - MOST_NAMED:,} more" if len(named) > MOST_NAMED else ""
    return f"{part.name}: left out {', '.join(named[:MOST_NAMED])}{more}"


def _first(parts: Sequence[Part], frames: Sequence[pd.DataFrame], field: str) -> pd.Series | None:
    """Return the first column that has this use in its file."""
    named = ((getattr(p.options, field), f) for p, f in zip(parts, frames, strict=True))
    return next((frame[name] for name, frame in named if name), None)


def _series(parts: Sequence[Part], frames: Sequence[pd.DataFrame]) -> pd.Series | None:
    """Return the series of each row, on which all files must agree."""
    first = _first(parts, frames, "series")
    if first is None:
        return None
    names = first.astype(str).str.strip()
    for part, frame in zip(parts, frames, strict=True):
        own = part.options.series
        if own and (frame[own].astype(str).str.strip() != names).any():
            raise TableError(
                f"{part.name}: column {part.options.series!r} names other series than the files "
                "before it"
            )
    return first


def _ignored(parts: Sequence[Part], rows: JoinedRows) -> Any:
    """Return 1 for the rows that any file ignores. A file ignores no row that it lacks."""
    masks = []
    for at, (part, frame) in enumerate(zip(parts, rows.frames, strict=True)):
        if part.options.ignore:
            column = frame[[part.options.ignore]]
            if rows.places is not None:
                column = column.where(rows.places[at][:, None] >= 0, 0)
            masks.append(label_column(column, part.options.ignore, part.name))
    return np.logical_or.reduce(masks).astype(np.int8) if masks else None


def _labelled_rows(frame: pd.DataFrame, rows: JoinedRows) -> tuple[pd.DataFrame, list[str]]:
    """Leave out rows of which no file says whether they are anomalous, and say so."""
    known = frame[LABEL].notna()
    if rows.places is None or known.all():
        return frame, list(rows.notices)
    first, count = rows.time[~known].iloc[0], int((~known).sum())
    kept = frame[known].reset_index(drop=True)
    if (kept[LABEL] == kept[LABEL].iloc[0]).all():
        raise TableError(
            f"{count:,} rows have no label in any file, the first at {first}, and all others have "
            f"the label {word_of(kept[LABEL].iloc[0])}: add a label for every row"
        )
    left_out = f"{count:,} rows have no label in any file and are left out, the first at {first}"
    return kept, [*rows.notices, left_out]


def _labels(parts: Sequence[Part], joined: JoinedRows, windows: Sequence[Windows]) -> _Labels:
    """Return the labels: of windows, else of the file given as labels, else those all agree on."""
    stamps = joined.stamps
    rows = len(joined.frames[0])
    spans = _matching(parts, [each for each in windows if not each.are_moments])
    moments = _matching(parts, [each for each in windows if each.are_moments])
    for found in (spans, moments):
        if found and found[0].is_rows and joined.places is not None:
            raise TableError(
                f"{found[0].name}: counts rows, and the rows of the files differ: use windows of "
                "time"
            )
        if found and not found[0].is_rows and _has_several(parts, joined.frames):
            raise TableError(
                f"{found[0].name}: holds times, and the rows are of several series. padf corpus "
                "takes windows for each series"
            )
    if spans:
        made = {LABEL: labelled_rows(*spans, rows, stamps).astype(np.int8)}
        if moments:
            made[FROM_ONSET] = _from_onset(*spans, *moments, rows, stamps).astype(np.int8)
        return _Labels(made, are_windows=True)
    if moments:
        made = {LABEL: labelled_rows(*moments, rows, stamps).astype(np.int8)}
        return _Labels(made, are_windows=True)
    own = [
        (at, part, frame[part.label])
        for at, (part, frame) in enumerate(zip(parts, joined.frames, strict=True))
        if part.label
    ]
    given = [each for each in own if each[1].holds_labels]
    own = given or own
    if windows and not own:
        raise TableError(f"{windows[0].name}: says nothing of {parts[0].name}")
    if not own:
        raise TableError("none of the files holds labels: add a file with a column of 0 and 1")
    anomaly = own[0][1].options.anomaly
    if any(part.options.anomaly != anomaly for _, part, _ in own):
        own = [(at, part, _flags(column, part.options.anomaly)) for at, part, column in own]
        anomaly = None
    agreed = own[0][2]
    for at, part, column in own[1:]:
        differs = column != agreed
        if joined.places is not None:
            differs &= column.notna() & agreed.notna()
        if differs.any():
            row = int(np.argmax(differs))
            first = next(p for _, p, c in own if joined.places is None or pd.notna(c.iloc[row]))
            raise TableError(
                f"{part.name}: the label of {joined.name(at, row)} is {word_of(column.iloc[row])}, "
                f"where {first.name} has {word_of(agreed.iloc[row])}; {differs.sum():,} rows differ"
            )
        agreed = agreed.where(agreed.notna(), column)
    return _Labels({LABEL: agreed}, anomaly, given[0][1] if given else None)


def _has_several(parts: Sequence[Part], frames: Sequence[pd.DataFrame]) -> bool:
    series = _first(parts, frames, "series")
    return series is not None and bool((series != series.iloc[0]).any())


def _flags(column: Any, anomaly: str | None) -> Any:
    """Return labels as 0 and 1, and nothing where there is none."""
    if anomaly is None:
        return column
    return entries_like(column, anomaly).astype(float).where(column.notna())


def _told_labels(
    parts: Sequence[Part], joined: JoinedRows, windows: Sequence[Windows], labels: _Labels
) -> list[str]:
    """Say which windows are not those of the files, and where labels differ that are not used."""
    told = []
    for each in windows:
        if all(each.of(part.name) is None for part in parts):
            told.append(f"{each.name} says nothing of these files")
        elif (
            (key := next(iter(each.entries)))
            and not any(each.has(part.name) for part in parts)
            and key != each.name
        ):
            told.append(f"{each.name} speaks of {key} alone, and is taken as if of {parts[0].name}")
    used = f"labels of {labels.file.name}" if labels.file else "windows"
    if labels.file is None and not labels.are_windows:
        return told
    for at, (part, frame) in enumerate(zip(parts, joined.frames, strict=True)):
        if part.label and part is not labels.file:
            own = _flags(frame[part.label], part.options.anomaly)
            if own.dtype.kind not in "biuf":
                continue
            differs = ((own != labels.flags) & own.notna()).to_numpy()
            if differs.any():
                told.append(
                    f"The {used} are taken, and the labels of {part.name} are not: they differ in "
                    f"{differs.sum():,} rows, the first {joined.name(at, int(np.argmax(differs)))}"
                )
    return told


def _matching(
    parts: Sequence[Part], windows: Sequence[Windows]
) -> tuple[Windows, Sequence[Any]] | None:
    """Return the windows of the files, and what they say. Two that both fit are refused."""
    named = [each for each in windows if any(each.has(part.name) for part in parts)]
    found = named or [each for each in windows if any(each.of(p.name) is not None for p in parts)]
    if len(found) > 1:
        raise TableError(
            f"{found[0].name} and {found[1].name} both say where anomalies are: use one of them"
        )
    for each in found:
        for part in parts:
            entries = each.of(part.name)
            if entries is not None:
                return each, entries
    return None


def _from_onset(
    windows: Windows,
    entries: Sequence[Any],
    moments: Windows,
    told: Sequence[Any],
    rows: int,
    stamps: IntArray | None,
) -> BoolArray:
    """Return the rows of the windows, each from the labelled moment in it on."""
    places = np.arange(rows) if stamps is None else stamps
    at = [places[rows_in(moments, moment, rows, stamps)].min() for moment in told]
    made = np.zeros(rows, dtype=np.bool_)
    for entry in entries:
        inside = rows_in(windows, entry, rows, stamps)
        own = [moment for moment in at if (places[inside] == moment).any()]
        made |= inside & (places >= min(own)) if own else inside
    return made


def _detectors(
    parts: Sequence[Part], frames: Sequence[pd.DataFrame], taken: Sequence[str]
) -> tuple[dict[str, Any], dict[str, tuple[str, ...]]]:
    """Return all detectors, and what each of their columns is called now.

    They are named after file or folder where a column's name says nothing.
    """
    speaking = [part for part in parts if part.detectors]
    if not speaking:
        raise TableError("none of the files holds a detector's scores")
    called = _short_names([part.name for part in speaking])
    names: list[str] = []
    columns: list[tuple[str, pd.Series]] = []
    own = [frame for part, frame in zip(parts, frames, strict=True) if part.detectors]
    for part, short, frame in zip(speaking, called, own, strict=True):
        for index, column in enumerate(part.detectors):
            is_plain = bool(_GENERIC.fullmatch(column.strip())) and index == 0
            names.append(short if is_plain or len(part.detectors) == 1 else f"{short} {column}")
            columns.append((column, frame[column]))
    distinct = told_apart([*taken, *names])[len(taken) :]
    renamed: dict[str, tuple[str, ...]] = {}
    for name, (column, _) in zip(distinct, columns, strict=True):
        renamed[column] = (*renamed.get(column, ()), name)
    for part in speaking:
        for score, detectors in part.called.items():
            renamed[score] = tuple(name for each in detectors for name in renamed[each])
    return {name: own for name, (_, own) in zip(distinct, columns, strict=True)}, renamed


def _short_names(names: Sequence[str]) -> list[str]:
    """Return what tells files apart: their folders, or the first part of their names.

    >>> _short_names(["results/a/x/a_taxi.csv", "results/b/x/b_taxi.csv"])
    ['a', 'b']
    >>> _short_names(["numenta_taxi.csv", "random_taxi.csv"])
    ['numenta', 'random']
    """
    stems = [PurePath(name).name.rsplit(".", 1)[0] for name in names]
    if len(names) == 1:
        return stems
    # Only whole words are cut off.
    mark = re.search(r"[ _.-].*", _common_ending(stems))
    ending = len(mark[0]) if mark else 0
    short = [stem[: len(stem) - ending] or stem for stem in stems]
    if len(set(short)) == len(short):
        return short
    folders = [PurePath(name).parts for name in names]
    for place in range(min(map(len, folders)) - 1):
        own = [parts[place] for parts in folders]
        if len(set(own)) == len(own):
            return own
    return list(names)


def _common_ending(texts: Sequence[str]) -> str:
    """Return what all texts end in.

    >>> _common_ending(["a_taxi", "bb_taxi"])
    '_taxi'
    """
    backwards = zip(*(text[::-1] for text in texts), strict=False)
    return "".join(marks[0] for marks in takewhile(lambda m: len(set(m)) == 1, backwards))[::-1]


def _bundle_name(parts: Sequence[Part]) -> str:
    if len(parts) == 1:
        return parts[0].name
    stems = [PurePath(part.name).name for part in parts]
    ending = _common_ending(stems).lstrip(" _.-")
    return f"{len(parts)} files of {ending}" if "." in ending[1:] else f"{len(parts)} files"
