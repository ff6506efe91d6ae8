"""Starting the web app from wherever it is: a checkout, or an installed package."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

INSTALL = (
    'padf: the web app needs more packages: pip install "padf-explorer[app]", '
    'or pip install ".[app]" in a checkout'
)


def find_app() -> Path | None:
    """Return the file that serves the app: beside this package, or installed with it."""
    here = Path(__file__).resolve().parent.parent
    places = (here / "padf_app" / "serve.py", here / "serve.py")
    return next((place for place in places if place.is_file()), None)


def run_app(host: str, port: int) -> int:
    """Serve the app until it is stopped; return an exit code."""
    script = find_app()
    if script is None or importlib.util.find_spec("streamlit") is None:
        print(INSTALL, file=sys.stderr)
        return 2
    command = [sys.executable, "-m", "streamlit", "run", str(script)]
    command += ["--server.address", host, "--server.port", str(port), "--server.headless", "true"]
    print(f"PAdf Explorer: http://{'localhost' if host == '127.0.0.1' else host}:{port}")
    try:
        return subprocess.call(command)
    except KeyboardInterrupt:
        return 0
