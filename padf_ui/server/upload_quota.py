"""How much of files a visit has uploaded lately, so that none fills the server."""

from __future__ import annotations

import time
from collections import defaultdict
from threading import Lock

from padf_ui.server.memory import BUDGET

PER_VISIT = 2_000_000_000
"""Bytes that one visit may upload before some of them are forgotten."""
FORGOTTEN_AFTER = 3600.0
"""Seconds after which an upload no longer counts: nobody says when a visit has ended."""


class Uploads:
    """What visits have uploaded, by visit and file: its size, and when it came."""

    def __init__(self) -> None:
        self._kept: defaultdict[str, dict[str, tuple[int, float]]] = defaultdict(dict)
        self._lock = Lock()

    def take(self, visit: str, file: str, size: int) -> str | None:
        """Note an upload before it is read; say why it cannot be taken, if so."""
        with self._lock:
            self._forget(time.monotonic() - FORGOTTEN_AFTER)
            own = self._kept[visit]
            if size + sum(size for name, (size, _) in own.items() if name != file) > PER_VISIT:
                return (
                    f"One visit can hold {PER_VISIT // 10**6:,} MB of files. Take some away first."
                )
            if not BUDGET.has_room(size):
                return "This server holds as many files as it can. Try again in some minutes."
            own[file] = (size, time.monotonic())
            return None

    def drop(self, visit: str, file: str) -> None:
        """Forget a file that was taken away."""
        with self._lock:
            self._kept[visit].pop(file, None)

    def _forget(self, before: float) -> None:
        for visit, files in list(self._kept.items()):
            kept = {file: entry for file, entry in files.items() if entry[1] >= before}
            if kept:
                self._kept[visit] = kept
            else:
                del self._kept[visit]


UPLOADS = Uploads()
"""Those of this server."""
