"""The detection timing curve of ESA's ADTQC over the length of a segment."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import e
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
class ADTQCDecay(ShapedDecay):
    """D(x) = 1 / (1 + (x / (1 - x))^e) over the segment's length: ADTQC's late branch.

    Parameters
    ----------
    exponent : float
        The exponent e, above 0.

    Raises
    ------
    ValueError
        If the exponent is out of range.

    Examples
    --------
    >>> ADTQCDecay(2)(np.array([0, 0.5, 0.75, 1])).tolist()
    [1.0, 0.5, 0.1, 0.0]
    """

    shape: ClassVar[str] = "odds"
    title: ClassVar[str] = "ADTQC"
    about: ClassVar[str] = "ESA's detection timing curve: half of the credit in mid-segment."
    symbol: ClassVar[str] = "exponent"
    measures: ClassVar[tuple[Measure, ...]] = ("share",)

    exponent: float = e

    def __post_init__(self) -> None:
        value = check_number("exponent", self.exponent, lambda x: 0 < x <= 1e6, "above 0")
        object.__setattr__(self, "exponent", value)

    def __call__(self, delays: Delays) -> FloatArray:
        share = np.clip(np.asarray(delays, dtype=np.float64), 0.0, 1.0)
        with np.errstate(divide="ignore", over="ignore", under="ignore"):
            credit: FloatArray = 1 / (1 + np.power(share / (1 - share), self.exponent))
        return credit

    def label_in(self, measure: Measure) -> str:
        return f"exponent {self.exponent:.4g}"

    @property
    def half_life(self) -> float:
        return 0.5

    def formula_in(self, measure: Measure) -> str:
        letter = variable(measure)
        return f"D({letter}) = 1 / (1 + ({letter} / (1 - {letter}))^{self.exponent:.4g})"

    @classmethod
    def for_half_life(cls, delay: float) -> float:
        return e

    @classmethod
    def number_in(cls, measure: Measure) -> Number:
        return Number(
            key="decay",
            symbol="exponent",
            title="exponent",
            default=e,
            steps=tuple(step / 4 for step in range(1, 41)),
            limits=(0.01, 1000.0),
            rule="from 0.01 to 1,000",
            help=HELP,
            note=partial(note_of, cls, measure),
            summary="From a gentle slope to a deadline in mid-segment, as the exponent grows.",
        )
