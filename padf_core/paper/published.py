"""The paper's published tables, as shipped in sample_data/published."""

from __future__ import annotations

from functools import cache

import pandas as pd

from padf_core.io.samples import sample_folder
from padf_core.metrics.decays import ExponentialDecay
from padf_core.metrics.protocols import (
    PointAdjust,
    PointAdjustDecay,
    PointAdjustK,
    Pointwise,
    Protocol,
)

TABLES: dict[str, str] = {
    "table1": "table1_toy_cases.csv",
    "table2": "table2_benchmarks.csv",
    "table3": "table3_padf_ratio_percent.csv",
    "table4": "table4_robustness.csv",
    "table5": "table5_random_score.csv",
    "table6": "table6_hexa_ucr.csv",
    "table7_8": "table7_8_tsb_uad.csv",
}

COLUMN_PROTOCOLS: dict[str, Protocol] = {
    "pointwise": Pointwise(),
    "pa": PointAdjust(),
    "pa_k20": PointAdjustK(20),
    "padf_0.7": PointAdjustDecay(ExponentialDecay(0.7)),
    "padf_0.9": PointAdjustDecay(ExponentialDecay(0.9)),
    "padf_0.99": PointAdjustDecay(ExponentialDecay(0.99)),
}
"""The protocol, with its parameters, for each column name of the published tables."""


@cache
def _read(table: str) -> pd.DataFrame:
    return pd.read_csv(sample_folder() / "published" / TABLES[table], dtype=_text_columns(table))


def _text_columns(table: str) -> dict[str, str]:
    """Read the toy tables as text, because the printed digits show the paper's rounding."""
    printed = ("case", *COLUMN_PROTOCOLS) if table in ("table1", "table4") else ()
    return dict.fromkeys(printed, "str")


def published_table(table: str) -> pd.DataFrame:
    """Return one of the paper's tables.

    Tables 1 and 4 are returned as printed text, to check the rounding. The others are numbers.

    >>> published_table("table1").loc[1, "padf_0.9"]
    '0.881'
    """
    if table not in TABLES:
        raise ValueError(f"table must be one of {', '.join(TABLES)}; got {table!r}")
    return _read(table).copy()


def agrees_with_print(computed: float, printed: str) -> bool:
    """Return whether a computed value matches the printed digits, rounded or truncated.

    >>> agrees_with_print(14 / 19, "0.736"), agrees_with_print(14 / 19, "0.738")
    (True, False)
    """
    digits = len(printed.partition(".")[2])
    unit = 10.0**-digits
    gap = computed - float(printed)
    return -unit / 2 - 1e-12 <= gap < unit - 1e-12
