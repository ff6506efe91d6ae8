"""The `padf` command: score the detectors of a table under every protocol."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from math import isinf, isnan
from pathlib import Path
from typing import NoReturn

import numpy as np

from padf_core import __version__
from padf_core.analysis.settings_file import settings_from_json
from padf_core.data.tables import TableError, label_column, read_table, score_column
from padf_core.metrics.checks import BoolArray, NumberArray
from padf_core.metrics.evaluation import evaluate_all
from padf_core.metrics.parameters import Choice, Parameter
from padf_core.metrics.protocols import PROTOCOLS, Protocol
from padf_core.metrics.settings import Settings
from padf_core.metrics.sweep import best_f1


@dataclass(frozen=True)
class Result:
    """One detector under one protocol; ``threshold`` is None for given detections."""

    detector: str
    protocol: Protocol
    threshold: float | None
    precision: float
    recall: float
    f1: float


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def build_parser() -> argparse.ArgumentParser:
    """Return the command line's grammar."""
    parser = _Parser(
        prog="padf",
        description="Score time-series anomaly detectors under point-wise F1, PA, PA%%K and PAdf.",
    )
    parser.add_argument("--version", action="version", version=f"padf {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, parser_class=_Parser)
    score = commands.add_parser(
        "evaluate", help="a table of detectors by protocols, from a CSV or Parquet file"
    )
    score.add_argument("file", metavar="FILE", help="CSV (gzip allowed) or Parquet with a header")
    score.add_argument("--label", required=True, help="the column with the truth, 0 or 1")
    score.add_argument(
        "--detector",
        required=True,
        nargs="+",
        action="extend",
        metavar="NAME",
        help="columns with scores or 0/1 detections",
    )
    at = score.add_mutually_exclusive_group()
    at.add_argument(
        "--threshold",
        type=float,
        help="a score of at least this is a detection (--threshold=-1e-3 for negative ones)",
    )
    at.add_argument("--best", action="store_true", help="each protocol's own best threshold, exact")
    for parameter in Settings().parameters():
        _add_option(score, parameter)
    references = [key for key, protocol in PROTOCOLS.items() if protocol.is_reference]
    score.add_argument(
        "--lanes", nargs="+", choices=references, default=[], help="further protocols to report"
    )
    score.add_argument(
        "--settings",
        metavar="FILE",
        help="take decay, K and conventions from a settings file of the app instead",
    )
    score.add_argument("--json", action="store_true", help="print JSON instead of a table")
    return parser


def _add_option(parser: argparse.ArgumentParser, parameter: Parameter) -> None:
    """Add the option of a protocol's parameter."""
    name = f"--{parameter.key.replace('_', '-')}"
    text = parameter.help.replace("%", "%%")
    if isinstance(parameter, Choice) and parameter.is_flag:
        parser.add_argument(name, action="store_true", help=text)
        return
    help_text = f"{text} (default {parameter.to_text(parameter.default)})"
    if isinstance(parameter, Choice):
        words = [option.word for option in parameter.options]
        parser.add_argument(name, dest=parameter.key, choices=words, help=help_text)
    else:
        parser.add_argument(name, dest=parameter.key, type=float, help=help_text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    options = build_parser().parse_args(arguments)
    try:
        settings = _settings(options)
        protocols = settings.protocols()
        if options.threshold is not None and isnan(options.threshold):
            raise ValueError("--threshold must be a number; got nan")
        frame = read_table(options.file)
        labels = label_column(frame, options.label, options.file)
        results = [
            result
            for name in dict.fromkeys(options.detector)
            for result in _score(
                labels, name, score_column(frame, name, options.file), protocols, options
            )
        ]
    except ValueError as error:
        print(f"padf: {error}", file=sys.stderr)
        return 2
    write = _as_json if options.json else _as_table
    print(write(results, settings, options))
    return 0


def _settings(options: argparse.Namespace) -> Settings:
    """Return the settings of the call, or those of its settings file."""
    if options.settings is None:
        given = {each.key: getattr(options, each.key) for each in Settings().parameters()}
        return Settings(
            options.lanes, **{key: value for key, value in given.items() if value is not None}
        )
    try:
        settings = settings_from_json(Path(options.settings).read_bytes())
    except OSError:
        raise ValueError(f"{options.settings}: is not a file that can be opened") from None
    except ValueError as error:
        raise ValueError(f"{options.settings}: {error}") from None
    return settings


def _score(
    labels: BoolArray,
    name: str,
    scores: NumberArray,
    protocols: list[Protocol],
    options: argparse.Namespace,
) -> list[Result]:
    if options.best:
        return [
            Result(name, p.protocol, p.threshold, p.precision, p.recall, p.f1)
            for p in best_f1(labels, scores, protocols)
        ]
    if options.threshold is not None:
        detections = scores >= options.threshold
    elif np.isin(scores, (0, 1)).all():
        detections = scores == 1
    else:
        raise TableError(
            f"{options.file}: column {name!r} holds scores, not 0/1 detections: "
            "say --best or --threshold T"
        )
    return [
        Result(name, e.protocol, options.threshold, e.precision, e.recall, e.f1)
        for e in evaluate_all(labels, detections, protocols)
    ]


def _as_json(results: list[Result], settings: Settings, options: argparse.Namespace) -> str:
    return json.dumps(
        {
            "file": options.file,
            "label": options.label,
            **settings.to_dict(),
            "results": [
                {
                    "detector": r.detector,
                    "protocol": r.protocol.key,
                    "threshold": _finite(r.threshold),
                    "precision": r.precision,
                    "recall": r.recall,
                    "f1": r.f1,
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


def _as_table(results: list[Result], settings: Settings, options: argparse.Namespace) -> str:
    protocols = settings.protocols()
    head = ["F1", *(protocol.label for protocol in protocols)]
    rows: list[list[str]] = []
    for start in range(0, len(results), len(protocols)):
        of_detector = results[start : start + len(protocols)]
        rows.append([of_detector[0].detector, *(f"{result.f1:.3f}" for result in of_detector)])
        if options.best:
            rows.append(["  at threshold", *(repr(result.threshold) for result in of_detector)])
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    lines = [
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])])
        for row in [head, *rows]
    ]
    return "\n".join([*lines, f"PAdf precision as in the paper's {settings['precision']}."])


if __name__ == "__main__":
    sys.exit(main())
