"""Segments of labels, and a detector's hits and scores inside them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from padf_core.metrics.checks import (
    BoolArray,
    FloatArray,
    IntArray,
    NumberArray,
    check_binary,
    frozen,
)
from padf_core.metrics.timing import NO_CLOCK, Measure, Timing, late


class Segment(NamedTuple):
    """A maximal run of label 1, half-open: ``start`` is included, ``stop`` is not.

    Attributes
    ----------
    start, stop : int
        The first row, and the row after the last.

    Examples
    --------
    >>> list(find_segments([0, 1, 1]))[0].stop
    3
    """

    start: int
    stop: int


@dataclass(frozen=True, eq=False)
class Segments:
    """All segments of a label series, in order of time.

    Parameters
    ----------
    starts, stops : ndarray
        The first row of each segment, and the row after its last.
    points : ndarray, optional
        The rows of all points, if ignored rows lie inside segments.

    Examples
    --------
    >>> find_segments([0, 1, 1, 0, 1]).starts.tolist()
    [1, 4]
    """

    starts: IntArray
    stops: IntArray
    points: IntArray | None = None
    """The rows of all points in segments, if some segment has ignored rows inside."""

    @cached_property
    def lengths(self) -> IntArray:
        """Number of points in each segment."""
        if self.points is None:
            return frozen(self.stops - self.starts)
        first, last = np.searchsorted(self.points, (self.starts, self.stops))
        return frozen(last - first)

    @cached_property
    def offsets(self) -> IntArray:
        """Where each segment begins among the points of all segments."""
        return frozen(np.cumsum(self.lengths) - self.lengths)

    def rows_of(self, chosen: IntArray) -> IntArray:
        """Return the rows of the points of some segments, one segment after another.

        >>> Segments(np.array([1, 5]), np.array([3, 6])).rows_of(np.array([1, 0])).tolist()
        [5, 1, 2]
        """
        lengths = self.lengths[chosen]
        step = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        if self.points is None:
            return np.repeat(self.starts[chosen], lengths) + step
        found: IntArray = self.points[np.repeat(self.offsets[chosen], lengths) + step]
        return found

    def row_at(self, segment: int, delay: int) -> int:
        """Return the row of the point with ``delay`` points before it in a segment."""
        if self.points is None:
            return int(self.starts[segment]) + delay
        return int(self.points[self.offsets[segment] + delay])

    def on_clock(self, timing: Timing) -> tuple[IntArray, Timing]:
        """Return starts and a timing in which a delay of k points is a delay of k rows.

        They refer to all rows, or only to the points if ignored rows lie between them.
        """
        if self.points is None:
            return self.starts, timing
        return self.offsets, timing.at(self.points)

    def __len__(self) -> int:
        return int(self.starts.size)

    def __iter__(self) -> Iterator[Segment]:
        return map(Segment, self.starts.tolist(), self.stops.tolist())


def find_segments(labels: npt.ArrayLike) -> Segments:
    """Find the maximal runs of label 1.

    Parameters
    ----------
    labels : array_like of 0 and 1
        The ground-truth labels, one entry per row.

    Returns
    -------
    Segments
        The segments, in order of time.

    Raises
    ------
    ValueError
        If an argument is invalid. The message names the argument, the row and the value.

    Examples
    --------
    >>> list(find_segments([1, 1, 0, 0, 1]))
    [Segment(start=0, stop=2), Segment(start=4, stop=5)]
    """
    return runs_of(check_binary("labels", labels))


def runs_of(labels: BoolArray, begins: BoolArray | None = None) -> Segments:
    """Like `find_segments`, for checked labels; segments never cross a series border."""
    edges = np.flatnonzero(labels[1:] != labels[:-1]) + 1
    ends = ([0] if labels[0] else [], [labels.size] if labels[-1] else [])
    edges = np.concatenate((ends[0], edges, ends[1])).astype(np.int64)
    if begins is not None:
        cuts = np.flatnonzero(labels[1:] & labels[:-1] & begins[1:]) + 1
        edges = np.sort(np.concatenate((edges, cuts, cuts)))
    return Segments(starts=frozen(edges[0::2]), stops=frozen(edges[1::2]))


def covered(starts: IntArray, stops: IntArray, size: int) -> BoolArray:
    """Return which positions lie in at least one of these half-open intervals, clipped to the size.

    >>> covered(np.array([1, 2]), np.array([3, 9]), 5).tolist()
    [False, True, True, True, True]
    """
    change = np.zeros(size + 1, dtype=np.int64)
    np.add.at(change, np.clip(starts, 0, size), 1)
    np.add.at(change, np.clip(stops, 0, size), -1)
    there: BoolArray = np.cumsum(change[:-1]) > 0
    return there


@dataclass(frozen=True, eq=False)
class SegmentHits:
    """A detector's hits in each segment: how many, the delay of the first, and where.

    Hits and delays may have leading axes, with one row per threshold. The last axis runs over
    segments.
    """

    lengths: IntArray
    hits: IntArray
    delays: IntArray
    """Number of points of the segment before the first hit; -1 if there is no hit."""
    places: IntArray | None = None
    """Positions of the hits among all anomalous points, in order of time."""
    starts: IntArray | None = None
    """Where each segment starts in ``timing``."""
    timing: Timing = NO_CLOCK

    def late(self, measure: Measure) -> NumberArray:
        """Return the delay of the first hit in this measure; 0 if there is no hit."""
        return late(measure, np.maximum(self.delays, 0), self.lengths, self.starts, self.timing)

    @cached_property
    def detected(self) -> BoolArray:
        """Whether a segment has a detection."""
        return frozen(self.hits > 0)

    @cached_property
    def offsets(self) -> IntArray:
        """Where each segment begins among all anomalous points."""
        return frozen(np.cumsum(self.lengths) - self.lengths)

    @cached_property
    def segment(self) -> IntArray:
        """The segment of each anomalous point."""
        return frozen(np.repeat(np.arange(self.lengths.size), self.lengths))

    @cached_property
    def step(self) -> IntArray:
        """Number of steps from the segment's start to each anomalous point."""
        return frozen(np.arange(self.segment.size) - self.offsets[self.segment])

    @cached_property
    def is_hit(self) -> BoolArray:
        """Whether each anomalous point has its own detection."""
        if self.places is None:
            raise ValueError("the places of the hits are unknown")
        flags = np.zeros(int(self.lengths.sum()), dtype=np.bool_)
        flags[self.places] = True
        return frozen(flags)

    def sums(self, credit: FloatArray, *, by_point: bool = False) -> FloatArray:
        """Add up the credit of each segment's points; where it is NaN, hits count as 1."""
        if not by_point:
            return np.where(np.isnan(credit), self.hits, credit * self.lengths)
        kept = np.where(np.isnan(credit), self.is_hit, credit)
        if not self.lengths.size:
            return np.zeros((*kept.shape[:-1], 0))
        total: FloatArray = np.add.reduceat(kept, self.offsets, axis=-1)
        return total

    def only(self, chosen: IntArray) -> SegmentHits:
        """Return the hits of some of the segments, in order of time."""
        places = None
        if self.places is not None:
            kept = np.isin(self.segment, chosen)
            places = np.flatnonzero(self.is_hit[kept])
        return SegmentHits(
            self.lengths[chosen],
            self.hits[..., chosen],
            self.delays[..., chosen],
            places,
            None if self.starts is None else self.starts[chosen],
            self.timing,
        )


@dataclass(frozen=True, eq=False)
class HitsByStep:
    """Hits in segments at every step of an increasing threshold.

    A point is flagged at the steps below its level.
    """

    lengths: IntArray
    levels: IntArray
    """The level of each anomalous point, segment by segment in order of time."""
    steps: int
    starts: IntArray | None = None
    timing: Timing = NO_CLOCK

    def at(self, step: int) -> SegmentHits:
        """Return the hits at one step."""
        is_hit = self.levels > step
        offsets = np.cumsum(self.lengths) - self.lengths
        found = count_hits(Segments(offsets, offsets + self.lengths), np.flatnonzero(is_hit))
        return replace(found, starts=self.starts, timing=self.timing)

    @cached_property
    def all(self) -> SegmentHits:
        """The hits at all steps, one row per step, without their positions."""
        count = self.lengths.size
        segment = np.repeat(np.arange(count), self.lengths)
        table = np.bincount(
            segment * (self.steps + 1) + self.levels, minlength=count * (self.steps + 1)
        )
        reached = table.reshape(count, self.steps + 1)[:, :0:-1]
        hits = np.cumsum(reached, axis=1)[:, ::-1].T
        delays = np.empty((self.steps, count), dtype=np.int64)
        asked = np.arange(self.steps)
        ends = np.cumsum(self.lengths).tolist()
        for index, (end, length) in enumerate(zip(ends, self.lengths.tolist(), strict=True)):
            highest = np.maximum.accumulate(self.levels[end - length : end])
            delays[:, index] = np.searchsorted(highest, asked, side="right")
        delays[hits == 0] = -1
        return SegmentHits(
            self.lengths, frozen(hits), frozen(delays), None, self.starts, self.timing
        )


def count_hits(
    segments: Segments, hit_positions: IntArray, timing: Timing = NO_CLOCK
) -> SegmentHits:
    """Count the detections in each segment, given the sorted positions of all hits."""
    before = np.searchsorted(hit_positions, segments.starts)
    hits = np.diff(before, append=hit_positions.size)
    if segments.points is None:
        places = hit_positions - np.repeat(segments.starts - segments.offsets, hits)
    else:
        places = np.searchsorted(segments.points, hit_positions)
    delays = np.full(len(segments), -1, dtype=np.int64)
    detected = np.flatnonzero(hits)
    delays[detected] = places[before[detected]] - segments.offsets[detected]
    return SegmentHits(
        segments.lengths, frozen(hits), frozen(delays), frozen(places), *segments.on_clock(timing)
    )


@dataclass(frozen=True, eq=False)
class SegmentChances:
    """The probability of no alarm at each point of some segments.

    Row i of ``normal`` holds the probability of no alarm at each point of segment i. It is padded
    with 1 after the segment's ``lengths[i]`` points.
    """

    normal: FloatArray
    lengths: IntArray
    starts: IntArray | None = None
    timing: Timing = NO_CLOCK

    def late(self, measure: Measure) -> NumberArray:
        """Return the delay of each point after its onset, in this measure."""
        delays = np.minimum(np.arange(self.normal.shape[1]), self.lengths[:, None] - 1)
        starts = None if self.starts is None else self.starts[:, None]
        return late(measure, delays, self.lengths[:, None], starts, self.timing)


class SegmentScores:
    """The scores inside segments, in decreasing order.

    All arrays except `lengths` run over the anomalous points in this order. Going down the array
    lowers the threshold.
    """

    def __init__(
        self,
        segments: Segments,
        scores_in_time: NumberArray,
        timing: Timing = NO_CLOCK,
        order: IntArray | None = None,
    ) -> None:
        """Sort the scores, unless their ``order`` is known."""
        self.lengths = segments.lengths
        self.starts, self.timing = segments.on_clock(timing)
        if order is None:
            order = np.argsort(scores_in_time)[::-1]
        self.scores = scores_in_time[order]
        self._offsets = np.cumsum(self.lengths) - self.lengths
        self.segment = self._segment_in_time[order]
        self.delay = order - self._offsets[self.segment]
        self.order = order
        """Position of each sorted point among all anomalous points, in order of time."""

    @property
    def _segment_in_time(self) -> IntArray:
        """The segment of each point in order of time; recomputed because the array is long."""
        return np.repeat(np.arange(self.lengths.size), self.lengths)

    def late(self, measure: Measure, places: IntArray) -> NumberArray:
        """Return the delay of each of these points after its onset, in this measure."""
        segment = self.segment[places]
        return late(
            measure, self.delay[places], self.lengths[segment], self.starts[segment], self.timing
        )

    def by_rank(self, first: IntArray, last: IntArray) -> tuple[IntArray, IntArray, IntArray]:
        """Return the points of each segment with ranks from ``first`` up to ``last``.

        The result holds their positions, their segments and their ranks.
        """
        counts = np.maximum(last - first, 0)
        segment = np.repeat(np.arange(counts.size), counts)
        rank = np.arange(segment.size) - np.repeat(np.cumsum(counts) - counts - first, counts)
        return self._by_rank[self._offsets[segment] + rank], segment, rank

    @cached_property
    def _by_rank(self) -> IntArray:
        """The points of all segments, by segment and then by decreasing score."""
        # A stable sort keeps the order inside a segment, and it is by far the fastest for 16-bit
        # numbers.
        is_short = self.lengths.size <= np.iinfo(np.int16).max
        return np.argsort(
            self.segment.astype(np.int16) if is_short else self.segment, kind="stable"
        )

    def hits_at(self, count: int, *, with_places: bool = True) -> SegmentHits:
        """Return the hits with the threshold at the score of the ``count``-th point."""
        hits = np.bincount(self.segment[:count], minlength=self.lengths.size)
        delays = np.full(self.lengths.size, -1, dtype=np.int64)
        reached = self.leads[self.leads < count][::-1]
        delays[self.segment[reached]] = self.delay[reached]
        return SegmentHits(
            self.lengths,
            frozen(hits),
            frozen(delays),
            frozen(np.sort(self.order[:count])) if with_places else None,
            self.starts,
            self.timing,
        )

    @cached_property
    def is_last_of_ties(self) -> BoolArray:
        """Whether the next score is strictly lower; thresholds can only lie there."""
        last = np.ones(self.scores.size, dtype=np.bool_)
        np.not_equal(self.scores[1:], self.scores[:-1], out=last[:-1])
        return last

    @cached_property
    def rank(self) -> IntArray:
        """Number of higher-ranked scores in the same segment; 0 for the segment's maximum."""
        rank = np.empty(self.scores.size, dtype=np.int64)
        rank[self._by_rank] = np.arange(rank.size) - self._offsets[self._segment_in_time]
        return rank

    @cached_property
    def detected_points(self) -> FloatArray:
        """Number of points in segments newly detected at each point, as the threshold falls."""
        points: FloatArray = np.where(self.rank == 0, self.lengths[self.segment], 0.0)
        return points

    @cached_property
    def detected_segments(self) -> FloatArray:
        """Whether a segment is newly detected at each point, as the threshold falls: 1 or 0."""
        firsts: FloatArray = (self.rank == 0).astype(np.float64)
        return firsts

    @cached_property
    def leads(self) -> IntArray:
        """Positions of the left-to-right maxima, by segment and then by delay.

        Only these points can be a segment's first detection at any threshold.
        """
        size = self.scores.size
        level = np.empty(size, dtype=np.int64)
        level[self.order] = np.cumsum(self.is_last_of_ties) - self.is_last_of_ties
        key = level - self._segment_in_time * size
        is_lead = np.ones(size, dtype=np.bool_)
        np.less(key[1:], np.minimum.accumulate(key)[:-1], out=is_lead[1:])
        place = np.empty(size, dtype=np.int64)
        place[self.order] = np.arange(size)
        return place[is_lead]
