"""Start the web app from a checkout or from an installed package."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

INSTALL = (
    'padf: the web app needs more packages. Run pip install "padf-explorer[app]", or pip install '
    '".[app]" in a checkout'
)


ALLOCATOR = {"MALLOC_ARENA_MAX": "2"}
"""Limit glibc to two memory arenas.

Every run is a thread. With one arena per thread, freed memory is scattered over all of them, and
little of it can be returned to the system.
"""

_HERE = Path(__file__).resolve().parents[2]


def app_folder() -> Path:
    """Return the folder of the app's script, pages and settings, in a checkout or installed."""
    installed = _HERE / "padf_app"
    return installed if installed.is_dir() else _HERE


def run_app(host: str, port: int) -> int:
    """Serve the app until it is stopped, and return an exit code."""
    script = _HERE / "padf_ui" / "server" / "serve.py"
    if not script.is_file() or importlib.util.find_spec("streamlit") is None:
        print(INSTALL, file=sys.stderr)
        return 2
    command = [sys.executable, "-m", "streamlit", "run", str(script)]
    command += ["--server.address", host, "--server.port", str(port), "--server.headless", "true"]
    print(f"PAdf Explorer: http://{'localhost' if host == '127.0.0.1' else host}:{port}")
    # Streamlit reads its settings from the working directory.
    os.chdir(app_folder())
    environment = {**ALLOCATOR, **os.environ}
    if os.name == "posix":
        # Replace this process, so that a signal to it stops the server.
        sys.stdout.flush()
        os.execve(sys.executable, command, environment)
    try:
        return subprocess.call(command, env=environment)
    except KeyboardInterrupt:
        return 0
