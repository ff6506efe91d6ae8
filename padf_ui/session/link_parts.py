"""The parts of links: each page lists its own once, with type, default and limits.

Reading, writing and messages about parts that were not taken all come from that list.
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
"""The name of the settings among what a link holds; they are many parts."""


@dataclass(frozen=True)
class Part(Generic[T]):
    """One property of a link."""

    name: str
    default: T
    read: Callable[[str], T]
    """Raises ValueError, naming the part."""
    write: Callable[[T], str] = str
    longest: int = LONGEST
    is_always_written: bool = False
    """Whether it is in the link also when it is as by default."""
    example: str = field(kw_only=True)
    """What a link may say that is not the default: the tests of every page's link use it."""


def text(name: str, *, longest: int = LONGEST, is_always_written: bool = False) -> Part[str | None]:
    """Return a part that is any text; None where the link has none."""
    return Part(name, None, str, str, longest, is_always_written, example="3")


def one_of(
    name: str,
    default: T,
    among: Callable[[], Collection[str]],
    *,
    is_always_written: bool = False,
) -> Part[str | T]:
    """Return a part that is one of some names."""

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
    """Return a part that is a whole number within limits."""

    def read(written: str) -> int:
        found = number_of(written, name)
        if found != int(found):
            raise ValueError(f"{name} must be a whole number; got {written!r:.40}")
        return int(_within(name, found, least, most))

    example = _number_but(default, least, most)
    return Part(name, default, read, is_always_written=is_always_written, example=example)


def _number_but(default: object, least: float, most: float) -> str:
    """Return a whole number within limits that is not the default."""
    low = max(least, min(most, 2))
    return f"{low if low != default else most:.12g}"


def place(name: str) -> Part[int | None]:
    """Return a part that counts from 1 in the link, and from 0 here."""
    return Part(
        name,
        None,
        lambda written: read_place(written, name),
        lambda at: "" if at is None else str(at + 1),
        example="2",
    )


def flag(name: str) -> Part[bool]:
    """Return a part that is 1 or not there."""
    return Part(name, False, lambda written: written == "1", lambda value: "1", example="1")


def read_place(written: str, name: str) -> int:
    """Read a number that counts from 1 as one that counts from 0."""
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
    """Return the names of all settings, for the protocols that there are."""
    return frozenset({*(each.link for each in every_parameter()), LANES})


def settings_parts() -> frozenset[str]:
    """Return what the parts of a link that hold settings are called."""
    return _settings_parts(tuple(PROTOCOLS))


@dataclass(frozen=True)
class Link:
    """What the address of some pages holds."""

    parts: tuple[Part[Any], ...] = ()
    has_settings: bool = False
    now: Callable[[], Mapping[str, Any]] = dict
    """What is to be written: values by the names of parts, and the settings."""
    take: Callable[[Mapping[str, Any]], Sequence[str]] = lambda values: ()
    """Puts what was read in place; returns what was out of range, in words. May raise ValueError
    before it has changed anything."""
    refuse: Callable[[], str] = lambda: "Everything stays as it was."
    """Puts something in place when a link cannot be read; says what is shown instead."""

    def encode(self, values: Mapping[str, Any]) -> dict[str, str]:
        """Return values as the parts of an address; what is as by default is left out."""
        made = {
            part.name: part.write(values[part.name])
            for part in self.parts
            if part.is_always_written or values.get(part.name, part.default) != part.default
        }
        return {**made, **(values[SETTINGS].to_query() if self.has_settings else {})}

    def decode(self, query: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of an address; those that it does not hold are as by default.

        The settings are None where the address has none of them. Raises ValueError where something
        cannot be read, naming the part.
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
        """Say whether a part means something in this link."""
        return any(part.name == name for part in self.parts) or (
            self.has_settings and name in settings_parts()
        )

    def address(self, values: Mapping[str, Any]) -> str:
        """Return the part of an address behind that of the page."""
        return f"?{urlencode(self.encode(values))}"


def text_of(value: Any, name: str, longest: int = LONGEST) -> str:
    """Return a part of a link that is one text of bearable length."""
    if not isinstance(value, str) or len(value) > longest:
        raise ValueError(f"{name} is too long or stands there more than once")
    return value
