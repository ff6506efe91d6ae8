"""The exponential decay, defined by its half-life."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
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
from padf_core.metrics.parameters import Number
from padf_core.metrics.timing import Measure


@dataclass(frozen=True)
class HalfLifeDecay(ShapedDecay):
    """D(k) = 2^(-k/h): half of the credit is lost with every half-life h.

    Parameters
    ----------
    half_life : float
        The half-life h, above 0.

    Raises
    ------
    ValueError
        If the half-life is not above 0.

    Examples
    --------
    >>> HalfLifeDecay(5)(np.array([0, 5, 10])).tolist()
    [1.0, 0.5, 0.25]
    >>> HalfLifeDecay(600).note_in("clock", 60)
    'credit halves every 10 min; d = 0.933 for a step of 1 min'
    """

    shape: ClassVar[str] = "half_life"
    title: ClassVar[str] = "Half-life"
    about: ClassVar[str] = "The same curve, set by the time after which half of the credit is gone."
    symbol: ClassVar[str] = "half-life"

    half_life: float = 6.6

    def __post_init__(self) -> None:
        value = check_number("half_life", self.half_life, lambda x: 0 < x < inf, "a number above 0")
        object.__setattr__(self, "half_life", value)

    def __call__(self, delays: Delays) -> FloatArray:
        with np.errstate(under="ignore", over="ignore"):
            return fading(2.0, -np.asarray(delays, dtype=np.float64) / self.half_life)

    @property
    def rate(self) -> float:
        """The rate d of the same exponential decay."""
        return float(np.exp2(-1 / self.half_life))

    def label_in(self, measure: Measure) -> str:
        return f"half-life {told_time(self.half_life, measure)}"

    def formula_in(self, measure: Measure) -> str:
        letter = variable(measure)
        return f"D({letter}) = 0.5^({letter}/{formula_number(self.half_life, measure)})"

    @classmethod
    def for_half_life(cls, delay: float) -> float:
        return delay

    @classmethod
    def number_in(cls, measure: Measure) -> Number:
        return time_number(cls, measure, 6.5, steps=tuple(step / 2 for step in range(1, 101)))
