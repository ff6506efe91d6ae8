"""Collect garbage in the background instead of after each run."""

from __future__ import annotations

import ctypes
import gc
import threading
import time

from padf_ui.server.cache import LARGE, SMALL

EVERY_SECONDS = 30.0
UNUSED_SECONDS = 90.0
"""Seconds without use after which a large result is dropped."""

NEVER = 1_000_000
"""Threshold of young collections before an automatic full one, so high that none happens."""

_STARTED = threading.Lock()
"""Acquired on the first start and never released, so that only one thread starts."""


def collect_in_background(*, is_early: bool = False) -> None:
    """Collect garbage periodically, in one thread per server.

    Further calls have no effect. With ``is_early``, before the first visit, freeze the existing
    objects, so that collections skip them. Freezing later would keep the objects of a visit
    forever.

    .streamlit/config.toml disables Streamlit's full collection after every run, because it blocks
    all visits while it lasts. For the same reason, this disables Python's own full collection
    during a run.
    """
    if _STARTED.acquire(blocking=False):
        gc.set_threshold(*gc.get_threshold()[:2], NEVER)
        if is_early:
            gc.collect()
            gc.freeze()
        threading.Thread(target=_collect, name="padf-garbage", daemon=True).start()


def _collect() -> None:
    while True:
        time.sleep(EVERY_SECONDS)
        give_back()


def give_back() -> None:
    """Drop unused results, collect garbage and return memory to the operating system."""
    for memory in (SMALL, LARGE):
        memory.forget_unused(UNUSED_SECONDS)
    gc.collect()
    _trim()


def _trim() -> None:
    """Return unused memory of the allocator to the operating system, where that is supported."""
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (AttributeError, OSError, TypeError):
        return
