"""Several files that belong together, joined into one table.

Results of several detectors lie in a file each; labels lie beside them, as columns, as windows of
time or as intervals of rows. Rows belong together by their place where the times are the same or
there are none, else by their time. Whatever does not fit is told with file and row; nothing is
guessed over.
"""

from __future__ import annotations

import ast
import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path, PurePath
from typing import IO, Any, BinaryIO, cast

import numpy as np
import pandas as pd

from padf_core.io.columns import Look, word_of
from padf_core.io.matching import JoinedRows, Part, bring_together
from padf_core.io.options import Guess, guess
from padf_core.io.series import Series
from padf_core.io.tables import TableError, TableFile, open_table, table_of, told_apart
from padf_core.io.times import parse_moment
from padf_core.metrics.checks import IntArray, NumberArray
from padf_core.metrics.segments import covered

LABEL = "label"
FROM_ONSET = "label from the labelled moment"
LARGEST_JSON = 50_000_000
MOST_FILES = 200

_JSON_LINES = (".jsonl", ".ndjson")
_JSON = (".json", *_JSON_LINES)
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

    path: Path | None = None
    """Where it lies, if it is on this machine."""

    @classmethod
    def at(cls, path: str | Path) -> Source:
        """Return a file on this machine."""
        if not Path(path).is_file():
            raise TableError(f"{path}: is not a file that can be opened")
        return cls(str(path), lambda: Path(path).open("rb"), Path(path))

    def table(self) -> TableFile:
        """Look at it as a table."""
        return open_table(self.path or cast(BinaryIO, self.open()), self.name)

    def read(self, most: int) -> bytes:
        """Return the content, if it is not too much."""
        with self.open() as raw:
            content = raw.read(most + 1)
        if len(content) > most:
            raise TableError(f"{self.name}: is larger than {most // 1_000_000} MB")
        return content


@dataclass(frozen=True)
class Windows:
    """Labels beside the rows: by file, intervals of time or of rows, or moments."""

    name: str
    entries: Mapping[str, Sequence[Any]]
    is_rows: bool
    """Whether the numbers count rows; both ends are part of an interval."""
    are_moments: bool

    def has(self, part: str) -> bool:
        """Say whether something is said under the name of a file."""
        return bool(self._under(part))

    def _under(self, part: str) -> list[Sequence[Any]]:
        stem = _stem(part)
        return [entry for key, entry in self.entries.items() if _matches(_stem(key), stem)]

    def of(self, part: str) -> Sequence[Any] | None:
        """Return what is said of a file: under its name, or the only thing that is said."""
        stem = _stem(part)
        found = self._under(part)
        if len(found) > 1:
            exact = [e for key, e in self.entries.items() if stem.endswith(_stem(key))]
            found = exact if len(exact) == 1 else found
        if len(found) == 1:
            return found[0]
        return next(iter(self.entries.values())) if len(self.entries) == 1 and not found else None


def open_files(sources: Sequence[Source]) -> TableFile:
    """Look at a table as it is; JSON, arrays and several files become one."""
    if len(sources) == 1 and not sources[0].name.lower().endswith((*_JSON, ".npy")):
        return sources[0].table()
    return join_files(sources)


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
        if isinstance(read, Windows):
            windows.append(read)
        else:
            parts.append(read)
    if not parts:
        raise TableError(f"{sources[0].name}: holds labels alone; bring the detectors' files too")
    frame, notices = _joined(parts, windows)
    return replace(table_of(frame, name or _bundle_name(parts)), notices=tuple(notices))


def read_moments(source: Source, files: Sequence[str], series: Series) -> tuple[int, ...]:
    """Return the rows of the moments that a file says of a series that was read from ``files``.

    The file is JSON as NAB's combined_labels.json, a list of times or rows as JSON, or one of them
    a line. A moment between two rows is the later one.
    """
    told = read_json(source) if source.name.lower().endswith(_JSON) else _moment_lines(source)
    if not isinstance(told, Windows) or not told.are_moments:
        raise TableError(f"{source.name}: must hold moments: times, or whole numbers of rows")
    entries = next((found for file in files if (found := told.of(file)) is not None), None)
    if entries is None:
        raise TableError(f"{source.name}: says nothing of {' or '.join(files)}")
    if told.is_rows:
        return tuple(first for first, _ in _edges(told, entries, series.size, None))
    if series.rows.begins is not None:
        raise TableError(f"{source.name}: holds times, and the rows are of several series")
    if series.clock is None:
        raise TableError(f"{source.name}: holds times, and the rows have none")
    stamps = series.clock.all()
    rows = [np.flatnonzero(stamps >= parse_moment(entry)) for entry in entries]
    late = next((entry for entry, found in zip(entries, rows, strict=True) if not found.size), None)
    if late is not None:
        raise TableError(f"{source.name}: {late} lies behind the last row")
    return tuple(int(found[0]) for found in rows)


# ---- what each file is ---------------------------------------------------------------------------


def _read(source: Source) -> Part | Windows:
    lower = source.name.lower()
    if lower.endswith(".npy"):
        return part_of(
            source.name, table_of(pd.DataFrame({"score": read_array(source)}), source.name)
        )
    if lower.endswith(_JSON):
        return read_json(source)
    with source.open() as raw:
        beginning = raw.read(4096)
    first = beginning.decode("utf-8", "replace").strip().splitlines()
    if first and _INTERVAL_LINE.fullmatch(first[0].strip()):
        return _interval_lines(source)
    table = source.table()
    if "anomaly_sequences" in table.columns:
        return _sequences(table)
    return part_of(source.name, table)


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


def read_json(source: Source) -> Part | Windows:
    """Read rows, or what is said of each file: windows or moments."""
    content = source.read(LARGEST_JSON)
    try:
        is_lines = source.name.lower().endswith(_JSON_LINES)
        found = list(map(json.loads, content.splitlines())) if is_lines else json.loads(content)
    except (ValueError, RecursionError):
        raise TableError(f"{source.name}: is not JSON that can be read") from None
    if isinstance(found, list) and found and all(isinstance(row, dict) for row in found):
        return part_of(source.name, table_of(pd.DataFrame(found), source.name))
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


def _moment_lines(source: Source) -> Windows:
    """Read one time or row a line."""
    text = source.read(LARGEST_JSON).decode("utf-8", "replace")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        raise TableError(f"{source.name}: holds no moment")
    is_rows = all(line.isdecimal() for line in lines)
    return Windows(source.name, {"": [int(e) if is_rows else e for e in lines]}, is_rows, True)


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


def part_of(name: str, table: TableFile) -> Part:
    """Return what the columns of a file seem to be; the only one is a label or a detector."""
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


def _joined(parts: Sequence[Part], windows: Sequence[Windows]) -> tuple[pd.DataFrame, list[str]]:
    """Return all columns side by side, and what should be known about how they were joined."""
    rows = bring_together(parts)
    columns: dict[str, Any] = {}
    if rows.time is not None:
        columns["time"] = rows.time
    valued = next(((p, f) for p, f in zip(parts, rows.frames, strict=True) if p.value), None)
    if valued:
        columns["value"] = valued[1][valued[0].value]
    columns |= _labels(parts, rows, windows)
    columns |= _detectors(parts, rows.frames)
    frame, notices = _labelled_rows(pd.DataFrame(columns), rows)
    return frame, [*notices, *_told_windows(parts, rows, windows, columns[LABEL])]


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
            f"the label {word_of(kept[LABEL].iloc[0])}: bring a label for every row"
        )
    left_out = f"{count:,} rows have no label in any file and are left out, the first at {first}"
    return kept, [*rows.notices, left_out]


def _labels(
    parts: Sequence[Part], joined: JoinedRows, windows: Sequence[Windows]
) -> dict[str, Any]:
    """Return the labels: of windows that were brought, else those that the files agree on."""
    stamps = joined.stamps
    rows = len(joined.frames[0])
    made: dict[str, Any] = {}
    spans = _matching(parts, [each for each in windows if not each.are_moments])
    moments = _matching(parts, [each for each in windows if each.are_moments])
    for found in (spans, moments):
        if found and found[0].is_rows and joined.places is not None:
            raise TableError(
                f"{found[0].name}: counts rows, and the rows of the files differ: bring windows of "
                "time"
            )
    if spans:
        edges = _edges(*spans, rows, stamps)
        made[LABEL] = _labelled(edges, rows)
        if moments:
            made[FROM_ONSET] = _labelled(_from_onset(edges, *moments, rows, stamps), rows)
        return made
    if moments:
        made[LABEL] = _labelled(_edges(*moments, rows, stamps), rows)
        return made
    own = [
        (at, part, frame[part.label])
        for at, (part, frame) in enumerate(zip(parts, joined.frames, strict=True))
        if part.label
    ]
    if windows and not own:
        raise TableError(f"{windows[0].name}: says nothing of {parts[0].name}")
    if not own:
        raise TableError("none of the files holds labels: bring a file with a column of 0 and 1")
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
    return {LABEL: agreed}


def _told_windows(
    parts: Sequence[Part], joined: JoinedRows, windows: Sequence[Windows], labels: Any
) -> list[str]:
    """Say which windows are not those of the files, and where they differ from the labels there."""
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
    if not _matching(parts, windows):
        return told
    for at, (part, frame) in enumerate(zip(parts, joined.frames, strict=True)):
        if part.label and frame[part.label].dtype.kind in "biuf":
            own = frame[part.label]
            differs = ((own != labels) & own.notna()).to_numpy()
            if differs.any():
                told.append(
                    f"The windows are taken, and the labels of {part.name} are not: they differ in "
                    f"{differs.sum():,} rows, the first {joined.name(at, int(np.argmax(differs)))}"
                )
    return told


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


def _labelled(edges: Sequence[tuple[int, int]], rows: int) -> NumberArray:
    starts, stops = np.array(edges, dtype=np.int64).reshape(-1, 2).T
    return covered(starts, stops, rows).astype(np.int8)


def _detectors(parts: Sequence[Part], frames: Sequence[pd.DataFrame]) -> dict[str, Any]:
    """Return all detectors, named after file or folder where a column's name says nothing."""
    speaking = [part for part in parts if part.detectors]
    if not speaking:
        raise TableError("none of the files holds a detector's scores")
    called = _short_names([part.name for part in speaking])
    names: list[str] = []
    columns: list[pd.Series] = []
    own = [frame for part, frame in zip(parts, frames, strict=True) if part.detectors]
    for part, short, frame in zip(speaking, called, own, strict=True):
        for index, column in enumerate(part.detectors):
            is_plain = bool(_GENERIC.fullmatch(column.strip())) and index == 0
            names.append(short if is_plain or len(part.detectors) == 1 else f"{short} {column}")
            columns.append(frame[column])
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
