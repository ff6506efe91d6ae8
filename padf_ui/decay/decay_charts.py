"""Charts for choosing a decay rate."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from padf_core import PointAdjustDecay
from padf_core.metrics.sweep_results import Sweep
from padf_ui.components.figures import detector_trace, empty_figure
from padf_ui.components.names import in_figure
from padf_ui.web.palette import TEXT, Mode, detector_colour, detector_line, protocol_line

CREDIT_POINTS = 241


def credit_curves(
    protocols: Sequence[tuple[str, PointAdjustDecay]],
    last: float,
    unit: float,
    title: str,
    anchor: tuple[float, float],
    mode: Mode,
) -> go.Figure:
    """Draw credit over delay for one or more decays, with the need marked by a star."""
    figure = empty_figure(mode, title, "credit")
    delays = np.linspace(0, last, CREDIT_POINTS)
    for index, (name, protocol) in enumerate(protocols):
        figure.add_trace(
            go.Scatter(
                x=delays / unit,
                y=protocol.worth(delays),
                name=name,
                mode="lines",
                line=(
                    protocol_line(PointAdjustDecay.key, mode)
                    if len(protocols) == 1
                    else detector_line(index, mode)
                ),
                hovertemplate="%{y:.3f}",
            )
        )
    figure.add_trace(
        go.Scatter(
            x=[anchor[0] / unit],
            y=[anchor[1]],
            name="the need",
            mode="markers",
            marker={"size": 14, "symbol": "star", "color": TEXT[mode]},
            hovertemplate="the need: %{y:.0%} at %{x:.4g}<extra></extra>",
        )
    )
    figure.update_layout(margin={"l": 48, "r": 16, "t": 34, "b": 44})
    return figure


def threshold_lines(
    sweeps: Sequence[Sweep], names: Sequence[str], points: int, mode: Mode
) -> go.Figure:
    """Draw PAdf F1 of each detector over the share of points that are false alarms."""
    figure = empty_figure(mode, "false alarms, in % of all points (logarithmic)")
    figure.update_layout(margin={"l": 48, "r": 16, "t": 34, "b": 44})
    for index, (sweep, name) in enumerate(zip(sweeps, names, strict=True)):
        wrong = 100 * np.maximum(sweep.false_positives, 0.5) / points
        figure.add_trace(detector_trace(index, name, wrong, sweep.f1, mode))
    figure.update_xaxes(type="log")
    return figure


def delay_dots(
    delays: Sequence[np.ndarray], names: Sequence[str], unit: str, mode: Mode
) -> go.Figure:
    """Draw the delay of every segment that each detector found, one row per detector."""
    figure = empty_figure(mode, f"delay, {unit}", "")
    for index, (found, name) in enumerate(zip(delays, names, strict=True)):
        known = found[~np.isnan(found)]
        shift = np.linspace(-0.22, 0.22, known.size) if known.size > 1 else np.zeros(known.size)
        figure.add_trace(
            go.Scatter(
                x=known,
                y=index + shift,
                name=in_figure(name),
                mode="markers",
                marker={"size": 8, "color": detector_colour(index, mode), "opacity": 0.75},
                hovertemplate=f"%{{x:.4g}} {unit}",
            )
        )
    figure.update_yaxes(
        range=[len(names) - 0.5, -0.5],
        tickvals=list(range(len(names))),
        ticktext=[in_figure(name) for name in names],
        automargin=True,
    )
    figure.update_layout(
        height=max(190, 90 + 44 * len(names)), showlegend=False, hovermode="closest"
    )
    known = np.concatenate([found[~np.isnan(found)] for found in delays])
    longest = float(known.max(initial=0.0)) or 1.0
    figure.update_xaxes(range=[-0.02 * longest, 1.04 * longest])
    return figure
