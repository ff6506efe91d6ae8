"""Whether the URL is outdated, and the message to the user until the next change."""

from __future__ import annotations

from padf_ui.session.store import Slot, atomic

_MESSAGE: Slot[str | None] = Slot("padf_message", lambda: None)
_CHANGED: Slot[bool] = Slot("padf_changed", bool)


def message() -> str | None:
    """Return the message to the user, if there is one."""
    return _MESSAGE.get()


@atomic
def put_message(text: str | None) -> None:
    """Show the user a message until the next change. None removes it."""
    _MESSAGE.put(text)


def mark_changed() -> None:
    """Mark the URL as outdated, and remove the message."""
    _CHANGED.put(True)
    _MESSAGE.forget()


def mark_written() -> None:
    """Mark the URL as up to date."""
    _CHANGED.forget()


def is_changed() -> bool:
    """Return whether the URL is outdated."""
    return _CHANGED.get()
