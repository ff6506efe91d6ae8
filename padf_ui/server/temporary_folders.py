"""Temporary folders of visits, and those that a server which was ended has left behind."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path

_NAME = re.compile(r"padf-corpus-(\d+)-.*")


def prefix() -> str:
    """Return how the names of this server's folders begin."""
    return f"padf-corpus-{os.getpid()}-"


def clear() -> None:
    """Take away the folders of servers that are no more."""
    for path in Path(tempfile.gettempdir()).glob("padf-corpus-*"):
        found = _NAME.fullmatch(path.name)
        if found and not _is_alive(int(found[1])):
            shutil.rmtree(path, ignore_errors=True)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
