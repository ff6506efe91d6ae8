"""Upload quota per visit, so that no visit fills the server."""

from __future__ import annotations

import time
from collections import defaultdict
from threading import Lock

from padf_ui.server.memory import BUDGET

PER_VISIT = 2_000_000_000
"""Bytes that one visit may upload before older uploads expire."""
FORGOTTEN_AFTER = 3600.0
"""Seconds after which an upload no longer counts. There is no signal when a visit ends."""


class Uploads:
    """Uploads by visit and file, each with its size and time."""

    def __init__(self) -> None:
        self._kept: defaultdict[str, dict[str, tuple[int, float]]] = defaultdict(dict)
        self._lock = Lock()

    def take(self, visit: str, file: str, size: int) -> str | None:
        """Record an upload before it is read. Return the reason if it is rejected, or None."""
        with self._lock:
            self._forget(time.monotonic() - FORGOTTEN_AFTER)
            own = self._kept[visit]
            if size + sum(size for name, (size, _) in own.items() if name != file) > PER_VISIT:
                return f"One visit can hold {PER_VISIT // 10**6:,} MB of files. Remove some first."
            if not BUDGET.has_room(size):
                return "This server is full. Try again in a few minutes."
            own[file] = (size, time.monotonic())
            return None

    def drop(self, visit: str, file: str) -> None:
        """Remove a deleted file from the quota."""
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
"""Uploads of this server."""
