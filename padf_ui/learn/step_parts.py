"""Extra part below a step's board: random detectors, a guess or a ranking."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from padf_core import ExponentialDecay, PointAdjustDecay, Settings, evaluate, evaluate_all
from padf_core.analysis.compare import ranks_of
from padf_core.paper.cases import TOY_CASES, random_detections
from padf_core.teaching.lessons import Step
from padf_ui.components import mounting, widgets
from padf_ui.components.figures import empty_figure
from padf_ui.components.lanes import all_thousandths
from padf_ui.components.tables import chart_with_table, show_table
from padf_ui.components.words import listed, score
from padf_ui.learn.patterns import TitledPattern, show_patterns
from padf_ui.session.asks import GUESS_KEY, answered, visit_name
from padf_ui.session.lesson import rank_case, reveal_truth, take_guess
from padf_ui.session.lesson_progress import LessonProgress
from padf_ui.web.palette import TEXT, detector_colour
from padf_ui.wire.board import GuessData

RANDOM_RATE, RANDOM_RUNS = 0.06, 50
ORDINALS = ("1st", "2nd", "3rd", "4th", "5th")


FASTER = 0.7
"""The other decay rate for which the paper prints results."""


def show_random(progress: LessonProgress) -> None:
    """Compare fifty random detectors with the careful one under PA."""
    careful, scores = random_scores(progress.step)
    st.markdown(random_summary(careful, scores))
    mode = widgets.mode()
    figure = empty_figure(mode, "F1 under PA", "")
    shift = np.random.default_rng(0).uniform(-0.3, 0.3, RANDOM_RUNS)
    figure.add_trace(
        go.Scatter(
            x=scores,
            y=shift,
            mode="markers",
            marker={"size": 9, "color": detector_colour(1, mode), "opacity": 0.75},
            hovertemplate="%{x:.3f}<extra></extra>",
        )
    )
    figure.add_vline(
        x=careful, line={"color": TEXT[mode], "width": 2}, annotation_text="the careful detector"
    )
    figure.update_xaxes(range=[0, 1.02])
    figure.update_yaxes(range=[-0.6, 0.6], showticklabels=False)
    figure.update_layout(height=190, hovermode="closest", showlegend=False)
    table = pd.DataFrame({"seed": range(RANDOM_RUNS), "F1 under PA": scores})
    chart_with_table(figure, table, "random_strip")


def random_scores(step: Step) -> tuple[float, list[float]]:
    """Return F1 under PA of the step's detector, and of fifty random ones."""
    protocol = step.chosen.protocol("pa")
    careful = evaluate(step.labels, step.detections, protocol).f1
    return careful, [
        evaluate(step.labels, random_detections(step.size, RANDOM_RATE, seed), protocol).f1
        for seed in range(RANDOM_RUNS)
    ]


def random_summary(careful: float, scores: Sequence[float]) -> str:
    """Say how many of the random detectors score higher than the step's."""
    above = sum(each > careful for each in scores)
    return (
        f"{above} of {RANDOM_RUNS} random detectors (each point flagged with probability "
        f"{100 * RANDOM_RATE:.0f} %) score higher than the careful detector's {score(careful)} "
        "under PA."
    )


def show_guess(progress: LessonProgress) -> None:
    """Let the reader draw how F1 depends on the delay, then show the true curve."""
    truth = delay_curve(progress.step, progress.chosen)
    is_shown = progress.at in progress.revealed
    data: GuessData = {
        "session": visit_name(),
        "answered": answered(GUESS_KEY),
        "title": "F1 under PAdf",
        "x": [str(delay) for delay in range(len(truth))],
        "axis": "delay of the alarm, steps",
        "truth": all_thousandths(truth) if is_shown else None,
        "guess": list(progress.guesses.get(progress.at, ())),
        "words": (
            f"F1 from {score(truth[0])} with no delay to {score(truth[-1])} at the last point."
        )
        if is_shown
        else "Draw the curve you expect.",
    }
    mounting.mount("guess", GUESS_KEY, data, take_guess)
    st.button("Show the answer", on_click=reveal_truth, disabled=is_shown)


def delay_curve(step: Step, settings: Settings) -> list[float]:
    """Return F1 under PAdf for a single alarm at each anomalous point."""
    inside = np.flatnonzero(step.labels)
    protocol = settings.protocol("padf")
    return [
        evaluate(step.labels, np.arange(step.size) == place, protocol).f1
        for place in inside.tolist()
    ]


def show_ranking(progress: LessonProgress) -> None:
    """Let the reader rank the five cases, then show the ranking of each protocol."""
    order = progress.orders.get(progress.at, ())
    shown = [
        TitledPattern(case.title, case.labels, case.detections, case.about) for case in TOY_CASES
    ]
    show_patterns("rank_patterns", shown, progress.chosen)
    st.markdown("**Click the cases from best to worst:**")
    with st.container(horizontal=True, gap="small"):
        for place, case in enumerate(TOY_CASES):
            rank = f": you ranked it {ORDINALS[order.index(place)]}" if place in order else ""
            st.button(
                f"{case.title}{rank}",
                key=f"rank_{place}",
                disabled=place in order,
                on_click=rank_case,
                args=(place,),
            )
    if len(order) == len(TOY_CASES):
        table = ranking_table(order, progress.chosen)
        show_table(table, [])
        st.markdown(agreement(order, progress.chosen))
        st.markdown(on_the_board(progress.step, progress.chosen))
    st.button("Begin again", on_click=rank_case, args=(None,), disabled=not order)


def ranking_table(order: tuple[int, ...], settings: Settings) -> pd.DataFrame:
    """Return the reader's ranks next to those of each protocol."""
    columns: dict[str, object] = {
        "Case": [case.title for case in TOY_CASES],
        "you": [order.index(place) + 1 for place in range(len(TOY_CASES))],
    }
    for protocol in settings.protocols():
        columns[protocol.label] = ranks_of(scores_under(protocol.key, settings))
    return pd.DataFrame(columns)


def on_the_board(step: Step, settings: Settings) -> str:
    """Give the scores of the pattern on the board, including PAdf at another decay rate."""
    results = evaluate_all(step.labels, step.detections, settings.protocols())
    scores = listed([f"{each.f1:.3f} under {each.protocol.label}" for each in results])
    other = evaluate(step.labels, step.detections, PointAdjustDecay(ExponentialDecay(FASTER)))
    return (
        f"On the board above the same detections score {scores}; with d = {FASTER} PAdf gives "
        f"{other.f1:.3f}. None of these numbers is wrong: each answers a different question."
    )


def scores_under(key: str, settings: Settings) -> list[float]:
    """Return F1 of the five cases under a protocol."""
    protocol = settings.protocol(key)
    return [evaluate(case.labels, case.detections, protocol).f1 for case in TOY_CASES]


def agreement(order: tuple[int, ...], settings: Settings) -> str:
    """Name the protocols that agree with the reader on most pairs of cases."""
    counts = {}
    for protocol in settings.protocols():
        f1 = scores_under(protocol.key, settings)
        counts[protocol.name] = sum(
            f1[better] > f1[worse] + 1e-12
            for at, better in enumerate(order)
            for worse in order[at + 1 :]
        )
    best = max(counts.values())
    names = [name for name, count in counts.items() if count == best]
    if len(names) == 1:
        return f"{names[0]} agrees with you on {best} of 10 pairs, more than any other protocol."
    return f"{listed(names)} agree with you on {best} of 10 pairs, more than the others."
