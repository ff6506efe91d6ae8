"""Panels next to the Playground's board: examples, rules, lanes, typed points and files."""

from __future__ import annotations

from functools import partial

import streamlit as st

from padf_core import Settings
from padf_core.io.notation import format_ranges
from padf_core.paper.cases import ROBUSTNESS_CASES, TEACHING_CASES, TOY_CASES, Case
from padf_ui.components import downloads, widgets
from padf_ui.components.names import plain
from padf_ui.components.standalone import board_html
from padf_ui.playground import board_exports
from padf_ui.session import board_file
from padf_ui.session.board import (
    current_board,
    load_board,
    set_points,
    set_size,
    set_step,
    show_case,
)
from padf_ui.session.board_file import Board
from padf_ui.session.settings import current_settings
from padf_ui.session.steps import STEPS
from padf_ui.session.widget_values import bound
from padf_ui.wire.limits import MAX_POINTS

PANELS = ("Examples", "Rules", "Lanes", "Type it", "Save, load")

EXAMPLES: dict[str, tuple[Case, ...]] = {
    "Paper": TOY_CASES,
    "Lessons": TEACHING_CASES,
    "Robustness": ROBUSTNESS_CASES,
}


def show_panel(panel: str | None) -> None:
    """Show the selected panel, or nothing."""
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


def _examples(board: Board) -> None:
    """Show a button for each example, with its description."""
    with st.container(height=540, border=False):
        for group, cases in EXAMPLES.items():
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


def _step_widget(board: Board) -> None:
    st.selectbox(
        "One step stands for",
        list(STEPS),
        index=list(STEPS).index(board.step),
        **bound("step", board.step, set_step),
        format_func=lambda step: STEPS[step].title,
        help="With a unit, delays and the time axis are shown in clock time.",
    )


def _typed_points(board: Board) -> None:
    st.number_input(
        "Number of points",
        board_file.MIN_POINTS,
        MAX_POINTS,
        board.size,
        **bound("size", board.size, set_size),
        help="Points that are cut off come back when the board gets longer again.",
    )
    with st.form("typed", border=False):
        truth = st.text_input("Truth", format_ranges(board.labels), max_chars=2000)
        alarms = st.text_input("Detections", format_ranges(board.detections), max_chars=2000)
        st.caption("Bits such as `0001110`, or ranges such as `10-21, 30`. The first point is 0.")
        if st.form_submit_button("Apply"):
            try:
                set_points(truth, alarms)
            except ValueError as error:
                st.error(plain(str(error)))
            else:
                st.rerun()


def _files(board: Board, settings: Settings) -> None:
    saved = board_file.to_json(board, settings)
    downloads.offer("Everything (JSON)", saved, "padf-board.json", "application/json")
    downloads.offer(
        "Credit per point (CSV)",
        board_exports.to_csv(board, settings),
        "padf-credit.csv",
        "text/csv",
    )
    downloads.offer(
        "Interactive page (HTML)",
        partial(board_html, board, settings),
        "padf-board.html",
        "text/html",
        of=saved,
    )
    widgets.file_form("Load a saved board (JSON)", "Load", load_board, "The board stays")
