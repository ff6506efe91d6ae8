"""Offering files: the only place that does, so that no two of them share an address.

Above 1 MiB Streamlit knows a file by its length, three pieces of it and its name: two that differ
elsewhere would be one, and a visitor would get the other's. So every name ends in a digest of all
that the content depends on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import streamlit as st

from padf_ui.components.file_names import stamped


def offer(
    label: str,
    content: str | Callable[[], str],
    name: str,
    mime: str,
    *,
    of: object = None,
    key: str | None = None,
    icon: str | None = None,
    kind: Literal["primary", "secondary"] = "secondary",
    about: str | None = None,
) -> None:
    """Offer a file; what is made only when it is asked for says what it is made ``of``."""
    if of is None and not isinstance(content, str):
        raise TypeError(f"{name}: say what the content is made of")
    st.download_button(
        label,
        content,
        stamped(name, content if of is None else of),
        mime,
        key=key,
        icon=icon,
        type=kind,
        on_click="ignore",
        help=about,
    )
