"""Precision, recall and F-beta from counts, for one number or whole arrays; 0/0 is 0.

`claimed` is what precision divides by: the credit plus the false alarms, or, under the "equations"
convention of PAdf, all points of detected segments plus the false alarms.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from padf_core.checks import FloatArray, check_number

Counts = float | npt.NDArray[Any]


def precision_of(credit: Counts, claimed: Counts) -> FloatArray:
    """Return credit / claimed."""
    return _ratio(credit, claimed)


def recall_of(credit: Counts, anomalous: Counts) -> FloatArray:
    """Return credit / anomalous points."""
    return _ratio(credit, anomalous)


def fbeta_of(credit: Counts, claimed: Counts, anomalous: Counts, beta: float = 1.0) -> FloatArray:
    """Return F-beta, in the form without precision and recall that has one rounding less.

    (1 + b²) P R / (b² P + R) with P = credit/claimed, R = credit/anomalous is
    (1 + b²) credit / (b² anomalous + claimed).
    """
    beta = check_number("beta", beta, lambda x: 0 <= x <= 1e100, "a number of at least 0")
    weight = beta * beta
    return _ratio((1 + weight) * credit, weight * anomalous + claimed)


class Measured:
    """The scores of one set of counts."""

    true_positives: float
    claimed: float
    anomalous: int

    @cached_property
    def precision(self) -> float:
        """Credit divided by what was claimed."""
        return float(precision_of(self.true_positives, self.claimed))

    @cached_property
    def recall(self) -> float:
        """Credit divided by the number of anomalous points."""
        return float(recall_of(self.true_positives, self.anomalous))

    @cached_property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return self.fbeta(1.0)

    def fbeta(self, beta: float) -> float:
        """Return F-beta: recall counts ``beta`` times as much as precision."""
        return float(fbeta_of(self.true_positives, self.claimed, self.anomalous, beta))


def _ratio(part: Counts, whole: Counts) -> FloatArray:
    if isinstance(part, (int, float)) and isinstance(whole, (int, float)):
        return np.asarray(part / whole if whole > 0 else 0.0)
    parts, wholes = np.broadcast_arrays(np.asarray(part, dtype=np.float64), whole)
    result: FloatArray = np.zeros(parts.shape)
    np.divide(parts, wholes, out=result, where=wholes > 0)
    return result
