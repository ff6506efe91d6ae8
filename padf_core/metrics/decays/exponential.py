"""The paper's decay: each step keeps the share d of the credit."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import inf, log
from typing import ClassVar

import numpy as np

from padf_core.metrics.checks import FloatArray, check_number
from padf_core.metrics.decays.base import (
    HELP,
    Delays,
    ShapedDecay,
    fading,
    note_of,
    rate_text,
    variable,
)
from padf_core.metrics.parameters import Number
from padf_core.metrics.timing import Measure


@dataclass(frozen=True)
class ExponentialDecay(ShapedDecay):
    """D(k) = d^k, the paper's decay.

    Parameters
    ----------
    rate : float
        The rate d, above 0 and at most 1: the share of the credit that each step keeps.

    Raises
    ------
    ValueError
        If the rate is out of range.

    Examples
    --------
    >>> ExponentialDecay(0.9)(np.array([0, 1, 6])).round(3).tolist()
    [1.0, 0.9, 0.531]
    >>> ExponentialDecay(0.5).half_life, ExponentialDecay(0.9).note(60)
    (1.0, 'credit halves every 6.6 min')
    """

    shape: ClassVar[str] = "exponential"
    title: ClassVar[str] = "Exponential"
    about: ClassVar[str] = "D(k) = dᵏ, as in the paper: each step keeps the share d."
    symbol: ClassVar[str] = "d"
    measures: ClassVar[tuple[Measure, ...]] = ("steps",)

    rate: float = 0.9

    def __post_init__(self) -> None:
        hint = f"; a rate of {self.rate} % is {self.rate / 100}" if _is_percent(self.rate) else ""
        rate = check_number("rate", self.rate, lambda x: 0 < x <= 1, "above 0 and at most 1", hint)
        object.__setattr__(self, "rate", rate)

    def __call__(self, delays: Delays) -> FloatArray:
        return fading(self.rate, np.asarray(delays, dtype=np.float64))

    def label_in(self, measure: Measure) -> str:
        return f"d = {self.rate:g}"

    @property
    def half_life(self) -> float:
        return log(0.5) / log(self.rate) if self.rate < 1 else inf

    def formula_in(self, measure: Measure) -> str:
        letter = variable(measure)
        return f"D({letter}) = {rate_text(self.rate)}^{letter}"

    @classmethod
    def for_half_life(cls, delay: float) -> float:
        return float(0.5 ** (1 / delay))

    @classmethod
    def number_in(cls, measure: Measure) -> Number:
        return Number(
            key="decay",
            symbol="d",
            title="decay rate d",
            default=0.9,
            steps=tuple(step / 100 for step in range(1, 101)),
            limits=(1e-12, 1.0),
            rule="above 0 and at most 1",
            help=HELP,
            note=partial(note_of, cls, measure),
            summary="From counting only prompt alarms, at small d, up to PA at d = 1.",
        )


def _is_percent(rate: object) -> bool:
    return isinstance(rate, (int, float)) and not isinstance(rate, bool) and 1 < rate <= 100
