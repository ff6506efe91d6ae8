"""The commands of `padf`: evaluate, which scores the detectors of a table, corpus and app."""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import isinf, isnan
from pathlib import Path
from typing import Any, NoReturn, get_args

from padf_core import __version__
from padf_core.analysis.alerting import ring
from padf_core.analysis.held_out import WAYS, within_budget
from padf_core.analysis.notices import flags_everything
from padf_core.cli.app import run_app
from padf_core.cli.corpus import add_corpus, run_corpus
from padf_core.cli.options import add_onset, add_protocols, onset_of, settings_of
from padf_core.io.caveats import caveats_of
from padf_core.io.join import Source, open_files, read_moments
from padf_core.io.latex import latex_table
from padf_core.io.options import Gaps, Guess, Order, Roles, guess
from padf_core.io.read import read_series
from padf_core.io.series import Detector, Series
from padf_core.io.tables import GapError, OrderError, TableError, TableFile, open_table
from padf_core.io.times import parse_moment
from padf_core.metrics.alerts import AlertRule
from padf_core.metrics.clock import format_duration
from padf_core.metrics.evaluation import evaluate_pattern
from padf_core.metrics.onset import Onset
from padf_core.metrics.protocols import Protocol
from padf_core.metrics.settings import Settings
from padf_core.metrics.sweep import BestPoint
from padf_core.metrics.timing import ASSUMED_STEP


@dataclass(frozen=True)
class Result:
    """One detector under one protocol; ``threshold`` is None for given detections."""

    detector: str
    protocol: Protocol
    threshold: float | None
    precision: float
    recall: float
    f1: float
    flagged: float | None
    """The share of points that are flagged; None where thresholds differ from part to part."""


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


_HINTS: dict[type[ValueError], str] = {
    GapError: "; say --gaps quiet, ignore or drop",
    OrderError: "; say --order keep, sort or first",
}
"""How to answer what the app would ask."""


def build_parser() -> argparse.ArgumentParser:
    """Return the command line's grammar."""
    parser = _Parser(
        prog="padf",
        description="Score time-series anomaly detectors under point-wise F1, PA, PA%K and PAdf.",
    )
    parser.add_argument("--version", action="version", version=f"padf {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, parser_class=_Parser)
    app = commands.add_parser("app", help="serve the web app, by default for this machine alone")
    app.add_argument("--port", type=int, default=8501, metavar="N")
    app.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="the address to listen on; 0.0.0.0 lets everybody in who can reach this machine",
    )
    score = commands.add_parser(
        "evaluate", help="a table of detectors by protocols, from a CSV or Parquet file"
    )
    score.add_argument(
        "file",
        metavar="FILE",
        nargs="+",
        help="CSV (gzip allowed), Parquet, JSON or .npy; - for the standard input; several are "
        "joined by time or row, detectors named after their files",
    )
    score.add_argument("--label", help="the column with the truth (default: as it looks)")
    score.add_argument(
        "--detector",
        nargs="+",
        action="extend",
        metavar="NAME",
        help="columns with scores or 0/1 detections (default: those that look like it)",
    )
    rows = score.add_argument_group("which rows count, and how they are taken")
    rows.add_argument("--anomaly", metavar="WORD", help="the label that means an anomaly")
    rows.add_argument("--series", metavar="NAME", help="the column that names each row's series")
    rows.add_argument("--only", metavar="SERIES", help="the one series that is wanted")
    rows.add_argument("--ignore", metavar="NAME", help="the column that has 1 in ignored rows")
    rows.add_argument(
        "--skip",
        type=float,
        metavar="N",
        help="ignore this many first rows of each series; below 1 it is their share",
    )
    rows.add_argument("--since", metavar="TIME", help="ignore the rows before this time")
    rows.add_argument(
        "--low", nargs="+", action="extend", default=[], metavar="NAME",
        help="detectors whose low scores are the alarming ones",
    )  # fmt: skip
    rows.add_argument(
        "--gaps",
        choices=get_args(Gaps),
        help="missing scores: refuse the file, take them as no alarm (quiet), ignore their rows "
        "for all detectors (ignore), or leave out their detectors (drop)",
    )
    rows.add_argument(
        "--order",
        choices=get_args(Order),
        help="out-of-order timestamps: refuse the file, keep the rows, sort them, or sort them and "
        "keep the first row of each time",
    )
    add_onset(rows)
    rows.add_argument(
        "--onsets",
        metavar="FILE",
        help="segments begin at moments that a file says: NAB's combined_labels.json, or a list of "
        "times or rows, as JSON or one a line",
    )
    at = score.add_mutually_exclusive_group()
    at.add_argument(
        "--threshold",
        type=float,
        help="a score of at least this is a detection (--threshold=-1e-3 for negative ones)",
    )
    at.add_argument(
        "--best",
        action="store_true",
        help="each protocol's own best threshold, exact: an oracle, since it has seen the labels",
    )
    at.add_argument(
        "--held-out",
        nargs="?",
        const="segments",
        choices=list(WAYS),
        help="thresholds that are best elsewhere: for every segment on other segments (unless "
        "said otherwise), for every series on other series, or on the first half for the rest",
    )
    at.add_argument(
        "--budget",
        type=float,
        metavar="N",
        help="the lowest threshold from which on up there are never more than N false alarms "
        "(runs of them) a day",
    )
    rule = score.add_argument_group("an alert rule, for scores at --threshold or for detections")
    rule.add_argument(
        "--wait",
        type=int,
        default=1,
        metavar="M",
        help="an alarm comes at the last of M points in a row at or above the threshold",
    )
    rule.add_argument(
        "--cooldown",
        type=int,
        default=0,
        metavar="C",
        help="after an alarm there is none for C points",
    )
    add_protocols(score)
    score.add_argument(
        "--format", choices=list(_WRITERS), default="table", help="how the result is printed"
    )
    score.add_argument(
        "--json", action="store_const", const="json", dest="format", help="same as --format json"
    )
    add_corpus(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    options = build_parser().parse_args(arguments)
    if options.command == "app":
        return run_app(options.host, options.port)
    if options.command == "corpus":
        return run_corpus(options)
    try:
        settings = settings_of(options)
        if options.threshold is not None and isnan(options.threshold):
            raise ValueError("--threshold must be a number; got nan")
        table = _open(options.file)
        for notice in table.notices:
            print(f"padf: {notice}", file=sys.stderr)
        roles = _roles(table, options)
        labelled = read_series(table, roles)
        series = labelled.with_onset(_onset(labelled, options))
        results = _results(series, settings.protocols(), table, options)
    except ValueError as error:
        print(f"padf: {error}{_HINTS.get(type(error), '')}", file=sys.stderr)
        return 2
    for caveat in caveats_of(series):
        print(f"padf: {caveat}", file=sys.stderr)
    _tell_upside_down(series)
    found = ((r.detector, r.protocol.label, r.flagged or 0.0) for r in results)
    for notice in flags_everything(found, "best threshold" if options.best else "threshold"):
        print(f"padf: {notice}", file=sys.stderr)
    if settings["measure"] == "clock" and series.clock is None:
        print(
            f"padf: no times: one step is taken as {format_duration(ASSUMED_STEP)}",
            file=sys.stderr,
        )
    try:
        told = _Told(settings, roles.label, table.name, _conditions(series, options))
        print(_WRITERS[options.format](results, told), flush=True)
    except BrokenPipeError:
        # The reader has closed the pipe, as `head` does: end without a message.
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    return 0


def _open(files: Sequence[str]) -> TableFile:
    """Look at one table, or join several files; "-" is the standard input."""
    if list(files) == ["-"]:
        return open_table(sys.stdin.buffer.read(), "standard input")
    return open_files([Source.at(name) for name in files])


def _onset(series: Series, options: argparse.Namespace) -> Onset:
    """Return where segments begin, and tell of moments that lie in none of them."""
    moments = None
    if options.onsets is not None:
        if options.shift[0]:
            raise ValueError("say --shift or --onsets, not both")
        names = [Path(name).name for name in options.file]
        moments = read_moments(Source.at(options.onsets), names, series)
        outside = [row for row in moments if not series.labels[row]]
        if outside:
            print(
                f"padf: {len(outside)} of {len(moments)} moments lie in no segment, the first at "
                f"row {outside[0]}",
                file=sys.stderr,
            )
    return replace(onset_of(options), moments=moments)


def _roles(table: TableFile, options: argparse.Namespace) -> Roles:
    """Return what was said of the columns, and for the rest what they look like."""
    for name in (options.label, *(options.detector or ())):
        if name is not None and table.names.count(name) > 1:
            raise TableError(f"{table.name}: column {name!r} stands there more than once")
    found = guess(table)
    given: dict[str, Any] = {
        name: value
        for name in ("label", "anomaly", "series", "only", "ignore", "skip", "gaps", "order")
        if (value := getattr(options, name)) is not None
    }
    if options.detector:
        given["detectors"] = tuple(dict.fromkeys(options.detector))
    if options.low:
        given["low"] = tuple(options.low)
    if options.since is not None:
        given["since"] = parse_moment(options.since)
    guessed = found.roles
    if "label" in given and "anomaly" not in given and given["label"] != guessed.label:
        guessed = replace(guessed, anomaly=None)
    taken = {given.get("label"), given.get("series"), given.get("ignore")}
    if "detectors" in given:
        taken |= set(given["detectors"])
    free = {
        field: None
        for field in ("time", "value", "series", "ignore")
        if getattr(guessed, field) in taken and field not in given
    }
    kept = tuple(name for name in guessed.detectors if name not in taken)
    roles = replace(guessed, **{"detectors": kept, **free, **given})
    unknown = [name for name in roles.low if name not in roles.detectors]
    if unknown:
        raise TableError(f"{table.name}: --low names {unknown[0]!r}, which is no detector")
    _tell_guess(found, roles, options)
    words = found.words_of(roles.label)
    if roles.anomaly is None and found.must_ask(roles.label):
        raise TableError(
            f"{table.name}: column {roles.label!r} holds {', '.join(words)}: say --anomaly with "
            "the one that means an anomaly"
        )
    return roles


def _tell_guess(found: Guess, roles: Roles, options: argparse.Namespace) -> None:
    """Print on standard error which columns were guessed."""
    said = []
    if options.label is None and roles.label:
        said.append(f"label: {roles.label}")
    if options.anomaly is None and roles.anomaly is not None:
        said.append(f"an anomaly is {roles.anomaly!r} in column {roles.label!r}")
    if not options.detector:
        said.append(f"detectors: {', '.join(roles.detectors) or 'none'}")
        said += [
            f"left out: {name} ({reason})"
            for name, reason in found.left_out.items()
            if name not in (roles.label, roles.series, roles.ignore, roles.time)
        ]
    said += [
        f"{what}: {name}"
        for what, name, given in (
            ("series", roles.series, options.series),
            ("ignored rows", roles.ignore, options.ignore),
        )
        if name and given is None
    ]
    if roles.skip and options.skip is None:
        said.append(f"ignored rows, by the file's name: the first {roles.skip:g}")
    for line in said:
        print(f"padf: {line}", file=sys.stderr)


def _tell_upside_down(series: Series) -> None:
    for detector in series.detectors:
        if detector.is_upside_down:
            print(
                f"padf: {detector.name} ranks normal points above anomalous ones (ROC area "
                f"{detector.roc_auc:.3f}); if its low scores are the alarming ones, say --low",
                file=sys.stderr,
            )


def _results(
    series: Series, protocols: list[Protocol], table: TableFile, options: argparse.Namespace
) -> list[Result]:
    has_rule = (options.wait, options.cooldown) != (1, 0)
    if has_rule and (options.best or options.held_out or options.budget is not None):
        raise ValueError("--wait and --cooldown need --threshold T, or detections")
    if options.held_out:
        return [
            Result(each.detector, each.protocol, None, each.precision, each.recall, each.f1, None)
            for row in WAYS[options.held_out](series, protocols)
            for each in row
        ]
    if options.budget is not None:
        if series.days is None:
            raise TableError(f"{table.name}: --budget needs times, for false alarms a day")
        most = options.budget * series.days
        return [
            _at(detector, p)
            for detector in series.detectors
            for threshold in [1.0 if detector.is_binary else within_budget(detector.ranked, most)]
            for p in (detector.at(threshold, protocol) for protocol in protocols)
        ]
    return [
        result
        for detector in series.detectors
        for result in _score(detector, protocols, table, options)
    ]


def _score(
    detector: Detector, protocols: list[Protocol], table: TableFile, options: argparse.Namespace
) -> list[Result]:
    if options.best:
        return [_at(detector, detector.best(protocol)) for protocol in protocols]
    if options.threshold is None and not detector.is_binary:
        raise TableError(
            f"{table.name}: column {detector.name!r} holds scores, not 0/1 detections: "
            "say --best, --held-out, --budget N or --threshold T"
        )
    at = 1.0 if options.threshold is None else options.threshold
    pattern = ring(detector, AlertRule(at, options.wait, options.cooldown))
    flagged = (pattern.hits + pattern.false_positives) / max(1, pattern.anomalous + pattern.normal)
    return [
        Result(detector.name, e.protocol, options.threshold, e.precision, e.recall, e.f1, flagged)
        for e in evaluate_pattern(pattern, protocols)
    ]


def _at(detector: Detector, point: BestPoint) -> Result:
    return Result(
        detector.name,
        point.protocol,
        point.threshold,
        point.precision,
        point.recall,
        point.f1,
        point.flagged,
    )


def _conditions(series: Series, options: argparse.Namespace) -> str:
    """Say under which conditions the scores hold, for every way to write them."""
    if options.held_out:
        how = {
            "segments": "thresholds chosen on other segments (held out)",
            "series": "thresholds chosen on other series (held out)",
            "first": "thresholds chosen on the first half, scores of the second (held out)",
        }[options.held_out]
    elif options.best:
        how = "best thresholds, tuned on these labels (oracle)"
    elif options.budget is not None:
        how = f"thresholds for at most {options.budget:g} false alarms a day"
    elif options.threshold is not None:
        how = "a given threshold"
    else:
        how = "detections as they are"
    if (options.wait, options.cooldown) != (1, 0):
        how += f", alert rule with wait {options.wait} and cool-down {options.cooldown}"
    ignored = series.size - series.counted
    rows = "1 row ignored" if ignored == 1 else f"{ignored:,} rows ignored"
    return f"{how}; {rows}" if ignored else how


@dataclass(frozen=True)
class _Told:
    """What is told beside the scores."""

    settings: Settings
    label: str
    file: str
    conditions: str

    @property
    def note(self) -> str:
        """The conditions and PAdf's convention, in one sentence."""
        first = self.conditions[0].upper() + self.conditions[1:]
        return f"{first}. PAdf precision as in the paper's {self.settings['precision']}."


def _as_json(results: list[Result], told: _Told) -> str:
    return json.dumps(
        {
            "file": told.file,
            "label": told.label,
            "conditions": told.conditions,
            **told.settings.to_dict(),
            "results": [
                {
                    "detector": r.detector,
                    "protocol": r.protocol.key,
                    "threshold": _finite(r.threshold),
                    "precision": r.precision,
                    "recall": r.recall,
                    "f1": r.f1,
                    "flagged": r.flagged,
                }
                for r in results
            ],
        },
        indent=2,
        allow_nan=False,
    )


def _finite(threshold: float | None) -> float | str | None:
    """Return a number that JSON has, or the name of one that it has not."""
    return str(threshold) if threshold is not None and isinf(threshold) else threshold


def _by_detector(results: list[Result], settings: Settings) -> list[list[Result]]:
    width = len(settings.protocols())
    return [results[start : start + width] for start in range(0, len(results), width)]


def _as_table(results: list[Result], told: _Told) -> str:
    protocols = told.settings.protocols()
    head = ["F1", *(protocol.label for protocol in protocols)]
    rows: list[list[str]] = []
    for own in _by_detector(results, told.settings):
        rows.append([own[0].detector, *(f"{result.f1:.3f}" for result in own)])
        if any(result.threshold is not None for result in own):
            rows.append(["  at threshold", *(repr(result.threshold) for result in own)])
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    lines = [
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])])
        for row in [head, *rows]
    ]
    return "\n".join([*lines, told.note])


def _as_csv(results: list[Result], told: _Told) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    head = ["detector", "protocol", "threshold", "precision", "recall", "f1"]
    writer.writerow([*head, "flagged", "conditions"])
    for r in results:
        threshold, flagged = ("" if x is None else repr(x) for x in (r.threshold, r.flagged))
        scores = map(repr, (r.precision, r.recall, r.f1))
        row = [r.detector, r.protocol.key, threshold, *scores, flagged, told.conditions]
        writer.writerow(row)
    return out.getvalue().rstrip("\n")


def _as_latex(results: list[Result], told: _Told) -> str:
    rows = [
        [own[0].detector, *(f"{r.f1:.3f}" for r in own)]
        for own in _by_detector(results, told.settings)
    ]
    heads = ["Detector", *(protocol.label for protocol in told.settings.protocols())]
    return latex_table(heads, [rows], f"F1. {told.note}", "tab:padf")


_WRITERS: dict[str, Callable[[list[Result], _Told], str]] = {
    "table": _as_table,
    "csv": _as_csv,
    "json": _as_json,
    "latex": _as_latex,
}
