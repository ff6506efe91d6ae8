"""Mount browser components. Each component's modules are joined once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import streamlit as st

from padf_ui import web
from padf_ui.session.asks import expect_asks, visit_name
from padf_ui.session.lesson import take_answer, take_leave, take_reveal, take_turn
from padf_ui.session.links import take_back
from padf_ui.wire.page import Letter, Mailbox, PageData, Post


@cache
def _component(name: str) -> Any:
    return st.components.v2.component(
        f"padf_{name}",
        html=f'<div class="{name}"></div>',
        css=web.style("lanes", "terms"),
        js=web.join(f"{name}.js"),
    )


def mount(name: str, key: str, data: Mapping[str, Any], take: Callable[[], None]) -> None:
    """Show a component and handle its requests with ``take``."""
    expect_asks(key, take)
    _component(name)(key=key, data=data, default={"ask": None}, on_ask_change=take)


def stand(name: str, key: str) -> None:
    """Show a component outside a fragment. It displays what the fragment sends with `send`.

    Streamlit can remove anything inside a fragment when two runs overlap. See mount.js.
    """
    data: Mailbox = {"box": key}
    _component(name)(key=f"{key}_stand", data=data)


def send(key: str, letter: Letter, take: Callable[[], None]) -> None:
    """Send a component its data from inside a fragment, and handle its requests with ``take``."""
    expect_asks(key, take)
    data: Post = {"box": key, "letter": letter}
    with st.container(key=f"padf_post_{key}"):
        _component("post")(
            key=key,
            data=data,
            default={"ask": None},
            on_ask_change=take,
            height=1,
        )


def mount_page(key: str, page: str, *, keys: bool, shown: bool) -> None:
    """Mount the component that every page has.

    It reports style, Back and Forward, and theme changes.

    With ``keys``, it also reports the keys of a lesson: steps, answers and leaving. Until the page
    is ``shown``, it keeps reporting that the style is applied.
    """
    data: PageData = {"page": page, "visit": visit_name(), "keys": keys, "shown": shown}
    _component("page")(
        key=key,
        data=data,
        on_back_change=take_back,
        on_step_change=take_turn,
        on_leave_change=take_leave,
        on_answer_change=take_answer,
        on_reveal_change=take_reveal,
        on_theme_change=_run_again,
        on_styled_change=_run_again,
        height=1,
    )


def _run_again() -> None:
    """Trigger a rerun when the style has been applied or the theme has changed."""


def mount_still(name: str, key: str, data: Mapping[str, Any]) -> None:
    """Show a component that sends no requests."""
    _component(name)(key=key, data=data)
