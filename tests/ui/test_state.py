"""The session without a browser: what is asked, what is answered, and what a run is asked to do."""

import ast
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlencode

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from streamlit.runtime.scriptrunner import StopException
from streamlit.runtime.state import (
    SafeSessionState,
    SessionState,
    SessionStateProxy,
    session_state_proxy,
)

from padf_core import DECAYS, Settings
from padf_core.analysis.settings_file import settings_to_json
from padf_core.metrics.decay import decays_in
from padf_core.metrics.timing import MEASURES
from padf_core.paper.cases import ROBUSTNESS_CASES, TOY_CASES
from padf_ui.session import links, state, study
from padf_ui.session.board import Board
from padf_ui.session.probabilities import PRESETS, Probabilities
from padf_ui.session.view import View, around

ROOT = Path(__file__).resolve().parents[2]
LABELS, ALARMS = "0011100000", "0001000010"


class Address:
    """The link of a page."""

    def __init__(self, **query):
        self.query = query
        self.times = {}
        """How often a part stands there, where not once."""

    def to_dict(self):
        return dict(self.query)

    def get_all(self, name):
        return [self.query[name]] * self.times.get(name, 1)

    def from_dict(self, query):
        self.query = dict(query)


class Session(dict):
    """What Streamlit keeps of a visit."""

    def to_dict(self):
        return dict(self)


class Visit:
    """A session, its link, and how often the whole page was asked to run."""

    def __init__(self):
        self.session_state, self.query_params, self.runs = Session(), Address(), 0
        self.asked = 0

    def rerun(self):
        self.runs += 1

    def ask(self, key, take, **ask):
        """Send what a component asks for; a number of its own unless one is given."""
        self.asked += 1
        self.session_state[key] = {"ask": {"id": self.asked, **ask}}
        take()
        return self.asked

    def stroke(self, labels=LABELS, detections=ALARMS, final=False, **ask):
        ask = {"revision": state.revision(), "final": final, **ask}
        return self.ask(
            state.BOARD_KEY, state.take_board, labels=labels, detections=detections, **ask
        )


@pytest.fixture
def visit(monkeypatch):
    made = Visit()
    monkeypatch.setattr(state, "st", made)
    return made


def bits(series):
    return "".join("1" if each else "0" for each in series)


@pytest.fixture(scope="module")
def pump():
    return study.load_sample("pump", Settings())


# ---- asks ----------------------------------------------------------------------------------------


def test_a_stroke_is_taken_and_answered(visit):
    assert state.offers_hint()
    number = visit.stroke()
    assert (bits(state.board().labels), bits(state.board().detections)) == (LABELS, ALARMS)
    assert state.answered(state.BOARD_KEY) == number
    assert not state.offers_hint()
    assert state.revision() == 0, "the board's own strokes do not come back to it"


def test_an_ask_is_taken_once(visit):
    visit.stroke(final=True)
    state.show_case(TOY_CASES[0])
    state.take_board()
    assert state.board().same_pattern(TOY_CASES[0].labels, TOY_CASES[0].detections)
    assert visit.runs == 1


def test_answers_of_components_do_not_mix(visit):
    visit.stroke()
    assert state.answered(state.BOARD_KEY) == 1
    assert state.answered(state.TIMELINE_KEY) == state.answered(state.CASES_KEY) == 0
    visit.ask(state.CASES_KEY, lambda: state.take_cases(TOY_CASES), settings={"k": 40})
    assert state.answered(state.BOARD_KEY) == 1
    assert state.answered(state.CASES_KEY) == 2


def test_only_a_final_stroke_asks_for_the_whole_page(visit):
    for _ in range(3):
        visit.stroke()
    assert visit.runs == 0
    state.sync_board_with_link(arrived=False)
    assert visit.query_params.query == {}, "a stroke that goes on leaves the link alone"
    visit.stroke(final=True)
    assert visit.runs == 1
    state.sync_board_with_link(arrived=False)
    assert visit.query_params.query == links.to_query(state.board(), state.settings())


def test_a_stroke_of_an_older_revision_is_answered_and_ignored(visit):
    state.show_case(TOY_CASES[2])
    old = state.revision() - 1
    number = visit.stroke(revision=old)
    assert state.board().same_pattern(TOY_CASES[2].labels, TOY_CASES[2].detections)
    assert state.answered(state.BOARD_KEY) == number
    visit.stroke(revision=old, final=True, random={"rate": 50, "seed": 1})
    assert state.board().same_pattern(TOY_CASES[2].labels, TOY_CASES[2].detections)
    assert visit.runs == 1, "the page is as the user left it, whatever became of the stroke"


def test_sliders_are_taken_whatever_the_revision(visit):
    visit.ask(
        state.BOARD_KEY, state.take_board, revision=-7, final=True, settings={"decay": 0.5, "k": 40}
    )
    assert state.settings() == Settings(decay=0.5, k=40)
    assert visit.runs == 1


def test_random_alarms_come_from_python_with_a_new_revision(visit):
    visit.ask(
        state.BOARD_KEY,
        state.take_board,
        revision=0,
        final=True,
        random={"rate": 30, "seed": 5},
    )
    assert state.revision() == 1
    assert state.board().same_pattern(Board().labels, state.board().detections)
    first = bits(state.board().detections)
    visit.ask(state.BOARD_KEY, state.take_board, revision=1, random={"rate": 30, "seed": 5})
    assert bits(state.board().detections) == first, "the same seed gives the same alarms"


HUGE = [10**400, -(10**400), 1e308, -1e308, float("nan"), float("inf"), float("-inf"), 2**70]
JUNK = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.sampled_from(HUGE),
        st.text(max_size=6),
        st.sampled_from(["0101010101", "0" * 400, "1", LABELS, "padf", "decay"]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(
            st.sampled_from(
                ["decay", "k", "threshold", "shape", "first", "last", "rate", "seed", "x", "id"]
            ),
            inner,
            max_size=4,
        ),
    ),
    max_leaves=6,
)
NUMBERS = st.one_of(st.sampled_from(HUGE), st.floats(), st.integers(), JUNK)


def forged(*keys):
    """What has the right shape and may hold anything, or anything at all."""
    return st.one_of(st.dictionaries(st.sampled_from(keys), NUMBERS), JUNK)


PATTERNS = st.one_of(st.text("01", max_size=40), JUNK)
ASKS = st.fixed_dictionaries(
    {},
    optional={
        "labels": PATTERNS,
        "detections": PATTERNS,
        "revision": st.one_of(st.integers(-2, 3), JUNK),
        "final": st.one_of(st.booleans(), JUNK),
        "settings": forged("decay", "k", "threshold", "shape", "lanes", "x"),
        "random": forged("rate", "seed"),
        "window": forged("first", "last"),
        "open": NUMBERS,
        "alarm": st.one_of(st.lists(NUMBERS, min_size=12, max_size=12), JUNK),
        "numbers": forged("seconds", "share", "grace", "kind"),
        "typed": forged("number", "text"),
        "number": NUMBERS,
    },
)
TAKERS = {
    state.BOARD_KEY: state.take_board,
    state.TIMELINE_KEY: state.take_timeline,
    state.CASES_KEY: lambda: state.take_cases(TOY_CASES),
    state.PROBABILITIES_KEY: state.take_probabilities,
    state.NEED_KEY: state.take_need,
    state.RACE_KEY: state.take_race,
}


@pytest.mark.slow
@given(st.sampled_from(list(TAKERS)), st.lists(ASKS, min_size=1, max_size=4))
@settings(max_examples=120)
def test_whatever_is_asked_is_answered_and_leaves_a_session_that_can_be_shown(key, asks):
    visit = Visit()
    known, state.st = state.st, visit
    try:
        state.put_study(PUMP)
        for ask in asks:
            number = visit.ask(key, TAKERS[key], **ask)
            assert state.answered(key) == number
            now = state.current_study()
            assert 0 <= now.view.first < now.view.last <= now.series.size
            assert not np.isnan(now.threshold(state.settings()))
            assert Settings.from_query(state.settings().to_query()) == state.settings()
            board, chosen = links.from_query(links.to_query(state.board(), state.settings()))
            assert board.same_pattern(state.board().labels, state.board().detections)
            assert chosen == state.settings()
            assert all(0 <= each <= 1 for each in state.probabilities().alarm)
            assert Settings(**state.need().values)["measure"] == "clock"
    finally:
        state.st = known


PUMP = study.load_sample("pump", Settings())


@pytest.mark.parametrize("sent", [None, [], "x", 3, {}, {"id": None}, {"id": "1"}, {"id": 1.5}])
@pytest.mark.parametrize("key", TAKERS)
def test_what_is_no_ask_changes_nothing(visit, key, sent):
    before = bits(state.board().labels)
    visit.session_state[key] = {"ask": sent}
    TAKERS[key]()
    assert state.answered(key) == 0
    assert visit.runs == 0
    assert bits(state.board().labels) == before
    del visit.session_state[key]
    TAKERS[key]()


@pytest.mark.parametrize(
    "bad",
    [
        {"labels": "01", "detections": "01"},
        {"labels": "0" * 301, "detections": "0" * 301},
        {"labels": LABELS, "detections": LABELS[:-1]},
        {"labels": LABELS, "detections": None},
        {"labels": 7, "detections": 7},
        {"labels": "00112", "detections": "00000"},
        {"labels": "٠٠١١٠", "detections": "00000"},
    ],
)
def test_a_pattern_that_is_none_is_answered_and_not_taken(visit, bad):
    number = visit.stroke(**bad)
    assert state.board().same_pattern(Board().labels, Board().detections)
    assert state.answered(state.BOARD_KEY) == number
    assert state.offers_hint()


@pytest.mark.parametrize(
    "sent",
    [
        {"decay": 7},
        {"decay": float("nan")},
        {"decay": 10**400},
        {"decay": True},
        {"decay": "0.5"},
        {"k": -1},
        {"k": 0.5},
        {"shape": "linear"},
        {"precision": 1},
        {"__class__": 1},
        {"lanes": 3},
        ["decay", 0.5],
        "decay",
    ],
)
def test_numbers_that_cannot_be_are_answered_and_not_taken(visit, sent):
    number = visit.ask(state.BOARD_KEY, state.take_board, revision=0, final=True, settings=sent)
    assert state.settings() == Settings()
    assert state.answered(state.BOARD_KEY) == number


# ---- runs that are ended -------------------------------------------------------------------------


class Hasty:
    """Streamlit's own session, in which a run can be ended wherever it looks into it."""

    def __init__(self, monkeypatch):
        self.is_ending = False
        self.session = SafeSessionState(SessionState(), self.look)
        monkeypatch.setattr(session_state_proxy, "get_session_state", lambda: self.session)
        monkeypatch.setattr(state, "st", SimpleNamespace(session_state=SessionStateProxy()))

    def look(self):
        if self.is_ending:
            raise StopException

    def hear(self, key, **ask):
        """Let Streamlit know what is asked, without a word to who takes it."""
        self.session[key] = {"ask": {"id": 1, "revision": state.revision(), **ask}}


@pytest.fixture
def hasty(monkeypatch):
    made = Hasty(monkeypatch)
    state.put_study(PUMP)
    state.board()
    return made


def test_a_run_that_is_ended_leaves_no_ask_half_taken(hasty):
    """A stroke that was noted as answered, and lost, could never be asked again."""
    hasty.hear(state.BOARD_KEY, labels=LABELS, detections=ALARMS, settings={"k": 40})
    hasty.is_ending = True
    with pytest.raises(StopException):
        state.revision()
    state.take_board()
    hasty.is_ending = False
    assert (bits(state.board().labels), bits(state.board().detections)) == (LABELS, ALARMS)
    assert state.settings()["k"] == 40
    assert state.answered(state.BOARD_KEY) == 1


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        (lambda: state.show_case(TOY_CASES[2]), state.revision),
        (lambda: state.set_size(12), lambda: state.board().size == 12),
        (lambda: state.set_settings(k=40), lambda: state.settings()["k"] == 40),
        (lambda: state.open_sample("pump"), lambda: state.brought() == 2),
        (lambda: state.set_quiz_seed(7), lambda: state.quiz_seed() == 7),
        (lambda: state.go_to_step(2), lambda: state.progress().at == 2),
    ],
)
def test_a_run_that_is_ended_leaves_no_click_half_done(hasty, change, wanted):
    hasty.is_ending = True
    change()
    hasty.is_ending = False
    assert wanted()
    assert state._is_changed(), "and the link will follow"


def test_an_ask_that_nobody_took_is_taken_by_the_next_run(hasty):
    state.expect_asks(state.BOARD_KEY, state.take_board)
    state.take_missed_asks()
    hasty.hear(state.BOARD_KEY, labels=LABELS, detections=ALARMS)
    state.take_missed_asks()
    assert bits(state.board().labels) == LABELS
    assert state.answered(state.BOARD_KEY) == 1
    state.show_case(TOY_CASES[2])
    state.take_missed_asks()
    assert state.board().same_pattern(TOY_CASES[2].labels, TOY_CASES[2].detections)


def test_an_ask_from_before_the_last_one_is_not_taken(visit):
    """Two runs that meet may bring what their widgets said in the wrong order."""
    visit.stroke(id=5)
    visit.stroke(labels=ALARMS, id=4)
    assert bits(state.board().labels) == LABELS
    assert state.answered(state.BOARD_KEY) == 5


def test_a_link_that_was_not_written_to_its_end_is_written_by_the_next_run(visit, monkeypatch):
    visit.stroke(final=True)

    def stop(query):
        raise StopException

    with monkeypatch.context() as patched:
        patched.setattr(visit.query_params, "from_dict", stop)
        with pytest.raises(StopException):
            state.sync_board_with_link(arrived=False)
    state.sync_board_with_link(arrived=False)
    assert visit.query_params.query == links.to_query(state.board(), state.settings())


def test_whatever_a_widget_calls_is_whole():
    called = set()
    for path in [*ROOT.glob("padf_ui/**/*.py"), *ROOT.glob("pages/*.py")]:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.keyword) and (node.arg or "").startswith("on_"):
                called |= {
                    each.attr
                    for each in ast.walk(node.value)
                    if isinstance(each, ast.Attribute)
                    and isinstance(each.value, ast.Name)
                    and each.value.id == "state"
                }
    assert {"show_case", "take_back", "take_choice"} < called
    takers = {name for name in dir(state) if name.startswith("take_")}
    once = {"take_opened", "take_wanted_page", "take_missed_asks"}
    assert {
        name for name in called | takers - once if not hasattr(getattr(state, name), "__wrapped__")
    } == set()


# ---- settings ------------------------------------------------------------------------------------


def test_settings_are_the_apps_and_leave_the_board(visit):
    visit.stroke()
    revision = state.revision()
    state.set_settings(k=40, precision="equations")
    state.set_lanes(["composite"])
    assert state.settings() == Settings(["composite"], k=40, precision="equations")
    assert (bits(state.board().labels), bits(state.board().detections)) == (LABELS, ALARMS)
    assert state.revision() == revision
    with pytest.raises(ValueError, match="k must be"):
        state.set_settings(k=400)
    with pytest.raises(ValueError, match="lanes must be among"):
        state.set_lanes(["padf"])
    assert state.settings()["k"] == 40


PAIRS = [
    (measure, first.shape, second.shape)
    for measure in MEASURES
    for first in decays_in(measure)
    for second in decays_in(measure)
    if {first.shape, second.shape}.isdisjoint({"sigmoid", "odds"})
]
"""Shapes whose half-life can be any; the others have one of their own."""


@pytest.mark.parametrize(("measure", "first", "second"), PAIRS)
def test_another_shape_keeps_the_half_life(visit, measure, first, second):
    half = {"steps": 6.0, "clock": 1800.0, "share": 0.4}[measure]
    state.set_measure(measure)
    state.set_settings(shape=first, decay=DECAYS[first].for_half_life(half))
    state.set_shape(second)
    made = state.settings()
    assert (made["measure"], made["shape"]) == (measure, second)
    # A slider's own parameter is rounded to what it shows.
    assert DECAYS[second].of(made.values).half_life == pytest.approx(half, rel=0.15)


def test_a_decay_that_never_ends_becomes_a_long_one(visit):
    state.set_settings(decay=1.0)
    state.set_shape("half_life")
    assert state.settings()["decay"] == pytest.approx(50, abs=1)


def test_a_settings_file_says_when_it_was_made_for_other_data(visit):
    state.open_sample("pump")
    own = state.current_study().fingerprint
    for fingerprint, is_other in ((own, False), ("0" * 8, True)):
        saved = settings_to_json(Settings(decay=0.5), data=("mine.csv", fingerprint))
        state.load_settings(saved.encode())
        assert state.settings()["decay"] == 0.5
        told = state.message() or ""
        assert ("chosen on other data (mine.csv)" in told) is is_other


def test_a_settings_file_is_taken_or_refused_whole(visit):
    state.set_settings(k=40)
    with pytest.raises(ValueError, match="not a settings file"):
        state.load_settings(b"[]")
    assert state.settings()["k"] == 40


# ---- the board -----------------------------------------------------------------------------------


def test_what_python_puts_on_the_board_has_a_new_revision(visit):
    state.show_case(TOY_CASES[4])
    state.set_points("0-3", "2, 5")
    assert state.revision() == 2
    assert np.flatnonzero(state.board().detections).tolist() == [2, 5]
    with pytest.raises(ValueError, match="truth"):
        state.set_points("x", "")
    assert state.revision() == 2
    state.set_step("5min")
    assert (state.board().step_seconds, state.revision()) == (300, 2)


def test_a_tail_comes_back_until_a_stroke_of_another_length(visit):
    state.set_size(15)
    state.set_size(40)
    assert state.board().same_pattern(Board().labels, Board().detections)
    state.set_size(15)
    visit.stroke()
    state.set_size(30)
    assert bits(state.board().labels) == LABELS + "0" * 20


def test_a_saved_board_is_taken_or_refused_whole(visit):
    visit.stroke()
    state.set_settings(k=40)
    with pytest.raises(ValueError, match="JSON"):
        state.load_board(b"x")
    assert (bits(state.board().labels), state.settings()["k"]) == (LABELS, 40)


def test_an_opened_case_is_on_the_board_and_told_once(visit):
    take = TAKERS[state.CASES_KEY]
    visit.ask(state.CASES_KEY, take, open=3)
    assert state.board().same_pattern(TOY_CASES[3].labels, TOY_CASES[3].detections)
    assert visit.runs == 1
    assert state.take_opened()
    assert not state.take_opened()
    visit.ask(state.CASES_KEY, take, open=len(TOY_CASES))
    visit.ask(state.CASES_KEY, take, open=-1)
    assert not state.take_opened()
    assert visit.runs == 1


# ---- links ---------------------------------------------------------------------------------------


def test_the_link_and_the_board_go_round(visit):
    assert state.enter_page("playground")
    state.sync_board_with_link(arrived=True)
    assert visit.query_params.query == links.to_query(Board(), Settings())
    visit.stroke(final=True, settings={"decay": 0.7})
    state.sync_board_with_link(arrived=False)
    query = visit.query_params.to_dict()
    visit.session_state.clear()
    state.sync_board_with_link(arrived=True)
    assert (bits(state.board().labels), bits(state.board().detections)) == (LABELS, ALARMS)
    assert state.settings() == Settings(decay=0.7)
    assert state.message() is None
    assert visit.query_params.query == query


def test_an_older_link_never_undoes_a_stroke(visit):
    state.sync_board_with_link(arrived=True)
    visit.stroke()
    state.sync_board_with_link(arrived=False)
    assert bits(state.board().labels) == LABELS


def test_a_link_that_cannot_be_read_is_told_until_something_changes(visit):
    visit.query_params.query = {"n": "7000"}
    state.sync_board_with_link(arrived=True)
    assert "n must be from 5 to 300" in state.message()
    assert state.board().same_pattern(Board().labels, Board().detections)
    visit.stroke()
    assert state.message() is not None
    visit.stroke(final=True)
    assert state.message() is None


def test_what_of_a_board_link_was_not_taken_is_told(visit):
    visit.query_params.query = {"n": "30", "truth": "12-18", "colour": "red"}
    visit.query_params.times = {"n": 2}
    state.sync_board_with_link(arrived=True)
    assert state.message() == (
        "Not all of this link was taken: colour (means nothing here), n (stands there 2 times; the "
        "last is taken)."
    )
    assert state.board().size == 30


def test_what_of_a_link_to_data_was_not_taken_is_told(visit, pump):
    count, size = len(pump.series.detectors), pump.series.size
    query = {"sample": "pump", "detector": "99", "at": "0.5~0.5", "view": f"100-{size + 5}"}
    visit.query_params.query = query
    state.sync_study_with_link(arrived=True)
    assert state.message() == (
        f"Not all of this link was taken: detector 99 (there are {count}; the last is shown), "
        f"2 thresholds (there are {count} detectors), view 100-{size + 5} (there are {size:,} "
        "points)."
    )
    visit.query_params.query = {**query, "detector": "1", "at": "", "view": "100-300"}
    state.sync_study_with_link(arrived=True)
    assert state.message() is None


def test_what_of_a_waiting_link_does_not_fit_the_data_that_come_is_told(visit, pump):
    visit.query_params.query = {"at": "0.5~0.5"}
    state.sync_study_with_link(arrived=True)
    state.put_study(pump)
    assert "2 thresholds (there are 4 detectors)" in state.message()


@pytest.mark.parametrize("step", ["0", "99", "-3"])
def test_a_step_that_a_lesson_does_not_have_is_told(visit, step):
    visit.query_params.query = {"lesson": "course", "step": step}
    state.sync_lesson_with_link(arrived=True)
    assert f"step {step} (there are" in state.message()


def test_stepping_back_on_a_board_page_brings_its_board(visit):
    state.enter_page("playground")
    case = ROBUSTNESS_CASES[2]
    wanted = links.to_address(Board(case.labels, case.detections), Settings(decay=0.3))
    visit.stroke()
    visit.session_state[state.PAGE_KEY] = {"back": wanted}
    state.take_back()
    assert state.board().same_pattern(case.labels, case.detections)
    assert state.settings() == Settings(decay=0.3)
    assert state.revision() == 1
    assert state.current_study() is None


def test_stepping_back_on_a_data_page_brings_thresholds_and_view(visit, pump):
    state.enter_page("your_data")
    state.put_study(pump)
    revision = state.study_revision()
    query = {"detector": "2", "at": "0.5~pa~0.25~0.125", "view": "100-300", "k": "40"}
    visit.session_state[state.PAGE_KEY] = {"back": f"?{urlencode(query)}"}
    state.take_back()
    now = state.current_study()
    assert (now.chosen, now.choices, now.view) == (1, (0.5, "pa", 0.25, 0.125), View(100, 300))
    assert state.settings() == Settings(k=40)
    assert state.study_revision() > revision
    assert state.board().same_pattern(Board().labels, Board().detections)
    visit.session_state[state.PAGE_KEY] = {"back": "?at=nan"}
    state.take_back()
    assert "Everything stays as it was" in state.message()
    assert state.current_study().choices == (0.5, "pa", 0.25, 0.125)


@pytest.mark.parametrize("sent", [None, 3, "", "?", "?" + "a" * 30_000, ["?n=5"]])
@pytest.mark.parametrize("page", ["playground", "your_data"])
def test_an_address_that_is_none_changes_nothing(visit, page, sent):
    state.enter_page(page)
    visit.session_state[state.PAGE_KEY] = {"back": sent}
    state.take_back()
    assert state.message() is None
    assert state.revision() == 0
    del visit.session_state[state.PAGE_KEY]
    state.take_back()


def test_a_page_is_entered_once(visit):
    assert not state.is_framed()
    state.mark_framed()
    assert state.is_framed()
    assert state.enter_page("playground")
    assert not state.enter_page("playground")
    assert state.enter_page("your_data")
    visit.query_params.query = {"sample": "pump"}
    state.want_page("pages/your_data.py")
    assert state.take_wanted_page() == ("pages/your_data.py", {"sample": "pump"})
    assert state.take_wanted_page() is None


# ---- the data page -------------------------------------------------------------------------------


def test_thresholds_are_pinned_until_they_are_asked_to_follow(visit, pump):
    state.put_study(pump)
    best = pump.detector.best(Settings().protocol("padf")).threshold
    assert state.current_study().threshold(state.settings()) == best
    state.set_settings(decay=0.2)
    assert state.current_study().threshold(state.settings()) == best
    state.set_follow("padf")
    now = state.current_study()
    assert now.choice == "padf"
    followed = pump.detector.best(Settings(decay=0.2).protocol("padf")).threshold
    assert now.threshold(state.settings()) == followed
    state.set_settings(decay=0.9)
    assert state.current_study().threshold(state.settings()) == best
    state.set_settings(decay=0.2)
    state.set_follow(None)
    assert state.current_study().choice == followed
    state.set_settings(decay=0.9)
    assert state.current_study().threshold(state.settings()) == followed
    assert state.current_study().choices[1:] == (None, None, None)


def test_the_timeline_moves_alone_and_its_sliders_move_the_page(visit, pump):
    state.put_study(pump)
    revision = state.study_revision()
    visit.ask(state.TIMELINE_KEY, state.take_timeline, window={"first": 10.4, "last": 99.6})
    assert state.current_study().view == View(10, 99)
    assert visit.runs == 0
    visit.ask(state.TIMELINE_KEY, state.take_timeline, settings={"threshold": 0.5, "k": 40})
    assert state.current_study().choice == 0.5
    assert state.settings() == Settings(k=40)
    assert visit.runs == 1
    assert state.study_revision() == revision, "what the timeline asks for does not come back to it"
    assert state.current_study().view == View(10, 99)
    visit.ask(state.TIMELINE_KEY, state.take_timeline, settings={"threshold": float("nan")})
    assert (state.current_study().choice, visit.runs) == (0.5, 1)


@pytest.mark.parametrize(
    "window",
    [
        {"first": -1e308, "last": 1e308},
        {"first": 1e308, "last": -1e308},
        {"first": -(10**400), "last": 5},
        {"first": float("nan"), "last": 5},
        {"first": None, "last": 5},
        {"first": 5},
        [0, 5],
    ],
)
def test_a_stretch_that_cannot_be_is_answered(visit, pump, window):
    state.put_study(pump)
    number = visit.ask(state.TIMELINE_KEY, state.take_timeline, window=window)
    now = state.current_study()
    assert state.answered(state.TIMELINE_KEY) == number
    assert 0 <= now.view.first < now.view.last <= now.series.size


def test_a_timeline_without_data_is_answered(visit):
    number = visit.ask(state.TIMELINE_KEY, state.take_timeline, settings={"k": 40})
    assert state.answered(state.TIMELINE_KEY) == number


def test_what_is_chosen_elsewhere_outdates_the_timeline(visit, pump):
    state.put_study(pump)
    seen = [state.study_revision()]
    for change in (
        lambda: state.set_detector(2),
        lambda: state.set_choice(0.75),
        lambda: state.set_follow("pa"),
        lambda: state.put_study(pump),
    ):
        change()
        seen.append(state.study_revision())
    assert seen == sorted(set(seen))


def test_choosing_a_row_zooms_to_its_segment(visit, pump):
    state.put_study(pump)
    visit.session_state["ledger"] = SimpleNamespace(selection=SimpleNamespace(rows=[2]))
    state.take_row("ledger")
    assert state.current_study().view == around(pump.series, 2)
    for rows in ([], [99], [-1]):
        visit.session_state["ledger"] = SimpleNamespace(selection=SimpleNamespace(rows=rows))
        state.take_row("ledger")
        assert state.current_study().view == around(pump.series, 2)


def test_a_link_waits_for_its_data(visit, pump):
    visit.query_params.query = {"at": "0.5~pa~0.25~0.125", "view": "10-60", "k": "40"}
    state.sync_study_with_link(arrived=True)
    assert state.waits_for_data()
    assert state.is_bringing()
    state.put_study(pump)
    assert not state.waits_for_data()
    assert not state.is_bringing()
    assert state.current_study().choices == (0.5, "pa", 0.25, 0.125)
    assert state.current_study().view == View(10, 60)
    assert state.settings() == Settings(k=40)


def test_the_link_of_a_study_goes_round(visit, pump):
    state.put_study(pump)
    state.set_detector(3)
    state.set_choice(0.5)
    state.set_settings(decay=0.5)
    for detector in pump.series.detectors:
        _ = detector.ranked
    state.sync_study_with_link(arrived=False)
    query = visit.query_params.to_dict()
    before = state.current_study().thresholds(state.settings())
    visit.session_state.clear()
    state.sync_study_with_link(arrived=True)
    now = state.current_study()
    assert (now.chosen, now.choice) == (3, 0.5)
    assert now.thresholds(state.settings()) == before
    assert state.settings() == Settings(decay=0.5)
    assert query["sample"] == "pump"


def test_a_table_is_looked_at_once(visit):
    looks = []

    def look():
        looks.append(1)
        return len(looks)

    assert [state.looked_at("a", look), state.looked_at("a", look)] == [1, 1]
    assert state.looked_at("b", look) == 2


# ---- probabilities -------------------------------------------------------------------------------


def test_drawn_probabilities_are_taken_if_they_are_such(visit):
    take = state.take_probabilities
    visit.ask(state.PROBABILITIES_KEY, take, alarm=[0.5] * 12)
    assert state.probabilities().alarm == (0.5,) * 12
    assert state.probabilities_revision() == 0
    for bad in ([0.5] * 11, [1.5] * 12, ["0.5"] * 12, [True] * 12, None, [float("nan")] * 12):
        number = visit.ask(state.PROBABILITIES_KEY, take, alarm=bad)
        assert state.probabilities().alarm == (0.5,) * 12
        assert state.answered(state.PROBABILITIES_KEY) == number
    state.set_probabilities(PRESETS[2].drawn)
    assert state.probabilities_revision() == 1
    visit.ask(state.PROBABILITIES_KEY, take, alarm=[0.25] * 12)
    assert state.probabilities() == Probabilities((0.25,) * 12, PRESETS[2].drawn.false_alarms)


# ---- widgets -------------------------------------------------------------------------------------


class Widget:
    """A widget as Streamlit keeps it: what it shows is in the session under its key."""

    def __init__(self, visit):
        self.visit, self.value = visit, "a"

    def draw(self):
        key = state.widget_key("w", self.value)
        self.visit.session_state[key] = self.value
        return key

    def choose(self, key, chosen):
        self.visit.session_state[key] = chosen
        state.take_choice("w", key, self.take)

    def take(self, chosen):
        self.value = chosen


def test_a_choice_is_taken_and_its_widget_keeps_its_key(visit):
    widget = Widget(visit)
    key = widget.draw()
    widget.choose(key, "b")
    assert widget.value == "b"
    assert widget.draw() == key
    widget.choose(key, "a")
    assert widget.value == "a"


def test_a_value_that_changed_elsewhere_gives_the_widget_a_new_key(visit):
    widget = Widget(visit)
    old = widget.draw()
    widget.value = "c"
    new = widget.draw()
    assert new != old
    # A browser that still shows the old widget says what it showed before: that is no choice.
    widget.choose(old, "a")
    assert widget.value == "c"
    # What it did choose there, just before the page changed, is one.
    widget.choose(old, "b")
    assert widget.value == "b"


def test_keys_of_long_ago_are_forgotten(visit):
    widget = Widget(visit)
    first = widget.draw()
    for value in "bcdefg":
        widget.value = value
        widget.draw()
    widget.choose(first, "z")
    assert widget.value == "g"
    assert len(state._kept()["w.shown"]) <= state.KEPT_KEYS + 1


def test_a_visit_has_one_name(visit):
    assert state.session() == state.session()
    visit.session_state.clear()
    assert state.session()


def test_a_stroke_that_is_not_taken_leaves_a_message_alone(visit):
    visit.query_params.from_dict({"n": "30", "truth": "12-18", "alarms": "99"})
    state.sync_board_with_link(arrived=True)
    assert "lies beyond the last point" in state.message()
    visit.stroke(revision=state.revision() - 1, final=True)
    assert "lies beyond the last point" in state.message()
