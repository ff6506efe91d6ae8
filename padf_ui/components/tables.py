"""Tables on screen and as files. Every chart has one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from html import escape
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from padf_ui.components import downloads
from padf_ui.components.names import safe_csv


def sections(key: str, *titles: str) -> Sequence[Any]:
    """Return tabs. Only the open tab is computed and drawn."""
    return st.tabs(list(titles), key=key, on_change="rerun")


def chart_with_table(
    figure: go.Figure,
    table: pd.DataFrame,
    key: str,
    of: str = "",
    on_select: Callable[[], None] | None = None,
) -> None:
    """Show a chart and a button below it that opens its numbers and their CSV file.

    ``of`` names the data, so that files of different data have different names. ``on_select`` is
    called when the user selects a point.
    """
    config = {"displayModeBar": False, "scrollZoom": False}
    if on_select is None:
        st.plotly_chart(figure, theme=None, key=key, config=config)
    else:
        st.plotly_chart(
            figure,
            theme=None,
            key=key,
            config=config,
            on_select=on_select,
            selection_mode="points",
        )
    numbers_behind(table, key, of)


def numbers_behind(table: pd.DataFrame, key: str, of: str = "") -> None:
    """Show a button that opens the numbers of a chart and their CSV file."""
    numbers = st.popover(
        "Numbers", type="tertiary", icon=":material/table:", key=f"{key}_as", on_change="rerun"
    )
    if numbers.open:
        with numbers:
            show_table(table, list(table.columns[1:]), height=min(300, 38 + 35 * len(table)))
            save_table(table, key, of)


def save_table(table: pd.DataFrame, name: str, of: str = "", null: str = "") -> None:
    """Offer a table as CSV. ``of`` names the data.

    ``null`` is the null hypothesis of the p-values. The file repeats it in every row.
    """
    saved = table.assign(**{"Null hypothesis of p": null}) if null else table
    downloads.offer(
        "CSV",
        partial(safe_csv, saved),
        f"padf-{f'{of}-' if of else ''}{name}.csv",
        "text/csv",
        of=table,
        key=f"save_{name}",
        icon=":material/download:",
    )


def show_table(table: pd.DataFrame, scores: Sequence[str], height: int | None = None) -> None:
    """Show a table. Its ``scores`` columns have three decimals."""
    three = {
        column: st.column_config.NumberColumn(format="%.3f")
        for column in scores
        if column in table.columns and table[column].dtype.kind == "f"
    }
    if "Threshold" in table.columns and table["Threshold"].dtype.kind in "iuf":
        three["Threshold"] = st.column_config.NumberColumn(format="plain")
    st.dataframe(
        table, hide_index=True, width="stretch", height=height or "auto", column_config=three
    )


def show_plain_table(table: pd.DataFrame, label: str) -> None:
    """Show a short table as HTML, which screen readers can read and which needs no extra code.

    Fractions have three decimals. A long table scrolls.
    """
    made = table.to_html(index=False, border=0, float_format="{:.3f}".format)
    st.html(
        f'<div class="padf-table" role="region" tabindex="0" aria-label="{escape(label)}">'
        f"{made}</div>"
    )


def curve_table(parameter: str, values: Any, **columns: Any) -> pd.DataFrame:
    """Return the numbers of a chart, one row per step."""
    return pd.DataFrame({parameter: values, **columns})
