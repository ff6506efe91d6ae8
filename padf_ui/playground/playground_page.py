"""Widgets of the Playground."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import streamlit as st

from padf_core import Curve, Evaluation, Settings
from padf_core.metrics.curves import over_parameter
from padf_core.metrics.evaluation import make_pattern
from padf_core.metrics.rows import Rows
from padf_core.metrics.timing import Timing
from padf_ui.components import mounting, widgets
from padf_ui.components.board_message import board_rows
from padf_ui.components.lanes import delay_first, sliders_of
from padf_ui.components.tables import chart_with_table, curve_table, show_plain_table
from padf_ui.components.terms import marked, say, tell
from padf_ui.components.words import listed
from padf_ui.playground import board_exports, playground_charts
from padf_ui.playground.board_panels import EXAMPLES, PANELS, show_panel
from padf_ui.playground.playground_tables import board_ledger, scores
from padf_ui.server.cache import SMALL
from padf_ui.session.asks import BOARD_KEY, answered, visit_name
from padf_ui.session.board import (
    board_revision,
    current_board,
    link_to,
    offers_hint,
    slides,
    take_board,
)
from padf_ui.session.board_file import Board
from padf_ui.session.settings import current_settings
from padf_ui.wire.board import BoardData, BoardRows


def show_board() -> None:
    """Show the board, with a fragment that answers its requests."""
    mounting.stand("board", BOARD_KEY)
    _answer_board()


@st.fragment
def _answer_board() -> None:
    """Send the board its data. Strokes in progress rerun only this fragment."""
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


def ask_panel() -> str | None:
    """Ask which panel to show next to the board."""
    chosen: str | None = st.segmented_control(
        "More",
        PANELS,
        key="panel",
        label_visibility="collapsed",
        persist_state="session",
    )
    return chosen


@contextmanager
def beside(panel: str | None) -> Iterator[None]:
    """Lay out the block's content on the left and the panel on the right.

    The panel keeps its place even when it is closed.
    """
    with st.container(horizontal=True, gap="medium", vertical_alignment="top"):
        with st.container(width="stretch", key="padf_desk"):
            yield
        with st.container(width=320 if panel else 1, key="padf_panel"):
            show_panel(panel)


def show_moral(board: Board) -> None:
    """Describe the example on the board, or what the user can do with their own pattern."""
    for group, cases in EXAMPLES.items():
        for case in cases:
            if board.same_pattern(case.labels, case.detections):
                say(f"**{group}: {case.title}.** {marked(case.about)}")
                return
    st.markdown("Your own pattern. Loading an example replaces it; Undo restores it.")


def show_ledger(board: Board, results: Sequence[Evaluation]) -> None:
    """Show the credit of each segment, and the counts behind each score."""
    tell("Credit of each segment: the mean over its points.")
    show_plain_table(board_ledger(board, results), "Credit of each segment")
    st.markdown("The counts behind each score:")
    show_plain_table(scores(results), "Counts and scores of each protocol")


def over_title(settings: Settings) -> str:
    """Return the title of the curves below the board, with the symbols of their parameters."""
    return f"F1 over {listed([each.symbol for each in delay_first(settings).values()])}"


def show_curves(board: Board, settings: Settings, results: Sequence[Evaluation]) -> None:
    """Show F1 over the parameter of each protocol that has one, two charts per row."""
    by_key = {result.protocol.key: result for result in results}
    numbers = list(settings.numbers().items())
    for first in range(0, len(numbers), 2):
        places = st.columns(2, gap="large")
        for place, (key, number) in zip(places, numbers[first : first + 2], strict=False):
            with place:
                curve = over_number(board, settings, key)
                tell(
                    f"**{by_key[key].protocol.name} over {number.title}.** Area "
                    f"{curve.area:.3f}: the mean F1 over the whole range, so no value needs "
                    f"choosing. {number.summary}"
                )
                chart_with_table(
                    playground_charts.parameter_curve(
                        curve, by_key[key], settings[number.key], number, widgets.mode()
                    ),
                    curve_table(number.title, curve.values, F1=curve.f1),
                    f"over_{key}",
                )


def over_number(board: Board, settings: Settings, key: str) -> Curve:
    """Return F1 over the steps of a protocol's slider."""
    number = settings.number(key)
    if number is None:
        raise ValueError(f"{key} has no parameter to choose")
    rows = Rows(timing=Timing(board.clock_step))
    pattern = make_pattern(board.labels, board.detections, rows)
    return over_parameter(pattern, number.key, number.steps, settings.at(key, number.steps))


def show_code(board: Board, settings: Settings) -> None:
    """Show Python code that reproduces the numbers on the board."""
    st.markdown(
        "Code that gives the numbers on the board. Run `pip install .` in a clone of the "
        "repository first."
    )
    st.code(board_exports.to_python(board, settings), language="python", wrap_lines=True)
