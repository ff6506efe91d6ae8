"""The map of waits and thresholds: what each alert rule earns and costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from padf_core.analysis.alerting import WAITS, RuleOutcome, RuleSearch
from padf_core.metrics.alerts import AlertRule
from padf_core.metrics.checks import Progress, no_progress


@dataclass(frozen=True)
class TradeMap:
    """What each rule of a grid does, and the best one of all within the budget."""

    thresholds: tuple[float, ...]
    """Rising."""
    waits: tuple[int, ...]
    cells: tuple[tuple[RuleOutcome, ...], ...]
    """One row for each wait, one column for each threshold."""
    best: RuleOutcome | None
    """Over every threshold of these waits; None where the budget allows no rule."""


def trade_map(
    search: RuleSearch,
    thresholds: Sequence[float],
    most: float,
    waits: Sequence[int] = WAITS,
    progress: Progress = no_progress,
) -> TradeMap:
    """Compute every cell, and search the best rule over all thresholds, which becomes a column."""
    usable = [wait for wait in waits if wait <= search.longest] or [1]
    best = search.best(most, usable, lambda share: progress(share / 2))
    shown = sorted({*thresholds, *([] if best is None else [best.rule.threshold])})
    cells = []
    for done, wait in enumerate(usable, start=1):
        rules = (AlertRule(threshold, wait, search.cooldown) for threshold in shown)
        cells.append(tuple(search.outcome(rule) for rule in rules))
        progress(0.5 + done / len(usable) / 2)
    return TradeMap(tuple(shown), tuple(usable), tuple(cells), best)
