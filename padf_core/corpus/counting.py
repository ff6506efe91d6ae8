"""One series: every detector's counts at its threshold, or its sorted scores for all to see."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import fsum
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from padf_core.analysis.held_out import after_first, by_segments, half_of, within_budget
from padf_core.analysis.random_detector import count_alarms, highest
from padf_core.corpus.plan import LeftOut, SeriesFiles
from padf_core.corpus.ranked_blocks import arrays_of, ranked_of
from padf_core.corpus.read_files import Pair, Scored, read_series_files
from padf_core.corpus.records import RECORDS
from padf_core.corpus.rules import Rule
from padf_core.corpus.stores import Store
from padf_core.io.options import ReadOptions
from padf_core.metrics.checks import BoolArray, frozen
from padf_core.metrics.counts import Counts
from padf_core.metrics.protocols import Protocol
from padf_core.metrics.sweep import RankedScores, at_or_above

FORMAT = 5
"""Rises when what is kept of a series changes."""

RANDOM = "\0random"
"""The name of the random detectors; nobody else has it."""


class Row(NamedTuple):
    """One detector on one series under one protocol."""

    series: str
    detector: str
    seed: str
    protocol: int
    threshold: float
    earned: float
    claimed: float
    wanted: float
    apart: float | None
    """What was found, where that is not what was earned."""
    silent: int | None
    """Normal points without an alarm, where precision is corrected by them."""
    normal: int | None
    """Normal points, where precision is corrected."""
    flagged: int
    """Points that are flagged."""
    points: int
    segments: int
    detected: int
    delay_steps: float
    """Mean delay of the segments that were found; NaN where none was."""
    delay_seconds: float
    false_alarms: int
    """Runs of false alarms."""
    days: float
    """NaN without a clock."""
    against: str = ""
    """Whose share of alarms a random detector has, where that matters."""

    @property
    def counts(self) -> Counts:
        """What precision and recall are made of."""
        return Counts(self.earned, self.claimed, self.wanted, self.apart, self.silent, self.normal)


class Known(NamedTuple):
    """What is known of one detector on one series before any threshold."""

    detector: str
    seed: str
    days: float
    points: int
    anomalous: int
    low: float
    high: float
    is_binary: bool
    rows: int
    often: Sequence[float] = ()
    """For alarms of 0 and 1: the thresholds at which each random detector rings as often."""
    is_inverted: bool = False
    """Whether low scores of the file mean an anomaly."""


@dataclass(frozen=True, eq=False)
class SeriesOutcome:
    """What came of reading one series."""

    known: list[Known]
    rows: list[Row]
    left_out: list[LeftOut]
    dropped: list[Pair] = field(default_factory=list)
    """The detectors that are left out of every series, since scores are missing in this one."""

    def to_json(self) -> Any:
        """Return plain lists."""
        return [
            [list(each) for each in self.known],
            [list(each) for each in self.rows],
            [[each.what, each.why, each.is_bad] for each in self.left_out],
            self.dropped,
        ]

    @classmethod
    def from_json(cls, kept: Any) -> SeriesOutcome:
        """Read what `to_json` made."""
        known, rows, left_out, dropped = kept
        return cls(
            [Known(*each) for each in known],
            [Row(*each) for each in rows],
            [LeftOut(*each) for each in left_out],
            [(detector, seed) for detector, seed in dropped],
        )


@dataclass(frozen=True)
class SeriesTask:
    """Everything that is needed to work on one series, wherever that happens."""

    files: SeriesFiles
    options: ReadOptions
    protocols: tuple[Protocol, ...]
    rule: Rule
    chance: int
    """How many random detectors are scored beside."""
    seed: int
    key: str

    @property
    def size(self) -> int:
        """Bytes that have to be read."""
        return sum(path.stat().st_size for path in self.files.paths if path.exists())


def key_of(
    files: SeriesFiles,
    options: ReadOptions,
    protocols: Sequence[Protocol],
    rule: Rule,
    *more: object,
) -> str:
    """Return a name for the work on one series: the same files and wishes give the same."""
    read = [(path.as_posix(), *_version(path)) for path in files.paths if path.exists()]
    wished = ("all",) if rule.needs_all else (repr(protocols), repr(rule))
    said = (FORMAT, repr(files), read, repr(options), wished, more)
    return hashlib.sha256(repr(said).encode(errors="replace")).hexdigest()[:32]


def _version(path: Path) -> tuple[object, ...]:
    """Return what changes with a file: its content if every run rewrites it, else its time."""
    if path.suffix == RECORDS:
        with path.open("rb") as file:
            return (hashlib.file_digest(file, "sha256").hexdigest(),)
    stat = path.stat()
    return stat.st_size, stat.st_mtime_ns


def count_series(task: SeriesTask, store: Store) -> SeriesOutcome:
    """Read a series and count it, or take what was kept of it.

    The finding is kept only if every file could be read. A read that failed may succeed next time.
    """
    kept = store.finding(task.key)
    if kept is not None:
        return SeriesOutcome.from_json(kept)
    read, left_out, dropped = read_series_files(
        task.files, task.options, scores_training=task.rule.kind == "train"
    )
    scored = [each for each in read if each.rows.counts is None or each.rows.counts.any()]
    left_out += [
        LeftOut(f"{task.files.name}, {each.detector}", "every row is ignored")
        for each in read
        if each not in scored
    ]
    random = _random(task, scored)
    if task.rule.needs_all:
        arrays: dict[str, Any] = {}
        known = []
        for each in [*scored, *random]:
            ranked = _ranked(each)
            often = _often(each, 1.0, random) if ranked.is_binary else []
            known.append(_known(each, ranked)._replace(often=often))
            arrays |= arrays_of(name_of(each.detector, each.seed), ranked)
        store.keep_arrays(task.key, arrays)
        made = SeriesOutcome(known, [], left_out, dropped)
    else:
        made = replace(_judged_alone(task, scored, random, left_out), dropped=dropped)
    if not any(told.is_bad for told in left_out):
        store.keep(task.key, made.to_json())
    return made


def _ranked(scored: Scored) -> RankedScores:
    return RankedScores(scored.labels, scored.scores, scored.rows, keeps=False)


def name_of(detector: str, seed: str) -> str:
    """Return the name under which a detector's arrays are kept."""
    return f"{detector}\n{seed}"


def _known(scored: Scored, ranked: RankedScores) -> Known:
    ends = [
        float(end)
        for scores in (ranked.normal_scores, ranked.inside.scores)
        if scores.size
        for end in (scores[0], scores[-1])
    ]
    return Known(
        scored.detector,
        scored.seed,
        np.nan if scored.days is None else scored.days,
        ranked.normal + ranked.anomalous,
        ranked.anomalous,
        min(ends, default=np.nan),
        max(ends, default=np.nan),
        ranked.is_binary,
        int(scored.labels.size),
        is_inverted=scored.is_inverted,
    )


def _random(task: SeriesTask, scored: Sequence[Scored]) -> list[Scored]:
    """Return detectors that know nothing, on the rows and labels of the first one."""
    if not scored or not task.chance:
        return []
    first = scored[0]
    name = int.from_bytes(hashlib.sha256(task.files.name.encode()).digest()[:8], "little")
    return [
        replace(
            first,
            detector=RANDOM,
            seed=str(run),
            is_inverted=False,
            scores=np.random.default_rng([task.seed, run, name]).random(first.labels.size),
        )
        for run in range(task.chance)
    ]


# ---- thresholds that need no other series --------------------------------------------------------


def _judged_alone(
    task: SeriesTask, scored: Sequence[Scored], random: Sequence[Scored], left_out: list[LeftOut]
) -> SeriesOutcome:
    known, rows = [], []
    told = list(left_out)
    drawn = [(each, _ranked(each)) for each in random]
    for each in scored:
        ranked = _ranked(each)
        known.append(_known(each, ranked))
        try:
            rows += _alone(task, each, ranked)
            if ranked.is_binary or task.rule.kind == "given":
                at = 1.0 if ranked.is_binary else _given(task.rule, each)
                for (by, heard), level in zip(drawn, _often(each, at, random), strict=True):
                    rows += _as_often(task.files.name, task.protocols, each, by, heard, level)
        except ValueError as error:
            told.append(LeftOut(f"{task.files.name}, {each.detector}", str(error)))
    if task.rule.kind != "given" and rows:
        with suppress(ValueError):
            for each, ranked in drawn:
                rows += _alone(task, each, ranked)
    return SeriesOutcome(known, rows, told)


def _alone(task: SeriesTask, scored: Scored, ranked: RankedScores) -> list[Row]:
    """Choose thresholds on this series alone, and judge it."""
    name, rule = task.files.name, task.rule
    parts = _parts(rule, scored) or [(ranked, ranked)]
    made = []
    for place, protocol in enumerate(task.protocols):
        rows = []
        for chosen_on, judged in parts:
            at = 1.0 if ranked.is_binary else _threshold(rule, scored, protocol, chosen_on)
            rows.append(row_at(name, scored, place, protocol, judged, at))
        made.append(rows[0] if len(rows) == 1 else _added(rows))
    return made


def _threshold(rule: Rule, scored: Scored, protocol: Protocol, chosen_on: RankedScores) -> float:
    """Return the threshold that a rule gives on these rows of a series."""
    if rule.kind == "given":
        return _given(rule, scored)
    if rule.kind == "budget":
        if scored.days is None:
            raise ValueError("a budget of false alarms a day needs times")
        return within_budget(chosen_on, rule.number * scored.days)
    if not chosen_on.anomalous:
        part = "the series" if rule.kind == "best" else "the part to choose on"
        raise ValueError(f"no row of {part} is anomalous: no threshold can be chosen there")
    return chosen_on.best(protocol).threshold


def _parts(rule: Rule, scored: Scored) -> list[tuple[RankedScores, RankedScores]]:
    """Return the rows to choose on and the rows to judge, where they are not all rows."""
    size, counts = scored.labels.size, scored.rows.counts
    if rule.kind == "segments":
        splits = by_segments(scored.rows.segments(scored.labels), size)
    elif rule.kind in ("first", "train"):
        splits = after_first(scored.training if rule.kind == "train" else half_of(size), size)
    else:
        return []

    def only(part: BoolArray) -> RankedScores:
        kept = frozen(part if counts is None else part & counts)
        return RankedScores(scored.labels, scored.scores, replace(scored.rows, counts=kept))

    return [(only(split.chosen_on), only(split.judged)) for split in splits]


def _added(rows: Sequence[Row]) -> Row:
    """Add up the parts of a series that are judged at thresholds of their own."""
    totals: dict[str, Any] = {"threshold": float("nan")}
    for name in ("earned", "claimed", "wanted", "apart"):
        parts = [getattr(row, name) for row in rows]
        totals[name] = None if parts[0] is None else fsum(parts)
    for name in ("silent", "normal", "flagged", "points", "segments", "detected", "false_alarms"):
        parts = [getattr(row, name) for row in rows]
        totals[name] = None if parts[0] is None else sum(parts)
    found = [row for row in rows if row.detected]
    for name in ("delay_steps", "delay_seconds"):
        delays = fsum(getattr(row, name) * row.detected for row in found)
        totals[name] = delays / totals["detected"] if found else float("nan")
    return rows[0]._replace(**totals)


def _given(rule: Rule, scored: Scored) -> float:
    """Return the threshold that was given, which is in the file's units, in those of the scores."""
    at = rule.given_for(scored.detector)
    return -at if scored.is_inverted else at


def _often(scored: Scored, at: float, random: Sequence[Scored]) -> list[float]:
    """Return the threshold at which each random detector rings as often as this one does."""
    alarms = count_alarms(scored.scores, scored.rows, at)
    return [highest(each.scores, each.rows, alarms) for each in random]


def _as_often(
    series: str,
    protocols: Sequence[Protocol],
    scored: Scored | Known,
    random: Scored | Known,
    ranked: RankedScores,
    threshold: float,
) -> list[Row]:
    """Judge a random detector that rings as often as this one does."""
    against = name_of(scored.detector, scored.seed)
    return [
        row_at(series, random, place, protocol, ranked, threshold)._replace(against=against)
        for place, protocol in enumerate(protocols)
    ]


# ---- counts at a threshold -----------------------------------------------------------------------


def row_at(
    series: str,
    scored: Scored | Known,
    place: int,
    protocol: Protocol,
    ranked: RankedScores,
    threshold: float,
) -> Row:
    """Return what a detector gets at a threshold."""
    counts = ranked.counts_at(threshold, protocol)
    inside = ranked.inside
    flagged = inside.scores.size - int(np.searchsorted(inside.scores[::-1], threshold))
    hits = inside.hits_at(flagged, with_places=False)
    found = hits.detected
    steps = seconds = float("nan")
    days = float("nan") if scored.days is None else float(scored.days)
    if found.any():
        steps = float(hits.delays[found].mean())
        if days == days:
            seconds = float(hits.late("clock")[found].mean())
    return Row(
        series,
        scored.detector,
        scored.seed,
        place,
        -float(threshold) if scored.is_inverted and not ranked.is_binary else float(threshold),
        float(counts.earned),
        float(counts.claimed),
        float(counts.wanted),
        None if counts.apart is None else float(counts.apart),
        None if counts.silent is None else int(counts.silent),
        None if counts.normal is None else int(counts.normal),
        flagged + int(at_or_above(ranked.normal_scores, np.array([threshold]))[0]),
        ranked.normal + ranked.anomalous,
        int(inside.lengths.size),
        int(np.count_nonzero(found)),
        steps,
        seconds,
        int(ranked.false_runs(np.array([threshold]))[0]),
        days,
    )


@dataclass(frozen=True)
class JudgeTask:
    """One series, and the thresholds at which its detectors are judged."""

    series: str
    key: str
    protocols: tuple[Protocol, ...]
    known: tuple[Known, ...]
    thresholds: tuple[tuple[float, ...], ...]
    """For each of these detectors a threshold for each protocol."""


def judge_series(task: JudgeTask, store: Store) -> list[Row]:
    """Judge detectors at thresholds that all series had a say in."""
    kept = store.arrays(task.key)
    rows = []
    random = [each for each in task.known if each.detector == RANDOM]
    for known, thresholds in zip(task.known, task.thresholds, strict=True):
        ranked = ranked_of(name_of(known.detector, known.seed), kept)
        for place, (protocol, at) in enumerate(zip(task.protocols, thresholds, strict=True)):
            if not np.isnan(at):
                rows.append(row_at(task.series, known, place, protocol, ranked, at))
        for by, level in zip(random, known.often, strict=False):
            heard = ranked_of(name_of(by.detector, by.seed), kept)
            rows += _as_often(task.series, task.protocols, known, by, heard, level)
    return rows
