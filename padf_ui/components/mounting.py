"""Mounting the browser's components: each is joined from its modules, once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import streamlit as st

from padf_ui import web
from padf_ui.session.asks import expect_asks, visit_name
from padf_ui.session.lesson import take_leave, take_turn
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
    """Show a component, and pass on what it asks for."""
    expect_asks(key, take)
    _component(name)(key=key, data=data, default={"ask": None}, on_ask_change=take)


def stand(name: str, key: str) -> None:
    """Show a component that a fragment answers: it stands outside, and gets what `send` sends.

    Whatever is in a fragment can be taken away by Streamlit when two runs meet; see mount.js.
    """
    data: Mailbox = {"box": key}
    _component(name)(key=f"{key}_stand", data=data)


def send(key: str, letter: Letter, take: Callable[[], None]) -> None:
    """Send from a fragment what a component shows, and pass on what it asks for."""
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
    """Mount what every page has: it reports its style, steps back and a switch of the theme.

    With ``keys`` it also reports the keys that turn the steps of a lesson. Until a page is
    ``shown`` it reports its style repeatedly.
    """
    data: PageData = {"page": page, "visit": visit_name(), "keys": keys, "shown": shown}
    _component("page")(
        key=key,
        data=data,
        on_back_change=take_back,
        on_step_change=take_turn,
        on_leave_change=take_leave,
        on_theme_change=_run_again,
        on_styled_change=_run_again,
        height=1,
    )


def _run_again() -> None:
    """Let the page run: once its style is in force, and in the colours of another theme."""


def mount_still(name: str, key: str, data: Mapping[str, Any]) -> None:
    """Show a component that asks for nothing."""
    _component(name)(key=key, data=data)
