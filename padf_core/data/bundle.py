"""Several files that belong together, joined into one table.

Results of several detectors lie in a file each; labels lie beside them, as columns, as windows of
time or as intervals of rows. Whatever does not fit is told with file and row; nothing is guessed
over.
"""

from __future__ import annotations

import ast
import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path, PurePath
from typing import IO, Any, BinaryIO, cast

import numpy as np
import pandas as pd

from padf_core.data.looks import Look
from padf_core.data.roles import Guess, guess
from padf_core.data.tables import TableError, TableFile, open_table, table_of, told_apart
from padf_core.data.times import TimeReader, parse_moment
from padf_core.metrics.checks import BoolArray, IntArray

LABEL = "label"
FROM_ONSET = "label from the labelled moment"
LARGEST_JSON = 50_000_000
MOST_FILES = 200

_INTERVAL_LINE = re.compile(r"(\d+)-(\d+)(:[\d,\s]*)?")
_GENERIC = re.compile(
    r"(anomaly|outlier|raw|final)?[ _-]?(scores?|predictions?|probabilit(y|ies)|value)|column \d+",
    re.I,
)


@dataclass(frozen=True)
class Source:
    """One of the files: what it is called, with its folder if that is known, and its content."""

    name: str
    open: Callable[[], IO[bytes]]

    @classmethod
    def at(cls, path: str | Path) -> Source:
        """Return a file on this machine."""
        return cls(str(path), lambda: Path(path).open("rb"))

    def read(self, most: int) -> bytes:
        """Return the content, if it is not too much."""
        with self.open() as raw:
            content = raw.read(most + 1)
        if len(content) > most:
            raise TableError(f"{self.name}: is larger than {most // 1_000_000} MB")
        return content


@dataclass(frozen=True, eq=False)
class Part:
    """A file with rows: its table, and what its columns seem to be."""

    name: str
    table: TableFile
    label: str | None
    time: str | None
    value: str | None
    detectors: tuple[str, ...]


@dataclass(frozen=True)
class Windows:
    """Labels beside the rows: by file, intervals of time or of rows, or moments."""

    name: str
    entries: Mapping[str, Sequence[Any]]
    is_rows: bool
    """Whether the numbers count rows; both ends are part of an interval."""
    are_moments: bool

    def of(self, part: str) -> Sequence[Any] | None:
        """Return what is said of a file: under its name, or the only thing that is said."""
        stem = _stem(part)
        found = [entry for key, entry in self.entries.items() if _matches(_stem(key), stem)]
        if len(found) > 1:
            exact = [e for key, e in self.entries.items() if stem.endswith(_stem(key))]
            found = exact if len(exact) == 1 else found
        if len(found) == 1:
            return found[0]
        return next(iter(self.entries.values())) if len(self.entries) == 1 and not found else None


def join_files(sources: Sequence[Source], name: str | None = None) -> TableFile:
    """Join files into one table: a label, the time and signal of the first, and all detectors."""
    if not sources:
        raise TableError("there is no file to read")
    if len(sources) > MOST_FILES:
        raise TableError(f"at most {MOST_FILES} files can be joined; got {len(sources)}")
    parts: list[Part] = []
    windows: list[Windows] = []
    for source in sources:
        read = _read(source)
        (windows if isinstance(read, Windows) else parts).append(read)  # type: ignore[arg-type]
    if not parts:
        raise TableError(f"{sources[0].name}: holds labels alone; bring the detectors' files too")
    frame = _joined(parts, windows)
    return table_of(frame, name or _bundle_name(parts))


# ---- what each file is ---------------------------------------------------------------------------


def _read(source: Source) -> Part | Windows:
    lower = source.name.lower()
    if lower.endswith(".npy"):
        return _part_of(source.name, table_of(_array(source), source.name))
    if lower.endswith(".json"):
        return _read_json(source)
    with source.open() as raw:
        beginning = raw.read(4096)
    first = beginning.decode("utf-8", "replace").strip().splitlines()
    if first and _INTERVAL_LINE.fullmatch(first[0].strip()):
        return _interval_lines(source)
    table = open_table(cast(BinaryIO, source.open()), source.name)
    if "anomaly_sequences" in table.columns:
        return _sequences(table)
    return _part_of(source.name, table)


def _array(source: Source) -> pd.DataFrame:
    try:
        values = np.load(io.BytesIO(source.read(2_000_000_000)), allow_pickle=False)
    except (ValueError, EOFError, OSError):
        raise TableError(f"{source.name}: cannot be read as an array of numbers") from None
    values = np.squeeze(values)
    if values.ndim != 1 or values.dtype.kind not in "biuf":
        raise TableError(f"{source.name}: must hold one number for each row")
    return pd.DataFrame({"score": values})


def _read_json(source: Source) -> Part | Windows:
    try:
        found = json.loads(source.read(LARGEST_JSON))
    except (ValueError, RecursionError):
        raise TableError(f"{source.name}: is not JSON that can be read") from None
    if isinstance(found, list) and found and all(isinstance(row, dict) for row in found):
        return _part_of(source.name, table_of(pd.DataFrame(found), source.name))
    if isinstance(found, list):
        found = {"": found}
    if not isinstance(found, dict) or not all(isinstance(e, list) for e in found.values()):
        raise TableError(
            f"{source.name}: must hold rows, or for each file a list of windows or moments"
        )
    entries = [entry for each in found.values() for entry in each]
    are_windows = all(isinstance(entry, list) and len(entry) == 2 for entry in entries)
    are_moments = all(isinstance(entry, (str, int)) for entry in entries)
    if not (are_windows or are_moments):
        raise TableError(f"{source.name}: a window must be [start, end]")
    ends = [end for entry in entries for end in (entry if are_windows else [entry])]
    is_rows = bool(ends) and all(type(end) is int for end in ends)
    if not is_rows and not all(isinstance(end, str) for end in ends):
        raise TableError(f"{source.name}: windows must be times, or whole numbers of rows")
    return Windows(source.name, found, is_rows, are_moments and not are_windows)


def _interval_lines(source: Source) -> Windows:
    """Read lines such as ``15849-16368:1,9,10``."""
    made = []
    text = source.read(LARGEST_JSON).decode("utf-8", "replace")
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            found = _INTERVAL_LINE.fullmatch(line.strip())
            if found is None:
                raise TableError(
                    f"{source.name}: line {number} must be like 100-120; got {line!r:.60}"
                )
            made.append([int(found[1]), int(found[2])])
    return Windows(source.name, {source.name: made}, True, False)


def _sequences(table: TableFile) -> Windows:
    """Read telemanom's table: one row per channel, with its intervals as a text."""
    there = table.columns
    key = next((name for name in there if re.fullmatch(r"chan(nel)?(_id)?", name, re.I)), there[0])
    entries: dict[str, list[Any]] = {}
    for before, piece in table.pieces([key, "anomaly_sequences"]):
        for row, (channel, text) in enumerate(piece.itertuples(index=False, name=None)):
            try:
                found = ast.literal_eval(str(text))
                pairs = [[int(first), int(last)] for first, last in found]
            except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
                raise TableError(
                    f"{table.name}: column 'anomaly_sequences', row {before + row + 1}: must be "
                    f"like [[2149, 2349]]; got {text!r:.60}"
                ) from None
            entries.setdefault(str(channel), []).extend(pairs)
    return Windows(table.name, entries, True, False)


def _part_of(name: str, table: TableFile) -> Part:
    if len(table.columns) == 1:
        only = table.columns[0]
        look = Look(only, table.sample[only])
        is_label = look.is_flag and (look.label_rank is not None or "label" in name.lower())
        return Part(
            name, table, *((only, None, None, ()) if is_label else (None, None, None, (only,)))
        )
    found: Guess = guess(table)
    roles = found.roles
    return Part(name, table, roles.label or None, roles.time, roles.value, roles.detectors)


# ---- joining -------------------------------------------------------------------------------------


def _joined(parts: Sequence[Part], windows: Sequence[Windows]) -> pd.DataFrame:
    frames = [_whole(part) for part in parts]
    first, rows = parts[0], len(frames[0])
    for part, frame in zip(parts[1:], frames[1:], strict=True):
        if len(frame) != rows:
            raise TableError(
                f"{part.name}: has {len(frame):,} rows, where {first.name} has {rows:,}"
            )
    columns: dict[str, Any] = {}
    timed = [(p, f) for p, f in zip(parts, frames, strict=True) if p.time]
    if timed:
        _check_same_times(timed)
        columns["time"] = timed[0][1][timed[0][0].time]
    valued = next(((p, f) for p, f in zip(parts, frames, strict=True) if p.value), None)
    if valued:
        columns["value"] = valued[1][valued[0].value]
    columns |= _labels(parts, frames, windows, timed)
    columns |= _detectors(parts, frames)
    return pd.DataFrame(columns)


def _whole(part: Part) -> pd.DataFrame:
    wanted = [part.time, part.value, part.label, *part.detectors]
    names = [name for name in wanted if name is not None] or part.table.columns[:1]
    pieces = [piece for _, piece in part.table.pieces(names)]
    return pd.concat(pieces, ignore_index=True)


def _check_same_times(timed: Sequence[tuple[Part, pd.DataFrame]]) -> None:
    first, frame = timed[0]
    known = _stamps(first, frame)
    for part, other in timed[1:]:
        wrong = np.flatnonzero(_stamps(part, other) != known)
        if wrong.size:
            row = int(wrong[0])
            raise TableError(
                f"{part.name}: row {row + 1} is of {other[part.time].iloc[row]}, where "
                f"{first.name} has {frame[first.time].iloc[row]}; {wrong.size:,} rows differ"
            )


def _stamps(part: Part, frame: pd.DataFrame) -> IntArray:
    reader = TimeReader(part.name, part.time or "")
    reader.add(frame[part.time])
    return reader.any_order()[0]


def _labels(
    parts: Sequence[Part],
    frames: Sequence[pd.DataFrame],
    windows: Sequence[Windows],
    timed: Sequence[tuple[Part, pd.DataFrame]],
) -> dict[str, Any]:
    """Return the labels: of windows that were brought, else those that the files agree on."""
    stamps = _stamps(*timed[0]) if timed else None
    rows = len(frames[0])
    made: dict[str, Any] = {}
    spans = _matching(parts, [each for each in windows if not each.are_moments])
    moments = _matching(parts, [each for each in windows if each.are_moments])
    if spans:
        edges = _edges(*spans, rows, stamps)
        made[LABEL] = _covered(edges, rows)
        if moments:
            made[FROM_ONSET] = _covered(_from_onset(edges, *moments, rows, stamps), rows)
        return made
    if moments:
        made[LABEL] = _covered(_edges(*moments, rows, stamps), rows)
        return made
    own = [(p, f[p.label]) for p, f in zip(parts, frames, strict=True) if p.label]
    if windows and not own:
        raise TableError(f"{windows[0].name}: says nothing of {parts[0].name}")
    if not own:
        raise TableError("none of the files holds labels: bring a file with a column of 0 and 1")
    first, column = own[0]
    for part, other in own[1:]:
        wrong = np.flatnonzero((other != column).to_numpy())
        if wrong.size:
            row = int(wrong[0])
            raise TableError(
                f"{part.name}: the label of row {row + 1} is {other.iloc[row]}, where "
                f"{first.name} has {column.iloc[row]}; {wrong.size:,} rows differ"
            )
    return {LABEL: column}


def _matching(
    parts: Sequence[Part], windows: Sequence[Windows]
) -> tuple[Windows, Sequence[Any]] | None:
    for each in windows:
        for part in parts:
            found = each.of(part.name)
            if found is not None:
                return each, found
    return None


def _edges(
    windows: Windows, entries: Sequence[Any], rows: int, stamps: IntArray | None
) -> list[tuple[int, int]]:
    """Return intervals of rows, half-open."""
    made = []
    for entry in entries:
        low, high = entry if isinstance(entry, list) else (entry, entry)
        if windows.is_rows:
            if not 0 <= low <= high < rows:
                raise TableError(
                    f"{windows.name}: {[low, high]} does not lie in rows 0 to {rows - 1:,}"
                )
            made.append((low, high + 1))
        elif stamps is None:
            raise TableError(f"{windows.name}: holds times, and the files have no column of times")
        else:
            first, last = parse_moment(low), parse_moment(high)
            if last < first:
                raise TableError(f"{windows.name}: a window must end after it starts: {entry}")
            inside = np.flatnonzero((stamps >= first) & (stamps <= last))
            if not inside.size:
                raise TableError(f"{windows.name}: no row lies in {entry}")
            made.append((int(inside[0]), int(inside[-1]) + 1))
    return made


def _from_onset(
    edges: Sequence[tuple[int, int]],
    windows: Windows,
    entries: Sequence[Any],
    rows: int,
    stamps: IntArray | None,
) -> list[tuple[int, int]]:
    """Return the windows, each from the labelled moment in it on."""
    moments = [first for first, _ in _edges(windows, entries, rows, stamps)]
    return [
        (min((m for m in moments if first <= m < last), default=first), last)
        for first, last in edges
    ]


def _covered(edges: Sequence[tuple[int, int]], rows: int) -> BoolArray:
    labels = np.zeros(rows, dtype=np.int8)
    for first, last in edges:
        labels[first:last] = 1
    return labels  # type: ignore[return-value]


def _detectors(parts: Sequence[Part], frames: Sequence[pd.DataFrame]) -> dict[str, Any]:
    """Return all detectors, named after file or folder where a column's name says nothing."""
    speaking = [part for part in parts if part.detectors]
    if not speaking:
        raise TableError("none of the files holds a detector's scores")
    called = _short_names([part.name for part in speaking])
    names: list[str] = []
    columns: list[pd.Series] = []
    by_part = dict(zip((part.name for part in parts), frames, strict=True))
    for part, short in zip(speaking, called, strict=True):
        for index, column in enumerate(part.detectors):
            is_plain = bool(_GENERIC.fullmatch(column.strip())) and index == 0
            names.append(short if is_plain or len(part.detectors) == 1 else f"{short} {column}")
            columns.append(by_part[part.name][column])
    return dict(zip(told_apart(names), columns, strict=True))


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


def _stem(name: str) -> str:
    return PurePath(name).name.rsplit(".", 1)[0].lower()


def _matches(key: str, stem: str) -> bool:
    """Say whether one name is the other, or its ending behind a mark, or its beginning."""
    return bool(key) and (
        key == stem or bool(re.search(rf"(^|[ _.-]){re.escape(key)}($|[ _.-])", stem))
    )


def _bundle_name(parts: Sequence[Part]) -> str:
    if len(parts) == 1:
        return parts[0].name
    stems = [PurePath(part.name).name for part in parts]
    ending = _common_ending(stems).lstrip(" _.-")
    return f"{len(parts)} files of {ending}" if "." in ending[1:] else f"{len(parts)} files"
