"""Charts of the random detector: F1 over the threshold, and its maximum."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from padf_core.analysis.random_detector import RandomRow, Simulated
from padf_core.metrics.checks import FloatArray
from padf_core.metrics.expectation import RandomBest
from padf_ui.components.figures import empty_figure, name_columns
from padf_ui.web.palette import (
    TEXT,
    Mode,
    detector_mark,
    protocol_colour,
    protocol_curve,
)


@dataclass(frozen=True, eq=False)
class RandomCurve:
    """One line of Fig. 3: the closed form, its maximum and simulated points."""

    name: str
    thresholds: FloatArray
    f1: FloatArray
    best: RandomBest
    points: Simulated


def random_curves(curves: Sequence[RandomCurve], mode: Mode) -> go.Figure:
    """Draw F1 of a random score over the threshold."""
    figure = empty_figure(mode, "threshold θ (an alarm has the probability 1 − θ)")
    figure.update_layout(
        height=400, hovermode="closest", margin={"l": 48, "r": 16, "t": 34, "b": 44}
    )
    for index, curve in enumerate(curves):
        key = curve.points.protocol.key
        colour = protocol_colour(key, mode)
        figure.add_trace(
            go.Scatter(
                x=curve.thresholds,
                y=curve.f1,
                name=curve.name,
                legendgroup=curve.name,
                mode="lines",
                line=protocol_curve(key, index, mode),
                hovertemplate="θ %{x:.3f}: F1 %{y:.3f}",
            )
        )
        figure.add_trace(
            go.Scatter(
                x=curve.points.thresholds,
                y=curve.points.mean,
                name=f"{curve.name}, simulated",
                legendgroup=curve.name,
                showlegend=False,
                mode="markers",
                marker={
                    "color": colour,
                    "size": 7,
                    "symbol": detector_mark(index),
                },
                error_y={"type": "data", "array": curve.points.error, "color": colour, "width": 3},
                hovertemplate="simulated: %{y:.3f} ± %{error_y.array:.3f}",
            )
        )
        figure.add_trace(
            go.Scatter(
                x=[1 - curve.best.alarm_rate],
                y=[curve.best.f1],
                name="maximum",
                legendgroup=curve.name,
                showlegend=False,
                mode="markers",
                marker={
                    "color": colour,
                    "size": 14,
                    "symbol": "star",
                    "line": {"color": TEXT[mode], "width": 1},
                },
                hovertemplate="maximum %{y:.3f} at θ = %{x:.4f}<extra></extra>",
            )
        )
    return figure


def random_map(table: pd.DataFrame, y_title: str, mode: Mode) -> go.Figure:
    """Draw the best F1 of a random score over segment length and a parameter."""
    figure = empty_figure(mode, "points per segment, N", y_title)
    figure.add_trace(
        go.Heatmap(
            x=[str(length) for length in table.columns],
            y=[f"{value:g}" for value in table.index],
            z=table.to_numpy(),
            zmin=0,
            zmax=1,
            colorscale="Cividis",
            colorbar={"title": "best F1"},
            hovertemplate="N = %{x}, %{y}: best F1 %{z:.3f}<extra></extra>",
        )
    )
    figure.update_yaxes(range=None, type="category", automargin=True, title={"standoff": 14})
    figure.update_xaxes(type="category")
    figure.update_layout(height=440, hovermode="closest")
    return figure


def random_boxes(rows: Sequence[RandomRow], mode: Mode) -> go.Figure:
    """Draw the best F1 of every run, protocol by protocol."""
    figure = empty_figure(mode, "", "best F1")
    for row in rows:
        figure.add_trace(
            go.Box(
                y=list(row.f1),
                name=row.protocol.label,
                boxpoints="all",
                jitter=0.5,
                pointpos=0,
                marker={"color": protocol_colour(row.protocol.key, mode), "size": 6},
                line={"width": 1.5},
                fillcolor="rgba(0,0,0,0)",
                showlegend=False,
            )
        )
    figure.update_layout(height=340, hovermode="closest")
    name_columns(figure, [row.protocol.label for row in rows])
    return figure
