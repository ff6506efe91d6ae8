"""Asking for a need: a sentence whose numbers are dragged or typed, and its decay, live.

Any page may show it: it begins with `state.need()`, and what is dragged or typed goes there.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from padf_core.analysis.choosing import Need, NeedKind
from padf_ui.session import state
from padf_ui.shared import components
from padf_ui.shared.names import plain
from padf_ui.shared.need_rows import Slot, need_rows, slots_of
from padf_ui.shared.payload import NeedData

KINDS: dict[NeedKind, str] = {
    "worth": "A late alarm is still worth something",
    "half_life": "Half-life",
    "loss": "Loss per minute",
    "deadline": "Hard deadline",
}

_HELP = {
    "share": "in percent: 50",
    "pace": "2 % a minute, or amounts: 100 of 6000 a minute",
}


def ask_kind() -> None:
    """Ask how a late alarm loses its worth, and offer the numbers as fields to type into."""
    now = state.need()
    key = state.widget_key("need_kind", now.kind)
    st.radio(
        "How does a late alarm lose its worth?",
        list(KINDS),
        index=list(KINDS).index(now.kind),
        format_func=KINDS.__getitem__,
        horizontal=True,
        label_visibility="collapsed",
        width="content",
        key=key,
        on_change=state.take_choice,
        args=("need_kind", key, _take_kind),
    )
    with st.popover("Type the numbers", type="tertiary", icon=":material/keyboard:"):
        for slot, text in slots_of(now).items():
            _field(slot, text)


def _take_kind(kind: NeedKind) -> None:
    state.set_need(replace(state.need(), kind=kind))


def _field(slot: Slot, text: str) -> None:
    name = f"need_{slot.number}"
    key = state.widget_key(name, text)
    st.text_input(
        f"{slot.title[0].upper()}{slot.title[1:]}",
        text,
        key=key,
        help=_HELP.get(slot.number, "such as 90 s, 10 min, 1 h 30 min or 2 days"),
        on_change=state.take_choice,
        args=(name, key, partial(state.type_need, slot.number)),
    )


def show_need(step: float | None, *, in_words: bool = False) -> Need:
    """Show the need as a sentence with its decay; d is told for steps of this length.

    ``in_words`` leaves out formula and d.

    Returns the need as it stands; while a number is dragged, only the browser follows.
    """
    now = state.need()
    data: NeedData = need_rows(
        now, step, state.session(), state.answered(state.NEED_KEY), in_words=in_words
    )
    components.mount("need", state.NEED_KEY, data, state.take_need)
    refused = state.need_refused()
    if refused:
        st.error(plain(f"{refused}. The need stays as it was."), icon=":material/error:")
    return now
