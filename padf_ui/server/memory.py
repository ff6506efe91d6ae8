"""How much memory the whole server may take, and who has asked for how much of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock

SHARE = 0.6
"""Of the machine's memory, where PADF_MEMORY_MB does not say how much."""
_GROUPS = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


def limit() -> int:
    """Return how many bytes the server may take; 0 when nobody knows."""
    given = os.environ.get("PADF_MEMORY_MB", "")
    if given.isdecimal():
        return int(given) << 20
    known = []
    with suppress(ValueError, OSError, AttributeError):
        known.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    for group in _GROUPS:
        with suppress(ValueError, OSError):
            known.append(int(group.read_text()))
    return round(SHARE * min(known)) if known else 0


def in_use() -> int:
    """Return how many bytes the server has taken, where that can be known."""
    with suppress(OSError, ValueError, IndexError):
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    return 0


class Budget:
    """Lets work begin while there is memory for it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._promised = 0

    def has_room(self, needed: int) -> bool:
        """Say whether so much more would fit now."""
        most = limit()
        with self._lock:
            return not most or needed <= self._free(most)

    def _free(self, most: int) -> int:
        return most - in_use() - self._promised

    @contextmanager
    def reserve(self, needed: int) -> Iterator[None]:
        """Hold memory for as long as something is read; raise ValueError if there is too little."""
        most = limit()
        with self._lock:
            free = self._free(most)
            if most and needed > min(free, most // 2):
                raise ValueError(_refusal(needed, max(0, free), most // 2))
            self._promised += needed
        try:
            yield
        finally:
            with self._lock:
                self._promised -= needed


def _refusal(needed: int, free: int, most: int) -> str:
    if needed > most:
        return (
            f"this needs about {needed >> 20:,} MB of memory, and one visit may take "
            f"{most >> 20:,} MB, half of what this server has: upload fewer rows or fewer detectors"
        )
    return (
        f"this needs about {needed >> 20:,} MB of memory, and {free >> 20:,} MB are free now: "
        "others are reading. Try again in a minute"
    )


BUDGET = Budget()
"""That of this server."""
