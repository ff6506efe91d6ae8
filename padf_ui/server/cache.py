"""Cache of recent results, shared by all visits.

Streamlit's caches copy their results and cannot report progress to the page. This one does not
copy, and progress works.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from threading import Lock
from time import monotonic
from typing import Any, TypeVar

import numpy as np
import pandas as pd

Made = TypeVar("Made")

LARGE_BYTES = 1 << 20
_PLAIN = 64
"""Bytes counted for a value that is not an array, table or text, and for the overhead of others."""
_LOOKED_AT = 4


def bytes_of(made: object) -> int:
    """Estimate the memory used by a result, in bytes.

    >>> bytes_of((np.zeros(1000), "x" * 100))
    8292
    """
    if isinstance(made, (int, float)):
        return _PLAIN
    if isinstance(made, np.ndarray):
        return _PLAIN + made.nbytes
    if isinstance(made, pd.DataFrame):
        return _PLAIN + int(made.memory_usage(deep=True).sum())
    if isinstance(made, (str, bytes)):
        return _PLAIN + len(made)
    if isinstance(made, Mapping):
        return _PLAIN + sum(map(bytes_of, made.values()))
    if isinstance(made, (tuple, list)):
        # The entries of long lists are alike, so a sample is enough.
        some = made[:: max(1, len(made) // _LOOKED_AT)]
        return _PLAIN + round(sum(map(bytes_of, some)) * len(made) / max(1, len(some)))
    if is_dataclass(made):
        return _PLAIN + sum(bytes_of(getattr(made, each.name)) for each in fields(made))
    return _PLAIN


@dataclass(slots=True)
class _Entry:
    """A result, its size in bytes and the time of its last use."""

    made: Any
    size: int
    used: float


class Memory:
    """Cache with a limit on the number of results and on their total size."""

    def __init__(self, entries: int, megabytes: int) -> None:
        self._entries = entries
        self._most = megabytes << 20
        self._known: OrderedDict[Hashable, _Entry] = OrderedDict()
        """The most recently used results are last."""
        self._taken = 0
        self._lock = Lock()

    def recall(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Return the cached result for a key, or compute it."""
        with self._lock:
            entry = self._known.get(key)
            if entry is not None:
                entry.used = monotonic()
                self._known.move_to_end(key)
                known: Made = entry.made
                return known
        made = make()
        size = bytes_of(made)
        if size <= self._most:
            with self._lock:
                self._forget(key)
                self._known[key] = _Entry(made, size, monotonic())
                self._taken += size
                while len(self._known) > self._entries or self._taken > self._most:
                    self._forget(next(iter(self._known)))
        return made

    def forget_unused(self, seconds: float) -> None:
        """Drop large results that were not used recently, because their visits may have ended."""
        with self._lock:
            before = monotonic() - seconds
            for key, entry in list(self._known.items()):
                if entry.used < before and entry.size > LARGE_BYTES:
                    self._forget(key)

    def _forget(self, key: Hashable) -> None:
        entry = self._known.pop(key, None)
        self._taken -= entry.size if entry is not None else 0


SMALL = Memory(400, 200)
LARGE = Memory(4, 1000)
"""Cache for full results, which need two bytes per point. It keeps only the last few."""
