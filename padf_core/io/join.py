"""Join several related files into one table.

Each detector may have its own file, and labels may be separate: as columns, time windows or row
intervals. Rows are matched by position if the times are equal or missing, otherwise by time.
Mismatches are reported with file and row.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from pathlib import PurePath
from typing import Any

import numpy as np
import pandas as pd

from padf_core.io.column_values import label_column, unique_names
from padf_core.io.columns import word_of
from padf_core.io.errors import TableError
from padf_core.io.file_parts import JSON_ENDINGS, LARGEST_JSON, read_json, read_part
from padf_core.io.guess import training_end
from padf_core.io.joined_labels import LABEL, first_column, joined_labels, label_notices
from padf_core.io.labels import (
    Windows,
    moment_rows,
    read_moment_lines,
)
from padf_core.io.matching import FilePart, JoinedRows, join_rows
from padf_core.io.options import NOTHING, ReadOptions
from padf_core.io.series import Series
from padf_core.io.sources import Source
from padf_core.io.tables import TableFile, table_of

TIME, VALUE, SERIES, IGNORED = "time", "value", "series", "ignored"
"""Column names in joined tables."""
MOST_FILES = 200
MOST_NAMED = 20

_GENERIC = re.compile(
    r"(anomaly|outlier|raw|final)?[ _-]?(scores?|predictions?|probabilit(y|ies)|value)|column \d+",
    re.I,
)


def open_files(sources: Sequence[Source | TableFile], given: ReadOptions = NOTHING) -> TableFile:
    """Open a single table; JSON, arrays and several files are joined into a table."""
    first = sources[0] if len(sources) == 1 else None
    if isinstance(first, TableFile):
        return first
    if first is not None and not first.name.lower().endswith((*JSON_ENDINGS, ".npy")):
        return first.table()
    return join_files(sources, given=given)


def join_files(
    sources: Sequence[Source | TableFile], name: str | None = None, given: ReadOptions = NOTHING
) -> TableFile:
    """Join files into one table: labels, the first file's time and signal, and all detectors.

    Columns named in ``given`` have that role in every file that holds them. Labels of a file given
    as the label file replace all others.
    """
    if not sources:
        raise TableError("there is no file to read")
    if len(sources) > MOST_FILES:
        raise TableError(f"at most {MOST_FILES} files can be joined; got {len(sources)}")
    parts: list[FilePart] = []
    windows: list[Windows] = []
    for source in sources:
        read = read_part(source, given)
        if isinstance(read, Windows):
            windows.append(read)
        else:
            parts.append(read)
    if not parts:
        raise TableError(f"{sources[0].name}: has only labels; add the files with scores")
    used = _chosen_windows(parts, windows)
    if given.anomaly and not any(part.options.anomaly == given.anomaly for part in parts):
        raise TableError(f"no file has a label with the value {given.anomaly!r}")
    made = join_parts(_with_labels(parts, used), used, name)
    unused = [f"{each.name} is not used" for each in windows if each not in used]
    return replace(made, notices=(*made.notices, *unused))


def _chosen_windows(parts: Sequence[FilePart], windows: Sequence[Windows]) -> list[Windows]:
    """Return the windows to use; a label file replaces windows, given windows replace others."""
    if any(part.holds_labels for part in parts):
        return []
    given = [each for each in windows if each.holds_labels]
    moments = [each for each in windows if each.are_moments and each not in given]
    return [*given, *moments] if given else list(windows)


def _with_labels(parts: Sequence[FilePart], windows: Sequence[Windows]) -> list[FilePart]:
    """Return the files, with labels recognized by content if no name indicates them.

    A file with a single 0/1 column holds the labels, if it is the only such file.
    """
    if windows or any(part.label for part in parts):
        return list(parts)
    flags = [part for part in parts if part.is_flag]
    if not flags or len(flags) == len(parts):
        return list(parts)
    if len(flags) > 1:
        raise TableError(
            f"{', '.join(part.name for part in flags)}: all have only 0 and 1, so it is not "
            'clear which one has the labels. Use --labels, or put "label" into its name'
        )
    only = flags[0]
    labelled = replace(only, options=ReadOptions(label=only.detectors[0]))
    return [labelled if part is only else part for part in parts]


def read_moments(source: Source, files: Sequence[str], series: Series) -> tuple[int, ...]:
    """Return the rows of the moments in a file, for a series read from ``files``.

    The file is JSON like NAB's combined_labels.json, a JSON list of times or rows, or has one
    moment per line. A moment between two rows belongs to the later row.
    """
    is_json = source.name.lower().endswith(JSON_ENDINGS)
    moments = read_json(source) if is_json else read_moment_lines(source, LARGEST_JSON)
    if not isinstance(moments, Windows) or not moments.are_moments:
        raise TableError(f"{source.name}: must have moments: times or row numbers")
    entries = next((found for file in files if (found := moments.of(file)) is not None), None)
    if entries is None:
        raise TableError(f"{source.name}: has no entry for {' or '.join(files)}")
    if not moments.is_rows and series.rows.begins is not None:
        raise TableError(f"{source.name}: has times, but the rows belong to several series")
    stamps = None if series.clock is None else series.clock.all()
    return moment_rows(moments, entries, series.size, stamps)


def join_parts(
    parts: Sequence[FilePart], windows: Sequence[Windows] = (), name: str | None = None
) -> TableFile:
    """Return all columns side by side, with their roles and notices about the join."""
    rows = join_rows(parts)
    columns: dict[str, Any] = {}
    known = ReadOptions(label=LABEL, training=max(training_end(part.name) for part in parts))
    if rows.time is not None:
        columns[TIME], known = rows.time, replace(known, time=TIME)
    value = first_column(parts, rows.frames, "value")
    if value is not None:
        columns[VALUE], known = value, replace(known, value=VALUE)
    series = _series(parts, rows.frames)
    if series is not None:
        columns[SERIES], known = series, replace(known, series=SERIES)
    ignored = _ignored(parts, rows)
    if ignored is not None:
        columns[IGNORED], known = ignored, replace(known, ignore=IGNORED)
    labels = joined_labels(parts, rows, windows)
    columns |= labels.columns
    detectors, renamed_detectors = _detectors(parts, rows.frames, list(columns))
    columns |= detectors
    known = replace(known, anomaly=labels.anomaly, detectors=tuple(detectors))
    renamed: dict[str, str] = {}
    for field in ("label", "time", "value", "series", "ignore"):
        own = (getattr(part.options, field) for part in parts)
        renamed |= {column: getattr(known, field) for column in own if column}
    frame, notices = _labelled_rows(pd.DataFrame(columns), rows)
    about_labels = label_notices(parts, rows, windows, labels)
    return replace(
        table_of(frame, name or _bundle_name(parts)),
        notices=(*notices, *about_labels, *map(_told_columns, [p for p in parts if p.left_out])),
        known=known,
        renamed=renamed,
        renamed_detectors=renamed_detectors,
    )


def _told_columns(part: FilePart) -> str:
    """Report which columns of a file are left out, and why."""
    named = [f"{name} ({reason})" for name, reason in part.left_out.items()]
    more = f" and {len(named) - MOST_NAMED:,} more" if len(named) > MOST_NAMED else ""
    return f"{part.name}: left out {', '.join(named[:MOST_NAMED])}{more}"


def _series(parts: Sequence[FilePart], frames: Sequence[pd.DataFrame]) -> pd.Series | None:
    """Return the series of each row, on which all files must agree."""
    first = first_column(parts, frames, "series")
    if first is None:
        return None
    names = first.astype(str).str.strip()
    for part, frame in zip(parts, frames, strict=True):
        own = part.options.series
        if own and (frame[own].astype(str).str.strip() != names).any():
            raise TableError(
                f"{part.name}: column {part.options.series!r} has other series than the previous "
                "files"
            )
    return first


def _ignored(parts: Sequence[FilePart], rows: JoinedRows) -> Any:
    """Return 1 for rows that any file ignores; a file never ignores a row that it lacks."""
    masks = []
    for at, (part, frame) in enumerate(zip(parts, rows.frames, strict=True)):
        if part.options.ignore:
            column = frame[[part.options.ignore]]
            if rows.places is not None:
                column = column.where(rows.places[at][:, None] >= 0, 0)
            masks.append(label_column(column, part.options.ignore, part.name))
    return np.logical_or.reduce(masks).astype(np.int8) if masks else None


def _labelled_rows(frame: pd.DataFrame, rows: JoinedRows) -> tuple[pd.DataFrame, list[str]]:
    """Drop rows without a label in any file, and report them."""
    known = frame[LABEL].notna()
    if rows.places is None or known.all():
        return frame, list(rows.notices)
    first, count = rows.time[~known].iloc[0], int((~known).sum())
    kept = frame[known].reset_index(drop=True)
    if (kept[LABEL] == kept[LABEL].iloc[0]).all():
        raise TableError(
            f"{count:,} rows have no label in any file (the first at {first}), and all others "
            f"have the label {word_of(kept[LABEL].iloc[0])}; add a label for every row"
        )
    left_out = f"{count:,} rows have no label in any file and are left out, the first at {first}"
    return kept, [*rows.notices, left_out]


def _detectors(
    parts: Sequence[FilePart], frames: Sequence[pd.DataFrame], taken: Sequence[str]
) -> tuple[dict[str, Any], dict[str, tuple[str, ...]]]:
    """Return all detectors, and the new names of their columns.

    They are named after the file or folder if the column name is generic.
    """
    speaking = [part for part in parts if part.detectors]
    if not speaking:
        raise TableError("none of the files has detector scores")
    called = _short_names([part.name for part in speaking])
    names: list[str] = []
    columns: list[tuple[str, pd.Series]] = []
    own = [frame for part, frame in zip(parts, frames, strict=True) if part.detectors]
    for part, short, frame in zip(speaking, called, own, strict=True):
        for index, column in enumerate(part.detectors):
            is_plain = bool(_GENERIC.fullmatch(column.strip())) and index == 0
            names.append(short if is_plain or len(part.detectors) == 1 else f"{short} {column}")
            columns.append((column, frame[column]))
    distinct = unique_names([*taken, *names])[len(taken) :]
    renamed: dict[str, tuple[str, ...]] = {}
    for name, (column, _) in zip(distinct, columns, strict=True):
        renamed[column] = (*renamed.get(column, ()), name)
    for part in speaking:
        for score, detectors in part.called.items():
            renamed[score] = tuple(name for each in detectors for name in renamed[each])
    return {name: own for name, (_, own) in zip(distinct, columns, strict=True)}, renamed


def _short_names(names: Sequence[str]) -> list[str]:
    """Return distinct short names of files: the differing part of the names, or of the folders.

    >>> _short_names(["results/a/x/a_taxi.csv", "results/b/x/b_taxi.csv"])
    ['a', 'b']
    >>> _short_names(["numenta_taxi.csv", "random_taxi.csv"])
    ['numenta', 'random']
    """
    stems = [PurePath(name).name.rsplit(".", 1)[0] for name in names]
    if len(names) == 1:
        return stems
    # Only whole words are removed.
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
    """Return the common ending of all texts.

    >>> _common_ending(["a_taxi", "bb_taxi"])
    '_taxi'
    """
    backwards = zip(*(text[::-1] for text in texts), strict=False)
    return "".join(marks[0] for marks in takewhile(lambda m: len(set(m)) == 1, backwards))[::-1]


def _bundle_name(parts: Sequence[FilePart]) -> str:
    if len(parts) == 1:
        return parts[0].name
    stems = [PurePath(part.name).name for part in parts]
    ending = _common_ending(stems).lstrip(" _.-")
    return f"{len(parts)} files of {ending}" if "." in ending[1:] else f"{len(parts)} files"
