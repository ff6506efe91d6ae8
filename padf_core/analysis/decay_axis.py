"""A decay's parameter as the axis of a search."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log

import numpy as np

from padf_core.metrics.checks import FloatArray
from padf_core.metrics.decays import (
    ADTQCDecay,
    DeadlineDecay,
    HalfLifeDecay,
    LinearDecay,
    ShapedDecay,
    SigmoidDecay,
    number_field,
)
from padf_core.metrics.protocols import PointAdjustDecay
from padf_core.metrics.protocols.base import with_field

CELLS = 160
"""Number of cells into which the search range is divided."""

NEVER = 1e9
"""A multiple of the longest delay that stands for "forever", where the search ends."""


@dataclass(frozen=True)
class Axis:
    """The parameter of a decay as it varies: the half-life, span, deadline or other number.

    Half-lives and spans are searched by their inverse, the rate of loss, so that "never" is 0.
    """

    kind: type[ShapedDecay]
    low: float
    high: float
    """The search range. If the parameter is a time, the range ends at "never"."""

    @property
    def is_exponential(self) -> bool:
        """Whether the parameter is a half-life."""
        return self.kind is HalfLifeDecay

    @property
    def is_loss(self) -> bool:
        """Whether the search runs over the rate of loss instead of the parameter itself."""
        return self.kind in (HalfLifeDecay, LinearDecay)

    @classmethod
    def of(cls, protocol: PointAdjustDecay, shortest: float, longest: float) -> Axis:
        """Return the axis for a protocol's decay.

        ``shortest`` and ``longest`` are the limits of all possible delays.
        """
        decay = protocol.decay
        if isinstance(decay, DeadlineDecay):
            return cls(DeadlineDecay, shortest / 2, 2 * longest)
        if isinstance(decay, (SigmoidDecay, ADTQCDecay)):
            steps = decay.number_in("share").steps
            return cls(type(decay), steps[0], steps[-1])
        kind = LinearDecay if isinstance(decay, LinearDecay) else HalfLifeDecay
        return cls(kind, shortest / 20, NEVER * longest)

    def worth(self, late: FloatArray, at: float) -> FloatArray:
        """Return the credit for these delays at a position of the search."""
        if self.is_exponential:
            with np.errstate(under="ignore"):
                return np.exp(-at * late)
        if self.kind is LinearDecay:
            return np.maximum(1 - at * late, 0.0)
        made = self.kind()
        return with_field(made, number_field(made), at)(late)

    def slope(self, late: FloatArray, at: float) -> FloatArray | None:
        """Return the derivative of `worth` by position, or None if it cannot be bounded."""
        if not self.is_loss:
            return None
        if self.kind is LinearDecay:
            return np.where(at * late < 1, -late, 0.0)
        with np.errstate(under="ignore"):
            return -late * np.exp(-at * late)

    @property
    def depth(self) -> int:
        """How often a range is halved at most; after 60 times its ends are the same number."""
        return 60 if self.is_loss else 12

    @property
    def is_straight(self) -> bool:
        """Whether the credit is linear over every cell."""
        return self.kind is LinearDecay

    def cells(self, delays: FloatArray) -> FloatArray:
        """Return the ends of the cells, increasing, in search positions.

        A linear decay has a kink where its span equals one of the ``delays``, so cells end there.
        """
        if not self.is_loss:
            return np.geomspace(self.low, self.high, CELLS + 1)
        first, last = self.place(self.high), self.place(self.low)
        ends = np.geomspace(first, last, CELLS)
        if self.is_straight:
            kinks = 1 / delays[delays > 0]
            ends = np.union1d(ends, kinks[(kinks > first) & (kinks < last)])
        return np.concatenate(([0.0], ends))

    def number(self, at: float) -> float:
        """Convert a search position to the decay's parameter."""
        if not self.is_loss:
            return at
        return self._unit / at if at else inf

    def place(self, number: float) -> float:
        """Convert the decay's parameter to a search position."""
        return self._unit / number if self.is_loss else number

    @property
    def _unit(self) -> float:
        return log(2) if self.is_exponential else 1.0
