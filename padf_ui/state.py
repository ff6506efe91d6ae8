"""The only place that touches the session and the URL."""

from __future__ import annotations

import streamlit as st

_FRAMED = "padf_framed"
_WANTED = "padf_wanted_page"


def mark_framed() -> None:
    """Remember that app.py has opened this session."""
    st.session_state[_FRAMED] = True


def is_framed() -> bool:
    """Say whether app.py has opened this session."""
    return bool(st.session_state.get(_FRAMED, False))


def want_page(script: str) -> None:
    """Remember a page, with its query, that was asked for before app.py had run."""
    st.session_state[_WANTED] = (script, st.query_params.to_dict())


def take_wanted_page() -> tuple[str, dict[str, str | list[str]]] | None:
    """Return the remembered page and its query once."""
    wanted: tuple[str, dict[str, str | list[str]]] | None = st.session_state.pop(_WANTED, None)
    return wanted
