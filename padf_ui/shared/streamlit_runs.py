"""Keep the last elements of a run. This is the only module that patches Streamlit.

A page runs in a thread, and the server's event loop handles its elements a little later. If a
component requests its fragment in between, Streamlit 1.67 starts a new run immediately. It then
ignores every element of the old run that the event loop has not handled. A panel that was just
opened does not appear until the page runs again. Streamlit's source describes this (issue 9921).
It happens on busy machines.

With this patch a fragment waits until the event loop has handled the whole old run. A run of the
whole page does not wait, because it sends all elements again.
"""

from __future__ import annotations

from functools import cache
from weakref import WeakKeyDictionary

from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData

SOON = 0.001
"""Seconds between two checks whether the old run is over."""

_waiting: WeakKeyDictionary[AppSession, list[RerunData]] = WeakKeyDictionary()
_create = AppSession._create_scriptrunner


@cache
def hear_runs_to_their_end() -> None:
    """Make fragments wait for the end of the run before, in all sessions from now on."""
    setattr(AppSession, "_create_scriptrunner", _create_in_turn)  # noqa: B010


def _create_in_turn(session: AppSession, wanted: RerunData) -> None:
    """Start a run. A fragment waits if the event loop has not handled all of the run before."""
    if not wanted.fragment_id or session._scriptrunner is None:
        _waiting.pop(session, None)
        _create(session, wanted)
        return
    first = session not in _waiting
    _waiting.setdefault(session, []).append(wanted)
    if first:
        session._event_loop.call_later(SOON, _go_on, session)


def _go_on(session: AppSession) -> None:
    """Start the waiting fragments once the run before is handled."""
    if session not in _waiting:
        return
    if session._scriptrunner is not None:
        session._event_loop.call_later(SOON, _go_on, session)
        return
    waiting = _waiting.pop(session)
    if session._state != AppSessionState.SHUTDOWN_REQUESTED:
        _create(session, waiting[0])
        for wanted in waiting[1:]:
            _join(session, wanted)


def _join(session: AppSession, wanted: RerunData) -> None:
    """Request a fragment from the current run."""
    runner = session._scriptrunner
    if runner is None or not runner.request_rerun(wanted):
        _create_in_turn(session, wanted)
