"""Assign the files of a corpus to detectors and series, and find the labels.

A layout is a way to arrange results in folders. It is guessed from the paths. Files that do not fit
are left out, with a reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import get_args

from padf_core.corpus.formats import Formats, score_column_of
from padf_core.corpus.label_files import Beside
from padf_core.corpus.paths import (
    PATH_READERS,
    TABLE_ENDINGS,
    Patterns,
    ScorePath,
    list_files,
    name_algorithms,
    not_in_layout,
    sort_by_patterns,
    sort_paths,
)
from padf_core.corpus.plan import (
    ABOUT,
    RESERVED,
    Layout,
    LeftOut,
    Plan,
    ScoreFile,
    SeriesFiles,
    shown_path,
)
from padf_core.io.column_values import listing, unique_names
from padf_core.io.errors import TableError
from padf_core.io.guess import guess, training_end
from padf_core.io.open_table import open_table
from padf_core.io.options import ReadOptions

MOST_GUESSED = 20


def guess_layout(files: Sequence[Path], patterns: Patterns, options: ReadOptions) -> Layout:
    """Return the layout that matches the paths."""
    if patterns.series or patterns.detector:
        return "files"
    named: tuple[Layout, ...] = ("timeeval", "nab", "tsb-ad")
    for layout in named:
        if any(PATH_READERS[layout](path) for path in files):
            return layout
    tables = [path for path in files if path.suffix in TABLE_ENDINGS and path.suffix != ".npy"]
    if len(tables) == len(files) and all(is_long(path, options) for path in tables[:3]):
        return "long"
    return "files"


def is_long(path: Path, options: ReadOptions) -> bool:
    """Return whether a table holds several series, or a row for each point of each detector."""
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
    """Determine the content of each file; ``layout`` is guessed unless it is given."""
    patterns = patterns or Patterns()
    files = list_files(paths)
    if layout is not None and layout not in get_args(Layout):
        raise ValueError(f"layout must be one of {', '.join(ABOUT)}; got {layout!r}")
    chosen = layout or guess_layout(files, patterns, options or ReadOptions())
    given = options or ReadOptions()
    beside = Beside(labels, onsets, Formats(given))
    if chosen == "files":
        kept = sort_by_patterns(files, patterns)
        made = _pairs_of(kept.pairs, beside) if patterns.detector else _wide(kept.pairs, beside)
    else:
        kept = sort_paths(files, PATH_READERS[chosen])
        if chosen == "timeeval":
            kept.pairs = name_algorithms(kept.pairs)
        if labels is None and chosen in ("tsb-ad", "timeeval"):
            kept.left_out = beside.look_among(kept.left_out, {pair.series for pair in kept.pairs})
        made = _pairs_of(kept.pairs, beside)
    series, left_out = made
    if not series:
        reason = f"; {left_out[0].text}" if left_out else ""
        raise TableError(
            f"no file matches {ABOUT[chosen]}; use another --layout, or --series-from and "
            f"--detector-from{reason}"
        )
    _check_named(given, beside)
    left_out = [*not_in_layout(kept.left_out, chosen), *left_out]
    notices = (*_guesses(given, series), *beside.notices)
    return checked(Plan(chosen, tuple(series), tuple(left_out), notices), given)


def _check_named(given: ReadOptions, beside: Beside) -> None:
    """Raise an error if a named column is in no file."""
    for name in (given.label, given.time, given.ignore, *given.detectors):
        if name and name not in beside.columns:
            raise TableError(f"no file has a column {name!r}; {listing(sorted(beside.columns))}")


def checked(plan: Plan, given: ReadOptions) -> Plan:
    """Check a plan, and reduce it to the requested series if one is named.

    Raise if a series has a reserved name, or if a given name does not exist.
    """
    reserved = next((each.name for each in plan.series if each.name in RESERVED), None)
    if reserved:
        raise TableError(f"a series must not be called {reserved!r}, which means all series")
    detectors = {file.detector for each in plan.series for file in each.scores}
    unknown = next((name for name in given.low if name not in detectors), None)
    if unknown:
        raise TableError(f"low names {unknown!r}, which is not a detector")
    if given.only is None:
        return plan
    kept = tuple(each for each in plan.series if each.name == given.only)
    if not kept:
        there = ", ".join(each.name for each in plan.series[:MOST_GUESSED])
        raise TableError(f"there is no series {given.only!r}; the first ones are {there}")
    return replace(plan, series=kept)


def _guesses(given: ReadOptions, series: Sequence[SeriesFiles]) -> tuple[str, ...]:
    """Report which columns were guessed, and where training rows are ignored."""
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
    lines = []
    for what, said, found in guessed:
        named = list(dict.fromkeys(name for name in found if name))
        if named and not said:
            more = f" and {len(named) - MOST_GUESSED:,} more" if len(named) > MOST_GUESSED else ""
            lines.append(f"{what}: {', '.join(named[:MOST_GUESSED])}{more}")
    trained = sum(each.training > 0 for each in series)
    if trained and given.skip is None:
        lines.append(
            f"training rows (from the files' names): the first rows of {trained:,} series are "
            "ignored"
        )
    return tuple(lines)


Made = tuple[list[SeriesFiles], list[LeftOut]]


def _pairs_of(pairs: Sequence[ScorePath], beside: Beside) -> Made:
    """Group files with one detector each into series."""
    series: dict[str, list[ScorePath]] = {}
    for pair in pairs:
        series.setdefault(pair.series, []).append(pair)
    made, left_out = [], []
    for name, own in sorted(series.items()):
        first = {(pair.detector, pair.seed): pair for pair in reversed(own)}
        left_out += [
            LeftOut(shown_path(pair.path), f"{pair.detector} has another file of {name}")
            for pair in own
            if pair not in first.values()
        ]
        try:
            labels, windows, moments = beside.of(name, series)
        except TableError as error:
            left_out.append(LeftOut(name, str(error), is_bad=True))
            continue
        scores = []
        for pair in reversed(first.values()):
            try:
                scores.append(_score_file(pair, beside.formats))
            except TableError as error:
                left_out.append(LeftOut(shown_path(pair.path), str(error), is_bad=True))
        if scores:
            made.append(
                SeriesFiles(name, tuple(scores), labels, windows, moments, training_end(name))
            )
    return made, left_out


def _score_file(pair: ScorePath, formats: Formats) -> ScoreFile:
    form = formats.of(pair.path)
    column = score_column_of(form, formats.options)
    if column is None:
        there = ", ".join(form.options.detectors) or "none"
        raise TableError(f"use --detector to name the column with the scores; candidates: {there}")
    return ScoreFile(pair.detector, pair.seed, pair.path, form, column)


def _wide(pairs: Sequence[ScorePath], beside: Beside) -> Made:
    """Make one series of each table with a column per detector."""
    made, left_out = [], []
    names = unique_names([pair.series for pair in pairs])
    for pair in pairs:
        with suppress(TableError):
            beside.formats.learn(pair.path)
    columns: dict[str, str] = {}
    every = {pair.series for pair in pairs}
    for name, pair in zip(names, pairs, strict=True):
        try:
            form = beside.formats.of(pair.path)
            columns |= dict.fromkeys(form.left_out, shown_path(pair.path))
            labels, windows, moments = beside.of(pair.series, every)
            if not form.options.detectors:
                why = f": {', '.join(form.left_out)}" if form.left_out else ""
                raise TableError(f"no column looks like a detector; use --detector{why}")
            if not form.options.label and labels is None and windows is None:
                raise TableError("has no labels; use --label or --labels")
        except TableError as error:
            left_out.append(LeftOut(shown_path(pair.path), str(error), is_bad=True))
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
