"""A fresh server of the app on a free port, for one test or for many."""

import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from padf_core.cli.app import ALLOCATOR

ROOT = Path(__file__).resolve().parents[2]


def free_port() -> int:
    """Return a port that is free and that no outgoing connection takes meanwhile."""
    while True:
        # Systems give outgoing connections ports from 32,768 on, some only from 49,152 on.
        port = random.SystemRandom().randrange(20_000, 32_000)
        with contextlib.suppress(OSError), socket.socket() as sock:
            sock.bind(("127.0.0.1", port))
            return port


@contextlib.contextmanager
def serving(log_file: Path, port: int | None = None):
    """Serve the app; yield its address; stop it at the end."""
    with serving_process(log_file, port) as (address, _):
        yield address


@contextlib.contextmanager
def serving_process(log_file: Path, port: int | None = None, **options: object):
    """Serve the app with these options of `server`; yield its address and its process id."""
    port = port or free_port()
    asked = {"port": port, "headless": "true", "fileWatcherType": "none", **options}
    command = [sys.executable, "-m", "streamlit", "run", "padf_ui/server/serve.py"]
    for name, value in asked.items():
        command += [f"--server.{name}", str(value)]
    with log_file.open("w") as log:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**ALLOCATOR, "PYTHONFAULTHANDLER": "1", **os.environ},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            address = f"http://127.0.0.1:{port}"
            wait_until_healthy(address, process, log_file)
            yield address, process.pid
        finally:
            process.terminate()
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                # Its log then says what every thread was doing.
                process.send_signal(signal.SIGABRT)
                process.wait()
                raise


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


def children_of(pid: int) -> list[int]:
    """Return the processes that a process has started, and those that they have."""
    told = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    own = [int(child) for child in told.split()]
    return [*own, *(each for child in own for each in children_of(child))]


def memory_of(pid: int) -> float:
    """Return the megabytes that a process holds."""
    told = Path(f"/proc/{pid}/statm").read_text()
    return int(told.split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
