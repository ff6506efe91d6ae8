"""Find exactly where rankings flip as the decay's parameter varies.

At a threshold, F1 under PAdf is 2 q / (1 + q), or 2 q by the paper's equations, with q = E / w. E
is the weighted sum of the credit of first hits, and w does not depend on the decay. E takes another
form only where a segment's first hit moves. A detector's best F1 is therefore the maximum of a few
such forms.

The credit of one hit is monotone in the decay's parameter, so q lies between two sums over any
range of it. Ranges in which two detectors cannot meet are skipped. The others are halved until each
detector has one form left. The difference of these two forms and its derivative are then bounded in
the same way. The result does not depend on a grid.

The derivative of sigmoid and ADTQC decays is not bounded. Their ranges are halved twelve times, to
a relative width of about 7e-6. A flip is then found to the last digit, but two flips inside one
such range would cancel out and be missed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise
from math import inf
from typing import cast

import numpy as np

from padf_core.analysis.decay_axis import NEVER, Axis
from padf_core.analysis.forms import Forms
from padf_core.metrics.checks import FloatArray, IntArray, Progress, no_progress

SAME = 1e-12
"""Forms whose values differ by less than this, relatively, count as equal."""

SAMPLES = 15
"""Number of parameter values inside a band at which detectors are compared."""


@dataclass(frozen=True)
class Flip:
    """A value of the decay's parameter at which two detectors swap places."""

    at: float
    below: int
    """The detector that is ahead for smaller values."""
    above: int
    """The detector that is ahead for larger values."""


@dataclass(frozen=True)
class Band:
    """A range of the decay's parameter over which the ranking does not change."""

    start: float
    stop: float
    ranking: tuple[int, ...]
    """Detectors from best to worst."""


@dataclass(frozen=True, eq=False)
class Race:
    """Detectors under a decay with a varying parameter: their curves and their flips."""

    axis: Axis
    forms: tuple[Forms, ...]
    flips: tuple[Flip, ...]
    bands: tuple[Band, ...] = field(repr=False)

    def f1_at(self, number: float) -> list[float]:
        """Return each detector's F1 at one value of the decay's parameter."""
        return [each.best_at(self.axis, number) for each in self.forms]

    def curves(self, numbers: Sequence[float]) -> list[FloatArray]:
        """Return each detector's F1 at many values of the parameter."""
        return list(np.array([self.f1_at(number) for number in numbers]).T)

    def band_at(self, number: float) -> Band:
        """Return the band that contains a value of the parameter."""
        return next((band for band in self.bands if number < band.stop), self.bands[-1])


def race(forms: Sequence[Forms], axis: Axis, progress: Progress = no_progress) -> Race:
    """Find every value of the parameter at which two detectors swap places."""
    find = _jumps if axis.kind.drops else _meetings
    found = list(find(forms, axis, progress))
    flips = tuple(sorted(found, key=lambda flip: flip.at))
    made = Race(axis, tuple(forms), flips, ())
    return replace(made, bands=tuple(_bands(made)))


def _jumps(forms: Sequence[Forms], axis: Axis, progress: Progress) -> Iterator[Flip]:
    """Yield the flips of a decay with a jump, where F1 only changes at the delays themselves."""
    delays = np.unique(np.concatenate([np.zeros(0), *(each.delays for each in forms)]))
    delays = delays[(delays > axis.low) & (delays < axis.high)]
    places = [axis.low, *delays.tolist()]
    heights = []
    for done, at in enumerate(places, start=1):
        heights.append([each.height(axis, at) for each in forms])
        progress(done / len(places))
    for a, b in combinations(range(len(forms)), 2):
        signs = [(at, _sign(row[a], row[b])) for at, row in zip(places, heights, strict=True)]
        yield from _flips(axis, signs, a, b, signs[0][1])


def _meetings(forms: Sequence[Forms], axis: Axis, progress: Progress) -> Iterator[Flip]:
    """Yield the flips of a continuous decay."""
    cells = axis.cells(np.unique(np.concatenate([each.delays for each in forms])))
    low, high, active = _bounds(forms, axis, cells)
    progress(0.3)
    pairs = list(combinations(range(len(forms)), 2))
    for done, (a, b) in enumerate(pairs, start=1):
        near = np.flatnonzero((low[a] <= high[b]) & (low[b] <= high[a])).tolist()
        meeting = _Meeting(forms[a], forms[b], axis, near, active[a], active[b])
        signs = [
            seen for cell in near for seen in meeting.look(cell, cells[cell : cell + 2].tolist())
        ]
        first = _sign(*(each.height(axis, float(cells[0])) for each in (forms[a], forms[b])))
        yield from _flips(axis, signs, a, b, first)
        progress(0.3 + 0.7 * done / len(pairs))


def _flips(
    axis: Axis, changes: Sequence[tuple[float, int]], a: int, b: int, first: int
) -> Iterator[Flip]:
    """Convert sign changes, in search order, to flips in terms of the parameter."""
    sign = first
    for at, now in changes:
        if sign * now < 0:
            ahead, behind = (a, b) if sign > 0 else (b, a)
            # A search by loss runs from "never" to short times, so smaller values come later.
            order = (behind, ahead) if axis.is_loss else (ahead, behind)
            yield Flip(axis.number(at), *order)
        sign = now or sign


def _sign(one: float, other: float) -> int:
    gap = one - other
    return 0 if abs(gap) <= SAME * max(one, other) else 1 if gap > 0 else -1


def _bounds(
    forms: Sequence[Forms], axis: Axis, cells: FloatArray
) -> tuple[FloatArray, FloatArray, list[list[IntArray]]]:
    """Return bounds on each detector's best value per cell, and the forms that may reach it."""
    low, high = np.zeros((2, len(forms), cells.size - 1))
    active: list[list[IntArray]] = []
    for row, each in enumerate(forms):
        active.append([])
        ends = [axis.worth(each.delays, at) for at in cells.tolist()]
        for cell, (one, other) in enumerate(pairwise(ends)):
            least = each.heights(np.minimum(one, other))
            most = each.heights(np.maximum(one, other))
            low[row, cell] = least.max(initial=0.0)
            high[row, cell] = most.max(initial=0.0)
            active[row].append(np.flatnonzero(most >= low[row, cell] * (1 - SAME)))
    return low, high, active


class _Meeting:
    """Two detectors in the cells where they may meet."""

    def __init__(
        self,
        a: Forms,
        b: Forms,
        axis: Axis,
        near: Sequence[int],
        active_a: Sequence[IntArray],
        active_b: Sequence[IntArray],
    ) -> None:
        self._axis = axis
        self._delays = np.union1d(a.delays, b.delays)
        self._a = self._spread(a, near, active_a)
        self._b = self._spread(b, near, active_b)

    def _spread(
        self, forms: Forms, near: Sequence[int], active: Sequence[IntArray]
    ) -> dict[int, FloatArray]:
        """Return the forms of each cell as sums over the delays of both detectors."""
        wanted = np.unique(np.concatenate([np.zeros(0, int), *(active[cell] for cell in near)]))
        rows = np.zeros((wanted.size, self._delays.size))
        rows[:, np.searchsorted(self._delays, forms.delays)] = forms.rows(wanted)
        return {cell: rows[np.searchsorted(wanted, active[cell])] for cell in near}

    def look(self, cell: int, ends: list[float]) -> Iterator[tuple[float, int]]:
        """Yield where the sign changes inside a cell, and the sign after that."""
        yield from self._halve(ends[0], ends[1], self._a[cell], self._b[cell], self._axis.depth)

    def _halve(
        self, low: float, high: float, a: FloatArray, b: FloatArray, left: int
    ) -> Iterator[tuple[float, int]]:
        one, other = (self._axis.worth(self._delays, at) for at in (low, high))
        a, a_low, a_high = self._kept(a, one, other)
        b, b_low, b_high = self._kept(b, one, other)
        if a_low > b_high * (1 + SAME) or b_low > a_high * (1 + SAME):
            yield low, 1 if a_low > b_high else -1
            return
        if max(a_high, b_high) - min(a_low, b_low) <= SAME * max(a_high, b_high):
            yield low, 0
            return
        if len(a) <= 1 and len(b) <= 1:
            done = self._single(low, high, a.sum(axis=0) - b.sum(axis=0), one, other)
            if done is not None:
                yield from done
                return
        middle = (low + high) / 2
        if not left or not low < middle < high:
            yield from self._last(low, high, a, b)
            return
        yield from self._halve(low, middle, a, b, left - 1)
        yield from self._halve(middle, high, a, b, left - 1)

    def _last(
        self, low: float, high: float, a: FloatArray, b: FloatArray
    ) -> Iterator[tuple[float, int]]:
        """Settle a range that is not halved further; if the signs at its ends differ, bisect."""

        def heights(at: float) -> tuple[float, float]:
            worth = self._axis.worth(self._delays, at)
            one, other = (float((rows @ worth).max(initial=0.0)) for rows in (a, b))
            return one, other

        first, last = _sign(*heights(low)), _sign(*heights(high))
        while first * last < 0 and low < (middle := (low + high) / 2) < high:
            one, other = heights(middle)
            if (one > other) == (first > 0):
                low = middle
            else:
                high = middle
        yield high, last

    def _kept(
        self, rows: FloatArray, one: FloatArray, other: FloatArray
    ) -> tuple[FloatArray, float, float]:
        """Return the forms that may be highest in a range, and bounds on the highest value.

        ``one`` and ``other`` are the credits of the delays at the two ends of the range. A form is
        dropped if its difference to the best form cannot rise above 0.
        """
        if not len(rows):
            return rows, 0.0, 0.0
        least, most = np.minimum(one, other), np.maximum(one, other)
        lows = rows @ least
        best = int(np.argmax(lows))
        if len(rows) > 1:
            gap = rows - rows[best]
            above = (
                np.maximum(gap @ one, gap @ other)
                if self._axis.is_straight
                else np.maximum(gap * one, gap * other).sum(axis=1)
            )
            above[best] = 1.0
            rows = rows[above > SAME * lows[best]]
        return rows, float(lows[best]), float((rows @ most).max())

    def _single(
        self, low: float, high: float, gap: FloatArray, one: FloatArray, other: FloatArray
    ) -> list[tuple[float, int]] | None:
        """Settle a range with one form per detector; None if the difference cannot be bounded."""
        size = float(np.abs(gap) @ np.maximum(one, other))
        if size <= SAME or not np.any(np.abs(gap) > 1e-14):
            return [(low, 0)]
        least = float(np.minimum(gap * one, gap * other).sum())
        most = float(np.maximum(gap * one, gap * other).sum())
        if max(-least, most) <= SAME * size:
            return [(low, 0)]
        if least > SAME * size or most < -SAME * size:
            return [(low, 1 if least > 0 else -1)]
        if not self._axis.is_straight and not self._is_steady(low, high, gap):
            return None
        begins, ends = (
            0.0 if abs(height) <= SAME * size else height
            for height in (float(gap @ one), float(gap @ other))
        )
        if begins * ends >= 0:
            return [(low, int(np.sign(begins)) or int(np.sign(ends)))]
        return [(self._zero(low, high, gap, begins > 0), 1 if ends > 0 else -1)]

    def _is_steady(self, low: float, high: float, gap: FloatArray) -> bool:
        """Return whether a difference is known to be monotone in a range."""
        slopes = [self._axis.slope(self._delays, at) for at in (low, high)]
        if slopes[0] is None:
            return False
        steep = [gap * cast(FloatArray, slope) for slope in slopes]
        return bool(np.minimum(*steep).sum() > 0 or np.maximum(*steep).sum() < 0)

    def _zero(self, low: float, high: float, gap: FloatArray, falls: bool) -> float:
        """Bisect the range in which the sign changes, down to the last digit."""
        while low < (middle := (low + high) / 2) < high:
            if (float(gap @ self._axis.worth(self._delays, middle)) > 0) == falls:
                low = middle
            else:
                high = middle
        return low


def _bands(made: Race) -> Iterator[Band]:
    """Yield the bands between the flips; equal neighbours are merged."""
    axis = made.axis
    top = inf if axis.is_loss else axis.high
    cuts = [axis.low]
    for flip in made.flips:
        if cuts[-1] * (1 + SAME) < flip.at < top:
            cuts.append(flip.at)
    last: Band | None = None
    for start, stop in pairwise([*cuts, top]):
        # No two detectors swap places inside, so their means have the same order, except for ties.
        last_seen = min(stop, NEVER * start)
        inside = np.geomspace(start, last_seen, SAMPLES + 2)[1:-1]
        if axis.kind.drops:
            delays = np.concatenate([each.delays for each in made.forms])
            inside = np.union1d(inside, delays[(delays >= start) & (delays < stop)])
        heights = np.round(np.mean([made.f1_at(at) for at in inside.tolist()], axis=0), 12)
        ranking = tuple(np.argsort(-heights, kind="stable").tolist())
        if last is not None and last.ranking == ranking:
            last = Band(last.start, stop, ranking)
            continue
        if last is not None:
            yield last
        last = Band(start, stop, ranking)
    if last is not None:
        yield last
