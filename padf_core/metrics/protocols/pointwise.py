"""Point-wise: no adjustment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from padf_core.metrics.checks import FloatArray
from padf_core.metrics.protocols.base import KEEPS_DETECTIONS, Late, Look, Protocol, Tally
from padf_core.metrics.segments import SegmentChances, SegmentHits, SegmentScores

if TYPE_CHECKING:
    from padf_core.metrics.evaluation import Evaluation


@dataclass(frozen=True)
class Pointwise(Protocol):
    """No adjustment ("w/o" in the paper): each point's credit is its own detection.

    c_t = 1 if the point is detected, else 0.

    Examples
    --------
    >>> from padf_core import evaluate
    >>> evaluate([0, 1, 1, 0], [0, 0, 1, 0], Pointwise()).f1
    0.6666666666666666
    """

    key: ClassVar[str] = "pointwise"
    name: ClassVar[str] = "Point-wise"
    about: ClassVar[str] = "Every point is scored on its own: only flagged points count."
    latex: ClassVar[str] = r"c_t = \hat{y}_t"
    look: ClassVar[Look] = Look("#6B7280", "#9CA3AF", "dot")

    def credit(self, hits: SegmentHits) -> FloatArray:
        return np.full(hits.hits.shape, KEEPS_DETECTIONS)

    def gains(self, inside: SegmentScores) -> Tally:
        return Tally(np.ones(inside.scores.size))

    def expected(self, chances: SegmentChances) -> Tally:
        return Tally((1 - chances.normal).sum(axis=1))

    def expected_random(self, theta: FloatArray, length: int, step: float | None = None) -> Tally:
        return Tally(length * (1 - theta))

    def why(self, result: Evaluation, late: Late) -> str:
        return (
            f"Only points that are themselves flagged count: {result.pattern.hits} of "
            f"{result.anomalous} anomalous points."
        )
