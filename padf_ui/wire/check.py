"""Validate that a value from the browser has the declared type.

Types are built from `TypedDict`, `Literal`, `list`, `dict[str, ...]`, `str`, `int`, `float` and
`bool`. `Annotated` with a `Within` or a `Size` sets limits. An integer is also a valid `float`.
True and False are not numbers. Undeclared keys are rejected.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from sys import float_info
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)


@dataclass(frozen=True)
class Within:
    """Smallest and largest allowed value of a number."""

    least: float
    most: float


@dataclass(frozen=True)
class Size:
    """Largest allowed number of characters or entries."""

    most: int


def fits(value: Any, kind: Any) -> bool:
    """Return whether a value has a type.

    >>> fits([1, 2], list[int]), fits([True], list[int]), fits(7, Annotated[int, Within(0, 5)])
    (True, False, False)
    """
    origin = get_origin(kind)
    if origin is Annotated:
        inner, *limits = get_args(kind)
        return fits(value, inner) and all(_is_within(value, limit) for limit in limits)
    if origin is NotRequired:
        return fits(value, get_args(kind)[0])
    if origin is Literal:
        return any(type(value) is type(each) and value == each for each in get_args(kind))
    if origin is list:
        (entry,) = get_args(kind)
        return isinstance(value, list) and all(fits(each, entry) for each in value)
    if origin is dict:
        _, entry = get_args(kind)
        return isinstance(value, dict) and all(
            isinstance(name, str) and fits(each, entry) for name, each in value.items()
        )
    if is_typeddict(kind):
        return _has_entries(value, kind)
    if kind is float:
        return type(value) in (int, float) and abs(value) <= float_info.max
    return type(value) is kind


def _has_entries(value: Any, kind: Any) -> bool:
    hints, required = _entries(kind)
    if not isinstance(value, dict) or not required <= value.keys() <= hints.keys():
        return False
    return all(fits(each, hints[name]) for name, each in value.items())


@cache
def _entries(kind: Any) -> tuple[dict[str, Any], frozenset[str]]:
    """Return the types of a dictionary's entries and the names of the required ones."""
    hints = get_type_hints(kind, include_extras=True)
    required = (name for name, hint in hints.items() if get_origin(hint) is not NotRequired)
    return hints, frozenset(required if kind.__total__ else ())


def _is_within(value: Any, limit: Any) -> bool:
    if isinstance(limit, Within):
        return bool(limit.least <= value <= limit.most)
    return len(value) <= limit.most if isinstance(limit, Size) else True
