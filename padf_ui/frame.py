"""The frame around every page: navigation, title and the lines below it."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from padf_ui import state


@dataclass(frozen=True)
class Page:
    """One entry of the navigation."""

    script: str
    title: str
    icon: str


PAGES: dict[str, Page] = {
    "paper_cases": Page("pages/paper_cases.py", "Paper cases", ":material/menu_book:"),
}

_STYLE = """
<style>
.stMainBlockContainer { padding: 4.25rem 2.5rem 3rem; max-width: 1600px; }
@media (max-width: 640px) { .stMainBlockContainer { padding: 4.25rem 0.75rem 2rem; } }
h1 { padding-top: 0; }
</style>
"""


def run_app() -> None:
    """Set up the navigation and run the page that was asked for."""
    st.set_page_config(page_title="PAdf Explorer", page_icon=":material/monitoring:", layout="wide")
    state.mark_framed()
    chosen = st.navigation(
        [
            st.Page(page.script, title=page.title, icon=page.icon, default=index == 0)
            for index, page in enumerate(PAGES.values())
        ],
        position="top",
    )
    wanted = state.take_wanted_page()
    if wanted:
        script, query = wanted
        st.switch_page(script, query_params=query)
    st.html(_STYLE)
    chosen.run()


def open_page(key: str) -> None:
    """Begin a page.

    On a fresh server the first request to a page's own address runs the page without app.py; then
    go through app.py and come back.
    """
    if not state.is_framed():
        state.want_page(PAGES[key].script)
        st.switch_page("app.py")


def show_title(title: str, lead: str) -> None:
    """Show a page's title and the sentence that says what it is for."""
    st.title(title, anchor=False)
    st.markdown(lead)
