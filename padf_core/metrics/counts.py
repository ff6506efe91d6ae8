"""Four counts that add up over segments and series, and scores computed from them; 0/0 is 0.

Precision is earned / claimed, and recall is found / wanted. Under the paper's protocols, found
equals earned, and wanted is the number of anomalous points. A protocol may correct precision by the
false-alarm rate, which needs two more counts: normal points, and unflagged normal points. Each
count may be a number or an array.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import fsum
from typing import Any

import numpy as np
import numpy.typing as npt

from padf_core.metrics.checks import FloatArray, check_number

Amount = float | npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Counts:
    """The counts that precision and recall are computed from."""

    earned: Amount
    claimed: Amount
    wanted: Amount
    apart: Amount | None = None
    """The amount found, if it differs from the amount earned."""
    silent: Amount | None = None
    """Unflagged normal points, if precision is corrected by them."""
    normal: Amount | None = None
    """Normal points, if precision is corrected."""

    @property
    def found(self) -> Amount:
        """The numerator of recall."""
        return self.earned if self.apart is None else self.apart

    @property
    def precision(self) -> FloatArray:
        """Earned over claimed, times the share of unflagged normal points if corrected."""
        return _ratio(self._paid, self._asked)

    @property
    def recall(self) -> FloatArray:
        """Found over wanted."""
        return _ratio(self.found, self.wanted)

    @property
    def _paid(self) -> Amount:
        return self.earned if self.silent is None else self.earned * self._or_one(self.silent)

    @property
    def _asked(self) -> Amount:
        return self.claimed if self.normal is None else self.claimed * self._or_one(self.normal)

    def _or_one(self, points: Amount) -> Amount:
        """Return these points, or 1 if there are no normal points and so no false-alarm rate."""
        if isinstance(self.normal, (int, float)) and isinstance(points, (int, float)):
            return points if self.normal else 1
        return np.where(np.asarray(self.normal) > 0, points, 1)

    def fbeta(self, beta: float = 1.0) -> FloatArray:
        """Return F-beta, in a form without precision and recall that has fewer rounding errors.

        With P = e/c and R = f/w, (1 + b²) P R / (b² P + R) is (1 + b²) e f / (b² e w + f c). If f
        equals e, this is (1 + b²) e / (b² w + c).
        """
        beta = check_number("beta", beta, lambda x: 0 <= x <= 1e100, "a number of at least 0")
        weight = beta * beta
        if self.apart is None and self.silent is None:
            return _ratio((1 + weight) * self.earned, weight * self.wanted + self.claimed)
        return _ratio(
            (1 + weight) * self._paid * self.found,
            weight * self._paid * self.wanted + self.found * self._asked,
        )


def added(parts: Sequence[Counts]) -> Counts:
    """Add up the counts of parts; each sum is rounded once.

    >>> added([Counts(1.0, 2.0, 3.0), Counts(0.5, 1.0, 1.0)]).earned
    1.5
    """

    def total(name: str) -> float | None:
        known = [float(amount) for part in parts if (amount := getattr(part, name)) is not None]
        return fsum(known) if known else None

    return Counts(
        fsum(float(part.earned) for part in parts),
        fsum(float(part.claimed) for part in parts),
        fsum(float(part.wanted) for part in parts),
        *(total(name) for name in ("apart", "silent", "normal")),
    )


class Measured:
    """The scores computed from one set of counts."""

    counts: Counts

    @property
    def true_positives(self) -> float:
        """The amount earned; under the paper's protocols, the sum of credit inside segments."""
        return float(self.counts.earned)

    @property
    def claimed(self) -> float:
        """The denominator of precision."""
        return float(self.counts.claimed)

    @property
    def found(self) -> float:
        """The numerator of recall."""
        return float(self.counts.found)

    @property
    def wanted(self) -> float:
        """The denominator of recall."""
        return float(self.counts.wanted)

    @cached_property
    def precision(self) -> float:
        """Earned over claimed, with a correction if the protocol has one."""
        return float(self.counts.precision)

    @cached_property
    def recall(self) -> float:
        """Found over wanted."""
        return float(self.counts.recall)

    @cached_property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return self.fbeta(1.0)

    def fbeta(self, beta: float) -> float:
        """Return F-beta, where recall has ``beta`` times the weight of precision."""
        return float(self.counts.fbeta(beta))


def _ratio(part: Amount, whole: Amount) -> FloatArray:
    if isinstance(part, (int, float)) and isinstance(whole, (int, float)):
        return np.asarray(part / whole if whole > 0 else 0.0)
    parts, wholes = np.broadcast_arrays(np.asarray(part, dtype=np.float64), whole)
    result: FloatArray = np.zeros(parts.shape)
    np.divide(parts, wholes, out=result, where=wholes > 0)
    return result
