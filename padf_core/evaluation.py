"""Labels and detections in, one protocol's counts, scores and picture out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from padf_core.checks import BoolArray, FloatArray, check_binary, check_same_length, frozen
from padf_core.measures import Measured
from padf_core.protocols import Protocol, check_protocol, check_protocols
from padf_core.segments import SegmentHits, Segments, count_hits, runs_of


@dataclass(frozen=True)
class SegmentOutcome:
    """What happened to one segment under one protocol."""

    start: int
    stop: int
    hits: int
    delay: int | None
    """Steps from the start to the first detection; None when there is none."""
    credit: float
    """Mean credit of the segment's points."""

    @property
    def length(self) -> int:
        """Points in the segment."""
        return self.stop - self.start


@dataclass(frozen=True, eq=False)
class Pattern:
    """Checked labels and detections, with the segments and the hits found in them."""

    labels: BoolArray
    detections: BoolArray
    segments: Segments
    found: SegmentHits
    anomalous: int
    false_positives: int


def make_pattern(labels: object, detections: object) -> Pattern:
    """Check both series and find the segments and their hits, once for all protocols."""
    truth = check_binary("labels", labels)
    alarms = check_binary("detections", detections)
    check_same_length("labels", truth, "detections", alarms)
    segments = runs_of(truth)
    hit_positions = np.flatnonzero(truth & alarms)
    return Pattern(
        labels=frozen(truth),
        detections=frozen(alarms),
        segments=segments,
        found=count_hits(segments, hit_positions),
        anomalous=int(np.count_nonzero(truth)),
        false_positives=int(np.count_nonzero(alarms)) - hit_positions.size,
    )


@dataclass(frozen=True, eq=False)
class Evaluation(Measured):
    """The result of one protocol on one pattern."""

    protocol: Protocol
    pattern: Pattern
    segment_credit: FloatArray
    """Mean credit of the points of each segment."""
    true_positives: float
    """Effective true positives: the sum of credit inside segments."""
    claimed: float
    """What precision divides by."""
    anomalous: int
    """Number of points with label 1."""

    @property
    def false_positives(self) -> int:
        """Detections outside segments."""
        return self.pattern.false_positives

    @property
    def false_negatives(self) -> float:
        """Credit that was not earned."""
        return self.anomalous - self.true_positives

    @cached_property
    def credit(self) -> FloatArray:
        """Credit of every point: the adjusted picture. Outside segments, the detection itself."""
        labels, detections = self.pattern.labels, self.pattern.detections
        picture = detections.astype(np.float64)
        granted = np.repeat(self.protocol.credit(self.pattern.found), self.pattern.segments.lengths)
        picture[labels] = np.where(np.isnan(granted), detections[labels], granted)
        return frozen(picture)

    @cached_property
    def segments(self) -> tuple[SegmentOutcome, ...]:
        """One outcome per segment, in order of time."""
        found = self.pattern.found
        return tuple(
            SegmentOutcome(start, stop, hits, delay if delay >= 0 else None, credit)
            for (start, stop), hits, delay, credit in zip(
                self.pattern.segments,
                found.hits.tolist(),
                found.delays.tolist(),
                self.segment_credit.tolist(),
                strict=True,
            )
        )

    def __repr__(self) -> str:
        return (
            f"Evaluation({self.protocol.label}: f1={self.f1:.4g}, precision={self.precision:.4g}, "
            f"recall={self.recall:.4g})"
        )


def evaluate(labels: object, detections: object, protocol: Protocol) -> Evaluation:
    """Score detections against labels under one protocol.

    >>> from padf_core import PointAdjust, PointAdjustDecay
    >>> labels = [0, 0, 1, 1, 1, 1, 0]
    >>> alarms = [1, 0, 0, 1, 0, 0, 0]
    >>> evaluate(labels, alarms, PointAdjust())
    Evaluation(PA: f1=0.8889, precision=0.8, recall=1)
    >>> evaluate(labels, alarms, PointAdjustDecay()).credit.tolist()
    [1.0, 0.0, 0.9, 0.9, 0.9, 0.9, 0.0]
    """
    return evaluate_pattern(make_pattern(labels, detections), [check_protocol(protocol)])[0]


def evaluate_all(
    labels: object, detections: object, protocols: Sequence[Protocol]
) -> list[Evaluation]:
    """Score the same detections under several protocols, reading the series only once."""
    return evaluate_pattern(make_pattern(labels, detections), check_protocols(protocols))


def evaluate_pattern(pattern: Pattern, protocols: Sequence[Protocol]) -> list[Evaluation]:
    """Score a pattern that has been made already."""
    return [_evaluate(pattern, protocol) for protocol in protocols]


def _evaluate(pattern: Pattern, protocol: Protocol) -> Evaluation:
    found = pattern.found
    credit = protocol.credit(found)
    keeps = np.isnan(credit)
    total = float(np.where(keeps, found.hits, credit * found.lengths).sum())
    covered = float(found.lengths[found.detected].sum())
    return Evaluation(
        protocol=protocol,
        pattern=pattern,
        segment_credit=frozen(np.where(keeps, found.hits / found.lengths, credit)),
        true_positives=total,
        claimed=(covered if protocol.counts_detected_points else total) + pattern.false_positives,
        anomalous=pattern.anomalous,
    )
