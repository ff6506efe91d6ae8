"""What stands between the network and the app: limits and headers that hold for every request.

Streamlit bounds one upload and one message; this bounds what a visit and all visits together may
keep on the server, and refuses addresses that no page reads.
"""

from __future__ import annotations

import re
from typing import Any

from padf_ui.shared.uploads import UPLOADS

LONGEST_ADDRESS = 16_000
"""Bytes of an address; the longest lesson takes 12,000."""

HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"content-security-policy", b"frame-ancestors 'self'; base-uri 'self'; object-src 'none'"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)
_UPLOAD = re.compile(r".*/_stcore/upload_file/([^/]+)/([^/]+)")


class Door:
    """Takes every request before Streamlit does."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Refuse, or pass on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = _refusal(scope)
        if refusal is not None:
            await _answer(send, *refusal)
            return
        await self._app(scope, receive, _with_headers(send))


def _refusal(scope: Any) -> tuple[int, str] | None:
    """Return why a request is not passed on, as a status and a sentence."""
    if len(scope["path"]) + len(scope.get("query_string", b"")) > LONGEST_ADDRESS:
        return 414, (
            f"This link is longer than {LONGEST_ADDRESS:,} characters: it is damaged, or was not "
            "made here. Open the page without it, and bring the board as a file."
        )
    found = _UPLOAD.fullmatch(scope["path"])
    if not found:
        return None
    visit, file = found.groups()
    if scope["method"] == "DELETE":
        UPLOADS.drop(visit, file)
    if scope["method"] != "PUT":
        return None
    told = dict(scope["headers"]).get(b"content-length", b"")
    if not told.isdigit():
        return 411, "An upload must say how long it is."
    why = UPLOADS.take(visit, file, int(told))
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
