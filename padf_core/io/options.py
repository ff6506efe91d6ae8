"""Which column of a table is what."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from padf_core.io.columns import Look, anomalous_word
from padf_core.io.tables import TableError, TableFile

MAX_DETECTORS = 200

PROBATION, MOST_PROBATION = 0.15, 750
"""The share of a file that NAB lets not count, and the most rows that this may be."""

Gaps = Literal["refuse", "quiet", "ignore", "drop"]
"""What to do with scores that are missing: refuse the file, take them for no alarm, let their rows
not count for any detector, or leave out the detectors that have any."""

Order = Literal["refuse", "keep", "sort", "first"]
"""What to do with times that do not rise: refuse the file, keep the rows as they are and count in
steps, sort them by time, or sort them and keep the first row of each time."""


@dataclass(frozen=True)
class Roles:
    """What the columns of a table are, and how its rows are to be taken."""

    label: str
    detectors: tuple[str, ...]
    time: str | None = None
    value: str | None = None
    series: str | None = None
    """The column that names the series of each row."""
    ignore: str | None = None
    """The column with 1 in rows that do not count."""
    anomaly: str | None = None
    """The entry that means an anomaly, where labels are not 0 and 1."""
    only: str | None = None
    """The one series that is wanted; all of them, one after another, when there is none."""
    skip: float = 0
    """How many first rows of each series do not count; below 1, their share."""
    skip_most: int | None = None
    """The most rows that such a share may be."""
    since: int | None = None
    """Rows before this time do not count; microseconds since 1970."""
    low: tuple[str, ...] = ()
    """Detectors whose low scores are the alarming ones."""
    gaps: Gaps = "refuse"
    order: Order = "refuse"

    @property
    def is_plain(self) -> bool:
        """Whether every row counts as it stands: label and scores say it all."""
        return self == Roles(self.label, self.detectors, self.time, self.value)

    @property
    def columns(self) -> list[str]:
        """All columns that are needed."""
        extra = [self.time, self.value, self.series, self.ignore]
        named = [name for name in extra if name is not None]
        return list(dict.fromkeys([*named, self.label, *self.detectors]))


@dataclass(frozen=True, eq=False)
class Guess:
    """What the columns of a table seem to be, and what was left out for which reason."""

    roles: Roles
    looks: Mapping[str, Look]
    left_out: Mapping[str, str]

    def words_of(self, label: str) -> list[str]:
        """Return the entries of a column of which one may mean an anomaly."""
        look = self.looks.get(label)
        return [] if look is None or (look.is_flag and not look.is_turned) else look.words

    def must_ask(self, label: str) -> bool:
        """Say whether labels are words or codes of which one has to be named, not mistakes."""
        words = self.words_of(label)
        return bool(words) and not {"0", "1"} <= set(words) and self.looks[label].is_coded


def look_at(table: TableFile) -> dict[str, Look]:
    """Look at some rows of every column."""
    sample = table.sample
    named = zip(table.columns, table.names, strict=True)
    return {
        name: Look(name, sample[name], bool(own.strip()) and table.has_header, table.is_seen)
        for name, own in named
    }


def guess(table: TableFile) -> Guess:
    """Guess from names and some rows what each column is; nothing is left out without a reason."""
    looks = look_at(table)
    if len(looks) < 2:
        raise TableError(
            f"{table.name}: has only one column; a label column and a detector are needed, "
            "separated by comma, semicolon, tab or |"
        )
    every = list(looks.values())
    time = _guess_time(every)
    rest = [look for look in every if look is not time]
    label = _guess_label(rest)
    rest = [look for look in rest if look is not label]
    ignore = next((look for look in rest if look.is_ignored), None)
    series = next((look for look in rest if look.is_series), None)
    rest = [look for look in rest if look is not ignore and look is not series]
    value = next(
        (each for each in rest if each.is_named_value and each.is_numeric and not each.is_flag),
        None,
    )
    reasons = {look.name: look.why_no_score(rest, label) for look in rest if look is not value}
    detectors = tuple(name for name, reason in reasons.items() if reason is None)
    roles = Roles(
        label.name if label else "",
        detectors[:MAX_DETECTORS],
        time.name if time else None,
        value.name if value else None,
        series.name if series else None,
        ignore.name if ignore else None,
        _guess_anomaly(label) if label else None,
        skip=training_end(table.name),
    )
    left_out = {name: reason for name, reason in reasons.items() if reason is not None}
    for name in detectors[MAX_DETECTORS:]:
        left_out[name] = f"one more than the {MAX_DETECTORS} that can be compared"
    return Guess(roles, looks, left_out)


def guess_roles(table: TableFile) -> Roles:
    """Guess what each column is; what stays unknown is an empty text or None."""
    return guess(table).roles


def training_end(name: str) -> int:
    """Return the rows for training that a name in TSB-AD's manner tells of, else 0.

    >>> training_end("001_NAB_id_1_Facility_tr_1007_1st_2014.csv")
    1007
    """
    found = re.search(r"_tr_(\d{1,9})_", name)
    return int(found[1]) if found else 0


def _guess_time(looks: Sequence[Look]) -> Look | None:
    written = [look for look in looks if not look.is_numeric and look.is_times]
    named = [look for look in looks if look.is_named_time and look.is_numeric]
    numbers = [look for look in named if look.is_times or look.is_rising]
    return next((look for look in written if look.is_named_time), None) or next(
        iter([*written, *numbers]), None
    )


def _guess_anomaly(label: Look) -> str | None:
    if label.is_turned:
        return "0"
    return None if label.is_numeric else anomalous_word(label.words)


def _guess_label(looks: Sequence[Look]) -> Look | None:
    """Return the column that is named like labels most surely, else the only one of 0 and 1."""
    named = [look for look in looks if look.label_rank is not None]
    if named:
        return min(named, key=lambda look: look.label_rank or 0)
    flags = [look for look in looks if look.is_flag and not look.is_ignored]
    return flags[0] if len(flags) == 1 else None
