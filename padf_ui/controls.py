"""Every widget, and the way results are laid out on a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from padf_core import Settings
from padf_core.cases import ROBUSTNESS_CASES, TEACHING_CASES, TOY_CASES, Case
from padf_core.notation import format_ranges
from padf_core.protocols import PrecisionConvention
from padf_core.settings import Shape
from padf_ui import links, state
from padf_ui.links import Board
from padf_ui.names import plain, to_csv
from padf_ui.theme import Mode

_PILLS: dict[str, Case] = {
    **{f"Case {number}": case for number, case in enumerate(TOY_CASES, start=1)},
    **{case.title: case for case in TEACHING_CASES},
}
_ROBUSTNESS: dict[str, Case] = {
    str(number): case for number, case in enumerate(ROBUSTNESS_CASES, start=1)
}

_SHAPES: dict[Shape, tuple[str, str]] = {
    "exponential": ("Exponential", "D(k) = dᵏ, the paper's: each step keeps the share d."),
    "half_life": ("Half-life", "The same curve, told by when half of the credit is gone."),
    "linear": ("Linear", "Credit falls evenly and is gone after the span."),
    "deadline": ("Deadline", "Full credit up to the limit, then none: the k-delay rule of AIOps."),
}
_PRECISIONS: dict[PrecisionConvention, tuple[str, str]] = {
    "tables": (
        "Tables: eTP / (eTP + FP)",
        "All published values of Tables 1 and 4 follow from this one.",
    ),
    "equations": (
        "Equations: eTP / (T + FP)",
        "As the paper's formulas say, T being all points of detected segments. A late alarm then "
        "costs precision too.",
    ),
}
_RULES: dict[bool, tuple[str, str]] = {
    False: ("More than K %", "As in the PA%K paper: exactly K % is not enough."),
    True: ("K % or more", "As some other tools have it; one hit is always needed."),
}
_STEPS: dict[str, str] = {
    "step": "no unit",
    "1s": "1 second",
    "10s": "10 seconds",
    "1min": "1 minute",
    "5min": "5 minutes",
    "15min": "15 minutes",
    "1h": "1 hour",
    "1d": "1 day",
}


def mode() -> Mode:
    """Return whether the reader's theme is light or dark."""
    return "dark" if st.context.theme.type == "dark" else "light"


# ---- choosing what is on the board -------------------------------------------------------------


def _name_of(board: Board, cases: dict[str, Case]) -> str | None:
    return next(
        (name for name, case in cases.items() if board.same_pattern(case.labels, case.detections)),
        None,
    )


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


def board_menus(board: Board) -> None:
    """Show what opens from the title row: rules, typed entry, files."""
    with st.popover("Rules and units"):
        rule_widgets(board.settings)
        _step_widget(board)
        settings_file()
    with st.popover("Type it"):
        _typed_points(board)
    with st.popover("Save, load"):
        _files(board)


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


def _choice(
    label: str, name: str, options: dict[Any, tuple[str, str]], value: object, take: Any
) -> None:
    key = state.widget_key(name, value)
    st.radio(
        label,
        list(options),
        index=list(options).index(value),
        key=key,
        format_func=lambda option: options[option][0],
        captions=[caption for _, caption in options.values()],
        on_change=state.take_choice,
        args=(name, key, take),
    )


def rule_widgets(settings: Settings) -> None:
    """Show the rules that change what the numbers mean."""
    _choice("How credit decays (PAdf)", "shape", _SHAPES, settings.shape, state.set_shape)
    _choice(
        "Precision of PAdf: the paper has two",
        "precision",
        _PRECISIONS,
        settings.precision,
        lambda value: state.set_settings(precision=value),
    )
    _choice(
        "When PA%K fills a segment up",
        "rule",
        _RULES,
        settings.inclusive,
        lambda value: state.set_settings(inclusive=value),
    )


def settings_file() -> None:
    """Take settings from a file."""
    _file_form("Settings from a file (JSON)", "Use them", state.load_settings, "The settings stay")


def _file_form(label: str, button: str, take: Callable[[bytes], None], stays: str) -> None:
    """Take a small JSON file, or say what is wrong with it."""
    with st.form(label, border=False, clear_on_submit=True):
        saved = st.file_uploader(label, type=["json"], max_upload_size=1)
        if st.form_submit_button(button) and saved is not None:
            try:
                take(saved.getvalue())
            except ValueError as error:
                st.error(plain(f"{saved.name}: {error}. {stays} as before."))
            else:
                st.rerun()


def _step_widget(board: Board) -> None:
    key = state.widget_key("step", board.step)
    st.selectbox(
        "One step stands for",
        list(_STEPS),
        index=list(_STEPS).index(board.step),
        key=key,
        format_func=lambda step: _STEPS[step],
        on_change=state.take_choice,
        args=("step", key, state.set_step),
        help="With a unit, delays and the time axis are shown as on a clock.",
    )


def _typed_points(board: Board) -> None:
    key = state.widget_key("size", board.size)
    st.number_input(
        "Points on the board",
        links.MIN_POINTS,
        links.MAX_POINTS,
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


def _files(board: Board) -> None:
    st.download_button(
        "Everything, as JSON", links.to_json(board), "padf-board.json", "application/json"
    )
    st.download_button(
        "Credit of every point, as CSV", links.to_csv(board), "padf-credit.csv", "text/csv"
    )
    _file_form("Load a saved board (JSON)", "Load", state.load_file, "The board stays")


def show_message() -> None:
    """Show what the user must be told about the board."""
    told = state.message()
    if told:
        st.warning(plain(told), icon=":material/link_off:")


# ---- results -----------------------------------------------------------------------------------


def sections(key: str, *titles: str) -> Sequence[Any]:
    """Return tabs of which only the open one is computed and drawn."""
    return st.tabs(list(titles), key=key, on_change="rerun")


def chart_with_table(figure: go.Figure, table: pd.DataFrame, key: str) -> None:
    """Show a chart and, behind it, its numbers."""
    chart, numbers = sections(f"{key}_as", "Chart", "Table")
    if chart.open:
        with chart:
            st.plotly_chart(
                figure, theme=None, key=key, config={"displayModeBar": False, "scrollZoom": False}
            )
    if numbers.open:
        with numbers:
            show_table(table, list(table.columns[1:]), height=min(300, 38 + 35 * len(table)))


def save_table(table: pd.DataFrame, name: str) -> None:
    """Offer a table as CSV."""
    st.download_button(
        "CSV",
        partial(to_csv, table),
        f"padf-{name}.csv",
        "text/csv",
        key=f"save_{name}",
        icon=":material/download:",
        on_click="ignore",
    )


def chart_table_csv(figure: go.Figure, table: pd.DataFrame, name: str) -> None:
    """Show a chart with its numbers, and offer these as CSV."""
    chart_with_table(figure, table, name)
    save_table(table, name)


def show_table(table: pd.DataFrame, scores: Sequence[str], height: int | None = None) -> None:
    """Show a table whose ``scores`` columns have three decimals, like every score."""
    three = {
        column: st.column_config.NumberColumn(format="%.3f")
        for column in scores
        if column in table.columns and table[column].dtype.kind == "f"
    }
    st.dataframe(
        table, hide_index=True, width="stretch", height=height or "auto", column_config=three
    )


def step_name(board: Board) -> str:
    """Return what steps are called on an axis."""
    return "steps" if board.step_seconds is None else f"steps of {_STEPS[board.step]}"


def curve_table(parameter: str, values: Sequence[float], **columns: Any) -> pd.DataFrame:
    """Return the numbers of a chart, one row per step."""
    return pd.DataFrame({parameter: values, **columns})
