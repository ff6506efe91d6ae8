"""What stands between the network and the app: limits and headers that hold for every request.

Streamlit bounds one upload and one message; this bounds what a visit and all visits together may
keep on the server, refuses addresses that no page reads, and sees that visits that have ended are
let go of.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections import deque
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import streamlit as st

from padf_ui import web
from padf_ui.server.collector import give_back
from padf_ui.server.upload_quota import UPLOADS

_LOG = logging.getLogger("padf")

LONGEST_ADDRESS = 16_000
"""Bytes of an address; the longest lesson takes 12,000."""

HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"content-security-policy", b"frame-ancestors 'self'; base-uri 'self'; object-src 'none'"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)
_HEAD_END = b"</head>"
_REWRITTEN = (b"content-length", b"etag", b"last-modified")
_UPLOAD = re.compile(r".*/_stcore/upload_file/([^/]+)/([^/]+)")


_STREAM = "/_stcore/stream"
"""How the address of a visit's websocket ends."""
TOGETHER_SECONDS = 5.0
GOING_AWAY = 1001
"""What a websocket says when its page is left."""
LOOK_SECONDS, STAY_SECONDS = 30.0, 1.0
"""How long a page is waited for, and looked at."""


class Middleware:
    """Takes every request before Streamlit does."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self._ended_visits = EndedVisits(app)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Refuse, or pass on."""
        if scope["type"] == "websocket" and scope["path"].endswith(_STREAM):
            await self._ended_visits.watch(scope, receive, send)
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = _refusal(scope)
        if refusal is not None:
            await _answer(send, *refusal)
            return
        if _asks_for_page(scope):
            # A packed page could not be changed, and it is small.
            kept = [pair for pair in scope["headers"] if pair[0] != b"accept-encoding"]
            scope, send = {**scope, "headers": kept}, _with_head(send)
        await self._app(scope, receive, _with_headers(send))


@dataclass
class Visit:
    """A visit that has ended: how it came, and what it said first, to see a page."""

    scope: dict[str, Any]
    first: dict[str, Any] | None = None


class EndedVisits:
    """Lets go of visits that have ended and cannot come back.

    Streamlit keeps a visit that was closed for a while, and forgets those whose time is over when
    another one is closed; of the last one it had anything to send to it lets go when it sends
    something to another. On a quiet server nobody comes. So somebody does, asks for the page that
    the last one asked for, and leaves.
    """

    def __init__(self, app: Any) -> None:
        self._app = app
        self._ended: deque[tuple[float, Visit]] = deque()
        self._first_due = 0.0
        self._task: asyncio.Task[None] | None = None

    async def watch(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass a visit on, and remember it when it has ended."""
        visit = Visit(dict(scope))

        async def heard() -> Any:
            message = await receive()
            said = message.get("bytes") if message["type"] == "websocket.receive" else None
            if said and visit.first is None and len(said) <= LONGEST_ADDRESS:
                visit.first = message
            return message

        try:
            await self._app(scope, heard, send)
        finally:
            loop = asyncio.get_running_loop()
            due = loop.time() + st.get_option("server.disconnectedSessionTTL") + 1
            # Those that end soon after each other go together: there are never many to wait for.
            if self._ended and due - self._first_due < TOGETHER_SECONDS:
                self._ended.pop()
            else:
                self._first_due = due
            self._ended.append((due, visit))
            if self._task is None or self._task.done():
                self._task = loop.create_task(self._let_go())

    async def _let_go(self) -> None:
        while self._ended:
            due, visit = self._ended[0]
            await asyncio.sleep(due - asyncio.get_running_loop().time())
            if self._ended[0][1] is not visit:
                continue
            self._ended.popleft()
            try:
                await self._come_and_go(visit)
            except Exception:
                _LOG.warning("visits that have ended may be kept longer", exc_info=True)
            await asyncio.to_thread(give_back)

    async def _come_and_go(self, visit: Visit) -> None:
        """Come as a visit did, with nothing that tells who it was, see a page, and leave."""
        answered = asyncio.Event()

        async def said() -> AsyncIterator[dict[str, Any]]:
            yield {"type": "websocket.connect"}
            if visit.first is not None:
                yield visit.first
                with suppress(TimeoutError):
                    await asyncio.wait_for(answered.wait(), LOOK_SECONDS)
                await asyncio.sleep(STAY_SECONDS)
            yield {"type": "websocket.disconnect", "code": GOING_AWAY}

        async def send(message: Any) -> None:
            if message["type"] == "websocket.send":
                answered.set()

        host = [pair for pair in visit.scope["headers"] if pair[0].lower() == b"host"]
        scope = {**visit.scope, "headers": host, "query_string": b"", "subprotocols": []}
        await self._app(scope, said().__anext__, send)


def _refusal(scope: Any) -> tuple[int, str] | None:
    """Return why a request is not passed on, as a status and a sentence."""
    if len(scope["path"]) + len(scope.get("query_string", b"")) > LONGEST_ADDRESS:
        return 414, (
            f"This link is longer than {LONGEST_ADDRESS:,} characters: it is damaged, or was not "
            "made here. Open the page without it, and upload the board as a file."
        )
    found = _UPLOAD.fullmatch(scope["path"])
    if not found:
        return None
    visit, file = found.groups()
    if scope["method"] == "DELETE":
        UPLOADS.drop(visit, file)
    if scope["method"] != "PUT":
        return None
    size_header = dict(scope["headers"]).get(b"content-length", b"")
    if not size_header.isdigit():
        return 411, "An upload must say how long it is."
    why = UPLOADS.take(visit, file, int(size_header))
    return None if why is None else (413, why)


async def _answer(send: Any, status: int, text: str) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), *HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode()})


def _with_headers(send: Any) -> Any:
    async def sent(message: Any) -> None:
        if message["type"] == "http.response.start":
            there = {name.lower() for name, _ in message["headers"]}
            more = [pair for pair in HEADERS if pair[0] not in there]
            message = {**message, "headers": [*message["headers"], *more]}
        await send(message)

    return sent


def _asks_for_page(scope: Any) -> bool:
    return scope["method"] == "GET" and b"text/html" in dict(scope["headers"]).get(b"accept", b"")


def _with_head(send: Any) -> Any:
    """Put what all pages need from the start into the head of Streamlit's own page.

    What a run sends comes later: everything on the screen would jump when the style arrives, and
    the browser's history would have more than one entry for a page.
    """
    begun: dict[str, Any] = {}
    body = bytearray()

    async def sent(message: Any) -> None:
        if message["type"] == "http.response.start" and _is_page(message):
            begun.update(message)
        elif not begun:
            await send(message)
        else:
            body.extend(message.get("body", b""))
            if not message.get("more_body", False):
                page = bytes(body).replace(_HEAD_END, web.head().encode() + _HEAD_END, 1)
                kept = [pair for pair in begun["headers"] if pair[0].lower() not in _REWRITTEN]
                length = (b"content-length", str(len(page)).encode())
                await send({**begun, "headers": [*kept, length]})
                await send({"type": "http.response.body", "body": page})

    return sent


def _is_page(start: Any) -> bool:
    headers = {name.lower(): value for name, value in start["headers"]}
    is_html = headers.get(b"content-type", b"").startswith(b"text/html")
    return start["status"] == 200 and is_html and b"content-encoding" not in headers
