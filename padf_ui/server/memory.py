"""Memory limit of the server, and reservations by running work."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock

SHARE = 0.6
"""Share of the machine's memory to use if PADF_MEMORY_MB is not set."""
_GROUPS = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


def limit() -> int:
    """Return how many bytes the server may use, or 0 if unknown."""
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
    """Return how many bytes the server uses, or 0 if unknown."""
    with suppress(OSError, ValueError, IndexError):
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    return 0


class Budget:
    """Memory reservations, which let work start only while there is enough memory."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._promised = 0

    def has_room(self, needed: int) -> bool:
        """Return whether this many more bytes would fit now."""
        most = limit()
        with self._lock:
            return not most or needed <= self._free(most)

    def _free(self, most: int) -> int:
        return most - in_use() - self._promised

    @contextmanager
    def reserve(self, needed: int) -> Iterator[None]:
        """Reserve memory for the duration of the block. Raise ValueError if there is too little."""
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
            f"{most >> 20:,} MB (half of this server's memory). Upload fewer rows or fewer "
            "detectors"
        )
    return (
        f"this needs about {needed >> 20:,} MB of memory, and {free >> 20:,} MB are free now, "
        "because others are reading files. Try again in a minute"
    )


BUDGET = Budget()
"""Budget of this server."""
