"""The current page, and what a visit needs before its first page can be shown."""

from __future__ import annotations

from padf_ui.session import links
from padf_ui.session.store import Slot, has_browser

_FRAMED: Slot[bool] = Slot("padf_framed", bool)
_WANTED: Slot[tuple[str, dict[str, str]] | None] = Slot("padf_wanted_page", lambda: None)
_STYLED: Slot[bool] = Slot("padf_styled", bool)
_PAGE: Slot[str] = Slot("padf_page", str)


def mark_framed() -> None:
    """Remember that this session went through app.py."""
    _FRAMED.put(True)


def is_framed() -> bool:
    """Return whether this session went through app.py."""
    return _FRAMED.get()


def want_page(script: str) -> None:
    """Remember a page and its query that were requested before app.py had run."""
    _WANTED.put((script, links.query()))


def take_wanted_page() -> tuple[str, dict[str, str]] | None:
    """Return the remembered page and its query once."""
    return _WANTED.take()


def is_styled() -> bool:
    """Return whether the browser can reserve space for components: from its second run on.

    The first run loads the code that applies styles and shows components. Anything sent with it
    would make the page jump. The page's component requests the second run. Without a browser there
    is nothing to wait for.
    """
    styled = _STYLED.get() or not has_browser()
    _STYLED.put(True)
    return styled


def enter_page(key: str) -> bool:
    """Remember the current page. Return whether it differs from the previous one."""
    arrived = _PAGE.get() != key
    _PAGE.put(key)
    return arrived
