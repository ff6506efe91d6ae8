"""Chart of F1 over a parameter."""

from __future__ import annotations

import plotly.graph_objects as go

from padf_core import Curve, Evaluation
from padf_core.metrics.parameters import Number
from padf_core.metrics.protocols import Protocol
from padf_ui.components.figures import empty_figure, step_shape
from padf_ui.web.palette import TEXT, Mode, protocol_colour, protocol_line


def _line(curve: Curve, protocol: Protocol, is_stepped: bool, mode: Mode, name: str) -> go.Scatter:
    return go.Scatter(
        x=curve.values,
        y=curve.f1,
        name=name,
        mode="lines",
        line=protocol_line(protocol.key, mode) | step_shape(is_stepped),
        hovertemplate="%{y:.3f}",
    )


def parameter_curve(
    curve: Curve, here: Evaluation, at: float, number: Number, mode: Mode
) -> go.Figure:
    """Draw F1 of one protocol over its parameter, with the area and the current value marked."""
    protocol, height = here.protocol, here.f1
    figure = empty_figure(mode, number.title)
    line = _line(curve, protocol, number.is_stepped, mode, protocol.name)
    line.update(fill="tozeroy", fillcolor="rgba(86,180,233,0.14)", showlegend=False)
    figure.add_trace(line)
    figure.add_trace(
        go.Scatter(
            x=[at],
            y=[height],
            mode="markers",
            marker={"size": 11, "color": protocol_colour(protocol.key, mode)},
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
