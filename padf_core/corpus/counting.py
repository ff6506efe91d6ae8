"""Count one series: every detector at its threshold, or sorted scores for shared thresholds."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import fsum
from pathlib import Path
from typing import Any

import numpy as np

from padf_core.analysis.held_out import after_first, by_segments, half_of, within_budget
from padf_core.corpus.file_columns import Pair
from padf_core.corpus.judging import (
    RANDOM,
    Known,
    Row,
    levels_as_often,
    name_of,
    row_at,
    rows_as_often,
)
from padf_core.corpus.plan import LeftOut, SeriesFiles
from padf_core.corpus.ranked_blocks import arrays_of
from padf_core.corpus.read_files import Scored, read_series_files
from padf_core.corpus.records import RECORDS
from padf_core.corpus.rules import Rule
from padf_core.corpus.stores import Store
from padf_core.io.options import ReadOptions
from padf_core.metrics.checks import BoolArray, frozen
from padf_core.metrics.protocols import Protocol
from padf_core.metrics.ranked_scores import RankedScores

FORMAT = 5
"""Version of the stored content; increase it when that content changes."""


@dataclass(frozen=True, eq=False)
class SeriesOutcome:
    """The result of reading one series."""

    known: list[Known]
    rows: list[Row]
    left_out: list[LeftOut]
    dropped: list[Pair] = field(default_factory=list)
    """Detectors to leave out of every series, because scores are missing in this one."""

    def to_json(self) -> Any:
        """Return the outcome as plain lists."""
        return [
            [list(each) for each in self.known],
            [list(each) for each in self.rows],
            [[each.what, each.why, each.is_bad] for each in self.left_out],
            self.dropped,
        ]

    @classmethod
    def from_json(cls, kept: Any) -> SeriesOutcome:
        """Rebuild an outcome from the result of `to_json`."""
        known, rows, left_out, dropped = kept
        return cls(
            [Known(*each) for each in known],
            [Row(*each) for each in rows],
            [LeftOut(*each) for each in left_out],
            [(detector, seed) for detector, seed in dropped],
        )


@dataclass(frozen=True)
class SeriesTask:
    """Everything needed to process one series, in any process."""

    files: SeriesFiles
    options: ReadOptions
    protocols: tuple[Protocol, ...]
    rule: Rule
    random_runs: int
    """Number of random detectors in the baseline."""
    seed: int
    key: str

    @property
    def size(self) -> int:
        """Number of bytes to read."""
        return sum(path.stat().st_size for path in self.files.paths if path.exists())


def work_key(
    files: SeriesFiles,
    options: ReadOptions,
    protocols: Sequence[Protocol],
    rule: Rule,
    *more: object,
) -> str:
    """Return a key for the work on one series; equal files and options give equal keys."""
    read = [(path.as_posix(), *_version(path)) for path in files.paths if path.exists()]
    wished = ("all",) if rule.needs_all else (repr(protocols), repr(rule))
    said = (FORMAT, repr(files), read, repr(options), wished, more)
    return hashlib.sha256(repr(said).encode(errors="replace")).hexdigest()[:32]


def _version(path: Path) -> tuple[object, ...]:
    """Return a file's content hash if every run rewrites it, else its size and change time."""
    if path.suffix == RECORDS:
        with path.open("rb") as file:
            return (hashlib.file_digest(file, "sha256").hexdigest(),)
    stat = path.stat()
    return stat.st_size, stat.st_mtime_ns


def count_series(task: SeriesTask, store: Store) -> SeriesOutcome:
    """Read a series and count it, or load the stored outcome.

    The outcome is stored only if every file could be read, because a failed read may succeed next
    time.
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
            often = levels_as_often(each, 1.0, random) if ranked.is_binary else []
            known.append(_known(each, ranked)._replace(often=often))
            arrays |= arrays_of(name_of(each.detector, each.seed), ranked)
        store.keep_arrays(task.key, arrays)
        made = SeriesOutcome(known, [], left_out, dropped)
    else:
        made = replace(_judged_alone(task, scored, random, left_out), dropped=dropped)
    if not any(unscored.is_bad for unscored in left_out):
        store.keep(task.key, made.to_json())
    return made


def _ranked(scored: Scored) -> RankedScores:
    return RankedScores(scored.labels, scored.scores, scored.rows, keeps=False)


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
    """Return random detectors on the rows and labels of the first detector."""
    if not scored or not task.random_runs:
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
        for run in range(task.random_runs)
    ]


def _judged_alone(
    task: SeriesTask, scored: Sequence[Scored], random: Sequence[Scored], left_out: list[LeftOut]
) -> SeriesOutcome:
    known, rows = [], []
    unscored = list(left_out)
    drawn = [(each, _ranked(each)) for each in random]
    for each in scored:
        ranked = _ranked(each)
        known.append(_known(each, ranked))
        try:
            rows += _alone(task, each, ranked)
            if ranked.is_binary or task.rule.kind == "given":
                at = 1.0 if ranked.is_binary else _given(task.rule, each)
                for (by, heard), level in zip(
                    drawn, levels_as_often(each, at, random), strict=True
                ):
                    rows += rows_as_often(task.files.name, task.protocols, each, by, heard, level)
        except ValueError as error:
            unscored.append(LeftOut(f"{task.files.name}, {each.detector}", str(error)))
    if task.rule.kind != "given" and rows:
        with suppress(ValueError):
            for each, ranked in drawn:
                rows += _alone(task, each, ranked)
    return SeriesOutcome(known, rows, unscored)


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
    """Return the threshold that a rule chooses on these rows of a series."""
    if rule.kind == "given":
        return _given(rule, scored)
    if rule.kind == "budget":
        if scored.days is None:
            raise ValueError("a budget of false alarms per day needs timestamps")
        return within_budget(chosen_on, rule.number * scored.days)
    if not chosen_on.anomalous:
        part = "the series" if rule.kind == "best" else "the part for choosing thresholds"
        raise ValueError(f"{part} has no anomalous row, so no threshold can be chosen")
    return chosen_on.best(protocol).threshold


def _parts(rule: Rule, scored: Scored) -> list[tuple[RankedScores, RankedScores]]:
    """Return pairs of rows to choose on and rows to judge, unless both are all rows."""
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
    """Add up the parts of a series that are judged at different thresholds."""
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
    """Convert the given threshold from the file's units to those of the scores."""
    at = rule.given_for(scored.detector)
    return -at if scored.is_inverted else at
