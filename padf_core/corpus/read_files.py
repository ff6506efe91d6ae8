"""Read the files of one series in a corpus, with the same pipeline as a single table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from padf_core.corpus.file_columns import Pair, TimesOfFiles, columns_of, labels_beside, no_rows
from padf_core.corpus.plan import LeftOut, SeriesFiles, shown_path
from padf_core.io.arrange import Arranged, arrange
from padf_core.io.column_values import unique_names
from padf_core.io.errors import TableError
from padf_core.io.labels import moment_rows
from padf_core.io.options import ReadOptions
from padf_core.io.read_columns import Columns
from padf_core.io.series import Series, make_series
from padf_core.io.times import Clock
from padf_core.metrics.checks import BoolArray, NumberArray
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
    """Duration of the scored rows in days, if there is a clock."""
    training: int
    """Number of first rows on which thresholds are chosen."""
    is_inverted: bool = False
    """Whether low scores in the file mean an anomaly."""


class Found(NamedTuple):
    """The result of reading a series."""

    scored: list[Scored]
    left_out: list[LeftOut]
    dropped: list[Pair]
    """Detectors that ``missing="drop"`` leaves out, here and in every other series."""


def read_series_files(
    files: SeriesFiles, options: ReadOptions, *, scores_training: bool = False
) -> Found:
    """Read every detector of a series; what cannot be read is left out with a reason."""
    dropped: list[Pair] = []
    left_out: list[LeftOut] = []
    times = TimesOfFiles()
    try:
        beside = (
            None if files.labels is None else labels_beside(files.labels, times, options.anomaly)
        )
    except TableError as error:
        return Found([], [LeftOut(files.name, str(error), is_bad=True)], [])
    options = replace(options, training=files.training)
    read: list[tuple[Arranged, dict[str, Pair]]] = []
    for path, own in groupby(files.scores, lambda each: each.path):
        try:
            for columns, names in columns_of(path, list(own), files, beside, times, options):
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
    """Return one series with the detectors that share the first one's rows and labels."""
    first = scored[0]
    same = [each for each in scored if _is_alike(each, first)]
    names = unique_names([f"{each.detector} {each.seed}".strip() for each in same])
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


def _take_out_missing(
    columns: Columns, names: dict[str, Pair], series: str, options: ReadOptions
) -> Iterator[tuple[str, LeftOut]]:
    """Remove the detectors with unacceptable missing scores, and yield each with the reason."""
    for key, column in list(columns.scores.items()):
        missing = np.isnan(column) if column.dtype.kind == "f" else no_rows(column.size)
        if not missing.any() or (options.missing in ("quiet", "ignore") and not missing.all()):
            continue
        row = int(np.flatnonzero(missing)[0]) + 1
        why = f"row {row}: scores must be numbers; got nothing"
        if missing.all():
            why = "has no scores"
        elif options.missing == "refuse":
            why += "; use --missing quiet or ignore"
        del columns.scores[key]
        yield key, LeftOut(f"{series}, {names[key][0]}", why, options.missing == "refuse")


def _missing_elsewhere(
    arranged: Arranged, read: Sequence[tuple[Arranged, Any]]
) -> BoolArray | None:
    """Return the rows on which a detector of another file has no score.

    Rows with missing scores are ignored for all detectors, so that all are judged on the same rows.
    Files with different rows are not affected.
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
    """Return the onset option; a moment is the first row at or after it."""
    onset = arranged.options.onset
    if files.moments is None:
        return onset
    entries = files.moments.of(files.name) or ()
    rows = moment_rows(files.moments, entries, arranged.size, arranged.stamps)
    return replace(onset or Onset(), moments=rows)
