"""A fresh server of the app on a free port, for one test or for many."""

import contextlib
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


@contextlib.contextmanager
def serving(log_file: Path, port: int | None = None):
    """Serve the app; yield its address; stop it at the end."""
    port = port or free_port()
    command = [
        sys.executable,
        "-m",
        "streamlit",
        "run",
        "padf_ui/serve.py",
        "--server.port",
        str(port),
    ]
    command += ["--server.headless", "true", "--server.fileWatcherType", "none"]
    with log_file.open("w") as log:
        process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT)
        try:
            address = f"http://127.0.0.1:{port}"
            wait_until_healthy(address, process, log_file)
            yield address
        finally:
            process.terminate()
            process.wait(timeout=20)


def wait_until_healthy(address: str, process: subprocess.Popen, log_file: Path) -> None:
    for _ in range(300):
        if process.poll() is not None:
            raise RuntimeError(f"the server stopped: {log_file.read_text()}")
        with (
            contextlib.suppress(OSError),  # refused, reset or too slow: asked again
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=2) as answer,
        ):
            if answer.status == 200:
                return
        time.sleep(0.1)
    raise RuntimeError(f"the server did not answer within 30 s: {log_file.read_text()}")
