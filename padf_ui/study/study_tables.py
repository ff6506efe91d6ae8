"""Results of the data page as tables and sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from padf_core import Curve, Settings
from padf_core.analysis.compare import Crossing, crossings, ranks_of
from padf_core.analysis.flips import Flip
from padf_core.analysis.held_out import HeldOut
from padf_core.analysis.jackknife import ASSUMPTION
from padf_core.analysis.notices import flags_everything
from padf_core.analysis.random_detector import RandomRow
from padf_core.analysis.significance import SWAP_NULL, PValue
from padf_core.analysis.uncertainty import FEWEST, SHARES, Uncertainty
from padf_core.io.caveats import caveats_of
from padf_core.io.notation import percent
from padf_core.io.series import Detector, Series
from padf_core.metrics.clock import UNITS, clock_unit, format_duration, format_steps
from padf_core.metrics.curves import half_life_of
from padf_core.metrics.evaluation import Evaluation, Pattern, pattern_of
from padf_core.metrics.onset import Onset
from padf_core.metrics.parameters import Number
from padf_core.metrics.protocols import Protocol
from padf_core.metrics.sweep import BestPoint, Sweep
from padf_ui.components.ledger import ledger
from padf_ui.components.names import cell, plain, shown, shown_names
from padf_ui.components.words import listed, plural
from padf_ui.session.study import Study

RANDOM = "random baseline"
NOBODY = "no detector finds anything"
PA_KEY = "pa"
HELD_OUT = "Held out"
MOST_RANDOM = 0.95
"""A detector that beats fewer random ones is named."""
PROMISE = (
    "In simulations with 20 segments, 95 % intervals of F1 contained the truth in 94 % of cases "
    "and more, and in 89 % where neighbours were very alike. Equal detectors differed "
    "significantly in 8 % or less."
)


def summary(series: Series) -> str:
    """Say what was read: points, anomalous share, segments, time span, step and gaps."""
    count = len(series.segments)
    parts = [
        f"{series.size:,} points",
        f"{100 * series.anomalous / max(1, series.counted):.2g} % anomalous",
        f"{count:,} {plural(count, 'segment', 'segments')}",
    ]
    left = series.size - series.counted
    if left:
        parts.insert(1, f"{left:,} of them not scored")
    if series.parts > 1:
        parts.insert(0, f"{series.parts:,} series, one after another")
    clock = series.clock
    if clock is None:
        return " · ".join([*parts, "no clock: delays are in steps"])
    gaps = "no gaps"
    if clock.gaps:
        longest = format_duration(clock.longest_gap_seconds)
        gaps = f"{clock.gaps:,} {plural(clock.gaps, 'gap', 'gaps')}, the longest {longest}"
    span = format_duration(clock.span_seconds)
    if series.axis_clock is None:
        lasting = f"{span} in all"
    else:
        lasting = f"{clock.name(0)} to {clock.name(series.size - 1)} UTC ({span})"
    return " · ".join(
        [
            *parts,
            lasting,
            f"every {format_duration(clock.step_seconds)}",
            gaps,
        ]
    )


def warnings_of(series: Series) -> list[str]:
    """Return what somebody should know before trusting any number."""
    return caveats_of(series, lambda name: plain(shown(name)))


def onset_text(onset: Onset, series: Series) -> str:
    """Say where segments begin, and what early alarms count as."""

    def amount(value: float, unit: str) -> str:
        if unit == "seconds":
            return format_duration(value)
        if unit == "share":
            return f"{100 * value:g} % of their length"
        return f"{value:g} {plural(int(value), 'row', 'rows')}"

    told = "Segments begin as labelled"
    if onset.shift:
        side = "later" if onset.shift > 0 else "earlier"
        told = f"Segments begin {amount(abs(onset.shift), onset.unit)} {side} than labelled"
    if onset.early:
        counts = "as on time" if onset.early_alarms == "on_time" else "as nothing"
        told += (
            f"; alarms up to {amount(onset.early, onset.early_unit)} before the onset count "
            f"{counts}"
        )
    return f"{told}."


def conditions(study: Study) -> list[str]:
    """Say what holds for every number of a study, beside the settings."""
    series, told = study.series, []
    left = series.size - series.counted
    if left:
        told.append(f"{left:,} of {series.size:,} points are not scored.")
    if study.onset.is_moved:
        told.append(onset_text(study.onset, series))
    return told


# ---- one detector at its threshold ---------------------------------------------------------------


def study_ledger(study: Study, results: Sequence[Evaluation]) -> pd.DataFrame:
    """Return one row per segment: where it is, what hit it, its delay, and its credit."""
    series = study.series
    delays, unit = delays_of(series, pattern_of(results))
    starts: list[object] = series.segments.starts.tolist()
    if series.clock is not None:
        starts = [series.clock.name(int(start)) for start in series.segments.starts]
    return ledger(results, starts, f"Delay, {unit}", delays)


def delays_of(series: Series, pattern: Pattern) -> tuple[np.ndarray, str]:
    """Return the delay of each segment in the unit that suits, NaN where it was missed."""
    found = pattern.found
    late = np.maximum(found.delays, 0)
    if series.clock is None:
        return np.where(found.detected, late, np.nan), "steps"
    starts, timing = series.segments.on_clock(series.rows.timing)
    delays = np.where(found.detected, timing.elapsed(starts, late), np.nan)
    longest = float(np.nanmax(delays)) if found.detected.any() else 0.0
    unit, size = clock_unit(max(longest, series.clock.step_seconds))
    return delays / size, unit


def same_unit(series: Series, found: Sequence[Evaluation]) -> tuple[str, list[np.ndarray]]:
    """Return the delays of several detectors in one unit."""
    made = [delays_of(series, result.pattern) for result in found]
    if series.clock is None:
        return "steps", [delays for delays, _ in made]
    sizes = dict(UNITS)
    unit = max((unit for _, unit in made), key=sizes.__getitem__)
    return unit, [delays * sizes[own] / sizes[unit] for delays, own in made]


def flip_table(
    flips: Sequence[Flip], names: Sequence[str], title: str, rates: Sequence[float | None]
) -> pd.DataFrame:
    """Return where detectors change places: the decay's number, and d where there is one."""
    return pd.DataFrame(
        {
            title: [flip.at for flip in flips],
            **({"decay rate d": list(rates)} if rates and rates[0] is not None else {}),
            "ahead below": [cell(names[flip.below]) for flip in flips],
            "ahead above": [cell(names[flip.above]) for flip in flips],
        }
    )


def threshold_columns(sweeps: Sequence[Sweep], study: Study) -> pd.DataFrame:
    """Return several detectors over their thresholds, one row per detector and threshold."""
    return pd.concat(
        [
            pd.DataFrame(
                {
                    "Detector": cell(name),
                    "Threshold": detector.in_file(sweep.thresholds),
                    "False alarms, %": 100 * sweep.false_points / study.series.counted,
                    "F1": sweep.f1,
                }
            )
            for sweep, name, detector in zip(
                sweeps, detector_names(study), study.series.detectors, strict=True
            )
        ],
        ignore_index=True,
    )


def delay_table(delays: np.ndarray, unit: str) -> pd.DataFrame:
    """Return the delay histogram's numbers, missed segments in the last row."""
    counts, edges = delay_bins(delays)
    missed = np.count_nonzero(np.isnan(delays))
    return pd.DataFrame(
        {
            f"from, {unit}": np.append(edges[:-1], np.nan),
            f"to, {unit}": np.append(edges[1:], np.nan),
            "Segments": np.append(counts, missed),
        }
    )


def delay_bins(delays: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the counts and edges of a histogram of delays."""
    found = delays[~np.isnan(delays)]
    if not found.size:
        return np.zeros(1, dtype=np.int64), np.array([0.0, 1.0])
    if found.max() == found.min():
        half = max(0.5, abs(float(found[0])) * 0.05)
        return np.array([found.size]), np.array([found[0] - half, found[0] + half])
    return np.histogram(found, bins=min(24, max(6, int(np.sqrt(found.size) * 3))))


@dataclass(frozen=True)
class FalseAlarms:
    """What an operator would have had to look at for nothing."""

    points: int
    events: int
    """Runs of false alarms: one call each."""
    per_day: float | None

    @property
    def text(self) -> str:
        """One sentence."""
        if not self.points:
            return "No false alarms."
        calls = f"{self.events:,} false {plural(self.events, 'alarm', 'alarms')}"
        made = f"{calls} ({self.points:,} points, runs counted once)"
        if self.per_day is None:
            return f"{made}."
        rate = f"{self.per_day:.1f}" if self.per_day < 100 else f"{self.per_day:,.0f}"
        return f"{made}: {rate} per day."


def false_alarms(series: Series, pattern: Pattern) -> FalseAlarms:
    """Count false alarms, as points and as calls, and per day when there is a clock."""
    events = pattern.false_runs
    days = series.days
    return FalseAlarms(pattern.false_positives, events, events / days if days else None)


def rule_table(bare: Sequence[Evaluation], rung: Sequence[Evaluation]) -> pd.DataFrame:
    """Return F1 at the bare threshold and by an alert rule, protocol by protocol."""
    return pd.DataFrame(
        {
            "Protocol": [each.protocol.label for each in rung],
            "F1 at the threshold": [each.f1 for each in bare],
            "F1 by the rule": [each.f1 for each in rung],
        }
    )


def found_text(study: Study, pattern: Pattern) -> str:
    """Say how many segments were found, and how late."""
    found = pattern.found
    total, hit = found.hits.size, int(np.count_nonzero(found.detected))
    if not total:
        return "There are no segments to find."
    if not hit:
        return f"None of {total:,} segments is found."
    delays = found.delays[found.detected]
    late = late_text(study.series, pattern, np.median)
    longest = late_text(study.series, pattern, np.max)
    return (
        f"{hit:,} of {total:,} segments found; median delay {late}, longest {longest}. "
        f"{int(np.count_nonzero(delays == 0)):,} at once."
    )


def late_text(series: Series, pattern: Pattern, summary_of: Callable[[np.ndarray], float]) -> str:
    """Write the median or the longest delay of the segments that were found."""
    delays, unit = delays_of(series, pattern)
    known = delays[~np.isnan(delays)]
    if not known.size:
        return "–"
    value = float(summary_of(known))
    if series.clock is None:
        return format_steps(value, None)
    return format_duration(value * dict(UNITS)[unit])


def best_table(best: Sequence[BestPoint], detector: Detector) -> pd.DataFrame:
    """Return each protocol's best threshold, which gives exactly this F1 when it is used."""
    return pd.DataFrame(
        [
            {
                "Protocol": point.protocol.label,
                "Best threshold": detector.in_file(point.threshold),
                "Flagged, %": 100 * point.flagged,
                "Precision": point.precision,
                "Recall": point.recall,
                "F1": point.f1,
            }
            for point in best
        ]
    )


def best_differ(study: Study, best: Sequence[BestPoint], flagged: Sequence[float]) -> str:
    """Say in one sentence what it means when best thresholds lie far apart, else nothing."""
    order = np.argsort(flagged)
    low, high = int(order[0]), int(order[-1])
    if flagged[high] < 1.5 * max(flagged[low], 1e-12) or study.detector.is_binary:
        return "All protocols want about the same threshold."
    few, many = best[low], best[high]
    return (
        f"{few.protocol.name} is at its best when {percent(flagged[low])} of all points are "
        f"flagged, {many.protocol.name} when {percent(flagged[high])} are: the protocol, not the "
        "detector, decides how loud it should be. A threshold tuned for one is not the best for "
        "the other."
    )


def sweep_table(sweeps: Sequence[Sweep], study: Study) -> pd.DataFrame:
    """Return the threshold chart's numbers, one row per threshold."""
    columns: dict[str, object] = {
        "Threshold": study.detector.in_file(sweeps[0].thresholds),
        "Flagged, %": 100 * sweeps[0].flagged / study.series.counted,
    }
    for sweep in sweeps:
        columns[f"F1 {sweep.protocol.name}"] = sweep.f1
        columns[f"P {sweep.protocol.name}"] = sweep.precision
        columns[f"R {sweep.protocol.name}"] = sweep.recall
    return pd.DataFrame(columns)


# ---- detectors side by side ----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Comparison:
    """Every detector under every protocol."""

    names: list[str]
    """Names for the screen."""
    protocols: list[Protocol]
    points: list[list[BestPoint]]
    """With thresholds in the file's own units."""
    """One row per detector, one entry per protocol."""
    random: list[list[RandomRow]]
    """The random baseline of each detector: at its best threshold, or with as many alarms."""
    is_fixed: list[bool]
    """Whether a detector's alarms are given: detections, or a threshold that was chosen."""

    @property
    def best_random(self) -> list[RandomRow] | None:
        """The baseline at its best threshold, where a detector is at its own; None elsewhere."""
        free = [row for row, fixed in zip(self.random, self.is_fixed, strict=True) if not fixed]
        return free[0] if free else None

    def f1(self, protocol: int) -> list[float]:
        """Return the F1 of all detectors under one protocol."""
        return [row[protocol].f1 for row in self.points]

    @property
    def ranks(self) -> list[list[int]]:
        """Ranks under each protocol, one row per detector."""
        by_protocol = [ranks_of(self.f1(index)) for index in range(len(self.protocols))]
        return [list(row) for row in zip(*by_protocol, strict=True)]

    def ranks_under(self, key: str) -> list[int]:
        """Return the ranks of all detectors under one protocol."""
        keys = [protocol.key for protocol in self.protocols]
        return ranks_of(self.f1(keys.index(key)))


def comparison_table(compared: Comparison) -> pd.DataFrame:
    """Return F1 and rank of every detector, and the random detector's row below."""
    table = []
    under_pa = compared.ranks_under(PA_KEY)
    for name, row, ranks, usual in zip(
        compared.names, compared.points, compared.ranks, under_pa, strict=True
    ):
        entry: dict[str, object] = {"Detector": cell(name)}
        for point, rank in zip(row, ranks, strict=True):
            entry[point.protocol.label] = point.f1
            entry[rank_head(point.protocol)] = rank_text(rank, usual)
        table.append(entry)
    if compared.best_random is None:
        return pd.DataFrame(table)
    last: dict[str, object] = {"Detector": f"{RANDOM}, mean of {_runs(compared)}"}
    for random in compared.best_random:
        last[random.protocol.label] = random.mean
        last[rank_head(random.protocol)] = f"± {random.spread:.3f}"
    return pd.DataFrame([*table, last])


def _runs(compared: Comparison) -> int:
    """Return how many random detectors were tried."""
    return len(compared.random[0][0].f1)


def rank_table(compared: Comparison) -> pd.DataFrame:
    """Return the ranks alone."""
    heads = [protocol.label for protocol in compared.protocols]
    return pd.DataFrame(compared.ranks, columns=heads).assign(
        Detector=[cell(name) for name in compared.names]
    )[["Detector", *heads]]


def rank_head(protocol: Protocol) -> str:
    """Return the head of a column of ranks."""
    return f"rank, {protocol.name}"


def rank_text(rank: int, under_pa: int) -> str:
    """Return a rank, with a mark where it differs from the rank under PA."""
    if rank == under_pa:
        return str(rank)
    return f"{rank} {'▲' if rank < under_pa else '▼'}{abs(rank - under_pa)}"


def threshold_table(compared: Comparison) -> pd.DataFrame:
    """Return the thresholds, precisions and recalls behind the comparison."""
    return pd.DataFrame(
        [
            {
                "Detector": cell(name),
                "Protocol": point.protocol.label,
                "Threshold": repr(point.threshold),
                "Flagged, %": 100 * point.flagged,
                "Precision": point.precision,
                "Recall": point.recall,
                "F1": point.f1,
            }
            for name, row in zip(compared.names, compared.points, strict=True)
            for point in row
        ]
    )


def random_table(compared: Comparison) -> pd.DataFrame:
    """Return what the random baseline of each detector reaches under each protocol."""
    return pd.DataFrame(
        [
            {
                "Detector": cell(name),
                "Compared with": "as many random alarms"
                if fixed
                else "random scores at their best threshold",
                "Protocol": row.protocol.label,
                "F1, mean": row.mean,
                "Standard deviation": row.spread,
                "Best run": row.highest,
                "Points flagged, %": 100 * row.alarm_rate,
                "Runs": len(row.f1),
            }
            for name, rows, fixed in zip(
                compared.names, compared.random, compared.is_fixed, strict=True
            )
            for row in rows
        ]
    )


def random_text(compared: Comparison) -> str:
    """Say what the random baseline is made of."""
    said = []
    if compared.best_random is not None:
        rates = ", ".join(
            f"{percent(row.alarm_rate)} under {row.protocol.name}" for row in compared.best_random
        )
        said.append(
            f"The random baseline's row is the mean of {_runs(compared)} runs at their best "
            f"threshold ± their standard deviation; there it flags {rates} of all points."
        )
    if any(compared.is_fixed):
        said.append(
            "Detectors whose alarms are given are compared with as many random alarms: see "
            "Random baseline."
        )
    return " ".join(said)


def against_table(
    compared: Comparison, against: Sequence[Sequence[PValue]], only: str | None = None
) -> pd.DataFrame:
    """Return every detector with its random baseline and the p-value of the shift test.

    With ``only``, the key of a protocol, it has the rows of this one.
    """
    return pd.DataFrame(
        [
            {
                "Detector": cell(name),
                "Protocol": point.protocol.label,
                "F1": point.f1,
                "Random baseline": random.mean,
                "Flagged, %": 100 * point.flagged,
                "p": p.cell,
            }
            for name, row, baseline, values in zip(
                compared.names, compared.points, compared.random, against, strict=True
            )
            for point, random, p in zip(row, baseline, values, strict=True)
            if only is None or point.protocol.key == only
        ]
    )


def against_text(against: Sequence[Sequence[PValue]]) -> str:
    """Say what the p-values test, and how."""
    first = against[0][0]
    how = (
        f"{first.runs} copies of each detector's scores, moved round in time by random amounts"
        if first.runs
        else "copies of each detector's scores, moved round in time by every possible amount"
    )
    return (
        f"p tests the null hypothesis that {first.null}. It is the share of {how}, that reach the "
        "same F1 as the detector itself (which counts as one of them). Copies keep the scores' "
        "values and runs."
    )


def unproven(compared: Comparison, against: Sequence[Sequence[PValue]]) -> list[str]:
    """Say under which protocols which detectors do no better than their moved copies."""
    said = []
    for index, protocol in enumerate(compared.protocols):
        names = [
            f"{name} ({values[index].text})"
            for name, values in zip(compared.names, against, strict=True)
            if values[index].value > 0.05
        ]
        if names:
            said.append(
                f"Under {protocol.label}, no significant knowledge of the incidents: "
                f"{listed(names)}."
            )
    return said


def verdicts(compared: Comparison) -> list[str]:
    """Say who wins where, where ranks change, and who does not beat the random baseline."""
    heads = [protocol.label for protocol in compared.protocols]
    columns = [compared.f1(index) for index in range(len(heads))]
    if not any(map(any, columns)):
        return [f"{NOBODY.capitalize()}: there is no winner under any protocol."]
    won = first_places(compared.names, heads, columns)
    said = [won or f"{first_place(compared.names, columns[0])} under every protocol."]
    for index, protocol in enumerate(compared.protocols):
        beaten = [
            f"{name} ({score:.3f}, baseline {rows[index].mean:.3f})"
            for name, score, rows in zip(
                compared.names, compared.f1(index), compared.random, strict=True
            )
            if rows[index].share_below(score) < MOST_RANDOM
        ]
        if beaten:
            said.append(
                f"Under {protocol.label}, {listed(beaten)} {'does' if len(beaten) == 1 else 'do'} "
                f"not beat {percent(MOST_RANDOM)} of {_runs(compared)} random detectors."
            )
    found = (
        (name, point.protocol.label, point.flagged)
        for name, row in zip(compared.names, compared.points, strict=True)
        for point in row
    )
    return [*said, *flags_everything(found, "threshold")]


def first_places(
    names: Sequence[str], heads: Sequence[str], columns: Sequence[Sequence[float]]
) -> str | None:
    """Say who comes first under which column of scores; None when it is the same under all."""
    winners: dict[str, list[str]] = {}
    for head, scores in zip(heads, columns, strict=True):
        winners.setdefault(first_place(names, scores), []).append(head)
    if len(winners) == 1:
        return None
    return "; ".join(f"{who} under {listed(where)}" for who, where in winners.items()) + "."


def first_place(names: Sequence[str], scores: Sequence[float]) -> str:
    """Say who comes first, or who shares the first place."""
    if not any(scores):
        return NOBODY
    who = [name for name, rank in zip(names, ranks_of(scores), strict=True) if rank == 1]
    return f"{who[0]} comes first" if len(who) == 1 else f"{listed(who)} share the first place"


def crossing_texts(
    curves: Sequence[Curve], names: Sequence[str], symbol: str
) -> tuple[list[Crossing], list[str]]:
    """Return where detectors change places, and a sentence for each."""
    found = crossings(curves)
    texts = [
        f"{names[crossing.above]} passes {names[crossing.below]} near {symbol} = {crossing.at:.3g}"
        for crossing in found
    ]
    return found, texts


def curve_columns(parameter: str, curves: Sequence[Curve], names: Sequence[str]) -> pd.DataFrame:
    """Return curves over the same parameter as columns."""
    columns = {cell(name): curve.f1 for name, curve in zip(names, curves, strict=True)}
    first = curves[0]
    return pd.DataFrame({parameter: first.values, **columns})


@dataclass(frozen=True)
class Areas:
    """What is left of a detector without a choice of threshold or parameter."""

    average_precision: list[float]
    roc_auc: list[float]
    over: dict[str, float]
    """The area over the number of each protocol that has one, by protocol."""


def area_table(names: Sequence[str], areas: Sequence[Areas], settings: Settings) -> pd.DataFrame:
    """Return average precision and ROC area per protocol, and the areas over their numbers."""
    protocols = settings.protocols()
    table = []
    for name, area in zip(names, areas, strict=True):
        row: dict[str, object] = {"Detector": cell(name)}
        row |= {
            f"AP, {p.name}": value
            for p, value in zip(protocols, area.average_precision, strict=True)
        }
        row |= {f"ROC, {p.name}": value for p, value in zip(protocols, area.roc_auc, strict=True)}
        row |= over_columns(area, settings)
        table.append(row)
    return pd.DataFrame(table)


def over_columns(area: Areas, settings: Settings) -> dict[str, object]:
    """Return the areas over each number, under the heads that tables have for them."""
    numbers = settings.numbers()
    return {
        f"{settings.protocol(key).name} over {_over(settings, key, numbers[key])}": value
        for key, value in area.over.items()
    }


def _over(settings: Settings, key: str, number: Number) -> str:
    """Say what the area is over: for a decay the logarithm of its half-life."""
    has_half_life = half_life_of(settings.protocol(key)) is not None
    return "log half-life" if has_half_life else number.symbol


def interval_table(compared: Comparison, sure: Sequence[Uncertainty], level: float) -> pd.DataFrame:
    """Return the interval of every detector's F1 under every protocol."""
    table = []
    for index, made in enumerate(sure):
        for row, name in enumerate(compared.names):
            low, high = made.interval(row, level)
            new = {HELD_OUT: made.f1(row)} if made.is_chosen else {}
            table.append(
                {
                    "Protocol": made.protocol.label,
                    "Detector": cell(name),
                    "F1": compared.points[row][index].f1,
                    **new,
                    "from": low,
                    "to": high,
                }
            )
    return pd.DataFrame(table)


def hindsight(study: Study, settings: Settings) -> str | None:
    """Say that thresholds were tuned on the same labels, unless they were set by hand."""
    leading = [
        each for each in study.chosen_by(settings, at_best=False) if isinstance(each, Protocol)
    ]
    if not leading:
        return None
    under = listed(list(dict.fromkeys(each.label for each in leading)))
    return (
        f"These thresholds were tuned on the same labels, for {under}. The intervals and p-values "
        "of differences ignore that and are too favourable. To correct for it, compare at each "
        "protocol's best threshold."
    )


def too_few(count: int) -> str:
    """Say that there are too few segments for intervals, and from how many on there are enough."""
    return (
        f"Too few segments ({count}) for a confidence interval; at least {FEWEST} are needed. With "
        "fewer it would cover most of 0 to 1."
    )


def how_sure(made: Uncertainty, level: float) -> str:
    """Say what the intervals are of, what they rest on, and how far they can be trusted."""
    share = percent(level)
    of = (
        "of the F1 that a threshold chosen like this reaches on other data of the same kind. For "
        f"the marks ({HELD_OUT.lower()}) each block is counted at the threshold that is best on "
        "the others (of some from all over, where a series has very many). The best F1 itself "
        "was chosen with hindsight and may lie above its interval"
        if made.is_chosen
        else "of the F1 on other data of the same kind, at these thresholds"
    )
    many = (
        f" Intervals of differences hold for all {made.pairs} pairs at once (Bonferroni)."
        if made.pairs > 1
        else ""
    )
    return (
        f"{share} confidence intervals {of}. The series is cut between segments into "
        f"{made.blocks:,} blocks, which weigh as much as {made.equal_blocks:.1f} of equal length. "
        "The intervals come from leaving out one block after the other (jackknife, Student's t on "
        f"the logit of F1). Assumption: {ASSUMPTION}. Two detectors differ significantly when the "
        f"interval of their difference leaves out 0.{many} {PROMISE}"
    )


def told_apart(compared: Comparison, sure: Sequence[Uncertainty], level: float) -> list[str]:
    """Say, protocol by protocol, between which detectors there is no significant difference."""
    if len(compared.names) < 2:
        return ["There is only one detector: nothing to compare."]
    said = []
    every = list(combinations(range(len(compared.names)), 2))
    at = percent(1 - level)
    for made in sure:
        pairs = [
            f"{compared.names[a]} and {compared.names[b]}"
            for a, b in every
            if not made.told_apart(a, b, level, len(every))
        ]
        if not pairs:
            verdict = f"all detectors differ significantly at {at}"
        elif len(pairs) == len(every) > 1:
            verdict = f"no significant difference at {at} between any two detectors"
        else:
            verdict = f"no significant difference at {at} between {'; '.join(pairs)}"
        said.append(f"Under {made.protocol.label}, {verdict}.")
    return said


def difference_table(
    compared: Comparison, sure: Sequence[Uncertainty], level: float
) -> pd.DataFrame:
    """Return the difference between every two detectors: its interval, and the paired test."""
    table = []
    for made in sure:
        for a, b in combinations(range(len(compared.names)), 2):
            low, high = made.difference(a, b, level, made.pairs)
            paired = made.paired(a, b)
            table.append(
                {
                    "Protocol": made.protocol.label,
                    "First": cell(compared.names[a]),
                    "Second": cell(compared.names[b]),
                    "Difference from": low,
                    "to": high,
                    f"Significant at {percent(1 - level)}": "yes" if low > 0 or high < 0 else "no",
                    "p of the swaps": paired.p.cell,
                    "Incidents that differ": paired.differing,
                    "Detectable from": np.nan if paired.detectable is None else paired.detectable,
                }
            )
    return pd.DataFrame(table)


def paired_text(made: Uncertainty) -> str:
    """Say what the two tests of a difference rest on, and why they can disagree."""
    chosen = (
        f" Every swap chooses the best of {SHARES} thresholds again. These flag the same shares of "
        "normal points for both detectors."
        if made.is_chosen
        else ""
    )
    many = f" It holds for all {made.pairs} pairs together." if made.pairs > 1 else ""
    return (
        "There are two tests of a difference. The interval is about other data of the same kind: "
        f"use it for claims.{many} p is about these incidents and one pair. Its null hypothesis: "
        f"{SWAP_NULL}. The detectors are swapped incident by incident. p is the share of swaps "
        f"with at least this difference in F1.{chosen} It assumes independent incidents. "
        "Detectable from: the smallest difference that any swap of these incidents makes "
        "significant at 5 %. It is empty if there is none, as with fewer than six incidents."
    )


def held_out_table(names: Sequence[str], made: Sequence[Sequence[HeldOut]]) -> pd.DataFrame:
    """Return every detector under every protocol: the oracle, and without hindsight."""
    return pd.DataFrame(
        [
            {
                "Detector": cell(name),
                "Protocol": each.protocol.label,
                "Oracle": each.oracle,
                "Without hindsight": each.f1,
                "Optimism": each.optimism,
            }
            for name, row in zip(names, made, strict=True)
            for each in row
        ]
    )


def held_out_text(names: Sequence[str], made: Sequence[Sequence[HeldOut]]) -> list[str]:
    """Say under which protocols another detector comes first without hindsight."""
    said = []
    for column in zip(*made, strict=True):
        oracle = first_place(list(names), [each.oracle for each in column])
        honest = first_place(list(names), [each.f1 for each in column])
        label = column[0].protocol.label
        said.append(
            f"Under {label}, {oracle} either way."
            if oracle == honest
            else f"Under {label}, {oracle} by the oracle; without hindsight {honest}."
        )
    return said


def deciding_table(study: Study, shares: np.ndarray) -> pd.DataFrame:
    """Return how much each segment makes of a gap, those that make most first."""
    series = study.series
    order = np.argsort(-np.abs(shares), kind="stable")
    clock = series.clock
    starts = series.segments.starts[order]
    return pd.DataFrame(
        {
            "Segment": order + 1,
            "Share of the gap": shares[order],
            "Start": [clock.name(int(at)) for at in starts] if clock else starts,
            "Points": series.segments.lengths[order],
        }
    )


def stem_of(study: Study) -> str:
    """Return what the names of files about these data begin with; other data have another."""
    words = re.sub(r"[^a-z0-9]+", "-", names_of(study).rsplit(".", 1)[0].lower()).strip("-")
    return f"{words[:40] or 'data'}-{study.series.key[:6]}"


def detector_names(study: Study) -> list[str]:
    """Return the detectors' names for the screen."""
    return shown_names(study.series.names)


def names_of(study: Study) -> str:
    """Return what the data are called on the screen."""
    return shown(study.origin.name.rsplit("/", 1)[-1])
