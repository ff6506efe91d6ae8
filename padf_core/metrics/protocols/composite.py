"""Composite F1: point precision with event recall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from padf_core.metrics.checks import FloatArray, IntArray
from padf_core.metrics.probability import any_hit_probability, any_random_hit
from padf_core.metrics.protocols.base import KEEPS_DETECTIONS, Late, Look, Protocol, Tally
from padf_core.metrics.segments import SegmentChances, SegmentHits, SegmentScores

if TYPE_CHECKING:
    from padf_core.metrics.evaluation import Evaluation


@dataclass(frozen=True)
class Composite(Protocol):
    """Composite F1 (Garg et al. 2021): precision over points, recall over segments.

    P = TP / (TP + FP) over points, R = segments with a hit / segments.

    Examples
    --------
    >>> from padf_core import evaluate
    >>> e = evaluate([0, 1, 1, 0], [1, 0, 1, 0], Composite())
    >>> e.precision, e.recall
    (0.5, 1.0)
    """

    key: ClassVar[str] = "composite"
    name: ClassVar[str] = "Composite"
    about: ClassVar[str] = (
        "Precision is the share of flagged points that are right; recall is the share of "
        "segments with an alarm."
    )
    latex: ClassVar[str] = (
        r"P = \frac{\text{hits}}{\text{hits} + FP}, \quad "
        r"R = \frac{\text{segments with a hit}}{\text{segments}}"
    )
    look: ClassVar[Look] = Look("#00795A", "#35C49A", "longdash")
    is_reference: ClassVar[bool] = True

    def credit(self, hits: SegmentHits) -> FloatArray:
        return np.full(hits.hits.shape, KEEPS_DETECTIONS)

    def tally(self, hits: SegmentHits, credit: FloatArray) -> Tally:
        return Tally(hits.sums(credit), found=hits.detected.astype(np.float64))

    def wanted(self, lengths: IntArray) -> FloatArray | IntArray:
        return np.ones(lengths.shape)

    def gains(self, inside: SegmentScores) -> Tally:
        return Tally(np.ones(inside.scores.size), found=inside.detected_segments)

    def expected(self, chances: SegmentChances) -> Tally:
        return Tally((1 - chances.normal).sum(axis=1), found=any_hit_probability(chances.normal))

    def expected_random(self, theta: FloatArray, length: int, step: float | None = None) -> Tally:
        return Tally(length * (1 - theta), found=any_random_hit(theta, length))

    def why(self, result: Evaluation, late: Late) -> str:
        found, total = result.pattern.detected, len(result.pattern.segments)
        return (
            f"Recall counts segments: {found} of {total} "
            f"{'has' if found == 1 else 'have'} an alarm. Precision counts points: "
            f"{result.pattern.hits} of {result.pattern.hits + result.pattern.false_positives} "
            "flagged points are hits."
        )
