"""What pages ask for, computed by padf_core; the only place that caches."""

from __future__ import annotations

import pandas as pd
import streamlit as st

import padf_core as padf
from padf_core.cases import TOY_CASES
from padf_core.published import COLUMN_PROTOCOLS, agrees_with_print, published_table


@st.cache_data(max_entries=1)
def toy_table() -> pd.DataFrame:
    """Return Table 1: the computed F1 of each case and protocol, beside the printed one."""
    printed = published_table("table1").set_index("case")
    rows = []
    for case in TOY_CASES:
        protocols = [COLUMN_PROTOCOLS[column] for column in printed.columns]
        results = padf.evaluate_all(case.labels, case.detections, protocols)
        row: dict[str, object] = {"Case": case.title, "What happens": case.about}
        for column, result in zip(printed.columns, results, strict=True):
            text = str(printed.loc[case.key, column])
            mark = "✓" if agrees_with_print(result.f1, text) else "✗"
            row[result.protocol.label] = f"{result.f1:.4f}  {mark} {text}"
        rows.append(row)
    return pd.DataFrame(rows)
