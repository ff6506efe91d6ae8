"""Tables of the page for operators: rules on the map, and costs of each detector."""

from __future__ import annotations

from typing import Any

import pandas as pd

from padf_core.analysis.alerting import MONTH_DAYS
from padf_core.analysis.trade_map import TradeMap
from padf_ui.operators import operators_words
from padf_ui.operators.scene import Scene


def known_costs(scene: Scene) -> tuple[float, float] | None:
    """Return the cost per minute and per false call, or None if either is missing."""
    replay = scene.replay
    if replay.per_minute is None or replay.per_call is None:
        return None
    return replay.per_minute, replay.per_call


def map_table(scene: Scene, made: TradeMap) -> pd.DataFrame:
    """Return the map as a table, one row per cell."""
    cells = [cell for row in made.cells for cell in row]
    detector = scene.detector(scene.shown[0])
    columns: dict[str, Any] = {
        "Wait, points": [cell.rule.wait for cell in cells],
        "Threshold": [detector.in_file(cell.rule.threshold) for cell in cells],
        "Worth, %": [100 * cell.worth for cell in cells],
        "Found": [cell.found for cell in cells],
        "False calls per day": [cell.per_day(scene.days) for cell in cells],
    }
    costs = known_costs(scene)
    if costs is not None:
        columns["Cost per month"] = [cell.cost(scene.days, *costs) for cell in cells]
    return pd.DataFrame(columns)


def cost_table(scene: Scene, costs: tuple[float, float]) -> pd.DataFrame:
    """Return the monthly cost of each detector at its rule."""
    return pd.DataFrame(
        [
            {
                "Detector": judged.name,
                "Cost per month": round(judged.outcome.cost(scene.days, *costs), 2),
                "Rule": operators_words.rule(judged.rule, scene.step, scene.detector(judged)),
                "Unnoticed minutes per month": round(
                    judged.outcome.unnoticed_seconds / 60 / scene.days * MONTH_DAYS, 1
                ),
                "False calls per month": round(judged.outcome.per_day(scene.days) * MONTH_DAYS, 1),
            }
            for judged in scene.judged
        ]
    ).sort_values("Cost per month")
