"""Data of the race chart: which detector wins at which parameter of the decay."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import numpy as np

from padf_core.analysis.significance import SHIFT_NULL
from padf_core.metrics.checks import FloatArray
from padf_core.metrics.clock import format_duration
from padf_core.metrics.decays import d_text
from padf_ui.components.lanes import all_thousandths, pack, thousandths
from padf_ui.decay.decay_results import Decided
from padf_ui.web.palette import DASHES, detector_colour, detector_line
from padf_ui.wire.need import RaceBand, RaceData, RaceFlip, RaceLine

_TICKS: tuple[float, ...] = (
    *(1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1.0, 10.0, 60.0, 600.0),
    *(3600.0, 6 * 3600.0, *(86400.0 * 10**power for power in range(8))),
)
_MORE_TICKS: tuple[float, ...] = (
    *(2.0, 5.0, 30.0, 120.0, 300.0, 1800.0, 7200.0, 43200.0),
    *(86400.0 * days for days in (2, 5, 20, 50)),
)
SHORT_AXIS = 3000.0
"""Ratio of the ends of an axis below which it has room for more labels."""


def number_text(made: Decided, number: float) -> str:
    """Format a parameter of the decay, with its d if it has one."""
    if number == inf:
        return "never"
    rate = made.rate(number)
    said = format_duration(number)
    return said if rate is None else f"{said} ({d_text(rate)})"


def band_text(made: Decided) -> str:
    """Format the range in which the ranking is the same as at the need.

    The range ends just before a sudden drop.
    """
    axis, band = made.race.axis, made.band
    before = "just below " if axis.kind.drops and band.stop < axis.high else ""
    return f"from {number_text(made, band.start)} to {before}{number_text(made, band.stop)}"


def race_rows(
    made: Decided,
    names: Sequence[str],
    f1: Sequence[float],
    *,
    file: str,
    session: str,
    answered: int,
) -> RaceData:
    """Return the data of the race chart for every parameter value that is drawn."""
    field = made.field
    first, last = float(field.numbers[0]), float(field.numbers[-1])
    low, high = field.random.band()
    return {
        "session": session,
        "answered": answered,
        "title": f"{made.symbol} (logarithmic)",
        "numbers": field.numbers.tolist(),
        "texts": pack(
            [f"{made.symbol} {number_text(made, each)}" for each in field.numbers.tolist()]
        ),
        "at": made.here,
        "here": f"{made.symbol} {number_text(made, made.here)}",
        "lines": [_line(made, index, name, f1[index]) for index, name in enumerate(names)],
        "random": {
            "low": _whole(low),
            "high": _whole(high),
            "mean": _whole(field.random.mean),
            "here": thousandths(float(made.random_f1.mean())),
        },
        "bands": _bands(made, first, last),
        "flips": _flips(made, names, first, last),
        "ticks": [{"at": at, "name": format_duration(at)} for at in _ticks(first, last)],
        "note": f"p: null hypothesis that {SHIFT_NULL}.",
        "file": file,
    }


def _ticks(first: float, last: float) -> list[float]:
    """Return the labelled values of the axis."""
    known = (*_TICKS, *_MORE_TICKS) if last < SHORT_AXIS * first else _TICKS
    return sorted(at for at in known if first <= at <= last)


def _whole(scores: FloatArray) -> list[int]:
    made: list[int] = np.rint(1000 * scores).astype(np.int64).tolist()
    return made


def _line(made: Decided, index: int, name: str, here: float) -> RaceLine:
    return {
        "name": name,
        "colours": [detector_colour(index, "light"), detector_colour(index, "dark")],
        "dash": DASHES[detector_line(index, "light")["dash"]],
        "f1": all_thousandths(made.field.curves[index]),
        "here": thousandths(here),
        "against": made.against(index, here).text,
    }


def _bands(made: Decided, first: float, last: float) -> list[RaceBand]:
    return [
        {
            "start": max(band.start, first),
            "stop": min(band.stop, last),
            "ranking": list(band.ranking),
        }
        for band in made.race.bands
        if band.start < last and band.stop > first
    ]


def _flips(made: Decided, names: Sequence[str], first: float, last: float) -> list[RaceFlip]:
    return [
        {
            "at": flip.at,
            "f1": thousandths(made.race.forms[flip.above].best_at(made.race.axis, flip.at)),
            "text": f"{made.symbol} {number_text(made, flip.at)}: "
            f"{names[flip.above]} passes {names[flip.below]}",
        }
        for flip in made.race.flips
        if first <= flip.at <= last
    ]
