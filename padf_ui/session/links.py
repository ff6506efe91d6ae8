"""The address of the page that runs, written and read by the page's `Link`.

Only this module touches the address.
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
"""The link of the page that runs."""


def query() -> dict[str, str]:
    """Return the parts of the address with which this run began."""
    return st.query_params.to_dict()


def sync(link: Link, *, arrived: bool) -> None:
    """Make a page and its address agree at the start of a run.

    The user's last change goes into the address. On arrival the page takes the address, or fills it
    if it is empty. Other runs leave the address alone, because a run can carry one that is older
    than the last stroke. Steps back in the browser come through `take_back`.
    """
    _LINK.put(link)
    parts = query()
    if is_changed() or (arrived and not parts):
        write(link)
    elif arrived:
        _take(link, parts, [name for name in parts for _ in st.query_params.get_all(name)])


def write(link: Link) -> None:
    """Put a link into the address. If the run is ended before that, the next run does it."""
    made = link.encode(link.now())
    if made != query():
        st.query_params.from_dict(made)
    mark_written()


@atomic
def take_back() -> None:
    """Take the address to which the browser stepped back or forward."""
    address: str | None = sent(PAGE_KEY, "back", Address)
    link = _LINK.get()
    if address and len(address) > 1 and link is not None:
        pairs = parse_qsl(address.removeprefix("?"), keep_blank_values=True)
        _take(link, dict(pairs), [name for name, _ in pairs])


@atomic
def _take(link: Link, parts: Mapping[str, str], names: Sequence[str]) -> None:
    """Take an address; ``names`` lists its parts, repeated ones as often as they occur."""
    put_message(None)
    try:
        beyond = link.take(link.decode(parts))
    except ValueError as error:
        instead = link.refuse()
        put_message(f"This link could not be read ({error}). {instead}")
    else:
        unknown = [name for name in parts if not link.knows(name)]
        left = [f"{_short(name)} (means nothing here)" for name in unknown]
        left += [*_repeated(names), *beyond]
        if left:
            put_message(" ".join(filter(None, [message(), not_taken(left)])))
    mark_written()


def _repeated(names: Sequence[str]) -> list[str]:
    """Say which parts occur more than once.

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
