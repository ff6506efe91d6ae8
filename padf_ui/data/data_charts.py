"""Charts of Your data: thresholds, delays, ranks and confidence intervals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from padf_core.analysis.uncertainty import Uncertainty
from padf_core.metrics.sweep_results import BestPoint, Sweep
from padf_ui.components.figures import empty_figure, name_columns, rank_bump
from padf_ui.components.names import in_figure
from padf_ui.session.study import Study
from padf_ui.study.comparison import Comparison
from padf_ui.study.detector_tables import delay_bins
from padf_ui.web.palette import (
    GRID,
    TEXT,
    Mode,
    detector_colour,
    detector_mark,
    protocol_colour,
    protocol_line,
)

_MEASURES = (("F1", "f1"), ("Precision", "precision"), ("Recall", "recall"))


def threshold_curves(
    sweeps: Sequence[Sweep],
    best: Sequence[BestPoint],
    threshold: float,
    study: Study,
    by_share: bool,
    mode: Mode,
) -> go.Figure:
    """Draw F1, precision and recall over the threshold, or over the share of points flagged."""
    flagged = sweeps[0].flagged / study.series.counted
    thresholds = sweeps[0].thresholds
    x = 100 * flagged if by_share else study.detector.in_file(thresholds)
    title = "points flagged, in % (logarithmic)" if by_share else "threshold"
    figure = empty_figure(mode, title)
    figure.update_layout(height=560, margin={"l": 56, "r": 16, "t": 34, "b": 48})
    for panel, (name, attribute) in enumerate(_MEASURES):
        axis = "" if panel == 0 else str(panel + 1)
        for sweep in sweeps:
            figure.add_trace(
                go.Scatter(
                    x=x,
                    y=getattr(sweep, attribute),
                    yaxis=f"y{axis}",
                    name=sweep.protocol.label,
                    legendgroup=sweep.protocol.key,
                    showlegend=panel == 0,
                    mode="lines",
                    line=protocol_line(sweep.protocol.key, mode) | {"shape": "hv"},
                    hovertemplate=f"{name} %{{y:.3f}}<extra>{sweep.protocol.name}</extra>",
                )
            )
        top = 1 - panel * 0.345
        figure.update_layout(
            {
                f"yaxis{axis}": {
                    "title": name,
                    "domain": [max(0.0, top - 0.31), top],
                    "range": [-0.03, 1.05],
                    "gridcolor": GRID[mode],
                    "linecolor": GRID[mode],
                    "zeroline": False,
                    "anchor": "x",
                }
            }
        )
    figure.update_xaxes(anchor="y3", type="log" if by_share else "linear")
    where = {float(value): float(at) for value, at in zip(thresholds, x, strict=True)}
    figure.add_trace(
        go.Scatter(
            x=[where.get(point.threshold, np.nan) for point in best],
            y=[point.f1 for point in best],
            mode="markers",
            name="best",
            marker={
                "size": 13,
                "symbol": "star",
                "color": [protocol_colour(point.protocol.key, mode) for point in best],
                "line": {"color": TEXT[mode], "width": 1},
            },
            hovertemplate=[
                f"best for {point.protocol.name}: F1 {point.f1:.3f} at "
                f"{study.detector.in_file(point.threshold)!r}<extra></extra>"
                for point in best
            ],
        )
    )
    here = where.get(float(threshold))
    if here is not None and (not by_share or here > 0):
        figure.add_shape(
            type="line",
            x0=here,
            x1=here,
            xref="x",
            y0=0,
            y1=1,
            yref="paper",
            line={"color": TEXT[mode], "width": 1, "dash": "dot"},
        )
    figure.update_layout(hovermode="closest")
    return figure


def delay_histogram(delays: np.ndarray, unit: str, mode: Mode) -> go.Figure:
    """Draw a histogram of delays. Missed segments have a bar of their own."""
    found = delays[~np.isnan(delays)]
    missed = delays.size - found.size
    counts, edges = delay_bins(delays)
    one = counts.size == 1
    figure = empty_figure(
        mode,
        f"delay, {unit}",
        "segments",
        hovermode="closest",
        bargap=0,
        xaxis={"range": [edges[0], edges[0] + 12 * float(edges[1] - edges[0])]} if one else {},
        yaxis={"range": None, "rangemode": "tozero", "dtick": 1 if counts.max() < 8 else None},
    )
    figure.add_trace(
        go.Bar(
            x=(edges[1:] + edges[:-1]) / 2,
            y=counts,
            width=np.diff(edges) * 0.94,
            name="found",
            marker={"color": detector_colour(0, mode)},
            customdata=np.column_stack((edges[:-1], edges[1:])),
            hovertemplate=f"%{{customdata[0]:.3g}} to %{{customdata[1]:.3g}} {unit}: "
            "%{y} segments<extra></extra>",
        )
    )
    if missed:
        width = float(edges[1] - edges[0])
        figure.add_trace(
            go.Bar(
                x=[edges[-1] + 1.5 * width],
                y=[missed],
                width=width * 0.94,
                name=f"missed: {missed}",
                marker={
                    "color": detector_colour(1, mode),
                    "pattern": {"shape": "x", "size": 6},
                },
                hovertemplate="missed: %{y} segments<extra></extra>",
            )
        )
    return figure


def bump_chart(compared: Comparison, mode: Mode) -> go.Figure:
    """Draw the ranks of the detectors across protocols."""
    return rank_bump(
        compared.names,
        [protocol.label for protocol in compared.protocols],
        compared.ranks,
        [[row.f1 for row in points] for points in compared.points],
        mode,
    )


def interval_chart(
    compared: Comparison, sure: Sequence[Uncertainty], level: float, mode: Mode
) -> go.Figure:
    """Draw F1 of each detector with its confidence interval, protocol by protocol."""
    figure = empty_figure(mode, "")
    heads = [made.protocol.label for made in sure]
    count = len(compared.names)
    for row, name in enumerate(compared.names):
        ends = [made.interval(row, level) for made in sure]
        heights = [made.f1(row) for made in sure]
        shift = (row - (count - 1) / 2) * 0.7 / max(count, 1)
        figure.add_trace(
            go.Scatter(
                x=[index + shift for index in range(len(heads))],
                y=heights,
                name=in_figure(name),
                mode="markers",
                marker={
                    "size": 10,
                    "color": detector_colour(row, mode),
                    "symbol": detector_mark(row),
                },
                error_y={
                    "type": "data",
                    "symmetric": False,
                    "array": [max(0.0, end[1] - y) for end, y in zip(ends, heights, strict=True)],
                    "arrayminus": [
                        max(0.0, y - end[0]) for end, y in zip(ends, heights, strict=True)
                    ],
                    "color": detector_colour(row, mode),
                    "thickness": 2,
                    "width": 5,
                },
                customdata=ends,
                hovertemplate="%{y:.3f}, from %{customdata[0]:.3f} to %{customdata[1]:.3f}",
            )
        )
    figure.update_xaxes(range=[-0.5, len(heads) - 0.5])
    figure.update_layout(height=380, hovermode="closest", margin={"l": 48, "r": 16, "t": 34})
    name_columns(figure, heads, range(len(heads)))
    return figure
