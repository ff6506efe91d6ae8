"""Text in which glossary terms show their meaning on hover or focus."""

from __future__ import annotations

import html
import re

import streamlit as st

from padf_core.teaching.glossary import TERMS, find_term

_NAMES = sorted({name for term in TERMS for name in (term.name, *term.also)}, key=len, reverse=True)
_WORDS = re.compile(rf"(?<![\w*])(?:{'|'.join(map(re.escape, _NAMES))})(?![\w*])", re.I)


_ELSEWHERE = frozenset({"point", "score"})
"""Terms that also have everyday meanings. They are explained only where they are marked."""


def say(text: str) -> None:
    """Show text. Words between ** and ** are bold, and glossary terms show their meaning."""
    st.html(f'<p class="padf-said">{with_terms(text)}</p>')


def marked(text: str, besides: str = "") -> str:
    """Mark the first occurrence of every glossary term. Text that is already bold stays unchanged.

    ``besides`` is the key of a term that needs no explanation here.

    >>> marked("A late hit is a hit; PA fills the segment.")
    'A late **hit** is a hit; **PA** fills the **segment**.'
    >>> marked("**A late hit.** PA fills the segment.", besides="pa")
    '**A late hit.** PA fills the **segment**.'
    """
    parts = text.split("**")
    seen = {*_ELSEWHERE, besides}
    for strong in parts[1::2]:
        term = find_term(strong)
        if term is not None:
            seen.add(term.key)

    def mark(found: re.Match[str]) -> str:
        term = find_term(found[0])
        if term is None or term.key in seen:
            return found[0]
        seen.add(term.key)
        return f"**{found[0]}**"

    parts[::2] = [_WORDS.sub(mark, part) for part in parts[::2]]
    return "**".join(parts)


def tell(text: str, besides: str = "") -> None:
    """Show a paragraph in which the first occurrence of every term is explained."""
    say(marked(text, besides))


def with_terms(text: str) -> str:
    """Return escaped text as HTML, with the meanings of glossary terms.

    >>> with_terms("a **Hit** & **more**").split("<")[1][:44]
    'span class="padf-term" tabindex="0" role="no'
    """
    parts = text.split("**")
    made = []
    for place, part in enumerate(parts):
        is_strong = place % 2 == 1 and place < len(parts) - 1
        term = find_term(part) if is_strong else None
        shown = html.escape(part)
        if term is not None:
            meaning = html.escape(term.meaning, quote=True)
            made.append(
                f'<span class="padf-term" tabindex="0" role="note" '
                f'aria-label="{shown}: {meaning}" data-meaning="{meaning}">{shown}</span>'
            )
        else:
            made.append(f"<strong>{shown}</strong>" if is_strong else shown)
    return "".join(made)


def meanings() -> dict[str, str]:
    """Return the meaning of every term, keyed by each of its spellings.

    >>> meanings()["hits"]
    'A detection inside a segment.'
    """
    return {name: term.meaning for term in TERMS for name in (term.name, *term.also)}
