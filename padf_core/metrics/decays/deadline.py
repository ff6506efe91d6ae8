"""Full credit up to a deadline, then none."""

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
from padf_core.metrics.timing import Measure, format_delay


@dataclass(frozen=True)
class DeadlineDecay(ShapedDecay):
    """D(k) = 1 while k <= limit, then 0: the "k-delay" rule of the AIOps challenge.

    Parameters
    ----------
    limit : float
        The last delay with full credit, at least 0.

    Raises
    ------
    ValueError
        If the limit is below 0.

    Examples
    --------
    >>> DeadlineDecay(3)(np.array([0, 3, 4])).tolist()
    [1.0, 1.0, 0.0]
    """

    shape: ClassVar[str] = "deadline"
    title: ClassVar[str] = "Deadline"
    about: ClassVar[str] = "Full credit up to the limit, then none: the k-delay rule of AIOps."
    symbol: ClassVar[str] = "deadline"
    drops: ClassVar[bool] = True

    limit: float = 7.0

    def __post_init__(self) -> None:
        value = check_number("limit", self.limit, lambda x: 0 <= x < inf, "a number of at least 0")
        object.__setattr__(self, "limit", value)

    def __call__(self, delays: Delays) -> FloatArray:
        return (np.asarray(delays) <= self.limit).astype(np.float64)

    def label_in(self, measure: Measure) -> str:
        return f"deadline {told_time(self.limit, measure)}"

    @property
    def half_life(self) -> float:
        return self.limit

    def formula_in(self, measure: Measure) -> str:
        letter = variable(measure)
        return f"D({letter}) = 1 for {letter} <= {formula_number(self.limit, measure)}, else 0"

    @classmethod
    def for_half_life(cls, delay: float) -> float:
        return delay

    @classmethod
    def number_in(cls, measure: Measure) -> Number:
        return time_number(cls, measure, 7.0, from_zero=True)

    def note_in(self, measure: Measure, step_seconds: float | None) -> str:
        return f"all gone after {format_delay(self.limit, measure, step_seconds)}"
