"""Split a series into blocks, and count in each block at candidate thresholds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from padf_core.analysis.threshold_grid import threshold_grid
from padf_core.io.series import Detector, Series
from padf_core.metrics.checks import FloatArray, IntArray, NumberArray
from padf_core.metrics.protocols import Protocol
from padf_core.metrics.segments import Segments

SHARES = 40
"""Number of thresholds for the paired test. Each flags a given share of the normal rows."""

MAX_BLOCKS = 400


MOST_CELLS = 400_000
"""Maximum of thresholds times blocks. Beyond it, only some of the thresholds are counted."""


def blocks_of(segments: Segments, most: int = MAX_BLOCKS) -> IntArray:
    """Return where the blocks of a series begin; every block contains whole segments.

    Cuts lie in the middle between two segments. With many segments, a block contains several.

    >>> from padf_core import find_segments
    >>> blocks_of(find_segments([0, 1, 0, 0, 0, 1, 0, 1])).tolist()
    [0, 3, 6]
    """
    cuts = (segments.stops[:-1] + segments.starts[1:]) // 2
    every = max(1, -(-len(segments) // most))
    return np.concatenate(([0], cuts[every - 1 :: every])).astype(np.int64)


def count_blocks(
    detector: Detector,
    series: Series,
    protocols: Sequence[Protocol],
    starts: IntArray,
    levels: FloatArray,
) -> list[tuple[FloatArray, FloatArray]]:
    """Count each protocol in each block, at each candidate threshold.

    The last axis holds earned, claimed, wanted and found. If precision is corrected, it also holds
    unflagged and all normal points. The second array holds the counts of a mean block in which
    everything is found.
    """
    inside = detector.ranked.inside
    blocks = starts.size
    segment_block = np.searchsorted(starts, series.segments.starts, side="right") - 1
    level = _level_of(inside.scores, levels)
    place = segment_block[inside.segment] * (levels.size + 1) + level

    def per_block(amounts: FloatArray) -> FloatArray:
        """Sum the amounts at or above each threshold, block by block."""
        sums = np.bincount(place, amounts, blocks * (levels.size + 1))
        table = sums.reshape(blocks, levels.size + 1)[:, 1:]
        falling: FloatArray = np.cumsum(table[:, ::-1], axis=1)[:, ::-1].astype(np.float64)
        return falling

    kinds = {protocol.false_alarms for protocol in protocols}
    wrong = {
        kind: _false_alarms(detector, series, starts, levels, kind) for kind in {*kinds, "points"}
    }
    normal = np.add.reduceat(series.normal, starts).astype(np.float64)[:, None]
    made = []
    for protocol in protocols:
        gains = protocol.gains(inside)
        parts = [gains.earned, gains.claimed, gains.found]
        amounts = [gains.earned if part is None else part for part in parts]
        earned, claimed, found = (per_block(amount) for amount in amounts)
        wanted = np.bincount(segment_block, protocol.wanted(series.segments.lengths), blocks)
        columns = [earned, claimed + wrong[protocol.false_alarms], wanted[:, None], found]
        whole = [*(a.sum() for a in amounts[:2]), wanted.sum(), amounts[2].sum()]
        if protocol.corrects:
            columns += [normal - wrong["points"], normal]
            whole += [normal.sum(), normal.sum()]
        table = np.stack([np.broadcast_to(each, earned.shape) for each in columns], axis=-1)
        made.append((table, np.array(whole) / blocks))
    return made


def _false_alarms(
    detector: Detector, series: Series, starts: IntArray, levels: FloatArray, kind: str
) -> FloatArray:
    """Count false alarms in each block, as points or as runs, at each candidate threshold.

    A run across two blocks is counted where it begins, so the blocks add up to the series.
    """
    counted = np.zeros((starts.size, levels.size))
    stops = np.append(starts[1:], series.size)
    is_normal, begins = series.normal, series.rows.begins
    for block, (start, stop) in enumerate(zip(starts.tolist(), stops.tolist(), strict=True)):
        scores, normal = detector.scores[start:stop], is_normal[start:stop]
        counted[block] = _reaching(scores[normal], levels)
        if kind == "runs":
            before = max(0, start - 1)
            near, both = detector.scores[before:stop], is_normal[before:stop]
            joined = both[1:] & both[:-1]
            if begins is not None:
                joined &= ~begins[before + 1 : stop]
            joints = np.minimum(near[1:], near[:-1])[joined]
            counted[block] -= _reaching(joints, levels)
    return counted


def _reaching(scores: NumberArray, levels: FloatArray) -> IntArray:
    """Return how many scores reach each of the increasing thresholds."""
    counts = np.bincount(_level_of(scores, levels), minlength=levels.size + 1)[1:]
    return np.cumsum(counts[::-1])[::-1]


def candidate_levels(detector: Detector, blocks: int, kept: float | None) -> FloatArray:
    """Return increasing thresholds: the fixed one, or all that the blocks can choose from.

    If there are too many, a subset of the whole range is used. No threshold is included because it
    is best in hindsight.
    """
    if detector.is_binary:
        return np.array([1.0])
    if kept is not None:
        return np.array([kept])
    every = detector.ranked.thresholds
    if every.size * blocks <= MOST_CELLS:
        return np.sort(every).astype(np.float64)
    return np.unique(threshold_grid(detector, MOST_CELLS // blocks))


def shared_levels(detector: Detector, levels: FloatArray) -> IntArray:
    """Return the indices of thresholds that flag given shares of the normal rows, from 0 to all."""
    falling = np.sort(detector.ranked.normal_scores)[::-1]
    if levels.size == 1 or not falling.size:
        return np.zeros(1, dtype=np.int64)
    flagged = np.geomspace(1, falling.size, SHARES - 1).round().astype(np.int64)
    nearest = np.searchsorted(levels, falling[flagged - 1], side="right") - 1
    silent = np.searchsorted(levels, falling[0], side="right")
    found: IntArray = np.clip(np.append(silent, nearest), 0, levels.size - 1)
    return found


def _level_of(scores: npt.ArrayLike, levels: FloatArray) -> IntArray:
    """Return how many of the increasing thresholds each score reaches."""
    return np.searchsorted(levels, scores, side="right")
