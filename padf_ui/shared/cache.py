"""The last few results by what they depend on, shared by all visits.

Streamlit's caches cannot report progress to the page and copy what they hold; these do neither.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import fields, is_dataclass
from threading import Lock
from time import monotonic
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from cachetools import LRUCache

Made = TypeVar("Made")

LARGE_BYTES = 1 << 20
_PLAIN = 64
"""Bytes that are counted for anything that is no array, table or text."""
_LOOKED_AT = 16


def bytes_of(made: object) -> int:
    """Return about how much memory a result takes.

    >>> bytes_of((np.zeros(1000), "x" * 100))
    8292
    """
    if isinstance(made, np.ndarray):
        return _PLAIN + made.nbytes
    if isinstance(made, pd.DataFrame):
        return _PLAIN + int(made.memory_usage(deep=True).sum())
    if isinstance(made, (str, bytes)):
        return _PLAIN + len(made)
    if isinstance(made, Mapping):
        return _PLAIN + sum(map(bytes_of, made.values()))
    if isinstance(made, (tuple, list)):
        # Long lists are of one kind: a few entries from all over tell about all of them.
        some = made[:: max(1, len(made) // _LOOKED_AT)]
        return _PLAIN + round(sum(map(bytes_of, some)) * len(made) / max(1, len(some)))
    if is_dataclass(made):
        return _PLAIN + sum(bytes_of(getattr(made, each.name)) for each in fields(made))
    return _PLAIN


class Memory:
    """Remembers as many results, of as many bytes together, as it was told to."""

    def __init__(self, entries: int, megabytes: int) -> None:
        most = megabytes << 20
        self._known: LRUCache[Hashable, Any] = LRUCache(
            most, lambda made: max(most // entries, bytes_of(made))
        )
        self._used: dict[Hashable, float] = {}
        self._lock = Lock()

    def recall(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Return what was made for this key before, or make it now."""
        with self._lock:
            if key in self._known:
                self._used[key] = monotonic()
                known: Made = self._known[key]
                return known
        made = make()
        with self._lock:
            if self._known.getsizeof(made) <= self._known.maxsize:
                self._known[key] = made
                self._used[key] = monotonic()
        return made

    def forget_unused(self, seconds: float) -> None:
        """Forget large results that nobody has asked for lately: their visits may be gone."""
        with self._lock:
            before = monotonic() - seconds
            self._used = {key: used for key, used in self._used.items() if key in self._known}
            for key, used in self._used.items():
                if used < before and bytes_of(self._known[key]) > LARGE_BYTES:
                    del self._known[key]


SMALL = Memory(400, 200)
LARGE = Memory(4, 1000)
"""Full results hold two bytes per point, so only the last few are kept."""
