"""Evaluate labels and detections under a protocol: counts, scores and credit per point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from padf_core.metrics.checks import (
    BoolArray,
    FloatArray,
    IntArray,
    check_binary,
    check_same_length,
    frozen,
)
from padf_core.metrics.counts import Amount, Counts, Measured
from padf_core.metrics.frames import Framed
from padf_core.metrics.onset import Onset
from padf_core.metrics.protocols import Protocol, check_protocol, check_protocols
from padf_core.metrics.rows import ALL, Rows, make_rows
from padf_core.metrics.segments import SegmentHits, Segments, count_hits, runs_of

AT_ONCE = 4_000_000
"""Maximum number of credits held in memory when a parameter takes many values."""


@dataclass(frozen=True)
class SegmentOutcome:
    """The outcome of one segment under one protocol.

    Attributes
    ----------
    start, stop : int
        The first row, and the row after the last.
    hits : int
        Number of detections inside.
    delay : int or None
        Steps from the start to the first hit; None if there is none.
    credit : float
        The mean credit of the segment's points.
    length : int
        Number of points.

    Examples
    --------
    >>> from padf_core import PointAdjustDecay
    >>> evaluate([0, 1, 1, 0], [0, 0, 1, 0], PointAdjustDecay()).segments[0].delay
    1
    """

    start: int
    stop: int
    hits: int
    delay: int | None
    """Points of the segment before the first detection; None if there is no detection."""
    credit: float
    """Mean credit of the segment's points."""
    length: int = field(default=0, repr=False, compare=False)
    """Number of points in the segment, without ignored rows."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "length", self.length or self.stop - self.start)


@dataclass(frozen=True, eq=False)
class Pattern:
    """Checked labels and detections, with the segments and their hits."""

    labels: BoolArray
    detections: BoolArray
    segments: Segments
    found: SegmentHits
    anomalous: int
    """Number of points with label 1."""
    hits: int
    """Number of detections inside segments."""
    false_positives: int
    """Number of detections outside segments, counted as points."""
    rows: Rows = ALL

    @cached_property
    def normal(self) -> int:
        """Number of points with label 0."""
        return int(np.count_nonzero(self.rows.only(~self.labels)))

    @cached_property
    def false_runs(self) -> int:
        """Number of runs of detections outside segments."""
        return len(runs_of(self.detections & ~self.labels, self.rows.begins))

    @cached_property
    def detected(self) -> int:
        """Number of segments with a hit."""
        return int(np.count_nonzero(self.found.detected))

    @cached_property
    def mean_delay(self) -> float:
        """Mean delay of the segments with a hit, in steps."""
        return float(self.found.delays[self.found.detected].mean()) if self.detected else 0.0

    def false_alarms(self, protocol: Protocol) -> int:
        """Return the number of false alarms as a protocol counts them."""
        return self.false_runs if protocol.false_alarms == "runs" else self.false_positives


def make_pattern(
    labels: npt.ArrayLike, detections: npt.ArrayLike, rows: Rows = ALL, onset: Onset | None = None
) -> Pattern:
    """Check both arrays, and find the segments and their hits, once for all protocols."""
    truth = check_binary("labels", labels)
    alarms = check_binary("detections", detections)
    check_same_length("labels", truth, "detections", alarms)
    truth, rows = rows.label(truth)
    if onset is not None:
        truth, rows = onset.move(truth, rows)[:2]
    return _pattern(frozen(truth), frozen(rows.alarms(alarms)), rows.segments(truth), rows)


def with_detections(pattern: Pattern, detections: BoolArray) -> Pattern:
    """Return the pattern with other detections, reusing its segments."""
    alarms = frozen(pattern.rows.alarms(detections))
    return _pattern(pattern.labels, alarms, pattern.segments, pattern.rows)


def _pattern(truth: BoolArray, alarms: BoolArray, segments: Segments, rows: Rows) -> Pattern:
    hit_positions = np.flatnonzero(truth & alarms)
    return Pattern(
        labels=truth,
        detections=alarms,
        segments=segments,
        found=count_hits(segments, hit_positions, rows.timing),
        anomalous=int(np.count_nonzero(truth)),
        hits=int(hit_positions.size),
        false_positives=int(np.count_nonzero(alarms)) - hit_positions.size,
        rows=rows,
    )


def _checked_pattern(
    labels: npt.ArrayLike,
    detections: npt.ArrayLike,
    ignore: npt.ArrayLike | None,
    series: npt.ArrayLike | None,
    times: npt.ArrayLike | None,
    onset: Onset | None,
) -> Pattern:
    truth = check_binary("labels", labels)
    return make_pattern(truth, detections, make_rows(truth.size, ignore, series, times), onset)


@dataclass(frozen=True, eq=False)
class Evaluation(Measured, Framed):
    """The result of one protocol on one pattern.

    F1 is 2PR / (P + R), with precision P = earned / claimed and recall R = found / wanted. A ratio
    with denominator 0 is 0.

    Attributes
    ----------
    protocol : Protocol
        The protocol of this result.
    precision, recall, f1 : float
        The scores.
    credit : ndarray
        The credit of each point; a false alarm has 1.
    segments : list of SegmentOutcome
        Hits, delay and credit of every segment.

    Examples
    --------
    >>> from padf_core import PointAdjust
    >>> e = evaluate([0, 1, 1, 0], [1, 0, 1, 0], PointAdjust())
    >>> e.precision, e.recall, round(e.fbeta(2.0), 3)
    (0.6666666666666666, 1.0, 0.909)
    """

    protocol: Protocol
    pattern: Pattern
    counts: Counts
    granted: FloatArray
    """The credit of each segment, or of each point; NaN keeps the detections."""

    @property
    def anomalous(self) -> int:
        """Number of points with label 1."""
        return self.pattern.anomalous

    @property
    def false_positives(self) -> int:
        """False alarms as the protocol counts them: points outside segments, or runs."""
        return self.pattern.false_alarms(self.protocol)

    @property
    def false_negatives(self) -> float:
        """The amount wanted but not found; under the paper's protocols, the credit not earned."""
        return self.wanted - self.found

    @cached_property
    def credit(self) -> FloatArray:
        """Credit of every point, the adjusted series; outside segments, the detection itself."""
        labels, detections = self.pattern.labels, self.pattern.detections
        picture = detections.astype(np.float64)
        granted = self.granted
        if self.protocol.grants == "segment":
            granted = np.repeat(granted, self.pattern.segments.lengths)
        picture[labels] = np.where(np.isnan(granted), detections[labels], granted)
        return frozen(picture)

    @cached_property
    def segment_credit(self) -> FloatArray:
        """Mean credit of each segment's points."""
        found = self.pattern.found
        sums = found.sums(self.granted, by_point=self.protocol.grants == "point")
        return frozen(sums / found.lengths)

    @cached_property
    def segments(self) -> tuple[SegmentOutcome, ...]:
        """One outcome per segment, in order of time."""
        found = self.pattern.found
        return tuple(
            SegmentOutcome(start, stop, hits, delay if delay >= 0 else None, credit, length)
            for (start, stop), hits, delay, credit, length in zip(
                self.pattern.segments,
                found.hits.tolist(),
                found.delays.tolist(),
                self.segment_credit.tolist(),
                found.lengths.tolist(),
                strict=True,
            )
        )

    def columns(self) -> Mapping[str, Any]:
        names = ("start", "stop", "hits", "delay", "credit")
        return {name: [getattr(each, name) for each in self.segments] for name in names}

    def __repr__(self) -> str:
        return (
            f"Evaluation({self.protocol.label}: f1={self.f1:.4g}, precision={self.precision:.4g}, "
            f"recall={self.recall:.4g})"
        )


def evaluate(
    labels: npt.ArrayLike,
    detections: npt.ArrayLike,
    protocol: Protocol,
    *,
    ignore: npt.ArrayLike | None = None,
    series: npt.ArrayLike | None = None,
    times: npt.ArrayLike | None = None,
    onset: Onset | None = None,
) -> Evaluation:
    """Score detections against labels under one protocol.

    Parameters
    ----------
    labels : array_like of 0 and 1
        The ground-truth labels, one entry per row.
    detections : array_like of 0 and 1
        The detections, one entry per row.
    protocol : Protocol
        For example ``PointAdjust()``.
    ignore : array_like of bool, optional
        Rows that are not scored. An ignored row inside a segment does not split it, and delays in
        steps do not count it.
    series : array_like, optional
        The name of each row's series. Segments never cross from one series into the next.
    times : array_like or float, optional
        The time of each row (seconds or datetime64), or the seconds of one step. Needed for
        delays on the clock.
    onset : Onset, optional
        Moves where segments begin.

    Returns
    -------
    Evaluation
        Precision, recall, F1, the credit of every point and the outcome of every segment.

    Raises
    ------
    ValueError
        If an argument is invalid. The message names the argument, the row and the value.

    Examples
    --------
    >>> from padf_core import PointAdjust, PointAdjustDecay
    >>> labels = [0, 0, 1, 1, 1, 1, 0]
    >>> alarms = [1, 0, 0, 1, 0, 0, 0]
    >>> evaluate(labels, alarms, PointAdjust())
    Evaluation(PA: f1=0.8889, precision=0.8, recall=1)
    >>> evaluate(labels, alarms, PointAdjustDecay()).credit.tolist()
    [1.0, 0.0, 0.9, 0.9, 0.9, 0.9, 0.0]
    >>> evaluate(labels, alarms, PointAdjust(), ignore=[1, 0, 0, 0, 0, 0, 0]).precision
    1.0
    """
    pattern = _checked_pattern(labels, detections, ignore, series, times, onset)
    return evaluate_pattern(pattern, [check_protocol(protocol)])[0]


def evaluate_all(
    labels: npt.ArrayLike,
    detections: npt.ArrayLike,
    protocols: Sequence[Protocol],
    *,
    ignore: npt.ArrayLike | None = None,
    series: npt.ArrayLike | None = None,
    times: npt.ArrayLike | None = None,
    onset: Onset | None = None,
) -> list[Evaluation]:
    """Score the same detections under several protocols, with one pass over the data.

    Parameters
    ----------
    labels : array_like of 0 and 1
        The ground-truth labels, one entry per row.
    detections : array_like of 0 and 1
        The detections, one entry per row.
    protocols : sequence of Protocol
        For example ``[Pointwise(), PointAdjust()]``.
    ignore : array_like of bool, optional
        Rows that are not scored. An ignored row inside a segment does not split it, and delays in
        steps do not count it.
    series : array_like, optional
        The name of each row's series. Segments never cross from one series into the next.
    times : array_like or float, optional
        The time of each row (seconds or datetime64), or the seconds of one step. Needed for
        delays on the clock.
    onset : Onset, optional
        Moves where segments begin.

    Returns
    -------
    list of Evaluation
        One result per protocol, in the same order.

    Raises
    ------
    ValueError
        If an argument is invalid. The message names the argument, the row and the value.

    Examples
    --------
    >>> from padf_core import PointAdjust, Pointwise
    >>> [e.f1 for e in evaluate_all([0, 1, 1, 0], [0, 0, 1, 0], [Pointwise(), PointAdjust()])]
    [0.6666666666666666, 1.0]
    """
    pattern = _checked_pattern(labels, detections, ignore, series, times, onset)
    return evaluate_pattern(pattern, check_protocols(protocols))


def evaluate_pattern(pattern: Pattern, protocols: Sequence[Protocol]) -> list[Evaluation]:
    """Score an existing pattern."""
    made = []
    for protocol in protocols:
        granted = protocol.credit(pattern.found)
        made.append(Evaluation(protocol, pattern, _counts(pattern, protocol, granted), granted))
    return made


def pattern_of(results: Sequence[Evaluation]) -> Pattern:
    """Return the pattern that the results of several protocols share."""
    return next(iter(results)).pattern


def evaluate_over(
    pattern: Pattern, steps: Sequence[Protocol], key: str, values: Sequence[float]
) -> list[Evaluation]:
    """Score a pattern at many values of a protocol's parameter, vectorized.

    ``steps`` are the protocols with those values, and ``key`` is the parameter's key.
    """
    if not steps:
        return []
    column = np.asarray(values, dtype=np.float64)[:, None]
    many = steps[0].with_column(key, column)
    points = pattern.anomalous if many.grants == "point" else len(pattern.segments)
    granted = np.broadcast_to(many.credit(pattern.found), (column.size, points))
    counts = _counts(pattern, many, granted)
    columns = (
        np.broadcast_to(amounts, column.size).tolist()
        for amounts in (counts.earned, counts.claimed, counts.wanted, counts.found)
    )
    scores = (
        np.broadcast_to(scores, column.size).tolist()
        for scores in (counts.precision, counts.recall, counts.fbeta())
    )
    made = []
    for step, row, earned, claimed, wanted, found, precision, recall, f1 in zip(
        steps, granted, *columns, *scores, strict=True
    ):
        apart = None if counts.apart is None else found
        here = Counts(earned, claimed, wanted, apart, counts.silent, counts.normal)
        result = Evaluation(step, pattern, here, row)
        vars(result).update(precision=precision, recall=recall, f1=f1)
        made.append(result)
    return made


def f1_over(
    pattern: Pattern, steps: Sequence[Protocol], key: str, values: Sequence[float]
) -> FloatArray:
    """Return F1 at many values of a protocol's parameter, with bounded memory."""
    if not steps:
        return np.empty(0)
    size = pattern.anomalous if steps[0].grants == "point" else len(pattern.segments)
    at_once = max(1, AT_ONCE // max(1, size))
    parts = []
    for first in range(0, len(values), at_once):
        column = np.asarray(values[first : first + at_once], dtype=np.float64)[:, None]
        many = steps[0].with_column(key, column)
        granted = np.broadcast_to(many.credit(pattern.found), (column.size, size))
        parts.append(np.broadcast_to(_counts(pattern, many, granted).fbeta(), column.size))
    return np.concatenate(parts)


def _counts(pattern: Pattern, protocol: Protocol, granted: FloatArray) -> Counts:
    wrong = pattern.false_alarms(protocol)
    return counts_of(
        protocol, pattern.found, granted, wrong, pattern.normal - pattern.false_positives,
        pattern.normal,
    )  # fmt: skip


def counts_of(
    protocol: Protocol,
    found: SegmentHits,
    granted: FloatArray,
    false_alarms: int,
    silent: int,
    normal: int,
) -> Counts:
    """Add up what a protocol counts in each segment; the last axis runs over segments.

    ``silent`` of the ``normal`` points are not flagged.
    """
    tally = protocol.tally(found, granted)
    earned = _sum(tally.earned)
    inside = earned if tally.claimed is None else _sum(tally.claimed)
    return Counts(
        earned,
        inside + false_alarms,
        _sum(protocol.wanted(found.lengths)),
        None if tally.found is None else _sum(tally.found),
        *((silent, normal) if protocol.corrects else ()),
    )


def _sum(amounts: FloatArray | IntArray) -> Amount:
    total = amounts.sum(axis=-1)
    return float(total) if np.ndim(total) == 0 else total
