"""The only place that touches the session and the URL.

The board's truth is kept here, with a revision number that rises whenever something other than the
board's own strokes changes the pattern; the board takes Python's pattern only then. What a
component asks for has a number, which goes back with the answer: a component has one ask under way
at most. What must be drawn anew is decided here, in the callbacks, before any fragment runs: a
stroke that goes on runs the board's fragment alone, and whatever is final runs the whole page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from sys import float_info
from typing import Any, cast
from urllib.parse import parse_qsl
from uuid import uuid4

import streamlit as st

from padf_core import DECAYS, Settings
from padf_core.analysis.settings_file import chosen_on, settings_from_json
from padf_core.data.notation import parse_points
from padf_core.data.tables import TableFile
from padf_core.metrics.decay import ShapedDecay, decay_of
from padf_core.metrics.settings import LANES
from padf_core.paper.cases import Case, random_detections
from padf_core.teaching.course import LESSONS
from padf_core.teaching.lessons import Lesson, Step
from padf_ui.session import board as boards
from padf_ui.session import links, study
from padf_ui.session.board import Board
from padf_ui.session.probabilities import PRESETS, Probabilities
from padf_ui.session.progress import Progress, find_lesson, name_of
from padf_ui.session.study import Choice, Link, Study
from padf_ui.session.view import View, around, clamped

BOARD_KEY = "padf_board_component"
CASES_KEY = "padf_cases_component"
TIMELINE_KEY = "padf_timeline_component"
PROBABILITIES_KEY = "padf_probabilities_component"
PAGE_KEY = "padf_page_component"
LESSON_KEY = "padf_lesson_component"
GUESS_KEY = "padf_guess_component"
FRONT_KEY = "padf_front_component"
SLIDES = "padf_slides"
LONGEST_LESSON = 12_000
MAX_ADDRESS = 20_000
KEPT_KEYS = 3

_FRAMED = "padf_framed"
_WANTED = "padf_wanted_page"
_PAGE = "padf_page"
_STYLED = "padf_styled"
_SESSION = "padf_session"
_ANSWERED = "padf_answered"
_BOARD = "padf_board"
_SETTINGS = "padf_settings"
_SHAPES = "padf_shapes"
_REVISION = "padf_revision"
_TAIL = "padf_tail"
_CHANGED = "padf_changed"
_MESSAGE = "padf_message"
_PAINTED = "padf_painted"
_OPENED = "padf_opened"
_STUDY = "padf_study"
_WAITING = "padf_waiting_link"
_LOOKED_AT = "padf_looked_at"
_BROUGHT = "padf_brought"
_ANSWERS = "padf_answers"
_STRANGE = "padf_strange_link"
_BRINGING = "padf_bringing"
_STUDY_REVISION = "padf_study_revision"
_DRAWN = "padf_drawn"
_DRAWN_REVISION = "padf_drawn_revision"
_PROGRESS = "padf_progress"
_LESSON_REVISION = "padf_lesson_revision"
_OWN_STEPS = "padf_own_steps"
_QUIZ_SEED = "padf_quiz_seed"
_QUIZ_ANSWERS = "padf_quiz_answers"
_QUIZ_AT = "padf_quiz_at"


# ---- pages -------------------------------------------------------------------------------------


def mark_framed() -> None:
    """Remember that app.py has opened this session."""
    st.session_state[_FRAMED] = True


def is_framed() -> bool:
    """Say whether app.py has opened this session."""
    return bool(st.session_state.get(_FRAMED, False))


def want_page(script: str) -> None:
    """Remember a page, with its query, that was asked for before app.py had run."""
    st.session_state[_WANTED] = (script, st.query_params.to_dict())


def take_wanted_page() -> tuple[str, dict[str, str | list[str]]] | None:
    """Return the remembered page and its query once."""
    wanted: tuple[str, dict[str, str | list[str]]] | None = st.session_state.pop(_WANTED, None)
    return wanted


def is_styled() -> bool:
    """Say whether the browser has had time to take the style: from its second run on.

    What came before the style would jump when the style arrives. The page's component asks for the
    second run; without a browser there is nothing to wait for.
    """
    styled = bool(st.session_state.get(_STYLED, False)) or not st.context.headers.to_dict()
    st.session_state[_STYLED] = True
    return styled


def enter_page(key: str) -> bool:
    """Remember the page that runs; say whether another one ran before."""
    arrived = st.session_state.get(_PAGE) != key
    st.session_state[_PAGE] = key
    return arrived


def message() -> str | None:
    """Return what the user must be told about the link, until something changes."""
    told: str | None = st.session_state.get(_MESSAGE)
    return told


def _mark_changed() -> None:
    st.session_state[_CHANGED] = True
    st.session_state.pop(_MESSAGE, None)


# ---- what components ask -----------------------------------------------------------------------


def session() -> str:
    """Return a name for this visit, by which a component knows a server that began anew."""
    if _SESSION not in st.session_state:
        st.session_state[_SESSION] = uuid4().hex
    return str(st.session_state[_SESSION])


def answered(key: str) -> int:
    """Return the number of the last ask of a component that was taken."""
    return int(st.session_state.get(_ANSWERED, {}).get(key, 0))


def _take_ask(key: str) -> Mapping[str, Any]:
    """Return what a component asks for, once; nothing when it is not an ask."""
    sent = st.session_state[key].get("ask") if key in st.session_state else None
    number = sent.get("id") if isinstance(sent, dict) else None
    if not isinstance(number, int) or number == answered(key):
        return {}
    st.session_state[_ANSWERED] = {**st.session_state.get(_ANSWERED, {}), key: number}
    return cast(Mapping[str, Any], sent)


def _asked_settings(ask: Mapping[str, Any], now: Settings) -> Settings:
    """Return settings with the numbers whose sliders were let go; as they were if none fits."""
    sent = ask.get("settings")
    numbers = {number.key for number in now.numbers().values()}
    wanted = {
        key: float(value)
        for key, value in (sent.items() if isinstance(sent, dict) else ())
        if key in numbers and _is_number(value)
    }
    try:
        return now.replace(**wanted)
    except ValueError:
        return now


def _take_settings(ask: Mapping[str, Any]) -> bool:
    """Take the numbers whose sliders were let go; say whether any changed."""
    new = _asked_settings(ask, settings())
    if new == settings():
        return False
    put_settings(new)
    return True


def _is_number(sent: Any) -> bool:
    return type(sent) in (int, float) and abs(sent) <= float_info.max


def take_back() -> None:
    """Take the address to which the browser stepped back or forward."""
    sent = st.session_state[PAGE_KEY].get("back") if PAGE_KEY in st.session_state else None
    if isinstance(sent, str) and 1 < len(sent) <= MAX_ADDRESS:
        query = dict(parse_qsl(sent.removeprefix("?"), keep_blank_values=True))
        page = st.session_state.get(_PAGE)
        if page in ("playground", "paper_cases", "published_results"):
            _read_board_link(query)
        elif page == "learn":
            _read_lesson_link(query)
        elif page in ("your_data", "choose_decay", "random_detector"):
            _read_study_link(query)


# ---- settings ----------------------------------------------------------------------------------


def settings() -> Settings:
    """Return the parameters of all protocols, the same on every page."""
    if _SETTINGS not in st.session_state:
        st.session_state[_SETTINGS] = Settings()
    return cast(Settings, st.session_state[_SETTINGS])


def put_settings(new: Settings) -> None:
    """Use other parameters on every page."""
    st.session_state[_SETTINGS] = new
    _mark_changed()


def set_settings(**changes: Any) -> None:
    """Change parameters; raises ValueError when one is out of range."""
    put_settings(settings().replace(**changes))


def set_lanes(lanes: Sequence[str]) -> None:
    """Show these reference protocols beside the others."""
    put_settings(settings().with_lanes(lanes))


def load_settings(content: bytes) -> None:
    """Take settings from a file; raises ValueError when it cannot be read."""
    put_settings(settings_from_json(content))
    now, told = current_study(), chosen_on(content)
    if now is not None and told is not None and told[1] != now.fingerprint:
        st.session_state[_MESSAGE] = (
            f"These settings were chosen on other data ({told[0][:80]}): they are in use, but what "
            "speaks for them there may not hold here."
        )


def set_shape(shape: str) -> None:
    """Change the decay's shape: to the value that it had before, or to the same half-life."""
    now = settings()
    known: dict[str, float] = {
        **st.session_state.get(_SHAPES, {}),
        now["shape"]: now["decay"],
    }
    st.session_state[_SHAPES] = known
    old: ShapedDecay = decay_of(now["shape"], now["decay"])
    half = min(max(old.half_life, 0.5), 50.0)
    set_settings(shape=shape, decay=known.get(shape, DECAYS[shape].for_half_life(half)))


# ---- the board ---------------------------------------------------------------------------------


def board() -> Board:
    """Return the board as it is now."""
    if _BOARD not in st.session_state:
        st.session_state[_BOARD] = Board()
    return cast(Board, st.session_state[_BOARD])


def revision() -> int:
    """Return the number that rises when Python changes the pattern."""
    return int(st.session_state.get(_REVISION, 0))


def offers_hint() -> bool:
    """Say whether nobody has painted yet in this session."""
    return not st.session_state.get(_PAINTED, False)


def slides() -> bool:
    """Say whether the board shows what would be if all alarms were moved."""
    return bool(st.session_state.get(SLIDES, False))


def sync_board_with_link(arrived: bool) -> None:
    """Bring the board and the URL together at the start of a run.

    What the user has just changed goes into the URL. On arrival the URL goes into the board, or is
    filled when it is empty. In any other run the URL is left alone: a run may carry one that is
    older than the last stroke. Steps back in the browser come through `take_back`.
    """
    query = st.query_params.to_dict()
    if st.session_state.pop(_CHANGED, False) or (arrived and not query):
        _write(links.to_query(board(), settings()))
    elif arrived:
        _read_board_link(query)


def write_board_link() -> None:
    """Put the board and the settings into the URL, if they have changed."""
    if st.session_state.pop(_CHANGED, False):
        _write(links.to_query(board(), settings()))


def _write(link: dict[str, str]) -> None:
    if link != st.query_params.to_dict():
        st.query_params.from_dict(link)


def _read_board_link(query: Mapping[str, str]) -> None:
    try:
        read, new = links.from_query(query)
        st.session_state.pop(_MESSAGE, None)
    except ValueError as error:
        read, new = Board(), Settings()
        st.session_state[_MESSAGE] = (
            f"This link could not be read ({error}). The default board is shown instead."
        )
    st.session_state[_SETTINGS] = new
    _put(read, changed=False)


def _put(new: Board, *, changed: bool = True) -> None:
    """Replace the whole board from Python's side."""
    st.session_state[_BOARD] = new
    st.session_state[_REVISION] = revision() + 1
    st.session_state.pop(_TAIL, None)
    if changed:
        _mark_changed()


def show_case(case: Case) -> None:
    """Put a case on the board; settings stay."""
    _put(replace(board(), labels=case.labels, detections=case.detections))


def load_board(content: bytes) -> None:
    """Put a saved board in place; raises ValueError when it cannot be read."""
    read, new = boards.from_json(content)
    put_settings(new)
    _put(read)


def set_size(size: int) -> None:
    """Make the board longer or shorter; what was cut off comes back when it grows again."""
    old = board()
    tail: Board | None = st.session_state.get(_TAIL)
    longest = old.resized(max(old.size, tail.size), tail) if tail else old
    _put(old.resized(size, tail))
    st.session_state[_TAIL] = longest


def set_points(truth: str, alarms: str) -> None:
    """Put typed series on the board; raises ValueError when one cannot be read."""
    now = board()
    _put(
        replace(
            now,
            labels=parse_points(truth, now.size, "truth"),
            detections=parse_points(alarms, now.size, "detections"),
        )
    )


def set_step(step: str) -> None:
    """Say what one step stands for."""
    st.session_state[_BOARD] = replace(board(), step=step)
    _mark_changed()


def take_board() -> None:
    """Take what the board asks for: a stroke, sliders that were let go, or random alarms.

    While the hand is on the board its fragment answers alone; what is final is for the whole page.
    """
    ask = _take_ask(BOARD_KEY)
    is_taken = _take_settings(ask)
    if ask.get("revision") == revision():
        drawn = _asked_pattern(ask, board())
        if drawn is not None:
            if drawn.size != board().size:
                st.session_state.pop(_TAIL, None)
            st.session_state[_BOARD] = drawn
            st.session_state[_PAINTED] = is_taken = True
        tossed = _asked_random(ask, board())
        if tossed is not None:
            _put(tossed)
    if ask.get("final"):
        if is_taken:
            _mark_changed()
        st.rerun()


def _asked_pattern(ask: Mapping[str, Any], now: Board) -> Board | None:
    """Return the board with the pattern that was painted, if it is one."""
    if "labels" not in ask:
        return None
    try:
        return replace(
            now,
            labels=boards.parse_bits(ask["labels"], "labels"),
            detections=boards.parse_bits(ask.get("detections"), "detections"),
        )
    except ValueError:
        return None


def _asked_random(ask: Mapping[str, Any], now: Board) -> Board | None:
    """Return the board with random alarms, if they are wished for."""
    wish = ask.get("random")
    if not isinstance(wish, dict):
        return None
    rate, seed = wish.get("rate", -1), wish.get("seed")
    if _is_number(rate) and 0 <= rate <= 100 and isinstance(seed, int) and seed >= 0:
        return replace(now, detections=random_detections(now.size, rate / 100, seed))
    return None


def open_in_playground(drawn: Board, wanted: Settings) -> None:
    """Put a board and its settings in place and go to the Playground."""
    put_settings(wanted)
    _put(drawn)
    st.session_state[_OPENED] = True


# ---- the paper's cases ---------------------------------------------------------------------------


def take_cases(cases: Sequence[Case]) -> None:
    """Take sliders that were let go, or the case whose "Open" button was pressed."""
    ask = _take_ask(CASES_KEY)
    _take_settings(ask)
    opened = ask.get("open")
    if isinstance(opened, int) and 0 <= opened < len(cases):
        show_case(cases[opened])
        st.session_state[_OPENED] = True
        st.rerun()


def take_opened() -> bool:
    """Say once whether a case was opened."""
    return bool(st.session_state.pop(_OPENED, False))


# ---- lessons and quizzes -------------------------------------------------------------------------


def progress() -> Progress:
    """Return how far somebody is in a lesson."""
    if _PROGRESS not in st.session_state:
        st.session_state[_PROGRESS] = Progress(LESSONS["course"])
    return cast(Progress, st.session_state[_PROGRESS])


def lesson_revision() -> int:
    """Return the number that rises when another board is shown in the lesson."""
    return int(st.session_state.get(_LESSON_REVISION, 0))


def _put_progress(new: Progress, *, other_board: bool = False) -> None:
    st.session_state[_PROGRESS] = new
    if other_board:
        st.session_state[_LESSON_REVISION] = lesson_revision() + 1
    _mark_changed()


def open_lesson(lesson: Lesson) -> None:
    """Begin a lesson."""
    _put_progress(Progress(lesson), other_board=True)


def go_to_step(at: int) -> None:
    """Look at another step of the lesson."""
    _put_progress(progress().go(at), other_board=True)


def take_turn() -> None:
    """Take a step on or back that was asked for by a key."""
    sent = st.session_state[PAGE_KEY].get("step") if PAGE_KEY in st.session_state else None
    if sent in (-1, 1):
        go_to_step(progress().at + sent)


def take_leave() -> None:
    """Leave the presentation."""
    present(False)


def present(wanted: bool) -> None:
    """Show the lesson in big type and without the frame, or as usual."""
    _put_progress(replace(progress(), is_presented=wanted))


def answer_step(place: int) -> None:
    """Answer the step's question."""
    now = progress()
    _put_progress(replace(now, answers={**now.answers, now.at: place}))


def reveal() -> None:
    """Show the truth beside a guess."""
    now = progress()
    _put_progress(replace(now, revealed=now.revealed | {now.at}))


def rank_case(place: int | None) -> None:
    """Give a case the next place; None begins again."""
    now = progress()
    order = () if place is None else (*now.orders.get(now.at, ()), place)
    _put_progress(replace(now, orders={**now.orders, now.at: order}))


def take_lesson() -> None:
    """Take what the lesson's board asks for; the Playground's board stays as it is."""
    ask, now = _take_ask(LESSON_KEY), progress()
    if ask.get("revision") == lesson_revision():
        drawn = _asked_pattern(ask, now.board)
        tossed = _asked_random(ask, drawn or now.board)
        if drawn or tossed:
            boards_now = {**now.boards, now.at: tossed or drawn or now.board}
            now = replace(now, boards=boards_now)
        if tossed:
            st.session_state[_LESSON_REVISION] = lesson_revision() + 1
    now = replace(now, settings={**now.settings, now.at: _asked_settings(ask, now.chosen)})
    st.session_state[_PROGRESS] = now
    if ask.get("final"):
        st.rerun()


def take_guess() -> None:
    """Take the curve that was drawn."""
    values, now = _take_ask(GUESS_KEY).get("guess"), progress()
    if not isinstance(values, list) or not 1 <= len(values) <= boards.MAX_POINTS:
        return
    if all(isinstance(value, int) and 0 <= value <= 1000 for value in values):
        guesses = {**now.guesses, now.at: tuple(values)}
        st.session_state[_PROGRESS] = replace(now, guesses=guesses)


def sync_lesson_with_link(arrived: bool) -> None:
    """Bring the lesson and the URL together at the start of a run."""
    query = st.query_params.to_dict()
    if st.session_state.pop(_CHANGED, False) or (arrived and not query):
        _write(_lesson_query(progress()))
    elif arrived:
        _read_lesson_link(query)


def _lesson_query(now: Progress) -> dict[str, str]:
    query = {"lesson": name_of(now.lesson), "step": str(now.at + 1)}
    return {**query, "present": "1"} if now.is_presented else query


def _read_lesson_link(query: Mapping[str, str]) -> None:
    try:
        lesson = find_lesson(links.text_of(query.get("lesson", "course"), "lesson", LONGEST_LESSON))
        step = links.number_of(links.text_of(query.get("step", "1"), "step"), "step")
    except ValueError as error:
        st.session_state[_MESSAGE] = (
            f"This link could not be read ({error}). The lesson is shown from its beginning."
        )
        open_lesson(LESSONS["course"])
        st.session_state.pop(_CHANGED, None)
        return
    st.session_state.pop(_MESSAGE, None)
    now = progress() if progress().lesson == lesson else Progress(lesson)
    now = replace(now.go(int(step) - 1), is_presented=query.get("present") == "1")
    st.session_state[_PROGRESS] = now
    st.session_state[_LESSON_REVISION] = lesson_revision() + 1


def own_steps() -> list[Step]:
    """Return the steps of the lesson that is being written."""
    return list(st.session_state.get(_OWN_STEPS, []))


def put_own_steps(steps: Sequence[Step]) -> None:
    """Keep the steps of the lesson that is being written."""
    st.session_state[_OWN_STEPS] = list(steps)


def quiz_seed() -> int:
    """Return the seed of the questions, from the link or as it was chosen."""
    return int(st.session_state.get(_QUIZ_SEED, 1))


def set_quiz_seed(seed: int) -> None:
    """Ask other questions."""
    st.session_state[_QUIZ_SEED] = seed
    st.session_state[_QUIZ_ANSWERS] = {}
    st.session_state[_QUIZ_AT] = 0
    _mark_changed()


def quiz_answers() -> dict[int, int]:
    """Return what was answered so far, by question."""
    return dict(st.session_state.get(_QUIZ_ANSWERS, {}))


def answer_quiz(question: int, place: int) -> None:
    """Answer a question; the first answer counts."""
    st.session_state[_QUIZ_ANSWERS] = {question: place} | quiz_answers()


def quiz_at() -> int:
    """Return the question that is looked at."""
    return int(st.session_state.get(_QUIZ_AT, 0))


def go_to_question(at: int) -> None:
    """Look at another question."""
    st.session_state[_QUIZ_AT] = at


def sync_quiz_with_link(arrived: bool) -> None:
    """Bring the quiz's seed and the URL together at the start of a run."""
    query = st.query_params.to_dict()
    if st.session_state.pop(_CHANGED, False) or (arrived and not query):
        _write({"seed": str(quiz_seed())})
    elif arrived:
        text = str(query.get("seed", "1"))
        if text.isdecimal() and len(text) <= 9:
            if int(text) != quiz_seed():
                set_quiz_seed(int(text))
                st.session_state.pop(_CHANGED, None)
            st.session_state.pop(_MESSAGE, None)
        else:
            st.session_state[_MESSAGE] = (
                "This link could not be read (seed must be a whole number). Other questions are "
                "asked instead."
            )


def board_link_on_start() -> dict[str, str | list[str]] | None:
    """Return the query when the start page was asked for with a board's link of before."""
    query = st.query_params.to_dict()
    settings_links = (each.link for each in Settings().parameters())
    known = {"n", "truth", "alarms", LANES, *settings_links}
    return dict(query) if known & set(query) else None


# ---- the data page -------------------------------------------------------------------------------


def current_study() -> Study | None:
    """Return what is looked at on the data page, if data have been brought."""
    found: Study | None = st.session_state.get(_STUDY)
    return found


def put_study(new: Study) -> None:
    """Take new data; a link that came before them now gives them its thresholds and view."""
    link: Link | None = st.session_state.pop(_WAITING, None)
    st.session_state[_STUDY] = _linked(new, link) if link else new
    st.session_state[_BROUGHT] = brought() + 1
    st.session_state[_BRINGING] = False
    _outdate_timeline()
    st.session_state.pop(_LOOKED_AT, None)
    st.session_state.pop(_ANSWERS, None)
    _mark_changed()


def _linked(now: Study, link: Link) -> Study:
    """Return the study as a link wants it; a link for other data waits to be asked for."""
    if study.fits(now, link):
        st.session_state.pop(_STRANGE, None)
        return study.with_link(now, link)
    st.session_state[_STRANGE] = link
    return now


def has_strange_link() -> bool:
    """Say whether a link was opened that was made for other data."""
    return _STRANGE in st.session_state


def answer_strange_link(wanted: bool) -> None:
    """Use the thresholds and the view of a link for other data, or forget it."""
    link: Link | None = st.session_state.pop(_STRANGE, None)
    now = current_study()
    if wanted and link is not None and now is not None:
        _outdate_timeline()
        _change_study(study.with_link(now, link))


def set_moved(moved: bool) -> None:
    """Let the incidents of a sample begin with the labelled moment, or with its window."""
    now = current_study()
    if now is not None and now.sample is not None and now.is_moved != moved:
        key = Path(now.origin.name).stem
        view = now.view
        put_study(study.telling(study.load_sample(key, settings(), moved=moved)))
        _set_view(cast(Study, current_study()), view)


def turn_round(index: int) -> None:
    """Take the low scores of a detector for the alarming ones."""
    now = current_study()
    if now is not None:
        _outdate_timeline()
        _change_study(now.turned(index))


def open_sample(key: str) -> None:
    """Look at one of the series that come with the app."""
    put_study(study.telling(study.load_sample(key, settings())))


def is_bringing() -> bool:
    """Say whether the ways to bring data are shown: when there are none, or when asked for."""
    return _STUDY not in st.session_state or bool(st.session_state.get(_BRINGING, False))


def set_bringing(wanted: bool) -> None:
    """Show or hide the ways to bring data."""
    st.session_state[_BRINGING] = wanted


def brought() -> int:
    """Return how often data have been brought: uploads of before are dropped with their key."""
    return int(st.session_state.get(_BROUGHT, 0))


def answer(name: str, chosen: Mapping[str, str]) -> None:
    """Say how the rows of a file are to be taken, so that it is read."""
    known = st.session_state.get(_ANSWERS, ("", {}))
    before = known[1] if known[0] == name else {}
    st.session_state[_ANSWERS] = (name, {**before, **chosen})


def answers_to(name: str) -> dict[str, Any]:
    """Return what was said about the rows of a file."""
    known = st.session_state.get(_ANSWERS, ("", {}))
    return dict(known[1]) if known[0] == name else {}


def looked_at(name: str, look: Callable[[], TableFile]) -> TableFile:
    """Return a table that has been looked at before under this name, or look at it now."""
    known: tuple[str, TableFile] | None = st.session_state.get(_LOOKED_AT)
    if known is None or known[0] != name:
        known = (name, look())
        st.session_state[_LOOKED_AT] = known
    return known[1]


def waits_for_data() -> bool:
    """Say whether a link has brought thresholds for data that are not here."""
    return _WAITING in st.session_state


def sync_study_with_link(arrived: bool) -> None:
    """Bring the data page and the URL together at the start of a run."""
    query = st.query_params.to_dict()
    if st.session_state.pop(_CHANGED, False) or (arrived and not query):
        write_study_link()
    elif arrived:
        _read_study_link(query)


def write_study_link() -> None:
    """Put settings, thresholds and view into the URL."""
    _write(study.to_query(current_study(), settings()))


def _read_study_link(query: Mapping[str, str]) -> None:
    try:
        link = study.from_query(query)
    except ValueError as error:
        st.session_state[_MESSAGE] = (
            f"This link could not be read ({error}). Everything stays as it was."
        )
        return
    st.session_state[_SETTINGS] = link.settings
    st.session_state.pop(_MESSAGE, None)
    _outdate_timeline()
    now = current_study()
    is_here = now is not None and now.origin.name == study.sample_file(link.sample or "")
    if link.sample and not (now is not None and is_here and now.is_moved == link.is_moved):
        now = study.load_sample(link.sample, link.settings, moved=link.is_moved)
        if link.chosen is None and not link.choices:
            now = study.telling(now)
    if now is not None:
        st.session_state[_STUDY] = _linked(now, link)
    elif link.says_more:
        st.session_state[_WAITING] = link


def study_revision() -> int:
    """Return the number that rises when anything but the timeline changes what it shows."""
    return int(st.session_state.get(_STUDY_REVISION, 0))


def _outdate_timeline() -> None:
    """Let the timeline forget what it has asked for: something newer was chosen elsewhere."""
    st.session_state[_STUDY_REVISION] = study_revision() + 1


def _change_study(new: Study) -> None:
    st.session_state[_STUDY] = new
    _mark_changed()


def set_detector(index: int) -> None:
    """Look at another detector."""
    now = current_study()
    if now is not None:
        _outdate_timeline()
        _change_study(replace(now, chosen=index))


def set_choice(choice: Choice) -> None:
    """Choose the threshold of the detector that is looked at."""
    now = current_study()
    if now is not None:
        _outdate_timeline()
        _change_study(now.with_choice(choice))


def set_follow(follows: str | None) -> None:
    """Let the threshold follow a protocol's best, or leave it where it is."""
    now = current_study()
    if now is not None:
        set_choice(follows or now.threshold(settings()))


def _set_view(now: Study, view: View) -> None:
    st.session_state[_STUDY] = replace(now, view=view)


def take_timeline() -> None:
    """Take what the timeline asks for: another stretch, or sliders that were let go."""
    ask, now = _take_ask(TIMELINE_KEY), current_study()
    if now is None:
        return
    window, sent = ask.get("window"), ask.get("settings")
    if isinstance(window, dict) and all(_is_number(window.get(end)) for end in ("first", "last")):
        now = replace(now, view=clamped(window["first"], window["last"], now.series.size))
        st.session_state[_STUDY] = now
    changed = _take_settings(ask)
    threshold = sent.get("threshold") if isinstance(sent, dict) else None
    if _is_number(threshold):
        _change_study(now.with_choice(study.threshold_of(float(cast(float, threshold)))))
        changed = True
    if changed:
        st.rerun()


def take_row(key: str) -> None:
    """Zoom to the segment whose row was chosen in the ledger."""
    now = current_study()
    rows = st.session_state[key].selection.rows if key in st.session_state else []
    if now is not None and rows and 0 <= rows[0] < len(now.series.segments):
        _outdate_timeline()
        _set_view(now, around(now.series, rows[0]))
        _mark_changed()


# ---- alarm probabilities -------------------------------------------------------------------------


def probabilities() -> Probabilities:
    """Return the probabilities that are drawn."""
    drawn: Probabilities = st.session_state.get(_DRAWN, PRESETS[0].drawn)
    return drawn


def probabilities_revision() -> int:
    """Return the number that rises when Python changes the probabilities."""
    return int(st.session_state.get(_DRAWN_REVISION, 0))


def set_probabilities(new: Probabilities) -> None:
    """Put other probabilities in place."""
    st.session_state[_DRAWN] = new
    st.session_state[_DRAWN_REVISION] = probabilities_revision() + 1


def take_probabilities() -> None:
    """Take the probabilities that were drawn, if they are such."""
    values = _take_ask(PROBABILITIES_KEY).get("alarm")
    if not isinstance(values, list) or len(values) != len(probabilities().alarm):
        return
    if all(_is_number(value) and 0 <= value <= 1 for value in values):
        st.session_state[_DRAWN] = replace(probabilities(), alarm=tuple(map(float, values)))


# ---- widgets -------------------------------------------------------------------------------------


def widget_key(name: str, value: object) -> str:
    """Return the key for a widget whose default is this value.

    A value that was changed by anything but the widget itself gives the widget a new key: a browser
    that still holds the old value could otherwise send it back as if it had just been chosen.
    """
    if st.session_state.get(_current_key(name), value) != value:
        st.session_state[f"{name}.count"] = st.session_state.get(f"{name}.count", 0) + 1
    key = _current_key(name)
    st.session_state[f"{name}.shown"] = {**_shown(name), key: value}
    return key


def _shown(name: str) -> dict[str, object]:
    """Return what the last few keys of a widget showed."""
    known: dict[str, object] = st.session_state.get(f"{name}.shown", {})
    return dict(list(known.items())[-KEPT_KEYS:])


def _current_key(name: str) -> str:
    return f"{name}.{st.session_state.get(f'{name}.count', 0)}"


def take_choice(name: str, key: str, take: Callable[[Any], None]) -> None:
    """Pass on what was chosen in a widget, unless it only says again what it showed before."""
    known = _shown(name)
    if key in st.session_state and key in known:
        chosen = st.session_state[key]
        if key == _current_key(name) or chosen != known[key]:
            take(chosen)
