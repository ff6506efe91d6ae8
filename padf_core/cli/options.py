"""Options that the commands share: where segments begin, and protocols with their parameters."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, get_args

from padf_core.analysis.settings_file import settings_from_json
from padf_core.metrics.onset import EarlyAlarms, Onset
from padf_core.metrics.parameters import Choice, Parameter
from padf_core.metrics.protocols import PROTOCOLS
from padf_core.metrics.settings import Settings, every_parameter


def add_onset(rows: Any) -> None:
    """Add the options that move where segments begin."""
    rows.add_argument(
        "--shift",
        type=_amount,
        default=(0.0, "rows"),
        metavar="N",
        help="segments begin so many rows later than labelled (below 0: earlier), or 600s: so many "
        "seconds, or 50%%: that share of the segment; --shift=-5 for negative ones",
    )
    rows.add_argument(
        "--early",
        type=_amount,
        default=(0.0, "rows"),
        metavar="N",
        help="alarms up to so many rows (or 600s) before the onset are not false",
    )
    rows.add_argument(
        "--early-alarms",
        choices=get_args(EarlyAlarms),
        default="on_time",
        help="what such an alarm counts as: a hit at the onset, or nothing",
    )


def onset_of(options: argparse.Namespace) -> Onset:
    """Return where segments begin, as the call says."""
    return Onset(
        shift=options.shift[0],
        unit=options.shift[1],
        early=options.early[0],
        early_unit=options.early[1],
        early_alarms=options.early_alarms,
    )


def add_protocols(parser: argparse.ArgumentParser) -> None:
    """Add the options of all protocols' parameters, and which protocols are reported."""
    for parameter in every_parameter():
        _add_option(parser, parameter)
    references = [key for key, protocol in PROTOCOLS.items() if protocol.is_reference]
    parser.add_argument(
        "--lanes", nargs="+", choices=references, default=[], help="further protocols to report"
    )
    parser.add_argument(
        "--settings",
        metavar="FILE",
        help="take decay, K and conventions from a settings file of the app instead",
    )


def settings_of(options: argparse.Namespace) -> Settings:
    """Return the settings of the call, or those of its settings file."""
    if options.settings is None:
        given = {each.key: getattr(options, each.key) for each in every_parameter()}
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
