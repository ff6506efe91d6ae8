"""Charts of a corpus: detectors over all series, ranks and F1 per series."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from padf_core.corpus.ranking import Ranking
from padf_core.corpus.results import Disagreement, Summary
from padf_ui.components.figures import diagonal_trace, empty_figure
from padf_ui.components.names import in_figure
from padf_ui.web.palette import TEXT, Mode, detector_colour, detector_mark, protocol_colour

RANDOM = "random baseline"
FEW_SERIES = 15


def colour_of(protocol: str, index: int, mode: Mode) -> str:
    """Return the colour of a known protocol. Otherwise return the detector colour at an index."""
    try:
        return protocol_colour(protocol, mode)
    except KeyError:
        return detector_colour(index, mode)


def detector_dots(
    summary: Sequence[Summary],
    order: Sequence[str],
    labels: Mapping[str, str],
    is_pooled: bool,
    mode: Mode,
) -> go.Figure:
    """Draw F1 with intervals for every detector and protocol, and the random baseline below."""
    figure = empty_figure(mode, "F1", "")
    rows = [*order, RANDOM]
    which = "pooled" if is_pooled else "mean"
    for index, (protocol, label) in enumerate(labels.items()):
        own = {row.detector: row for row in summary if row.protocol == protocol}
        shift = 0.6 * ((index + 0.5) / len(labels) - 0.5)
        known = [(place, own[name]) for place, name in enumerate(order) if name in own]
        f1 = [getattr(row, f"{which}_f1") for _, row in known]
        baselines = [getattr(row, f"{which}_random_f1") for _, row in known]
        baseline = float(np.nanmean(baselines)) if np.isfinite(baselines).any() else None
        low = [
            max(0.0, f - getattr(row, f"{which}_low"))
            for f, (_, row) in zip(f1, known, strict=True)
        ]
        high = [
            max(0.0, getattr(row, f"{which}_high") - f)
            for f, (_, row) in zip(f1, known, strict=True)
        ]
        extra = [] if baseline is None else [baseline]
        nothing = [0.0] * len(extra)
        figure.add_trace(
            go.Scatter(
                x=f1 + extra,
                y=[place + shift for place, _ in known] + [len(order) + shift] * len(extra),
                name=label,
                mode="markers",
                marker={
                    "size": 9,
                    "color": colour_of(protocol, index, mode),
                    "symbol": detector_mark(index),
                },
                error_x={
                    "type": "data",
                    "symmetric": False,
                    "array": high + nothing,
                    "arrayminus": low + nothing,
                    "thickness": 1.2,
                    "width": 3,
                },
                text=[in_figure(row.detector) for _, row in known] + [RANDOM] * len(extra),
                hovertemplate="%{text}: %{x:.3f}",
            )
        )
    _rows_axis(figure, [in_figure(name) for name in rows])
    figure.add_hline(y=len(order) - 0.5, line={"color": TEXT[mode], "width": 1, "dash": "dot"})
    figure.update_xaxes(range=[-0.02, 1.02])
    figure.update_layout(
        height=110 + 34 * len(rows),
        hovermode="closest",
        margin={"l": 130, "r": 12, "t": 56, "b": 44},
    )
    return figure


def _rows_axis(figure: go.Figure, names: Sequence[str]) -> None:
    """Label the y-axis with names, from top to bottom."""
    figure.update_yaxes(
        range=[len(names) - 0.5, -0.5],
        tickvals=list(range(len(names))),
        ticktext=list(names),
        title=None,
        automargin=True,
    )


def critical_differences(ranking: Ranking, mode: Mode) -> go.Figure:
    """Draw mean ranks, best at the top. Bars join detectors without a significant difference."""
    order = ranking.best_first
    figure = empty_figure(mode, "mean rank (1 is best)", "")
    figure.add_trace(
        go.Scatter(
            x=[ranking.mean_ranks[name] for name in order],
            y=list(range(len(order))),
            mode="markers",
            marker={"size": 11, "color": detector_colour(0, mode)},
            text=[in_figure(name) for name in order],
            hovertemplate="%{text}: %{x:.2f}<extra></extra>",
            showlegend=False,
        )
    )
    right = len(order) + 0.6
    step = 0.035 * len(order)
    for level, group in enumerate(ranking.groups):
        ends = [order.index(group[0]) - 0.2, order.index(group[-1]) + 0.2]
        figure.add_trace(
            go.Scatter(
                x=[right + step * level] * 2,
                y=ends,
                mode="lines",
                line={"color": TEXT[mode], "width": 4},
                hovertemplate=(
                    f"no significant difference: {in_figure(group[0])} to "
                    f"{in_figure(group[-1])}<extra></extra>"
                ),
                showlegend=False,
            )
        )
    _rows_axis(figure, [in_figure(name) for name in order])
    figure.update_xaxes(
        range=[0.5, right + step * max(1, len(ranking.groups))],
        tickvals=list(range(1, len(order) + 1, max(1, len(order) // 8))),
    )
    if ranking.groups:
        figure.add_annotation(
            x=1, y=1.0, xref="paper", yref="paper", xanchor="right", yanchor="bottom",
            text="joined: no significant difference", showarrow=False, font={"color": TEXT[mode]},
        )  # fmt: skip
    figure.update_layout(
        height=90 + 26 * len(order),
        hovermode="closest",
        margin={"l": 130, "r": 12, "t": 28, "b": 48},
    )
    return figure


def series_strips(
    by_series: Mapping[str, Mapping[str, float]], order: Sequence[str], mode: Mode
) -> go.Figure:
    """Draw F1 per series: a row per detector, a dot per series, and quartiles behind."""
    figure = empty_figure(mode, "F1 on one series", "")
    rng = np.random.default_rng(0)
    for place, name in enumerate(order):
        own = [(series, f1[name]) for series, f1 in by_series.items() if name in f1]
        values = [f1 for _, f1 in own]
        figure.add_trace(
            go.Box(
                x=values,
                y0=place,
                orientation="h",
                boxpoints=False,
                width=0.6,
                line={"color": TEXT[mode], "width": 1},
                fillcolor="rgba(0,0,0,0)",
                hoverinfo="skip",
                showlegend=False,
            )
        )
        figure.add_trace(
            go.Scatter(
                x=values,
                y=place + 0.44 * (rng.random(len(own)) - 0.5),
                mode="markers",
                marker={"size": 6, "opacity": 0.7, "color": detector_colour(place, mode)},
                customdata=[[series, name] for series, _ in own],
                text=[in_figure(f"{series}: {name}") for series, _ in own],
                hovertemplate="%{text} %{x:.3f}<extra></extra>",
                showlegend=False,
            )
        )
    _rows_axis(figure, [in_figure(name) for name in order])
    figure.update_xaxes(range=[-0.03, 1.03])
    figure.update_layout(
        height=80 + 34 * len(order),
        hovermode="closest",
        dragmode=False,
        margin={"l": 130, "r": 12, "t": 16, "b": 44},
    )
    return figure


def duel(
    by_series: Mapping[str, Mapping[str, float]], first: str, second: str, mode: Mode
) -> go.Figure:
    """Compare two detectors, one dot per series. Above the line the second one is better."""
    figure = empty_figure(mode, f"F1, {in_figure(first)}", f"F1, {in_figure(second)}")
    own = [(name, f1) for name, f1 in by_series.items() if first in f1 and second in f1]
    figure.add_trace(diagonal_trace(mode))
    figure.add_trace(
        go.Scatter(
            x=[f1[first] for _, f1 in own],
            y=[f1[second] for _, f1 in own],
            mode="markers",
            marker={"size": 9, "opacity": 0.8, "color": detector_colour(0, mode)},
            customdata=[[name, first if f1[first] >= f1[second] else second] for name, f1 in own],
            text=[in_figure(name) for name, _ in own],
            hovertemplate="%{text}: %{x:.3f}, %{y:.3f}<extra></extra>",
            showlegend=False,
        )
    )
    figure.update_xaxes(range=[-0.03, 1.03])
    figure.update_layout(
        height=420,
        hovermode="closest",
        dragmode=False,
        margin={"l": 52, "r": 16, "t": 16, "b": 48},
    )
    return figure


def disagreement_bars(found: Sequence[Disagreement], mode: Mode) -> go.Figure:
    """Draw the series on which two protocols rank the detectors most differently."""
    shown = list(found[:FEW_SERIES])
    figure = empty_figure(mode, "mean change of rank", "")
    figure.add_trace(
        go.Bar(
            x=[each.moved for each in shown],
            y=list(range(len(shown))),
            orientation="h",
            marker={"color": detector_colour(2, mode)},
            customdata=[[each.series, each.detector] for each in shown],
            text=[in_figure(each.series) for each in shown],
            textposition="none",
            hovertemplate="%{text}: %{x:.1f}<extra></extra>",
            showlegend=False,
        )
    )
    _rows_axis(figure, [in_figure(each.series.rsplit("/", 1)[-1])[:34] for each in shown])
    highest = max((each.moved for each in shown), default=1.0)
    figure.update_xaxes(range=[0, 1.08 * max(highest, 0.1)])
    figure.update_layout(
        height=90 + 26 * len(shown),
        hovermode="closest",
        dragmode=False,
        margin={"l": 150, "r": 12, "t": 16, "b": 48},
    )
    return figure
