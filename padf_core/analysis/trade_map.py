"""Map waits and thresholds to what each alert rule earns and costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from padf_core.analysis.alerting import WAITS, RuleOutcome, RuleSearch
from padf_core.metrics.alerts import AlertRule
from padf_core.metrics.checks import Progress, no_progress


@dataclass(frozen=True)
class TradeMap:
    """The outcome of each rule in a grid, and the best rule within the false-alarm budget."""

    thresholds: tuple[float, ...]
    """In increasing order."""
    waits: tuple[int, ...]
    cells: tuple[tuple[RuleOutcome, ...], ...]
    """One row for each wait, one column for each threshold."""
    best: RuleOutcome | None
    """The best rule over every threshold of these waits; None if no rule meets the budget."""


def trade_map(
    search: RuleSearch,
    thresholds: Sequence[float],
    most: float,
    waits: Sequence[int] = WAITS,
    progress: Progress = no_progress,
) -> TradeMap:
    """Compute every cell, and add the threshold of the best rule as a column."""
    usable = [wait for wait in waits if wait <= search.longest] or [1]
    best = search.best(most, usable, lambda share: progress(share / 2))
    shown = sorted({*thresholds, *([] if best is None else [best.rule.threshold])})
    cells = []
    for done, wait in enumerate(usable, start=1):
        rules = (AlertRule(threshold, wait, search.cooldown) for threshold in shown)
        cells.append(tuple(search.outcome(rule) for rule in rules))
        progress(0.5 + done / len(usable) / 2)
    return TradeMap(tuple(shown), tuple(usable), tuple(cells), best)
