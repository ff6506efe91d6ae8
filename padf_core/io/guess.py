"""Guess the roles of a table's columns, and explain why some are left out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any

from padf_core.io.column_values import listing
from padf_core.io.columns import ColumnKind, anomalous_word, entries_like, plain_entries
from padf_core.io.errors import TableError
from padf_core.io.options import MAX_DETECTORS, ReadOptions
from padf_core.io.tables import TableFile


@dataclass(frozen=True, eq=False)
class Guess:
    """The guessed roles of a table's columns, and why some columns are left out."""

    options: ReadOptions
    kinds: Mapping[str, ColumnKind]
    left_out: Mapping[str, str]

    def words_of(self, label: str) -> list[str]:
        """Return a column's entries if one of them may mean an anomaly."""
        kind = self.kinds.get(label)
        return [] if kind is None or (kind.is_flag and not kind.is_turned) else kind.words

    def must_ask(self, label: str) -> bool:
        """Return whether the user has to name the label that means an anomaly."""
        return label in self.kinds and must_ask(self.kinds[label])


def must_ask(kind: ColumnKind) -> bool:
    """Return whether entries are words or codes, so that the user has to name the anomaly."""
    if kind.is_flag and not kind.is_turned:
        return False
    return bool(kind.words) and not {"0", "1"} <= set(kind.words) and kind.is_coded


def kinds_of(table: TableFile) -> dict[str, ColumnKind]:
    """Inspect some rows of every column."""
    sample = table.sample
    named = zip(table.columns, table.names, strict=True)
    return {
        name: ColumnKind(
            name, plain_entries(sample[name]), bool(own.strip()) and table.has_header, table.is_seen
        )
        for name, own in named
    }


def guess(table: TableFile) -> Guess:
    """Guess the role of each column from content and name; columns left out get a reason."""
    kinds = kinds_of(table)
    if table.known is not None:
        return _known(table.known, kinds)
    if len(kinds) < 2:
        raise TableError(
            f"{table.name}: has only one column. A label column and a detector column are "
            "needed, separated by comma, semicolon, tab or |"
        )
    every = list(kinds.values())
    time = _guess_time(every)
    rest = [kind for kind in every if kind is not time]
    label = _guess_label(rest)
    rest = [kind for kind in rest if kind is not label]
    ignore = next((kind for kind in rest if kind.is_ignored), None)
    detector = next((kind for kind in rest if kind.is_detector_name), None)
    series, seed = _guess_series(rest, detector)
    rest = [kind for kind in rest if kind not in (ignore, series, detector, seed)]
    if time is None and (series or detector):
        # Numbers that count time start again with each series.
        time = next((kind for kind in rest if kind.is_named_time and kind.is_numeric), None)
        rest = [kind for kind in rest if kind is not time]
    value = next(
        (each for each in rest if each.is_named_value and each.is_numeric and not each.is_flag),
        None,
    )
    reasons = {kind.name: kind.why_no_score(rest, label) for kind in rest if kind is not value}
    detectors = tuple(name for name, reason in reasons.items() if reason is None)
    options = ReadOptions(
        label=label.name if label else "",
        detectors=detectors[:MAX_DETECTORS],
        time=_name(time),
        value=_name(value),
        series=_name(series),
        ignore=_name(ignore),
        detector=_name(detector),
        seed=_name(seed),
        anomaly=guess_anomaly(label) if label else None,
        training=training_end(table.name),
    )
    left_out = {name: reason for name, reason in reasons.items() if reason is not None}
    for name in detectors[MAX_DETECTORS:]:
        left_out[name] = f"more than the {MAX_DETECTORS} that can be compared"
    return Guess(options, kinds, left_out)


def _known(options: ReadOptions, kinds: Mapping[str, ColumnKind]) -> Guess:
    """Return the known roles of the columns of joined files."""
    label = kinds.get(options.label)
    others = [kind for kind in kinds.values() if kind.name not in options.columns]
    why = {kind.name: kind.why_no_score(others, label) for kind in others}
    left_out = {name: reason for name, reason in why.items() if reason is not None}
    return Guess(options, kinds, left_out)


def _name(kind: ColumnKind | None) -> str | None:
    return None if kind is None else kind.name


def guess_options(table: TableFile) -> ReadOptions:
    """Guess the role of each column; unknown roles are an empty text or None."""
    return guess(table).options


def decide(table: TableFile, given: ReadOptions) -> Guess:
    """Return the options for reading a table: the given ones, and guesses for the rest.

    A given option always wins. A column with a given role is not guessed to have another.
    """
    made = complete(table, given)
    label, anomaly = made.options.label, made.options.anomaly
    if anomaly is None and made.must_ask(label):
        raise TableError(
            f"{table.name}: column {label!r} holds {', '.join(made.words_of(label))}; use "
            "--anomaly to say which one means an anomaly"
        )
    if given.anomaly is not None and label in made.kinds and table.known is None:
        check_anomaly(table, made.kinds[label], given.anomaly)
    return made


def check_anomaly(table: TableFile, label: ColumnKind, anomaly: str) -> None:
    """Refuse an anomaly label that does not occur, if all labels have been seen."""
    if table.is_seen and not entries_like(label.head, anomaly).any():
        there = ", ".join(label.words) or "many different values"
        raise TableError(
            f"{table.name}: column {label.name!r} holds {there}, none of which is {anomaly!r}"
        )


def complete(table: TableFile, given: ReadOptions) -> Guess:
    """Complete the options like `decide`, but the anomaly label may remain unknown."""
    given = _joined_names(table, given)
    named = {
        field: getattr(given, field)
        for field in ("label", "time", "value", "series", "ignore", "detector", "seed")
        if getattr(given, field)
    }
    for name in (*named.values(), *given.detectors):
        if name not in table.columns:
            raise TableError(f"{table.name}: has no column {name!r}; {listing(table.columns)}")
        if table.names.count(name) > 1:
            raise TableError(f"{table.name}: column {name!r} appears more than once")
    found = guess(table)
    taken = {*named.values(), *given.detectors}
    guessed = {
        field: value
        for field in ("label", "time", "value", "series", "ignore", "detector", "seed")
        if (value := getattr(found.options, field)) and field not in named and value not in taken
    }
    anomaly = given.anomaly
    if anomaly is None and {**guessed, **named}.get("label") == found.options.label:
        anomaly = found.options.anomaly
    uses = {*named.values(), *guessed.values()}
    detectors = given.detectors or tuple(
        name for name in found.options.detectors if name not in uses
    )
    options = replace(
        given,
        **{**guessed, **named},
        anomaly=anomaly,
        detectors=detectors,
        training=given.training or found.options.training,
    )
    unknown = [name for name in given.low if name not in detectors]
    if unknown and not options.detector:
        raise TableError(f"{table.name}: low names {unknown[0]!r}, which is not a detector")
    left_out = {
        name: why for name, why in found.left_out.items() if name not in {*uses, *detectors}
    }
    return Guess(options, found.kinds, left_out)


def _joined_names(table: TableFile, given: ReadOptions) -> ReadOptions:
    """Return the options with column names as in the table of joined files."""
    known = table.known
    if known is None:
        return given
    # Each file's labels were read with their own anomaly label.
    made: dict[str, Any] = {"detector": None, "seed": None, "anomaly": None}
    for field in ("label", "time", "value", "series", "ignore"):
        if name := getattr(given, field):
            made[field] = table.renamed.get(name, name)

    def called(name: str) -> tuple[str, ...]:
        own = (name,) if name in known.detectors else ()
        return (*own, *table.renamed_detectors.get(name, ())) or (name,)

    for field in ("detectors", "low"):
        new = (each for name in getattr(given, field) for each in called(name))
        made[field] = tuple(dict.fromkeys(new))
    return replace(given, **made)


def guesses_in_words(found: Guess, given: ReadOptions) -> list[str]:
    """Report each guess and the columns left out, one line each."""
    options, said = found.options, []
    if options.label and not given.label:
        said.append(f"label: {options.label}")
    if options.anomaly is not None and given.anomaly is None:
        said.append(f"an anomaly is {options.anomaly!r} in column {options.label!r}")
    if not given.detectors:
        said.append(f"detectors: {', '.join(options.detectors) or 'none'}")
        said += [f"left out: {name} ({reason})" for name, reason in found.left_out.items()]
    for field, what in (
        ("time", "times"),
        ("value", "signal"),
        ("series", "series"),
        ("detector", "detector of each row"),
        ("seed", "seed"),
        ("ignore", "ignored rows"),
    ):
        name = getattr(options, field)
        if name and not getattr(given, field):
            said.append(f"{what}: {name}")
    if options.training and given.skip is None:
        said.append(
            f"training rows (from the file's name): the first {options.training:,} are ignored"
        )
    return said


def training_end(name: str) -> int:
    """Return the number of training rows in a TSB-AD file name, or 0.

    >>> training_end("001_NAB_id_1_Facility_tr_1007_1st_2014.csv")
    1007
    """
    found = re.search(r"_tr_(\d{1,9})_", PurePath(name).name)
    return int(found[1]) if found else 0


def _guess_time(kinds: Sequence[ColumnKind]) -> ColumnKind | None:
    written = [kind for kind in kinds if not kind.is_numeric and kind.is_times]
    named = [kind for kind in kinds if kind.is_named_time and kind.is_numeric]
    numbers = [kind for kind in named if kind.is_times or kind.is_rising]
    return next((kind for kind in written if kind.is_named_time), None) or next(
        iter([*written, *numbers]), None
    )


def _guess_series(
    kinds: Sequence[ColumnKind], detector: ColumnKind | None
) -> tuple[ColumnKind | None, ColumnKind | None]:
    """Return the columns that name each row's series and, in a long table, its seed.

    In a long table the column name is enough, because each series may have few rows.
    """
    if detector is None:
        return next((kind for kind in kinds if kind.is_series), None), None
    others = [kind for kind in kinds if kind is not detector]
    seeds = [kind for kind in others if kind.is_seed]
    named = [kind for kind in others if kind.is_named_series and kind not in seeds]
    series = next(iter(named), None) or next(
        (kind for kind in others if kind not in seeds and kind.is_series), None
    )
    return series, next(iter(seeds), None)


def guess_anomaly(label: ColumnKind) -> str | None:
    """Return the label that means an anomaly, if it is not 1."""
    if label.is_turned:
        return "0"
    return None if label.is_numeric else anomalous_word(label.words)


def _guess_label(kinds: Sequence[ColumnKind]) -> ColumnKind | None:
    """Return the column with the most reliable label name, or else the only 0/1 column."""
    named = [kind for kind in kinds if kind.label_rank is not None]
    if named:
        return min(named, key=lambda kind: kind.label_rank or 0)
    flags = [kind for kind in kinds if kind.is_flag and not kind.is_ignored]
    unnamed = [kind for kind in flags if not kind.is_named_score]
    return unnamed[0] if len(unnamed) == 1 else None
