"""The glossary as a page."""

from __future__ import annotations

import streamlit as st

from padf_core.teaching.glossary import TERMS
from padf_ui.components.terms import tell


def show_terms() -> None:
    """Show every term with what it means, each with an address of its own."""
    for term in TERMS:
        also = f" ({', '.join(term.also)})" if term.also else ""
        st.header(f"{term.name}{also}", anchor=term.key)
        tell(term.meaning, besides=term.key)
