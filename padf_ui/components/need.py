"""Widgets for a need: a sentence with numbers to drag or type, and a live decay curve.

Any page can show them. They read and write the need in `padf_ui.session.need`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from padf_core.analysis.choosing import Need, NeedKind
from padf_ui.components import mounting
from padf_ui.components.names import plain
from padf_ui.components.need_message import Blank, need_rows, slots_of
from padf_ui.session.asks import NEED_KEY, answered, visit_name
from padf_ui.session.need import current_need, need_refused, set_need, take_need, type_need
from padf_ui.session.widget_values import bound
from padf_ui.wire.need import NeedData

KINDS: dict[NeedKind, str] = {
    "worth": "A late alarm is still worth something",
    "half_life": "Half-life",
    "loss": "Loss per minute",
    "deadline": "Hard deadline",
}

_HELP = {
    "share": "a percentage, such as 50",
    "pace": "2 % a minute, or an amount: 100 of 6000 a minute",
}


def ask_kind() -> None:
    """Ask how a late alarm loses value, and offer text fields for the numbers."""
    now = current_need()
    st.radio(
        "How does an alarm lose value when it is late?",
        list(KINDS),
        index=list(KINDS).index(now.kind),
        format_func=KINDS.__getitem__,
        horizontal=True,
        label_visibility="collapsed",
        width="content",
        **bound("need_kind", now.kind, _take_kind),
    )
    with st.popover("Type the numbers", type="tertiary", icon=":material/keyboard:"):
        for slot, text in slots_of(now).items():
            _field(slot, text)


def _take_kind(kind: NeedKind) -> None:
    set_need(replace(current_need(), kind=kind))


def _field(slot: Blank, text: str) -> None:
    name = f"need_{slot.number}"
    st.text_input(
        f"{slot.title[0].upper()}{slot.title[1:]}",
        text,
        **bound(name, text, partial(type_need, slot.number)),
        help=_HELP.get(slot.number, "such as 90 s, 10 min, 1 h 30 min or 2 days"),
    )


def show_need(step: float | None, *, in_words: bool = False) -> Need:
    """Show the need as a sentence, with its decay and with d for steps of this length.

    ``in_words`` omits the formula and d. While the user drags a number, only the browser updates.

    Returns the current need.
    """
    now = current_need()
    data: NeedData = need_rows(now, step, visit_name(), answered(NEED_KEY), in_words=in_words)
    mounting.mount("need", NEED_KEY, data, take_need)
    refused = need_refused()
    if refused:
        st.error(plain(f"{refused}. The need is unchanged."), icon=":material/error:")
    return now
