"""Find the labels of joined files: in columns, in a label file, or as windows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from padf_core.io.columns import entries_like, word_of
from padf_core.io.errors import TableError
from padf_core.io.labels import (
    Windows,
    labelled_rows,
    rows_in,
)
from padf_core.io.matching import FilePart, JoinedRows
from padf_core.metrics.checks import BoolArray, IntArray

LABEL = "label"


FROM_ONSET = "label from the labelled moment"


@dataclass(frozen=True, eq=False)
class JoinedLabels:
    """The labels of joined files."""

    columns: dict[str, Any]
    anomaly: str | None = None
    """The entry that means an anomaly, if it is not 1."""
    file: FilePart | None = None
    """The file that was given as the label file."""
    are_windows: bool = False

    @property
    def flags(self) -> Any:
        """The labels as 0 and 1."""
        return _flags(self.columns[LABEL], self.anomaly)


def first_column(
    parts: Sequence[FilePart], frames: Sequence[pd.DataFrame], field: str
) -> pd.Series | None:
    """Return the first column with this role in its file."""
    named = ((getattr(p.options, field), f) for p, f in zip(parts, frames, strict=True))
    return next((frame[name] for name, frame in named if name), None)


def joined_labels(
    parts: Sequence[FilePart], joined: JoinedRows, windows: Sequence[Windows]
) -> JoinedLabels:
    """Return the labels: from windows, else from the label file, else those all files agree on."""
    stamps = joined.stamps
    rows = len(joined.frames[0])
    spans = _matching(parts, [each for each in windows if not each.are_moments])
    moments = _matching(parts, [each for each in windows if each.are_moments])
    for found in (spans, moments):
        if found and found[0].is_rows and joined.places is not None:
            raise TableError(
                f"{found[0].name}: uses row numbers, but the files have different rows; use "
                "windows of time"
            )
        if found and not found[0].is_rows and _has_several(parts, joined.frames):
            raise TableError(
                f"{found[0].name}: has times, but the rows belong to several series. Use padf "
                "corpus, which takes windows per series"
            )
    if spans:
        made = {LABEL: labelled_rows(*spans, rows, stamps).astype(np.int8)}
        if moments:
            made[FROM_ONSET] = _from_onset(*spans, *moments, rows, stamps).astype(np.int8)
        return JoinedLabels(made, are_windows=True)
    if moments:
        made = {LABEL: labelled_rows(*moments, rows, stamps).astype(np.int8)}
        return JoinedLabels(made, are_windows=True)
    own = [
        (at, part, frame[part.label])
        for at, (part, frame) in enumerate(zip(parts, joined.frames, strict=True))
        if part.label
    ]
    given = [each for each in own if each[1].holds_labels]
    own = given or own
    if windows and not own:
        raise TableError(f"{windows[0].name}: has no entry for {parts[0].name}")
    if not own:
        raise TableError("none of the files has labels; add a file with a column of 0 and 1")
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
    return JoinedLabels({LABEL: agreed}, anomaly, given[0][1] if given else None)


def _has_several(parts: Sequence[FilePart], frames: Sequence[pd.DataFrame]) -> bool:
    series = first_column(parts, frames, "series")
    return series is not None and bool((series != series.iloc[0]).any())


def _flags(column: Any, anomaly: str | None) -> Any:
    """Return labels as 0 and 1, with missing labels left missing."""
    if anomaly is None:
        return column
    return entries_like(column, anomaly).astype(float).where(column.notna())


def label_notices(
    parts: Sequence[FilePart], joined: JoinedRows, windows: Sequence[Windows], labels: JoinedLabels
) -> list[str]:
    """Report windows that do not match the files, and unused labels that differ."""
    notices = []
    for each in windows:
        if all(each.of(part.name) is None for part in parts):
            notices.append(f"{each.name} has no entry for these files")
        elif borrowed := each.borrowed([part.name for part in parts]):
            notices.append(borrowed)
    used = f"labels of {labels.file.name}" if labels.file else "windows"
    if labels.file is None and not labels.are_windows:
        return notices
    for at, (part, frame) in enumerate(zip(parts, joined.frames, strict=True)):
        if part.label and part is not labels.file:
            own = _flags(frame[part.label], part.options.anomaly)
            if own.dtype.kind not in "biuf":
                continue
            differs = ((own != labels.flags) & own.notna()).to_numpy()
            if differs.any():
                notices.append(
                    f"The {used} are taken, and the labels of {part.name} are not: they differ in "
                    f"{differs.sum():,} rows, the first {joined.name(at, int(np.argmax(differs)))}"
                )
    return notices


def _matching(
    parts: Sequence[FilePart], windows: Sequence[Windows]
) -> tuple[Windows, Sequence[Any]] | None:
    """Return the windows of the files with their entries; refuse two that both match."""
    named = [each for each in windows if any(each.has(part.name) for part in parts)]
    found = named or [each for each in windows if any(each.of(p.name) is not None for p in parts)]
    if len(found) > 1:
        raise TableError(
            f"{found[0].name} and {found[1].name} both say where anomalies are; use only one of "
            "them"
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
    given: Sequence[Any],
    rows: int,
    stamps: IntArray | None,
) -> BoolArray:
    """Return the rows of the windows, each starting at the labelled moment inside it."""
    places = np.arange(rows) if stamps is None else stamps
    at = [places[rows_in(moments, moment, rows, stamps)].min() for moment in given]
    made = np.zeros(rows, dtype=np.bool_)
    for entry in entries:
        inside = rows_in(windows, entry, rows, stamps)
        own = [moment for moment in at if (places[inside] == moment).any()]
        made |= inside & (places >= min(own)) if own else inside
    return made
