"""Frame around every page: navigation, title and reserved slots."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import streamlit as st

from padf_ui import web
from padf_ui.components import mounting
from padf_ui.registry import GROUPS, PAGES
from padf_ui.server.collector import collect_in_background
from padf_ui.server.streamlit_runs import keep_runs_whole
from padf_ui.session import links
from padf_ui.session.asks import PAGE_KEY, take_missed_asks
from padf_ui.session.lesson import current_progress
from padf_ui.session.pages import (
    enter_page,
    is_framed,
    is_styled,
    mark_framed,
    take_wanted_page,
    want_page,
)

_WEB = Path(__file__).parent / "web"
ICON = _WEB / "icon.png"


_HEIGHTS: dict[str, tuple[int, int]] = {
    "front": (432, 822),
    "replay": (440, 926),
    "lesson": (420, 480),
    "board": (583, 966),
    "patterns": (298, 915),
    "quiz_board": (406, 480),
    "timeline": (759, 1084),
    "cases": (1400, 2560),
    "probabilities": (400, 416),
    "asked": (40, 205),
    "need": (232, 440),
    "race": (352, 560),
}
"""Approximate height in pixels of each component with four lanes, on a wide and a narrow screen.

The slot reserves this height until the component arrives.
"""

_MORE_PER_LANE: dict[str, tuple[int, int]] = {
    "lesson": (0, 60),
    "board": (2, 60),
    "patterns": (44, 132),
    "timeline": (37, 52),
}

_STYLED = ".st-key-padf_page { --padf-styled: 1; }"
"""Marker that tells page.js that the styles sent with `st.html` are applied."""


def run_app() -> None:
    """Set up the navigation and run the requested page."""
    st.set_page_config(page_title="PAdf Explorer", page_icon=ICON, layout="wide")
    mark_framed()
    take_missed_asks()
    collect_in_background()
    keep_runs_whole()
    is_dark = st.context.theme.type == "dark"
    st.logo(_WEB / f"logo-{'dark' if is_dark else 'light'}.svg", size="large")
    chosen = st.navigation(
        {
            group: [
                st.Page(page.script, title=page.title, icon=page.icon, default=key == "start")
                for key, page in PAGES.items()
                if page.group == group
            ]
            for group in GROUPS
        },
        position="top",
    )
    wanted = take_wanted_page()
    if wanted:
        script, query = wanted
        st.switch_page(script, query_params=query)
    is_lesson = chosen.url_path == "learn"
    if is_lesson:
        # The link says whether the lesson is presented, and the style depends on that.
        _enter("learn")
    sheets = ["page", "terms"]
    if is_lesson and current_progress().is_presented:
        sheets.append("presented")
    st.html(f"<style>{web.style(*sheets)}{_STYLED}</style>")
    is_shown = is_styled()
    with st.container(key="padf_page"):
        mounting.mount_page(PAGE_KEY, chosen.url_path, keys=is_lesson, shown=is_shown)
    if is_shown:
        chosen.run()


def open_page(key: str) -> None:
    """Start a page and synchronise it with its URL.

    On a fresh server, the first request to a page's own URL runs the page without app.py. In that
    case, switch to app.py, which switches back.
    """
    if not is_framed():
        want_page(PAGES[key].script)
        st.switch_page("app.py")
    _enter(key)


def _enter(key: str) -> None:
    links.sync(PAGES[key].link, arrived=enter_page(key))


@contextmanager
def title_row(title: str, lead: str) -> Iterator[None]:
    """Show the page title, a sentence about its purpose, and the widgets created in the block."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.title(title, anchor=False, width="content")
        st.markdown(lead)
        yield


@contextmanager
def slot(name: str, lanes: int = 4) -> Iterator[None]:
    """Reserve a place on the page that always exists, even when it is empty.

    Streamlit identifies a fragment by its position. Everything above a fragment that comes and goes
    therefore needs a slot. The slot of a component already has the component's height, so the page
    does not jump when the component arrives.
    """
    with st.container(key=f"padf_slot_{name}"):
        if name in _HEIGHTS:
            st.html(_reserve(name, lanes))
        yield


@contextmanager
def thin(name: str) -> Iterator[None]:
    """Lay out widgets in one line and reserve the height of one line for them."""
    with st.container(key=f"padf_thin_{name}"):
        yield


def _reserve(name: str, lanes: int) -> str:
    more = _MORE_PER_LANE.get(name, (0, 0))
    wide, narrow = (
        height + (lanes - 4) * each for height, each in zip(_HEIGHTS[name], more, strict=True)
    )
    place = f".st-key-padf_slot_{name}"
    return (
        f"<style>{place} {{ min-height: {wide}px; }} "
        f"@media (max-width: 700px) {{ {place} {{ min-height: {narrow}px; }} }}</style>"
    )
