"""Choose thresholds from several series, and judge every series at them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from padf_core.corpus.counting import SeriesTask
from padf_core.corpus.engines import Engine, Lost
from padf_core.corpus.file_columns import Pair
from padf_core.corpus.judging import RANDOM, JudgeTask, Known, Row, judge_series, name_of
from padf_core.corpus.plan import LeftOut
from padf_core.corpus.pooling import Found, Pool, Range, best_in, ranges_of, rounds
from padf_core.corpus.stores import Store
from padf_core.metrics.checks import Progress
from padf_core.metrics.protocols import Protocol


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
"""For each series index and detector, one threshold per protocol."""


def choose_thresholds(
    tasks: Sequence[SeriesTask],
    known: Sequence[Sequence[Known]],
    engine: Engine,
    store: Store,
    progress: Progress,
) -> tuple[Thresholds, list[LeftOut]]:
    """Choose the thresholds of every detector, and report where that is impossible."""
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
                        "no other series has an anomaly, so a threshold can only be chosen on "
                        'this one ("best")'
                        if leaves_out
                        else "no series has an anomaly, so no threshold can be chosen",
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
    ranges = run_all(engine, _find_ranges, pools, store)
    asked = [
        (at, _Search(pool, protocols, within))
        for at, pool in enumerate(pools)
        for within in ranges[at]
    ]
    done = run_all(engine, _search, [task for _, task in asked], store, progress)
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
    fine = run_all(engine, _search, [task for _, task in again], store)
    for at in {at for at, _ in again}:
        best[at] = [[(-1.0, float("nan")) for _ in own] for own in best[at]]
    for (at, _), each in zip(again, fine, strict=True):
        best[at] = [
            [max(pair, key=lambda found: found[0]) for pair in zip(*both, strict=True)]
            for both in zip(best[at], each, strict=True)
        ]
    return best


def run_all(
    engine: Engine,
    work: Callable[[Any, Store], Any],
    tasks: Sequence[Any],
    store: Store,
    progress: Progress = lambda share: None,
) -> list[Any]:
    """Run tasks whose results are all required; raise if one fails."""
    made: dict[int, Any] = {}
    for place, each in engine.run(work, tasks, store):
        if isinstance(each, Lost):
            raise ValueError(f"thresholds cannot be chosen: {each.why}")
        made[place] = each
        progress(len(made) / len(tasks))
    return [made[place] for place in range(len(tasks))]


def judge_all(
    tasks: Sequence[SeriesTask],
    known: Sequence[Sequence[Known]],
    thresholds: Thresholds,
    engine: Engine,
    store: Store,
    progress: Progress,
) -> list[Row]:
    """Judge every detector on every series at the chosen thresholds."""
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
    return [row for rows in run_all(engine, judge_series, judging, store, progress) for row in rows]


def _at_one(known: Known, fixed: set[Pair]) -> Known:
    """Return the facts; matched alarm rates are kept only if no threshold is chosen."""
    is_fixed = (known.detector, known.seed) in fixed
    return known._replace(often=tuple(known.often) if is_fixed else ())
