"""Charts for choosing a decay rate."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from padf_core import PointAdjustDecay
from padf_core.metrics.sweep import Sweep
from padf_ui.decay.results import Decided
from padf_ui.shared.charts import crossing_trace, detector_trace, empty_figure
from padf_ui.shared.names import in_figure
from padf_ui.shared.theme import TEXT, Mode, detector_colour, detector_line, protocol_line

CREDIT_POINTS = 241


def credit_curves(
    protocols: Sequence[tuple[str, PointAdjustDecay]],
    last: float,
    unit: float,
    title: str,
    anchor: tuple[float, float],
    mode: Mode,
) -> go.Figure:
    """Credit over delay for one or more decays, up to a last delay; the need is marked on it."""
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


def winner_chart(
    made: Decided, names: Sequence[str], here: float, f1_here: Sequence[float], mode: Mode
) -> go.Figure:
    """F1 of each detector over the decay's number, and of random ones; the winner's colour behind.

    A star on each curve marks the number that was chosen.
    """
    numbers, size = made.numbers, made.size
    first, last = float(numbers[0]), float(numbers[-1])
    figure = empty_figure(mode, made.title)
    figure.update_layout(height=380, margin={"l": 48, "r": 16, "t": 34, "b": 44})
    for band in made.race.bands:
        if band.start > last or band.stop < first:
            continue
        figure.add_shape(
            type="rect",
            x0=max(band.start, first) / size,
            x1=min(band.stop, last) / size,
            y0=0,
            y1=1,
            yref="paper",
            fillcolor=detector_colour(band.ranking[0], mode),
            opacity=0.12,
            line={"width": 0},
            layer="below",
        )
    low, high = made.random.band()
    grey = TEXT[mode]
    for index, (edge, fill) in enumerate(((low, None), (high, "tonexty"))):
        figure.add_trace(
            go.Scatter(
                x=numbers / size,
                y=edge[:-1],
                mode="lines",
                line={"width": 0},
                fill=fill,
                fillcolor="rgba(128, 128, 128, 0.25)",
                name="90 % of random detectors",
                showlegend=bool(index),
                hoverinfo="skip",
            )
        )
    mean = go.Scatter(
        x=numbers / size,
        y=made.random.mean[:-1],
        name="random detector, mean",
        mode="lines",
        line={"color": grey, "width": 1.5, "dash": "dot"},
        hovertemplate="%{y:.3f}",
    )
    figure.add_trace(mean)
    for index, (curve, name) in enumerate(zip(made.curves, names, strict=True)):
        figure.add_trace(detector_trace(index, name, numbers / size, curve, mode))
    flips = [flip for flip in made.race.flips if first <= flip.at <= last]
    if flips:
        heights = [made.race.forms[flip.above].best_at(made.race.axis, flip.at) for flip in flips]
        texts = [f"places change at {flip.at / size:.4g} {made.unit}" for flip in flips]
        places = [flip.at / size for flip in flips]
        figure.add_trace(crossing_trace(places, heights, texts, mode))
    figure.add_trace(
        go.Scatter(
            x=[here / size] * len(f1_here),
            y=list(f1_here),
            name="the need",
            mode="markers",
            marker={"size": 12, "symbol": "star", "color": grey},
            hovertemplate="the need: %{y:.3f}<extra></extra>",
        )
    )
    figure.update_xaxes(type="log")
    line = {"color": grey, "width": 1, "dash": "dot"}
    figure.add_shape(
        type="line", x0=here / size, x1=here / size, y0=0, y1=1, yref="paper", line=line
    )
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
