"""The widgets of the Playground, and the board itself."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from padf_core import Curve, Evaluation, Settings, f1_over_shift
from padf_core.data.notation import format_ranges
from padf_core.metrics.clock import format_steps
from padf_core.metrics.curves import over_parameter
from padf_core.metrics.evaluation import make_pattern, pattern_of
from padf_core.paper.cases import ROBUSTNESS_CASES, TEACHING_CASES, TOY_CASES, Case
from padf_ui.board import charts, exports
from padf_ui.session import board as boards
from padf_ui.session import links, state
from padf_ui.session.board import Board
from padf_ui.session.steps import STEPS
from padf_ui.shared import components, widgets
from padf_ui.shared.board_rows import board_rows, time_names
from padf_ui.shared.cache import SMALL
from padf_ui.shared.lanes import sliders_of
from padf_ui.shared.ledger import ledger
from padf_ui.shared.names import plain
from padf_ui.shared.payload import BoardData, BoardRows
from padf_ui.shared.tables import chart_with_table, curve_table, show_table

_PILLS: dict[str, Case] = {
    **{f"Case {number}": case for number, case in enumerate(TOY_CASES, start=1)},
    **{case.title: case for case in TEACHING_CASES},
}
_ROBUSTNESS: dict[str, Case] = {
    str(number): case for number, case in enumerate(ROBUSTNESS_CASES, start=1)
}
SHIFT_REACH = 60


# ---- the board -----------------------------------------------------------------------------------


@st.fragment
def show_board() -> None:
    """Show the board; strokes that go on run this fragment alone."""
    now, settings = state.board(), state.settings()
    data: BoardData = {
        "session": state.session(),
        "revision": state.revision(),
        "answered": state.answered(state.BOARD_KEY),
        "hint": state.offers_hint(),
        "link": links.to_address(now, settings),
        "rows": _rows(now, settings),
        "sliders": sliders_of(settings, now.step_seconds),
    }
    components.mount("board", state.BOARD_KEY, data, state.take_board)


def _rows(board: Board, settings: Settings) -> BoardRows:
    return SMALL.recall(
        ("board", *board.bits, settings, board.step),
        lambda: board_rows(board.labels, board.detections, settings, board.step_seconds),
    )


# ---- choosing what is on the board ---------------------------------------------------------------


def board_menus(board: Board, settings: Settings) -> None:
    """Show what opens from the title row: rules, lanes, typed entry, files."""
    with st.popover("Rules and units"):
        widgets.rule_widgets(settings)
        _step_widget(board)
        widgets.settings_file()
    with st.popover("Lanes"):
        widgets.lane_widget(settings)
    with st.popover("Type it"):
        _typed_points(board)
    with st.popover("Save, load"):
        _files(board, settings)


def preset_pills(board: Board) -> None:
    """Show the cases that one click puts on the board."""
    _case_pills("Presets", "preset", _PILLS, board)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown("Robustness cases", width="content")
        _case_pills("Robustness cases", "robustness", _ROBUSTNESS, board)


def _case_pills(label: str, name: str, cases: dict[str, Case], board: Board) -> None:
    shown = _name_of(board, cases)
    key = state.widget_key(name, shown)
    st.pills(
        label,
        list(cases),
        default=shown,
        key=key,
        label_visibility="collapsed",
        on_change=state.take_choice,
        args=(name, key, partial(_take_preset, cases)),
    )


def _name_of(board: Board, cases: dict[str, Case]) -> str | None:
    return next(
        (name for name, case in cases.items() if board.same_pattern(case.labels, case.detections)),
        None,
    )


def _take_preset(cases: dict[str, Case], chosen: str | None) -> None:
    if chosen in cases:
        state.show_case(cases[chosen])


def show_moral(board: Board) -> None:
    """Show the lesson of the case on the board, or where to begin."""
    for kind, cases in (("", _PILLS), ("Robustness: ", _ROBUSTNESS)):
        name = _name_of(board, cases)
        if name:
            st.markdown(f"**{kind}{cases[name].title}.** {cases[name].about}")
            return
    st.markdown("Your own pattern. A case above puts it aside; Undo on the board brings it back.")


def _step_widget(board: Board) -> None:
    key = state.widget_key("step", board.step)
    st.selectbox(
        "One step stands for",
        list(STEPS),
        index=list(STEPS).index(board.step),
        key=key,
        format_func=lambda step: STEPS[step].title,
        on_change=state.take_choice,
        args=("step", key, state.set_step),
        help="With a unit, delays and the time axis are shown as on a clock.",
    )


def _typed_points(board: Board) -> None:
    key = state.widget_key("size", board.size)
    st.number_input(
        "Points on the board",
        boards.MIN_POINTS,
        boards.MAX_POINTS,
        board.size,
        key=key,
        on_change=state.take_choice,
        args=("size", key, state.set_size),
        help="What is cut off comes back when the board grows again.",
    )
    with st.form("typed", border=False):
        truth = st.text_input("Truth", format_ranges(board.labels), max_chars=2000)
        alarms = st.text_input("Detections", format_ranges(board.detections), max_chars=2000)
        st.caption("Bits such as `0001110`, or ranges such as `10-21, 30`; the first point is 0.")
        if st.form_submit_button("Put on the board"):
            try:
                state.set_points(truth, alarms)
            except ValueError as error:
                st.error(plain(str(error)))
            else:
                st.rerun()


def _files(board: Board, settings: Settings) -> None:
    st.download_button(
        "Everything, as JSON",
        boards.to_json(board, settings),
        "padf-board.json",
        "application/json",
    )
    st.download_button(
        "Credit of every point, as CSV",
        exports.to_csv(board, settings),
        "padf-credit.csv",
        "text/csv",
    )
    widgets.file_form("Load a saved board (JSON)", "Load", state.load_board, "The board stays")


# ---- below the board -----------------------------------------------------------------------------


def show_ledger(board: Board, results: Sequence[Evaluation]) -> None:
    """Show what each segment earned, and what the scores are made of."""
    st.markdown("What each segment earned: the credit is the mean over its points.")
    show_table(board_ledger(board, results), [result.protocol.label for result in results])
    st.markdown("What the scores are made of:")
    show_table(
        scores(results), ["Earned", "Divided by", "Precision", "Found", "Wanted", "Recall", "F1"]
    )


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


def show_curves(board: Board, settings: Settings, results: Sequence[Evaluation]) -> None:
    """Show F1 of every protocol that has a number over it, two charts beside each other."""
    by_key = {result.protocol.key: result for result in results}
    numbers = list(settings.numbers().items())
    for first in range(0, len(numbers), 2):
        places = st.columns(2, gap="large")
        for place, (key, number) in zip(places, numbers[first : first + 2], strict=False):
            with place:
                curve = over_number(board, settings, key)
                st.markdown(
                    f"**{by_key[key].protocol.name} over {number.title}.** Area {curve.area:.3f}: "
                    f"the mean F1 over the whole range, a summary without a choice. "
                    f"{number.summary}"
                )
                chart_with_table(
                    charts.parameter_curve(
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
    pattern = make_pattern(board.labels, board.detections)
    return over_parameter(pattern, number.key, number.steps, settings.at(key, number.steps))


def show_shift(board: Board, settings: Settings) -> None:
    """Show F1 of every protocol as all alarms are moved across the board."""
    st.markdown(
        "All alarms moved earlier or later, as one: where does each protocol begin to pay, and "
        "which of them notices that the alarm comes later?"
    )
    shifts, slid = over_shift(board, settings)
    protocols = settings.protocols()
    unit = "steps" if board.step_seconds is None else f"steps of {STEPS[board.step].title}"
    columns = {p.label: c.f1 for p, c in zip(protocols, slid, strict=True)}
    chart_with_table(
        charts.shift_curves(slid, protocols, unit, widgets.mode()),
        curve_table("moved by", shifts, **columns),
        "over_shift",
    )


def over_shift(board: Board, settings: Settings) -> tuple[list[int], list[Curve]]:
    """Return F1 of every protocol as all alarms are moved."""
    reach = min(board.size - 1, SHIFT_REACH)
    shifts = list(range(-reach, reach + 1))
    return shifts, f1_over_shift(board.labels, board.detections, settings.protocols(), shifts)


def show_code(board: Board, settings: Settings) -> None:
    """Show the lines that give the numbers on the board."""
    st.markdown("The lines that give the numbers on the board, with `pip install .`")
    st.code(exports.to_python(board, settings), language="python", wrap_lines=True)
