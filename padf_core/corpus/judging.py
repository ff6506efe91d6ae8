"""Judge a detector on one series at a threshold, along with random detectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from padf_core.analysis.random_detector import count_alarms, highest
from padf_core.corpus.ranked_blocks import ranked_of
from padf_core.corpus.read_files import Scored
from padf_core.corpus.stores import Store
from padf_core.metrics.counts import Counts
from padf_core.metrics.protocols import Protocol
from padf_core.metrics.ranked_scores import RankedScores, at_or_above

RANDOM = "\0random"
"""The name of the random detectors; no other detector can have it."""


class Row(NamedTuple):
    """The counts of one detector on one series under one protocol."""

    series: str
    detector: str
    seed: str
    protocol: int
    threshold: float
    earned: float
    claimed: float
    wanted: float
    apart: float | None
    """The amount found, if it differs from the amount earned."""
    silent: int | None
    """Unflagged normal points, if precision is corrected by them."""
    normal: int | None
    """Normal points, if precision is corrected."""
    flagged: int
    """Number of flagged points."""
    points: int
    segments: int
    detected: int
    delay_steps: float
    """Mean delay of the detected segments; NaN if there are none."""
    delay_seconds: float
    false_alarms: int
    """Number of runs of false alarms."""
    days: float
    """NaN without a clock."""
    against: str = ""
    """For a random detector with a fixed alarm rate, the detector whose rate it matches."""

    @property
    def counts(self) -> Counts:
        """The counts that precision and recall are computed from."""
        return Counts(self.earned, self.claimed, self.wanted, self.apart, self.silent, self.normal)


class Known(NamedTuple):
    """Facts about one detector on one series that do not depend on a threshold."""

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
    """For detections: the thresholds at which each random detector has as many alarms."""
    is_inverted: bool = False
    """Whether low scores in the file mean an anomaly."""


def name_of(detector: str, seed: str) -> str:
    """Return the name under which a detector's arrays are stored."""
    return f"{detector}\n{seed}"


def levels_as_often(scored: Scored, at: float, random: Sequence[Scored]) -> list[float]:
    """Return the threshold at which each random detector has as many alarms as this detector."""
    alarms = count_alarms(scored.scores, scored.rows, at)
    return [highest(each.scores, each.rows, alarms) for each in random]


def rows_as_often(
    series: str,
    protocols: Sequence[Protocol],
    scored: Scored | Known,
    random: Scored | Known,
    ranked: RankedScores,
    threshold: float,
) -> list[Row]:
    """Judge a random detector at the threshold where it has as many alarms as this detector."""
    against = name_of(scored.detector, scored.seed)
    return [
        row_at(series, random, place, protocol, ranked, threshold)._replace(against=against)
        for place, protocol in enumerate(protocols)
    ]


def row_at(
    series: str,
    scored: Scored | Known,
    place: int,
    protocol: Protocol,
    ranked: RankedScores,
    threshold: float,
) -> Row:
    """Return a detector's counts at a threshold."""
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
    """For each detector, one threshold per protocol."""


def judge_series(task: JudgeTask, store: Store) -> list[Row]:
    """Judge detectors at thresholds chosen on several series."""
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
            rows += rows_as_often(task.series, task.protocols, known, by, heard, level)
    return rows
