"""Common style of all charts, and traces that several pages draw."""

from __future__ import annotations

import html
from collections.abc import Sequence
from math import isnan
from typing import Any

import plotly.graph_objects as go

from padf_core import Curve
from padf_core.analysis.crossings import Crossing
from padf_core.metrics.parameters import Number
from padf_ui.components.names import in_figure
from padf_ui.session.screen_names import shown
from padf_ui.web.palette import GRID, TEXT, Mode, colour, detector_colour, detector_line

HEIGHT = 300
SHORT, FEW = 18, 12
"""Letters of a name at the end of its line, and the most lines whose marks have ample space."""


def empty_figure(mode: Mode, x_title: str, y_title: str = "F1", **layout: Any) -> go.Figure:
    """Return a figure in the common style, with a y-axis for scores from 0 to 1.

    ``layout`` overrides the style. Axis settings are merged with those of the style.
    """
    axis = {"gridcolor": GRID[mode], "zeroline": False, "linecolor": GRID[mode]}
    x_axis = {"title": {"text": x_title}, **axis, **layout.pop("xaxis", {})}
    y_axis = {"title": {"text": y_title}, "range": [-0.02, 1.04], **axis, **layout.pop("yaxis", {})}
    # Pass everything at once, because plotly takes ten times as long to update an existing figure.
    return go.Figure(
        layout={
            "template": "none",
            "height": HEIGHT,
            "margin": {"l": 48, "r": 16, "t": 16, "b": 44},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {"color": TEXT[mode], "size": 13, "family": '"Source Sans", sans-serif'},
            "hovermode": "x unified",
            "hoverlabel": {"bgcolor": colour("paper", mode)},
            "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
            "xaxis": x_axis,
            "yaxis": y_axis,
            **layout,
        }
    )


def name_columns(
    figure: go.Figure, names: Sequence[str], places: Sequence[float] | None = None
) -> None:
    """Label columns horizontally, with text in brackets on a second line."""
    lines = [name.replace(" (", "<br>(") for name in names]
    figure.update_xaxes(
        tickvals=list(names if places is None else places),
        ticktext=lines,
        tickangle=0,
        tickfont={"size": 12},
        title=None,
    )
    figure.update_layout(margin={"b": 48})


def detector_trace(index: int, name: str, x: Any, y: Any, mode: Mode) -> go.Scatter:
    """Return the F1 line of a detector."""
    return go.Scatter(
        x=x,
        y=y,
        name=in_figure(name),
        mode="lines" if len(y) > 1 else "markers",
        line=detector_line(index, mode),
        hovertemplate="%{y:.3f}",
    )


def crossing_trace(
    x: Sequence[float], y: Sequence[float], texts: Sequence[str], mode: Mode
) -> go.Scatter:
    """Return open circles at the points where two detectors swap ranks."""
    return go.Scatter(
        x=x,
        y=y,
        mode="markers",
        name="places change",
        marker={"size": 11, "symbol": "circle-open", "color": TEXT[mode], "line": {"width": 2}},
        text=texts,
        hovertemplate="%{text}<extra></extra>",
    )


def diagonal_trace(mode: Mode) -> go.Scatter:
    """Return the dotted line on which both scores are equal."""
    return go.Scatter(
        x=[0, 1],
        y=[0, 1],
        mode="lines",
        line={"color": GRID[mode], "dash": "dot"},
        hoverinfo="skip",
        showlegend=False,
    )


def step_shape(is_stepped: bool) -> dict[str, str]:
    """Return the shape of a line over a parameter: steps, or straight between points."""
    return {"shape": "hvh" if is_stepped else "linear"}


def detector_lines(
    curves: Sequence[Curve],
    names: Sequence[str],
    crossed: Sequence[Crossing],
    at: float,
    number: Number,
    mode: Mode,
) -> go.Figure:
    """Draw F1 of each detector over a parameter, with crossings and the current value marked."""
    figure = empty_figure(mode, number.title)
    figure.update_layout(height=360, margin={"l": 48, "r": 16, "t": 34, "b": 44})
    for index, (curve, name) in enumerate(zip(curves, names, strict=True)):
        trace = detector_trace(index, name, curve.values, curve.f1, mode)
        trace.line.update(step_shape(number.is_stepped))
        figure.add_trace(trace)
    if crossed:
        places = [crossing.at for crossing in crossed]
        figure.add_trace(
            crossing_trace(
                places,
                [crossing.f1 for crossing in crossed],
                [f"crossing near {place:.3g}" for place in places],
                mode,
            )
        )
    figure.add_vline(x=at, line={"color": TEXT[mode], "width": 1, "dash": "dot"})
    return figure


def rank_bump(
    names: Sequence[str],
    heads: Sequence[str],
    ranks: Sequence[Sequence[float]],
    scores: Sequence[Sequence[float]],
    mode: Mode,
) -> go.Figure:
    """Draw ranks across protocols, one line per name.

    Each mark contains the rank, and the name is at the end of its line. A legend would not work,
    because there are more names than distinguishable colours and dashes.
    """
    ends: dict[float, list[int]] = {}
    for index, places in enumerate(ranks):
        if not isnan(places[-1]):
            ends.setdefault(float(places[-1]), []).append(index)
    texts = [shown(name, SHORT) for name in names]
    count, last = len(names), len(heads) - 1
    figure = empty_figure(
        mode,
        "",
        "rank",
        showlegend=False,
        height=90 + (40 if count <= FEW else 27) * count,
        margin={"l": 48, "r": 30 + 7 * max(map(len, texts), default=0), "t": 16, "b": 48},
        xaxis={"range": [-0.3, last + 0.3], "showgrid": False},
        yaxis={
            "range": [count + 0.5, 0.5],
            "tickmode": "linear",
            "tick0": 1,
            "dtick": max(1, count // 15),
        },
        annotations=[
            {
                "x": last,
                # Names that share a rank also use the space of the ranks that this leaves empty.
                "y": place + (len(own) - 1) / 2,
                "text": "<br>".join(html.escape(texts[index], quote=False) for index in own),
                "align": "left",
                "showarrow": False,
                "xanchor": "left",
                "xshift": 16,
                "font": {"size": 12, "color": detector_colour(own[0], mode)},
            }
            for place, own in ends.items()
        ],
    )
    for index, (name, places, f1) in enumerate(zip(names, ranks, scores, strict=True)):
        figure.add_trace(
            go.Scatter(
                x=list(heads),
                y=list(places),
                name=in_figure(name),
                mode="lines+markers+text",
                text=[f"{place:g}" for place in places],
                textfont={"color": colour("on-accent", mode), "size": 11},
                line=detector_line(index, mode),
                marker={"size": 22, "color": detector_colour(index, mode)},
                customdata=list(f1),
                hovertemplate="rank %{y}, F1 %{customdata:.3f}",
            )
        )
    name_columns(figure, heads)
    return figure
