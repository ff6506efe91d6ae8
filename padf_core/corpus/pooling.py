"""Find the best threshold of one detector over all series, from their added counts.

The scores of a corpus need not fit into memory. Every series stores its sorted scores. The score
scale is split into ranges, and only the scores in one range are merged at a time. Scores above the
range are already counted. Counts add up, so the result is exact. The order of the additions depends
only on the data, not on the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

import numpy as np

from padf_core.corpus.ranked_blocks import DIPS, INSIDE, NORMAL, PEAKS, inside_of
from padf_core.corpus.stores import KeptArrays, Store
from padf_core.metrics.checks import FloatArray, IntArray, NumberArray
from padf_core.metrics.counts import Counts
from padf_core.metrics.protocols import Protocol
from padf_core.metrics.ranked_scores import RankedScores
from padf_core.metrics.sweep_results import SAME, first_best

AT_ONCE = 4_000_000
"""Approximate number of scores merged at once."""
QUANTILES = 32
"""Number of scores per series that determine where the scale is split."""


@dataclass(frozen=True)
class Pool:
    """One detector with one seed, and where its sorted scores on every series are stored."""

    name: str
    keys: tuple[str, ...]
    leaves_out: bool = False
    """Whether to find one threshold per series, best on all other series."""


@dataclass(frozen=True)
class Range:
    """Scores of at least ``low`` and below ``high``; an infinite end is included."""

    low: float = -np.inf
    high: float = np.inf


Parts = tuple[FloatArray, FloatArray | None, FloatArray | None]
"""Earned, then claimed inside segments and found, each None if equal to earned."""


def _each(parts: Parts, change: Callable[[FloatArray], FloatArray]) -> Parts:
    earned, claimed, found = parts
    return (
        change(earned),
        None if claimed is None else change(claimed),
        None if found is None else change(found),
    )


Found = tuple[float, float]
"""The highest F1, and the highest threshold that reaches it."""


def ranges_of(store: Store, pool: Pool) -> list[Range]:
    """Split the scale into ranges with about equally many scores, from the highest down."""
    kept = [store.arrays(key) for key in pool.keys]
    names = [f"{pool.name}/{part}" for part in (NORMAL, INSIDE)]
    total = sum(each.size(name) for each in kept for name in names)
    parts = ceil(total / AT_ONCE)
    if parts < 2:
        return [Range()]
    values, weights = [], []
    for each in kept:
        for name in names:
            own = np.sort(each.get(name).astype(np.float64))
            if own.size:
                places = np.linspace(0, own.size - 1, min(own.size, QUANTILES)).astype(np.int64)
                values.append(own[places])
                weights.append(np.full(places.size, own.size / places.size))
    scores, weight = np.concatenate(values), np.concatenate(weights)
    order = np.argsort(scores, kind="stable")
    share = np.cumsum(weight[order]) / weight.sum()
    places = np.searchsorted(share, np.arange(1, parts) / parts)
    cuts = np.unique(scores[order][np.minimum(places, scores.size - 1)])
    edges = [np.inf, *cuts[::-1].tolist(), -np.inf]
    return [Range(low, high) for high, low in pairwise(edges)]


@dataclass(frozen=True, eq=False)
class _Own:
    """The contribution of one series in a range: decreasing scores, and counts down to each."""

    scores: NumberArray
    tallies: tuple[Parts, ...]
    """Counts of each protocol; the first entry is the count above the range."""
    wanted: tuple[float, ...]
    normal: _Rising
    turns: tuple[_Rising, _Rising] | None
    """Peaks and dips, if runs of false alarms count."""
    normal_points: int

    def at(self, protocol: int, falling: NumberArray) -> Parts:
        """Return the counts of this series at thresholds in the range."""
        place = self.scores.size - np.searchsorted(self.scores[::-1], falling)
        return _each(self.tallies[protocol], lambda part: part[place])

    def wrong(self, falling: NumberArray, counts_runs: bool) -> IntArray:
        """Return the false alarms of this series, as points or as runs."""
        if not counts_runs or self.turns is None:
            return self.normal.reaching(falling)
        peaks, dips = self.turns
        return peaks.reaching(falling) - dips.reaching(falling)


@dataclass(frozen=True, eq=False)
class _Rising:
    """Distinct increasing scores with their multiplicities, and the number above the range."""

    scores: NumberArray
    counts: IntArray
    above: int

    def reaching(self, falling: NumberArray) -> IntArray:
        """Return how many of all scores reach each threshold."""
        rest = np.append(np.cumsum(self.counts[::-1])[::-1], 0)
        return self.above + rest[np.searchsorted(self.scores, falling)]


def best_in(
    store: Store,
    pool: Pool,
    protocols: Sequence[Protocol],
    within: Range,
    floors: Sequence[Sequence[float]] | None = None,
) -> list[list[Found]]:
    """Return the best threshold in a range per protocol, on all series or without each.

    With ``floors``, return the highest threshold with at least this F1 instead.
    """
    owns = [_own(store.arrays(key), pool.name, protocols, within) for key in pool.keys]
    return [
        _best(owns, at, protocol, pool.leaves_out, None if floors is None else floors[at])
        for at, protocol in enumerate(protocols)
    ]


def _own(kept: KeptArrays, name: str, protocols: Sequence[Protocol], within: Range) -> _Own:
    inside = inside_of(name, kept)
    ranked = RankedScores.of_parts(np.empty(0), inside, None)
    last = np.flatnonzero(inside.is_last_of_ties)
    scores = inside.scores[last].astype(np.float64)
    is_above = (scores >= within.high) & (within.high < np.inf)
    there = (scores >= within.low) & ~is_above
    above = int(np.count_nonzero(is_above))
    tallies: list[Parts] = []

    def cut(part: FloatArray) -> FloatArray:
        summed = np.concatenate(([0.0], part[last]))
        return np.concatenate((summed[above : above + 1], summed[1:][there]))

    for protocol in protocols:
        steps = ranked.steps(protocol)
        tallies.append(_each((steps.earned, steps.claimed, steps.found), cut))
    return _Own(
        scores[there],
        tuple(tallies),
        tuple(ranked.wanted(protocol) for protocol in protocols),
        _rising(kept, f"{name}/{NORMAL}", within),
        (_rising(kept, f"{name}/{PEAKS}", within), _rising(kept, f"{name}/{DIPS}", within))
        if any(protocol.false_alarms == "runs" for protocol in protocols)
        else None,
        kept.size(f"{name}/{NORMAL}"),
    )


def _rising(kept: KeptArrays, name: str, within: Range) -> _Rising:
    above, scores = kept.slice(name, within.low, within.high)
    firsts = np.flatnonzero(np.append(True, scores[1:] != scores[:-1])[: scores.size])
    counts = np.diff(firsts, append=scores.size)
    return _Rising(scores[firsts].astype(np.float64), counts, above)


def _best(
    owns: Sequence[_Own],
    at: int,
    protocol: Protocol,
    leaves_out: bool,
    floors: Sequence[float] | None,
) -> list[Found]:
    counts_runs = protocol.false_alarms == "runs"
    normal = _merged([own.normal for own in owns])
    falling = _candidates(owns, normal if counts_runs else None)
    parts = _totals(owns, at, falling)
    wrong = normal.reaching(falling)
    if counts_runs:
        wrong = np.sum([own.wrong(falling, True) for own in owns], axis=0)
    wanted = sum(own.wanted[at] for own in owns)
    points = sum(own.normal_points for own in owns)
    silent = points - normal.reaching(falling)
    if not leaves_out:
        quiet = (silent, points) if protocol.corrects else ()
        floor = None if floors is None else floors[0]
        return [_highest(falling, parts, wrong, quiet, wanted, floor)]
    made = []
    for place, own in enumerate(owns):
        others = _without(parts, own.at(at, falling))
        apart = wrong - own.wrong(falling, counts_runs)
        left = points - own.normal_points
        own_silent = own.normal_points - own.normal.reaching(falling)
        quiet = (silent - own_silent, left) if protocol.corrects else ()
        floor = None if floors is None else floors[place]
        made.append(_highest(falling, others, apart, quiet, wanted - own.wanted[at], floor))
    return made


def _without(parts: Parts, own: Parts) -> Parts:
    def rest(place: int) -> FloatArray | None:
        one, other = parts[place], own[place]
        return None if one is None or other is None else one - other

    return parts[0] - own[0], rest(1), rest(2)


def _merged(parts: Sequence[_Rising]) -> _Rising:
    scores = np.concatenate([part.scores for part in parts])
    order = np.argsort(scores, kind="stable")
    counts = np.concatenate([part.counts for part in parts])
    return _Rising(scores[order], counts[order], sum(part.above for part in parts))


def _candidates(owns: Sequence[_Own], normal: _Rising | None) -> NumberArray:
    """Return the decreasing scores that may be the best threshold.

    Usually only anomalous scores qualify: a threshold just above one can only add false alarms. If
    runs of false alarms count, any score qualifies, because a lower threshold may join two runs.
    """
    scores = [own.scores for own in owns] + ([] if normal is None else [normal.scores])
    return np.unique(np.concatenate(scores))[::-1]


def _totals(owns: Sequence[_Own], at: int, falling: NumberArray) -> Parts:
    """Add up the counts of all series at each threshold, in extended precision."""
    scores = np.concatenate([own.scores for own in owns])
    places = falling.size - 1 - np.searchsorted(falling[::-1], scores)

    def total(counts: Sequence[FloatArray]) -> FloatArray:
        longer = [each.astype(np.longdouble) for each in counts]
        added = np.zeros(falling.size, dtype=np.longdouble)
        np.add.at(added, places, np.concatenate([np.diff(each) for each in longer]))
        above = np.sum([each[0] for each in longer], dtype=np.longdouble)
        return np.asarray(above + np.cumsum(added))

    earned, claimed, found = zip(*(own.tallies[at] for own in owns), strict=True)
    return (
        total(earned),
        None if claimed[0] is None else total(claimed),
        None if found[0] is None else total(found),
    )


def _highest(
    falling: NumberArray,
    parts: Parts,
    wrong: IntArray,
    quiet: tuple[IntArray, int] | tuple[()],
    wanted: float,
    floor: float | None,
) -> Found:
    """Return the highest F1 and its highest threshold, or the highest threshold above a floor.

    ``quiet`` holds the number of unflagged normal points and of all normal points, if precision is
    corrected.
    """
    if not falling.size or wanted <= 0:
        return -1.0, float("nan")
    earned, claimed, found = _each(parts, lambda part: np.maximum(part, 0.0).astype(np.float64))
    inside = earned if claimed is None else claimed
    f1 = Counts(earned, inside + wrong, wanted, found, *quiet).fbeta()
    if floor is None:
        place = first_best(f1)
        return float(f1.max()), float(falling[place])
    reached = np.flatnonzero(f1 >= floor)
    return (float(f1[reached[0]]), float(falling[reached[0]])) if reached.size else (-1.0, np.nan)


def rounds(
    ranges: Sequence[Range], found: Sequence[list[list[Found]]]
) -> Iterator[tuple[Range, list[list[float]]]]:
    """Yield the ranges to search again, with the F1 to reach, once the best of all is known.

    The highest range with a threshold as good as the best is searched again, for the first such
    threshold.
    """
    protocols, judged = len(found[0]), len(found[0][0])
    wanted: dict[int, list[list[float]]] = {}
    for protocol in range(protocols):
        for place in range(judged):
            heights = [each[protocol][place][0] for each in found]
            if max(heights) < 0:
                continue
            floor = max(heights) * (1 - SAME)
            first = next(at for at, height in enumerate(heights) if height >= floor)
            asked = wanted.setdefault(first, [[np.inf] * judged for _ in range(protocols)])
            asked[protocol][place] = floor
    for at, floors in wanted.items():
        yield ranges[at], floors
