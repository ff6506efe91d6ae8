"""The session without a browser: what is asked, what is answered, and what a run is asked to do."""

import ast
from importlib import import_module
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
from padf_core.metrics.decays import decays_in
from padf_core.metrics.timing import MEASURES
from padf_core.paper.cases import ROBUSTNESS_CASES, TOY_CASES
from padf_ui.session import board as boards
from padf_ui.session import data, lesson, links, store, study
from padf_ui.session.asks import (
    BOARD_KEY,
    CASES_KEY,
    NEED_KEY,
    PAGE_KEY,
    PROBABILITIES_KEY,
    RACE_KEY,
    TIMELINE_KEY,
    answered,
    expect_asks,
    take_missed_asks,
    visit_name,
)
from padf_ui.session.board import (
    board_revision,
    current_board,
    link_to,
    load_board,
    offers_hint,
    set_points,
    set_size,
    set_step,
    show_case,
    take_board,
    take_cases,
    take_opened,
)
from padf_ui.session.board_file import Board
from padf_ui.session.changes import is_changed, message
from padf_ui.session.data import (
    current_study,
    is_uploading,
    load_settings,
    looked_at,
    open_sample,
    put_study,
    set_choice,
    set_detector,
    set_follow,
    study_revision,
    take_row,
    take_timeline,
    uploads_so_far,
    waits_for_data,
)
from padf_ui.session.lesson import current_progress, go_to_step
from padf_ui.session.links import take_back
from padf_ui.session.need import current_need, take_need, take_race
from padf_ui.session.pages import enter_page, is_framed, mark_framed, take_wanted_page, want_page
from padf_ui.session.probabilities import (
    PRESETS,
    Probabilities,
    current_probabilities,
    probabilities_revision,
    set_probabilities,
    take_probabilities,
)
from padf_ui.session.quiz import quiz_seed, set_quiz_seed
from padf_ui.session.settings import (
    current_settings,
    set_lanes,
    set_measure,
    set_settings,
    set_shape,
)
from padf_ui.session.stretch import View, around
from padf_ui.session.widget_values import KEPT_KEYS, take_choice, widget_key
from tests.ui.linked import board_query, put_streamlit, read_board

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
        ask = {"revision": board_revision(), "final": final, **ask}
        return self.ask(BOARD_KEY, take_board, labels=labels, detections=detections, **ask)


@pytest.fixture
def visit(monkeypatch):
    made = Visit()
    put_streamlit(monkeypatch, made)
    return made


def bits(series):
    return "".join("1" if each else "0" for each in series)


@pytest.fixture(scope="module")
def pump():
    return study.sample_study("pump", Settings())


# ---- asks ----------------------------------------------------------------------------------------


def test_a_stroke_is_taken_and_answered(visit):
    assert offers_hint()
    number = visit.stroke()
    assert (bits(current_board().labels), bits(current_board().detections)) == (LABELS, ALARMS)
    assert answered(BOARD_KEY) == number
    assert not offers_hint()
    assert board_revision() == 0, "the board's own strokes do not come back to it"


def test_an_ask_is_taken_once(visit):
    visit.stroke(final=True)
    show_case(TOY_CASES[0])
    take_board()
    assert current_board().same_pattern(TOY_CASES[0].labels, TOY_CASES[0].detections)
    assert visit.runs == 1


def test_answers_of_components_do_not_mix(visit):
    visit.stroke()
    assert answered(BOARD_KEY) == 1
    assert answered(TIMELINE_KEY) == answered(CASES_KEY) == 0
    visit.ask(CASES_KEY, lambda: take_cases(TOY_CASES), settings={"k": 40})
    assert answered(BOARD_KEY) == 1
    assert answered(CASES_KEY) == 2


def test_only_a_final_stroke_asks_for_the_whole_page(visit):
    for _ in range(3):
        visit.stroke()
    assert visit.runs == 0
    links.sync(boards.LINK, arrived=False)
    assert visit.query_params.query == {}, "a stroke that goes on leaves the link alone"
    visit.stroke(final=True)
    assert visit.runs == 1
    links.sync(boards.LINK, arrived=False)
    assert visit.query_params.query == board_query(current_board(), current_settings())


def test_a_stroke_of_an_older_revision_is_answered_and_ignored(visit):
    show_case(TOY_CASES[2])
    old = board_revision() - 1
    number = visit.stroke(revision=old)
    assert current_board().same_pattern(TOY_CASES[2].labels, TOY_CASES[2].detections)
    assert answered(BOARD_KEY) == number
    visit.stroke(revision=old, final=True, random={"rate": 50, "seed": 1})
    assert current_board().same_pattern(TOY_CASES[2].labels, TOY_CASES[2].detections)
    assert visit.runs == 1, "the page is as the user left it, whatever became of the stroke"


def test_sliders_are_taken_whatever_the_revision(visit):
    visit.ask(BOARD_KEY, take_board, revision=7, final=True, settings={"decay": 0.5, "k": 40})
    assert current_settings() == Settings(decay=0.5, k=40)
    assert visit.runs == 1


def test_random_alarms_come_from_python_with_a_new_revision(visit):
    visit.ask(
        BOARD_KEY,
        take_board,
        revision=0,
        final=True,
        random={"rate": 30, "seed": 5},
    )
    assert board_revision() == 1
    assert current_board().same_pattern(Board().labels, current_board().detections)
    first = bits(current_board().detections)
    visit.ask(BOARD_KEY, take_board, revision=1, random={"rate": 30, "seed": 5})
    assert bits(current_board().detections) == first, "the same seed gives the same alarms"


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
    BOARD_KEY: take_board,
    TIMELINE_KEY: take_timeline,
    CASES_KEY: lambda: take_cases(TOY_CASES),
    PROBABILITIES_KEY: take_probabilities,
    NEED_KEY: take_need,
    RACE_KEY: take_race,
}


@pytest.mark.slow
@given(st.sampled_from(list(TAKERS)), st.lists(ASKS, min_size=1, max_size=4))
@settings(max_examples=120)
def test_whatever_is_asked_is_answered_and_leaves_a_session_that_can_be_shown(key, asks):
    visit = Visit()
    with pytest.MonkeyPatch.context() as patched:
        put_streamlit(patched, visit)
        put_study(PUMP)
        for ask in asks:
            number = visit.ask(key, TAKERS[key], **ask)
            assert answered(key) == number
            now = current_study()
            assert 0 <= now.view.first < now.view.last <= now.series.size
            assert not np.isnan(now.threshold(current_settings()))
            assert Settings.from_query(current_settings().to_query()) == current_settings()
            board, chosen = read_board(board_query(current_board(), current_settings()))
            assert board.same_pattern(current_board().labels, current_board().detections)
            assert chosen == current_settings()
            assert all(0 <= each <= 1 for each in current_probabilities().alarm)
            assert Settings(**current_need().values)["measure"] == "clock"


PUMP = study.sample_study("pump", Settings())


@pytest.mark.parametrize("sent", [None, [], "x", 3, {}, {"id": None}, {"id": "1"}, {"id": 1.5}])
@pytest.mark.parametrize("key", TAKERS)
def test_what_is_no_ask_changes_nothing(visit, key, sent):
    before = bits(current_board().labels)
    visit.session_state[key] = {"ask": sent}
    TAKERS[key]()
    assert answered(key) == 0
    assert visit.runs == 0
    assert bits(current_board().labels) == before
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
    assert current_board().same_pattern(Board().labels, Board().detections)
    assert answered(BOARD_KEY) == number
    assert offers_hint()


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
    number = visit.ask(BOARD_KEY, take_board, revision=0, final=True, settings=sent)
    assert current_settings() == Settings()
    assert answered(BOARD_KEY) == number


# ---- runs that are ended -------------------------------------------------------------------------


class Hasty:
    """Streamlit's own session, in which a run can be ended wherever it looks into it."""

    def __init__(self, monkeypatch):
        self.is_ending = False
        self.session = SafeSessionState(SessionState(), self.look)
        monkeypatch.setattr(session_state_proxy, "get_session_state", lambda: self.session)
        put_streamlit(monkeypatch, SimpleNamespace(session_state=SessionStateProxy()))

    def look(self):
        if self.is_ending:
            raise StopException

    def hear(self, key, **ask):
        """Let Streamlit know what is asked, without a word to who takes it."""
        self.session[key] = {"ask": {"id": 1, "revision": board_revision(), **ask}}


@pytest.fixture
def hasty(monkeypatch):
    made = Hasty(monkeypatch)
    put_study(PUMP)
    current_board()
    return made


def test_a_run_that_is_ended_leaves_no_ask_half_taken(hasty):
    """A stroke that was noted as answered, and lost, could never be asked again."""
    hasty.hear(BOARD_KEY, labels=LABELS, detections=ALARMS, settings={"k": 40})
    hasty.is_ending = True
    with pytest.raises(StopException):
        board_revision()
    take_board()
    hasty.is_ending = False
    assert (bits(current_board().labels), bits(current_board().detections)) == (LABELS, ALARMS)
    assert current_settings()["k"] == 40
    assert answered(BOARD_KEY) == 1


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        (lambda: show_case(TOY_CASES[2]), board_revision),
        (lambda: set_size(12), lambda: current_board().size == 12),
        (lambda: set_settings(k=40), lambda: current_settings()["k"] == 40),
        (lambda: open_sample("pump"), lambda: uploads_so_far() == 2),
        (lambda: set_quiz_seed(7), lambda: quiz_seed() == 7),
        (lambda: go_to_step(2), lambda: current_progress().at == 2),
    ],
)
def test_a_run_that_is_ended_leaves_no_click_half_done(hasty, change, wanted):
    hasty.is_ending = True
    change()
    hasty.is_ending = False
    assert wanted()
    assert is_changed(), "and the link will follow"


def test_an_ask_that_nobody_took_is_taken_by_the_next_run(hasty):
    expect_asks(BOARD_KEY, take_board)
    take_missed_asks()
    hasty.hear(BOARD_KEY, labels=LABELS, detections=ALARMS)
    take_missed_asks()
    assert bits(current_board().labels) == LABELS
    assert answered(BOARD_KEY) == 1
    show_case(TOY_CASES[2])
    take_missed_asks()
    assert current_board().same_pattern(TOY_CASES[2].labels, TOY_CASES[2].detections)


def test_an_ask_from_before_the_last_one_is_not_taken(visit):
    """Two runs that meet may report what their widgets said in the wrong order."""
    visit.stroke(id=5)
    visit.stroke(labels=ALARMS, id=4)
    assert bits(current_board().labels) == LABELS
    assert answered(BOARD_KEY) == 5


def test_a_link_that_was_not_written_to_its_end_is_written_by_the_next_run(visit, monkeypatch):
    visit.stroke(final=True)

    def stop(query):
        raise StopException

    with monkeypatch.context() as patched:
        patched.setattr(visit.query_params, "from_dict", stop)
        with pytest.raises(StopException):
            links.sync(boards.LINK, arrived=False)
    links.sync(boards.LINK, arrived=False)
    assert visit.query_params.query == board_query(current_board(), current_settings())


def test_whatever_a_widget_calls_is_atomic():
    changes = {
        name: found
        for path in ROOT.glob("padf_ui/session/*.py")
        for name, found in vars(import_module(f"padf_ui.session.{path.stem}")).items()
        if callable(found) and getattr(found, "__module__", "").startswith("padf_ui.session")
    }
    called = set()
    for path in [*ROOT.glob("padf_ui/**/*.py"), *ROOT.glob("pages/*.py")]:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.keyword) and (node.arg or "").startswith("on_"):
                called |= {each.id for each in ast.walk(node.value) if isinstance(each, ast.Name)}
    takers = {name for name in changes if name.startswith("take_")}
    assert {"show_case", "take_back"} < called
    assert "take_choice" in takers
    once = {"take_opened", "take_wanted_page", "take_missed_asks", "take_ask", "take_sliders"}
    wanted = (called & set(changes)) | (takers - once)
    assert {name for name in wanted if not hasattr(changes[name], "__wrapped__")} == set()


# ---- settings ------------------------------------------------------------------------------------


def test_settings_are_the_apps_and_leave_the_board(visit):
    visit.stroke()
    revision = board_revision()
    set_settings(k=40, precision="equations")
    set_lanes(["composite"])
    assert current_settings() == Settings(["composite"], k=40, precision="equations")
    assert (bits(current_board().labels), bits(current_board().detections)) == (LABELS, ALARMS)
    assert board_revision() == revision
    with pytest.raises(ValueError, match="k must be"):
        set_settings(k=400)
    with pytest.raises(ValueError, match="lanes must be among"):
        set_lanes(["padf"])
    assert current_settings()["k"] == 40


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
    set_measure(measure)
    set_settings(shape=first, decay=DECAYS[first].for_half_life(half))
    set_shape(second)
    made = current_settings()
    assert (made["measure"], made["shape"]) == (measure, second)
    # A slider's own parameter is rounded to what it shows.
    assert DECAYS[second].of(made.values).half_life == pytest.approx(half, rel=0.15)


def test_a_decay_that_never_ends_becomes_a_long_one(visit):
    set_settings(decay=1.0)
    set_shape("half_life")
    assert current_settings()["decay"] == pytest.approx(50, abs=1)


def test_a_settings_file_says_when_it_was_made_for_other_data(visit):
    open_sample("pump")
    own = current_study().fingerprint
    for fingerprint, is_other in ((own, False), ("0" * 8, True)):
        saved = settings_to_json(Settings(decay=0.5), data=("mine.csv", fingerprint))
        load_settings(saved.encode())
        assert current_settings()["decay"] == 0.5
        told = message() or ""
        assert ("chosen on other data (mine.csv)" in told) is is_other


def test_a_settings_file_is_taken_or_refused_whole(visit):
    set_settings(k=40)
    with pytest.raises(ValueError, match="not a settings file"):
        load_settings(b"[]")
    assert current_settings()["k"] == 40


# ---- the board -----------------------------------------------------------------------------------


def test_what_python_puts_on_the_board_has_a_new_revision(visit):
    show_case(TOY_CASES[4])
    set_points("0-3", "2, 5")
    assert board_revision() == 2
    assert np.flatnonzero(current_board().detections).tolist() == [2, 5]
    with pytest.raises(ValueError, match="truth"):
        set_points("x", "")
    assert board_revision() == 2
    set_step("5min")
    assert (current_board().step_seconds, board_revision()) == (300, 2)


def test_a_tail_comes_back_until_a_stroke_of_another_length(visit):
    set_size(15)
    set_size(40)
    assert current_board().same_pattern(Board().labels, Board().detections)
    set_size(15)
    visit.stroke()
    set_size(30)
    assert bits(current_board().labels) == LABELS + "0" * 20


def test_a_saved_board_is_taken_or_refused_whole(visit):
    visit.stroke()
    set_settings(k=40)
    with pytest.raises(ValueError, match="JSON"):
        load_board(b"x")
    assert (bits(current_board().labels), current_settings()["k"]) == (LABELS, 40)


def test_an_opened_case_is_on_the_board_and_told_once(visit):
    take = TAKERS[CASES_KEY]
    visit.ask(CASES_KEY, take, open=3)
    assert current_board().same_pattern(TOY_CASES[3].labels, TOY_CASES[3].detections)
    assert visit.runs == 1
    assert take_opened()
    assert not take_opened()
    visit.ask(CASES_KEY, take, open=len(TOY_CASES))
    visit.ask(CASES_KEY, take, open=-1)
    assert not take_opened()
    assert visit.runs == 1


# ---- links ---------------------------------------------------------------------------------------


def test_the_link_and_the_board_go_round(visit):
    assert enter_page("playground")
    links.sync(boards.LINK, arrived=True)
    assert visit.query_params.query == board_query(Board(), Settings())
    visit.stroke(final=True, settings={"decay": 0.7})
    links.sync(boards.LINK, arrived=False)
    query = visit.query_params.to_dict()
    visit.session_state.clear()
    links.sync(boards.LINK, arrived=True)
    assert (bits(current_board().labels), bits(current_board().detections)) == (LABELS, ALARMS)
    assert current_settings() == Settings(decay=0.7)
    assert message() is None
    assert visit.query_params.query == query


def test_an_older_link_never_undoes_a_stroke(visit):
    links.sync(boards.LINK, arrived=True)
    visit.stroke()
    links.sync(boards.LINK, arrived=False)
    assert bits(current_board().labels) == LABELS


def test_a_link_that_cannot_be_read_is_told_until_something_changes(visit):
    visit.query_params.query = {"n": "7000"}
    links.sync(boards.LINK, arrived=True)
    assert "n must be from 5 to 300" in message()
    assert current_board().same_pattern(Board().labels, Board().detections)
    visit.stroke()
    assert message() is not None
    visit.stroke(final=True)
    assert message() is None


def test_what_of_a_board_link_was_not_taken_is_told(visit):
    visit.query_params.query = {"n": "30", "truth": "12-18", "colour": "red"}
    visit.query_params.times = {"n": 2}
    links.sync(boards.LINK, arrived=True)
    assert message() == (
        "Some parts of this link were ignored: colour (unknown), n (given 2 times; the last "
        "one is used)."
    )
    assert current_board().size == 30


def test_what_of_a_link_to_data_was_not_taken_is_told(visit, pump):
    count, size = len(pump.series.detectors), pump.series.size
    query = {"sample": "pump", "detector": "99", "at": "0.5~0.5", "view": f"100-{size + 5}"}
    visit.query_params.query = query
    links.sync(data.LINK, arrived=True)
    assert message() == (
        f"Some parts of this link were ignored: detector 99 (there are {count}; the last is "
        f"shown), 2 thresholds (there are {count} detectors), view 100-{size + 5} (there are "
        f"{size:,} points)."
    )
    visit.query_params.query = {**query, "detector": "1", "at": "", "view": "100-300"}
    links.sync(data.LINK, arrived=True)
    assert message() is None


def test_what_of_a_waiting_link_does_not_fit_the_data_that_come_is_told(visit, pump):
    visit.query_params.query = {"at": "0.5~0.5"}
    links.sync(data.LINK, arrived=True)
    put_study(pump)
    assert "2 thresholds (there are 4 detectors)" in message()


@pytest.mark.parametrize("step", ["0", "99", "-3"])
def test_a_step_that_a_lesson_does_not_have_is_told(visit, step):
    visit.query_params.query = {"lesson": "course", "step": step}
    links.sync(lesson.LINK, arrived=True)
    assert f"step {step} (there are" in message()


def test_stepping_back_on_a_board_page_brings_its_board(visit):
    links.sync(boards.LINK, arrived=True)
    case = ROBUSTNESS_CASES[2]
    wanted = link_to(Board(case.labels, case.detections), Settings(decay=0.3))
    visit.stroke()
    visit.session_state[PAGE_KEY] = {"back": wanted}
    take_back()
    assert current_board().same_pattern(case.labels, case.detections)
    assert current_settings() == Settings(decay=0.3)
    assert board_revision() == 1
    assert current_study() is None


def test_stepping_back_on_a_data_page_brings_thresholds_and_view(visit, pump):
    links.sync(data.LINK, arrived=True)
    put_study(pump)
    revision = study_revision()
    query = {"detector": "2", "at": "0.5~pa~0.25~0.125", "view": "100-300", "k": "40"}
    visit.session_state[PAGE_KEY] = {"back": f"?{urlencode(query)}"}
    take_back()
    now = current_study()
    assert (now.chosen, now.choices, now.view) == (1, (0.5, "pa", 0.25, 0.125), View(100, 300))
    assert current_settings() == Settings(k=40)
    assert study_revision() > revision
    assert current_board().same_pattern(Board().labels, Board().detections)
    visit.session_state[PAGE_KEY] = {"back": "?at=nan"}
    take_back()
    assert "Nothing has changed" in message()
    assert current_study().choices == (0.5, "pa", 0.25, 0.125)


@pytest.mark.parametrize("sent", [None, 3, "", "?", "?" + "a" * 30_000, ["?n=5"]])
@pytest.mark.parametrize("page", ["playground", "your_data"])
def test_an_address_that_is_none_changes_nothing(visit, page, sent):
    enter_page(page)
    visit.session_state[PAGE_KEY] = {"back": sent}
    take_back()
    assert message() is None
    assert board_revision() == 0
    del visit.session_state[PAGE_KEY]
    take_back()


def test_a_page_is_entered_once(visit):
    assert not is_framed()
    mark_framed()
    assert is_framed()
    assert enter_page("playground")
    assert not enter_page("playground")
    assert enter_page("your_data")
    visit.query_params.query = {"sample": "pump"}
    want_page("pages/your_data.py")
    assert take_wanted_page() == ("pages/your_data.py", {"sample": "pump"})
    assert take_wanted_page() is None


# ---- the data page -------------------------------------------------------------------------------


def test_thresholds_are_pinned_until_they_are_asked_to_follow(visit, pump):
    put_study(pump)
    best = pump.detector.best(Settings().protocol("padf")).threshold
    assert current_study().threshold(current_settings()) == best
    set_settings(decay=0.2)
    assert current_study().threshold(current_settings()) == best
    set_follow("padf")
    now = current_study()
    assert now.choice == "padf"
    followed = pump.detector.best(Settings(decay=0.2).protocol("padf")).threshold
    assert now.threshold(current_settings()) == followed
    set_settings(decay=0.9)
    assert current_study().threshold(current_settings()) == best
    set_settings(decay=0.2)
    set_follow(None)
    assert current_study().choice == followed
    set_settings(decay=0.9)
    assert current_study().threshold(current_settings()) == followed
    assert current_study().choices[1:] == (None, None, None)


def test_the_timeline_moves_alone_and_its_sliders_move_the_page(visit, pump):
    put_study(pump)
    revision = study_revision()
    visit.ask(TIMELINE_KEY, take_timeline, window={"first": 10.4, "last": 99.6})
    assert current_study().view == View(10, 99)
    assert visit.runs == 0
    visit.ask(TIMELINE_KEY, take_timeline, settings={"threshold": 0.5, "k": 40})
    assert current_study().choice == 0.5
    assert current_settings() == Settings(k=40)
    assert visit.runs == 1
    assert study_revision() == revision, "what the timeline asks for does not come back to it"
    assert current_study().view == View(10, 99)
    visit.ask(TIMELINE_KEY, take_timeline, settings={"threshold": float("nan")})
    assert (current_study().choice, visit.runs) == (0.5, 1)


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
    put_study(pump)
    number = visit.ask(TIMELINE_KEY, take_timeline, window=window)
    now = current_study()
    assert answered(TIMELINE_KEY) == number
    assert 0 <= now.view.first < now.view.last <= now.series.size


def test_a_timeline_without_data_is_answered(visit):
    number = visit.ask(TIMELINE_KEY, take_timeline, settings={"k": 40})
    assert answered(TIMELINE_KEY) == number


def test_what_is_chosen_elsewhere_outdates_the_timeline(visit, pump):
    put_study(pump)
    seen = [study_revision()]
    for change in (
        lambda: set_detector(2),
        lambda: set_choice(0.75),
        lambda: set_follow("pa"),
        lambda: put_study(pump),
    ):
        change()
        seen.append(study_revision())
    assert seen == sorted(set(seen))


def test_choosing_a_row_zooms_to_its_segment(visit, pump):
    put_study(pump)
    visit.session_state["ledger"] = SimpleNamespace(selection=SimpleNamespace(rows=[2]))
    take_row("ledger")
    assert current_study().view == around(pump.series, 2)
    for rows in ([], [99], [-1]):
        visit.session_state["ledger"] = SimpleNamespace(selection=SimpleNamespace(rows=rows))
        take_row("ledger")
        assert current_study().view == around(pump.series, 2)


def test_a_link_waits_for_its_data(visit, pump):
    visit.query_params.query = {"at": "0.5~pa~0.25~0.125", "view": "10-60", "k": "40"}
    links.sync(data.LINK, arrived=True)
    assert waits_for_data()
    assert is_uploading()
    put_study(pump)
    assert not waits_for_data()
    assert not is_uploading()
    assert current_study().choices == (0.5, "pa", 0.25, 0.125)
    assert current_study().view == View(10, 60)
    assert current_settings() == Settings(k=40)


def test_the_link_of_a_study_goes_round(visit, pump):
    put_study(pump)
    set_detector(3)
    set_choice(0.5)
    set_settings(decay=0.5)
    for detector in pump.series.detectors:
        _ = detector.ranked
    links.sync(data.LINK, arrived=False)
    query = visit.query_params.to_dict()
    before = current_study().thresholds(current_settings())
    visit.session_state.clear()
    links.sync(data.LINK, arrived=True)
    now = current_study()
    assert (now.chosen, now.choice) == (3, 0.5)
    assert now.thresholds(current_settings()) == before
    assert current_settings() == Settings(decay=0.5)
    assert query["sample"] == "pump"


def test_a_table_is_looked_at_once(visit):
    looks = []

    def look():
        looks.append(1)
        return len(looks)

    assert [looked_at("a", look), looked_at("a", look)] == [1, 1]
    assert looked_at("b", look) == 2


# ---- probabilities -------------------------------------------------------------------------------


def test_drawn_probabilities_are_taken_if_they_are_such(visit):
    take = take_probabilities
    visit.ask(PROBABILITIES_KEY, take, alarm=[0.5] * 12)
    assert current_probabilities().alarm == (0.5,) * 12
    assert probabilities_revision() == 0
    for bad in ([0.5] * 11, [1.5] * 12, ["0.5"] * 12, [True] * 12, None, [float("nan")] * 12):
        number = visit.ask(PROBABILITIES_KEY, take, alarm=bad)
        assert current_probabilities().alarm == (0.5,) * 12
        assert answered(PROBABILITIES_KEY) == number
    set_probabilities(PRESETS[2].drawn)
    assert probabilities_revision() == 1
    visit.ask(PROBABILITIES_KEY, take, alarm=[0.25] * 12)
    assert current_probabilities() == Probabilities((0.25,) * 12, PRESETS[2].drawn.false_alarms)


# ---- widgets -------------------------------------------------------------------------------------


class Widget:
    """A widget as Streamlit keeps it: what it shows is in the session under its key."""

    def __init__(self, visit):
        self.visit, self.value = visit, "a"

    def draw(self):
        key = widget_key("w", self.value)
        self.visit.session_state[key] = self.value
        return key

    def choose(self, key, chosen):
        self.visit.session_state[key] = chosen
        take_choice("w", key, self.take)

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
    assert len(store.kept()["w.shown"]) <= KEPT_KEYS + 1


def test_a_visit_has_one_name(visit):
    assert visit_name() == visit_name()
    visit.session_state.clear()
    assert visit_name()


def test_a_stroke_that_is_not_taken_leaves_a_message_alone(visit):
    visit.query_params.from_dict({"n": "30", "truth": "12-18", "alarms": "99"})
    links.sync(boards.LINK, arrived=True)
    assert "lies beyond the last point" in message()
    visit.stroke(revision=board_revision() - 1, final=True)
    assert "lies beyond the last point" in message()
