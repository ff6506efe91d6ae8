"""Charts of the paper's tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from padf_core.analysis.compare import ranks_of
from padf_core.paper.published import COLUMN_PROTOCOLS
from padf_ui.components.figures import diagonal_trace, empty_figure, rank_bump
from padf_ui.web.palette import (
    TEXT,
    Mode,
    detector_colour,
    detector_mark,
    protocol_colour,
)


def model_ranks(rows: pd.DataFrame, columns: Sequence[str]) -> pd.DataFrame:
    """Return the rank of each model under each column."""
    return pd.DataFrame(
        {"model": rows["model"].tolist()}
        | {column: ranks_of(rows[column].tolist()) for column in columns}
    )


def model_bump(
    rows: pd.DataFrame, columns: Sequence[str], heads: Sequence[str], mode: Mode
) -> go.Figure:
    """Draw the ranks of the models of one data set across the printed columns."""
    ranks = model_ranks(rows, columns)
    return rank_bump(
        ranks["model"].tolist(),
        heads,
        ranks[list(columns)].to_numpy().tolist(),
        rows[list(columns)].to_numpy().tolist(),
        mode,
    )


def model_bars(
    rows: pd.DataFrame, columns: Sequence[str], heads: Sequence[str], mode: Mode
) -> go.Figure:
    """Draw F1 of each model of one data set under each printed column."""
    figure = empty_figure(mode, "")
    for index, (column, head) in enumerate(zip(columns, heads, strict=True)):
        figure.add_trace(
            go.Bar(
                x=rows["model"],
                y=rows[column],
                name=head,
                marker={
                    "color": protocol_colour(COLUMN_PROTOCOLS[column].key, mode),
                    "pattern": {"shape": ("", "/", "x", ".", "-")[index % 5], "size": 5},
                },
                hovertemplate="%{y:.3f}",
            )
        )
    figure.update_xaxes(automargin=True)
    figure.update_layout(height=340, margin={"l": 48, "r": 16, "t": 34, "b": 40})
    return figure


def correlation_scatter(
    rows: pd.DataFrame, column: str, head: str, coefficient: float, mode: Mode
) -> go.Figure:
    """Draw PAdf 0.9 against another protocol, one point per row of Tables 7 and 8."""
    figure = empty_figure(mode, f"F1, {head}", "F1, PAdf 0.9")
    datasets = list(dict.fromkeys(rows["dataset"]))
    figure.add_trace(diagonal_trace(mode))
    for index, dataset in enumerate(datasets):
        own = rows[rows["dataset"] == dataset]
        figure.add_trace(
            go.Scatter(
                x=own[column],
                y=own["padf_0.9"],
                name=dataset,
                mode="markers",
                marker={
                    "size": 9,
                    "color": detector_colour(index, mode),
                    "symbol": detector_mark(index),
                },
                text=own["model"],
                hovertemplate="%{text}: %{x:.3f}, %{y:.3f}",
            )
        )
    slope, start = np.polyfit(rows[column], rows["padf_0.9"], 1)
    ends = np.array([rows[column].min(), rows[column].max()])
    figure.add_trace(
        go.Scatter(
            x=ends,
            y=start + slope * ends,
            mode="lines",
            line={"color": detector_colour(0, mode), "width": 1.5},
            hoverinfo="skip",
            showlegend=False,
        )
    )
    figure.update_xaxes(range=[-0.03, 1.03])
    figure.update_layout(
        height=380, hovermode="closest", margin={"l": 48, "r": 16, "t": 56, "b": 44}
    )
    figure.add_annotation(
        x=0.02, y=0.98, xref="paper", yref="paper", showarrow=False, align="left",
        text=f"correlation {coefficient:.3f}", font={"color": TEXT[mode], "size": 14},
        xanchor="left",
    )  # fmt: skip
    return figure
