"""URL of the current page, read and written by the page's `Link`.

Only this module accesses the URL.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import parse_qsl

import streamlit as st

from padf_ui.session.asks import PAGE_KEY, sent
from padf_ui.session.changes import is_changed, mark_written, message, put_message
from padf_ui.session.link_parts import Link
from padf_ui.session.store import Slot, atomic
from padf_ui.wire.asks import Address

MOST_NAMED = 5
LONGEST_NAME = 40

_LINK: Slot[Link | None] = Slot("padf_link", lambda: None)
"""Link of the current page."""


def query() -> dict[str, str]:
    """Return the query parameters at the start of this run."""
    return st.query_params.to_dict()


def sync(link: Link, *, arrived: bool) -> None:
    """Synchronise a page and its URL at the start of a run.

    After a change by the user, update the URL. On arrival, read the URL, or write it if it is
    empty. Other runs ignore the URL, because a run can carry one that is older than the last
    stroke. `take_back` handles Back and Forward of the browser.
    """
    _LINK.put(link)
    parts = query()
    if is_changed() or (arrived and not parts):
        write(link)
    elif arrived:
        _take(link, parts, [name for name in parts for _ in st.query_params.get_all(name)])


def write(link: Link) -> None:
    """Write a link into the URL. If the run ends before that, the next run does it."""
    made = link.encode(link.now())
    if made != query():
        st.query_params.from_dict(made)
    mark_written()


@atomic
def take_back() -> None:
    """Apply the URL after Back or Forward in the browser."""
    address: str | None = sent(PAGE_KEY, "back", Address)
    link = _LINK.get()
    if address and len(address) > 1 and link is not None:
        pairs = parse_qsl(address.removeprefix("?"), keep_blank_values=True)
        _take(link, dict(pairs), [name for name, _ in pairs])


@atomic
def _take(link: Link, parts: Mapping[str, str], names: Sequence[str]) -> None:
    """Apply a URL. ``names`` lists its parts, with repetitions."""
    put_message(None)
    try:
        beyond = link.take(link.decode(parts))
    except ValueError as error:
        instead = link.refuse()
        put_message(f"This link could not be read ({error}). {instead}")
    else:
        unknown = [name for name in parts if not link.knows(name)]
        left = [f"{_short(name)} (unknown)" for name in unknown]
        left += [*_repeated(names), *beyond]
        if left:
            put_message(" ".join(filter(None, [message(), not_taken(left)])))
    mark_written()


def _repeated(names: Sequence[str]) -> list[str]:
    """Describe the parts that occur more than once.

    >>> _repeated(["n", "k", "n", "n"])
    ['n (given 3 times; the last one is used)']
    """
    return [
        f"{_short(name)} (given {names.count(name)} times; the last one is used)"
        for name in dict.fromkeys(names)
        if names.count(name) > 1
    ]


def not_taken(left: Sequence[str]) -> str:
    """Name the ignored parts of a link in one sentence.

    >>> not_taken(["a (unknown)"])
    'Some parts of this link were ignored: a (unknown).'
    """
    more = f", and {len(left) - MOST_NAMED:,} more" if len(left) > MOST_NAMED else ""
    return f"Some parts of this link were ignored: {', '.join(left[:MOST_NAMED])}{more}."


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
