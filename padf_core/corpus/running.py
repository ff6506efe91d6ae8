"""From the plan of a corpus to its result: read series, choose thresholds, judge, add up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from padf_core.corpus.counting import (
    RANDOM,
    JudgeTask,
    Known,
    Row,
    SeriesOutcome,
    SeriesTask,
    count_series,
    judge_series,
    name_of,
)
from padf_core.corpus.engines import Engine, Lost
from padf_core.corpus.plan import LeftOut
from padf_core.corpus.pooling import Found, Pool, Range, best_in, ranges_of, rounds
from padf_core.corpus.read_files import Pair
from padf_core.corpus.stores import Store
from padf_core.metrics.checks import Progress
from padf_core.metrics.protocols import Protocol

READING = 0.8
"""The share of all work that reading is taken for, where thresholds come from all series."""


@dataclass(frozen=True, eq=False)
class Ran:
    """What came of a run: the rows of detectors, those of random ones, and what is missing."""

    rows: list[Row]
    random: list[Row]
    left_out: list[LeftOut]


def run_tasks(tasks: Sequence[SeriesTask], engine: Engine, store: Store, progress: Progress) -> Ran:
    """Do all of it; what is done on a series is kept, so that a second run goes on from there."""
    rule = tasks[0].rule
    reading = READING if rule.needs_all else 1.0
    sizes = [max(1, task.size) for task in tasks]
    outcomes: dict[int, SeriesOutcome] = {}
    done = 0
    for place, made in engine.run(count_series, tasks, store):
        if isinstance(made, Lost):
            made = SeriesOutcome([], [], [LeftOut(tasks[place].files.name, made.why, is_bad=True)])
        outcomes[place] = made
        done += sizes[place]
        progress(reading * done / sum(sizes))
    in_order = [outcomes[place] for place in range(len(tasks))]
    left_out = [told for made in in_order for told in made.left_out]
    out = _without_scores(in_order) | _constant(in_order)
    left_out += [LeftOut(" ".join(pair).strip(), why) for pair, why in sorted(out.items())]
    if not rule.needs_all:
        every = [row for made in in_order for row in made.rows]
        rows = [row for row in every if (row.detector, row.seed) not in out]
    else:
        kept = [
            [each for each in made.known if (each.detector, each.seed) not in out]
            for made in in_order
        ]
        thresholds, told = _thresholds(tasks, kept, engine, store, _part(progress, reading, 0.95))
        left_out += told
        rows = _judged(tasks, kept, thresholds, engine, store, _part(progress, 0.95, 1.0))
    found = [row for row in rows if row.detector != RANDOM]
    if not found:
        reasons = "; ".join(told.text for told in left_out[:3])
        raise ValueError(f"nothing is left to be compared: {reasons}")
    progress(1.0)
    random = [row for row in rows if row.detector == RANDOM]
    return Ran(found, random, left_out)


def _part(progress: Progress, start: float, end: float) -> Progress:
    return lambda share: progress(start + (end - start) * share)


def _without_scores(outcomes: Sequence[SeriesOutcome]) -> dict[Pair, str]:
    """Return the detectors to leave out of every series, and why: all are judged on the same."""
    counts = Counter(pair for made in outcomes for pair in made.dropped)
    return {
        pair: f"rows without a score in {count:,} of {len(outcomes):,} series: left out of all"
        for pair, count in counts.items()
    }


def _constant(outcomes: Sequence[SeriesOutcome]) -> dict[Pair, str]:
    """Return the detectors whose score is the same everywhere, other than those that are quiet."""
    seen: dict[Pair, set[tuple[float, float, bool]]] = {}
    for made in outcomes:
        for known in made.known:
            if known.points:
                ends = (known.low, known.high, known.is_binary)
                seen.setdefault((known.detector, known.seed), set()).add(ends)
    return {
        pair: "has the same score in every row of every series: it tells nothing apart"
        for pair, ends in seen.items()
        if len(ends) == 1 and all(low == high and not binary for low, high, binary in ends)
    }


# ---- thresholds that all series have a say in ----------------------------------------------------


@dataclass(frozen=True)
class _Search:
    pool: Pool
    protocols: tuple[Protocol, ...]
    within: Range
    floors: tuple[tuple[float, ...], ...] | None = None


def _find_ranges(pool: Pool, store: Store) -> list[Range]:
    return ranges_of(store, pool)


def _search(task: _Search, store: Store) -> list[list[Found]]:
    return best_in(store, task.pool, task.protocols, task.within, task.floors)


Thresholds = dict[tuple[int, Pair], tuple[float, ...]]
"""By the number of the series and the detector: a threshold for each protocol."""


def _thresholds(
    tasks: Sequence[SeriesTask],
    known: Sequence[Sequence[Known]],
    engine: Engine,
    store: Store,
    progress: Progress,
) -> tuple[Thresholds, list[LeftOut]]:
    protocols = tasks[0].protocols
    leaves_out = tasks[0].rule.kind == "others"
    has: dict[Pair, list[tuple[int, Known]]] = {}
    for place, here in enumerate(known):
        for each in here:
            has.setdefault((each.detector, each.seed), []).append((place, each))
    pooled = {
        pair: Pool(name_of(*pair), tuple(tasks[at].key for at, _ in own), leaves_out)
        for pair, own in has.items()
        if not all(each.is_binary for _, each in own)
    }
    pairs = list(pooled)
    pools = [pooled[pair] for pair in pairs]
    best = _searched(pools, protocols, engine, store, progress)
    made: Thresholds = {}
    left_out = []
    for pair, own in has.items():
        if pair not in pooled:
            made |= {(at, pair): (1.0,) * len(protocols) for at, _ in own}
            continue
        found = best[pairs.index(pair)]
        for order, (at, _) in enumerate(own):
            judged = order if leaves_out else 0
            made[at, pair] = tuple(each[judged][1] for each in found)
            if np.isnan(made[at, pair]).any() and pair[0] != RANDOM:
                left_out.append(
                    LeftOut(
                        f"{tasks[at].files.name}, {pair[0]}",
                        "no other series has an anomaly: a threshold can only be chosen on this "
                        'one ("best")'
                        if leaves_out
                        else "no series has an anomaly: no threshold can be chosen",
                    )
                )
    return made, left_out


def _searched(
    pools: Sequence[Pool],
    protocols: tuple[Protocol, ...],
    engine: Engine,
    store: Store,
    progress: Progress,
) -> list[list[list[Found]]]:
    """Return the best threshold of every pool, protocol and judged series."""
    ranges = _all(engine, _find_ranges, pools, store)
    asked = [
        (at, _Search(pool, protocols, within))
        for at, pool in enumerate(pools)
        for within in ranges[at]
    ]
    done = _all(engine, _search, [task for _, task in asked], store, progress)
    found: list[list[list[list[Found]]]] = [[] for _ in pools]
    for (at, _), each in zip(asked, done, strict=True):
        found[at].append(each)
    again = [
        (at, _Search(pool, protocols, within, tuple(map(tuple, floors))))
        for at, pool in enumerate(pools)
        if len(ranges[at]) > 1
        for within, floors in rounds(ranges[at], found[at])
    ]
    best = [each[0] for each in found]
    fine = _all(engine, _search, [task for _, task in again], store)
    for at in {at for at, _ in again}:
        best[at] = [[(-1.0, float("nan")) for _ in own] for own in best[at]]
    for (at, _), each in zip(again, fine, strict=True):
        best[at] = [
            [max(pair, key=lambda found: found[0]) for pair in zip(*both, strict=True)]
            for both in zip(best[at], each, strict=True)
        ]
    return best


def _all(
    engine: Engine,
    work: Callable[[Any, Store], Any],
    tasks: Sequence[Any],
    store: Store,
    progress: Progress = lambda share: None,
) -> list[Any]:
    """Do tasks all of which are needed."""
    made: dict[int, Any] = {}
    for place, each in engine.run(work, tasks, store):
        if isinstance(each, Lost):
            raise ValueError(f"thresholds cannot be chosen: {each.why}")
        made[place] = each
        progress(len(made) / len(tasks))
    return [made[place] for place in range(len(tasks))]


def _judged(
    tasks: Sequence[SeriesTask],
    known: Sequence[Sequence[Known]],
    thresholds: Thresholds,
    engine: Engine,
    store: Store,
    progress: Progress,
) -> list[Row]:
    every = [each for own in known for each in own]
    scored = {(each.detector, each.seed) for each in every if not each.is_binary}
    fixed = {(each.detector, each.seed) for each in every} - scored
    judging = [
        JudgeTask(
            task.files.name,
            task.key,
            task.protocols,
            tuple(_at_one(each, fixed) for each in own),
            tuple(thresholds[place, (each.detector, each.seed)] for each in own),
        )
        for place, (task, own) in enumerate(zip(tasks, known, strict=True))
        if own
    ]
    return [row for rows in _all(engine, judge_series, judging, store, progress) for row in rows]


def _at_one(known: Known, fixed: set[Pair]) -> Known:
    """Return what is known; random detectors ring as often only where no threshold is chosen."""
    is_fixed = (known.detector, known.seed) in fixed
    return known._replace(often=tuple(known.often) if is_fixed else ())
