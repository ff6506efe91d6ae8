"""Which file of a corpus holds which detector's scores on which series, and where the labels are.

A layout is a way in which results lie in folders. It is guessed from the paths; whatever does not
fit is left out with a reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, get_args

from padf_core.corpus.formats import Format, Formats, score_column_of
from padf_core.io.column_values import listing, told_apart
from padf_core.io.errors import TableError
from padf_core.io.guess import guess, training_end
from padf_core.io.join import LARGEST_JSON, read_interval_file, read_json
from padf_core.io.labels import Windows, read_moment_lines
from padf_core.io.open_table import open_table
from padf_core.io.options import ReadOptions
from padf_core.io.sources import Source

Layout = Literal["nab", "tsb-ad", "timeeval", "files", "long"]

ABOUT: dict[Layout, str] = {
    "nab": "<detector>/<group>/<detector>_<series>.csv, as in the results of numenta/NAB",
    "tsb-ad": "<detector>/<series>.npy, with a table for each series under --labels",
    "timeeval": "<algorithm>/<parameters>/<collection>/<dataset>/<repetition>/anomaly_scores.ts",
    "files": "one table for each series with its label and a column for each detector",
    "long": "tables with several series, or with a row for each point of each detector",
}

RESERVED = ("pooled", "mean")
"""What the rows of all series together are called."""

FEW_NAMED = 3
MOST_GUESSED = 20

_ENDINGS = re.compile(r"(\.(test|train|csv|tsv|txt|gz|parquet|pq|npy|ts|out|json))+$", re.I)
_TABLES = (".csv", ".gz", ".parquet", ".pq", ".npy", ".txt", ".tsv", ".ts", ".out")


@dataclass(frozen=True)
class ScoreFile:
    """Where the scores of one detector on one series are."""

    detector: str
    seed: str
    path: Path
    format: Format | None = None
    column: str | None = None
    code: int | None = None
    """Which rows of a file of records are meant."""


@dataclass(frozen=True)
class SeriesFiles:
    """One series: the files of its detectors, and where its labels come from."""

    name: str
    scores: tuple[ScoreFile, ...]
    labels: ScoreFile | None = None
    """A table beside with the labels, row by row; none where each file has its own, or windows."""
    windows: Windows | None = None
    """Its windows, where labels come from a file of windows."""
    moments: Windows | None = None
    training: int = 0
    """The number of training rows that the file's name gives."""

    @property
    def paths(self) -> list[Path]:
        """All files that have to be read."""
        return list(dict.fromkeys([*(each.path for each in self.scores), *self._beside]))

    @property
    def _beside(self) -> list[Path]:
        return [self.labels.path] if self.labels else []


@dataclass(frozen=True)
class LeftOut:
    """Something that is not in the result, and why."""

    what: str
    why: str
    is_bad: bool = False
    """Whether it should have been in it and could not be read."""

    @property
    def text(self) -> str:
        """Both in one line."""
        return f"{self.what}: {self.why}"


@dataclass(frozen=True)
class Patterns:
    """What tells series, detector and seed from a path, where the layout does not."""

    series: str | None = None
    detector: str | None = None
    seed: str | None = None

    def find(self, pattern: str | None, path: str) -> str | None:
        """Return what a pattern finds in a path: its first group, or all of it."""
        if pattern is None:
            return None
        found = re.search(pattern, path)
        if found is None:
            return None
        return found[1] if found.groups() else found[0]


@dataclass(frozen=True)
class Plan:
    """What is in a corpus."""

    layout: Layout
    series: tuple[SeriesFiles, ...]
    left_out: tuple[LeftOut, ...] = ()
    notices: tuple[str, ...] = ()
    """What was guessed."""


@dataclass(frozen=True)
class _Pair:
    """What a path says: whose scores on which series."""

    series: str
    detector: str
    seed: str
    path: Path


@dataclass
class _Kept:
    pairs: list[_Pair] = field(default_factory=list)
    left_out: list[Path] = field(default_factory=list)


def list_files(paths: Iterable[str | Path]) -> list[Path]:
    """Return all files below these folders, and those that are files themselves, in order.

    Whole paths: whoever reads them may be at work elsewhere.
    """
    found: list[Path] = []
    for path in (Path(path).absolute() for path in paths):
        if path.is_dir():
            found += sorted(p for p in path.rglob("*") if p.is_file() and p.name[0] != ".")
        elif path.is_file():
            found.append(path)
        else:
            raise TableError(f"{told(path)}: is neither a file nor a folder that can be opened")
    if not found:
        raise TableError("there is no file to read")
    return list(dict.fromkeys(found))


def told(path: Path) -> str:
    """Write a path as seen from here."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def guess_layout(files: Sequence[Path], patterns: Patterns, options: ReadOptions) -> Layout:
    """Return the layout that the paths look like."""
    if patterns.series or patterns.detector:
        return "files"
    named: tuple[Layout, ...] = ("timeeval", "nab", "tsb-ad")
    for layout in named:
        if any(_PAIRS[layout](path) for path in files):
            return layout
    tables = [path for path in files if path.suffix in _TABLES and path.suffix != ".npy"]
    if len(tables) == len(files) and all(is_long(path, options) for path in tables[:3]):
        return "long"
    return "files"


def is_long(path: Path, options: ReadOptions) -> bool:
    """Say whether a table holds several series, or a row for each point of each detector."""
    if options.series or options.detector:
        return True
    try:
        found = guess(open_table(path)).options
    except TableError:
        return False
    return bool(found.series or found.detector)


def plan_files(
    paths: Iterable[str | Path],
    layout: Layout | None = None,
    *,
    labels: str | Path | None = None,
    onsets: str | Path | None = None,
    patterns: Patterns | None = None,
    options: ReadOptions | None = None,
) -> Plan:
    """Find out what each file is. ``layout`` is guessed unless it is given."""
    patterns = patterns or Patterns()
    files = list_files(paths)
    if layout is not None and layout not in get_args(Layout):
        raise ValueError(f"layout must be one of {', '.join(ABOUT)}; got {layout!r}")
    chosen = layout or guess_layout(files, patterns, options or ReadOptions())
    given = options or ReadOptions()
    beside = Beside(labels, onsets, Formats(given))
    if chosen == "files":
        kept = _patterned(files, patterns)
        made = _pairs_of(kept.pairs, beside) if patterns.detector else _wide(kept.pairs, beside)
    else:
        kept = _sorted_out(files, _PAIRS[chosen])
        if chosen == "timeeval":
            kept.pairs = _told_apart(kept.pairs)
        if labels is None and chosen in ("tsb-ad", "timeeval"):
            kept.left_out = beside.look_among(kept.left_out, {pair.series for pair in kept.pairs})
        made = _pairs_of(kept.pairs, beside)
    series, left_out = made
    if not series:
        reason = f"; {left_out[0].text}" if left_out else ""
        raise TableError(
            f"no file lies as {ABOUT[chosen]}: say another --layout, or --series-from and "
            f"--detector-from{reason}"
        )
    _check_named(given, beside)
    left_out = [*_not_in(kept.left_out, chosen), *left_out]
    return checked(Plan(chosen, tuple(series), tuple(left_out), _guesses(given, series)), given)


def _check_named(given: ReadOptions, beside: Beside) -> None:
    """Refuse a column that was named and is in no file."""
    for name in (given.label, given.time, given.ignore, *given.detectors):
        if name and name not in beside.columns:
            raise TableError(f"no file has a column {name!r}; {listing(sorted(beside.columns))}")


def checked(plan: Plan, given: ReadOptions) -> Plan:
    """Return a plan. Raise if it names a series as all series, or an unknown detector as low."""
    reserved = next((each.name for each in plan.series if each.name in RESERVED), None)
    if reserved:
        raise TableError(f"a series must not be called {reserved!r}: that names all of them")
    detectors = {file.detector for each in plan.series for file in each.scores}
    unknown = next((name for name in given.low if name not in detectors), None)
    if unknown:
        raise TableError(f"low names {unknown!r}, which is not a detector")
    return plan


def _guesses(given: ReadOptions, series: Sequence[SeriesFiles]) -> tuple[str, ...]:
    """Say which columns were guessed, and where training rows are ignored."""
    files = {file.path: file.format for each in series for file in each.scores}
    own = [each for each in series if each.labels is None and each.windows is None]
    beside = [each.labels.format for each in series if each.labels]
    labelled = [*(file.format for each in own for file in each.scores), *beside]
    columns = [file.column for each in series for file in each.scores]
    guessed = (
        ("label", given.label, [form.options.label for form in labelled if form]),
        ("scores", given.detectors, columns),
        ("times", given.time, [form.options.time for form in files.values() if form]),
        ("ignored rows", given.ignore, [form.options.ignore for form in files.values() if form]),
    )
    told = []
    for what, said, found in guessed:
        named = list(dict.fromkeys(name for name in found if name))
        if named and not said:
            more = f" and {len(named) - MOST_GUESSED:,} more" if len(named) > MOST_GUESSED else ""
            told.append(f"{what}: {', '.join(named[:MOST_GUESSED])}{more}")
    trained = sum(each.training > 0 for each in series)
    if trained and given.skip is None:
        told.append(
            f"training rows, by the files' names: the first rows of {trained:,} series are ignored"
        )
    return tuple(told)


# ---- what a path says ----------------------------------------------------------------------------


def _nab(path: Path) -> _Pair | None:
    if len(path.parts) < 3 or path.suffix != ".csv":
        return None
    detector, group = path.parts[-3:-1]
    if not path.name.startswith(f"{detector}_"):
        return None
    return _Pair(f"{group}/{path.stem[len(detector) + 1 :]}", detector, "", path)


def _tsb_ad(path: Path) -> _Pair | None:
    if path.suffix != ".npy" or len(path.parts) < 2:
        return None
    return _Pair(path.stem, path.parts[-2], "", path)


def _timeeval(path: Path) -> _Pair | None:
    if path.name != "anomaly_scores.ts" or len(path.parts) < 6:
        return None
    algorithm, parameters, collection, dataset, repetition = path.parts[-6:-1]
    return _Pair(f"{collection}/{dataset}", f"{algorithm} {parameters}", repetition, path)


_PAIRS: Mapping[str, Callable[[Path], _Pair | None]] = {
    "nab": _nab,
    "tsb-ad": _tsb_ad,
    "timeeval": _timeeval,
    "long": lambda path: None,
}


def _told_apart(pairs: Sequence[_Pair]) -> list[_Pair]:
    """Name algorithms without their parameters, where each has only one set of them."""
    sets: dict[str, set[str]] = {}
    for pair in pairs:
        sets.setdefault(pair.detector.split(" ")[0], set()).add(pair.detector)

    def name(detector: str) -> str:
        algorithm, _, parameters = detector.partition(" ")
        return algorithm if len(sets[algorithm]) == 1 else f"{algorithm} {parameters[:8]}"

    return [_Pair(pair.series, name(pair.detector), pair.seed, pair.path) for pair in pairs]


def _sorted_out(files: Sequence[Path], read: Callable[[Path], _Pair | None]) -> _Kept:
    kept = _Kept()
    for path in files:
        pair = read(path)
        if pair is None:
            kept.left_out.append(path)
        else:
            kept.pairs.append(pair)
    return kept


def _patterned(files: Sequence[Path], patterns: Patterns) -> _Kept:
    """Read paths as somebody says, else take the name of a table for its series."""
    for pattern in (patterns.series, patterns.detector, patterns.seed):
        try:
            re.compile(pattern or "")
        except re.error as error:
            raise TableError(f"{pattern!r} is no pattern: {error}") from None

    def read(path: Path) -> _Pair | None:
        if not path.name.lower().endswith(_TABLES):
            return None
        text = path.as_posix()
        series = patterns.find(patterns.series, text) if patterns.series else stem_of(path.name)
        detector = patterns.find(patterns.detector, text) if patterns.detector else ""
        seed = patterns.find(patterns.seed, text) if patterns.seed else ""
        if series is None or detector is None or seed is None:
            return None
        return _Pair(series, detector, seed, path)

    return _sorted_out(files, read)


def stem_of(name: str) -> str:
    """Return a file's name without its endings.

    >>> stem_of("a_tr_100_1st_200.test.csv.gz")
    'a_tr_100_1st_200'
    """
    return _ENDINGS.sub("", name) or name


def _not_in(files: Sequence[Path], layout: Layout) -> list[LeftOut]:
    """Say of files that do not fit, some of them by name."""
    if not files:
        return []
    named = ", ".join(map(told, files[:FEW_NAMED]))
    more = f" and {len(files) - FEW_NAMED:,} more" if len(files) > FEW_NAMED else ""
    verb = "does" if len(files) == 1 else "do"
    return [LeftOut(f"{named}{more}", f"{verb} not lie as {ABOUT[layout]}")]


# ---- where labels are ----------------------------------------------------------------------------


class Beside:
    """What lies beside the scores: labels by series, and the moments at which anomalies began."""

    def __init__(
        self, labels: str | Path | None, onsets: str | Path | None, formats: Formats
    ) -> None:
        self.formats = formats
        self._of_labels = Formats(formats.options, holds_labels=True)
        self.windows = self.moments = None
        self.tables: dict[str, list[Path]] | None = None
        if labels is not None and Path(labels).suffix.lower() == ".json":
            self.windows = _said_in(labels)
        elif labels is not None:
            self.tables = {}
            for path in list_files([labels]):
                if path.name.lower().endswith(_TABLES):
                    self.tables.setdefault(stem_of(path.name), []).append(path)
        if onsets is not None:
            self.moments = _said_in(onsets)
            if not self.moments.are_moments:
                raise TableError(f"{onsets}: must hold for each file a list of moments")

    def look_among(self, files: Sequence[Path], series: Iterable[str]) -> list[Path]:
        """Take the tables that are called like a series for its labels; return the other files."""
        wanted = {name.rsplit("/", 1)[-1] for name in series}
        tables = [path for path in files if path.name.lower().endswith(_TABLES)]
        found = [path for path in tables if stem_of(path.name) in wanted]
        if found:
            self.tables = {}
            for path in found:
                self.tables.setdefault(stem_of(path.name), []).append(path)
        return [path for path in files if path not in found]

    @property
    def columns(self) -> set[str]:
        """All columns of the files that were inspected."""
        return self.formats.columns | self._of_labels.columns

    def of(
        self, series: str, *, is_alone: bool
    ) -> tuple[ScoreFile | None, Windows | None, Windows | None]:
        """Return the table with the labels of a series, its windows and its moments."""
        moments = None if self.moments is None else _only(self.moments, series, is_alone=is_alone)
        if self.windows is not None:
            return None, _only(self.windows, series, is_alone=is_alone), moments
        if self.tables is None:
            return None, None, moments
        found = self.tables.get(series) or self.tables.get(series.rsplit("/", 1)[-1]) or []
        if len(found) > 1:
            inside = [path for path in found if series.split("/")[0] in path.parts]
            found = inside if len(inside) == 1 else found
        if len(found) != 1:
            which = "no" if not found else f"{len(found)}"
            raise TableError(f"{which} file of labels is called like it")
        intervals = read_interval_file(Source.at(found[0]))
        if intervals is not None:
            return None, _only(intervals, series, is_alone=True), moments
        form = self._of_labels.of(found[0])
        if not form.options.label:
            raise TableError(f"{found[0]}: say --label, the column with the labels")
        return ScoreFile("", "", found[0], form, form.options.label), None, moments


def _said_in(path: str | Path) -> Windows:
    """Read windows or moments: JSON, or moments one a line."""
    source = Source.at(path)
    is_json = str(path).lower().endswith(".json")
    read = read_json(source) if is_json else read_moment_lines(source, LARGEST_JSON)
    if not isinstance(read, Windows):
        raise TableError(f"{path}: must hold for each file a list of windows or moments")
    return read


def _only(said: Windows, series: str, *, is_alone: bool) -> Windows:
    """Return what is said of a series, under its own name or one like it.

    A single entry under another name counts only for a series that is alone.
    """
    exact = [key for key in said.entries if stem_of(key) == series]
    entries = said.entries[exact[0]] if len(exact) == 1 else None
    if entries is None and (is_alone or said.has(series)):
        entries = said.of(series)
    if entries is None:
        raise TableError(f"{said.name} says nothing of it")
    return replace(said, entries={series: entries})


# ---- series --------------------------------------------------------------------------------------

Made = tuple[list[SeriesFiles], list[LeftOut]]


def _pairs_of(pairs: Sequence[_Pair], beside: Beside) -> Made:
    """Make series of files that hold one detector each."""
    series: dict[str, list[_Pair]] = {}
    for pair in pairs:
        series.setdefault(pair.series, []).append(pair)
    made, left_out = [], []
    for name, own in sorted(series.items()):
        first = {(pair.detector, pair.seed): pair for pair in reversed(own)}
        left_out += [
            LeftOut(told(pair.path), f"{pair.detector} has another file of {name}")
            for pair in own
            if pair not in first.values()
        ]
        try:
            labels, windows, moments = beside.of(name, is_alone=len(series) == 1)
        except TableError as error:
            left_out.append(LeftOut(name, str(error), is_bad=True))
            continue
        scores = []
        for pair in reversed(first.values()):
            try:
                scores.append(_score_file(pair, beside.formats))
            except TableError as error:
                left_out.append(LeftOut(told(pair.path), str(error), is_bad=True))
        if scores:
            made.append(
                SeriesFiles(name, tuple(scores), labels, windows, moments, training_end(name))
            )
    return made, left_out


def _score_file(pair: _Pair, formats: Formats) -> ScoreFile:
    form = formats.of(pair.path)
    column = score_column_of(form, formats.options)
    if column is None:
        there = ", ".join(form.options.detectors) or "none"
        raise TableError(f"say --detector, the column with the scores; candidates: {there}")
    return ScoreFile(pair.detector, pair.seed, pair.path, form, column)


def _wide(pairs: Sequence[_Pair], beside: Beside) -> Made:
    """Make series of tables with a column for each detector."""
    made, left_out = [], []
    names = told_apart([pair.series for pair in pairs])
    for pair in pairs:
        with suppress(TableError):
            beside.formats.learn(pair.path)
    columns: dict[str, str] = {}
    for name, pair in zip(names, pairs, strict=True):
        try:
            form = beside.formats.of(pair.path)
            columns |= dict.fromkeys(form.left_out, told(pair.path))
            labels, windows, moments = beside.of(pair.series, is_alone=len(pairs) == 1)
            if not form.options.detectors:
                why = f": {', '.join(form.left_out)}" if form.left_out else ""
                raise TableError(f"no column looks like a detector's, say --detector{why}")
            if not form.options.label and labels is None and windows is None:
                raise TableError("holds no labels; say --label or --labels")
        except TableError as error:
            left_out.append(LeftOut(told(pair.path), str(error), is_bad=True))
            continue
        scores = tuple(
            ScoreFile(column, pair.seed, pair.path, form, column)
            for column in form.options.detectors
        )
        made.append(SeriesFiles(name, scores, labels, windows, moments, training_end(name)))
    left_out += [
        LeftOut(f"{path}, column {column.partition(' (')[0]}", column.partition(" (")[2][:-1])
        for column, path in columns.items()
    ]
    return sorted(made, key=lambda each: each.name), left_out
