"""Widgets that display stored values, and access to what the user chose in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from padf_ui.session.store import atomic, kept, session_values

KEPT_KEYS = 3


def bound(name: str, value: object, take: Callable[[Any], None]) -> dict[str, Any]:
    """Return the key and the callback of a widget that displays a stored value.

    ``take`` receives new choices.
    """
    key = widget_key(name, value)
    return {"key": key, "on_change": take_choice, "args": (name, key, take)}


def widget_key(name: str, value: object) -> str:
    """Return the key for a widget whose default is this value.

    If something other than the widget has changed the value, the widget gets a new key. Otherwise a
    browser that still holds the old value could send it back as a new choice.
    """
    if session_values().get(_current_key(name), value) != value:
        kept()[f"{name}.count"] = kept().get(f"{name}.count", 0) + 1
    key = _current_key(name)
    kept()[f"{name}.shown"] = {**_shown(name), key: value}
    return key


def _shown(name: str) -> dict[str, object]:
    """Return the values that the widget's last few keys displayed."""
    known: dict[str, object] = kept().get(f"{name}.shown", {})
    return dict(list(known.items())[-KEPT_KEYS:])


def _current_key(name: str) -> str:
    return f"{name}.{kept().get(f'{name}.count', 0)}"


@atomic
def take_choice(name: str, key: str, take: Callable[[Any], None]) -> None:
    """Pass on a widget's new value, unless it repeats a value that the widget displayed before."""
    known, session = _shown(name), session_values()
    if key in session and key in known:
        chosen = session[key]
        if key == _current_key(name) or chosen != known[key]:
            take(chosen)


def chosen_rows(key: str) -> Sequence[int]:
    """Return the selected rows of a table."""
    table = session_values().get(key)
    return table.selection.rows if table is not None else ()


def chosen_point(key: str) -> tuple[Any, ...]:
    """Return the custom data of the selected point in a chart, or an empty tuple."""
    chart = session_values().get(key)
    points = chart.selection.points if chart is not None else []
    held = points[0].get("customdata") if points else None
    return tuple(held) if isinstance(held, (list, tuple)) else ()


def uploaded(key: str) -> Sequence[Any]:
    """Return the files of an uploader. The widget itself would return copies of their content."""
    files: Sequence[Any] = session_values().get(key) or ()
    return files
