"""Derive series, detector and seed from the path of a file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from padf_core.corpus.plan import (
    ABOUT,
    Layout,
    LeftOut,
    shown_path,
)
from padf_core.io.errors import TableError

FEW_NAMED = 3


_ENDINGS = re.compile(r"(\.(test|train|csv|tsv|txt|gz|parquet|pq|npy|ts|out|json))+$", re.I)


TABLE_ENDINGS = (".csv", ".gz", ".parquet", ".pq", ".npy", ".txt", ".tsv", ".ts", ".out")


@dataclass(frozen=True)
class Patterns:
    """Patterns that extract series, detector and seed from a path."""

    series: str | None = None
    detector: str | None = None
    seed: str | None = None

    def find(self, pattern: str | None, path: str) -> str | None:
        """Return the first group of a pattern's match in a path, or the whole match."""
        if pattern is None:
            return None
        found = re.search(pattern, path)
        if found is None:
            return None
        return found[1] if found.groups() else found[0]


@dataclass(frozen=True)
class ScorePath:
    """The series, detector and seed of a file with scores."""

    series: str
    detector: str
    seed: str
    path: Path


@dataclass
class SortedPaths:
    """Files with scores, and files that do not fit the layout."""

    pairs: list[ScorePath] = field(default_factory=list)
    left_out: list[Path] = field(default_factory=list)


def list_files(paths: Iterable[str | Path]) -> list[Path]:
    """Return all files in these folders, and the given files, in order.

    Paths are absolute, because other processes may have another working directory.
    """
    found: list[Path] = []
    for path in (Path(path).absolute() for path in paths):
        if path.is_dir():
            found += sorted(p for p in path.rglob("*") if p.is_file() and p.name[0] != ".")
        elif path.is_file():
            found.append(path)
        else:
            raise TableError(f"{shown_path(path)}: cannot be opened as a file or folder")
    if not found:
        raise TableError("there is no file to read")
    return list(dict.fromkeys(found))


def _nab(path: Path) -> ScorePath | None:
    if len(path.parts) < 3 or path.suffix != ".csv":
        return None
    detector, group = path.parts[-3:-1]
    if not path.name.startswith(f"{detector}_"):
        return None
    return ScorePath(f"{group}/{path.stem[len(detector) + 1 :]}", detector, "", path)


def _tsb_ad(path: Path) -> ScorePath | None:
    if path.suffix != ".npy" or len(path.parts) < 2:
        return None
    return ScorePath(path.stem, path.parts[-2], "", path)


def _timeeval(path: Path) -> ScorePath | None:
    if path.name != "anomaly_scores.ts" or len(path.parts) < 6:
        return None
    algorithm, parameters, collection, dataset, repetition = path.parts[-6:-1]
    return ScorePath(f"{collection}/{dataset}", f"{algorithm} {parameters}", repetition, path)


PATH_READERS: Mapping[str, Callable[[Path], ScorePath | None]] = {
    "nab": _nab,
    "tsb-ad": _tsb_ad,
    "timeeval": _timeeval,
    "long": lambda path: None,
}


def name_algorithms(pairs: Sequence[ScorePath]) -> list[ScorePath]:
    """Remove the parameters from algorithm names if each algorithm has only one set of them."""
    sets: dict[str, set[str]] = {}
    for pair in pairs:
        sets.setdefault(pair.detector.split(" ")[0], set()).add(pair.detector)

    def name(detector: str) -> str:
        algorithm, _, parameters = detector.partition(" ")
        return algorithm if len(sets[algorithm]) == 1 else f"{algorithm} {parameters[:8]}"

    return [ScorePath(pair.series, name(pair.detector), pair.seed, pair.path) for pair in pairs]


def sort_paths(files: Sequence[Path], read: Callable[[Path], ScorePath | None]) -> SortedPaths:
    """Read every path, and separate the ones that do not fit the layout."""
    kept = SortedPaths()
    for path in files:
        pair = read(path)
        if pair is None:
            kept.left_out.append(path)
        else:
            kept.pairs.append(pair)
    return kept


def sort_by_patterns(files: Sequence[Path], patterns: Patterns) -> SortedPaths:
    """Read paths by the given patterns; without one, a table's name is its series."""
    for pattern in (patterns.series, patterns.detector, patterns.seed):
        try:
            re.compile(pattern or "")
        except re.error as error:
            raise TableError(f"{pattern!r} is not a valid pattern: {error}") from None

    def read(path: Path) -> ScorePath | None:
        if not path.name.lower().endswith(TABLE_ENDINGS):
            return None
        text = path.as_posix()
        series = patterns.find(patterns.series, text) if patterns.series else stem_of(path.name)
        detector = patterns.find(patterns.detector, text) if patterns.detector else ""
        seed = patterns.find(patterns.seed, text) if patterns.seed else ""
        if series is None or detector is None or seed is None:
            return None
        return ScorePath(series, detector, seed, path)

    return sort_paths(files, read)


def stem_of(name: str) -> str:
    """Return a file's name without its extensions.

    >>> stem_of("a_tr_100_1st_200.test.csv.gz")
    'a_tr_100_1st_200'
    """
    return _ENDINGS.sub("", name) or name


def not_in_layout(files: Sequence[Path], layout: Layout) -> list[LeftOut]:
    """Report the files that do not fit the layout, the first few by name."""
    if not files:
        return []
    named = ", ".join(map(shown_path, files[:FEW_NAMED]))
    more = f" and {len(files) - FEW_NAMED:,} more" if len(files) > FEW_NAMED else ""
    verb = "does" if len(files) == 1 else "do"
    return [LeftOut(f"{named}{more}", f"{verb} not match {ABOUT[layout]}")]
