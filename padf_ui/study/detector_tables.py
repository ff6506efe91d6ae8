"""Tables and sentences about one detector at its thresholds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from padf_core.analysis.flips import Flip
from padf_core.io.notation import percent
from padf_core.io.series import Detector, Series
from padf_core.metrics.clock import UNITS, clock_unit, format_duration, format_steps
from padf_core.metrics.evaluation import Evaluation, Pattern, pattern_of
from padf_core.metrics.sweep_results import BestPoint, Sweep
from padf_ui.components.ledger import ledger
from padf_ui.components.names import cell
from padf_ui.components.words import plural
from padf_ui.session.study import Study
from padf_ui.study.descriptions import detector_names


def study_ledger(study: Study, results: Sequence[Evaluation]) -> pd.DataFrame:
    """Return one row per segment: start, points, hits, delay and credit."""
    series = study.series
    delays, unit = delays_of(series, pattern_of(results))
    starts: list[object] = series.segments.starts.tolist()
    if series.clock is not None:
        starts = [series.clock.name(int(start)) for start in series.segments.starts]
    return ledger(results, starts, f"Delay, {unit}", delays)


def delays_of(series: Series, pattern: Pattern) -> tuple[np.ndarray, str]:
    """Return the delay of each segment in a suitable unit. Missed segments are NaN."""
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
    """Return the points at which detectors swap ranks, with d if the decay has one."""
    return pd.DataFrame(
        {
            title: [flip.at for flip in flips],
            **({"decay rate d": list(rates)} if rates and rates[0] is not None else {}),
            "ahead below": [cell(names[flip.below]) for flip in flips],
            "ahead above": [cell(names[flip.above]) for flip in flips],
        }
    )


def threshold_columns(sweeps: Sequence[Sweep], study: Study) -> pd.DataFrame:
    """Return F1 and false alarms of several detectors, one row per detector and threshold."""
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
    """Return the numbers of the delay histogram, with missed segments in the last row."""
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
    """False alarms, as points and as runs."""

    points: int
    events: int
    """Number of runs of false alarms. An operator handles each run as one call."""
    per_day: float | None

    @property
    def text(self) -> str:
        """The counts as a sentence."""
        if not self.points:
            return "No false alarms."
        calls = f"{self.events:,} false {plural(self.events, 'alarm', 'alarms')}"
        made = f"{calls} ({self.points:,} points; each run counts once)"
        if self.per_day is None:
            return f"{made}."
        rate = f"{self.per_day:.1f}" if self.per_day < 100 else f"{self.per_day:,.0f}"
        return f"{made}: {rate} per day."


def false_alarms(series: Series, pattern: Pattern) -> FalseAlarms:
    """Count false alarms as points and as runs, and per day if there is a clock."""
    events = pattern.false_runs
    days = series.days
    return FalseAlarms(pattern.false_positives, events, events / days if days else None)


def rule_table(bare: Sequence[Evaluation], rung: Sequence[Evaluation]) -> pd.DataFrame:
    """Return F1 at the threshold and with the alert rule, for each protocol."""
    return pd.DataFrame(
        {
            "Protocol": [each.protocol.label for each in rung],
            "F1 at the threshold": [each.f1 for each in bare],
            "F1 by the rule": [each.f1 for each in rung],
        }
    )


def found_text(study: Study, pattern: Pattern) -> str:
    """Describe how many segments were found, and how late."""
    found = pattern.found
    total, hit = found.hits.size, int(np.count_nonzero(found.detected))
    if not total:
        return "There are no segments to detect."
    if not hit:
        return f"None of {total:,} segments is detected."
    delays = found.delays[found.detected]
    late = delay_text(study.series, pattern, np.median)
    longest = delay_text(study.series, pattern, np.max)
    return (
        f"{hit:,} of {total:,} segments detected; median delay {late}, longest {longest}. "
        f"{int(np.count_nonzero(delays == 0)):,} with no delay."
    )


def delay_text(series: Series, pattern: Pattern, summary_of: Callable[[np.ndarray], float]) -> str:
    """Format the median or the longest delay of the segments that were found."""
    delays, unit = delays_of(series, pattern)
    known = delays[~np.isnan(delays)]
    if not known.size:
        return "–"
    value = float(summary_of(known))
    if series.clock is None:
        return format_steps(value, None)
    return format_duration(value * dict(UNITS)[unit])


def best_table(best: Sequence[BestPoint], detector: Detector) -> pd.DataFrame:
    """Return each protocol's best threshold, written so that it reproduces F1 exactly."""
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
    """Say in one sentence whether the protocols' best thresholds differ."""
    order = np.argsort(flagged)
    low, high = int(order[0]), int(order[-1])
    if flagged[high] < 1.5 * max(flagged[low], 1e-12) or study.detector.is_binary:
        return "All protocols have about the same best threshold."
    few, many = best[low], best[high]
    return (
        f"{few.protocol.name} is at its best when {percent(flagged[low])} of all points are "
        f"flagged, {many.protocol.name} when {percent(flagged[high])} are: the protocol, not the "
        "detector, decides how loud it should be. A threshold tuned for one is not the best for "
        "the other."
    )


def sweep_table(sweeps: Sequence[Sweep], study: Study) -> pd.DataFrame:
    """Return the numbers of the threshold chart, one row per threshold."""
    columns: dict[str, object] = {
        "Threshold": study.detector.in_file(sweeps[0].thresholds),
        "Flagged, %": 100 * sweeps[0].flagged / study.series.counted,
    }
    for sweep in sweeps:
        columns[f"F1 {sweep.protocol.name}"] = sweep.f1
        columns[f"P {sweep.protocol.name}"] = sweep.precision
        columns[f"R {sweep.protocol.name}"] = sweep.recall
    return pd.DataFrame(columns)
