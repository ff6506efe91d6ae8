"""Collecting garbage beside the runs instead of behind each of them."""

from __future__ import annotations

import gc
import threading
import time
from functools import cache

EVERY_SECONDS = 30.0


@cache
def collect_in_background() -> threading.Thread:
    """Collect garbage now and then, once per server.

    Streamlit's full collection after every run is switched off in .streamlit/config.toml, because
    it stops all visits for as long as it takes; what lives since the start is left out here.
    """
    thread = threading.Thread(target=_collect, name="padf-garbage", daemon=True)
    thread.start()
    return thread


def _collect() -> None:
    gc.collect()
    gc.freeze()
    while True:
        time.sleep(EVERY_SECONDS)
        gc.collect()
