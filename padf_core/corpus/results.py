"""The result of a corpus: one tidy table, with summaries and rankings."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import fsum
from typing import Any

import numpy as np

from padf_core.analysis import jackknife
from padf_core.analysis.compare import ranks_of
from padf_core.analysis.jackknife import CLAIMED, EARNED, FOUND, WANTED
from padf_core.analysis.notices import flags_everything
from padf_core.corpus.plan import RESERVED, LeftOut
from padf_core.corpus.ranking import Ranking
from padf_core.corpus.rules import optimism_of
from padf_core.metrics.checks import FloatArray
from padf_core.metrics.frames import Framed
from padf_core.metrics.protocols import PROTOCOLS

POOLED, MEAN = RESERVED
"""Names of the rows that summarize all series: with added counts, and with averaged scores."""

COLUMNS: dict[str, type] = {
    "series": str,
    "detector": str,
    "seed": str,
    "protocol": str,
    "setting": str,
    "rule": str,
    "threshold": float,
    "precision": float,
    "recall": float,
    "f1": float,
    "random_f1": float,
    "random_f1_error": float,
    "flagged": float,
    "segments": float,
    "detected": float,
    "delay_steps": float,
    "delay_seconds": float,
    "false_alarms": float,
    "days": float,
    "false_alarms_per_day": float,
    "earned": float,
    "claimed": float,
    "wanted": float,
    "found": float,
    "silent": float,
    "normal": float,
}
"""The columns of the tidy table, and their types."""

LATER = ("random_f1_error", "flagged", "silent", "normal")
"""Columns that tables of version 0.1 may lack."""

FORMER = {"random_f1": "chance", "random_f1_error": "chance_error"}
"""Names of some columns in version 0.1."""

Head = tuple[str, str, str, str, str]
"""Detector, seed, protocol, its setting, and the rule for thresholds."""

LEVEL = 0.95
"""Level of the confidence intervals."""


@dataclass(frozen=True, slots=True)
class Tidy:
    """One row of the tidy table; uses slots because there are many rows."""

    series: str
    detector: str
    seed: str
    protocol: str
    setting: str
    rule: str
    threshold: float
    precision: float
    recall: float
    f1: float
    random_f1: float
    """F1 of random detectors under the same rule."""
    random_f1_error: float
    """Standard error of that mean; NaN with fewer than two draws."""
    flagged: float
    """Share of flagged points."""
    segments: float
    detected: float
    delay_steps: float
    delay_seconds: float
    false_alarms: float
    days: float
    false_alarms_per_day: float
    earned: float
    claimed: float
    wanted: float
    found: float
    silent: float
    """Unflagged normal points, if precision is corrected by them; otherwise NaN."""
    normal: float
    """Normal points, if precision is corrected; otherwise NaN."""

    @property
    def is_whole(self) -> bool:
        """Whether this row summarizes all series."""
        return self.series in RESERVED

    @property
    def counts(self) -> tuple[float, ...]:
        """The counts that precision and recall are computed from."""
        first = (self.earned, self.claimed, self.wanted, self.found)
        return first if np.isnan(self.normal) else (*first, self.silent, self.normal)


@dataclass(frozen=True)
class Summary:
    """One detector under one protocol over all series."""

    detector: str
    protocol: str
    setting: str
    seeds: int
    series: int
    """Number of series with an anomaly, over which F1 is averaged."""
    pooled_f1: float
    pooled_spread: float
    """Standard deviation between seeds; 0 with one seed."""
    pooled_low: float
    pooled_high: float
    """The 95 % confidence interval over series; NaN with fewer than two series."""
    pooled_random_f1: float
    pooled_random_f1_error: float
    """Standard error of the random baseline."""
    pooled_flagged: float
    """Share of all points that are flagged."""
    mean_f1: float
    mean_spread: float
    mean_low: float
    mean_high: float
    mean_random_f1: float
    mean_random_f1_error: float
    mean_rank: float
    false_alarms_per_day: float
    delay_steps: float


@dataclass(frozen=True, eq=False)
class CorpusResult(Framed):
    """Detectors by protocols over many series.

    Attributes
    ----------
    rows : tuple of Tidy
        One row per series, detector, seed and protocol, and rows that summarize all series.
    left_out : tuple of LeftOut
        What was not evaluated, and why.

    Examples
    --------
    >>> from padf_core import PointAdjust
    >>> from padf_core.corpus.corpus import Corpus
    >>> from padf_core.io.samples import sample_folder
    >>> made = Corpus.from_files(sample_folder() / "pump.csv").evaluate([PointAdjust()])
    >>> len(made.left_out)
    0
    """

    rows: tuple[Tidy, ...]
    left_out: tuple[LeftOut, ...] = ()

    def columns(self) -> Mapping[str, Any]:
        return {name: [getattr(row, name) for row in self.rows] for name in COLUMNS}

    @cached_property
    def key(self) -> str:
        """A hash of the content; equal results have the same key."""
        return hashlib.sha256(repr(self.rows).encode(errors="replace")).hexdigest()[:24]

    @property
    def has_bad(self) -> bool:
        """Whether something could not be read and is therefore missing."""
        return any(each.is_bad for each in self.left_out)

    @cached_property
    def protocols(self) -> dict[str, str]:
        """The protocols with their settings, in the order of the table."""
        return {row.protocol: row.setting for row in self.rows}

    @cached_property
    def detectors(self) -> list[str]:
        """The detectors, sorted by name."""
        return sorted({row.detector for row in self.rows})

    @cached_property
    def series(self) -> list[str]:
        """The series, sorted by name."""
        return sorted({row.series for row in self.rows if not row.is_whole})

    @cached_property
    def rule(self) -> str:
        """The rule that chose the thresholds."""
        return next(iter(row.rule for row in self.rows))

    @property
    def caveats(self) -> list[str]:
        """Warnings to read before quoting an F1 of this result."""
        optimism = optimism_of(self.rule)
        found = (
            (row.detector, self.label(protocol), row.flagged)
            for protocol in self.protocols
            for row in self.of(protocol, whole=POOLED)
        )
        all_flagged = flags_everything(dict.fromkeys(found), "threshold")
        return [*([] if optimism is None else [optimism]), *all_flagged]

    def label(self, protocol: str) -> str:
        """Return a protocol's name with its setting, as in the head of a table."""
        setting = self.protocols[protocol]
        name = PROTOCOLS[protocol].name if protocol in PROTOCOLS else protocol
        return f"{name} ({setting})" if setting and protocol in PROTOCOLS else name

    def of(self, protocol: str, *, whole: str | None = None) -> list[Tidy]:
        """Return a protocol's rows of single series, or its rows that summarize all series."""
        return self._grouped.get((protocol, whole), [])

    @cached_property
    def _grouped(self) -> dict[tuple[str, str | None], list[Tidy]]:
        """The rows by protocol, with the rows that summarize all series kept apart."""
        found: dict[tuple[str, str | None], list[Tidy]] = {}
        for row in self.rows:
            found.setdefault((row.protocol, row.series if row.is_whole else None), []).append(row)
        return found

    def by_series(self, protocol: str) -> dict[str, dict[str, float]]:
        """Return the mean F1 over seeds, of each detector on each series with an anomaly."""
        if protocol not in self._by_series:
            self._by_series[protocol] = self._found(protocol)
        return self._by_series[protocol]

    @cached_property
    def _by_series(self) -> dict[str, dict[str, dict[str, float]]]:
        """Cache of F1 by series, for the protocols requested so far."""
        return {}

    def _found(self, protocol: str) -> dict[str, dict[str, float]]:
        found: dict[str, dict[str, list[float]]] = {}
        for row in self.of(protocol):
            if row.wanted > 0:
                own = found.setdefault(row.series, {})
                own.setdefault(row.detector, []).append(row.f1)
        return {
            series: {name: fsum(f1) / len(f1) for name, f1 in own.items()}
            for series, own in found.items()
        }

    def ranking(self, protocol: str) -> Ranking:
        """Compare the detectors on the series on which all of them have an F1."""
        found = self.by_series(protocol)
        names = self.detectors
        whole = [series for series in sorted(found) if len(found[series]) == len(names)]
        table = [[found[series][name] for name in names] for series in whole]
        return Ranking(
            tuple(names), tuple(whole), np.array(table, dtype=np.float64).reshape(-1, len(names))
        )

    def summary(self) -> list[Summary]:
        """Return each detector under each protocol over all series, with 95 % intervals.

        The intervals come from `jackknife`, with one block per series. They cover the F1 on other
        series of the same kind, at thresholds chosen as here.
        """
        made = []
        for protocol, setting in self.protocols.items():
            ranks = self.ranking(protocol).mean_ranks
            rows: dict[str, list[Tidy]] = {}
            for row in self.of(protocol):
                rows.setdefault(row.detector, []).append(row)
            for detector in self.detectors:
                own = rows.get(detector, [])
                if not own:
                    continue
                pooled = self._whole(protocol, detector, POOLED)
                mean = self._whole(protocol, detector, MEAN)
                made.append(
                    Summary(
                        detector,
                        protocol,
                        setting,
                        len(pooled),
                        len({row.series for row in own if row.wanted > 0}),
                        *_mean_and_spread([row.f1 for row in pooled]),
                        *_pooled_interval(own),
                        known_mean([row.random_f1 for row in pooled]),
                        known_mean([row.random_f1_error for row in pooled]),
                        known_mean([row.flagged for row in pooled]),
                        *_mean_and_spread([row.f1 for row in mean]),
                        *_mean_interval(own),
                        known_mean([row.random_f1 for row in mean]),
                        known_mean([row.random_f1_error for row in mean]),
                        ranks[detector],
                        known_mean([row.false_alarms_per_day for row in pooled]),
                        known_mean([row.delay_steps for row in pooled]),
                    )
                )
        return made

    def ranks(self, protocol: str, whole: str = POOLED) -> dict[str, int]:
        """Return the rank of each detector by its F1 over all series, averaged over seeds."""
        found: dict[str, list[float]] = {}
        for row in self.of(protocol, whole=whole):
            found.setdefault(row.detector, []).append(row.f1)
        means = {name: known_mean(f1) for name, f1 in found.items()}
        return dict(zip(means, ranks_of(list(means.values())), strict=True))

    def _whole(self, protocol: str, detector: str, which: str) -> list[Tidy]:
        return [row for row in self.of(protocol, whole=which) if row.detector == detector]

    def disagreements(self, first: str, second: str) -> list[Disagreement]:
        """Return how differently two protocols rank the detectors per series, largest first."""
        one, other = self.ranking(first), self.ranking(second)
        places = {series: at for at, series in enumerate(other.series)}
        made = []
        for at, series in enumerate(one.series):
            if series not in places:
                continue
            ranks, others = one.ranks[at], other.ranks[places[series]]
            moved = int(np.argmax(np.abs(ranks - others)))
            made.append(
                Disagreement(
                    series,
                    float(np.abs(ranks - others).mean()),
                    one.names[moved],
                    float(ranks[moved]),
                    float(others[moved]),
                )
            )
        return sorted(made, key=lambda each: (-each.moved, each.series))


@dataclass(frozen=True)
class Disagreement:
    """How differently two protocols rank the detectors on one series."""

    series: str
    moved: float
    """Mean absolute change of rank over the detectors."""
    detector: str
    """The detector whose rank changes most."""
    first_rank: float
    second_rank: float


def known_mean(values: Sequence[float]) -> float:
    """Return the mean of the values that are not NaN."""
    known = [value for value in values if not np.isnan(value)]
    return fsum(known) / len(known) if known else float("nan")


def _mean_and_spread(values: Sequence[float]) -> tuple[float, float]:
    spread = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
    return known_mean(values), spread


def _pooled_interval(rows: Sequence[Tidy]) -> tuple[float, float]:
    """Return the interval of one detector's pooled F1, with counts averaged over seeds."""
    series = list(dict.fromkeys(row.series for row in rows))
    place = {name: at for at, name in enumerate(series)}
    blocks = np.zeros((len(series), len(rows[0].counts)))
    seeds = np.zeros(len(series))
    for row in rows:
        blocks[place[row.series]] += row.counts
        seeds[place[row.series]] += 1
    blocks /= seeds[:, None]
    total = blocks.sum(axis=0)
    # If everything is found, the credit is the wanted amount in units of the earned amount.
    unit = total[EARNED] / total[FOUND] if total[FOUND] > 0 else 1.0
    whole = total / len(blocks)
    whole[[EARNED, CLAIMED]] = unit * whole[WANTED]
    whole[FOUND] = whole[WANTED]
    if whole.size > 4:
        whole[4] = whole[5]
    return _known_interval(blocks[blocks[:, WANTED] + blocks[:, CLAIMED] > 0], whole)


def _mean_interval(rows: Sequence[Tidy]) -> tuple[float, float]:
    """Return the interval of one detector's mean F1 over the series with an anomaly.

    A mean of shares equals the F1 of equally many blocks, each with one thing to find.
    """
    found: dict[str, list[float]] = {}
    for row in rows:
        if row.wanted > 0:
            found.setdefault(row.series, []).append(row.f1)
    f1 = np.array([known_mean(each) for each in found.values()])
    return _known_interval(np.stack([f1, np.ones(f1.size), np.ones(f1.size), f1], 1), np.ones(4))


def _known_interval(blocks: FloatArray, whole: FloatArray) -> tuple[float, float]:
    nothing = float("nan")
    return jackknife.interval(blocks, whole, LEVEL) if len(blocks) > 1 else (nothing, nothing)
