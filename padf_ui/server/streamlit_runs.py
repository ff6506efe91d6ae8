"""Fix runs that lose elements or changes. This is the only module that patches Streamlit.

Streamlit 1.67 loses things in two places when a page and one of its fragments are busy at the same
moment. Both happen on slow machines, and in both a panel that was just opened does not appear until
the page runs again.

The last elements of a run. A page runs in a thread, and the server's event loop handles its
elements a little later. If a component requests its fragment in between, Streamlit starts a new run
immediately. It then ignores every element of the old run that the event loop has not handled (its
source describes this, issue 9921). Here a fragment waits until the event loop has handled the whole
old run. A run of the whole page does not wait, because it sends all elements again.

A change outside the fragment. The browser puts all changes of one moment into one message. If one
of them comes from a fragment, the message requests this fragment alone, and the rest of the page
does not follow the other changes. Here such a message runs the whole page.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.runtime.state.session_state import SessionState, WStates

SOON = 0.001
"""Seconds between two checks whether the previous run has ended."""

_waiting: WeakKeyDictionary[AppSession, list[RerunData]] = WeakKeyDictionary()
_said: WeakKeyDictionary[AppSession, dict[str, WidgetState]] = WeakKeyDictionary()
_create = AppSession._create_scriptrunner
_request = AppSession.request_rerun


@cache
def keep_runs_whole() -> None:
    """Patch how all sessions start their runs."""
    setattr(AppSession, "_create_scriptrunner", _create_in_turn)  # noqa: B010
    setattr(AppSession, "request_rerun", _request_all_that_changed)  # noqa: B010


def _create_in_turn(session: AppSession, wanted: RerunData) -> None:
    """Start a run. A fragment waits until the event loop has handled the previous run."""
    waiting = [*_waiting.pop(session, []), wanted]
    if not wanted.fragment_id or session._scriptrunner is None:
        _start(session, waiting)
        return
    _waiting[session] = waiting
    if len(waiting) == 1:
        session._event_loop.call_later(SOON, _go_on, session)


def _go_on(session: AppSession) -> None:
    """Start the waiting fragments once the previous run has been handled."""
    if session not in _waiting:
        return
    if session._scriptrunner is not None:
        session._event_loop.call_later(SOON, _go_on, session)
        return
    waiting = _waiting.pop(session)
    if session._state != AppSessionState.SHUTDOWN_REQUESTED:
        _start(session, waiting)


def _start(session: AppSession, requests: Sequence[RerunData]) -> None:
    """Start a run for the oldest request. The others join it, so that no click is lost."""
    _create(session, requests[0])
    for wanted in requests[1:]:
        runner = session._scriptrunner
        if runner is None or not runner.request_rerun(wanted):
            _create_in_turn(session, wanted)


def _request_all_that_changed(session: AppSession, said: ClientState | None) -> None:
    """Request a run. Run the whole page if a widget outside the fragment has changed."""
    if said is not None:
        if said.fragment_id and _is_changed_outside(session, said):
            said.fragment_id = ""
        _said[session] = {widget.id: widget for widget in said.widget_states.widgets}
    _request(session, said)


def _is_changed_outside(session: AppSession, said: ClientState) -> bool:
    """Return whether a message has a new value for a widget outside its fragment."""
    before, state = _said.get(session, {}), session._session_state
    for widget in said.widget_states.widgets:
        metadata = state._new_widget_state.widget_metadata.get(widget.id)
        if metadata is None or metadata.fragment_id == said.fragment_id:
            continue
        # A button appears only in the message that its click sends.
        if "trigger" in str(widget.WhichOneof("value")):
            return True
        if widget != (before.get(widget.id) or _unsent_value(state, metadata)):
            return True
    return False


def _unsent_value(state: SessionState, metadata: WidgetMetadata[Any]) -> WidgetState | None:
    """Return the value that Python has of a widget that no message has contained so far.

    The browser loads the code of a widget late, and sends its value only then. Until the first run
    has ended, the value is among the new ones, and then among the old ones.
    """
    values = WStates()
    values.set_widget_metadata(metadata)
    if metadata.id in state:
        values.set_from_value(metadata.id, state[metadata.id])
    return values.get_serialized(metadata.id)
