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
from functools import cached_property
from itertools import combinations, pairwise
from math import inf, log
from typing import cast

import numpy as np

from padf_core.metrics.checks import FloatArray, IntArray, Progress, no_progress
from padf_core.metrics.decays import (
    ADTQCDecay,
    DeadlineDecay,
    HalfLifeDecay,
    LinearDecay,
    ShapedDecay,
    SigmoidDecay,
    number_field,
)
from padf_core.metrics.evaluation import Pattern
from padf_core.metrics.protocols import PointAdjustDecay
from padf_core.metrics.protocols.base import with_field
from padf_core.metrics.sweep import RankedScores

SAME = 1e-12
"""Forms whose heights differ by less, relatively, cannot be told apart."""

CELLS = 160
"""How many ranges of the decay's number are looked at one by one."""

SAMPLES = 15
"""At so many places inside a band detectors are compared."""

NEVER = 1e9
"""The same for forever, which is where the search ends."""


# ---- the number that moves -----------------------------------------------------------------------


@dataclass(frozen=True)
class Axis:
    """The number of a decay as it moves: the half-life, or the number of any other shape.

    Half-lives and spans are searched by how fast credit is lost, so that "never" is 0.
    """

    kind: type[ShapedDecay]
    low: float
    high: float
    """The range that is searched; where the number is a time, it ends at "never"."""

    @property
    def is_exponential(self) -> bool:
        """Whether the number is a half-life."""
        return self.kind is HalfLifeDecay

    @property
    def is_loss(self) -> bool:
        """Whether the search goes by the loss and not by the number itself."""
        return self.kind in (HalfLifeDecay, LinearDecay)

    @classmethod
    def of(cls, protocol: PointAdjustDecay, shortest: float, longest: float) -> Axis:
        """Return the axis of a protocol's decay.

        ``shortest`` and ``longest`` are the shortest and the longest delay that there can be.
        """
        decay = protocol.decay
        if isinstance(decay, DeadlineDecay):
            return cls(DeadlineDecay, shortest / 2, 2 * longest)
        if isinstance(decay, (SigmoidDecay, ADTQCDecay)):
            steps = decay.number_in("share").steps
            return cls(type(decay), steps[0], steps[-1])
        kind = LinearDecay if isinstance(decay, LinearDecay) else HalfLifeDecay
        return cls(kind, shortest / 20, NEVER * longest)

    def worth(self, late: FloatArray, at: float) -> FloatArray:
        """Return what hits so late are worth where the search is."""
        if self.is_exponential:
            with np.errstate(under="ignore"):
                return np.exp(-at * late)
        if self.kind is LinearDecay:
            return np.maximum(1 - at * late, 0.0)
        made = self.kind()
        return with_field(made, number_field(made), at)(late)

    def slope(self, late: FloatArray, at: float) -> FloatArray | None:
        """Return how fast that changes, where it does so steadily too."""
        if not self.is_loss:
            return None
        if self.kind is LinearDecay:
            return np.where(at * late < 1, -late, 0.0)
        with np.errstate(under="ignore"):
            return -late * np.exp(-at * late)

    @property
    def depth(self) -> int:
        """How often a range is halved at most; after that its ends are one number."""
        return 60 if self.is_loss else 12

    @property
    def is_straight(self) -> bool:
        """Whether worth is a straight line over every range that is looked at."""
        return self.kind is LinearDecay

    def cells(self, delays: FloatArray) -> FloatArray:
        """Return the ends of the ranges that are looked at, rising, as they are searched.

        A linear decay has a kink where its span is one of the ``delays``; ranges end there.
        """
        if not self.is_loss:
            return np.geomspace(self.low, self.high, CELLS + 1)
        first, last = self.place(self.high), self.place(self.low)
        ends = np.geomspace(first, last, CELLS)
        if self.is_straight:
            kinks = 1 / delays[delays > 0]
            ends = np.union1d(ends, kinks[(kinks > first) & (kinks < last)])
        return np.concatenate(([0.0], ends))

    def number(self, at: float) -> float:
        """Return the decay's number for a place in the search."""
        if not self.is_loss:
            return at
        return self._unit / at if at else inf

    def place(self, number: float) -> float:
        """Return the place in the search for the decay's number."""
        return self._unit / number if self.is_loss else number

    @property
    def _unit(self) -> float:
        return log(2) if self.is_exponential else 1.0


# ---- what a detector may earn --------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Forms:
    """The forms that a detector's q can take, one per pattern of first hits.

    Going down the list is lowering the threshold: each entry moves one segment's first hit from
    ``before`` to ``late``, and q can be read where ``ends`` says.
    """

    late: FloatArray
    before: FloatArray
    """Where the first hit was until then; NaN where there was none."""
    weight: FloatArray
    ends: IntArray
    bases: FloatArray
    """What E is divided by at each end."""
    halves: bool
    """Whether F1 is 2 q and not 2 q / (1 + q)."""

    @cached_property
    def delays(self) -> FloatArray:
        """Every delay that a first hit can have, rising."""
        return np.unique(self.late)

    @cached_property
    def _places(self) -> tuple[IntArray, IntArray]:
        size = self.delays.size
        before = np.where(np.isnan(self.before), -1.0, self.before)
        places = np.searchsorted(self.delays, before)
        return np.searchsorted(self.delays, self.late), np.where(before < 0, size, places)

    def heights(self, worth: FloatArray) -> FloatArray:
        """Return q of every form, given what each of the delays is worth."""
        known = np.append(worth, 0.0)
        late, before = self._places
        moved = self.weight * (known[late] - known[before])
        earned = np.cumsum(moved, dtype=np.longdouble)[self.ends].astype(np.float64)
        return np.maximum(earned, 0.0) / self.bases

    def rows(self, chosen: IntArray) -> FloatArray:
        """Return chosen forms as sums over the delays: one row each."""
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
        """Return the best F1 where the decay's number is this."""
        q = self.height(axis, axis.place(number) if number < inf else 0.0)
        return 2 * q if self.halves else 2 * q / (1 + q)

    def height(self, axis: Axis, at: float) -> float:
        """Return the best q where the search is."""
        return float(self.heights(axis.worth(self.delays, at)).max(initial=0.0))


def forms_of_scores(ranked: RankedScores, protocol: PointAdjustDecay) -> Forms:
    """Return the forms of a detector at its best threshold, whichever that is."""
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
    """Return the one form of given detections."""
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


# ---- flips ---------------------------------------------------------------------------------------


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
