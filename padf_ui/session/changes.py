"""Whether the address is older than what is kept, and the message to the user until it changes."""

from __future__ import annotations

from padf_ui.session.store import Slot, atomic

_MESSAGE: Slot[str | None] = Slot("padf_message", lambda: None)
_CHANGED: Slot[bool] = Slot("padf_changed", bool)


def message() -> str | None:
    """Return the message to the user, if there is one."""
    return _MESSAGE.get()


@atomic
def put_message(text: str | None) -> None:
    """Show the user a message until something changes; None removes it."""
    _MESSAGE.put(text)


def mark_changed() -> None:
    """Note that the address is older than what is kept, and remove the message."""
    _CHANGED.put(True)
    _MESSAGE.forget()


def mark_written() -> None:
    """Note that the address holds what is kept."""
    _CHANGED.forget()


def is_changed() -> bool:
    """Say whether something has changed that is not in the address yet."""
    return _CHANGED.get()
