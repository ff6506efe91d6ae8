"""The parameters of all protocols, and the need that is being thought over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from padf_core import DECAYS, Settings
from padf_core.analysis.choosing import Need, need_at, need_of, retyped
from padf_core.metrics.decays import MAX_SECONDS, MIN_STEPS
from padf_ui.session.store import NEED_KEY, RACE_KEY, Slot, atomic, mark_changed, take_ask
from padf_ui.wire.asks import NeedAsk, RaceAsk

LONGEST_TYPED = 100

_SETTINGS: Slot[Settings] = Slot("padf_settings", Settings)
_SHAPES: Slot[dict[str, float]] = Slot("padf_shapes", dict)
_NEED: Slot[tuple[Need, Need | None] | None] = Slot("padf_need", lambda: None)
_NEED_REFUSED: Slot[str] = Slot("padf_need_refused", str)
_NEED_SUGGESTED: Slot[Need | None] = Slot("padf_need_suggested", lambda: None)


def current_settings() -> Settings:
    """Return the parameters of all protocols, the same on every page."""
    return _SETTINGS.get()


@atomic
def put_settings(new: Settings) -> None:
    """Use other parameters on every page."""
    _SETTINGS.put(new)
    mark_changed()


@atomic
def set_settings(**changes: Any) -> None:
    """Change parameters; raises ValueError when one is out of range."""
    put_settings(current_settings().replace(**changes))


@atomic
def set_lanes(lanes: Sequence[str]) -> None:
    """Show these reference protocols beside the others."""
    put_settings(current_settings().with_lanes(lanes))


@atomic
def set_shape(shape: str) -> None:
    """Change the decay's shape: to the value that it had before, or to the same half-life."""
    now = current_settings()
    known: dict[str, float] = {**_SHAPES.get(), now["shape"]: now["decay"]}
    _SHAPES.put(known)
    number = DECAYS[shape].number_in(now["measure"])
    old = DECAYS[now["shape"]].of(now.values)
    half = min(max(old.half_life, MIN_STEPS), MAX_SECONDS)
    wanted = number.nearest(DECAYS[shape].for_half_life(half))
    set_settings(shape=shape, decay=known.get(shape, wanted))


@atomic
def set_measure(measure: str) -> None:
    """Change what a delay is counted in; the shape stays where it can, its number begins anew."""
    _SHAPES.forget()
    set_settings(measure=measure)


def with_sliders(now: Settings, sliders: Mapping[str, float]) -> Settings:
    """Return settings with the numbers whose sliders were let go; as they were if none fits."""
    numbers = {number.key for number in now.numbers().values()}
    wanted = {
        key: float(value) for key, value in sliders.items() if key in numbers and value != now[key]
    }
    try:
        return now.replace(**wanted) if wanted else now
    except ValueError:
        return now


def take_sliders(sliders: Mapping[str, float]) -> bool:
    """Take the numbers whose sliders were let go; say whether any changed."""
    new = with_sliders(current_settings(), sliders)
    if new == current_settings():
        return False
    put_settings(new)
    return True


# ---- the need ------------------------------------------------------------------------------------


def current_need() -> Need:
    """Return the need that is being thought over: from the settings, until it is changed.

    It is not in use anywhere until somebody says so; settings in clock time that are chosen
    elsewhere, or come by a link or a file, are a newer word.
    """
    own = need_of(current_settings())
    drafted, told = _NEED.get() or (own or Need(), own)
    return own if own is not None and own != told else drafted


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
