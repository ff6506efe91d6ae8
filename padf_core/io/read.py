"""Convert the columns of a file to a series, for the app, the commands and the library.

A file is read into `Columns`, in the file's row order. `arrange` orders the rows, fills missing
scores and determines the ignored rows. `Arranged.series` adds the clock and the onsets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from padf_core.io.arrange import arrange
from padf_core.io.guess import decide
from padf_core.io.join import open_files, read_moments
from padf_core.io.long import widen
from padf_core.io.options import ReadOptions
from padf_core.io.read_columns import read_columns
from padf_core.io.series import Series
from padf_core.io.sources import Source
from padf_core.io.tables import TableFile, table_of
from padf_core.metrics.checks import Progress, no_progress
from padf_core.metrics.onset import Onset


def read_series(
    *files: str | Path | pd.DataFrame,
    labels: str | Path | None = None,
    onsets: str | Path | None = None,
    **options: Any,
) -> Series:
    """Read labels and scores from files, as ``padf evaluate`` and the app do.

    Parameters
    ----------
    *files : str, Path or DataFrame
        One table, or several files that are joined by time or row: scores, labels, windows.
    labels : str or Path, optional
        The file with the labels: a table, or windows.
    onsets : str or Path, optional
        A file of moments at which segments begin.
    **options
        The fields of `ReadOptions`. Columns that are not named are guessed.

    Returns
    -------
    Series
        Labels, detectors, ignored rows and the clock.

    Raises
    ------
    ValueError
        If a file cannot be read. The message names file, column, row and value.

    Examples
    --------
    >>> frame = pd.DataFrame({"label": [0, 1, 1, 0], "score": [0.1, 0.9, 0.8, 0.2]})
    >>> series = read_series(frame)
    >>> series.names, series.anomalous
    (['score'], 2)
    """
    given = ReadOptions(**{name: _as_tuple(name, value) for name, value in options.items()})
    table = _open(files, labels, given)
    asked = decide(table, given).options
    series = series_from(table, replace(asked, onset=None) if onsets else asked)
    if onsets is None:
        return series
    names = [str(file) for file in files if not isinstance(file, pd.DataFrame)]
    moments = read_moments(Source.at(onsets), names or [table.name], series)
    return series.with_onset(replace(given.onset or Onset(), moments=moments))


def _as_tuple(name: str, value: Any) -> Any:
    """Allow lists of names as a single name or any sequence."""
    if name not in ("detectors", "low") or isinstance(value, tuple):
        return value
    return (value,) if isinstance(value, str) else tuple(value)


def _open(
    files: Sequence[str | Path | pd.DataFrame], labels: str | Path | None, given: ReadOptions
) -> TableFile:
    own: list[Source | TableFile] = [
        table_of(file, "table") if isinstance(file, pd.DataFrame) else Source.at(file)
        for file in files
    ]
    beside = [] if labels is None else [Source.at(labels, holds_labels=True)]
    return open_files([*own, *beside], given)


def series_from(
    table: TableFile,
    options: ReadOptions,
    progress: Progress = no_progress,
    *,
    scores_training: bool = False,
) -> Series:
    """Read the required columns piece by piece, and build a series from them."""
    table, options = widen(table, options)
    columns = read_columns(table, options, progress)
    return arrange(columns, options, scores_training=scores_training).series()
