"""Parameters of all protocols, shared by all pages."""

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
    """Return the parameters of all protocols."""
    return _SETTINGS.get()


@atomic
def put_settings(new: Settings) -> None:
    """Replace the parameters on every page."""
    _SETTINGS.put(new)
    mark_changed()


@atomic
def set_settings(**changes: Any) -> None:
    """Change parameters. Raise ValueError if one is out of range."""
    put_settings(current_settings().replace(**changes))


@atomic
def set_lanes(lanes: Sequence[str]) -> None:
    """Show these reference protocols as additional lanes."""
    put_settings(current_settings().with_lanes(lanes))


@atomic
def set_shape(shape: str) -> None:
    """Change the shape of the decay. Use its previous value, or the same half-life."""
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
    """Change the unit of delays. Keep the shape if possible, and reset its number."""
    _SHAPES.forget()
    set_settings(measure=measure)


def with_sliders(now: Settings, sliders: Mapping[str, float]) -> Settings:
    """Return settings with the values of released sliders, or unchanged if a value is invalid."""
    numbers = {number.key for number in now.numbers().values()}
    wanted = {
        key: float(value) for key, value in sliders.items() if key in numbers and value != now[key]
    }
    try:
        return now.replace(**wanted) if wanted else now
    except ValueError:
        return now


def take_sliders(sliders: Mapping[str, float]) -> bool:
    """Apply the values of released sliders. Return whether any changed."""
    new = with_sliders(current_settings(), sliders)
    if new == current_settings():
        return False
    put_settings(new)
    return True
