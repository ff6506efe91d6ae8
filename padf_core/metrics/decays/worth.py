"""The exponential decay, defined by what an alarm is still worth after a time."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log2
from typing import ClassVar

import numpy as np

from padf_core.metrics.checks import FloatArray, check_number
from padf_core.metrics.decays.base import (
    Delays,
    ShapedDecay,
    fading,
    formula_number,
    time_number,
    told_time,
    variable,
)
from padf_core.metrics.parameters import Number, Parameter
from padf_core.metrics.timing import Measure


@dataclass(frozen=True)
class WorthDecay(ShapedDecay):
    """D(t) = (percent / 100)^(t / after): what an alarm is still worth after a time.

    Parameters
    ----------
    after : float
        The time, in seconds.
    percent : float
        What an alarm is still worth then, above 0 and below 100.

    Raises
    ------
    ValueError
        If a number is out of range.

    Examples
    --------
    >>> WorthDecay(600, 30)(np.array([0, 600, 1200])).round(6).tolist()
    [1.0, 0.3, 0.09]
    """

    shape: ClassVar[str] = "worth"
    title: ClassVar[str] = "Still worth"
    about: ClassVar[str] = "The same curve, set by what an alarm is still worth after a given time."
    symbol: ClassVar[str] = "time"
    measures: ClassVar[tuple[Measure, ...]] = ("clock",)

    after: float = 600.0
    percent: float = 50.0

    def __post_init__(self) -> None:
        after = check_number("after", self.after, lambda x: 0 < x < inf, "a number above 0")
        percent = check_number(
            "percent", self.percent, lambda x: 0 < x < 100, "above 0 and below 100"
        )
        object.__setattr__(self, "after", after)
        object.__setattr__(self, "percent", percent)

    def __call__(self, delays: Delays) -> FloatArray:
        with np.errstate(under="ignore", over="ignore"):
            return fading(self.percent / 100, np.asarray(delays, dtype=np.float64) / self.after)

    @property
    def rate(self) -> float:
        """The credit after a delay of one second."""
        return float((self.percent / 100) ** (1 / self.after))

    def label_in(self, measure: Measure) -> str:
        return f"{self.percent:g} % after {told_time(self.after, measure)}"

    @property
    def half_life(self) -> float:
        return self.after / -log2(self.percent / 100)

    def formula_in(self, measure: Measure) -> str:
        letter = variable(measure)
        return (
            f"D({letter}) = {self.percent / 100:g}^({letter}/{formula_number(self.after, measure)})"
        )

    @classmethod
    def for_half_life(cls, delay: float) -> float:
        return delay

    @classmethod
    def number_in(cls, measure: Measure) -> Number:
        return time_number(cls, measure, 600.0)

    @classmethod
    def extras(cls) -> tuple[Parameter, ...]:
        return (
            Number(
                key="worth",
                symbol="worth",
                title="still worth then, in %",
                default=50.0,
                steps=tuple(float(step) for step in range(1, 100)),
                limits=(0.001, 99.999),
                rule="above 0 and below 100 %",
                help="what an alarm is still worth after the time, in percent",
                note=lambda value, seconds: f"{value:g} % are left then",
            ),
        )
