"""State of a visit and changes to it. Only this module accesses Streamlit's session.

A single dictionary holds everything, with one `Slot` per value. Every change is `atomic`: Streamlit
can end a run whenever the run reads the session, and a change must never be partial.
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
"""Copy of the session at the start of the current change."""


def session_values() -> Mapping[str, Any]:
    """Return the session, including the values of its widgets."""
    held = _HELD.get()
    return cast(Mapping[str, Any], st.session_state) if held is None else held


def kept() -> dict[str, Any]:
    """Return the stored values of this visit."""
    session = session_values()
    try:
        return cast(dict[str, Any], session[KEPT])
    except KeyError:
        st.session_state[KEPT] = {}
        return cast(dict[str, Any], session[KEPT])


def atomic(change: Callable[P, R]) -> Callable[P, R]:
    """Apply a change completely or not at all.

    Streamlit can end a run whenever the run reads the session, even in a callback. A request could
    then be recorded as answered while its stroke is lost. A change therefore first copies the whole
    session, in the one call that cannot end the run, and then works on the stored values.
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
    """One stored value of a visit, with a default until it is set."""

    def __init__(self, name: str, make: Callable[[], T]) -> None:
        self._name = name
        self._make = make

    @property
    def is_set(self) -> bool:
        """Whether the value has been set."""
        return self._name in kept()

    def get(self) -> T:
        """Return the value."""
        return cast(T, kept()[self._name]) if self._name in kept() else self._make()

    def put(self, value: T) -> None:
        """Set the value."""
        kept()[self._name] = value

    def forget(self) -> None:
        """Reset the value to its default."""
        kept().pop(self._name, None)

    def take(self) -> T:
        """Return the value and reset it."""
        found = self.get()
        self.forget()
        return found


class Counter(Slot[int]):
    """A number that only increases."""

    def __init__(self, name: str) -> None:
        super().__init__(name, int)

    def rise(self) -> None:
        """Increase the number by one."""
        self.put(self.get() + 1)


def has_browser() -> bool:
    """Return whether a browser requested this run."""
    return bool(st.context.headers.to_dict())


def rerun() -> None:
    """Rerun the whole page, not only the fragment that sent the request."""
    st.rerun()
