"""The last few results by what they depend on, shared by all visits.

Streamlit's caches cannot report progress to the page and copy what they hold; these do neither.
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
"""Bytes that are counted for anything that is no array, table or text."""
_LOOKED_AT = 4


def bytes_of(made: object) -> int:
    """Return about how much memory a result takes.

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
        # Long lists are of one kind: a few entries from all over tell about all of them.
        some = made[:: max(1, len(made) // _LOOKED_AT)]
        return _PLAIN + round(sum(map(bytes_of, some)) * len(made) / max(1, len(some)))
    if is_dataclass(made):
        return _PLAIN + sum(bytes_of(getattr(made, each.name)) for each in fields(made))
    return _PLAIN


@dataclass(slots=True)
class _Entry:
    """A result, how many bytes it takes, and when somebody asked for it."""

    made: Any
    size: int
    used: float


class Memory:
    """Remembers as many results, of as many bytes together, as it was told to."""

    def __init__(self, entries: int, megabytes: int) -> None:
        self._entries = entries
        self._most = megabytes << 20
        self._known: OrderedDict[Hashable, _Entry] = OrderedDict()
        """The ones that were asked for last stand last."""
        self._taken = 0
        self._lock = Lock()

    def recall(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Return what was made for this key before, or make it now."""
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
        """Forget large results that nobody has asked for lately: their visits may be gone."""
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
"""Full results hold two bytes per point, so only the last few are kept."""
