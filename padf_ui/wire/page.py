"""What every page is given and sends, and how what a fragment shows reaches its component."""

from __future__ import annotations

from typing import Literal, TypedDict

from padf_ui.wire.asks import Address, Turn
from padf_ui.wire.board import BoardData
from padf_ui.wire.cases import CasesData
from padf_ui.wire.replay import ReplayData
from padf_ui.wire.timeline import TimelineData


class PageData(TypedDict):
    """What every page is given."""

    page: str
    visit: str
    """A name for the visit: another one comes from a server that began anew."""
    keys: bool
    """Whether the page wants to know of keys that step through a lesson."""
    shown: bool
    """Whether the page knows that its style is in force."""


class PageTriggers(TypedDict):
    """What a page sends to Python, each under its name."""

    back: Address
    step: Turn
    leave: Literal[1]
    """The presentation was left by a key."""
    theme: Literal["light", "dark"]
    """The theme that is in force now."""
    styled: bool
    """The page's style is in force."""


Letter = BoardData | CasesData | ReplayData | TimelineData
"""What a fragment sends to the component that shows it."""


class Mailbox(TypedDict):
    """What a component outside of a fragment is given: where its letters come."""

    box: str


class Post(TypedDict):
    """A letter on its way."""

    box: str
    letter: Letter
