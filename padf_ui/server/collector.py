"""Giving memory back, beside the runs instead of behind each of them."""

from __future__ import annotations

import ctypes
import gc
import threading
import time

from padf_ui.server.cache import LARGE, SMALL

EVERY_SECONDS = 30.0
UNUSED_SECONDS = 90.0
"""After so long without being asked for, a large result is forgotten."""

NEVER = 1_000_000
"""So many collections of younger objects come before a full one that nobody asked for."""

_STARTED = threading.Lock()
"""Held from the first start on, and never let go."""


def collect_in_background(*, is_early: bool = False) -> None:
    """Collect garbage now and then; one thread per server, however often this is called.

    Before anybody has come (``is_early``) what is there is set aside: it stays as long as the
    server does. Later it would hold a visit for good.

    Streamlit's full collection after every run is switched off in .streamlit/config.toml, because
    it stops all visits for as long as it takes; so is Python's own full collection in the midst of
    a run, for the same reason.
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
    """Forget what nobody asks for, collect, and return memory to the machine."""
    for memory in (SMALL, LARGE):
        memory.forget_unused(UNUSED_SECONDS)
    gc.collect()
    _trim()


def _trim() -> None:
    """Return what the allocator holds and nobody uses, where it can be asked to."""
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (AttributeError, OSError, TypeError):
        return
