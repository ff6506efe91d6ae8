"""Event-wise F1: detected segments against runs of false alarms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from padf_core.metrics.checks import FloatArray, IntArray
from padf_core.metrics.probability import any_hit_probability, any_random_hit
from padf_core.metrics.protocols.base import Late, Look, Protocol, Tally
from padf_core.metrics.segments import SegmentChances, SegmentHits, SegmentScores

if TYPE_CHECKING:
    from padf_core.metrics.evaluation import Evaluation


@dataclass(frozen=True)
class EventWise(Protocol):
    """Event-wise F1: each segment counts once, and so does each run of false alarms.

    A run of false alarms is a maximal run of normal points with an alarm.
    """

    key: ClassVar[str] = "event_wise"
    name: ClassVar[str] = "Event-wise"
    about: ClassVar[str] = (
        "Every segment counts once, however long, and every run of false alarms once."
    )
    latex: ClassVar[str] = (
        r"P = \frac{\text{found}}{\text{found} + \text{runs of false alarms}}, \quad "
        r"R = \frac{\text{found}}{\text{segments}}"
    )
    look: ClassVar[Look] = Look("#8A6D00", "#E0C04A", "longdashdot")
    is_reference: ClassVar[bool] = True
    false_alarms: ClassVar[Literal["points", "runs"]] = "runs"

    def credit(self, hits: SegmentHits) -> FloatArray:
        return hits.detected.astype(np.float64)

    def tally(self, hits: SegmentHits, credit: FloatArray) -> Tally:
        return Tally(credit)

    def wanted(self, lengths: IntArray) -> FloatArray | IntArray:
        return np.ones(lengths.shape)

    def gains(self, inside: SegmentScores) -> Tally:
        return Tally(inside.detected_segments)

    def expected(self, chances: SegmentChances) -> Tally:
        return Tally(any_hit_probability(chances.normal))

    def expected_random(self, theta: FloatArray, length: int, step: float | None = None) -> Tally:
        return Tally(any_random_hit(theta, length))

    def why(self, result: Evaluation, late: Late) -> str:
        found, total = result.pattern.detected, len(result.pattern.segments)
        return (
            f"{found} of {total} {'segment is' if total == 1 else 'segments are'} found; each "
            "counts once, however long."
        )
