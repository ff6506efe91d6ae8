"""Messages of every page, and the messages that carry a fragment's data to its component."""

from __future__ import annotations

from typing import Literal, TypedDict

from padf_ui.wire.asks import Address, Place, Turn
from padf_ui.wire.board import BoardData
from padf_ui.wire.cases import CasesData
from padf_ui.wire.replay import ReplayData
from padf_ui.wire.timeline import TimelineData


class PageData(TypedDict):
    """Data for every page."""

    page: str
    visit: str
    """Name of the visit. It changes when the server restarts."""
    keys: bool
    """Whether the page wants the keys that step through a lesson."""
    shown: bool
    """Whether Python knows that the page's style is applied."""


class PageTriggers(TypedDict):
    """Values that a page sends to Python, each under its own name."""

    back: Address
    step: Turn
    leave: Literal[1]
    """The user left the presentation with a key."""
    answer: Place
    reveal: Literal[1]
    """The user asked for the answer with a key."""
    theme: Literal["light", "dark"]
    """Theme that is now active."""
    styled: bool
    """Whether the page's style is applied."""


Letter = BoardData | CasesData | ReplayData | TimelineData
"""Data that a fragment sends to the component that displays it."""


class Mailbox(TypedDict):
    """Data for a component outside a fragment: the mailbox that receives its letters."""

    box: str


class Post(TypedDict):
    """Letter addressed to a mailbox."""

    box: str
    letter: Letter
