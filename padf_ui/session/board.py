"""Board of a visit: a pattern that can be drawn, saved, loaded and linked.

The revision number increases when something other than the user's own strokes changes the pattern.
The browser takes Python's pattern only then. A stroke in progress reruns only the board's fragment.
A final change reruns the whole page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from padf_core import Settings
from padf_core.io.notation import format_ranges, parse_points
from padf_core.paper.cases import Case, random_detections
from padf_ui.session import links
from padf_ui.session.asks import BOARD_KEY, CASES_KEY, take_ask
from padf_ui.session.board_file import MIN_POINTS, Board, from_json, parse_bits
from padf_ui.session.changes import mark_changed
from padf_ui.session.link_parts import SETTINGS, Link, one_of, settings_parts, text, whole
from padf_ui.session.settings import current_settings, put_settings, take_sliders
from padf_ui.session.steps import NO_UNIT, STEPS
from padf_ui.session.store import Counter, Slot, atomic, rerun, session_values
from padf_ui.wire.asks import BoardAsk, CasesAsk
from padf_ui.wire.limits import MAX_POINTS

SLIDES = "padf_slides"

_BOARD: Slot[Board] = Slot("padf_board", Board)
_REVISION = Counter("padf_revision")
_TAIL: Slot[Board | None] = Slot("padf_tail", lambda: None)
_PAINTED: Slot[bool] = Slot("padf_painted", bool)
_OPENED: Slot[bool] = Slot("padf_opened", bool)


def current_board() -> Board:
    """Return the current board."""
    return _BOARD.get()


def board_revision() -> int:
    """Return the number that increases when Python changes the pattern."""
    return _REVISION.get()


def offers_hint() -> bool:
    """Return whether the user has not painted yet in this session."""
    return not _PAINTED.get()


def slides() -> bool:
    """Return whether the board shows F1 for shifted alarms."""
    return bool(session_values().get(SLIDES, False))


def _put(new: Board) -> None:
    """Replace the board on Python's side."""
    _BOARD.put(new)
    _REVISION.rise()
    _TAIL.forget()
    mark_changed()


@atomic
def show_case(case: Case) -> None:
    """Put a case on the board and keep the settings."""
    _put(replace(current_board(), labels=case.labels, detections=case.detections))


@atomic
def load_board(content: bytes) -> None:
    """Load a saved board. Raise ValueError if it cannot be read."""
    read, new = from_json(content)
    put_settings(new)
    _put(read)


@atomic
def set_size(size: int) -> None:
    """Change the length of the board. Points that were cut off return when it grows again."""
    old, tail = current_board(), _TAIL.get()
    longest = old.resized(max(old.size, tail.size), tail) if tail else old
    _put(old.resized(size, tail))
    _TAIL.put(longest)


@atomic
def set_points(truth: str, alarms: str) -> None:
    """Put typed series on the board. Raise ValueError if one cannot be read."""
    now = current_board()
    _put(
        replace(
            now,
            labels=parse_points(truth, now.size, "truth"),
            detections=parse_points(alarms, now.size, "detections"),
        )
    )


@atomic
def set_step(step: str) -> None:
    """Set the length of a step."""
    _BOARD.put(replace(current_board(), step=step))
    mark_changed()


@atomic
def take_board() -> None:
    """Process a request of the board: a stroke, released sliders or random alarms.

    During a stroke, only the board's fragment reruns. A final change reruns the whole page.
    """
    ask = take_ask(BOARD_KEY, BoardAsk)
    if ask is None:
        return
    is_taken = take_sliders(ask.get("settings", {}))
    if ask.get("revision") == board_revision():
        drawn = asked_pattern(ask, current_board())
        if drawn is not None:
            if drawn.size != current_board().size:
                _TAIL.forget()
            _BOARD.put(drawn)
            is_taken = True
            _PAINTED.put(True)
        tossed = asked_random(ask, current_board())
        if tossed is not None:
            _put(tossed)
    if ask.get("final"):
        if is_taken:
            mark_changed()
        rerun()


def asked_pattern(ask: BoardAsk, now: Board) -> Board | None:
    """Return the board with the painted pattern, or None if there is no valid one."""
    if "labels" not in ask:
        return None
    try:
        return replace(
            now,
            labels=parse_bits(ask["labels"], "labels"),
            detections=parse_bits(ask.get("detections"), "detections"),
        )
    except ValueError:
        return None


def asked_random(ask: BoardAsk, now: Board) -> Board | None:
    """Return the board with random alarms, or None if none were requested."""
    if "random" not in ask:
        return None
    wish = ask["random"]
    return replace(now, detections=random_detections(now.size, wish["rate"] / 100, wish["seed"]))


@atomic
def open_in_playground(drawn: Board, wanted: Settings) -> None:
    """Load a board and its settings, and go to the Playground."""
    put_settings(wanted)
    _put(drawn)
    mark_opened()


@atomic
def take_cases(cases: Sequence[Case]) -> None:
    """Process released sliders, or the case whose "Open" button was pressed."""
    ask = take_ask(CASES_KEY, CasesAsk)
    if ask is None:
        return
    take_sliders(ask.get("settings", {}))
    if "open" in ask and ask["open"] < len(cases):
        show_case(cases[ask["open"]])
        mark_opened()
        rerun()


def mark_opened() -> None:
    """Note that something was opened on another page."""
    _OPENED.put(True)


def take_opened() -> bool:
    """Return once whether something was opened on another page."""
    return _OPENED.take()


def _now() -> dict[str, Any]:
    return link_values(current_board(), current_settings())


def link_values(board: Board, settings: Settings) -> dict[str, Any]:
    """Return the values that a link to a board contains."""
    return {
        "n": board.size,
        "truth": format_ranges(board.labels, "_"),
        "alarms": format_ranges(board.detections, "_"),
        "step": board.step,
        SETTINGS: settings,
    }


def _take(values: Mapping[str, Any]) -> Sequence[str]:
    drawn = board_of(values)
    put_settings(values[SETTINGS] or Settings())
    _put(drawn)
    return ()


def board_of(values: Mapping[str, Any]) -> Board:
    """Return the board of a link. Raise ValueError if it cannot be read."""
    size, truth, alarms = values["n"], values["truth"], values["alarms"]
    if size is truth is alarms is None:
        return Board(step=values["step"])
    length = size or Board().size
    return Board(
        labels=parse_points((truth or "").replace("_", ","), length, "truth"),
        detections=parse_points((alarms or "").replace("_", ","), length, "alarms"),
        step=values["step"],
    )


def _refuse() -> str:
    put_settings(Settings())
    _put(Board())
    return "The default board is shown instead."


LINK = Link(
    parts=(
        whole("n", None, MIN_POINTS, MAX_POINTS, is_always_written=True),
        text("truth", is_always_written=True),
        text("alarms", is_always_written=True),
        one_of("step", NO_UNIT, lambda: STEPS, is_always_written=True),
    ),
    has_settings=True,
    now=_now,
    take=_take,
    refuse=_refuse,
)


def link_to(board: Board, settings: Settings) -> str:
    """Return the query string of a link to a board."""
    return LINK.address(link_values(board, settings))


def board_link_on_start() -> dict[str, str] | None:
    """Return the query of the start page if it is an old link to a board."""
    query = links.query()
    own = {"n", "truth", "alarms", *settings_parts()}
    return query if own & set(query) else None
