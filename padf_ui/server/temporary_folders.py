"""Temporary folders of visits, including folders that a stopped server left behind."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path

_NAME = re.compile(r"padf-corpus-(\d+)-.*")


def prefix() -> str:
    """Return the prefix of this server's folder names."""
    return f"padf-corpus-{os.getpid()}-"


def clear() -> None:
    """Remove the folders of servers that no longer run."""
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
