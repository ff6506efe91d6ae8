"""The board: a pattern of labels and detections, as it is drawn, saved, loaded and linked.

A revision number rises whenever something other than the board's own strokes changes the pattern;
the board takes Python's pattern only then. A stroke that goes on runs the board's fragment alone,
and whatever is final runs the whole page.
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
    """Return the board as it is now."""
    return _BOARD.get()


def board_revision() -> int:
    """Return the number that rises when Python changes the pattern."""
    return _REVISION.get()


def offers_hint() -> bool:
    """Say whether nobody has painted yet in this session."""
    return not _PAINTED.get()


def slides() -> bool:
    """Say whether the board shows what would be if all alarms were moved."""
    return bool(session_values().get(SLIDES, False))


def _put(new: Board) -> None:
    """Replace the whole board from Python's side."""
    _BOARD.put(new)
    _REVISION.rise()
    _TAIL.forget()
    mark_changed()


@atomic
def show_case(case: Case) -> None:
    """Put a case on the board; settings stay."""
    _put(replace(current_board(), labels=case.labels, detections=case.detections))


@atomic
def load_board(content: bytes) -> None:
    """Put a saved board in place; raises ValueError when it cannot be read."""
    read, new = from_json(content)
    put_settings(new)
    _put(read)


@atomic
def set_size(size: int) -> None:
    """Make the board longer or shorter; what was cut off comes back when it grows again."""
    old, tail = current_board(), _TAIL.get()
    longest = old.resized(max(old.size, tail.size), tail) if tail else old
    _put(old.resized(size, tail))
    _TAIL.put(longest)


@atomic
def set_points(truth: str, alarms: str) -> None:
    """Put typed series on the board; raises ValueError when one cannot be read."""
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
    """Say what one step stands for."""
    _BOARD.put(replace(current_board(), step=step))
    mark_changed()


@atomic
def take_board() -> None:
    """Take what the board asks for: a stroke, sliders that were let go, or random alarms.

    While the hand is on the board its fragment answers alone; what is final is for the whole page.
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
    """Return the board with the pattern that was painted, if it is one."""
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
    """Return the board with random alarms, if they are wished for."""
    if "random" not in ask:
        return None
    wish = ask["random"]
    return replace(now, detections=random_detections(now.size, wish["rate"] / 100, wish["seed"]))


@atomic
def open_in_playground(drawn: Board, wanted: Settings) -> None:
    """Put a board and its settings in place and go to the Playground."""
    put_settings(wanted)
    _put(drawn)
    mark_opened()


@atomic
def take_cases(cases: Sequence[Case]) -> None:
    """Take sliders that were let go, or the case whose "Open" button was pressed."""
    ask = take_ask(CASES_KEY, CasesAsk)
    if ask is None:
        return
    take_sliders(ask.get("settings", {}))
    if "open" in ask and ask["open"] < len(cases):
        show_case(cases[ask["open"]])
        mark_opened()
        rerun()


def mark_opened() -> None:
    """Note that something was opened that another page shows."""
    _OPENED.put(True)


def take_opened() -> bool:
    """Say once whether something was opened that another page shows."""
    return _OPENED.take()


def _now() -> dict[str, Any]:
    return link_values(current_board(), current_settings())


def link_values(board: Board, settings: Settings) -> dict[str, Any]:
    """Return what a link to a board holds."""
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
    """Return the board of a link; raises ValueError when it cannot be read."""
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
    """Return the part of a link to a board behind the page's address."""
    return LINK.address(link_values(board, settings))


def board_link_on_start() -> dict[str, str] | None:
    """Return the query when the start page was asked for with a board's link of before."""
    query = links.query()
    own = {"n", "truth", "alarms", *settings_parts()}
    return query if own & set(query) else None
