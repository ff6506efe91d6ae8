"""The base of all decays: what a decay is, and how its parameter is described and formatted."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import partial
from math import inf
from typing import Any, ClassVar, Self, cast

import numpy as np

from padf_core.metrics.checks import FloatArray, NumberArray
from padf_core.metrics.clock import format_duration
from padf_core.metrics.parameters import Number, Parameter, Value
from padf_core.metrics.timing import MEASURES, Measure, format_delay

Delays = NumberArray


DecayFunction = Callable[[Delays], FloatArray]


MIN_STEPS, MAX_STEPS = 0.01, 1_000_000.0
"""Limits of a time in steps."""


MIN_SECONDS, MAX_SECONDS = 1e-6, 1e10
"""Limits of a time on the clock in seconds: a microsecond to 300 years."""


LADDER: tuple[float, ...] = (
    *(1, 2, 3, 5, 7, 10, 15, 20, 30, 45),
    *(60 * m for m in (1, 1.5, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 40, 45, 50)),
    *(3600 * h for h in (1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 16, 18)),
    *(86400 * d for d in (1, 1.5, 2, 3, 4, 5, 6, 7, 10, 14, 21, 30)),
)
"""Slider values for times on the clock, in seconds."""


SMALLEST = float(np.finfo(np.float64).tiny)
"""Lower bound on credit; without it underflow would turn precision from 1 to 0."""


HELP = "the decay's parameter: d, or a time in steps, in seconds, or as a share"


class Decay(ABC):
    """A decay function: delays in, credit in [0, 1] out.

    The parameter may be a column of values. The result then has one row of credit per value.

    Attributes
    ----------
    label : str
        A short name for table heads.
    rate : float or None
        The credit of an exponential decay after a delay of 1.

    Examples
    --------
    >>> from padf_core import LinearDecay
    >>> LinearDecay(4).label
    'span 4'
    """

    @abstractmethod
    def __call__(self, delays: Delays) -> FloatArray:
        """Return the credit of a segment whose first detection comes after each delay."""

    @abstractmethod
    def label_in(self, measure: Measure) -> str:
        """Return a short name for table heads and lanes."""

    @property
    def label(self) -> str:
        """The label for delays in steps."""
        return self.label_in("steps")

    @property
    def rate(self) -> float | None:
        """The credit of an exponential decay after a delay of 1; None for other decays."""
        return None


class ShapedDecay(Decay):
    """A decay with a name and a parameter, for links, files and sliders."""

    shape: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]
    symbol: ClassVar[str]
    """The name of its parameter."""
    measures: ClassVar[tuple[Measure, ...]] = MEASURES
    """The measures of delay that it supports."""
    drops: ClassVar[bool] = False
    """Whether credit drops in one step instead of gradually."""

    @property
    @abstractmethod
    def half_life(self) -> float:
        """Delay until half of the credit is gone; infinite if that never happens."""

    @abstractmethod
    def formula_in(self, measure: Measure) -> str:
        """Return the function as a formula for a methods section."""

    @classmethod
    @abstractmethod
    def for_half_life(cls, delay: float) -> float:
        """Return the parameter with which half of the credit is gone after this delay."""

    @classmethod
    @abstractmethod
    def number_in(cls, measure: Measure) -> Number:
        """Describe the parameter for this measure of delay."""

    @classmethod
    def extras(cls) -> tuple[Parameter, ...]:
        """Describe further parameters."""
        return ()

    @classmethod
    def of(cls, values: Mapping[str, Value]) -> Self:
        """Return the decay with chosen parameters."""
        make: Any = cls
        made: Self = make(values["decay"], *(values[each.key] for each in cls.extras()))
        return made

    def note_in(self, measure: Measure, step_seconds: float | None) -> str:
        """Describe when half of the credit is gone."""
        if self.half_life == inf:
            return "never decays: this is PA"
        half = format_delay(self.half_life, measure, step_seconds)
        if self.rate is None:
            return f"half of the credit is gone after {half}"
        said = f"credit halves every {half}"
        if measure == "clock" and step_seconds:
            rate = d_text(self.rate**step_seconds)
            said += f"; {rate} for a step of {format_duration(step_seconds)}"
        return said

    def note(self, step_seconds: float | None) -> str:
        """Describe the same for delays in steps."""
        return self.note_in("steps", step_seconds)

    @property
    def formula(self) -> str:
        """The formula for delays in steps."""
        return self.formula_in("steps")


def number_field(decay: ShapedDecay) -> str:
    """Return the name of the field that holds the decay's parameter."""
    return fields(cast(Any, decay))[0].name


_STEPPED = tuple(float(step) for step in range(1, 101))
_SHARES = tuple(step / 100 for step in range(1, 101))


def time_number(
    kind: type[ShapedDecay],
    measure: Measure,
    default: float,
    share: float = 0.5,
    steps: tuple[float, ...] = _STEPPED,
    *,
    from_zero: bool = False,
) -> Number:
    """Describe a parameter that is a time: in steps, in seconds, or as a share of the segment.

    ``default`` and ``steps`` apply to steps, ``share`` is the default for shares.
    """
    described: dict[Measure, tuple[float, float, str, float, tuple[float, ...]]] = {
        "steps": (MIN_STEPS, MAX_STEPS, "steps", default, steps),
        "clock": (MIN_SECONDS, MAX_SECONDS, "seconds", 600.0, LADDER),
        "share": (1e-4, 100.0, "lengths of the segment", share, _SHARES),
    }
    low, high, unit, usual, ladder = described[measure]
    bounds = f"{low:g} to {high:,.0f} {unit}"
    return Number(
        key="decay",
        symbol=kind.symbol,
        title=f"{kind.symbol}, in {unit}",
        default=usual,
        steps=(0.0, *ladder) if from_zero else ladder,
        limits=(0.0 if from_zero else low, high),
        rule=f"0, or {bounds}" if from_zero else f"from {bounds}",
        help=HELP,
        note=partial(note_of, kind, measure),
        gaps=((0.0, low),) if from_zero else (),
        summary=f"From counting only prompt alarms up to PA, as the {kind.symbol} grows.",
    )


def note_of(
    kind: type[ShapedDecay], measure: Measure, value: float, step_seconds: float | None
) -> str:
    """Describe when half of the credit is gone with this parameter."""
    make: Any = kind
    made: ShapedDecay = make(value)
    return made.note_in(measure, step_seconds)


def told_time(value: float, measure: Measure) -> str:
    """Format a time for a label; steps have no unit."""
    return f"{value:g}" if measure == "steps" else format_delay(value, measure)


def variable(measure: Measure) -> str:
    """Return the symbol of a delay in formulas: k for steps, t for seconds, x for shares."""
    return {"steps": "k", "clock": "t", "share": "x"}[measure]


def formula_number(value: float, measure: Measure) -> str:
    """Format a time for a formula."""
    return f"{value:.6g}{' s' if measure == 'clock' else ''}"


def fading(base: float | FloatArray, exponents: FloatArray) -> FloatArray:
    """Return a power with a lower bound above 0."""
    with np.errstate(under="ignore", over="ignore"):
        faded: FloatArray = np.maximum(np.power(base, exponents), SMALLEST)
    return faded


def rate_text(rate: float) -> str:
    """Format a decay rate with four digits, or with four digits of 1 - d if it is close to 1.

    >>> rate_text(0.9), rate_text(0.93303299), rate_text(0.9998074789)
    ('0.9', '0.933', '0.9998075')
    """
    if not 0.99 < rate < 1:
        return f"{rate:.4g}"
    digits = 3 - int(np.floor(np.log10(1 - rate)))
    return f"{rate:.{digits}f}".rstrip("0")


def d_text(rate: float) -> str:
    """Format a decay rate as an equation; a rate that underflows to 0 is shown as a bound.

    >>> d_text(0.9), d_text(0.5**1800)
    ('d = 0.9', 'd < 1e-300')
    """
    return f"d = {rate_text(rate)}" if rate else "d < 1e-300"
