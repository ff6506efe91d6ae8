"""Requests of browser components: a key for each component and a number for each request.

The answer carries the number of the request. A component waits for it before its next request.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast
from uuid import uuid4

from padf_ui.session.store import Slot, session_values
from padf_ui.wire.check import fits

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

T = TypeVar("T")

_VISIT: Slot[str] = Slot("padf_session", lambda: "")
_ANSWERED: Slot[dict[str, int]] = Slot("padf_answered", dict)
_TAKERS: Slot[dict[str, Callable[[], None]]] = Slot("padf_takers", dict)


def visit_name() -> str:
    """Return the name of this visit. A new name tells a component that the server has restarted."""
    if not _VISIT.is_set:
        _VISIT.put(uuid4().hex)
    return _VISIT.get()


def answered(key: str) -> int:
    """Return the number of a component's last processed request."""
    return _ANSWERED.get().get(key, 0)


def sent(key: str, name: str, kind: Any) -> Any:
    """Return the value that a component has sent under a name, or None if its type is wrong."""
    found = _component_state(key).get(name)
    return found if fits(found, kind) else None


def take_ask(key: str, kind: type[T]) -> T | None:
    """Return a component's new request once, or None if there is no valid one."""
    number = _number_asked(key)
    if not number:
        return None
    _ANSWERED.put({**_ANSWERED.get(), key: number})
    return cast(T | None, sent(key, "ask", kind))


def _component_state(key: str) -> Any:
    """Return the values that a component has sent, by name."""
    return session_values().get(key) or {}


def _number_asked(key: str) -> int:
    """Return the number of an unanswered request, or 0. The numbers of requests increase."""
    ask = _component_state(key).get("ask")
    number = ask.get("id") if isinstance(ask, dict) else None
    return number if type(number) is int and answered(key) < number <= 2**53 else 0


def expect_asks(key: str, take: Callable[[], None]) -> None:
    """Remember the function that handles a component's requests."""
    _TAKERS.put({**_TAKERS.get(), key: take})


def take_missed_asks() -> None:
    """Process the requests of a run that ended before it could process them.

    Streamlit considers them delivered and does not call again.
    """
    for key, take in _TAKERS.get().items():
        if _number_asked(key):
            take()
