"""F1 over a parameter and over a shift of the alarms."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from padf_core import Curve, Evaluation
from padf_core.protocols import Protocol
from padf_ui.theme import GRID, PROTOCOL_DASHES, PROTOCOL_LINES, TEXT, Mode

HEIGHT = 300


def empty_figure(mode: Mode, x_title: str, y_title: str = "F1") -> go.Figure:
    """Return a figure with the look of all charts; the y-axis is for scores from 0 to 1."""
    figure = go.Figure()
    figure.update_layout(
        template="none",
        height=HEIGHT,
        margin={"l": 48, "r": 16, "t": 16, "b": 44},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"color": TEXT[mode], "size": 13, "family": '"Source Sans", sans-serif'},
        hovermode="x unified",
        hoverlabel={"bgcolor": "#111827" if mode == "dark" else "#FFFFFF"},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
    )
    axis = {"gridcolor": GRID[mode], "zeroline": False, "linecolor": GRID[mode]}
    figure.update_xaxes(title=x_title, **axis)
    figure.update_yaxes(title=y_title, range=[-0.02, 1.04], **axis)
    return figure


def _line(curve: Curve, protocol: Protocol, mode: Mode, name: str) -> go.Scatter:
    return go.Scatter(
        x=curve.values,
        y=curve.f1,
        name=name,
        mode="lines",
        line={
            "color": PROTOCOL_LINES[protocol.key][mode],
            "dash": PROTOCOL_DASHES[protocol.key],
            "width": 2.5,
        },
        hovertemplate="%{y:.3f}",
    )


def parameter_curve(
    curve: Curve, here: Evaluation, at: float, x_title: str, mode: Mode
) -> go.Figure:
    """F1 of one protocol over its parameter, the area under it, and "you are here"."""
    protocol, height = here.protocol, here.f1
    figure = empty_figure(mode, x_title)
    line = _line(curve, protocol, mode, protocol.name)
    line.update(fill="tozeroy", fillcolor="rgba(86,180,233,0.14)", showlegend=False)
    figure.add_trace(line)
    figure.add_trace(
        go.Scatter(
            x=[at],
            y=[height],
            mode="markers",
            marker={"size": 11, "color": PROTOCOL_LINES[protocol.key][mode]},
            showlegend=False,
            hoverinfo="skip",
            cliponaxis=False,
        )
    )
    in_right_half = at > (curve.values[0] + curve.values[-1]) / 2
    figure.add_annotation(
        x=at,
        y=height,
        text=f"you are here: {height:.3f}",
        ax=-70 if in_right_half else 70,
        ay=40 if height > 0.5 else -40,
        arrowcolor=TEXT[mode],
        arrowwidth=1,
        arrowhead=0,
    )
    return figure


def shift_curves(
    curves: Sequence[Curve], protocols: Sequence[Protocol], step: str, mode: Mode
) -> go.Figure:
    """F1 of every protocol as the alarms move; 0 is where they are now."""
    figure = empty_figure(mode, f"alarms moved by ({step})")
    for curve, protocol in zip(curves, protocols, strict=True):
        figure.add_trace(_line(curve, protocol, mode, protocol.label))
    figure.add_vline(x=0, line={"color": TEXT[mode], "width": 1, "dash": "dot"})
    return figure
