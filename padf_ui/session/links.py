"""The addresses of pages: each page states the parts of its link once, and the rest follows.

A `Link` lists its parts with type, default and limits. Reading, writing, steps back in the browser
and messages about parts that were not taken all come from that list. This is the one place that
touches the address.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import isfinite, nan
from typing import Any, Generic, TypeVar
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from padf_core import PROTOCOLS, Settings
from padf_core.metrics.settings import LANES, every_parameter
from padf_ui.session import store
from padf_ui.session.store import Slot, atomic
from padf_ui.wire.asks import Address

T = TypeVar("T")

LONGEST = 4000
MOST_NAMED = 5
LONGEST_NAME = 40
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

    def read(said: str) -> str:
        if said not in among():
            raise ValueError(f"{name} must be one of {', '.join(among())}; got {said!r:.40}")
        return said

    other = next(each for each in among() if each != default)
    return Part(name, default, read, is_always_written=is_always_written, example=other)


def number(
    name: str, default: T, least: float, most: float, *, is_always_written: bool = False
) -> Part[float | T]:
    """Return a part that is a number within limits."""
    return Part(
        name,
        default,
        lambda said: _within(name, number_of(said, name), least, most),
        lambda value: f"{value:.12g}",
        is_always_written=is_always_written,
        example=_number_but(default, least, most),
    )


def whole(
    name: str, default: T, least: int, most: int, *, is_always_written: bool = False
) -> Part[int | T]:
    """Return a part that is a whole number within limits."""

    def read(said: str) -> int:
        found = number_of(said, name)
        if found != int(found):
            raise ValueError(f"{name} must be a whole number; got {said!r:.40}")
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
        lambda said: read_place(said, name),
        lambda at: "" if at is None else str(at + 1),
        example="2",
    )


def flag(name: str) -> Part[bool]:
    """Return a part that is 1 or not there."""
    return Part(name, False, lambda said: said == "1", lambda value: "1", example="1")


def read_place(said: str, name: str) -> int:
    """Read a number that counts from 1 as one that counts from 0."""
    if not said.isdecimal() or len(said) > 9 or int(said) < 1:
        raise ValueError(f"{name} must be a whole number from 1; got {said!r:.40}")
    return int(said) - 1


def _within(name: str, found: float, least: float, most: float) -> float:
    if not least <= found <= most:
        raise ValueError(f"{name} must be from {least:,} to {most:,}; got {found:.12g}")
    return found


def number_of(said: str, name: str) -> float:
    """Read a finite number."""
    try:
        found = float(said)
    except ValueError:
        found = nan
    if not isfinite(found):
        raise ValueError(f"{name} must be a number; got {said!r}")
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
            told = {name: query[name] for name in query if name in settings_parts()}
            texts = {name: text_of(value, name) for name, value in told.items()}
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


# ---- the address ---------------------------------------------------------------------------------

_LINK: Slot[Link | None] = Slot("padf_link", lambda: None)
"""That of the page that runs."""


def query() -> dict[str, str]:
    """Return the parts of the address with which this run began."""
    return st.query_params.to_dict()


def sync(link: Link, *, arrived: bool) -> None:
    """Make a page and its address agree at the start of a run.

    What the user has just changed goes into the address. On arrival the address is taken, or filled
    when it is empty. In any other run the address is left alone: a run may carry one that is older
    than the last stroke. Steps back in the browser come through `take_back`.
    """
    _LINK.put(link)
    parts = query()
    if store.is_changed() or (arrived and not parts):
        write(link)
    elif arrived:
        _take(link, parts, [name for name in parts for _ in st.query_params.get_all(name)])


def write(link: Link) -> None:
    """Put a link into the address. A run that is ended meanwhile leaves that to the next one."""
    made = link.encode(link.now())
    if made != query():
        st.query_params.from_dict(made)
    store.mark_written()


@atomic
def take_back() -> None:
    """Take the address to which the browser stepped back or forward."""
    sent: str | None = store.sent(store.PAGE_KEY, "back", Address)
    link = _LINK.get()
    if sent and len(sent) > 1 and link is not None:
        pairs = parse_qsl(sent.removeprefix("?"), keep_blank_values=True)
        _take(link, dict(pairs), [name for name, _ in pairs])


@atomic
def _take(link: Link, parts: Mapping[str, str], names: Sequence[str]) -> None:
    """Take an address; ``names`` has each of its parts as often as it stands there."""
    store.put_message(None)
    try:
        beyond = link.take(link.decode(parts))
    except ValueError as error:
        instead = link.refuse()
        store.put_message(f"This link could not be read ({error}). {instead}")
    else:
        unknown = [name for name in parts if not link.knows(name)]
        left = [f"{_short(name)} (means nothing here)" for name in unknown]
        left += [*_repeated(names), *beyond]
        if left:
            said = store.message()
            store.put_message(" ".join([*([said] if said else []), not_taken(left)]))
    store.mark_written()


def _repeated(names: Sequence[str]) -> list[str]:
    """Say which parts stand there more than once.

    >>> _repeated(["n", "k", "n", "n"])
    ['n (stands there 3 times; the last is taken)']
    """
    return [
        f"{_short(name)} (stands there {names.count(name)} times; the last is taken)"
        for name in dict.fromkeys(names)
        if names.count(name) > 1
    ]


def not_taken(left: Sequence[str]) -> str:
    """Say which parts of a link were not taken, in one sentence.

    >>> not_taken(["a (means nothing here)"])
    'Not all of this link was taken: a (means nothing here).'
    """
    more = f", and {len(left) - MOST_NAMED:,} more" if len(left) > MOST_NAMED else ""
    return f"Not all of this link was taken: {', '.join(left[:MOST_NAMED])}{more}."


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
