"""Glossary page."""

from __future__ import annotations

import streamlit as st

from padf_core.teaching.glossary import TERMS
from padf_ui.components.terms import tell


def show_terms() -> None:
    """Show every term with its meaning and its own anchor."""
    for term in TERMS:
        also = f" ({', '.join(term.also)})" if term.also else ""
        st.header(f"{term.name}{also}", anchor=term.key)
        tell(term.meaning, besides=term.key)
