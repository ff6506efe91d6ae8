"""The only place that touches the session and the URL.

The board's truth is kept here, with a revision number that rises whenever something other than the
board's own strokes changes the pattern; the board takes Python's pattern only then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from math import isfinite
from typing import Any, cast
from urllib.parse import parse_qsl

import streamlit as st

from padf_core import Settings
from padf_core.cases import Case, random_detections
from padf_core.choosing import settings_from_json
from padf_core.notation import parse_points
from padf_core.settings import Shape
from padf_core.tables import TableFile
from padf_ui import links, study
from padf_ui.lanes.terms import PRESETS, Chances
from padf_ui.lanes.window import View, around, clamped
from padf_ui.links import Board
from padf_ui.study import Choice, Link, Study

BOARD_KEY = "padf_board_component"
CASES_KEY = "padf_cases_component"
TIMELINE_KEY = "padf_timeline_component"
CHANCE_KEY = "padf_chance_component"
MAX_ADDRESS = 20_000
KEPT_KEYS = 3

_FRAMED = "padf_framed"
_WANTED = "padf_wanted_page"
_PAGE = "padf_page"
_BOARD = "padf_board"
_REVISION = "padf_revision"
_TAIL = "padf_tail"
_CHANGED = "padf_changed"
_MESSAGE = "padf_message"
_PAINTED = "padf_painted"
_OPENED = "padf_opened"
_OUTDATED = "padf_outdated"
_STUDY = "padf_study"
_WAITING = "padf_waiting_link"
_LOOKED_AT = "padf_looked_at"
_BROUGHT = "padf_brought"
_BRINGING = "padf_bringing"
_MOVED = "padf_moved"
_STUDY_REVISION = "padf_study_revision"
_CHANCES = "padf_chances"
_CHANCE_REVISION = "padf_chance_revision"


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


def enter_page(key: str) -> bool:
    """Remember the page that runs; say whether another one ran before."""
    arrived = st.session_state.get(_PAGE) != key
    st.session_state[_PAGE] = key
    return arrived


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


def sync_with_link(arrived: bool) -> None:
    """Bring the board and the URL together at the start of a run.

    What the user has just changed goes into the URL. On arrival the URL goes into the board, or is
    filled when it is empty. In any other run the URL is left alone: a run may carry one that is
    older than the last stroke. Steps back in the browser come through `take_back`.
    """
    query = st.query_params.to_dict()
    if st.session_state.pop(_CHANGED, False) or (arrived and not query):
        link = links.to_query(board())
        if link != query:
            st.query_params.from_dict(link)
    elif arrived:
        _read_link(query)


def _read_link(query: dict[str, str]) -> None:
    try:
        _put(links.from_query(query), changed=False)
        st.session_state.pop(_MESSAGE, None)
    except ValueError as error:
        _put(Board(), changed=False)
        st.session_state[_MESSAGE] = (
            f"This link could not be read ({error}). The default board is shown instead."
        )


def message() -> str | None:
    """Return what the user must be told about the board, until something changes."""
    told: str | None = st.session_state.get(_MESSAGE)
    return told


def _put(new: Board, *, changed: bool = True) -> None:
    """Replace the whole board from Python's side."""
    st.session_state[_BOARD] = new
    st.session_state[_REVISION] = revision() + 1
    st.session_state.pop(_TAIL, None)
    if changed:
        _mark_changed()


def _mark_changed() -> None:
    st.session_state[_CHANGED] = True
    st.session_state.pop(_MESSAGE, None)


def needs_whole_page() -> bool:
    """Say whether something besides the board must be drawn anew."""
    outdated = st.session_state.pop(_OUTDATED, False)
    return bool(outdated or st.session_state.get(_CHANGED, False))


def show_case(case: Case) -> None:
    """Put a case on the board; settings stay."""
    _put(replace(board(), labels=case.labels, detections=case.detections))


def load_file(content: bytes) -> None:
    """Put a saved board in place; raises ValueError when it cannot be read."""
    _put(links.from_json(content))


def set_size(size: int) -> None:
    """Make the board longer or shorter; what was cut off comes back when it grows again."""
    old = board()
    tail: Board | None = st.session_state.get(_TAIL)
    longest = links.resized(old, max(old.size, tail.size), tail) if tail else old
    _put(links.resized(old, size, tail))
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


def set_settings(**changes: Any) -> None:
    """Change parameters; raises ValueError when one is out of range."""
    now = board()
    st.session_state[_BOARD] = replace(now, settings=replace(now.settings, **changes))
    _mark_changed()


def load_settings(content: bytes) -> None:
    """Take settings from a file; raises ValueError when it cannot be read."""
    set_settings(**settings_from_json(content).to_dict())


def set_step(step: str) -> None:
    """Say what one step stands for."""
    st.session_state[_BOARD] = replace(board(), step=step)
    _mark_changed()


def set_shape(shape: Shape) -> None:
    """Change the decay's shape, with a parameter that loses half the credit as late as before."""
    set_settings(shape=shape, decay=_same_half_life(board().settings, shape))


def _same_half_life(old: Settings, shape: Shape) -> float:
    half = min(max(old.half_life, 0.5), 50.0)
    if shape == "exponential":
        return float(round(0.5 ** (1 / half), 2))
    if shape == "half_life":
        return round(half * 2) / 2
    return float(round(half * 2 if shape == "linear" else half))


# ---- what the board in the browser sends ---------------------------------------------------------


def _sent(name: str, key: str = BOARD_KEY) -> Any:
    return st.session_state[key].get(name) if key in st.session_state else None


def take_stroke() -> None:
    """Take the pattern that was painted, if it is one and is not older than the last change."""
    sent = _sent("stroke")
    if not isinstance(sent, dict) or sent.get("revision") != revision():
        return
    labels, detections = sent.get("labels"), sent.get("detections")
    if not (_is_bits(labels) and _is_bits(detections)):
        return
    try:
        new = replace(
            board(),
            labels=links.parse_bits(cast(str, labels)),
            detections=links.parse_bits(cast(str, detections)),
        )
    except ValueError:
        return
    if new.size != board().size:
        st.session_state.pop(_TAIL, None)
    st.session_state[_BOARD] = new
    st.session_state[_PAINTED] = True
    if sent.get("final"):
        _mark_changed()


def _is_bits(text: object) -> bool:
    return isinstance(text, str) and len(text) <= links.MAX_POINTS and not set(text) - {"0", "1"}


def take_decay(key: str = BOARD_KEY) -> None:
    """Take the decay's parameter when its slider is let go."""
    _take_number("decay", key)


def take_k(key: str = BOARD_KEY) -> None:
    """Take K when its slider is let go."""
    _take_number("k", key)


def _take_number(name: str, key: str) -> None:
    sent = _sent(name, key)
    if isinstance(sent, (int, float)) and not isinstance(sent, bool):
        with suppress(ValueError):
            set_settings(**{name: float(sent)})


def take_back(key: str = BOARD_KEY) -> None:
    """Take the board of the address to which the browser stepped back or forward."""
    sent = _sent("back", key)
    if isinstance(sent, str) and 1 < len(sent) <= MAX_ADDRESS:
        _read_link(dict(parse_qsl(sent.removeprefix("?"), keep_blank_values=True)))
        st.session_state[_OUTDATED] = True


def take_random() -> None:
    """Replace the alarms by a random detector's."""
    sent = _sent("random")
    if not isinstance(sent, dict):
        return
    rate, seed = sent.get("rate"), sent.get("seed")
    if isinstance(rate, (int, float)) and 0 <= rate <= 100 and isinstance(seed, int) and seed >= 0:
        now = board()
        _put(replace(now, detections=random_detections(now.size, rate / 100, seed)))


def take_case(cases: Sequence[Case]) -> None:
    """Put the case on the board whose "Open" button was pressed."""
    sent = _sent("open", CASES_KEY)
    if isinstance(sent, int) and 0 <= sent < len(cases):
        show_case(cases[sent])
        st.session_state[_OPENED] = True


def take_opened() -> bool:
    """Say once whether a case was opened."""
    return bool(st.session_state.pop(_OPENED, False))


# ---- the data page -------------------------------------------------------------------------------


def current_study() -> Study | None:
    """Return what is looked at on the data page, if data have been brought."""
    found: Study | None = st.session_state.get(_STUDY)
    return found


def put_study(new: Study) -> None:
    """Take new data; a link that came before them now gives them its thresholds and view."""
    link: Link | None = st.session_state.pop(_WAITING, None)
    st.session_state[_STUDY] = study.with_link(new, link) if link else new
    st.session_state[_BROUGHT] = brought() + 1
    st.session_state[_BRINGING] = False
    _outdate_timeline()
    st.session_state.pop(_LOOKED_AT, None)
    _mark_changed()


def is_bringing() -> bool:
    """Say whether the ways to bring data are shown: when there are none, or when asked for."""
    return _STUDY not in st.session_state or bool(st.session_state.get(_BRINGING, False))


def set_bringing(wanted: bool) -> None:
    """Show or hide the ways to bring data."""
    st.session_state[_BRINGING] = wanted


def brought() -> int:
    """Return how often data have been brought: uploads of before are dropped with their key."""
    return int(st.session_state.get(_BROUGHT, 0))


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
    link = study.to_query(current_study(), board().settings)
    if link != st.query_params.to_dict():
        st.query_params.from_dict(link)


def _read_study_link(query: dict[str, str]) -> None:
    try:
        link = study.from_query(query)
    except ValueError as error:
        st.session_state[_MESSAGE] = (
            f"This link could not be read ({error}). Everything stays as it was."
        )
        return
    st.session_state[_BOARD] = replace(board(), settings=link.settings)
    st.session_state.pop(_MESSAGE, None)
    _outdate_timeline()
    now = current_study()
    if link.sample and (now is None or now.origin.name != study.sample_file(link.sample)):
        now = study.load_sample(link.sample)
    if now is not None:
        st.session_state[_STUDY] = study.with_link(now, link)
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


def set_view(view: View) -> None:
    """Look at another stretch of the series."""
    now = current_study()
    if now is not None:
        st.session_state[_STUDY] = replace(now, view=view)
        st.session_state[_MOVED] = True


def take_moved() -> bool:
    """Say once whether the view has changed and nothing else."""
    return bool(st.session_state.pop(_MOVED, False))


def take_window() -> None:
    """Take the stretch to which somebody zoomed or moved."""
    sent, now = _sent("window", TIMELINE_KEY), current_study()
    if isinstance(sent, dict) and now is not None:
        first, last = sent.get("first"), sent.get("last")
        if _is_place(first) and _is_place(last):
            set_view(clamped(cast(float, first), cast(float, last), now.series.size))


def take_threshold() -> None:
    """Take the threshold when its slider or its line is let go."""
    sent = _sent("threshold", TIMELINE_KEY)
    now = current_study()
    if now is not None and isinstance(sent, dict) and _is_place(sent.get("value")):
        _change_study(now.with_choice(float(sent["value"])))


def _is_place(sent: Any) -> bool:
    return isinstance(sent, (int, float)) and not isinstance(sent, bool) and isfinite(sent)


def take_study_back() -> None:
    """Take the address to which the browser stepped back or forward."""
    sent = _sent("back", TIMELINE_KEY)
    if isinstance(sent, str) and 1 < len(sent) <= MAX_ADDRESS:
        _read_study_link(dict(parse_qsl(sent.removeprefix("?"), keep_blank_values=True)))
        st.session_state[_OUTDATED] = True


def take_row(key: str) -> None:
    """Zoom to the segment whose row was chosen in the ledger."""
    now = current_study()
    rows = st.session_state[key].selection.rows if key in st.session_state else []
    if now is not None and rows and 0 <= rows[0] < len(now.series.segments):
        _outdate_timeline()
        set_view(around(now.series, rows[0]))


# ---- alarms by chance ----------------------------------------------------------------------------


def chances() -> Chances:
    """Return the chances that are drawn."""
    drawn: Chances = st.session_state.get(_CHANCES, PRESETS[0].chances)
    return drawn


def chance_revision() -> int:
    """Return the number that rises when Python changes the chances."""
    return int(st.session_state.get(_CHANCE_REVISION, 0))


def set_chances(new: Chances) -> None:
    """Put other chances in place."""
    st.session_state[_CHANCES] = new
    st.session_state[_CHANCE_REVISION] = chance_revision() + 1


def take_chances() -> None:
    """Take the chances that were drawn, if they are such."""
    sent = _sent("alarm", CHANCE_KEY)
    values = sent.get("values") if isinstance(sent, dict) else None
    if not isinstance(values, list) or len(values) != len(chances().alarm):
        return
    if all(_is_place(value) and 0 <= value <= 1 for value in values):
        st.session_state[_CHANCES] = replace(chances(), alarm=tuple(map(float, values)))


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
