"""A detector's possible scores as functions of the credit for each delay."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf

import numpy as np

from padf_core.analysis.decay_axis import Axis
from padf_core.metrics.checks import FloatArray, IntArray
from padf_core.metrics.evaluation import Pattern
from padf_core.metrics.protocols import PointAdjustDecay
from padf_core.metrics.ranked_scores import RankedScores


@dataclass(frozen=True, eq=False)
class Forms:
    """The forms that a detector's q can take, one per pattern of first hits.

    The entries are in order of falling thresholds. Each entry moves one segment's first hit from
    ``before`` to ``late``. ``ends`` marks the entries after which q can be read.
    """

    late: FloatArray
    before: FloatArray
    """Delay of the first hit before this entry; NaN if the segment had no hit."""
    weight: FloatArray
    ends: IntArray
    bases: FloatArray
    """The denominator w of q at each end."""
    halves: bool
    """Whether F1 is 2 q instead of 2 q / (1 + q)."""

    @cached_property
    def delays(self) -> FloatArray:
        """All possible delays of a first hit, in increasing order."""
        return np.unique(self.late)

    @cached_property
    def _places(self) -> tuple[IntArray, IntArray]:
        size = self.delays.size
        before = np.where(np.isnan(self.before), -1.0, self.before)
        places = np.searchsorted(self.delays, before)
        return np.searchsorted(self.delays, self.late), np.where(before < 0, size, places)

    def heights(self, worth: FloatArray) -> FloatArray:
        """Return q of every form, given the credit for each delay."""
        known = np.append(worth, 0.0)
        late, before = self._places
        moved = self.weight * (known[late] - known[before])
        earned = np.cumsum(moved, dtype=np.longdouble)[self.ends].astype(np.float64)
        return np.maximum(earned, 0.0) / self.bases

    def rows(self, chosen: IntArray) -> FloatArray:
        """Return chosen forms as sums over the delays, one row each."""
        made = np.zeros((chosen.size, self.delays.size))
        late, before = self._places
        total = np.zeros(self.delays.size + 1)
        done = 0
        for row, form in enumerate(np.sort(chosen).tolist()):
            end = int(self.ends[form]) + 1
            np.add.at(total, late[done:end], self.weight[done:end])
            np.subtract.at(total, before[done:end], self.weight[done:end])
            made[row] = total[:-1] / self.bases[form]
            done = end
        return made

    def best_at(self, axis: Axis, number: float) -> float:
        """Return the best F1 at one value of the decay's parameter."""
        q = self.height(axis, axis.place(number) if number < inf else 0.0)
        return 2 * q if self.halves else 2 * q / (1 + q)

    def height(self, axis: Axis, at: float) -> float:
        """Return the best q at a position of the search."""
        return float(self.heights(axis.worth(self.delays, at)).max(initial=0.0))


def forms_of_scores(ranked: RankedScores, protocol: PointAdjustDecay) -> Forms:
    """Return the forms of a detector over all thresholds."""
    inside = ranked.inside
    leads = inside.leads
    segment = inside.segment[leads]
    late = _graced(inside.late(protocol.measure, leads), protocol)
    followed = np.append(segment[1:] == segment[:-1], False)
    before = np.where(followed, np.append(late[1:], 0.0), np.nan)
    order = np.argsort(leads)
    weights = protocol.wanted(inside.lengths)
    scores = inside.scores[leads[order]]
    last = np.append(scores[1:] != scores[:-1], True) if scores.size else np.zeros(0, dtype=bool)
    ends = np.flatnonzero(last)
    wrong = ranked.normal - np.searchsorted(ranked.normal_scores, scores[ends])
    bases = float(weights.sum()) + wrong
    if protocol.convention == "equations":
        whole = np.where(np.isnan(before), weights[segment], 0)[order]
        bases = bases + np.cumsum(whole)[ends]
    return Forms(
        late[order],
        before[order],
        weights[segment][order].astype(np.float64),
        ends,
        bases.astype(np.float64),
        protocol.convention == "equations",
    )


def forms_of_pattern(pattern: Pattern, protocol: PointAdjustDecay) -> Forms:
    """Return the single form of given detections."""
    hits = pattern.found
    found = np.flatnonzero(hits.detected)
    weights = protocol.wanted(hits.lengths).astype(np.float64)
    base = float(weights.sum()) + pattern.false_positives
    if protocol.convention == "equations":
        base += float(weights[found].sum())
    is_any = found.size > 0
    return Forms(
        _graced(hits.late(protocol.measure)[found], protocol),
        np.full(found.size, np.nan),
        weights[found],
        np.array([found.size - 1] if is_any else [], dtype=np.int64),
        np.array([base] if is_any else []),
        protocol.convention == "equations",
    )


def _graced(late: np.ndarray, protocol: PointAdjustDecay) -> FloatArray:
    return np.maximum(late.astype(np.float64) - protocol.grace, 0.0)
