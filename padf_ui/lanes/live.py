"""The components that show lanes: the drawing board, and the paper's cases."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from typing import Any

import streamlit as st

from padf_ui import compute, links, state
from padf_ui.lanes import terms
from padf_ui.lanes.paper import ALL_CASES

_HERE = Path(__file__).parent


@cache
def _source(*names: str) -> str:
    return "\n".join((_HERE / name).read_text(encoding="utf-8") for name in names)


def _component(name: str) -> Any:
    return st.components.v2.component(
        f"padf_{name}",
        html=f'<div class="{name}"></div>',
        css=_source("lanes.css"),
        js=_source("draw.js", f"{name}.js"),
    )


_board = _component("board")
_cases = _component("cases")
_timeline = _component("timeline")
_chance = _component("chance")


@st.fragment
def show_board() -> None:
    """Show the board; strokes rerun this fragment alone, and the whole page once they end."""
    now = state.board()
    _board(
        key=state.BOARD_KEY,
        data={
            "revision": state.revision(),
            "paths": ["", "playground"],
            "hint": state.offers_hint(),
            "link": links.to_address(now),
            "rows": compute.rows_of(now),
            "sliders": compute.sliders_of(now),
        },
        default={"stroke": None, "decay": None, "k": None},
        on_stroke_change=state.take_stroke,
        on_decay_change=state.take_decay,
        on_k_change=state.take_k,
        on_random_change=state.take_random,
        on_back_change=state.take_back,
    )
    if state.needs_whole_page():
        st.rerun()


@st.fragment
def show_cases() -> None:
    """Show the paper's cases, live in d and K; each opens in the Playground."""
    _cases(
        key=state.CASES_KEY,
        data={"paths": ["paper_cases"], **compute.paper_rows(state.board().settings)},
        default={"decay": None, "k": None},
        on_decay_change=partial(state.take_decay, state.CASES_KEY),
        on_k_change=partial(state.take_k, state.CASES_KEY),
        on_open_change=partial(state.take_case, ALL_CASES),
        on_back_change=partial(state.take_back, state.CASES_KEY),
    )
    if state.take_opened():
        st.switch_page("pages/playground.py")
    if state.needs_whole_page():
        st.rerun()


@st.fragment
def show_timeline() -> None:
    """Show the series with its threshold; zooming reruns this fragment alone."""
    now = state.current_study()
    if now is None:
        return
    _timeline(
        key=state.TIMELINE_KEY,
        data={
            "paths": ["your_data"],
            "revision": state.study_revision(),
            **compute.timeline_rows(now, state.board().settings),
        },
        default={"window": None, "threshold": None},
        on_window_change=state.take_window,
        on_threshold_change=state.take_threshold,
        on_back_change=state.take_study_back,
    )
    if state.needs_whole_page():
        st.rerun()
    if state.take_moved():
        state.write_study_link()


def show_chances() -> None:
    """Show the chance of an alarm over a segment, to be drawn, and the expected credit."""
    _chance(
        key=state.CHANCE_KEY,
        data={
            "paths": ["random_detector"],
            **terms.chance_rows(state.chances(), state.board().settings, state.chance_revision()),
        },
        default={"alarm": None},
        on_alarm_change=state.take_chances,
        on_back_change=state.take_study_back,
    )
