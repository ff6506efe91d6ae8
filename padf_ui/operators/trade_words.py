"""What an alert rule trades, and what it costs, in words."""

from __future__ import annotations

from padf_core.analysis.alerting import COST_DECAY, MONTH_DAYS, RuleOutcome
from padf_core.analysis.trade_map import TradeMap
from padf_core.metrics.clock import format_duration
from padf_core.metrics.evaluation import evaluate_pattern
from padf_ui.operators.operators_words import calls_a_day, points_text, rule
from padf_ui.operators.scene import Scene


def trade(scene: Scene, made: TradeMap) -> list[str]:
    """Say which rule is the best within the budget, and what waiting buys on these data."""
    budget = scene.replay.budget
    within = f"Within {budget:g} false {'call' if budget == 1 else 'calls'} a day"
    if made.best is None:
        return [f"{within} {scene.shown[0].name} can never ring."]
    best = made.best
    detector = scene.detector(scene.shown[0])
    best_rule = (
        f"{within} the best rule of {scene.shown[0].name}, over all thresholds and the waits "
        f"below, {rule(best.rule, scene.step, detector)}: worth {100 * best.worth:.0f} %, "
        f"{calls_a_day(best.per_day(scene.days))} false calls a day."
    )
    bought = what_waiting_buys(scene, made)
    if bought is None:
        return [best_rule, "Waiting brings no other threshold of the map into the budget."]
    at_once, waited = bought
    return [
        best_rule,
        f"Waiting trades false calls for delay. With a threshold of "
        f"{detector.in_file(at_once.rule.threshold):.4g}, too low for the budget without a wait, "
        f"it would ring for nothing {calls_a_day(at_once.per_day(scene.days))} times a day at "
        f"once, and {calls_a_day(waited.per_day(scene.days))} times after "
        f"{points_text(waited.rule.wait, scene.step)} in a row; the worth goes from "
        f"{100 * at_once.worth:.0f} % to {100 * waited.worth:.0f} %.",
    ]


def what_waiting_buys(scene: Scene, made: TradeMap) -> tuple[RuleOutcome, RuleOutcome] | None:
    """Return the rule that earns most of those that only waiting brings into the budget.

    With it the same threshold without a wait.
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
    """Say which rule is the cheapest on the map, and which decay such a cost is."""
    cells = [cell for cells in made.cells for cell in cells]
    cheapest = min(cells, key=lambda cell: cell.cost(scene.days, *given))
    first = scene.shown[0]
    (saved,) = evaluate_pattern(first.pattern, [COST_DECAY])
    return [
        f"The cheapest rule of {first.name} on the map "
        f"{rule(cheapest.rule, scene.step, scene.detector(first))}, for "
        f"{cheapest.cost(scene.days, *given):,.2f} a month; the rule that is replayed costs "
        f"{first.outcome.cost(scene.days, *given):,.2f}. A month has {MONTH_DAYS} days like these "
        f"{format_duration(86400 * scene.days)}; an incident that is missed goes unnoticed to its "
        "end.",
        "With a cost per minute an alarm's worth falls evenly, from all at the beginning of an "
        "incident to nothing at its end, and long incidents weigh more: noticed half way through, "
        f"half of the cost is saved. By that {first.name} saves {100 * saved.recall:.0f} % of what "
        "its incidents would have cost if nobody had looked.",
    ]
