"""Texts about the trade-offs and the cost of an alert rule."""

from __future__ import annotations

from padf_core.analysis.alerting import COST_DECAY, MONTH_DAYS, RuleOutcome
from padf_core.analysis.trade_map import TradeMap
from padf_core.metrics.clock import format_duration
from padf_core.metrics.evaluation import evaluate_pattern
from padf_ui.operators.operators_words import calls_a_day, points_text, rule
from padf_ui.operators.scene import Scene


def trade(scene: Scene, made: TradeMap) -> list[str]:
    """Describe the best rule within the budget, and what a longer wait changes."""
    budget = scene.replay.budget
    within = f"Within {budget:g} false {'call' if budget == 1 else 'calls'} per day"
    if made.best is None:
        return [f"{within} {scene.shown[0].name} never raises an alert."]
    best = made.best
    detector = scene.detector(scene.shown[0])
    best_rule = (
        f"{within} the best rule of {scene.shown[0].name}, over all thresholds and the waits "
        f"below, {rule(best.rule, scene.step, detector)}: worth {100 * best.worth:.0f} %, "
        f"{calls_a_day(best.per_day(scene.days))} false calls per day."
    )
    bought = what_waiting_buys(scene, made)
    if bought is None:
        return [best_rule, "With a wait, no lower threshold on the map meets the budget."]
    at_once, waited = bought
    return [
        best_rule,
        f"Waiting trades false calls for delay. Without a wait, a threshold of "
        f"{detector.in_file(at_once.rule.threshold):.4g} is too low for the budget: it gives "
        f"{calls_a_day(at_once.per_day(scene.days))} false calls per day. After a wait of "
        f"{points_text(waited.rule.wait, scene.step)} it gives "
        f"{calls_a_day(waited.per_day(scene.days))}, and the worth earned goes from "
        f"{100 * at_once.worth:.0f} % to {100 * waited.worth:.0f} %.",
    ]


def what_waiting_buys(scene: Scene, made: TradeMap) -> tuple[RuleOutcome, RuleOutcome] | None:
    """Return the best rule that meets the budget only because of its wait.

    The first item is the rule with the same threshold and no wait, which exceeds the budget. The
    second is the rule with the wait.
    """
    most = scene.replay.budget * scene.days
    pairs = [
        (at_once, waited)
        for at_once, *longer in zip(*made.cells, strict=True)
        if at_once.false_calls > most
        for waited in longer
        if waited.false_calls <= most
    ]
    return max(pairs, key=lambda pair: pair[1].worth, default=None)


def costs(scene: Scene, made: TradeMap, given: tuple[float, float]) -> list[str]:
    """Name the cheapest rule on the map, and explain the decay that such costs imply."""
    cells = [cell for cells in made.cells for cell in cells]
    cheapest = min(cells, key=lambda cell: cell.cost(scene.days, *given))
    first = scene.shown[0]
    (saved,) = evaluate_pattern(first.pattern, [COST_DECAY])
    return [
        f"On the map, the cheapest rule of {first.name} "
        f"{rule(cheapest.rule, scene.step, scene.detector(first))}. It costs "
        f"{cheapest.cost(scene.days, *given):,.2f} per month; the rule that is replayed costs "
        f"{first.outcome.cost(scene.days, *given):,.2f}. A month is {MONTH_DAYS} days like these "
        f"{format_duration(86400 * scene.days)}. A missed incident goes unnoticed to its end.",
        "With a cost per minute, an alarm's worth falls linearly from the start of an incident "
        "to nothing at its end, and long incidents weigh more: an incident noticed half way "
        f"through saves half of its cost. So {first.name} saves {100 * saved.recall:.0f} % of "
        "what its incidents would have cost without any alarm.",
    ]
