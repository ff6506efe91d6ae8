"""Mounting the browser's components: each is joined from its modules, once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import streamlit as st

from padf_ui import web


@cache
def _component(name: str) -> Any:
    return st.components.v2.component(
        f"padf_{name}",
        html=f'<div class="{name}"></div>',
        css=web.style(),
        js=web.join(f"{name}.js"),
    )


def mount(name: str, key: str, data: Mapping[str, Any], take: Callable[[], None]) -> None:
    """Show a component, and pass on what it asks for."""
    _component(name)(key=key, data=data, default={"ask": None}, on_ask_change=take)


def mount_page(key: str, take_back: Callable[[], None]) -> None:
    """Mount what every page has: it tells of steps back in the browser and of another theme."""
    _component("page")(
        key=key, data={}, on_back_change=take_back, on_theme_change=_run_again, height=1
    )


def _run_again() -> None:
    """Let the page run, so that charts take the colours of another theme."""
