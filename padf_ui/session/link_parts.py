"""Parts of links. Each page declares its parts once, with type, default and limits.

Reading, writing and messages about ignored parts are derived from these declarations.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import isfinite, nan
from typing import Any, Generic, TypeVar
from urllib.parse import urlencode

from padf_core import PROTOCOLS, Settings
from padf_core.metrics.settings import LANES, every_parameter

T = TypeVar("T")

LONGEST = 4000
SETTINGS = "settings"
"""Key of the settings in the values of a link. They consist of many parts."""


@dataclass(frozen=True)
class Part(Generic[T]):
    """One property of a link."""

    name: str
    default: T
    read: Callable[[str], T]
    """Raises ValueError that names the part."""
    write: Callable[[T], str] = str
    longest: int = LONGEST
    is_always_written: bool = False
    """Whether the link contains the part even if it has its default value."""
    example: str = field(kw_only=True)
    """A value other than the default. The tests of every page's link use it."""


def text(name: str, *, longest: int = LONGEST, is_always_written: bool = False) -> Part[str | None]:
    """Return a text part. It is None if the link does not contain it."""
    return Part(name, None, str, str, longest, is_always_written, example="3")


def one_of(
    name: str,
    default: T,
    among: Callable[[], Collection[str]],
    *,
    is_always_written: bool = False,
) -> Part[str | T]:
    """Return a part that is one of a set of names."""

    def read(written: str) -> str:
        if written not in among():
            raise ValueError(f"{name} must be one of {', '.join(among())}; got {written!r:.40}")
        return written

    other = next(each for each in among() if each != default)
    return Part(name, default, read, is_always_written=is_always_written, example=other)


def number(
    name: str, default: T, least: float, most: float, *, is_always_written: bool = False
) -> Part[float | T]:
    """Return a part that is a number within limits."""
    return Part(
        name,
        default,
        lambda written: _within(name, number_of(written, name), least, most),
        lambda value: f"{value:.12g}",
        is_always_written=is_always_written,
        example=_number_but(default, least, most),
    )


def whole(
    name: str, default: T, least: int, most: int, *, is_always_written: bool = False
) -> Part[int | T]:
    """Return a part that is an integer within limits."""

    def read(written: str) -> int:
        found = number_of(written, name)
        if found != int(found):
            raise ValueError(f"{name} must be a whole number; got {written!r:.40}")
        return int(_within(name, found, least, most))

    example = _number_but(default, least, most)
    return Part(name, default, read, is_always_written=is_always_written, example=example)


def _number_but(default: object, least: float, most: float) -> str:
    """Return an integer within limits that is not the default."""
    low = max(least, min(most, 2))
    return f"{low if low != default else most:.12g}"


def place(name: str) -> Part[int | None]:
    """Return a part for an index that counts from 1 in the link, and from 0 in Python."""
    return Part(
        name,
        None,
        lambda written: read_place(written, name),
        lambda at: "" if at is None else str(at + 1),
        example="2",
    )


def flag(name: str) -> Part[bool]:
    """Return a part that is 1 or absent."""
    return Part(name, False, lambda written: written == "1", lambda value: "1", example="1")


def read_place(written: str, name: str) -> int:
    """Read a number that counts from 1, and return it counted from 0."""
    if not written.isdecimal() or len(written) > 9 or int(written) < 1:
        raise ValueError(f"{name} must be a whole number from 1; got {written!r:.40}")
    return int(written) - 1


def _within(name: str, found: float, least: float, most: float) -> float:
    if not least <= found <= most:
        raise ValueError(f"{name} must be from {least:,} to {most:,}; got {found:.12g}")
    return found


def number_of(written: str, name: str) -> float:
    """Read a finite number."""
    try:
        found = float(written)
    except ValueError:
        found = nan
    if not isfinite(found):
        raise ValueError(f"{name} must be a number; got {written!r}")
    return found


@cache
def _settings_parts(_: tuple[str, ...]) -> frozenset[str]:
    """Return the names of all settings for the registered protocols."""
    return frozenset({*(each.link for each in every_parameter()), LANES})


def settings_parts() -> frozenset[str]:
    """Return the names of the parts that contain settings."""
    return _settings_parts(tuple(PROTOCOLS))


@dataclass(frozen=True)
class Link:
    """Contents of the URL of one or more pages."""

    parts: tuple[Part[Any], ...] = ()
    has_settings: bool = False
    now: Callable[[], Mapping[str, Any]] = dict
    """Returns the values to write, by part name, and the settings."""
    take: Callable[[Mapping[str, Any]], Sequence[str]] = lambda values: ()
    """Applies the values, and describes those that were out of range.

    May raise ValueError before it has changed anything.
    """
    refuse: Callable[[], str] = lambda: "Nothing has changed."
    """Applies a default when a link cannot be read, and describes what is shown instead."""

    def encode(self, values: Mapping[str, Any]) -> dict[str, str]:
        """Return the values as query parameters, without those that have their default."""
        made = {
            part.name: part.write(values[part.name])
            for part in self.parts
            if part.is_always_written or values.get(part.name, part.default) != part.default
        }
        return {**made, **(values[SETTINGS].to_query() if self.has_settings else {})}

    def decode(self, query: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of a query. Absent parts have their default.

        The settings are None if the query has none. Raises ValueError that names the part if a part
        cannot be read.
        """
        values = {
            part.name: part.read(text_of(query[part.name], part.name, part.longest))
            if part.name in query
            else part.default
            for part in self.parts
        }
        if self.has_settings:
            known = [name for name in query if name in settings_parts()]
            texts = {name: text_of(query[name], name) for name in known}
            values[SETTINGS] = Settings.from_query(texts) if texts else None
        return values

    def knows(self, name: str) -> bool:
        """Return whether the link has a part with this name."""
        return any(part.name == name for part in self.parts) or (
            self.has_settings and name in settings_parts()
        )

    def address(self, values: Mapping[str, Any]) -> str:
        """Return the query string, which follows the URL of the page."""
        return f"?{urlencode(self.encode(values))}"


def text_of(value: Any, name: str, longest: int = LONGEST) -> str:
    """Check that a part occurs once and is not too long."""
    if not isinstance(value, str) or len(value) > longest:
        raise ValueError(f"{name} is too long, or is given more than once")
    return value
