"""The last few results by what they depend on, shared by all visits.

Streamlit's caches cannot report progress to the page and copy what they hold; these do neither.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar

from cachetools import LRUCache

Made = TypeVar("Made")


class Memory:
    """Remembers as many results as it was told to."""

    def __init__(self, entries: int) -> None:
        self._known: LRUCache[Hashable, Any] = LRUCache(entries)
        self._lock = Lock()

    def recall(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Return what was made for this key before, or make it now."""
        with self._lock:
            if key in self._known:
                known: Made = self._known[key]
                return known
        made = make()
        with self._lock:
            self._known[key] = made
        return made


SMALL = Memory(400)
LARGE = Memory(4)
"""Full results hold two bytes per point, so only the last few are kept."""
