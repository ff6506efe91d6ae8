"""Options shared by the commands: columns, rows, onsets, and protocols with their parameters."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, get_args

from padf_core.analysis.settings_file import settings_from_json
from padf_core.corpus.rules import ABOUT
from padf_core.io.options import MOST_PROBATION, Missing, Order, ReadOptions
from padf_core.io.timestamps import parse_moment
from padf_core.metrics.onset import EarlyAlarms, Onset
from padf_core.metrics.parameters import Choice, Parameter
from padf_core.metrics.protocols import PROTOCOLS
from padf_core.metrics.settings import Settings, every_parameter


class Renamed(argparse.Action):
    """An option under its old name; it still works and prints the new name."""

    def __init__(
        self,
        option_strings: Sequence[str],
        dest: str,
        new: str,
        convert: Callable[[Any], Any] | None = None,
        **options: Any,
    ) -> None:
        options |= {"help": argparse.SUPPRESS, "default": argparse.SUPPRESS}
        super().__init__(option_strings, dest, **options)
        self._new = new
        self._convert = convert

    def __call__(
        self, parser: Any, namespace: argparse.Namespace, values: Any, name: str | None = None
    ) -> None:
        """Store the value under the new name."""
        print(f"padf: {name} is now {self._new}", file=sys.stderr)
        setattr(namespace, self.dest, self._convert(values) if self._convert else values)


def add_rule(parser: argparse.ArgumentParser) -> None:
    """Add the option for how thresholds are chosen."""
    rules = "; ".join(f"{name}: {about}" for name, about in ABOUT.items() if name != "given")
    parser.add_argument(
        "--threshold",
        metavar="RULE",
        help=f"{rules} (budget:N); or {ABOUT['given']} (--threshold=-1e-3 for negative ones). The "
        "default is others, or best with one series",
    )


def add_reading(parser: argparse.ArgumentParser) -> None:
    """Add the options for the roles of columns and the use of rows."""
    columns = parser.add_argument_group("columns (by default detected, and printed)")
    columns.add_argument("--label", metavar="NAME", help="the column with the labels")
    columns.add_argument(
        "--detector",
        nargs="+",
        action="extend",
        default=[],
        metavar="NAME",
        help="a column with scores or 0/1 detections",
    )
    columns.add_argument("--time", metavar="NAME", help="the column with timestamps")
    columns.add_argument("--ignore", metavar="NAME", help="the column with 1 in rows to ignore")
    columns.add_argument("--anomaly", metavar="WORD", help="the label that means an anomaly")
    for name, what in (
        ("series", "series"),
        ("detector", "detector, in a table with one row per point and detector"),
        ("seed", "seed, in such a table"),
    ):
        columns.add_argument(
            f"--{name}-column", metavar="NAME", help=f"the column with each row's {what}"
        )
    columns.add_argument("--score", dest="detector", nargs=1, action=Renamed, new="--detector")
    rows = parser.add_argument_group("rows")
    rows.add_argument("--only", metavar="SERIES", help="read only this series")
    rows.add_argument(
        "--skip",
        type=float,
        metavar="N",
        help=(
            "ignore the first N rows of each series; below 1, the first share of them (default: "
            "the training rows in the file's name, as in _tr_1007_)"
        ),
    )
    rows.add_argument(
        "--probation",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="also ignore this first share of each series",
    )
    rows.add_argument(
        "--probation-most",
        type=int,
        default=MOST_PROBATION,
        metavar="N",
        help=f"the maximum number of probation rows (default {MOST_PROBATION})",
    )
    rows.add_argument(
        "--most", dest="probation_most", type=int, action=Renamed, new="--probation-most"
    )
    rows.add_argument("--since", metavar="TIME", help="ignore rows before this time")
    rows.add_argument(
        "--train",
        type=float,
        default=0.0,
        metavar="N",
        help="the first N rows, or below 1 their share, on which --threshold train chooses",
    )
    rows.add_argument(
        "--low",
        nargs="+",
        action="extend",
        default=[],
        metavar="NAME",
        help="a detector whose low scores mean an anomaly",
    )
    rows.add_argument(
        "--missing",
        choices=get_args(Missing),
        default="refuse",
        help=(
            "missing scores: refuse the file (default), treat them as no alarm (quiet), ignore "
            "these rows for all detectors (ignore), or leave out detectors with missing scores "
            "(drop)"
        ),
    )
    rows.add_argument(
        "--gaps", dest="missing", choices=get_args(Missing), action=Renamed, new="--missing"
    )
    rows.add_argument(
        "--order",
        choices=get_args(Order),
        default="refuse",
        help="out-of-order timestamps: refuse the file (default), keep the file's order, sort the "
        "rows, or sort them and keep the first row of each time",
    )
    onsets = parser.add_argument_group("where segments begin")
    onsets.add_argument(
        "--shift",
        type=_amount,
        default=(0.0, "rows"),
        metavar="N",
        help=(
            "segments begin N rows later than labelled (negative: earlier); also 600s for "
            "seconds or 50%% for a share of the segment. Write negative values as --shift=-5"
        ),
    )
    onsets.add_argument(
        "--early",
        type=_amount,
        default=(0.0, "rows"),
        metavar="N",
        help="alarms up to N rows (or 600s) before the onset are not false alarms",
    )
    onsets.add_argument(
        "--early-alarms",
        choices=get_args(EarlyAlarms),
        default="on_time",
        help="whether such an alarm counts as a hit at the onset, or is ignored",
    )
    onsets.add_argument(
        "--onsets",
        metavar="FILE",
        help=(
            "segments begin at the moments in this file: NAB's combined_labels.json, or a list "
            "of times or rows, as JSON or one per line"
        ),
    )


def read_options(options: argparse.Namespace) -> ReadOptions:
    """Return the command-line options for reading files as `ReadOptions`."""
    onset = Onset(
        shift=options.shift[0],
        unit=options.shift[1],
        early=options.early[0],
        early_unit=options.early[1],
        early_alarms=options.early_alarms,
    )
    if options.onsets is not None and onset.shift:
        raise ValueError("--onsets and --shift both set where segments begin; use only one of them")
    return ReadOptions(
        label=options.label or "",
        detectors=tuple(dict.fromkeys(options.detector)),
        time=options.time,
        series=options.series_column,
        ignore=options.ignore,
        anomaly=options.anomaly,
        only=options.only,
        detector=options.detector_column,
        seed=options.seed_column,
        skip=options.skip,
        probation=options.probation,
        probation_most=options.probation_most,
        train=options.train,
        since=None if options.since is None else parse_moment(options.since),
        low=tuple(options.low),
        missing=options.missing,
        order=options.order,
        onset=onset if onset.is_moved else None,
    )


def add_protocols(parser: argparse.ArgumentParser) -> None:
    """Add an option for each protocol parameter, and one for the protocols to report."""
    for parameter in every_parameter():
        _add_option(parser, parameter)
    references = [key for key, protocol in PROTOCOLS.items() if protocol.is_reference]
    parser.add_argument(
        "--lanes",
        nargs="+",
        choices=references,
        default=[],
        help=("additional protocols to report"),
    )
    parser.add_argument(
        "--settings",
        metavar="FILE",
        help="take decay, K and conventions from a settings file saved by the app",
    )


def settings_of(options: argparse.Namespace) -> Settings:
    """Return the settings from the command line, or from the settings file."""
    if options.settings is None:
        given = {each.key: getattr(options, each.key) for each in every_parameter()}
        return Settings(
            options.lanes, **{key: value for key, value in given.items() if value is not None}
        )
    try:
        settings = settings_from_json(Path(options.settings).read_bytes())
    except OSError:
        raise ValueError(f"{options.settings}: cannot be opened as a file") from None
    except ValueError as error:
        raise ValueError(f"{options.settings}: {error}") from None
    return settings


def _amount(text: str) -> tuple[float, str]:
    """Read a number of rows, seconds ("600s") or a share of the segment ("50%")."""
    unit, size = {"s": ("seconds", 1.0), "%": ("share", 100.0)}.get(text[-1:], ("rows", 1.0))
    number = text if unit == "rows" else text[:-1]
    try:
        return float(number) / size, unit
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"must be a number of rows, 600s or 50%; got {text!r}"
        ) from None


def _add_option(parser: argparse.ArgumentParser, parameter: Parameter) -> None:
    """Add the option for a protocol's parameter."""
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
