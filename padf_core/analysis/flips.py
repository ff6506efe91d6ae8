"""Where rankings flip as the decay moves, exactly.

At a threshold, F1 under PAdf is 2 q / (1 + q) (or 2 q, by the paper's equations) with q = E / w: E
is the weighted sum of what first hits are worth, and w does not depend on the decay. Only where a
segment's first hit moves does E get another form, so a detector's best F1 is the highest of a few
such forms. What one hit is worth rises or falls steadily with the decay's number; so over any range
of it q lies between two sums. Ranges in which two detectors cannot meet are set aside, the others
are halved until one form of each is left, whose difference is then bounded in the same way, with
its slope. No grid has to be trusted.

Of sigmoid and ADTQC decays the slope is not bounded. Their ranges are halved twelve times, to a
relative width of about 7e-6. A flip is then found to the last digit, but two flips inside one such
range would cancel out and be missed.
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
"""Forms whose heights differ by less, relatively, cannot be told apart."""

SAMPLES = 15
"""At so many places inside a band detectors are compared."""


@dataclass(frozen=True)
class Flip:
    """A number of the decay at which two detectors change places."""

    at: float
    below: int
    """The detector that is ahead for smaller numbers."""
    above: int
    """The detector that is ahead for larger numbers."""


@dataclass(frozen=True)
class Band:
    """A range of the decay's number over which the ranking stays the same."""

    start: float
    stop: float
    ranking: tuple[int, ...]
    """Detectors from the first to the last."""


@dataclass(frozen=True, eq=False)
class Race:
    """Detectors under a decay whose number moves: their curves, and where they change places."""

    axis: Axis
    forms: tuple[Forms, ...]
    flips: tuple[Flip, ...]
    bands: tuple[Band, ...] = field(repr=False)

    def f1_at(self, number: float) -> list[float]:
        """Return each detector's F1 where the decay's number is this."""
        return [each.best_at(self.axis, number) for each in self.forms]

    def curves(self, numbers: Sequence[float]) -> list[FloatArray]:
        """Return each detector's F1 at many numbers."""
        return list(np.array([self.f1_at(number) for number in numbers]).T)

    def band_at(self, number: float) -> Band:
        """Return the range with the same ranking around a number."""
        return next((band for band in self.bands if number < band.stop), self.bands[-1])


def race(forms: Sequence[Forms], axis: Axis, progress: Progress = no_progress) -> Race:
    """Find every number at which two detectors change places."""
    find = _jumps if axis.kind.drops else _meetings
    found = list(find(forms, axis, progress))
    flips = tuple(sorted(found, key=lambda flip: flip.at))
    made = Race(axis, tuple(forms), flips, ())
    return replace(made, bands=tuple(_bands(made)))


def _jumps(forms: Sequence[Forms], axis: Axis, progress: Progress) -> Iterator[Flip]:
    """Yield the flips of a decay that drops: things change at the delays themselves alone."""
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
    """Yield the flips of a decay that moves steadily."""
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
    """Turn changes of sign, in the order of the search, into flips in the order of the number."""
    sign = first
    for at, now in changes:
        if sign * now < 0:
            ahead, behind = (a, b) if sign > 0 else (b, a)
            # A search by loss goes from "never" down to short times: smaller numbers lie behind.
            order = (behind, ahead) if axis.is_loss else (ahead, behind)
            yield Flip(axis.number(at), *order)
        sign = now or sign


def _sign(one: float, other: float) -> int:
    gap = one - other
    return 0 if abs(gap) <= SAME * max(one, other) else 1 if gap > 0 else -1


def _bounds(
    forms: Sequence[Forms], axis: Axis, cells: FloatArray
) -> tuple[FloatArray, FloatArray, list[list[IntArray]]]:
    """Return what each detector's best lies between in every cell, and the forms that may be it."""
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
        """Yield where the sign changes inside a cell, and what it is behind that."""
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
        """Settle a range that is halved no more: where its ends differ, find where they meet."""

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
        """Return the forms that may be the highest in a range, and what the highest lies between.

        ``one`` and ``other`` are what the delays are worth at its ends. A form goes when its
        difference to the best one cannot rise above 0.
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
        """Settle a range in which each has one form, if its difference can be bounded."""
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
        """Say whether a difference only rises or only falls in a range, as far as is known."""
        slopes = [self._axis.slope(self._delays, at) for at in (low, high)]
        if slopes[0] is None:
            return False
        steep = [gap * cast(FloatArray, slope) for slope in slopes]
        return bool(np.minimum(*steep).sum() > 0 or np.maximum(*steep).sum() < 0)

    def _zero(self, low: float, high: float, gap: FloatArray, falls: bool) -> float:
        """Halve the range in which the sign changes, down to the last digit."""
        while low < (middle := (low + high) / 2) < high:
            if (float(gap @ self._axis.worth(self._delays, middle)) > 0) == falls:
                low = middle
            else:
                high = middle
        return low


def _bands(made: Race) -> Iterator[Band]:
    """Cut the range at the flips, and say the ranking in each part; equal neighbours are joined."""
    axis = made.axis
    top = inf if axis.is_loss else axis.high
    cuts = [axis.low]
    for flip in made.flips:
        if cuts[-1] * (1 + SAME) < flip.at < top:
            cuts.append(flip.at)
    last: Band | None = None
    for start, stop in pairwise([*cuts, top]):
        # No two change places inside, so their means are in the same order, ties apart.
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
