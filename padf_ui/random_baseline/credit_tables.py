"""Expected credit of a segment, term by term, and the paper's printed results."""

from __future__ import annotations

from typing import cast

import numpy as np
import pandas as pd

from padf_core import Expectation, PointAdjustDecay, Settings
from padf_core.metrics.checks import FloatArray
from padf_core.metrics.expectation import credit_terms
from padf_core.metrics.timing import ASSUMED_STEP
from padf_ui.session.probabilities import PRESETS, Probabilities

PADF = PointAdjustDecay.key


def terms_of(drawn: Probabilities, settings: Settings) -> tuple[FloatArray, FloatArray]:
    """Return the probability that the first alarm is at each point, and its credit there."""
    protocol = cast(PointAdjustDecay, settings.protocol(PointAdjustDecay.key))
    return credit_terms(drawn.normal, protocol, ASSUMED_STEP)


def term_table(drawn: Probabilities, settings: Settings) -> pd.DataFrame:
    """Return the terms of the expected credit."""
    first, worth = terms_of(drawn, settings)
    return pd.DataFrame(
        {
            "first alarm at": np.arange(first.size),
            "probability of that": first,
            "worth D": worth,
            "term": first * worth,
            "so far": np.cumsum(first * worth),
        }
    )


def appendix_table(settings: Settings) -> pd.DataFrame:
    """Return printed and computed results of Appendix C."""
    rows = []
    for preset in PRESETS:
        printed = preset.printed(settings["decay"])
        if printed is None:
            continue
        by_tables, by_equations = by_convention(preset.drawn, settings)
        rows.append(
            {
                "Case": preset.title,
                "Formula": preset.formula,
                "printed": printed,
                "equations": by_equations.f1,
                "tables": by_tables.f1,
                "agrees": "✓ equations" if abs(printed - by_equations.f1) < 5e-4 else "✗",
            }
        )
    return pd.DataFrame(rows)


def by_convention(drawn: Probabilities, settings: Settings) -> tuple[Expectation, Expectation]:
    """Return the expected counts under both precision conventions: tables, then equations."""
    by_tables, by_equations = (
        drawn.expectation(settings.replace(precision=precision).protocol(PADF))
        for precision in ("tables", "equations")
    )
    return by_tables, by_equations
