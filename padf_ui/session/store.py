"""What a visit keeps, and how it is changed. Only this module touches Streamlit's session.

One dictionary holds everything, with a `Slot` for each thing. Every change to it is `atomic`:
Streamlit can end a run wherever the run reads the session, and no half change must be left behind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from functools import wraps
from typing import Any, Generic, ParamSpec, TypeVar, cast

import streamlit as st

KEPT = "padf_kept"

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

_HELD: ContextVar[dict[str, Any] | None] = ContextVar("padf_held", default=None)
"""The session as it was when the current change began."""


def session_values() -> Mapping[str, Any]:
    """Return the session with the values of its widgets."""
    held = _HELD.get()
    return cast(Mapping[str, Any], st.session_state) if held is None else held


def kept() -> dict[str, Any]:
    """Return what this visit keeps."""
    session = session_values()
    try:
        return cast(dict[str, Any], session[KEPT])
    except KeyError:
        st.session_state[KEPT] = {}
        return cast(dict[str, Any], session[KEPT])


def atomic(change: Callable[P, R]) -> Callable[P, R]:
    """Make a change as a whole, or not at all.

    Streamlit can end a run wherever the run reads the session, in a callback too. An ask would then
    be noted as answered, and its stroke would be lost. So a change first copies the whole session,
    in the one call that cannot end the run, and then works on what is kept.
    """

    @wraps(change)
    def made(*args: P.args, **kwargs: P.kwargs) -> R:
        if _HELD.get() is not None:
            return change(*args, **kwargs)
        session = st.session_state.to_dict()
        if KEPT not in session:
            session[KEPT] = st.session_state[KEPT] = {}
        token = _HELD.set(session)
        try:
            return change(*args, **kwargs)
        finally:
            _HELD.reset(token)

    return made


class Slot(Generic[T]):
    """One thing that a visit keeps, and its value until it is set."""

    def __init__(self, name: str, make: Callable[[], T]) -> None:
        self._name = name
        self._make = make

    @property
    def is_set(self) -> bool:
        """Whether it has been set."""
        return self._name in kept()

    def get(self) -> T:
        """Return its value."""
        return cast(T, kept()[self._name]) if self._name in kept() else self._make()

    def put(self, value: T) -> None:
        """Set its value."""
        kept()[self._name] = value

    def forget(self) -> None:
        """Go back to the value at the beginning."""
        kept().pop(self._name, None)

    def take(self) -> T:
        """Return its value and forget it."""
        found = self.get()
        self.forget()
        return found


class Counter(Slot[int]):
    """A number that rises."""

    def __init__(self, name: str) -> None:
        super().__init__(name, int)

    def rise(self) -> None:
        """Add one."""
        self.put(self.get() + 1)


def has_browser() -> bool:
    """Say whether a browser requested this run."""
    return bool(st.context.headers.to_dict())


def rerun() -> None:
    """Run the whole page, not only the fragment of the component that asked."""
    st.rerun()
