"""Progress bars for long computations, and messages about invalid inputs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import streamlit as st

from padf_core.metrics.checks import Progress
from padf_ui.components.names import plain


@contextmanager
def progress(text: str, *, stops: bool = False) -> Iterator[Progress]:
    """Show a progress bar during a long computation. Cached results show none.

    With ``stops``, add a Stop button. Any click ends the run the next time it reports progress, and
    the page stays as it was.
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
    """Show an input error, and confirm that nothing else has changed."""
    try:
        yield
    except ValueError as error:
        st.error(plain(f"{error}. {what}".replace("..", ".")), icon=":material/error:")
