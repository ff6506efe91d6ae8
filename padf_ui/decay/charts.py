"""Charts for choosing a decay rate."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from padf_core import Curve, ExponentialDecay, PointAdjustDecay
from padf_core.analysis.flips import Band, Flip
from padf_core.metrics.decay import ShapedDecay
from padf_core.metrics.sweep import Sweep
from padf_ui.shared.charts import crossing_trace, detector_trace, empty_figure
from padf_ui.shared.names import in_figure
from padf_ui.shared.theme import TEXT, Mode, detector_colour, detector_line, protocol_line

MAX_HALF_LIFE = 1000.0
"""Half-lives beyond this many steps are not drawn: they hardly differ from PA."""


def credit_curves(
    decays: Sequence[tuple[str, ShapedDecay]],
    steps: int,
    unit: float,
    title: str,
    anchor: tuple[float, float],
    mode: Mode,
) -> go.Figure:
    """Credit over delay for one or more decays; the stated need is marked."""
    figure = empty_figure(mode, title, "credit")
    delays = np.arange(steps + 1)
    for index, (name, decay) in enumerate(decays):
        figure.add_trace(
            go.Scatter(
                x=delays * unit,
                y=decay(delays),
                name=name,
                mode="lines+markers" if steps <= 40 else "lines",
                line=(
                    protocol_line(PointAdjustDecay.key, mode)
                    if len(decays) == 1
                    else detector_line(index, mode)
                )
                | {"shape": "hv" if decay.drops else "linear"},
                marker={"size": 5},
                hovertemplate="%{y:.3f}",
            )
        )
    figure.add_trace(
        go.Scatter(
            x=[anchor[0]],
            y=[anchor[1]],
            name="the need",
            mode="markers",
            marker={"size": 14, "symbol": "star", "color": TEXT[mode]},
            hovertemplate="the need: %{y:.0%} at %{x:.4g}<extra></extra>",
        )
    )
    figure.update_layout(margin={"l": 48, "r": 16, "t": 34, "b": 44})
    return figure


def winner_chart(
    curves: Sequence[Curve],
    names: Sequence[str],
    flips: Sequence[Flip],
    cut: Sequence[Band],
    here: float,
    step: float | None,
    unit: str,
    mode: Mode,
) -> go.Figure:
    """F1 of each detector over d, or over the half-life; the winner's colour lies behind.

    ``step`` is the length of a step in ``unit``; None shows the decay rate itself.
    """

    def x_of(rate: float) -> float:
        return rate if step is None else min(ExponentialDecay(rate).half_life, MAX_HALF_LIFE) * step

    title = "decay rate d" if step is None else f"half-life, {unit} (logarithmic)"
    figure = empty_figure(mode, title)
    figure.update_layout(height=380, margin={"l": 48, "r": 16, "t": 34, "b": 44})
    for band in cut:
        figure.add_shape(
            type="rect",
            x0=x_of(band.start),
            x1=x_of(band.stop),
            y0=0,
            y1=1,
            yref="paper",
            fillcolor=detector_colour(band.ranking[0], mode),
            opacity=0.12,
            line={"width": 0},
            layer="below",
        )
    for index, (curve, name) in enumerate(zip(curves, names, strict=True)):
        places = [x_of(rate) for rate in curve.values]
        figure.add_trace(detector_trace(index, name, places, curve.f1, mode))
    if flips:
        heights = [
            float(np.interp(flip.at, curves[flip.above].values, curves[flip.above].f1))
            for flip in flips
        ]
        texts = [f"places change at d = {flip.at:.4f}" for flip in flips]
        figure.add_trace(crossing_trace([x_of(flip.at) for flip in flips], heights, texts, mode))
    figure.update_xaxes(type="linear" if step is None else "log")
    line = {"color": TEXT[mode], "width": 1, "dash": "dot"}
    place = x_of(here)
    figure.add_shape(type="line", x0=place, x1=place, y0=0, y1=1, yref="paper", line=line)
    return figure


def threshold_lines(
    sweeps: Sequence[Sweep], names: Sequence[str], points: int, mode: Mode
) -> go.Figure:
    """F1 under PAdf of each detector over the share of points that are false alarms."""
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
    """The delay of every segment that each detector found, one row per detector."""
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
    longest = max((float(np.nanmax(d)) for d in delays if not np.isnan(d).all()), default=1.0)
    figure.update_xaxes(range=[-0.02 * max(longest, 1e-9), 1.04 * max(longest, 1e-9)])
    return figure
