"""What the browser sends: real messages are taken, forged ones change nothing.

tests/web/messages.json holds one message of each kind. tests/web/messages.test.js checks that the
components send exactly these, and that they can send no other kind.
"""

import inspect
import json
import re
from collections import defaultdict
from copy import deepcopy
from pathlib import Path

import pytest

from padf_core import Settings
from padf_core.analysis.choosing import Need
from padf_core.paper.cases import ROBUSTNESS_CASES, TOY_CASES, random_detections
from padf_core.teaching.course import LESSONS
from padf_ui.components import mounting
from padf_ui.session import asks, links
from padf_ui.session.asks import (
    BOARD_KEY,
    CASES_KEY,
    GUESS_KEY,
    LESSON_KEY,
    NEED_KEY,
    PAGE_KEY,
    PROBABILITIES_KEY,
    RACE_KEY,
    REPLAY_KEY,
    TIMELINE_KEY,
    answered,
)
from padf_ui.session.board import (
    LINK,
    board_revision,
    current_board,
    offers_hint,
    take_board,
    take_cases,
)
from padf_ui.session.board_file import Board
from padf_ui.session.data import current_study, put_study, study_revision, take_timeline
from padf_ui.session.lesson import (
    current_progress,
    go_to_step,
    lesson_revision,
    present_lesson,
    take_answer,
    take_guess,
    take_leave,
    take_lesson,
    take_reveal,
    take_turn,
)
from padf_ui.session.links import take_back
from padf_ui.session.need import current_need, take_need, take_race
from padf_ui.session.probabilities import (
    current_probabilities,
    probabilities_revision,
    take_probabilities,
)
from padf_ui.session.replay import take_presses
from padf_ui.session.settings import current_settings
from padf_ui.session.stretch import View
from padf_ui.wire.limits import MAX_POINTS, MOST_CLIPS, MOST_PRESSES
from tests.ui.test_state import PUMP, bits, visit  # noqa: F401

FILE = Path(__file__).resolve().parents[1] / "web" / "messages.json"
MESSAGES = {entry["name"]: entry for entry in json.loads(FILE.read_text(encoding="utf-8"))}
CASES = (*TOY_CASES, *ROBUSTNESS_CASES)

RECEIVERS = {
    "board": (BOARD_KEY, take_board),
    "lesson": (LESSON_KEY, take_lesson),
    "timeline": (TIMELINE_KEY, take_timeline),
    "cases": (CASES_KEY, lambda: take_cases(CASES)),
    "probabilities": (PROBABILITIES_KEY, take_probabilities),
    "guess": (GUESS_KEY, take_guess),
    "need": (NEED_KEY, take_need),
    "race": (RACE_KEY, take_race),
    "replay": (REPLAY_KEY, take_presses),
}
"""Who takes the asks of a component. Lessons have a board of their own."""

TRIGGERS = {
    "back": take_back,
    "step": take_turn,
    "leave": take_leave,
    "answer": take_answer,
    "reveal": take_reveal,
}
"""Who takes what a page sends. Anything else only lets the page run again."""

AT = next(at for at, step in enumerate(LESSONS["course"].steps) if step.part == "guess")
"""The step of the course that lets the reader guess a curve: of twelve places."""

ASKED = AT - 1
"""A step that asks a question with two answers."""

STROKE, LONGER = "01100000000100001000", "01100000000100001110"
LABELS = "00000111111111100000"


@pytest.fixture
def session(visit):  # noqa: F811
    """A visit with data, in the middle of a lesson that is presented."""
    put_study(PUMP)
    go_to_step(AT)
    present_lesson(True)
    links.sync(LINK, arrived=True)
    visit.session_state["padf_kept"]["padf_lesson_revision"] = 0
    return visit


def held(session):
    """Everything that the browser may change, and how often the page was asked to run."""
    lesson, data = current_progress(), current_study()
    kept = session.session_state["padf_kept"]
    return {
        "board": tuple(map(bits, (current_board().labels, current_board().detections))),
        "settings": current_settings(),
        "revision": board_revision(),
        "painted": not offers_hint(),
        "opened": kept.get("padf_opened", False),
        "view": data.view,
        "threshold": data.threshold(current_settings()),
        "study revision": study_revision(),
        "probabilities": current_probabilities().alarm,
        "probabilities revision": probabilities_revision(),
        "need": current_need(),
        "presses": kept.get("padf_presses"),
        "step": lesson.at,
        "presented": lesson.is_presented,
        "lesson board": tuple(map(bits, (lesson.board.labels, lesson.board.detections))),
        "lesson settings": lesson.chosen,
        "lesson revision": lesson_revision(),
        "guesses": lesson.guesses,
        "answers": lesson.answers,
        "revealed": lesson.revealed,
        "runs": session.runs,
    }


def begin(name):
    """Go to the step where a message has a meaning."""
    if MESSAGES[name]["sends"] == "answer":
        go_to_step(ASKED)


def changes(before, after):
    return {name: after[name] for name in after if after[name] != before[name]}


def send(session, component, sends, message, number=1):
    """Send a message in the way of Streamlit: into the session, then through the callback."""
    if sends == "ask":
        key, take = RECEIVERS[component]
        ask = {"id": number, **message} if isinstance(message, dict) else message
        session.session_state[key] = {"ask": ask}
        take()
    else:
        session.session_state[PAGE_KEY] = {sends: message}
        TRIGGERS[sends]()


# ---- real messages -------------------------------------------------------------------------------

DEFAULT = tuple(map(bits, (Board().labels, Board().detections)))
TOSSED = bits(random_detections(Board().size, 0.3, 1))
STEP = LESSONS["course"].steps[AT]
STEP_TOSSED = bits(random_detections(len(STEP.labels), 0.3, 1))

TAKEN = {
    ("a stroke under way", "board"): {"board": (LABELS, STROKE), "painted": True},
    ("a finished stroke", "board"): {"board": (LABELS, LONGER), "painted": True, "runs": 1},
    ("a slider of the board", "board"): {"settings": Settings(decay=0.99), "runs": 1},
    ("random alarms", "board"): {"board": (DEFAULT[0], TOSSED), "revision": 1, "runs": 1},
    ("a slider that a restarted server has not seen", "board"): {"settings": Settings(decay=0.99)},
    ("a stroke and a slider in one ask", "board"): {
        "board": (LABELS, LONGER),
        "painted": True,
        "settings": Settings(decay=0.99),
        "runs": 1,
    },
    ("a stroke under way", "lesson"): {"lesson board": (LABELS, STROKE)},
    ("a finished stroke", "lesson"): {"lesson board": (LABELS, LONGER), "runs": 1},
    ("a slider of the board", "lesson"): {
        "lesson settings": STEP.chosen.replace(decay=0.99),
        "runs": 1,
    },
    ("random alarms", "lesson"): {
        "lesson board": (bits(STEP.labels), STEP_TOSSED),
        "lesson revision": 1,
        "runs": 1,
    },
    ("a slider that a restarted server has not seen", "lesson"): {
        "lesson settings": STEP.chosen.replace(decay=0.99)
    },
    ("a stroke and a slider in one ask", "lesson"): {
        "lesson board": (LABELS, LONGER),
        "lesson settings": STEP.chosen.replace(decay=0.99),
        "runs": 1,
    },
    ("another stretch", "timeline"): {"view": View(350, 550)},
    ("the threshold", "timeline"): {"threshold": 0.6, "runs": 1},
    ("a slider of the timeline", "timeline"): {"settings": Settings(decay=0.99), "runs": 1},
    ("a slider of the cases", "cases"): {"settings": Settings(decay=0.5)},
    ("a case to open", "cases"): {
        "board": tuple(map(bits, (TOY_CASES[2].labels, TOY_CASES[2].detections))),
        "opened": True,
        "revision": 1,
        "runs": 1,
    },
    ("probabilities", "probabilities"): {"probabilities": (1.0, 0.0, 0.75, *(0.0,) * 9)},
    ("a guess", "guess"): {"guesses": {AT: (800, 800, 800, 600, 400, *(800,) * 7)}},
    ("a number of the need that was dragged", "need"): {"need": Need(seconds=1200.0)},
    ("a number of the need that was typed", "need"): {"need": Need(seconds=7200.0)},
    # Half the worth is gone at the half-life itself.
    ("a place on the race's axis", "race"): {"need": Need(seconds=900.0)},
    ("presses of the watcher", "replay"): {"presses": ("web_service/1", [[3000.0, 3600.0]])},
    # Points 3 to 5 of ten are anomalous, and there is an alarm at 4.
    ("the browser stepped back", "page"): {"board": ("0001110000", "0000100000"), "revision": 1},
    ("a step on", "page"): {"step": AT + 1},
    ("a step back", "page"): {"step": AT - 1},
    ("the end of a presentation", "page"): {"presented": False},
    ("an answer by its number", "page"): {"answers": {ASKED: 1}},
    ("the answer to reveal", "page"): {"revealed": frozenset({AT})},
}
"""What a session holds after a message, by its name and receiver; everything else stays."""

BY_STEP = ("lesson board", "lesson settings", "lesson revision")
"""Another step has another board."""


@pytest.mark.parametrize(("name", "receiver"), TAKEN)
def test_a_real_message_changes_what_it_says_and_nothing_else(session, name, receiver):
    entry = MESSAGES[name]
    begin(name)
    before = held(session)
    send(session, receiver, entry["sends"], entry["message"])
    found = changes(before, held(session))
    if "step" in found:
        found = {key: value for key, value in found.items() if key not in BY_STEP}
    wanted = TAKEN[name, receiver]
    if "threshold" in found and "threshold" not in wanted:
        # The threshold that is best by other settings may be another one.
        del found["threshold"]
    assert found == wanted
    if entry["sends"] == "ask":
        assert answered(RECEIVERS[receiver][0]) == 1


def test_every_message_of_the_list_is_taken_somewhere():
    untold = {name for name in MESSAGES if not any(name == told for told, _ in TAKEN)}
    assert {MESSAGES[name]["sends"] for name in untold} == set(called_back()) - set(TRIGGERS)


def called_back():
    """Return the callback of each trigger of a page, as the source names it."""
    source = inspect.getsource(mounting.mount_page)
    return dict(re.findall(r"on_(\w+)_change=([\w.]+)", source))


def test_each_trigger_has_a_callback_and_a_theme_only_runs_the_page(session):
    sent = {entry["sends"] for entry in MESSAGES.values()} - {"ask"}
    told = {name: take.__name__ for name, take in TRIGGERS.items()}
    assert called_back() == {name: told.get(name, "_run_again") for name in sent}
    assert "theme" not in told
    before = held(session)
    mounting._run_again()
    assert changes(before, held(session)) == {}


def test_every_key_under_which_python_takes_asks_is_tested():
    source = "".join(path.read_text() for path in sorted(Path(asks.__file__).parent.glob("*.py")))
    taken = {getattr(asks, name) for name in re.findall(r"take_ask\((\w+_KEY), ", source)}
    assert taken == {key for key, _ in RECEIVERS.values()}
    assert set(re.findall(r'sent\(PAGE_KEY, "(\w+)"', source)) == {"back", "step", "answer"}


def test_the_same_message_is_taken_once(session):
    for (name, receiver), _ in TAKEN.items():
        if receiver != "page":
            key = RECEIVERS[receiver][0]
            number = answered(key) + 1
            send(session, receiver, "ask", MESSAGES[name]["message"], number)
            before = held(session)
            RECEIVERS[receiver][1]()
            assert changes(before, held(session)) == {}, name


# ---- forged messages -----------------------------------------------------------------------------

NOT_A_TEXT = (None, True, 7, 0.5, [], {}, ["01"])
NOT_A_NUMBER = (
    *(None, "7", "", [], {}, [1], float("nan"), float("inf"), float("-inf"), 10**400),
    *(True, False),
)
NOT_A_LIST = (None, True, 7, "01", {}, {"0": 1})
NOT_AN_OBJECT = (None, True, 7, "decay", [], [["decay", 0.5]])


def wrong_for(value):
    """Return values of other types."""
    if isinstance(value, str):
        return NOT_A_TEXT
    if isinstance(value, list):
        return NOT_A_LIST
    return NOT_AN_OBJECT if isinstance(value, dict) else NOT_A_NUMBER


def places(message, at=()):
    """Return the path to every part of a message that Python must check."""
    if isinstance(message, dict):
        parts = [(key, value) for key, value in message.items() if key not in ("revision", "final")]
    else:
        parts = list(enumerate(message[:1])) if isinstance(message, list) else []
    for key, value in parts:
        yield (*at, key)
        yield from places(value, (*at, key))


def put(message, path, value):
    made = deepcopy(message)
    inner = made
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return made


def without(message, path):
    made = deepcopy(message)
    inner = made
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    return made


def part(message, path):
    for key in path:
        message = message[key]
    return message


BEYOND = {
    "a stroke under way": [
        {"labels": "0011", "detections": "0000"},
        {"labels": "0" * (MAX_POINTS + 1), "detections": "0" * (MAX_POINTS + 1)},
        {"labels": "0" * 100_000, "detections": "0" * 100_000},
        {"labels": LABELS, "detections": STROKE[:-1]},
        {"labels": LABELS.replace("1", "2"), "detections": STROKE},
        {"labels": LABELS.replace("0", "٠"), "detections": STROKE},
        {"labels": "", "detections": ""},
    ],
    "a slider of the board": [
        {"settings": {"decay": 7}},
        {"settings": {"decay": -0.5}},
        {"settings": {"gone": 1}},
        {"settings": {"__class__": 1}},
        {"settings": {"shape": "linear"}},
        {"settings": {"d" * 100_000: 0.5}},
    ],
    "random alarms": [
        {"random": {"rate": 101, "seed": 1}},
        {"random": {"rate": -1, "seed": 1}},
        {"random": {"rate": 30, "seed": -1}},
        {"random": {"rate": 30, "seed": 1.5}},
        {"random": {}},
    ],
    "another stretch": [
        {"window": {}},
        {"window": {"first": 350}},
        {"window": {"first": [350], "last": [550]}},
    ],
    "the threshold": [{"settings": {"gone": 1}}, {"settings": {}}],
    "a case to open": [{"open": -1}, {"open": len(CASES)}, {"open": 10**9}, {"open": 2.0}],
    "probabilities": [
        {"alarm": [1.5, *[0] * 11]},
        {"alarm": [-0.1, *[0] * 11]},
        {"alarm": [0] * 11},
        {"alarm": [0] * 13},
        {"alarm": [0] * 100_000},
        {"alarm": []},
    ],
    "a guess": [
        {"guess": [1001] * 12},
        {"guess": [-1] * 12},
        {"guess": [0.5] * 12},
        {"guess": [500] * 2},
        {"guess": []},
        {"guess": [0] * (MAX_POINTS + 1)},
    ],
    "a number of the need that was dragged": [
        {"numbers": {"seconds": -1}},
        {"numbers": {"seconds": 0}},
        {"numbers": {"seconds": 1e11}},
        {"numbers": {"share": 0}},
        {"numbers": {"share": 1.5}},
        {"numbers": {"grace": -1}},
        {"numbers": {"kind": 1}},
        {"numbers": {"gone": 1}},
        {"numbers": {}},
    ],
    "a number of the need that was typed": [
        {"typed": {"number": "seconds", "text": "soon"}},
        {"typed": {"number": "seconds", "text": ""}},
        {"typed": {"number": "seconds", "text": "9" * 100_000}},
        {"typed": {"number": "seconds", "text": "-2 h"}},
        {"typed": {"number": "share", "text": "150 %"}},
        {"typed": {"number": "kind", "text": "loss"}},
        {"typed": {"number": "__class__", "text": "1"}},
        {"typed": {}},
    ],
    "a place on the race's axis": [{"number": 0}, {"number": -900}, {"number": 1e300}],
    "presses of the watcher": [
        {"key": "k", "presses": [[1.0]] * (MOST_CLIPS + 1)},
        {"key": "k", "presses": [[1.0] * (MOST_PRESSES + 1)]},
        {"key": "k", "presses": [1.0]},
        {"key": "k", "presses": [["1"]]},
        {"key": "k", "presses": [[[1.0]]]},
    ],
    "the browser stepped back": ["", "?", "?" + "a" * 20_000, ["?n=10"]],
    "a step on": [0, 2, -2, 1.0, 1.5],
    "an answer by its number": [-1, 2, 5, 6, 1.0],
}
"""Messages of the right shape that cannot be."""

LONG_KEY = "a key of 100,000 letters"

LENIENT = {
    # Each number of a need is taken for itself, so what is left of a message still counts.
    ("a number of the need that was dragged", "numbers"),
}
"""Parts whose absence or wrong type leaves something that is fine."""


def forgeries():
    """Return forged messages: which one, who gets it, the message, and what is forged."""
    for name, receiver in TAKEN:
        message, sends = MESSAGES[name]["message"], MESSAGES[name]["sends"]
        beyond = BEYOND.get(name, [])
        if sends in ("leave", "reveal"):
            # There is only one thing to say, so its value does not matter.
            continue
        if sends != "ask":
            for value in (*wrong_for(message), *beyond):
                yield name, receiver, value, f"{value!r:.40}"
            continue
        yield name, receiver, {"revision": 0, "final": False, "unknown": message}, "unknown kind"
        if receiver == "replay":
            yield name, receiver, put(message, ("key",), "k" * 100_000), LONG_KEY
        for forged in beyond:
            yield name, receiver, {"revision": 0, **forged}, f"{forged!r:.60}"
        if MESSAGES[name].get("merged"):
            # Python takes the parts one by one, and each part is forged elsewhere.
            continue
        for path in places(message):
            if any((name, key) in LENIENT for key in path[:-1]):
                continue
            where = ".".join(map(str, path))
            if isinstance(part(message, path[:-1]), dict):
                yield name, receiver, without(message, path), f"{where} is missing"
            for value in wrong_for(part(message, path)):
                yield name, receiver, put(message, path, value), f"{where} is {value!r:.20}"


FORGED = defaultdict(list)
for _name, _receiver, _message, _told in forgeries():
    FORGED[_name, _receiver].append((_told, _message))


@pytest.mark.parametrize(("name", "receiver"), FORGED, ids=map(": ".join, FORGED))
def test_forged_messages_change_nothing(session, name, receiver):
    """One session takes all forgeries of a message: none of them may leave a trace."""
    begin(name)
    before, changed = held(session), {}
    for number, (told, message) in enumerate(FORGED[name, receiver], start=1):
        send(session, receiver, MESSAGES[name]["sends"], message, number)
        after = held(session)
        found = changes(before, after)
        if isinstance(message, dict) and message.get("final"):
            # An ask of the right kind runs the page, also when a number in it is out of range.
            assert found.pop("runs", before["runs"] + 1) == before["runs"] + 1, told
        if found:
            changed[told] = found
        before = after
    assert changed == {}


NO_ASKS = [None, [], "x", 3, True, {}, {"id": None}, {"id": "1"}, {"id": 1.5}, {"id": [1]}]


@pytest.mark.parametrize("sent", NO_ASKS, ids=repr)
@pytest.mark.parametrize("receiver", RECEIVERS)
def test_what_has_no_number_is_no_ask(session, receiver, sent):
    key, take = RECEIVERS[receiver]
    before = held(session)
    session.session_state[key] = {"ask": sent}
    take()
    del session.session_state[key]
    take()
    assert changes(before, held(session)) == {}
    assert answered(key) == 0


@pytest.mark.parametrize("receiver", RECEIVERS)
def test_a_forged_ask_is_answered_so_that_the_browser_does_not_wait(session, receiver):
    send(session, receiver, "ask", {"unknown": 1})
    assert answered(RECEIVERS[receiver][0]) == 1
