"""The order in which requests for runs are started."""

from types import SimpleNamespace

import pytest
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData

from padf_ui.server import streamlit_runs

FIRST, SECOND = RerunData(fragment_id="board"), RerunData(fragment_id="upload")
WHOLE = RerunData(query_string="whole")


class Session:
    """A session whose last run is over, but not yet handled by the event loop."""

    def __init__(self):
        self.later = []
        self.joined = []
        self._state = None
        self._scriptrunner = object()
        self._event_loop = SimpleNamespace(
            call_later=lambda _, call, *told: self.later.append((call, told))
        )

    def request_rerun(self, wanted):
        self.joined.append(wanted)
        return True

    def pass_time(self):
        due, self.later = self.later, []
        for call, told in due:
            call(*told)


@pytest.fixture
def started(monkeypatch):
    made = []

    def create(session, wanted):
        made.append(wanted)
        session._scriptrunner = session

    monkeypatch.setattr(streamlit_runs, "_create", create)
    return made


def test_fragments_wait_until_the_run_before_is_handled(started):
    session = Session()
    streamlit_runs._create_in_turn(session, FIRST)
    streamlit_runs._create_in_turn(session, SECOND)
    session.pass_time()
    assert started == []
    session._scriptrunner = None
    session.pass_time()
    assert (started, session.joined) == ([FIRST], [SECOND])
    assert session.later == [], "nothing is left to wait for"


def test_a_run_of_the_whole_page_takes_the_fragments_along_that_wait(started):
    """The click of a button is in the message of its fragment alone."""
    session = Session()
    streamlit_runs._create_in_turn(session, FIRST)
    streamlit_runs._create_in_turn(session, WHOLE)
    assert (started, session.joined) == ([FIRST], [WHOLE])
    session.pass_time()
    assert (started, session.joined) == ([FIRST], [WHOLE])


def test_without_a_run_before_everything_starts_at_once(started):
    session = Session()
    session._scriptrunner = None
    streamlit_runs._create_in_turn(session, FIRST)
    assert (started, session.joined, session.later) == ([FIRST], [], [])
