"""The `padf evaluate` command: a table of detectors by protocols, from one series."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from padf_core.analysis.alerting import ring
from padf_core.analysis.held_out import WAYS, chosen_on_training, count_each, within_budget
from padf_core.analysis.notices import flags_everything
from padf_core.cli.evaluate_report import WRITERS, Report, Result
from padf_core.cli.options import (
    Renamed,
    add_protocols,
    add_reading,
    add_rule,
    read_options,
    settings_of,
)
from padf_core.corpus.rules import Kind, Rule, rule_of, usual_rule
from padf_core.io.caveats import caveats_of
from padf_core.io.errors import MissingError, OrderError, TableError
from padf_core.io.guess import decide, guesses_in_words
from padf_core.io.join import open_files, read_moments
from padf_core.io.open_table import open_table
from padf_core.io.options import ReadOptions
from padf_core.io.read import series_from
from padf_core.io.series import Detector, Series
from padf_core.io.sources import Source
from padf_core.io.tables import TableFile
from padf_core.metrics.alerts import AlertRule
from padf_core.metrics.checks import BoolArray
from padf_core.metrics.clock import format_duration
from padf_core.metrics.evaluation import evaluate_pattern
from padf_core.metrics.onset import Onset
from padf_core.metrics.protocols import Protocol
from padf_core.metrics.ranked_scores import RankedScores
from padf_core.metrics.sweep_results import BestPoint
from padf_core.metrics.timing import ASSUMED_STEP

_CONDITIONS: dict[Kind, str] = {
    "best": "best thresholds, tuned on these labels (oracle)",
    "common": "one best threshold for all series, tuned on these labels (oracle)",
    "segments": "thresholds chosen on other segments (held out)",
    "others": "thresholds chosen on other series (held out)",
    "first": "thresholds chosen on the first half, scores of the second (held out)",
    "train": "thresholds chosen on the training rows, scores of the rest (held out)",
    "given": "a given threshold",
}

_HELD_OUT: dict[Kind, str] = {"segments": "segments", "others": "series", "first": "first"}


_HINTS: dict[type[ValueError], str] = {
    MissingError: "; use --missing quiet, ignore or drop",
    OrderError: "; use --order keep, sort or first",
}
"""Command options that resolve errors which the app would ask about."""


def add_evaluate(commands: Any) -> None:
    """Add the options of the command."""
    score = commands.add_parser(
        "evaluate", help="print a table of detectors by protocols for one file"
    )
    score.add_argument(
        "file",
        metavar="FILE",
        nargs="+",
        help=(
            "CSV (may be gzipped), Parquet, JSON or .npy; - for standard input. Several files "
            "are joined by time or row, and detectors are named after their files"
        ),
    )
    score.add_argument(
        "--labels", metavar="FILE", help="a separate file with labels: a table, or windows"
    )
    add_rule(score)
    add_reading(score)
    score.add_argument("--series", dest="series_column", action=Renamed, new="--series-column")
    score.add_argument(
        "--best",
        dest="threshold",
        nargs=0,
        action=Renamed,
        new="--threshold best, or common for several series",
        convert=lambda _: "common",
    )
    score.add_argument(
        "--held-out",
        dest="threshold",
        nargs="?",
        const="segments",
        choices=list(WAYS),
        action=Renamed,
        new="--threshold segments, others or first",
        convert=lambda way: "others" if way == "series" else way,
    )
    score.add_argument(
        "--budget",
        dest="threshold",
        type=float,
        action=Renamed,
        new="--threshold budget:N",
        convert=lambda most: f"budget:{most!r}",
    )
    rule = score.add_argument_group("an alert rule, for a given --threshold or for detections")
    rule.add_argument(
        "--wait",
        type=int,
        default=1,
        metavar="M",
        help="raise an alarm after M consecutive points at or above the threshold",
    )
    rule.add_argument(
        "--cooldown",
        type=int,
        default=0,
        metavar="C",
        help="after an alarm, raise none for C points",
    )
    add_protocols(score)
    score.add_argument("--format", choices=list(WRITERS), default="table", help="output format")
    score.add_argument(
        "--json", action="store_const", const="json", dest="format", help="same as --format json"
    )


def run_evaluate(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    try:
        settings = settings_of(options)
        asked_rule = None if options.threshold is None else rule_of(options.threshold)
        given = read_options(options)
        table = _open(options.file, options.labels, given)
        _tell(*table.notices)
        found = decide(table, given)
        _tell(*guesses_in_words(found, given))
        asked = replace(found.options, onset=None)
        is_training = asked_rule is not None and asked_rule.kind == "train"
        labelled = series_from(table, asked, scores_training=is_training)
        rule = asked_rule or usual_rule(labelled.parts)
        if rule.kind == "common" and labelled.parts == 1:
            rule = Rule("best")
        series = labelled.with_onset(_onset(labelled, given, options))
        results = _results(series, settings.protocols(), table, rule, asked, options)
    except ValueError as error:
        _tell(f"{error}{_HINTS.get(type(error), '')}")
        return 2
    _tell(*caveats_of(series))
    _tell_upside_down(series)
    flagged = ((r.detector, r.protocol.label, r.flagged or 0.0) for r in results)
    _tell(*flags_everything(flagged, "best threshold" if rule.is_oracle else "threshold"))
    if settings["measure"] == "clock" and series.clock is None:
        why = (
            "no times" if asked.time is None else ("no clock, because timestamps go back or repeat")
        )
        _tell(f"{why}: one step is taken as {format_duration(ASSUMED_STEP)}")
    try:
        report = Report(settings, asked.label, table.name, _conditions(series, rule, options))
        print(WRITERS[options.format](results, report), flush=True)
    except BrokenPipeError:
        # The reader has closed the pipe, as `head` does: end without a message.
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    return 0


def _tell(*lines: str) -> None:
    for line in lines:
        print(f"padf: {line}", file=sys.stderr)


def _open(files: Sequence[str], labels: str | None, given: ReadOptions) -> TableFile:
    """Open one table, or join several files; "-" is the standard input."""
    own: list[Source | TableFile] = [
        open_table(sys.stdin.buffer.read(), "standard input") if name == "-" else Source.at(name)
        for name in files
    ]
    beside = [] if labels is None else [Source.at(labels, holds_labels=True)]
    return open_files([*own, *beside], given)


def _onset(series: Series, given: ReadOptions, options: argparse.Namespace) -> Onset:
    """Return the onset option with its moments, and report moments outside all segments."""
    onset = given.onset or Onset()
    if options.onsets is None:
        return onset
    names = [Path(name).name for name in options.file]
    moments = read_moments(Source.at(options.onsets), names, series)
    outside = [row for row in moments if not series.labels[row]]
    if outside:
        _tell(
            f"{len(outside)} of {len(moments)} moments are outside all segments, the first at "
            f"row {outside[0]}"
        )
    return replace(onset, moments=moments)


def _tell_upside_down(series: Series) -> None:
    for detector in series.detectors:
        if detector.is_upside_down:
            _tell(
                f"{detector.name} ranks normal points above anomalous ones (ROC area "
                f"{detector.roc_auc:.3f}); if its low scores mean an anomaly, use --low"
            )


def _results(
    series: Series,
    protocols: list[Protocol],
    table: TableFile,
    rule: Rule,
    asked: ReadOptions,
    options: argparse.Namespace,
) -> list[Result]:
    is_plain = (options.wait, options.cooldown) == (1, 0)
    if not is_plain and rule.kind != "given" and not all(d.is_binary for d in series.detectors):
        raise ValueError("--wait and --cooldown need a number as --threshold, or detections")
    if rule.kind in ("segments", "others", "first", "train"):
        held_out = (
            chosen_on_training(series, protocols, training_rows=asked.training_rows)
            if rule.kind == "train"
            else WAYS[_HELD_OUT[rule.kind]](series, protocols)
        )
        return [
            Result(each.detector, each.protocol, None, each.precision, each.recall, each.f1, None)
            for row in held_out
            for each in row
        ]
    if series.parts > 1 and rule.kind in ("best", "budget"):
        return _one_by_one(series, protocols, rule)
    made: list[Result] = []
    for detector in series.detectors:
        if detector.is_binary or rule.kind == "given":
            made += _given(detector, protocols, rule, options)
        elif rule.kind == "budget":
            at = within_budget(detector.ranked, _most(series, rule))
            made += [_at(detector, detector.at(at, protocol)) for protocol in protocols]
        else:
            made += [_at(detector, detector.best(protocol)) for protocol in protocols]
    return made


def _most(series: Series, rule: Rule, rows: BoolArray | None = None) -> float:
    """Return the number of false alarms that a budget allows on these rows of a series."""
    if series.days is None or series.clock is None:
        raise TableError(f"{series.name}: a budget of false alarms per day needs timestamps")
    counts = series.rows.counts
    kept = rows if counts is None else counts if rows is None else counts & rows
    return rule.number * series.clock.seconds_of(kept) / 86400


def _one_by_one(series: Series, protocols: list[Protocol], rule: Rule) -> list[Result]:
    """Score several series, each at its own threshold."""

    def choose(ranked: RankedScores, protocol: Protocol, rows: BoolArray) -> float:
        if rule.kind == "budget":
            return within_budget(ranked, _most(series, rule, rows))
        return ranked.best(protocol).threshold

    made = []
    for detector in series.detectors:
        for protocol in protocols:
            counts = count_each(series, detector, protocol, choose)
            scores = (float(counts.precision), float(counts.recall), float(counts.fbeta()))
            made.append(Result(detector.name, protocol, None, *scores, None))
    return made


def _given(
    detector: Detector, protocols: list[Protocol], rule: Rule, options: argparse.Namespace
) -> list[Result]:
    """Score detections, or scores at a given threshold, with an alert rule if there is one."""
    shown = rule.number if rule.kind == "given" else None
    at = 1.0 if shown is None else detector.in_file(shown)
    pattern = ring(detector, AlertRule(at, options.wait, options.cooldown))
    flagged = (pattern.hits + pattern.false_positives) / max(1, pattern.anomalous + pattern.normal)
    return [
        Result(detector.name, e.protocol, shown, e.precision, e.recall, e.f1, flagged)
        for e in evaluate_pattern(pattern, protocols)
    ]


def _at(detector: Detector, point: BestPoint) -> Result:
    return Result(
        detector.name,
        point.protocol,
        detector.in_file(point.threshold),
        point.precision,
        point.recall,
        point.f1,
        point.flagged,
    )


def _conditions(series: Series, rule: Rule, options: argparse.Namespace) -> str:
    """Return the conditions of the scores as text, used by every output format."""
    if rule.kind == "budget":
        how = f"thresholds for at most {rule.number:g} false alarms per day"
    elif rule.kind != "given" and all(detector.is_binary for detector in series.detectors):
        how = "detections as given"
    else:
        how = _CONDITIONS[rule.kind]
    if (options.wait, options.cooldown) != (1, 0):
        how += f", alert rule with wait {options.wait} and cool-down {options.cooldown}"
    ignored = series.size - series.counted
    rows = "1 row ignored" if ignored == 1 else f"{ignored:,} rows ignored"
    return f"{how}; {rows}" if ignored else how
