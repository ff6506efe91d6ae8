"""What a visit keeps, how it is changed, and what the browser has sent: the one use of the session.

All that is kept stands in one dictionary, as a `Slot` for each thing. Whatever changes it is
`atomic`: Streamlit ends a run for a newer one wherever it looks into the session, and half a change
must not be left behind. What a component asks for has a number, which goes back with the answer: a
component has one ask under way at most.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from functools import wraps
from typing import Any, Generic, ParamSpec, TypeVar, cast
from uuid import uuid4

import streamlit as st

from padf_ui.wire.check import fits

KEPT = "padf_kept"
BOARD_KEY = "padf_board_component"
CASES_KEY = "padf_cases_component"
TIMELINE_KEY = "padf_timeline_component"
PROBABILITIES_KEY = "padf_probabilities_component"
PAGE_KEY = "padf_page_component"
LESSON_KEY = "padf_lesson_component"
GUESS_KEY = "padf_guess_component"
FRONT_KEY = "padf_front_component"
REPLAY_KEY = "padf_replay_component"
NEED_KEY = "padf_need_component"
RACE_KEY = "padf_race_component"

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

_HELD: ContextVar[dict[str, Any] | None] = ContextVar("padf_held", default=None)
"""The session as it was when the change that is being made began."""


def session_values() -> Mapping[str, Any]:
    """Return the session with what its widgets say."""
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
    """Let a change be made as a whole.

    Wherever a run looks into Streamlit's session, Streamlit may end it for a newer one, also inside
    a callback: an ask would be noted as answered and its stroke be lost. So a change takes what it
    needs at once, in the one way that is no such place, and then changes what is kept.
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
    """One thing that a visit keeps, with what it is until somebody changes it."""

    def __init__(self, name: str, make: Callable[[], T]) -> None:
        self._name = name
        self._make = make

    @property
    def is_set(self) -> bool:
        """Whether it has been put there."""
        return self._name in kept()

    def get(self) -> T:
        """Return it."""
        return cast(T, kept()[self._name]) if self._name in kept() else self._make()

    def put(self, value: T) -> None:
        """Replace it."""
        kept()[self._name] = value

    def forget(self) -> None:
        """Let it be as at the beginning."""
        kept().pop(self._name, None)

    def take(self) -> T:
        """Return it once."""
        found = self.get()
        self.forget()
        return found


class Counter(Slot[int]):
    """A number that rises."""

    def __init__(self, name: str) -> None:
        super().__init__(name, int)

    def rise(self) -> None:
        """Count one more."""
        self.put(self.get() + 1)


# ---- what is told, and what is not in the address yet --------------------------------------------

_MESSAGE: Slot[str | None] = Slot("padf_message", lambda: None)
_CHANGED: Slot[bool] = Slot("padf_changed", bool)


def message() -> str | None:
    """Return what the user must be told, until something changes."""
    return _MESSAGE.get()


@atomic
def put_message(text: str | None) -> None:
    """Tell the user something until something changes, or take it back."""
    _MESSAGE.put(text)


def mark_changed() -> None:
    """Note that the address is older than what is kept, and that what was told is too."""
    _CHANGED.put(True)
    _MESSAGE.forget()


def mark_written() -> None:
    """Note that the address holds what is kept."""
    _CHANGED.forget()


def is_changed() -> bool:
    """Say whether something has changed that is not in the address yet."""
    return _CHANGED.get()


def has_browser() -> bool:
    """Say whether a browser has asked for this run."""
    return bool(st.context.headers.to_dict())


def rerun() -> None:
    """Run the whole page, not only the fragment whose component has asked."""
    st.rerun()


# ---- what components ask -------------------------------------------------------------------------

_VISIT: Slot[str] = Slot("padf_session", lambda: "")
_ANSWERED: Slot[dict[str, int]] = Slot("padf_answered", dict)
_TAKERS: Slot[dict[str, Callable[[], None]]] = Slot("padf_takers", dict)


def visit_name() -> str:
    """Return a name for this visit, by which a component knows a server that began anew."""
    if not _VISIT.is_set:
        _VISIT.put(uuid4().hex)
    return _VISIT.get()


def answered(key: str) -> int:
    """Return the number of the last ask of a component that was taken."""
    return _ANSWERED.get().get(key, 0)


def sent(key: str, name: str, kind: Any) -> Any:
    """Return what a component has sent under a name, or None if it is not of this kind."""
    component = session_values().get(key)
    found = None if component is None else component.get(name)
    return found if fits(found, kind) else None


def take_ask(key: str, kind: type[T]) -> T | None:
    """Return what a component asks for, once; None when it is no ask of this kind."""
    number = _number_asked(key)
    if not number:
        return None
    _ANSWERED.put({**_ANSWERED.get(), key: number})
    return cast(T | None, sent(key, "ask", kind))


def _number_asked(key: str) -> int:
    """Return the number of an ask that has not been answered, or 0; numbers of asks rise."""
    component = session_values().get(key)
    ask = None if component is None else component.get("ask")
    number = ask.get("id") if isinstance(ask, dict) else None
    return number if type(number) is int and answered(key) < number <= 2**53 else 0


def expect_asks(key: str, take: Callable[[], None]) -> None:
    """Remember who takes what a component asks for."""
    _TAKERS.put({**_TAKERS.get(), key: take})


def take_missed_asks() -> None:
    """Take what was asked of a run that was ended before it could take it.

    Streamlit has heard of it then, and will not call again.
    """
    for key, take in _TAKERS.get().items():
        if _number_asked(key):
            take()


# ---- widgets -------------------------------------------------------------------------------------

KEPT_KEYS = 3


def widget_key(name: str, value: object) -> str:
    """Return the key for a widget whose default is this value.

    A value that was changed by anything but the widget itself gives the widget a new key: a browser
    that still holds the old value could otherwise send it back as if it had just been chosen.
    """
    if session_values().get(_current_key(name), value) != value:
        kept()[f"{name}.count"] = kept().get(f"{name}.count", 0) + 1
    key = _current_key(name)
    kept()[f"{name}.shown"] = {**_shown(name), key: value}
    return key


def _shown(name: str) -> dict[str, object]:
    """Return what the last few keys of a widget showed."""
    known: dict[str, object] = kept().get(f"{name}.shown", {})
    return dict(list(known.items())[-KEPT_KEYS:])


def _current_key(name: str) -> str:
    return f"{name}.{kept().get(f'{name}.count', 0)}"


@atomic
def take_choice(name: str, key: str, take: Callable[[Any], None]) -> None:
    """Pass on what was chosen in a widget, unless it only says again what it showed before."""
    known, session = _shown(name), session_values()
    if key in session and key in known:
        chosen = session[key]
        if key == _current_key(name) or chosen != known[key]:
            take(chosen)


def chosen_rows(key: str) -> Sequence[int]:
    """Return the rows that are chosen in a table."""
    table = session_values().get(key)
    return table.selection.rows if table is not None else ()


def chosen_point(key: str) -> tuple[Any, ...]:
    """Return what the point that was clicked in a chart stands for; nothing where none was."""
    chart = session_values().get(key)
    points = chart.selection.points if chart is not None else []
    held = points[0].get("customdata") if points else None
    return tuple(held) if isinstance(held, (list, tuple)) else ()


def uploaded(key: str) -> Sequence[Any]:
    """Return the files that an uploader holds: the widget itself gives a copy of all they hold."""
    files: Sequence[Any] = st.session_state.get(key) or ()
    return files
