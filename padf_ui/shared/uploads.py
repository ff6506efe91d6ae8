"""How much of files visits have uploaded, so that no visit fills the server."""

from __future__ import annotations

from collections import defaultdict
from threading import Lock

PER_VISIT = 2_000_000_000
PER_SERVER = 8_000_000_000
"""Bytes of uploads that one visit, and all together, may hold."""


class Uploads:
    """What visits have uploaded, by visit and file."""

    def __init__(self) -> None:
        self._kept: defaultdict[str, dict[str, int]] = defaultdict(dict)
        self._lock = Lock()

    def take(self, visit: str, file: str, size: int) -> str | None:
        """Note an upload before it is read; say why it cannot be taken, if so."""
        with self._lock:
            own = sum(self._kept[visit].values()) - self._kept[visit].get(file, 0)
            others = sum(sum(files.values()) for name, files in self._kept.items() if name != visit)
            if own + size > PER_VISIT:
                return (
                    f"One visit can hold {PER_VISIT // 10**6:,} MB of files. Take some away first."
                )
            if others + own + size > PER_SERVER:
                return "This server holds as many files as it can. Try again in some minutes."
            self._kept[visit][file] = size
            return None

    def drop(self, visit: str, file: str) -> None:
        """Forget a file that was taken away."""
        with self._lock:
            self._kept[visit].pop(file, None)

    def keep_only(self, visits: set[str]) -> None:
        """Forget the files of visits that have ended."""
        with self._lock:
            for visit in set(self._kept) - visits:
                del self._kept[visit]


UPLOADS = Uploads()
"""Those of this server."""
