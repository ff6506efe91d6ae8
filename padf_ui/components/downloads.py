"""Download buttons. All files go through this module, so that no two files share a URL.

Above 1 MiB, Streamlit identifies a file by its length, three parts of its content and its name. Two
files that differ elsewhere would get one URL, and a visitor could receive another visitor's file.
Every file name therefore ends in a digest of everything that the content depends on.
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
    """Offer a file for download.

    If ``content`` is a function, it runs only on download, and ``of`` holds everything it depends
    on.
    """
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
