"""A server process that has loaded all modules and forks for each job.

A fork starts in milliseconds and sees no thread, lock or open file of the program. Untrusted files
are read in forks (`padf_core.io.sandbox`). The files of a corpus are read in forks if several
processes share the work (`padf_core.corpus.engines`).
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from multiprocessing.connection import Connection
from threading import Lock
from typing import Any

from padf_core.io.stopping import ENDED_BEFORE_A_STOP, unbroken

CAN_FORK = hasattr(os, "fork") and hasattr(socket, "send_fds")
"""Whether this system supports it; Windows does not."""

MOST_FILES = 256
_BEGIN = """
import sys
line, preloaded = int(sys.argv[1]), sys.argv[2].split()
sys.path[:] = sys.argv[3:]
from padf_core.io import forks
forks.wait(line, preloaded)
"""

Work = Callable[[Connection, Sequence[int]], None]
"""The work of a fork: a module-level function of its connection to the parent and its files."""


class Fork:
    """A forked process, and the connection to it."""

    def __init__(self, line: Connection) -> None:
        self.line = line
        self._pid: int | None = None

    def fileno(self) -> int:
        return self.line.fileno()

    def receive(self, seconds: float | None = None) -> tuple[Any, ...]:
        """Return the fork's message, or () if none arrives within some seconds.

        Raises
        ------
        EOFError
            If the process has ended.
        """
        try:
            if not self.line.poll(seconds):
                return ()
            message = self.line.recv()
        except OSError:
            raise EOFError from None
        if self._pid is None:
            self._pid = message
            return ()
        assert isinstance(message, tuple)
        return message

    def end(self) -> None:
        """Kill the process immediately."""
        self.line.close()
        if self._pid is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(self._pid, signal.SIGKILL)


class ForkServer:
    """The server process. Its forks end with it, and it ends with the program."""

    def __init__(
        self, preloaded: Sequence[str] = (), environment: Mapping[str, str] | None = None
    ) -> None:
        self._preloaded = " ".join(preloaded)
        self._environment = environment or {}
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._line: socket.socket | None = None

    @property
    def is_on(self) -> bool:
        return self._process is not None

    def start(self) -> None:
        """Start the process in its own session, so that Ctrl-C only reaches the program."""
        here, there = socket.socketpair()
        with there:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _BEGIN, str(there.fileno()), self._preloaded, *sys.path],
                pass_fds=(there.fileno(),),
                env={**os.environ, **self._environment},
                start_new_session=True,
            )
        self._line = here
        ENDED_BEFORE_A_STOP.add(self.stop)

    def stop(self) -> None:
        """End the process and its forks, and wait until they have ended."""
        with unbroken(), self._lock:
            if self._line is not None:
                self._line.close()
            if self._process is not None:
                self._process.wait()
            self._line = self._process = None
            ENDED_BEFORE_A_STOP.discard(self.stop)

    def fork(self, work: Work, files: Sequence[int] = ()) -> Fork:
        """Fork a process for some work, with these files open."""
        here, there = socket.socketpair()
        with there, unbroken(), self._lock:
            if self._process is None or self._process.poll() is not None:
                self.start()
            assert self._line is not None
            socket.send_fds(self._line, [b"f"], [there.fileno(), *files])
        line = Connection(here.detach())
        line.send(work)
        return Fork(line)


def wait(line: int, preloaded: Sequence[str]) -> None:
    """Serve fork requests until the program ends."""
    # The signal sent below must not end this process, but must reach a fork that has just begun. If
    # ignored here, a fork could lose it before it sets its own handler. A blocked signal waits.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    for module in preloaded:
        with contextlib.suppress(ImportError):
            import_module(module)
    # Ended forks need no waiting.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(fileno=line) as program:
        while True:
            asked, files, _, _ = socket.recv_fds(program, 1, MOST_FILES)
            if not asked:
                break
            if os.fork() == 0:
                signal.signal(signal.SIGTERM, signal.SIG_DFL)
                signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
                program.close()
                _be_a_fork(files)
            for file in files:
                os.close(file)
    os.killpg(0, signal.SIGTERM)
    with contextlib.suppress(ChildProcessError):
        os.wait()


def _be_a_fork(files: Sequence[int]) -> None:
    # If the program no longer waits, its end of the connection is closed.
    with contextlib.suppress(OSError, EOFError):
        line = Connection(files[0])
        line.send(os.getpid())
        line.recv()(line, files[1:])
    os._exit(0)
