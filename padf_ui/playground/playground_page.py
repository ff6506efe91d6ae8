"""The widgets of the Playground, and the board itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial

import pandas as pd
import streamlit as st

from padf_core import Curve, Evaluation, Settings
from padf_core.io.notation import format_ranges
from padf_core.metrics.clock import format_steps
from padf_core.metrics.curves import over_parameter
from padf_core.metrics.evaluation import make_pattern, pattern_of
from padf_core.metrics.rows import Rows
from padf_core.metrics.timing import Timing
from padf_core.paper.cases import ROBUSTNESS_CASES, TEACHING_CASES, TOY_CASES, Case
from padf_ui.components import downloads, mounting, widgets
from padf_ui.components.board_message import board_rows, time_names
from padf_ui.components.lanes import delay_first, sliders_of
from padf_ui.components.ledger import ledger
from padf_ui.components.names import plain
from padf_ui.components.standalone import board_html
from padf_ui.components.tables import chart_with_table, curve_table, show_plain_table
from padf_ui.components.terms import marked, say, tell
from padf_ui.components.words import listed
from padf_ui.playground import board_exports, playground_charts
from padf_ui.server.cache import SMALL
from padf_ui.session import board_file
from padf_ui.session.board import (
    board_revision,
    current_board,
    link_to,
    load_board,
    offers_hint,
    set_points,
    set_size,
    set_step,
    show_case,
    slides,
    take_board,
)
from padf_ui.session.board_file import Board
from padf_ui.session.settings import current_settings
from padf_ui.session.steps import STEPS
from padf_ui.session.store import BOARD_KEY, answered, take_choice, visit_name, widget_key
from padf_ui.wire.board import BoardData, BoardRows
from padf_ui.wire.limits import MAX_POINTS

# ---- the board -----------------------------------------------------------------------------------


def show_board() -> None:
    """Show the board, with a fragment that answers it."""
    mounting.stand("board", BOARD_KEY)
    _answer_board()


@st.fragment
def _answer_board() -> None:
    """Send what the board shows; strokes that go on run this fragment alone."""
    now, settings = current_board(), current_settings()
    data: BoardData = {
        "session": visit_name(),
        "revision": board_revision(),
        "answered": answered(BOARD_KEY),
        "hint": offers_hint(),
        "history": "playground",
        "link": link_to(now, settings),
        "rows": _rows(now, settings),
        "sliders": sliders_of(settings, now.step_seconds),
    }
    mounting.send(BOARD_KEY, data, take_board)


def _rows(board: Board, settings: Settings) -> BoardRows:
    is_slid = slides()
    return SMALL.recall(
        ("board", *board.bits, settings, board.step, is_slid),
        lambda: board_rows(
            board.labels, board.detections, settings, board.step_seconds, shifts=is_slid
        ),
    )


# ---- choosing what is on the board ---------------------------------------------------------------

PANELS = ("Examples", "Rules", "Lanes", "Type it", "Save, load")


def ask_panel() -> str | None:
    """Ask which panel stands beside the board; none of them covers it."""
    chosen: str | None = st.segmented_control(
        "Beside the board",
        PANELS,
        key="panel",
        label_visibility="collapsed",
        persist_state="session",
    )
    return chosen


@contextmanager
def beside(panel: str | None) -> Iterator[None]:
    """Lay out the board; what is drawn inside stands at its left, the panel's place is kept."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="top"):
        with st.container(width="stretch", key="padf_desk"):
            yield
        with st.container(width=320 if panel else 1, key="padf_panel"):
            _show_panel(panel)


def _show_panel(panel: str | None) -> None:
    board, settings = current_board(), current_settings()
    if panel == "Examples":
        _examples(board)
    elif panel == "Rules":
        widgets.rule_widgets(settings)
        _step_widget(board)
        widgets.settings_file()
    elif panel == "Lanes":
        widgets.lane_widget(settings)
    elif panel == "Type it":
        _typed_points(board)
    elif panel == "Save, load":
        _files(board, settings)


_EXAMPLES: dict[str, tuple[Case, ...]] = {
    "Paper": TOY_CASES,
    "Lessons": TEACHING_CASES,
    "Robustness": ROBUSTNESS_CASES,
}


def _examples(board: Board) -> None:
    """Show the cases that one click puts on the board, each with its line."""
    with st.container(height=540, border=False):
        for group, cases in _EXAMPLES.items():
            st.markdown(f"**{group}**")
            for case in cases:
                is_here = board.same_pattern(case.labels, case.detections)
                st.button(
                    case.title,
                    key=f"example_{group}_{case.key}",
                    type="primary" if is_here else "secondary",
                    on_click=show_case,
                    args=(case,),
                    width="stretch",
                )
                st.caption(plain(case.about))


def show_moral(board: Board) -> None:
    """Show the lesson of the case on the board, or where to begin."""
    for group, cases in _EXAMPLES.items():
        for case in cases:
            if board.same_pattern(case.labels, case.detections):
                say(f"**{group}: {case.title}.** {marked(case.about)}")
                return
    st.markdown("Your own pattern. Examples put it aside; Undo on the board brings it back.")


def _step_widget(board: Board) -> None:
    key = widget_key("step", board.step)
    st.selectbox(
        "One step stands for",
        list(STEPS),
        index=list(STEPS).index(board.step),
        key=key,
        format_func=lambda step: STEPS[step].title,
        on_change=take_choice,
        args=("step", key, set_step),
        help="With a unit, delays and the time axis are shown as on a clock.",
    )


def _typed_points(board: Board) -> None:
    key = widget_key("size", board.size)
    st.number_input(
        "Points on the board",
        board_file.MIN_POINTS,
        MAX_POINTS,
        board.size,
        key=key,
        on_change=take_choice,
        args=("size", key, set_size),
        help="What is cut off comes back when the board grows again.",
    )
    with st.form("typed", border=False):
        truth = st.text_input("Truth", format_ranges(board.labels), max_chars=2000)
        alarms = st.text_input("Detections", format_ranges(board.detections), max_chars=2000)
        st.caption("Bits such as `0001110`, or ranges such as `10-21, 30`; the first point is 0.")
        if st.form_submit_button("Put on the board"):
            try:
                set_points(truth, alarms)
            except ValueError as error:
                st.error(plain(str(error)))
            else:
                st.rerun()


def _files(board: Board, settings: Settings) -> None:
    saved = board_file.to_json(board, settings)
    downloads.offer("Everything, as JSON", saved, "padf-board.json", "application/json")
    downloads.offer(
        "Credit of every point, as CSV",
        board_exports.to_csv(board, settings),
        "padf-credit.csv",
        "text/csv",
    )
    downloads.offer(
        "One HTML file, sliders live",
        partial(board_html, board, settings),
        "padf-board.html",
        "text/html",
        of=saved,
    )
    widgets.file_form("Load a saved board (JSON)", "Load", load_board, "The board stays")


# ---- below the board -----------------------------------------------------------------------------


def show_ledger(board: Board, results: Sequence[Evaluation]) -> None:
    """Show what each segment earned, and what the scores are made of."""
    tell("What each segment earned: the credit is the mean over its points.")
    show_plain_table(board_ledger(board, results), "Credit of each segment")
    st.markdown("What the scores are made of:")
    show_plain_table(scores(results), "Counts and scores of each protocol")


def board_ledger(board: Board, results: Sequence[Evaluation]) -> pd.DataFrame:
    """Return one row per segment: where it is, what hit it, and its credit under each protocol."""
    pattern = pattern_of(results)
    names = time_names(board.size, board.step_seconds)
    delays = [
        "missed" if delay < 0 else format_steps(delay, board.step_seconds)
        for delay in pattern.found.delays.tolist()
    ]
    starts = [names[start] for start, _ in pattern.segments]
    return ledger(results, starts, "Delay", delays)


def scores(results: Sequence[Evaluation]) -> pd.DataFrame:
    """Return one row per protocol: its counts and scores."""
    return pd.DataFrame(
        [
            {
                "Protocol": e.protocol.label,
                "Earned": e.true_positives,
                "False alarms": e.false_positives,
                "Divided by": e.claimed,
                "Precision": e.precision,
                "Found": e.found,
                "Wanted": e.wanted,
                "Recall": e.recall,
                "F1": e.f1,
            }
            for e in results
        ]
    )


def over_title(settings: Settings) -> str:
    """Return what the curves below the board are over: the numbers in use, the decay's first."""
    return f"F1 over {listed([each.symbol for each in delay_first(settings).values()])}"


def show_curves(board: Board, settings: Settings, results: Sequence[Evaluation]) -> None:
    """Show F1 of every protocol that has a number over it, two charts beside each other."""
    by_key = {result.protocol.key: result for result in results}
    numbers = list(settings.numbers().items())
    for first in range(0, len(numbers), 2):
        places = st.columns(2, gap="large")
        for place, (key, number) in zip(places, numbers[first : first + 2], strict=False):
            with place:
                curve = over_number(board, settings, key)
                tell(
                    f"**{by_key[key].protocol.name} over {number.title}.** Area {curve.area:.3f}: "
                    f"the mean F1 over the whole range, a summary without a choice. "
                    f"{number.summary}"
                )
                chart_with_table(
                    playground_charts.parameter_curve(
                        curve, by_key[key], settings[number.key], number.title, widgets.mode()
                    ),
                    curve_table(number.title, curve.values, F1=curve.f1),
                    f"over_{key}",
                )


def over_number(board: Board, settings: Settings, key: str) -> Curve:
    """Return F1 over the fixed steps of a protocol's slider."""
    number = settings.number(key)
    if number is None:
        raise ValueError(f"{key} has no number to choose")
    rows = Rows(timing=Timing(board.clock_step))
    pattern = make_pattern(board.labels, board.detections, rows)
    return over_parameter(pattern, number.key, number.steps, settings.at(key, number.steps))


def show_code(board: Board, settings: Settings) -> None:
    """Show the lines that give the numbers on the board."""
    st.markdown("The lines that give the numbers on the board, with `pip install .`")
    st.code(board_exports.to_python(board, settings), language="python", wrap_lines=True)
