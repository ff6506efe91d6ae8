"""ASGI middleware: limits and headers for every request.

Streamlit limits a single upload and a single message. This module limits the uploads of a visit and
of all visits together, rejects URLs that are too long, and releases visits that have ended.
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
"""Largest length of a URL in bytes. The longest lesson needs 12,000."""

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
"""End of the path of a visit's websocket."""
TOGETHER_SECONDS = 5.0
GOING_AWAY = 1001
"""Close code that a websocket sends when its page is left."""
LOOK_SECONDS, STAY_SECONDS = 30.0, 1.0
"""Seconds to wait for a page, and to stay on it."""


class Middleware:
    """ASGI middleware that handles every request before Streamlit."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self._ended_visits = EndedVisits(app)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Reject a request, or pass it on."""
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
            # Request an uncompressed page, because a compressed one cannot be changed. The page is
            # small.
            kept = [pair for pair in scope["headers"] if pair[0] != b"accept-encoding"]
            scope, send = {**scope, "headers": kept}, _with_head(send)
        await self._app(scope, receive, _with_headers(send))


@dataclass
class Visit:
    """A visit that has ended: its request and its first message, which reopen its page."""

    scope: dict[str, Any]
    first: dict[str, Any] | None = None


class EndedVisits:
    """Releases visits that have ended and cannot be resumed.

    Streamlit keeps a closed session for a while, and evicts expired sessions only when another one
    is closed. It also keeps a reference to the last session it sent a message to, until it sends
    one to another session. On a quiet server neither happens. This class therefore opens a
    synthetic session to trigger eviction: it requests the page that the ended visit requested, then
    leaves.
    """

    def __init__(self, app: Any) -> None:
        self._app = app
        self._ended: deque[tuple[float, Visit]] = deque()
        self._first_due = 0.0
        self._task: asyncio.Task[None] | None = None

    async def watch(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass a visit on, and remember it after it has ended."""
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
            # Visits that end within a few seconds of each other are released together, so the queue
            # stays short.
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
        """Open the page of an ended visit in a session without its identity, and leave again."""
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
    """Return the status and the text with which a request is rejected, or None."""
    if len(scope["path"]) + len(scope.get("query_string", b"")) > LONGEST_ADDRESS:
        return 414, (
            f"This link is longer than {LONGEST_ADDRESS:,} characters. It is damaged or was not "
            "made here. Open the page without it, and load the board from a file."
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
        return 411, "An upload must state its size."
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
    """Insert what every page needs from the start into the head of Streamlit's HTML page.

    Anything that a run sends arrives later. The page would jump when the style arrives, and the
    browser's history would get more than one entry per page.
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
