"""PA: point adjustment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from padf_core.metrics.checks import FloatArray
from padf_core.metrics.probability import any_hit_probability, any_random_hit
from padf_core.metrics.protocols.base import Late, Look, Protocol, Tally, has_or_have
from padf_core.metrics.segments import SegmentChances, SegmentHits, SegmentScores

if TYPE_CHECKING:
    from padf_core.metrics.evaluation import Evaluation


@dataclass(frozen=True)
class PointAdjust(Protocol):
    """PA: one detection anywhere in a segment earns the whole segment.

    c_t = 1 at every point of a segment with at least one hit, else 0.

    Examples
    --------
    >>> from padf_core import evaluate
    >>> evaluate([0, 1, 1, 0], [0, 0, 1, 0], PointAdjust()).f1
    1.0
    """

    key: ClassVar[str] = "pa"
    name: ClassVar[str] = "PA"
    about: ClassVar[str] = (
        "Point adjustment: one alarm anywhere in a segment earns credit for all its points."
    )
    latex: ClassVar[str] = r"c_t = 1 \text{ if the segment has a hit, else } 0"
    look: ClassVar[Look] = Look("#B3366B", "#F08CB4", "dash")

    def credit(self, hits: SegmentHits) -> FloatArray:
        return hits.detected.astype(np.float64)

    def gains(self, inside: SegmentScores) -> Tally:
        return Tally(inside.detected_points)

    def expected(self, chances: SegmentChances) -> Tally:
        return Tally(chances.lengths * any_hit_probability(chances.normal))

    def expected_random(self, theta: FloatArray, length: int, step: float | None = None) -> Tally:
        return Tally(length * any_random_hit(theta, length))

    def why(self, result: Evaluation, late: Late) -> str:
        found, total = result.pattern.detected, len(result.pattern.segments)
        if total == 1:
            length = int(result.pattern.found.lengths[0])
            points = f"all {length} points count" if length > 1 else "its point counts"
            return f"One alarm inside the incident is enough: {points} as found."
        return (
            f"{has_or_have(found, total)} at least one alarm: all "
            f"{'its' if found == 1 else 'their'} points count as found."
        )
