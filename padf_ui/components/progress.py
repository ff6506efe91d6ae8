"""What is shown while something long is computed, and when an input is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import streamlit as st

from padf_core.metrics.checks import Progress
from padf_ui.components.names import plain


@contextmanager
def progress(text: str, *, stops: bool = False) -> Iterator[Progress]:
    """Show a bar while something long is computed; what is known already shows none.

    With ``stops`` a button stands beside it: any click lets the run end where it tells how far it
    is, and the page is as before.
    """
    place = st.empty()
    around = place.container() if stops else place
    try:
        bar = around
        if stops:
            bar = around.empty()
            around.button("Stop", key=f"stop_{text}", icon=":material/stop_circle:")
        yield lambda share: _advance(bar, share, text)
    finally:
        place.empty()


def _advance(place: Any, share: float, text: str) -> None:
    place.progress(min(1.0, max(0.0, share)), text)


@contextmanager
def errors_shown(what: str = "Nothing has been changed.") -> Iterator[None]:
    """Show what is wrong with an input, and that everything else stays as it was."""
    try:
        yield
    except ValueError as error:
        st.error(plain(f"{error}. {what}".replace("..", ".")), icon=":material/error:")
