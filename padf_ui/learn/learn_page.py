"""A lesson on one board: words, a question to answer first, and what may be moved."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from padf_core import ExponentialDecay, PointAdjustDecay, Settings, evaluate, evaluate_all
from padf_core.analysis.compare import ranks_of
from padf_core.paper.cases import TOY_CASES, random_detections
from padf_core.teaching.lessons import Lesson, Step, lesson_to_json
from padf_ui.components import downloads, mounting, widgets
from padf_ui.components.board_message import board_rows
from padf_ui.components.figures import empty_figure
from padf_ui.components.file_names import stamped
from padf_ui.components.lanes import all_thousandths, sliders_of
from padf_ui.components.names import plain
from padf_ui.components.palette import TEXT, detector_colour
from padf_ui.components.standalone import frame_line, lesson_html, tailor_of
from padf_ui.components.tables import chart_with_table, show_table
from padf_ui.components.terms import say, tell
from padf_ui.components.words import listed, score
from padf_ui.learn.handout import handout_html
from padf_ui.learn.patterns import TitledPattern, show_patterns
from padf_ui.session.board import link_to, open_in_playground
from padf_ui.session.lesson import (
    LessonProgress,
    answer_step,
    current_progress,
    go_to_step,
    lesson_revision,
    name_of,
    present_lesson,
    rank_case,
    reveal_truth,
    take_guess,
    take_lesson,
)
from padf_ui.session.store import (
    GUESS_KEY,
    LESSON_KEY,
    answered,
    take_choice,
    visit_name,
    widget_key,
)
from padf_ui.wire.board import BoardData, GuessData

RANDOM_RATE, RANDOM_RUNS = 0.06, 50
OPEN, DONE, HERE = "○", "●", "◉"
FASTER = 0.7
"""The other decay rate that the paper prints."""
LESSON_FILE = "padf-lesson.html"


# ---- where one is --------------------------------------------------------------------------------


def show_dots(progress: LessonProgress) -> None:
    """Show how far one is: a dot per step, each one click away."""
    count = len(progress.lesson.steps)
    key = widget_key("lesson_step", progress.at)
    st.segmented_control(
        "Step",
        range(count),
        default=progress.at,
        key=key,
        format_func=lambda at: HERE if at == progress.at else DONE if at < progress.at else OPEN,
        label_visibility="collapsed",
        on_change=take_choice,
        args=("lesson_step", key, _go),
    )


def _go(at: int | None) -> None:
    if at is not None:
        go_to_step(at)


def show_turns(progress: LessonProgress) -> None:
    """Show the ways back, on, and into the Playground."""
    last = len(progress.lesson.steps) - 1
    with st.container(horizontal=True, gap="small", key="padf_turns"):
        st.button("Back", disabled=not progress.at, on_click=go_to_step, args=(progress.at - 1,))
        st.button(
            "Next",
            type="primary",
            disabled=progress.at == last,
            on_click=go_to_step,
            args=(progress.at + 1,),
        )
        st.button(
            "Open in the Playground",
            on_click=open_in_playground,
            args=(progress.board, progress.chosen),
        )
        if progress.is_presented:
            st.button("Leave", on_click=present_lesson, args=(False,))
        else:
            st.button("Present", on_click=present_lesson, args=(True,), help="Big type, no frame")


# ---- the step ------------------------------------------------------------------------------------


def show_words(progress: LessonProgress) -> None:
    """Show the step's title and text, and its question."""
    step = progress.step
    st.header(f"{progress.at + 1}. {plain(step.title)}", anchor=False)
    say(step.text)
    if step.question is not None:
        _show_question(progress)


def _show_question(progress: LessonProgress) -> None:
    question = progress.step.question
    if question is None:
        return
    st.markdown(f"**{plain(question.text)}**")
    for place, answer in enumerate(question.answers):
        is_chosen = progress.answer == place
        mark = "" if not is_chosen else " ✓" if place == question.right else " ✗"
        st.button(
            f"{plain(answer)}{mark}",
            key=f"answer_{progress.at}_{place}",
            type="primary" if is_chosen else "secondary",
            on_click=answer_step,
            args=(place,),
            width="stretch",
        )
    if progress.answer is not None:
        right = progress.answer == question.right
        told = "Right. " if right else f"It is {question.answers[question.right]}. "
        tell(f"{told}{question.why}")


def lanes_high(progress: LessonProgress) -> int:
    """Return how high the board is on a phone, in lanes: sliders are two, the formula is one."""
    step = progress.step
    return len(step.lanes) + 2 * bool(step.sliders) + (step.formula and progress.is_open)


def show_board() -> None:
    """Show the step's board; numbers wait until the question is answered."""
    mounting.stand("board", LESSON_KEY)
    _answer_board()


@st.fragment
def _answer_board() -> None:
    mounting.send(LESSON_KEY, lesson_board(current_progress()), take_lesson)


def lesson_board(progress: LessonProgress) -> BoardData:
    """Return the board of a step as it is tailored."""
    board, settings, step = progress.board, progress.chosen, progress.step
    return {
        "session": visit_name(),
        "revision": lesson_revision(),
        "answered": answered(LESSON_KEY),
        "hint": progress.at == 0 and 0 not in progress.boards,
        "history": progress.board_name,
        "link": link_to(board, settings),
        "rows": board_rows(
            board.labels, board.detections, settings, board.step_seconds, lanes=step.lanes,
            worth=step.worth,
        ),
        "sliders": sliders_of(settings, board.step_seconds),
        "tailor": tailor_of(step, is_open=progress.is_open),
    }  # fmt: skip


# ---- what stands beside the board ----------------------------------------------------------------


def show_part(progress: LessonProgress) -> None:
    """Show what a step has beside its board."""
    part = progress.step.part
    if part == "random" and progress.is_open:
        _show_random(progress)
    elif part == "guess":
        _show_guess(progress)
    elif part == "rank":
        _show_ranking(progress)


def _show_random(progress: LessonProgress) -> None:
    """Show fifty random detectors under PA, and the careful one among them."""
    step = progress.step
    protocol = step.chosen.protocol("pa")
    careful = evaluate(step.labels, step.detections, protocol).f1
    tossed = [
        evaluate(step.labels, random_detections(step.size, RANDOM_RATE, seed), protocol).f1
        for seed in range(RANDOM_RUNS)
    ]
    above = sum(each > careful for each in tossed)
    st.markdown(
        f"{above} of {RANDOM_RUNS} random detectors (each point flagged with "
        f"{100 * RANDOM_RATE:.0f} %) score above the careful one's {score(careful)} under PA."
    )
    mode = widgets.mode()
    figure = empty_figure(mode, "F1 under PA", "")
    shift = np.random.default_rng(0).uniform(-0.3, 0.3, RANDOM_RUNS)
    figure.add_trace(
        go.Scatter(
            x=tossed,
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
    table = pd.DataFrame({"seed": range(RANDOM_RUNS), "F1 under PA": tossed})
    chart_with_table(figure, table, "random_strip")


def _show_guess(progress: LessonProgress) -> None:
    """Let the reader draw how F1 falls with the delay, then show it."""
    truth = delay_curve(progress.step, progress.chosen)
    is_shown = progress.at in progress.revealed
    data: GuessData = {
        "session": visit_name(),
        "answered": answered(GUESS_KEY),
        "title": "F1 under PAdf",
        "x": [str(delay) for delay in range(len(truth))],
        "axis": "delay of the only alarm, steps",
        "truth": all_thousandths(truth) if is_shown else None,
        "guess": list(progress.guesses.get(progress.at, ())),
        "words": f"F1 from {score(truth[0])} at once to {score(truth[-1])} at the last point."
        if is_shown
        else "Draw the curve that you expect.",
    }
    mounting.mount("guess", GUESS_KEY, data, take_guess)
    st.button("Show the truth", on_click=reveal_truth, disabled=is_shown)


def delay_curve(step: Step, settings: Settings) -> list[float]:
    """Return F1 under PAdf of one alarm at each point of the first segment."""
    inside = np.flatnonzero(step.labels)
    protocol = settings.protocol("padf")
    return [
        evaluate(step.labels, np.arange(step.size) == place, protocol).f1
        for place in inside.tolist()
    ]


def _show_ranking(progress: LessonProgress) -> None:
    """Let the reader put the five cases in order, then show what each protocol says."""
    order = progress.orders.get(progress.at, ())
    shown = [
        TitledPattern(case.title, case.labels, case.detections, case.about) for case in TOY_CASES
    ]
    show_patterns("rank_patterns", shown, progress.chosen)
    st.markdown("**Press them from the best to the worst:**")
    with st.container(horizontal=True, gap="small"):
        for place, case in enumerate(TOY_CASES):
            rank = f" — your place {order.index(place) + 1}" if place in order else ""
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
    """Return the reader's places beside those of each protocol."""
    columns: dict[str, object] = {
        "Case": [case.title for case in TOY_CASES],
        "you": [order.index(place) + 1 for place in range(len(TOY_CASES))],
    }
    for protocol in settings.protocols():
        columns[protocol.label] = ranks_of(_scores(protocol.key, settings))
    return pd.DataFrame(columns)


def on_the_board(step: Step, settings: Settings) -> str:
    """Say what every protocol gives the pattern on the board, and another decay rate."""
    results = evaluate_all(step.labels, step.detections, settings.protocols())
    told = listed([f"{each.f1:.3f} under {each.protocol.label}" for each in results])
    other = evaluate(step.labels, step.detections, PointAdjustDecay(ExponentialDecay(FASTER)))
    return (
        f"On the board above the same detections score {told}; with d = {FASTER} PAdf gives "
        f"{other.f1:.3f}. None of these numbers is wrong: each answers another question."
    )


def _scores(key: str, settings: Settings) -> list[float]:
    protocol = settings.protocol(key)
    return [evaluate(case.labels, case.detections, protocol).f1 for case in TOY_CASES]


def agreement(order: tuple[int, ...], settings: Settings) -> str:
    """Say with which protocol the reader agrees on most pairs of cases."""
    counts = {}
    for protocol in settings.protocols():
        f1 = _scores(protocol.key, settings)
        counts[protocol.name] = sum(
            f1[better] > f1[worse] + 1e-12
            for at, better in enumerate(order)
            for worse in order[at + 1 :]
        )
    best = max(counts.values())
    names = [name for name, count in counts.items() if count == best]
    verb = "puts" if len(names) == 1 else "put"
    return f"Of ten pairs, {listed(names)} {verb} {best} in your order (ties do not count)."


# ---- taking it along -----------------------------------------------------------------------------


def show_take_along(progress: LessonProgress) -> None:
    """Offer the lesson, or this step of it, as a link, a file, and a page without a server."""
    lesson, step = progress.lesson, progress.step
    st.markdown(
        "The address of this page holds the lesson and the step. The HTML file works without a "
        "server or a network, with its sliders live; printed, it is a handout with the answers on "
        "the last page."
    )
    with st.container(horizontal=True, gap="small"):
        saved = lesson_to_json(lesson)
        alone = Lesson(step.title, (step,))
        downloads.offer(
            "One HTML file", lambda: lesson_html(lesson), LESSON_FILE, "text/html", of=saved
        )
        downloads.offer(
            "This step alone",
            lambda: lesson_html(alone),
            "padf-step.html",
            "text/html",
            of=lesson_to_json(alone),
        )
        downloads.offer(
            "Handout to print",
            lambda: handout_html(lesson),
            "padf-handout.html",
            "text/html",
            of=saved,
        )
        downloads.offer("The lesson (JSON)", saved, "padf-lesson.json", "application/json")
        widgets.menu("Embed it, or link to it", partial(_show_lines, lesson, saved))


def _show_lines(lesson: Lesson, saved: str) -> None:
    """Show the line that embeds the lesson in another page, and the end of its address."""
    st.markdown("To embed the lesson in a page of your own, save the HTML file next to that page:")
    st.code(frame_line(stamped(LESSON_FILE, saved)), language=None, wrap_lines=True)
    st.markdown("To link to its first step, end the address of this page with:")
    st.code(f"?lesson={name_of(lesson)}&step=1", language=None, wrap_lines=True)
