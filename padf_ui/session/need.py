"""The need on which the user is working, before it is used anywhere."""

from __future__ import annotations

from padf_core.analysis.choosing import Need, need_at, need_of, retyped
from padf_ui.session.asks import NEED_KEY, RACE_KEY, take_ask
from padf_ui.session.settings import current_settings
from padf_ui.session.store import Slot, atomic
from padf_ui.wire.asks import NeedAsk, RaceAsk

LONGEST_TYPED = 100


_NEED: Slot[tuple[Need, Need | None] | None] = Slot("padf_need", lambda: None)
_NEED_REFUSED: Slot[str] = Slot("padf_need_refused", str)
_NEED_SUGGESTED: Slot[Need | None] = Slot("padf_need_suggested", lambda: None)


def current_need() -> Need:
    """Return the need that is being thought over: from the settings, until it is changed.

    It is not in use anywhere until somebody says so; settings in clock time that are chosen
    elsewhere, or come by a link or a file, are a newer word.
    """
    own = need_of(current_settings())
    drafted, followed = _NEED.get() or (own or Need(), own)
    return own if own is not None and own != followed else drafted


@atomic
def set_need(new: Need) -> None:
    """Think over another need; raises ValueError when settings cannot hold it."""
    current_settings().replace(**new.values)
    _NEED.put((new, need_of(current_settings())))
    _NEED_REFUSED.forget()


@atomic
def suggest_need(new: Need) -> None:
    """Think over this need, unless somebody has said one."""
    known = _NEED_SUGGESTED.get()
    is_said = need_of(current_settings()) is not None or (_NEED.is_set and current_need() != known)
    if not is_said and new != known:
        set_need(new)
        _NEED_SUGGESTED.put(new)


def need_refused() -> str:
    """Return why the last need could not be taken, until one is."""
    return _NEED_REFUSED.get()


@atomic
def take_need() -> None:
    """Take the need whose numbers were dragged or typed, if it can be."""
    ask = take_ask(NEED_KEY, NeedAsk)
    if ask is None:
        return
    try:
        if ask.get("numbers"):
            set_need(current_need().moved(**ask["numbers"]))
    except ValueError as error:
        _NEED_REFUSED.put(str(error))
    if "typed" in ask:
        type_need(ask["typed"]["number"], ask["typed"]["text"][:LONGEST_TYPED])


@atomic
def take_race() -> None:
    """Take the place on the axis of the decay's number that was chosen for the need."""
    ask = take_ask(RACE_KEY, RaceAsk)
    if ask is not None:
        try:
            set_need(need_at(current_need(), float(ask["number"])))
        except ValueError as error:
            _NEED_REFUSED.put(str(error))


@atomic
def type_need(number: str, text: str) -> None:
    """Take a number of the need as somebody typed it, or say why it cannot be."""
    try:
        set_need(retyped(current_need(), number, text))
    except ValueError as error:
        _NEED_REFUSED.put(str(error))
