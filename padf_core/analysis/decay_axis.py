"""The number of a decay as an axis, along which worth moves."""

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
"""How many ranges of the decay's number are looked at one by one."""

NEVER = 1e9
"""The number that stands for forever, which is where the search ends."""


@dataclass(frozen=True)
class Axis:
    """The number of a decay as it moves: the half-life, or the number of any other shape.

    Half-lives and spans are searched by how fast credit is lost, so that "never" is 0.
    """

    kind: type[ShapedDecay]
    low: float
    high: float
    """The range that is searched; where the number is a time, it ends at "never"."""

    @property
    def is_exponential(self) -> bool:
        """Whether the number is a half-life."""
        return self.kind is HalfLifeDecay

    @property
    def is_loss(self) -> bool:
        """Whether the search goes by the loss and not by the number itself."""
        return self.kind in (HalfLifeDecay, LinearDecay)

    @classmethod
    def of(cls, protocol: PointAdjustDecay, shortest: float, longest: float) -> Axis:
        """Return the axis of a protocol's decay.

        ``shortest`` and ``longest`` are the shortest and the longest delay that there can be.
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
        """Return what hits so late are worth where the search is."""
        if self.is_exponential:
            with np.errstate(under="ignore"):
                return np.exp(-at * late)
        if self.kind is LinearDecay:
            return np.maximum(1 - at * late, 0.0)
        made = self.kind()
        return with_field(made, number_field(made), at)(late)

    def slope(self, late: FloatArray, at: float) -> FloatArray | None:
        """Return how fast that changes, where it does so steadily too."""
        if not self.is_loss:
            return None
        if self.kind is LinearDecay:
            return np.where(at * late < 1, -late, 0.0)
        with np.errstate(under="ignore"):
            return -late * np.exp(-at * late)

    @property
    def depth(self) -> int:
        """How often a range is halved at most; after that its ends are one number."""
        return 60 if self.is_loss else 12

    @property
    def is_straight(self) -> bool:
        """Whether worth is a straight line over every range that is looked at."""
        return self.kind is LinearDecay

    def cells(self, delays: FloatArray) -> FloatArray:
        """Return the ends of the ranges that are looked at, rising, as they are searched.

        A linear decay has a kink where its span is one of the ``delays``; ranges end there.
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
        """Return the decay's number for a place in the search."""
        if not self.is_loss:
            return at
        return self._unit / at if at else inf

    def place(self, number: float) -> float:
        """Return the place in the search for the decay's number."""
        return self._unit / number if self.is_loss else number

    @property
    def _unit(self) -> float:
        return log(2) if self.is_exponential else 1.0
