"""NAB's sigmoid over the length of a segment."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import atanh, tanh
from typing import ClassVar

import numpy as np

from padf_core.metrics.checks import FloatArray, check_number
from padf_core.metrics.decays.base import (
    HELP,
    Delays,
    ShapedDecay,
    note_of,
    variable,
)
from padf_core.metrics.parameters import Number
from padf_core.metrics.timing import Measure


@dataclass(frozen=True)
class SigmoidDecay(ShapedDecay):
    """D(x) = tanh(s(1 - x)/2) / tanh(s/2) over the segment's length: NAB's curve at s = 5.

    NAB writes it as (2σ(s(1 - x)) - 1) / (2σ(s) - 1), where σ is the logistic function.

    Parameters
    ----------
    steepness : float
        The steepness s, above 0.

    Raises
    ------
    ValueError
        If the steepness is out of range.

    Examples
    --------
    >>> SigmoidDecay(5)(np.array([0, 0.5, 1])).round(3).tolist()
    [1.0, 0.86, 0.0]
    """

    shape: ClassVar[str] = "sigmoid"
    title: ClassVar[str] = "Sigmoid"
    about: ClassVar[str] = (
        "NAB's curve: credit stays high at first and is gone at the segment's end."
    )
    symbol: ClassVar[str] = "steepness"
    measures: ClassVar[tuple[Measure, ...]] = ("share",)

    steepness: float = 5.0

    def __post_init__(self) -> None:
        value = check_number("steepness", self.steepness, lambda x: 0 < x <= 1e6, "above 0")
        object.__setattr__(self, "steepness", value)

    def __call__(self, delays: Delays) -> FloatArray:
        left = np.maximum(1 - np.asarray(delays, dtype=np.float64), 0.0)
        credit: FloatArray = np.tanh(self.steepness * left / 2) / np.tanh(self.steepness / 2)
        return credit

    def label_in(self, measure: Measure) -> str:
        return f"steepness {self.steepness:g}"

    @property
    def half_life(self) -> float:
        return 1 - 2 * atanh(tanh(self.steepness / 2) / 2) / self.steepness

    def formula_in(self, measure: Measure) -> str:
        letter = variable(measure)
        half = f"{self.steepness / 2:g}"
        return f"D({letter}) = tanh({half} (1 - {letter})) / tanh({half})"

    @classmethod
    def for_half_life(cls, delay: float) -> float:
        return 5.0

    @classmethod
    def number_in(cls, measure: Measure) -> Number:
        return Number(
            key="decay",
            symbol="steepness",
            title="steepness",
            default=5.0,
            steps=tuple(step / 4 for step in range(1, 81)),
            limits=(0.01, 1000.0),
            rule="from 0.01 to 1,000",
            help=HELP,
            note=partial(note_of, cls, measure),
            summary="From an even decline over the segment up to PA, as the steepness grows.",
        )
