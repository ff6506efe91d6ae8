"""The need that the user is editing, before it is applied."""

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
    """Return the need being edited. Initially it comes from the settings.

    It has no effect until the user applies it. A new need in the settings replaces it, whether
    chosen elsewhere, in a link or in a file.
    """
    own = need_of(current_settings())
    drafted, followed = _NEED.get() or (own or Need(), own)
    return own if own is not None and own != followed else drafted


@atomic
def set_need(new: Need) -> None:
    """Edit another need. Raise ValueError if it does not fit the settings."""
    current_settings().replace(**new.values)
    _NEED.put((new, need_of(current_settings())))
    _NEED_REFUSED.forget()


@atomic
def suggest_need(new: Need) -> None:
    """Suggest a need, unless the user has already set one."""
    known = _NEED_SUGGESTED.get()
    is_said = need_of(current_settings()) is not None or (_NEED.is_set and current_need() != known)
    if not is_said and new != known:
        set_need(new)
        _NEED_SUGGESTED.put(new)


def need_refused() -> str:
    """Return the reason why the last need was rejected, or "" if it was accepted."""
    return _NEED_REFUSED.get()


@atomic
def take_need() -> None:
    """Apply the numbers of the need that were dragged or typed, if they are valid."""
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
    """Set the need to the parameter value that was clicked in the race chart."""
    ask = take_ask(RACE_KEY, RaceAsk)
    if ask is not None:
        try:
            set_need(need_at(current_need(), float(ask["number"])))
        except ValueError as error:
            _NEED_REFUSED.put(str(error))


@atomic
def type_need(number: str, text: str) -> None:
    """Apply a typed number of the need, or store the reason why it is rejected."""
    try:
        set_need(retyped(current_need(), number, text))
    except ValueError as error:
        _NEED_REFUSED.put(str(error))
