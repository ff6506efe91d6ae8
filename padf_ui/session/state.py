"""The only place that touches the session and the URL.

The board's truth is kept here, with a revision number that rises whenever something other than the
board's own strokes changes the pattern; the board takes Python's pattern only then. What a
component asks for has a number, which goes back with the answer: a component has one ask under way
at most. What must be drawn anew is decided here, in the callbacks, before any fragment runs: a
stroke that goes on runs the board's fragment alone, and whatever is final runs the whole page.

All that is kept stands in one dictionary, and whatever changes it is a `_whole`: Streamlit ends a
run for a newer one wherever it looks into the session, and half a change must not be left behind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import replace
from functools import wraps
from sys import float_info
from threading import RLock
from typing import Any, ParamSpec, TypeGuard, TypeVar, cast
from urllib.parse import parse_qsl
from uuid import uuid4

import numpy as np
import streamlit as st

from padf_core import DECAYS, Settings
from padf_core.analysis.choosing import Need, need_at, need_of, retyped
from padf_core.analysis.settings_file import chosen_on, settings_from_json
from padf_core.io.notation import parse_points
from padf_core.io.tables import TableFile
from padf_core.metrics.decay import MAX_SECONDS, MIN_STEPS
from padf_core.metrics.settings import LANES
from padf_core.paper.cases import Case, random_detections
from padf_core.teaching.course import LESSONS
from padf_core.teaching.lessons import Lesson, Step
from padf_ui.session import board as boards
from padf_ui.session import left_over, links, study
from padf_ui.session import replay as replays
from padf_ui.session.board import Board
from padf_ui.session.corpus import CorpusRun, OpenCorpus
from padf_ui.session.probabilities import PRESETS, Probabilities
from padf_ui.session.progress import Progress, find_lesson, name_of
from padf_ui.session.replay import BROUGHT, MOST_CLIPS, MOST_PRESSES, Replay
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
REPLAY_KEY = "padf_replay_component"
NEED_KEY = "padf_need_component"
RACE_KEY = "padf_race_component"
SLIDES = "padf_slides"
LONGEST_LESSON = 12_000
LONGEST_TYPED = 100
LARGEST = 2**53
"""Of whole numbers that a browser can count exactly."""
MAX_ADDRESS = 20_000
KEPT_KEYS = 3

_KEPT = "padf_kept"
_FRAMED = "padf_framed"
_WANTED = "padf_wanted_page"
_PAGE = "padf_page"
_STYLED = "padf_styled"
_SESSION = "padf_session"
_ANSWERED = "padf_answered"
_TAKERS = "padf_takers"
_BOARD = "padf_board"
_SETTINGS = "padf_settings"
_SHAPES = "padf_shapes"
_NEED = "padf_need"
_NEED_REFUSED = "padf_need_refused"
_NEED_SUGGESTED = "padf_need_suggested"
_REPLAY = "padf_replay"
_PRESSES = "padf_presses"
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
_READ_NOW = "padf_read_now"
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
_CORPUS = "padf_corpus"
_CORPUS_RUN = "padf_corpus_run"


# ---- what a visit keeps --------------------------------------------------------------------------

P = ParamSpec("P")
R = TypeVar("R")


class _Kept(dict[str, Any]):
    """What a visit keeps, and who changes it now."""

    def __init__(self) -> None:
        super().__init__()
        self.lock = RLock()


_HELD: ContextVar[dict[str, Any] | None] = ContextVar("padf_held", default=None)
"""The session as it was when the change that is being made began."""


def _session() -> Mapping[str, Any]:
    """Return the session with what its widgets say."""
    held = _HELD.get()
    return cast(Mapping[str, Any], st.session_state) if held is None else held


def _kept() -> _Kept:
    """Return what this visit keeps."""
    session = _session()
    try:
        return cast(_Kept, session[_KEPT])
    except KeyError:
        st.session_state[_KEPT] = _Kept()
        return cast(_Kept, session[_KEPT])


def _sent(key: str, name: str) -> Any:
    """Return what a component has sent under a name, if anything."""
    component = _session().get(key)
    return None if component is None else component.get(name)


def _whole(change: Callable[P, R]) -> Callable[P, R]:
    """Let a change be made as a whole.

    Wherever a run looks into Streamlit's session, Streamlit may end it for a newer one, in the
    midst of a callback too: an ask would be noted as answered and its stroke be lost. So a change
    takes what it needs at once, in the one way that is no such place, and then changes what is
    kept. The run that is ended and the newer one are threads of one visit: one waits for the other.
    """

    @wraps(change)
    def made(*args: P.args, **kwargs: P.kwargs) -> R:
        if _HELD.get() is not None:
            return change(*args, **kwargs)
        session = st.session_state.to_dict()
        if _KEPT not in session:
            session[_KEPT] = st.session_state[_KEPT] = _Kept()
        token = _HELD.set(session)
        try:
            with session[_KEPT].lock:
                return change(*args, **kwargs)
        finally:
            _HELD.reset(token)

    return made


# ---- pages -------------------------------------------------------------------------------------


def mark_framed() -> None:
    """Remember that app.py has opened this session."""
    _kept()[_FRAMED] = True


def is_framed() -> bool:
    """Say whether app.py has opened this session."""
    return bool(_kept().get(_FRAMED, False))


def want_page(script: str) -> None:
    """Remember a page, with its query, that was asked for before app.py had run."""
    _kept()[_WANTED] = (script, st.query_params.to_dict())


def take_wanted_page() -> tuple[str, dict[str, str | list[str]]] | None:
    """Return the remembered page and its query once."""
    wanted: tuple[str, dict[str, str | list[str]]] | None = _kept().pop(_WANTED, None)
    return wanted


def is_styled() -> bool:
    """Say whether the browser can reserve space for what comes: from its second run on.

    The first run loads what shows styles and components; whatever came with it would jump. The
    page's component asks for the second run; without a browser there is nothing to wait for.
    """
    styled = bool(_kept().get(_STYLED, False)) or not st.context.headers.to_dict()
    _kept()[_STYLED] = True
    return styled


def enter_page(key: str) -> bool:
    """Remember the page that runs; say whether another one ran before."""
    arrived = _kept().get(_PAGE) != key
    _kept()[_PAGE] = key
    return arrived


def message() -> str | None:
    """Return what the user must be told about the link, until something changes."""
    told: str | None = _kept().get(_MESSAGE)
    return told


@_whole
def put_message(text: str) -> None:
    """Tell the user something until something changes."""
    _kept()[_MESSAGE] = text


def _mark_changed() -> None:
    _kept()[_CHANGED] = True
    _kept().pop(_MESSAGE, None)


# ---- what components ask -----------------------------------------------------------------------


def session() -> str:
    """Return a name for this visit, by which a component knows a server that began anew."""
    if _SESSION not in _kept():
        _kept()[_SESSION] = uuid4().hex
    return str(_kept()[_SESSION])


def answered(key: str) -> int:
    """Return the number of the last ask of a component that was taken."""
    return int(_kept().get(_ANSWERED, {}).get(key, 0))


def _take_ask(key: str) -> Mapping[str, Any]:
    """Return what a component asks for, once; nothing when it is not an ask."""
    ask = _asked(key)
    if ask:
        _kept()[_ANSWERED] = {**_kept().get(_ANSWERED, {}), key: ask["id"]}
    return ask


def _asked(key: str) -> Mapping[str, Any]:
    """Return what a component asks for and has not been answered; numbers of asks rise."""
    sent = _sent(key, "ask")
    number = sent.get("id") if isinstance(sent, dict) else None
    if not _is_whole(number, answered(key) + 1, LARGEST):
        return {}
    return cast(Mapping[str, Any], sent)


def expect_asks(key: str, take: Callable[[], None]) -> None:
    """Remember who takes what a component asks for."""
    _kept()[_TAKERS] = {**_kept().get(_TAKERS, {}), key: take}


def take_missed_asks() -> None:
    """Take what was asked of a run that was ended before it could take it.

    Streamlit has heard of it then, and will not call again.
    """
    takers: dict[str, Callable[[], None]] = _kept().get(_TAKERS, {})
    for key, take in takers.items():
        if _asked(key):
            take()


def _asked_settings(ask: Mapping[str, Any], now: Settings) -> Settings:
    """Return settings with the numbers whose sliders were let go; as they were if none fits."""
    sent = ask.get("settings")
    if not isinstance(sent, dict):
        return now
    numbers = {number.key for number in now.numbers().values()}
    wanted = {
        key: float(value)
        for key, value in sent.items()
        if key in numbers and _is_number(value) and value != now[key]
    }
    try:
        return now.replace(**wanted) if wanted else now
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


def _is_whole(sent: Any, least: int, most: int) -> TypeGuard[int]:
    """Say whether this is a whole number within limits; True and False are none."""
    return type(sent) is int and least <= sent <= most


@_whole
def take_back() -> None:
    """Take the address to which the browser stepped back or forward."""
    sent = _sent(PAGE_KEY, "back")
    if isinstance(sent, str) and 1 < len(sent) <= MAX_ADDRESS:
        pairs = parse_qsl(sent.removeprefix("?"), keep_blank_values=True)
        query = _Query(pairs, [name for name, _ in pairs])
        page = _kept().get(_PAGE)
        if page in ("playground", "paper_cases", "published_results"):
            _read_board_link(query)
        elif page == "learn":
            _read_lesson_link(query)
        elif page in ("your_data", "choose_decay", "random_detector"):
            _read_study_link(query)
        elif page == "operators":
            _read_replay_link(query)


# ---- settings ----------------------------------------------------------------------------------


def settings() -> Settings:
    """Return the parameters of all protocols, the same on every page."""
    if _SETTINGS not in _kept():
        _kept()[_SETTINGS] = Settings()
    return cast(Settings, _kept()[_SETTINGS])


@_whole
def put_settings(new: Settings) -> None:
    """Use other parameters on every page."""
    _kept()[_SETTINGS] = new
    _mark_changed()


@_whole
def set_settings(**changes: Any) -> None:
    """Change parameters; raises ValueError when one is out of range."""
    put_settings(settings().replace(**changes))


@_whole
def set_lanes(lanes: Sequence[str]) -> None:
    """Show these reference protocols beside the others."""
    put_settings(settings().with_lanes(lanes))


@_whole
def load_settings(content: bytes) -> None:
    """Take settings from a file; raises ValueError when it cannot be read."""
    put_settings(settings_from_json(content))
    now, told = current_study(), chosen_on(content)
    if now is not None and told is not None and told[1] != now.fingerprint:
        _kept()[_MESSAGE] = (
            f"These settings were chosen on other data ({told[0][:80]}): they are in use, but what "
            "speaks for them there may not hold here."
        )


@_whole
def set_shape(shape: str) -> None:
    """Change the decay's shape: to the value that it had before, or to the same half-life."""
    now = settings()
    known: dict[str, float] = {
        **_kept().get(_SHAPES, {}),
        now["shape"]: now["decay"],
    }
    _kept()[_SHAPES] = known
    number = DECAYS[shape].number_in(now["measure"])
    old = DECAYS[now["shape"]].of(now.values)
    half = min(max(old.half_life, MIN_STEPS), MAX_SECONDS)
    wanted = number.nearest(DECAYS[shape].for_half_life(half))
    set_settings(shape=shape, decay=known.get(shape, wanted))


@_whole
def set_measure(measure: str) -> None:
    """Change what a delay is counted in; the shape stays where it can, its number begins anew."""
    _kept().pop(_SHAPES, None)
    set_settings(measure=measure)


# ---- the need ----------------------------------------------------------------------------------


def need() -> Need:
    """Return the need that is being thought over: from the settings, until it is changed.

    It is not in use anywhere until somebody says so; settings in clock time that are chosen
    elsewhere, or come by a link or a file, are a newer word.
    """
    own = need_of(settings())
    drafted, told = _kept().get(_NEED, (own or Need(), own))
    return own if own is not None and own != told else cast(Need, drafted)


@_whole
def set_need(new: Need) -> None:
    """Think over another need; raises ValueError when settings cannot hold it."""
    settings().replace(**new.values)
    _kept()[_NEED] = (new, need_of(settings()))
    _kept().pop(_NEED_REFUSED, None)


@_whole
def suggest_need(new: Need) -> None:
    """Think over this need, unless somebody has said one."""
    known = _kept().get(_NEED_SUGGESTED)
    is_said = need_of(settings()) is not None or (_NEED in _kept() and need() != known)
    if not is_said and new != known:
        set_need(new)
        _kept()[_NEED_SUGGESTED] = new


def need_refused() -> str:
    """Return why the last need could not be taken, until one is."""
    return str(_kept().get(_NEED_REFUSED, ""))


@_whole
def take_need() -> None:
    """Take the need whose numbers were dragged or typed, if it can be."""
    ask = _take_ask(NEED_KEY)
    sent, typed = ask.get("numbers"), ask.get("typed")
    numbers = {
        key: float(value)
        for key, value in (sent.items() if isinstance(sent, dict) else ())
        if key in ("seconds", "share", "grace") and _is_number(value)
    }
    try:
        if numbers:
            set_need(need().moved(**numbers))
    except ValueError as error:
        _kept()[_NEED_REFUSED] = str(error)
    text = typed.get("text") if isinstance(typed, dict) else None
    if isinstance(typed, dict) and isinstance(text, str):
        type_need(str(typed.get("number")), text[:LONGEST_TYPED])


@_whole
def take_race() -> None:
    """Take the place on the axis of the decay's number that was chosen for the need."""
    number = _take_ask(RACE_KEY).get("number")
    if _is_number(number):
        try:
            set_need(need_at(need(), float(cast(float, number))))
        except ValueError as error:
            _kept()[_NEED_REFUSED] = str(error)


@_whole
def type_need(number: str, text: str) -> None:
    """Take a number of the need as somebody typed it, or say why it cannot be."""
    try:
        set_need(retyped(need(), number, text))
    except ValueError as error:
        _kept()[_NEED_REFUSED] = str(error)


# ---- the board ---------------------------------------------------------------------------------


def board() -> Board:
    """Return the board as it is now."""
    if _BOARD not in _kept():
        _kept()[_BOARD] = Board()
    return cast(Board, _kept()[_BOARD])


def revision() -> int:
    """Return the number that rises when Python changes the pattern."""
    return int(_kept().get(_REVISION, 0))


def offers_hint() -> bool:
    """Say whether nobody has painted yet in this session."""
    return not _kept().get(_PAINTED, False)


def slides() -> bool:
    """Say whether the board shows what would be if all alarms were moved."""
    return bool(_session().get(SLIDES, False))


def sync_board_with_link(arrived: bool) -> None:
    """Bring the board and the URL together at the start of a run.

    What the user has just changed goes into the URL. On arrival the URL goes into the board, or is
    filled when it is empty. In any other run the URL is left alone: a run may carry one that is
    older than the last stroke. Steps back in the browser come through `take_back`.
    """
    query = _query()
    if _is_changed() or (arrived and not query):
        _write(links.to_query(board(), settings()))
    elif arrived:
        _read_board_link(query)


def write_board_link() -> None:
    """Put the board and the settings into the URL, if they have changed."""
    if _is_changed():
        _write(links.to_query(board(), settings()))


def _is_changed() -> bool:
    """Say whether something has changed that is not in the URL yet."""
    return bool(_kept().get(_CHANGED, False))


class _Query(dict[str, str]):
    """The parts of a link; of those that stand there more than once, the last."""

    def __init__(self, parts: Any, names: Sequence[str]) -> None:
        super().__init__(parts)
        self.names = names
        """Of all parts, as often as they stand there."""


def _query() -> _Query:
    """Return the link with which this run began."""
    parts = st.query_params.to_dict()
    return _Query(parts, [name for name in parts for _ in st.query_params.get_all(name)])


def _tell_left_over(query: _Query, known: set[str], *more: str) -> None:
    """Say what of a link was not taken, or take back what was said of another one."""
    left = [*left_over.unknown(query, known), *left_over.repeated(query.names), *more]
    if left:
        _kept()[_MESSAGE] = left_over.told(left)
    else:
        _kept().pop(_MESSAGE, None)


def _write(link: dict[str, str]) -> None:
    """Put a link into the URL. A run that is ended meanwhile leaves that to the next one."""
    if link != st.query_params.to_dict():
        st.query_params.from_dict(link)
    _kept().pop(_CHANGED, None)


@_whole
def _read_board_link(query: _Query) -> None:
    try:
        read, new = links.from_query(query)
        _tell_left_over(query, links.board_parts())
    except ValueError as error:
        read, new = Board(), Settings()
        _kept()[_MESSAGE] = (
            f"This link could not be read ({error}). The default board is shown instead."
        )
    _kept()[_SETTINGS] = new
    _put(read, changed=False)


def _put(new: Board, *, changed: bool = True) -> None:
    """Replace the whole board from Python's side."""
    _kept()[_BOARD] = new
    _kept()[_REVISION] = revision() + 1
    _kept().pop(_TAIL, None)
    if changed:
        _mark_changed()


@_whole
def show_case(case: Case) -> None:
    """Put a case on the board; settings stay."""
    _put(replace(board(), labels=case.labels, detections=case.detections))


@_whole
def load_board(content: bytes) -> None:
    """Put a saved board in place; raises ValueError when it cannot be read."""
    read, new = boards.from_json(content)
    put_settings(new)
    _put(read)


@_whole
def set_size(size: int) -> None:
    """Make the board longer or shorter; what was cut off comes back when it grows again."""
    old = board()
    tail: Board | None = _kept().get(_TAIL)
    longest = old.resized(max(old.size, tail.size), tail) if tail else old
    _put(old.resized(size, tail))
    _kept()[_TAIL] = longest


@_whole
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


@_whole
def set_step(step: str) -> None:
    """Say what one step stands for."""
    _kept()[_BOARD] = replace(board(), step=step)
    _mark_changed()


@_whole
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
                _kept().pop(_TAIL, None)
            _kept()[_BOARD] = drawn
            _kept()[_PAINTED] = is_taken = True
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
    if _is_number(rate) and 0 <= rate <= 100 and _is_whole(seed, 0, LARGEST):
        return replace(now, detections=random_detections(now.size, rate / 100, seed))
    return None


@_whole
def open_in_playground(drawn: Board, wanted: Settings) -> None:
    """Put a board and its settings in place and go to the Playground."""
    put_settings(wanted)
    _put(drawn)
    _kept()[_OPENED] = True


# ---- the paper's cases ---------------------------------------------------------------------------


@_whole
def take_cases(cases: Sequence[Case]) -> None:
    """Take sliders that were let go, or the case whose "Open" button was pressed."""
    ask = _take_ask(CASES_KEY)
    _take_settings(ask)
    opened = ask.get("open")
    if _is_whole(opened, 0, len(cases) - 1):
        show_case(cases[opened])
        _kept()[_OPENED] = True
        st.rerun()


def take_opened() -> bool:
    """Say once whether a case was opened."""
    return bool(_kept().pop(_OPENED, False))


# ---- lessons and quizzes -------------------------------------------------------------------------


def progress() -> Progress:
    """Return how far somebody is in a lesson."""
    if _PROGRESS not in _kept():
        _kept()[_PROGRESS] = Progress(LESSONS["course"])
    return cast(Progress, _kept()[_PROGRESS])


def lesson_revision() -> int:
    """Return the number that rises when another board is shown in the lesson."""
    return int(_kept().get(_LESSON_REVISION, 0))


def _put_progress(new: Progress, *, other_board: bool = False) -> None:
    _kept()[_PROGRESS] = new
    if other_board:
        _kept()[_LESSON_REVISION] = lesson_revision() + 1
    _mark_changed()


@_whole
def open_lesson(lesson: Lesson) -> None:
    """Begin a lesson."""
    _put_progress(Progress(lesson), other_board=True)


@_whole
def go_to_step(at: int) -> None:
    """Look at another step of the lesson."""
    _put_progress(progress().go(at), other_board=True)


@_whole
def take_turn() -> None:
    """Take a step on or back that was asked for by a key."""
    sent = _sent(PAGE_KEY, "step")
    if _is_whole(sent, -1, 1) and sent:
        go_to_step(progress().at + sent)


@_whole
def take_leave() -> None:
    """Leave the presentation."""
    present(False)


@_whole
def present(wanted: bool) -> None:
    """Show the lesson in big type and without the frame, or as usual."""
    _put_progress(replace(progress(), is_presented=wanted))


@_whole
def answer_step(place: int) -> None:
    """Answer the step's question."""
    now = progress()
    _put_progress(replace(now, answers={**now.answers, now.at: place}))


@_whole
def reveal() -> None:
    """Show the truth beside a guess."""
    now = progress()
    _put_progress(replace(now, revealed=now.revealed | {now.at}))


@_whole
def rank_case(place: int | None) -> None:
    """Give a case the next place; None begins again."""
    now = progress()
    order = () if place is None else (*now.orders.get(now.at, ()), place)
    _put_progress(replace(now, orders={**now.orders, now.at: order}))


@_whole
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
            _kept()[_LESSON_REVISION] = lesson_revision() + 1
    now = replace(now, settings={**now.settings, now.at: _asked_settings(ask, now.chosen)})
    _kept()[_PROGRESS] = now
    if ask.get("final"):
        st.rerun()


@_whole
def take_guess() -> None:
    """Take the curve that was drawn."""
    values, now = _take_ask(GUESS_KEY).get("guess"), progress()
    if not isinstance(values, list) or len(values) != np.count_nonzero(now.step.labels):
        return
    if all(_is_whole(value, 0, 1000) for value in values):
        guesses = {**now.guesses, now.at: tuple(values)}
        _kept()[_PROGRESS] = replace(now, guesses=guesses)


def sync_lesson_with_link(arrived: bool) -> None:
    """Bring the lesson and the URL together at the start of a run."""
    query = _query()
    if _is_changed() or (arrived and not query):
        _write(_lesson_query(progress()))
    elif arrived:
        _read_lesson_link(query)


def _lesson_query(now: Progress) -> dict[str, str]:
    query = {"lesson": name_of(now.lesson), "step": str(now.at + 1)}
    return {**query, "present": "1"} if now.is_presented else query


@_whole
def _read_lesson_link(query: _Query) -> None:
    try:
        lesson = find_lesson(links.text_of(query.get("lesson", "course"), "lesson", LONGEST_LESSON))
        step = links.number_of(links.text_of(query.get("step", "1"), "step"), "step")
    except ValueError as error:
        _kept()[_MESSAGE] = (
            f"This link could not be read ({error}). The lesson is shown from its beginning."
        )
        open_lesson(LESSONS["course"])
        _kept().pop(_CHANGED, None)
        return
    steps = len(lesson.steps)
    beyond = () if 1 <= step <= steps else (f"step {step:g} (there are {steps})",)
    _tell_left_over(query, {"lesson", "step", "present"}, *beyond)
    now = progress() if progress().lesson == lesson else Progress(lesson)
    now = replace(now.go(int(step) - 1), is_presented=query.get("present") == "1")
    _kept()[_PROGRESS] = now
    _kept()[_LESSON_REVISION] = lesson_revision() + 1


def own_steps() -> list[Step]:
    """Return the steps of the lesson that is being written."""
    return list(_kept().get(_OWN_STEPS, []))


@_whole
def put_own_steps(steps: Sequence[Step]) -> None:
    """Keep the steps of the lesson that is being written."""
    _kept()[_OWN_STEPS] = list(steps)


def quiz_seed() -> int:
    """Return the seed of the questions, from the link or as it was chosen."""
    return int(_kept().get(_QUIZ_SEED, 1))


@_whole
def set_quiz_seed(seed: int) -> None:
    """Ask other questions."""
    _kept()[_QUIZ_SEED] = seed
    _kept()[_QUIZ_ANSWERS] = {}
    _kept()[_QUIZ_AT] = 0
    _mark_changed()


def quiz_answers() -> dict[int, int]:
    """Return what was answered so far, by question."""
    return dict(_kept().get(_QUIZ_ANSWERS, {}))


@_whole
def answer_quiz(question: int, place: int) -> None:
    """Answer a question; the first answer counts."""
    _kept()[_QUIZ_ANSWERS] = {question: place} | quiz_answers()


def quiz_at() -> int:
    """Return the question that is looked at."""
    return int(_kept().get(_QUIZ_AT, 0))


@_whole
def go_to_question(at: int) -> None:
    """Look at another question."""
    _kept()[_QUIZ_AT] = at


def sync_quiz_with_link(arrived: bool) -> None:
    """Bring the quiz's seed and the URL together at the start of a run."""
    query = _query()
    if _is_changed() or (arrived and not query):
        _write({"seed": str(quiz_seed())})
    elif arrived:
        text = str(query.get("seed", "1"))
        if text.isdecimal() and len(text) <= 9:
            if int(text) != quiz_seed():
                set_quiz_seed(int(text))
                _kept().pop(_CHANGED, None)
            _tell_left_over(query, {"seed"})
        else:
            _kept()[_MESSAGE] = (
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
    found: Study | None = _kept().get(_STUDY)
    return found


@_whole
def put_study(new: Study) -> None:
    """Take new data; a link that came before them now gives them its thresholds and view."""
    link: Link | None = _kept().pop(_WAITING, None)
    _kept()[_STUDY] = _linked(new, link) if link else new
    _kept()[_BROUGHT] = brought() + 1
    _kept()[_BRINGING] = False
    _outdate_timeline()
    _kept().pop(_LOOKED_AT, None)
    _kept().pop(_ANSWERS, None)
    _mark_changed()
    beyond = study.out_of_range(new, link) if link and study.fits(new, link) else []
    if beyond:
        _kept()[_MESSAGE] = left_over.told(beyond)


def _linked(now: Study, link: Link) -> Study:
    """Return the study as a link wants it; a link for other data waits to be asked for."""
    if study.fits(now, link):
        _kept().pop(_STRANGE, None)
        return study.with_link(now, link)
    _kept()[_STRANGE] = link
    return now


def has_strange_link() -> bool:
    """Say whether a link was opened that was made for other data."""
    return _STRANGE in _kept()


@_whole
def answer_strange_link(wanted: bool) -> None:
    """Use the thresholds and the view of a link for other data, or forget it."""
    link: Link | None = _kept().pop(_STRANGE, None)
    now = current_study()
    if wanted and link is not None and now is not None:
        _outdate_timeline()
        _change_study(study.with_link(now, link))


@_whole
def set_moved(moved: bool) -> None:
    """Let the incidents of a sample begin with the labelled moment, or with its window."""
    now = current_study()
    if now is not None and now.sample_key and now.is_moved != moved:
        new = study.telling(study.load_sample(now.sample_key, settings(), moved=moved))
        put_study(replace(new, view=now.view))


@_whole
def set_onset(**changes: Any) -> None:
    """Let the segments of the data begin elsewhere than their labels.

    A number whose unit changes begins anew.
    """
    now = current_study()
    if now is not None:
        if "unit" in changes:
            changes["shift"] = 0.0
        if "early_unit" in changes:
            changes["early"] = 0.0
        wanted = replace(now.onset, **changes)
        if wanted != now.onset:
            # Thresholds that nobody chose are those that are best by the rules in force.
            put_study(replace(now.with_onset(wanted), began=settings()))


@_whole
def turn_round(index: int) -> None:
    """Take the low scores of a detector for the alarming ones."""
    now = current_study()
    if now is not None:
        _outdate_timeline()
        _change_study(now.inverted(index))


@_whole
def open_sample(key: str) -> None:
    """Look at one of the series that come with the app."""
    put_study(study.telling(study.load_sample(key, settings())))


def is_bringing() -> bool:
    """Say whether the ways to bring data are shown: when there are none, or when asked for."""
    return _STUDY not in _kept() or bool(_kept().get(_BRINGING, False))


@_whole
def set_bringing(wanted: bool) -> None:
    """Show or hide the ways to bring data."""
    _kept()[_BRINGING] = wanted


def brought() -> int:
    """Return how often data have been brought: uploads of before are dropped with their key."""
    return int(_kept().get(_BROUGHT, 0))


@_whole
def answer(name: str, chosen: Mapping[str, str]) -> None:
    """Say how the rows of a file are to be taken, so that it is read."""
    known = _kept().get(_ANSWERS, ("", {}))
    before = known[1] if known[0] == name else {}
    _kept()[_ANSWERS] = (name, {**before, **chosen})
    _kept()[_READ_NOW] = name


def takes_answer(name: str) -> bool:
    """Say once whether a file is to be read because a question about it was answered."""
    return bool(_kept().pop(_READ_NOW, None) == name)


def answers_to(name: str) -> dict[str, Any]:
    """Return what was said about the rows of a file."""
    known = _kept().get(_ANSWERS, ("", {}))
    return dict(known[1]) if known[0] == name else {}


def uploader_key(whole: bool) -> str:
    """Return the key of the uploader of tables, or of whole folders; a new one for other data."""
    return f"table_{brought()}_{whole}"


def uploaded(key: str) -> Sequence[Any]:
    """Return the files that an uploader holds: the widget itself gives a copy of all they hold."""
    files: Sequence[Any] = st.session_state.get(key) or ()
    return files


def looked_at(name: str, look: Callable[[], TableFile]) -> TableFile:
    """Return a table that has been looked at before under this name, or look at it now."""
    known: tuple[str, TableFile] | None = _kept().get(_LOOKED_AT)
    if known is None or known[0] != name:
        known = (name, look())
        _kept()[_LOOKED_AT] = known
    return known[1]


def waits_for_data() -> bool:
    """Say whether a link has brought thresholds for data that are not here."""
    return _WAITING in _kept()


def sync_study_with_link(arrived: bool) -> None:
    """Bring the data page and the URL together at the start of a run."""
    query = _query()
    if _is_changed() or (arrived and not query):
        write_study_link()
    elif arrived:
        _read_study_link(query)


def write_study_link() -> None:
    """Put settings, thresholds and view into the URL."""
    _write(study.to_query(current_study(), settings()))


@_whole
def _read_study_link(query: _Query) -> None:
    try:
        link = study.from_query(query)
    except ValueError as error:
        _kept()[_MESSAGE] = f"This link could not be read ({error}). Everything stays as it was."
        return
    _kept()[_SETTINGS] = link.settings
    _outdate_timeline()
    now = current_study()
    here = None if now is None else (now.sample_key, now.is_moved)
    if link.sample and here != (link.sample, link.is_moved):
        now = study.load_sample(link.sample, link.settings, moved=link.is_moved)
        if link.chosen is None and not link.choices:
            now = study.telling(now)
    beyond = study.out_of_range(now, link) if now is not None and study.fits(now, link) else []
    _tell_left_over(query, study.link_parts(), *beyond)
    if now is not None:
        _kept()[_STUDY] = _linked(now, link)
    elif link.says_more:
        _kept()[_WAITING] = link


def study_revision() -> int:
    """Return the number that rises when anything but the timeline changes what it shows."""
    return int(_kept().get(_STUDY_REVISION, 0))


def _outdate_timeline() -> None:
    """Let the timeline forget what it has asked for: something newer was chosen elsewhere."""
    _kept()[_STUDY_REVISION] = study_revision() + 1


def _change_study(new: Study) -> None:
    _kept()[_STUDY] = new
    _mark_changed()


@_whole
def set_detector(index: int) -> None:
    """Look at another detector."""
    now = current_study()
    if now is not None:
        _outdate_timeline()
        _change_study(replace(now, chosen=index))


@_whole
def set_choice(choice: Choice) -> None:
    """Choose the threshold of the detector that is looked at."""
    now = current_study()
    if now is not None:
        _outdate_timeline()
        _change_study(now.with_choice(choice))


@_whole
def set_follow(follows: str | None) -> None:
    """Let the threshold follow a protocol's best, or leave it where it is."""
    now = current_study()
    if now is not None:
        set_choice(follows or now.threshold(settings()))


def _set_view(now: Study, view: View) -> None:
    _kept()[_STUDY] = replace(now, view=view)


@_whole
def take_timeline() -> None:
    """Take what the timeline asks for: another stretch, or sliders that were let go."""
    ask, now = _take_ask(TIMELINE_KEY), current_study()
    if now is None:
        return
    window, sent = ask.get("window"), ask.get("settings")
    if isinstance(window, dict) and all(_is_number(window.get(end)) for end in ("first", "last")):
        now = replace(now, view=clamped(window["first"], window["last"], now.series.size))
        _kept()[_STUDY] = now
    changed = _take_settings(ask)
    threshold = sent.get("threshold") if isinstance(sent, dict) else None
    if _is_number(threshold):
        _change_study(now.with_choice(study.threshold_of(float(cast(float, threshold)))))
        changed = True
    if changed:
        st.rerun()


@_whole
def take_row(key: str) -> None:
    """Zoom to the segment whose row was chosen in the ledger."""
    now, table = current_study(), _session().get(key)
    rows = table.selection.rows if table is not None else []
    if now is not None and rows and 0 <= rows[0] < len(now.series.segments):
        _outdate_timeline()
        _set_view(now, around(now.series, rows[0]))
        _mark_changed()


# ---- the replay for operators --------------------------------------------------------------------


def replay() -> Replay:
    """Return what is replayed."""
    found: Replay = _kept().get(_REPLAY, Replay())
    return found


@_whole
def put_replay(new: Replay) -> None:
    """Replay something else, or by another rule."""
    _kept()[_REPLAY] = new
    _kept().pop(_PRESSES, None)
    _mark_changed()


@_whole
def set_replay(**changes: Any) -> None:
    """Change what is replayed; raises ValueError when it cannot be."""
    put_replay(replace(replay(), **changes))


@_whole
def set_rule(**changes: Any) -> None:
    """Change wait, cool-down or budget; thresholds follow the budget again."""
    set_replay(**changes, thresholds=(None, None))


@_whole
def set_replayed(setting: str) -> None:
    """Replay other data by the same rule."""
    put_replay(replay().of(setting))


def sync_replay_with_link(arrived: bool) -> None:
    """Bring the replay and the URL together at the start of a run."""
    query = st.query_params.to_dict()
    if arrived and query and not _is_changed():
        _read_replay_link(query)


def write_replay_link(told: Settings) -> None:
    """Put the replay into the URL, with the settings that hold its need."""
    now = current_study()
    _write(replays.to_query(replay(), told, now.fingerprint if now else None))


@_whole
def _read_replay_link(query: Mapping[str, str]) -> None:
    try:
        read, told, data = replays.from_query(query)
    except ValueError as error:
        put_replay(Replay())
        _kept()[_MESSAGE] = (
            f"This link could not be read ({error}). The usual replay is shown instead."
        )
        return
    _kept().pop(_MESSAGE, None)
    now = current_study()
    if read.setting == BROUGHT and (now is None or data not in (None, now.fingerprint)):
        _kept()[_MESSAGE] = (
            "This link was made for data that are not here: bring them on Your data, and open it "
            "again. A sample is shown instead."
        )
        read = Replay()
    if told is not None:
        _take_told_need(told)
    _kept()[_REPLAY] = read
    _kept().pop(_PRESSES, None)


def _take_told_need(told: Settings) -> None:
    """Think over the need of a link; what is in use on other pages keeps its decay."""
    said = need_of(told)
    kept = settings().replace(precision=told["precision"], weight=told["weight"])
    if said is None:
        kept = told
    else:
        set_need(said)
    _kept()[_SETTINGS] = kept


def chosen_point(key: str) -> tuple[float, ...] | None:
    """Return the numbers of the point that was clicked in a chart, if one was."""
    chart = _session().get(key)
    points = chart.selection.points if chart is not None else []
    told = points[0].get("customdata") if points else None
    return tuple(told) if isinstance(told, (list, tuple)) and all(map(_is_number, told)) else None


def presses(key: str) -> list[list[float]] | None:
    """Return when the watcher pressed in a replay, clip by clip, if it was asked."""
    known: tuple[str, list[list[float]]] | None = _kept().get(_PRESSES)
    return known[1] if known is not None and known[0] == key else None


@_whole
def take_presses() -> None:
    """Take the watcher's presses, if they are such."""
    ask = _take_ask(REPLAY_KEY)
    key, sent = ask.get("key"), ask.get("presses")
    if not isinstance(key, str) or len(key) > LONGEST_TYPED:
        return
    if not isinstance(sent, list) or len(sent) > MOST_CLIPS:
        return
    if all(
        isinstance(clip, list) and len(clip) <= MOST_PRESSES and all(map(_is_number, clip))
        for clip in sent
    ):
        _kept()[_PRESSES] = (key, [[float(seconds) for seconds in clip] for clip in sent])


# ---- corpora -------------------------------------------------------------------------------------


def current_corpus() -> OpenCorpus | None:
    """Return the corpus that somebody opened or ran, if there is one."""
    found: OpenCorpus | None = _kept().get(_CORPUS)
    return found


@_whole
def put_corpus(new: OpenCorpus | None) -> None:
    """Look at another corpus; at the sample where it is none."""
    _kept()[_CORPUS] = new
    _kept().pop(_CORPUS_RUN, None)
    _kept()[_BROUGHT] = brought() + 1


def corpus_run() -> CorpusRun | None:
    """Return the corpus that is being run, or was stopped."""
    found: CorpusRun | None = _kept().get(_CORPUS_RUN)
    return found


@_whole
def put_corpus_run(new: CorpusRun | None) -> None:
    """Run a corpus, or forget the one that was stopped; what was uploaded for it is dropped."""
    _kept()[_CORPUS_RUN] = new
    _kept()[_BROUGHT] = brought() + 1


@_whole
def want_corpus_run(wanted: bool) -> None:
    """Stop the corpus that is being run, or let it go on."""
    now = corpus_run()
    if now is not None:
        _kept()[_CORPUS_RUN] = replace(now, is_wanted=wanted)


@_whole
def open_series(opened: OpenCorpus, series: str, detector: str | None, protocol: str) -> None:
    """Put one series of a corpus in place, with its thresholds, and go to Your data."""
    if not opened.has_series(series):
        _kept()[_MESSAGE] = f"The scores on {series} are not here: only its results are."
        return
    try:
        new = opened.study(series, detector, protocol)
    except ValueError as error:
        _kept()[_MESSAGE] = f"{series} cannot be opened: {error}."
        return
    put_settings(opened.settings)
    _kept().pop(_WAITING, None)
    put_study(new)
    _kept()[_OPENED] = True


@_whole
def take_dot(key: str, opened: OpenCorpus, protocol: str) -> None:
    """Open the series whose dot was chosen in a chart."""
    chart = _session().get(key)
    points = chart.selection.points if chart is not None else []
    named = points[0].get("customdata") if points else None
    if isinstance(named, (list, tuple)) and len(named) >= 2:
        open_series(opened, str(named[0]), str(named[1]), protocol)


@_whole
def take_series_row(
    key: str, opened: OpenCorpus, protocol: str, rows: Sequence[tuple[str, str | None]]
) -> None:
    """Open the series whose row was chosen in a table."""
    table = _session().get(key)
    chosen = table.selection.rows if table is not None else []
    if chosen and 0 <= chosen[0] < len(rows):
        series, detector = rows[chosen[0]]
        open_series(opened, series, detector, protocol)


# ---- alarm probabilities -------------------------------------------------------------------------


def probabilities() -> Probabilities:
    """Return the probabilities that are drawn."""
    drawn: Probabilities = _kept().get(_DRAWN, PRESETS[0].drawn)
    return drawn


def probabilities_revision() -> int:
    """Return the number that rises when Python changes the probabilities."""
    return int(_kept().get(_DRAWN_REVISION, 0))


@_whole
def set_probabilities(new: Probabilities) -> None:
    """Put other probabilities in place."""
    _kept()[_DRAWN] = new
    _kept()[_DRAWN_REVISION] = probabilities_revision() + 1


@_whole
def take_probabilities() -> None:
    """Take the probabilities that were drawn, if they are such."""
    values = _take_ask(PROBABILITIES_KEY).get("alarm")
    if not isinstance(values, list) or len(values) != len(probabilities().alarm):
        return
    if all(_is_number(value) and 0 <= value <= 1 for value in values):
        _kept()[_DRAWN] = replace(probabilities(), alarm=tuple(map(float, values)))


# ---- widgets -------------------------------------------------------------------------------------


def widget_key(name: str, value: object) -> str:
    """Return the key for a widget whose default is this value.

    A value that was changed by anything but the widget itself gives the widget a new key: a browser
    that still holds the old value could otherwise send it back as if it had just been chosen.
    """
    if _session().get(_current_key(name), value) != value:
        _kept()[f"{name}.count"] = _kept().get(f"{name}.count", 0) + 1
    key = _current_key(name)
    _kept()[f"{name}.shown"] = {**_shown(name), key: value}
    return key


def _shown(name: str) -> dict[str, object]:
    """Return what the last few keys of a widget showed."""
    known: dict[str, object] = _kept().get(f"{name}.shown", {})
    return dict(list(known.items())[-KEPT_KEYS:])


def _current_key(name: str) -> str:
    return f"{name}.{_kept().get(f'{name}.count', 0)}"


@_whole
def take_choice(name: str, key: str, take: Callable[[Any], None]) -> None:
    """Pass on what was chosen in a widget, unless it only says again what it showed before."""
    known, session = _shown(name), _session()
    if key in session and key in known:
        chosen = session[key]
        if key == _current_key(name) or chosen != known[key]:
            take(chosen)
