"""Run a corpus from plan to result: read series, choose thresholds, judge, add up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from padf_core.corpus.counting import SeriesOutcome, SeriesTask, count_series
from padf_core.corpus.engines import Engine, Lost
from padf_core.corpus.file_columns import Pair
from padf_core.corpus.judging import RANDOM, Row
from padf_core.corpus.plan import LeftOut
from padf_core.corpus.shared_thresholds import choose_thresholds, judge_all
from padf_core.corpus.stores import Store
from padf_core.metrics.checks import Progress

READING = 0.8
"""Share of the progress assigned to reading, if thresholds depend on several series."""


@dataclass(frozen=True, eq=False)
class Ran:
    """The result of a run: rows of the detectors and of random detectors, and what is left out."""

    rows: list[Row]
    random: list[Row]
    left_out: list[LeftOut]


def run_tasks(tasks: Sequence[SeriesTask], engine: Engine, store: Store, progress: Progress) -> Ran:
    """Run all tasks; finished series are stored, so that a second run continues from there."""
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
    left_out = [each for made in in_order for each in made.left_out]
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
        thresholds, unusable = choose_thresholds(
            tasks, kept, engine, store, part_of_progress(progress, reading, 0.95)
        )
        left_out += unusable
        rows = judge_all(
            tasks, kept, thresholds, engine, store, part_of_progress(progress, 0.95, 1.0)
        )
    found = [row for row in rows if row.detector != RANDOM]
    if not found:
        reasons = "; ".join(each.text for each in left_out[:3])
        raise ValueError(f"nothing is left to compare: {reasons}")
    progress(1.0)
    random = [row for row in rows if row.detector == RANDOM]
    return Ran(found, random, left_out)


def part_of_progress(progress: Progress, start: float, end: float) -> Progress:
    """Return a progress function that covers only a part of the whole."""
    return lambda share: progress(start + (end - start) * share)


def _without_scores(outcomes: Sequence[SeriesOutcome]) -> dict[Pair, str]:
    """Return detectors to leave out of every series, so that all are judged on the same series."""
    counts = Counter(pair for made in outcomes for pair in made.dropped)
    return {
        pair: (
            f"rows without a score in {count:,} of {len(outcomes):,} series, so it is left out "
            "of all"
        )
        for pair, count in counts.items()
    }


def _constant(outcomes: Sequence[SeriesOutcome]) -> dict[Pair, str]:
    """Return the detectors with constant scores, except constant detections."""
    seen: dict[Pair, set[tuple[float, float, bool]]] = {}
    for made in outcomes:
        for known in made.known:
            if known.points:
                ends = (known.low, known.high, known.is_binary)
                seen.setdefault((known.detector, known.seed), set()).add(ends)
    return {
        pair: "has the same score in every row of every series, so it cannot rank anything"
        for pair, ends in seen.items()
        if len(ends) == 1 and all(low == high and not binary for low, high, binary in ends)
    }
