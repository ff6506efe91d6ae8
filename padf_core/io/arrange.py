"""Bring rows into their final order, with ignored rows and missing scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
import pandas as pd

from padf_core.io.errors import MissingError, TableError
from padf_core.io.options import ReadOptions
from padf_core.io.read_columns import Columns
from padf_core.io.series import Series, make_series
from padf_core.io.times import OrderedRows, make_clock
from padf_core.metrics.checks import BoolArray, IntArray, NumberArray
from padf_core.metrics.rows import make_rows


@dataclass(eq=False)
class Arranged:
    """Columns in their final row order, with the rows that are ignored for all detectors."""

    columns: Columns
    options: ReadOptions
    ids: np.ndarray | None
    """The series code of each row, if there are several series."""
    stamps: IntArray | None
    """The time of each row in microseconds since 1970, if there is a clock."""
    clocked: BoolArray | None = None
    """The rows whose series has a clock, or None if all have one."""
    missing: dict[str, BoolArray] = field(default_factory=dict)
    """The rows without a score, for each detector with missing scores."""

    @property
    def size(self) -> int:
        return int(self.columns.labels.size)

    def series(self, also_missing: BoolArray | None = None) -> Series:
        """Build the series. ``also_missing`` marks rows on which another file has no score."""
        columns, options = self.columns, self.options
        masks = [columns.ignored, also_missing]
        if options.missing == "ignore":
            masks += self.missing.values()
        known = [mask for mask in masks if mask is not None]
        rows = make_rows(self.size, np.logical_or.reduce(known) if known else None, self.ids)
        made = make_series(
            columns.file,
            columns.labels,
            columns.scores,
            None
            if self.stamps is None
            else make_clock(self.stamps, rows.begins, self.clocked, owned=True),
            columns.value,
            columns.value_name,
            rows,
            inverted=options.low,
            owned=True,
        )
        return made if options.onset is None else made.with_onset(options.onset)


def arrange(columns: Columns, options: ReadOptions, *, scores_training: bool = False) -> Arranged:
    """Order the rows, and determine which are ignored and which have no score.

    With ``scores_training``, training rows are scored, because thresholds are chosen on them.
    """
    codes, known = _series_codes(columns, options)
    order, stamps, clocked = _order(columns, options, codes, known)

    def arranged(column: np.ndarray) -> np.ndarray:
        return column if order is None else column[order]

    ids = None if codes is None else arranged(codes)
    size = columns.labels.size if order is None else order.size
    ignored = _first_rows(options, size, ids, scores_training)
    if columns.ignored is not None:
        own = arranged(columns.ignored)
        ignored = own if ignored is None else ignored | own
    if options.since is not None:
        if stamps is None or clocked is not None:
            raise TableError(f"{columns.file}: ignoring rows before a time needs timestamps")
        early = stamps < options.since
        ignored = early if ignored is None else ignored | early
    scores, missing = _filled(
        columns.file,
        {name: arranged(column) for name, column in columns.scores.items()},
        options,
    )
    made = replace(
        columns,
        labels=arranged(columns.labels),
        scores=scores,
        times=None,
        ignored=ignored,
        value=None if columns.value is None else arranged(columns.value),
        series=None,
    )
    return Arranged(made, options, ids, stamps, clocked, missing)


def _series_codes(columns: Columns, options: ReadOptions) -> tuple[IntArray | None, Sequence[str]]:
    """Return the code of each row's series, and the names of the series."""
    if columns.series is None:
        return None, ()
    codes, known = pd.factorize(columns.series)
    names = list(map(str, known))
    if options.only is not None and options.only not in names:
        raise TableError(
            f"{columns.file}: column {options.series!r} has no series {options.only!r}"
        )
    return codes.astype(np.int64), names


def _order(
    columns: Columns, options: ReadOptions, codes: IntArray | None, known: Sequence[str]
) -> OrderedRows:
    """Return the row order to use, and the times of these rows on the clock, if there is one."""
    order: IntArray | None = None
    if codes is not None:
        order = np.argsort(codes, kind="stable")
        if options.only is not None:
            order = order[codes[order] == known.index(options.only)]
        elif (codes[1:] >= codes[:-1]).all():
            order = None
    if columns.times is None:
        return OrderedRows(order, None)
    return columns.times.ordered(options.order, order, codes)


def _first_rows(
    options: ReadOptions, size: int, ids: IntArray | None, scores_training: bool
) -> BoolArray | None:
    """Return a mask of the ignored first rows of each series, or None if there are none."""
    borders = [0, size]
    if ids is not None:
        borders[1:1] = (np.flatnonzero(ids[1:] != ids[:-1]) + 1).tolist()
    ignored = np.zeros(size, dtype=np.bool_)
    for begin, end in pairwise(borders):
        count = options.first_ignored(end - begin, scores_training=scores_training)
        ignored[begin : begin + count] = True
    return ignored if ignored.any() else None


def _filled(
    file: str, scores: dict[str, NumberArray], options: ReadOptions
) -> tuple[dict[str, NumberArray], dict[str, BoolArray]]:
    """Return scores with missing ones filled in, and the rows in which they were missing."""
    missing = {
        name: np.isnan(column)
        for name, column in scores.items()
        if column.dtype.kind == "f" and np.isnan(column).any()
    }
    if not missing:
        return scores, {}
    if options.missing == "refuse":
        name, mask = next(iter(missing.items()))
        row = int(np.flatnonzero(mask)[0]) + 1
        raise MissingError(
            f"{file}: column {name!r}, row {row}: scores must be numbers; got nothing"
        )
    if options.missing == "drop":
        kept = {name: column for name, column in scores.items() if name not in missing}
        if not kept:
            raise TableError(f"{file}: every detector has missing scores")
        return kept, {}
    filled = dict(scores)
    for name, mask in missing.items():
        known = scores[name][~mask]
        if not known.size:
            raise MissingError(f"{file}: column {name!r}: has no scores")
        is_low = name in options.low
        # A filled-in score must not raise an alarm, even after the scores are inverted.
        if ((known == 0) | (known == 1)).all():
            quiet = 1.0 if is_low else 0.0
        else:
            quiet = np.inf if is_low else -np.inf
        filled[name] = np.where(mask, quiet, scores[name])
    return filled, missing
