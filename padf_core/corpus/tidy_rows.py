"""Convert counts to the tidy table of a corpus, with random baselines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum, sqrt

import numpy as np

from padf_core.corpus.judging import Row, name_of
from padf_core.corpus.plan import LeftOut
from padf_core.corpus.results import MEAN, POOLED, CorpusResult, Head, Tidy, known_mean
from padf_core.corpus.rules import Rule
from padf_core.metrics.counts import Counts, added
from padf_core.metrics.protocols import Protocol


def make_result(
    rows: Iterable[Row],
    random: Iterable[Row],
    protocols: Sequence[Protocol],
    rule: Rule,
    left_out: Sequence[LeftOut],
) -> CorpusResult:
    """Build the tidy table, with pooled rows, mean rows and random baselines."""
    named = protocol_names(protocols)
    single: dict[tuple[str, str, int], list[Row]] = {}
    for row in rows:
        single.setdefault((row.detector, row.seed, row.protocol), []).append(row)
    drawn = _RandomRows(random)
    made: list[Tidy] = []
    for (detector, seed, place), own in sorted(
        single.items(), key=lambda item: (item[0][0], _natural(item[0][1]), item[0][2])
    ):
        protocol, key = protocols[place], named[place]
        head = (detector, seed, key, protocol.setting, rule.text)
        against = name_of(detector, seed)
        baselines = [drawn.on(row.series, place, against) for row in own]
        made += [_tidy(row, head, baseline) for row, baseline in zip(own, baselines, strict=True)]
        common = own[0].threshold if rule.kind in ("common", "given") else float("nan")
        made.append(_pooled(own, head, common, drawn.pooled(own, place, against)))
        made.append(_mean_row(own, head, drawn.averaged(own, place, against)))
    return CorpusResult(tuple(made), tuple(left_out))


def protocol_names(protocols: Sequence[Protocol]) -> list[str]:
    """Return unique names of protocols: their keys, or their labels if a key is shared."""
    keys = [protocol.key for protocol in protocols]
    return [
        protocol.key if keys.count(protocol.key) == 1 else protocol.label for protocol in protocols
    ]


def _natural(seed: str) -> tuple[int, str]:
    return (int(seed), "") if seed.isdigit() else (-1, seed)


def _scores(counts: Counts) -> tuple[float, float, float]:
    if counts.wanted == 0:
        return (float("nan"),) * 3
    return float(counts.precision), float(counts.recall), float(counts.fbeta())


Baseline = tuple[float, float]
"""The mean F1 of random detectors, and its standard error."""


UNKNOWN: Baseline = (float("nan"), float("nan"))


def _tidy(row: Row, head: Head, baseline: Baseline) -> Tidy:
    return Tidy(
        row.series,
        *head,
        row.threshold,
        *_scores(row.counts),
        *(baseline if row.wanted > 0 else UNKNOWN),
        row.flagged / row.points if row.points else float("nan"),
        row.segments,
        row.detected,
        row.delay_steps,
        row.delay_seconds,
        row.false_alarms,
        row.days,
        row.false_alarms / row.days if row.days > 0 else float("nan"),
        row.earned,
        row.claimed,
        row.wanted,
        row.earned if row.apart is None else row.apart,
        *_quiet(row.counts),
    )


def _quiet(counts: Counts) -> tuple[float, float]:
    """Return unflagged and all normal points if precision is corrected, otherwise NaN."""
    if counts.silent is None or counts.normal is None:
        return UNKNOWN
    return float(counts.silent), float(counts.normal)


def _pooled(rows: Sequence[Row], head: Head, threshold: float, baseline: Baseline) -> Tidy:
    counts = added([row.counts for row in rows])
    timed = [row for row in rows if row.days > 0]
    days = fsum(row.days for row in timed)
    return Tidy(
        POOLED,
        *head,
        threshold,
        *_scores(counts),
        *baseline,
        sum(row.flagged for row in rows) / max(1, sum(row.points for row in rows)),
        sum(row.segments for row in rows),
        sum(row.detected for row in rows),
        _by_found(rows, [row.delay_steps for row in rows]),
        _by_found(rows, [row.delay_seconds for row in rows]),
        sum(row.false_alarms for row in rows),
        days if timed else float("nan"),
        sum(row.false_alarms for row in timed) / days if timed else float("nan"),
        float(counts.earned),
        float(counts.claimed),
        float(counts.wanted),
        float(counts.found),
        *_quiet(counts),
    )


def _by_found(rows: Sequence[Row], delays: Sequence[float]) -> float:
    """Return the mean delay of all detected segments whose delay is known."""
    known = [(row.detected, late) for row, late in zip(rows, delays, strict=True) if late == late]
    total = sum(count for count, _ in known)
    return fsum(count * late for count, late in known) / total if total else float("nan")


def _mean_row(rows: Sequence[Row], head: Head, baseline: Baseline) -> Tidy:
    """Average over the series with an anomaly."""
    own = [row for row in rows if row.wanted > 0]
    scores = [_scores(row.counts) for row in own]
    precision, recall, f1 = (known_mean([each[at] for each in scores]) for at in range(3))
    nothing = float("nan")
    return Tidy(
        MEAN,
        *head,
        nothing,
        precision,
        recall,
        f1,
        *baseline,
        known_mean([row.flagged / row.points for row in own if row.points]),
        known_mean([row.segments for row in own]),
        known_mean([row.detected for row in own]),
        known_mean([row.delay_steps for row in own]),
        known_mean([row.delay_seconds for row in own]),
        known_mean([row.false_alarms for row in own]),
        known_mean([row.days for row in own]),
        known_mean([row.false_alarms / row.days for row in own if row.days > 0]),
        *(nothing,) * 6,
    )


class _RandomRows:
    """Random detectors under the same rule: mean F1 over draws, with standard errors."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._runs: dict[tuple[int, str], dict[str, dict[str, Row]]] = {}
        for row in rows:
            runs = self._runs.setdefault((row.protocol, row.against), {})
            runs.setdefault(row.seed, {})[row.series] = row

    def _draws(self, protocol: int, against: str) -> list[dict[str, Row]]:
        """Return each random detector's rows by series; rows matched to this detector win."""
        usual, own = (self._runs.get((protocol, whose), {}) for whose in ("", against))
        seeds = dict.fromkeys((*usual, *own))
        return [usual.get(seed, {}) | own.get(seed, {}) for seed in seeds]

    def on(self, series: str, protocol: int, against: str) -> Baseline:
        """Return the baseline on one series."""
        draws = self._draws(protocol, against)
        return _with_error([float(run[series].counts.fbeta()) for run in draws if series in run])

    def pooled(self, rows: Sequence[Row], protocol: int, against: str) -> Baseline:
        """Return the pooled baseline over the series of some rows."""
        wanted = [row.series for row in rows]
        return _with_error(
            [
                float(added([run[series].counts for series in wanted if series in run]).fbeta())
                for run in self._draws(protocol, against)
            ]
        )

    def averaged(self, rows: Sequence[Row], protocol: int, against: str) -> Baseline:
        """Return the mean baseline over the series with an anomaly."""
        wanted = [row.series for row in rows if row.wanted > 0]
        return _with_error(
            [
                known_mean(
                    [float(run[series].counts.fbeta()) for series in wanted if series in run]
                )
                for run in self._draws(protocol, against)
            ]
        )


def _with_error(f1: Sequence[float]) -> Baseline:
    """Return a mean over draws and its standard error."""
    if len(f1) < 2:
        return known_mean(f1), float("nan")
    return known_mean(f1), float(np.std(f1, ddof=1) / sqrt(len(f1)))
