"""Map of the trade-offs of an alert rule."""

from __future__ import annotations

from collections.abc import Callable
from math import isinf

import numpy as np
import plotly.graph_objects as go

from padf_core.analysis.trade_map import TradeMap
from padf_core.metrics.alerts import AlertRule
from padf_core.metrics.clock import format_duration
from padf_ui.components.figures import empty_figure
from padf_ui.web.palette import TEXT, Mode, colour

CALLS = (0.1, 1.0, 10.0, 100.0)
"""False calls per day at which contours are drawn, in addition to the budget."""


def rule_map(
    made: TradeMap,
    now: AlertRule,
    budget: float,
    days: float,
    step: float,
    mode: Mode,
    in_file: Callable[[float], float] = float,
) -> go.Figure:
    """Draw a map of threshold by wait: colour for credit, contours for false calls per day.

    ``in_file`` converts a threshold to the units of the file. Each cell has an invisible marker,
    because the cells of a heat map cannot be clicked.
    """
    worth = 100 * np.array([[cell.worth for cell in row] for row in made.cells])
    calls = np.array([[cell.per_day(days) for cell in row] for row in made.cells])
    x, y = np.arange(len(made.thresholds)), np.arange(len(made.waits))
    figure = empty_figure(mode, "threshold", "wait")
    figure.update_layout(
        height=max(320, 150 + 26 * y.size),
        margin={"l": 84, "r": 12, "t": 34, "b": 108},
        hovermode="closest",
        clickmode="event+select",
    )
    figure.add_trace(
        go.Heatmap(
            z=worth,
            x=x,
            y=y,
            zmin=0,
            zmax=100,
            colorscale=[[0, colour("normal", mode)], [1, colour("accent", mode)]],
            colorbar={
                "title": {"text": "worth earned, %  ", "side": "right"},
                "orientation": "h",
                "thickness": 10,
                "len": 0.8,
                "y": 0,
                "yref": "container",
                "yanchor": "bottom",
            },
            hoverinfo="skip",
            xgap=1,
            ygap=1,
        )
    )
    for level in sorted({*CALLS, budget}):
        if calls.min() < level < calls.max():
            figure.add_trace(_contour(x, y, calls, level, mode, is_budget=level == budget))
    figure.add_trace(_cells(made, worth, calls, step, in_file))
    _add_mark(figure, made, now, "now", "circle-open", 22, mode)
    if made.best is not None:
        _add_mark(figure, made, made.best.rule, "best within the budget", "star", 11, mode)
    named = x[:: max(1, -(-x.size // 6))]
    figure.update_xaxes(
        tickvals=named,
        ticktext=[f"{in_file(made.thresholds[at]):.3g}" for at in named],
        tickangle=0,
        range=[-0.5, x.size - 0.5],
        showgrid=False,
    )
    figure.update_yaxes(
        tickvals=y,
        ticktext=[_short_wait(wait, step) for wait in made.waits],
        range=[-0.5, y.size - 0.5],
        showgrid=False,
    )
    return figure


def wait_text(wait: int, step: float) -> str:
    """Format a wait in points and time."""
    return "no wait" if wait == 1 else f"{wait} points, {format_duration(wait * step)}"


def _short_wait(wait: int, step: float) -> str:
    return "no wait" if wait == 1 else format_duration(wait * step)


def _contour(
    x: object, y: object, calls: object, level: float, mode: Mode, *, is_budget: bool
) -> go.Contour:
    return go.Contour(
        x=x,
        y=y,
        z=calls,
        contours={
            "coloring": "none",
            "start": level,
            "end": level,
            "size": 1,
            "showlabels": True,
            "labelfont": {"size": 12, "color": TEXT[mode]},
        },
        line={
            "color": TEXT[mode],
            "width": 2.5 if is_budget else 1.5,
            "dash": "solid" if is_budget else "dot",
        },
        showscale=False,
        hoverinfo="skip",
        name="the budget",
        showlegend=is_budget,
    )


def _cells(
    made: TradeMap,
    worth: object,
    calls: object,
    step: float,
    in_file: Callable[[float], float],
) -> go.Scatter:
    places = [(x, y) for y in range(len(made.waits)) for x in range(len(made.thresholds))]
    texts = [
        f"from {in_file(made.thresholds[x]):.4g} on, {wait_text(made.waits[y], step)}<br>worth "
        f"{np.asarray(worth)[y, x]:.0f} %, {np.asarray(calls)[y, x]:.2f} false calls per "
        "day<br>click to replay this rule"
        for x, y in places
    ]
    return go.Scatter(
        x=[x for x, _ in places],
        y=[y for _, y in places],
        customdata=[[made.thresholds[x], made.waits[y]] for x, y in places],
        mode="markers",
        marker={"size": 20, "symbol": "square", "opacity": 0.0},
        unselected={"marker": {"opacity": 0.0}},
        selected={"marker": {"opacity": 0.0}},
        text=texts,
        hovertemplate="%{text}<extra></extra>",
        showlegend=False,
    )


def _add_mark(
    figure: go.Figure,
    made: TradeMap,
    rule: AlertRule,
    name: str,
    symbol: str,
    size: int,
    mode: Mode,
) -> None:
    """Mark a rule if it is on the map."""
    if isinf(rule.threshold) or rule.wait not in made.waits:
        return
    figure.add_trace(
        go.Scatter(
            x=[made.thresholds.index(rule.threshold)],
            y=[made.waits.index(rule.wait)],
            mode="markers",
            marker={
                "size": size,
                "symbol": symbol,
                "color": TEXT[mode],
                "line": {"width": 2, "color": TEXT[mode]},
            },
            name=name,
            hoverinfo="skip",
        )
    )
