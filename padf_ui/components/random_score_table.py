"""Table 5 of the paper: results of a random score on its data sets."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from padf_core.paper.published import COLUMN_PROTOCOLS, published_table
from padf_ui.components.figures import empty_figure, name_columns
from padf_ui.components.tables import chart_with_table
from padf_ui.components.widgets import mode
from padf_ui.web.palette import Mode, protocol_colour


def show_printed_spread(key: str) -> None:
    """Show mean and standard deviation of a random score, as printed in the paper."""
    table = published_table("table5")
    names = list(dict.fromkeys(table["dataset"]))
    dataset = st.radio("Data set", names, horizontal=True, key=key)
    chart_with_table(printed_spread(table, dataset, mode()), table, f"{key}_chart")
    st.markdown(spread_text(table, dataset))


def spread_text(table: pd.DataFrame, dataset: str) -> str:
    """Rank the protocols by how much a random score varies between runs, largest first."""
    rows = table[table["dataset"] == dataset].set_index("statistic").drop(columns="dataset")
    spread = np.sqrt(rows.loc["variance"].astype(float).to_numpy())
    spreads = [
        f"{COLUMN_PROTOCOLS[rows.columns[at]].label} ± {spread[at]:.2g}"
        for at in np.argsort(spread)[::-1].tolist()
    ]
    return (
        f"The random score on {dataset} varies most between runs under {', then '.join(spreads)}."
    )


def printed_spread(table: pd.DataFrame, dataset: str, mode: Mode) -> go.Figure:
    """Draw mean and standard deviation from Table 5, one point per protocol."""
    figure = empty_figure(mode, "")
    rows = table[table["dataset"] == dataset].set_index("statistic").drop(columns="dataset")
    means = rows.loc["average"].astype(float)
    figure.add_trace(
        go.Scatter(
            x=[COLUMN_PROTOCOLS[column].label for column in rows.columns],
            y=means.to_numpy(),
            mode="markers",
            marker={
                "size": 10,
                "color": [
                    protocol_colour(COLUMN_PROTOCOLS[column].key, mode) for column in rows.columns
                ],
            },
            error_y={
                "type": "data",
                "array": np.sqrt(rows.loc["variance"].astype(float).to_numpy()),
                "width": 6,
            },
            hovertemplate="%{y:.3f} ± %{error_y.array:.4f}<extra></extra>",
        )
    )
    figure.update_layout(height=300, hovermode="closest", showlegend=False)
    name_columns(figure, [COLUMN_PROTOCOLS[column].label for column in rows.columns])
    return figure
