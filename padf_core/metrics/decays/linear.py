"""Credit that falls linearly."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import ClassVar

import numpy as np

from padf_core.metrics.checks import FloatArray, check_number
from padf_core.metrics.decays.base import (
    Delays,
    ShapedDecay,
    formula_number,
    time_number,
    told_time,
    variable,
)
from padf_core.metrics.parameters import Number
from padf_core.metrics.timing import Measure


@dataclass(frozen=True)
class LinearDecay(ShapedDecay):
    """D(k) = max(0, 1 - k/span): credit falls linearly.

    Parameters
    ----------
    span : float
        The delay from which no credit is left, above 0.

    Raises
    ------
    ValueError
        If the span is not above 0.

    Examples
    --------
    >>> LinearDecay(4)(np.array([0, 1, 4, 9])).tolist()
    [1.0, 0.75, 0.0, 0.0]
    """

    shape: ClassVar[str] = "linear"
    title: ClassVar[str] = "Linear"
    about: ClassVar[str] = "Credit falls linearly and is gone after the span."
    symbol: ClassVar[str] = "span"

    span: float = 10.0

    def __post_init__(self) -> None:
        value = check_number("span", self.span, lambda x: 0 < x < inf, "a number above 0")
        object.__setattr__(self, "span", value)

    def __call__(self, delays: Delays) -> FloatArray:
        with np.errstate(over="ignore"):
            return np.maximum(0.0, 1 - np.asarray(delays, dtype=np.float64) / self.span)

    def label_in(self, measure: Measure) -> str:
        return f"span {told_time(self.span, measure)}"

    @property
    def half_life(self) -> float:
        return self.span / 2

    def formula_in(self, measure: Measure) -> str:
        letter = variable(measure)
        return f"D({letter}) = max(0, 1 - {letter}/{formula_number(self.span, measure)})"

    @classmethod
    def for_half_life(cls, delay: float) -> float:
        return 2 * delay

    @classmethod
    def number_in(cls, measure: Measure) -> Number:
        return time_number(cls, measure, 13.0, 1.0)
