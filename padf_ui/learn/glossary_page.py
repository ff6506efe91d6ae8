"""Glossary page."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from padf_core import PROTOCOLS
from padf_core.teaching.glossary import TERMS, Term
from padf_ui.components.names import plain
from padf_ui.components.terms import tell


def show_terms() -> None:
    """Show the terms that match a search, in two columns. Each term has its own anchor."""
    wanted = st.text_input("Search", placeholder="credit, threshold, PA%K …", max_chars=60)
    found = matching(wanted)
    if not found:
        st.info(f"No term matches {plain(wanted.strip())}.")
    half = -(-len(found) // 2)
    for place, part in zip(st.columns(2, gap="large"), (found[:half], found[half:]), strict=True):
        with place:
            for term in part:
                _show_term(term)


def matching(wanted: str) -> Sequence[Term]:
    """Return the terms that contain a text in their names or their meaning.

    >>> [term.key for term in matching(" Jackknife ")]
    ['resample']
    """
    text = wanted.strip().casefold()
    return [
        term for term in TERMS if text in " ".join((term.name, *term.also, term.meaning)).casefold()
    ]


def _show_term(term: Term) -> None:
    also = f" ({', '.join(term.also)})" if term.also else ""
    st.header(f"{term.name}{also}", anchor=term.key)
    tell(term.meaning, besides=term.key)
    formula = PROTOCOLS[term.key].latex if term.key in PROTOCOLS else term.formula
    if formula:
        # A formula in the text can wrap. One of its own would scroll on a phone.
        st.markdown(f"${formula}$")
