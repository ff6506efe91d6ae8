"""The parameters of all protocols, and the need that is being thought over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from padf_core import DECAYS, Settings
from padf_core.metrics.decays import MAX_SECONDS, MIN_STEPS
from padf_ui.session.changes import mark_changed
from padf_ui.session.store import Slot, atomic

_SETTINGS: Slot[Settings] = Slot("padf_settings", Settings)
_SHAPES: Slot[dict[str, float]] = Slot("padf_shapes", dict)


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
