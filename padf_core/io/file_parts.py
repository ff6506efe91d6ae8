"""Read each of several files: rows with columns in roles, or labels for other files."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import PurePath

import numpy as np
import pandas as pd

from padf_core.io.columns import ColumnKind, entries_like, plain_entries
from padf_core.io.csv_text import is_number
from padf_core.io.errors import TableError
from padf_core.io.guess import complete, guess_anomaly
from padf_core.io.labels import (
    Windows,
    is_interval_line,
    read_intervals,
    read_sequences,
    windows_of,
)
from padf_core.io.long import widen
from padf_core.io.matching import FilePart
from padf_core.io.options import NOTHING, ReadOptions
from padf_core.io.sources import Source
from padf_core.io.tables import TableFile, table_of
from padf_core.metrics.checks import NumberArray

LARGEST_JSON = 50_000_000


JSON_LINES = (".jsonl", ".ndjson")


JSON_ENDINGS = (".json", *JSON_LINES)


def read_part(source: Source | TableFile, given: ReadOptions) -> FilePart | Windows:
    """Read a file according to its name and content."""
    if isinstance(source, TableFile):
        return part_of(source, given)
    lower = source.name.lower()
    if lower.endswith(".npy"):
        table = table_of(pd.DataFrame({"score": read_array(source)}), source.name)
    elif lower.endswith(JSON_ENDINGS):
        found = read_json(source)
        if isinstance(found, Windows):
            return replace(found, holds_labels=source.holds_labels)
        table = found
    else:
        intervals = read_interval_file(source)
        if intervals is not None:
            return replace(intervals, holds_labels=source.holds_labels)
        table = source.table()
        if "anomaly_sequences" in table.columns:
            return replace(read_sequences(table), holds_labels=source.holds_labels)
    return part_of(table, given, holds_labels=source.holds_labels)


def read_interval_file(source: Source) -> Windows | None:
    """Read a file of row intervals; return None for another kind of file."""
    with source.open() as raw:
        beginning = raw.read(4096)
    first = beginning.decode("utf-8", "replace").strip().splitlines()
    is_one = bool(first) and is_interval_line(first[0])
    return read_intervals(source, LARGEST_JSON) if is_one else None


def read_array(source: Source) -> NumberArray:
    """Read one number per row from a .npy file."""
    try:
        values: NumberArray = np.load(io.BytesIO(source.read(2_000_000_000)), allow_pickle=False)
    except TableError:
        raise
    except Exception:
        # numpy parses the header as Python source, so any kind of error can occur.
        raise TableError(f"{source.name}: cannot be read as an array of numbers") from None
    values = np.squeeze(values)
    if values.ndim != 1 or values.dtype.kind not in "biuf":
        raise TableError(f"{source.name}: must have one number per row")
    return values


def read_json(source: Source) -> TableFile | Windows:
    """Read rows, or windows or moments for each file."""
    content = source.read(LARGEST_JSON)
    try:
        is_lines = source.name.lower().endswith(JSON_LINES)
        found = list(map(json.loads, content.splitlines())) if is_lines else json.loads(content)
    except (ValueError, RecursionError):
        raise TableError(f"{source.name}: is not valid JSON") from None
    if isinstance(found, list) and found and all(isinstance(row, dict) for row in found):
        return table_of(pd.DataFrame(found), source.name)
    return windows_of(source.name, found)


def part_of(
    table: TableFile, given: ReadOptions = NOTHING, *, holds_labels: bool = False
) -> FilePart:
    """Return the roles of a file's columns: the given ones, and guesses for the rest.

    A single column is a label or a detector. A file given as the label file has no detectors.
    """
    if len(table.columns) == 1:
        return _single(table, given, holds_labels)
    there = set(table.columns)
    fields = ("label", "time", "value", "series", "ignore", "detector", "seed")
    named = {field: name for field in fields if (name := getattr(given, field)) in there}
    detectors = tuple(name for name in given.detectors if name in there and not holds_labels)
    asked = replace(NOTHING, detectors=detectors, **named)
    asked = replace(asked, order=given.order, missing=given.missing)
    found = complete(table, asked)
    options = found.options
    if options.label:
        options = replace(options, anomaly=_anomaly(table, found.kinds[options.label], given))
    if holds_labels:
        if not options.label:
            raise TableError(f"{table.name}: say which column has the labels")
        options = replace(options, value=None, detectors=(), detector=None, seed=None)
        return FilePart(table.name, table, options, holds_labels=True)
    wide, named_detectors = widen(table, options)
    called = {}
    if options.detector is not None:
        called = {options.detectors[0]: named_detectors.detectors}
    return FilePart(table.name, wide, named_detectors, called=called, left_out=found.left_out)


def _anomaly(table: TableFile, label: ColumnKind, given: ReadOptions) -> str | None:
    """Return the label that means an anomaly: the given one, if the file has it.

    It may be too rare to appear among the inspected rows.
    """
    if given.anomaly is None:
        return guess_anomaly(label)
    is_seen = bool(entries_like(label.head, given.anomaly).any())
    may_come = not table.is_seen and label.is_numeric == is_number(given.anomaly)
    return given.anomaly if is_seen or may_come else guess_anomaly(label)


def _single(table: TableFile, given: ReadOptions, holds_labels: bool) -> FilePart:
    only = table.columns[0]
    kind = ColumnKind(only, plain_entries(table.sample[only]))
    says_label = kind.label_rank is not None or "label" in PurePath(table.name).name.lower()
    if given.label == only or holds_labels:
        is_label = True
    else:
        is_label = kind.is_flag and says_label and only not in given.detectors
    if is_label:
        options = ReadOptions(label=only, anomaly=_anomaly(table, kind, given))
    else:
        options = ReadOptions(detectors=(only,))
    return FilePart(table.name, table, options, not is_label and kind.is_flag, holds_labels)
