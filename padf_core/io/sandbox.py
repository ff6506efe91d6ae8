"""Reading files of strangers in a process of its own, with limits on memory and time.

A server calls `start` once: a process is begun that has loaded all it needs and waits. For each
file it forks, and the fork reads; whatever a file does there, it takes a bounded amount of memory
and time, the server goes on meanwhile, and nobody else's visit waits for it. Files go over, and
columns come back, as shared memory. Where nothing was started, or the machine has no such thing,
files are read here, by the same functions; and so is plain text, which cannot unpack into anything
and would be read a third slower.
"""

from __future__ import annotations

import contextlib
import io
import mmap
import os
import pickle
import select
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from threading import Lock
from typing import Any, BinaryIO, TypeVar

from padf_core.io.join import open_files
from padf_core.io.options import ReadOptions
from padf_core.io.read import needed_bytes, series_from
from padf_core.io.series import Series
from padf_core.io.sources import Source
from padf_core.io.tables import TableError, TableFile
from padf_core.metrics.checks import Progress, no_progress

LOOK_BYTES = 2 << 30
READ_BYTES = 1 << 30
"""What looking at a file, and reading one beside its columns, may take."""
SECONDS = 300.0
LOOK_SECONDS = 60.0
TICK_SECONDS = 0.2

_SIZE = struct.Struct("!Q")
_TOO_MUCH = "is too large to be read here: it takes more memory or time than one file may"

_ALLOCATOR = {"MALLOC_ARENA_MAX": "2", "ARROW_DEFAULT_MEMORY_POOL": "system"}
"""Addresses are limited too: threads, and Arrow's own allocator, would take more than they use."""
_BEGIN = "import sys; from padf_core.io import sandbox; sandbox.wait(int(sys.argv[1]))"

Made = TypeVar("Made")
Opener = Callable[[], Any]
Job = tuple[Callable[..., Any], tuple[Any, ...]]
"""A function of some module, and what it is called with beside its files and the progress."""


class _Server:
    """The process that waits, and the line to it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._line: socket.socket | None = None

    @property
    def is_on(self) -> bool:
        return self._process is not None

    def start(self) -> None:
        """Begin the process; where machines have no such thing, do nothing."""
        if not (hasattr(os, "memfd_create") and hasattr(os, "fork")):
            return
        here, there = socket.socketpair()
        with there:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _BEGIN, str(there.fileno())],
                pass_fds=(there.fileno(),),
                env={**os.environ, **_ALLOCATOR},
            )
        self._line = here

    def stop(self) -> None:
        """End the process: nothing is read beside the server from here on."""
        with self._lock:
            if self._line is not None:
                self._line.close()
            if self._process is not None:
                self._process.wait()
            self._line = self._process = None

    def send(self, files: Sequence[int]) -> socket.socket:
        """Let it fork; return the line to the fork, which has these files."""
        here, there = socket.socketpair()
        with there, self._lock:
            if self._process is None or self._process.poll() is not None:
                self.start()
            assert self._line is not None
            socket.send_fds(self._line, [b"j"], [there.fileno(), *files])
        return here


SERVER = _Server()
"""That of this machine's server; off until it is started."""

start = SERVER.start
stop = SERVER.stop


def call(
    work: Callable[..., Made],
    *told: Any,
    name: str,
    files: Sequence[Opener] = (),
    most: int,
    seconds: float,
    progress: Progress = no_progress,
) -> Made:
    """Call ``work(files, progress, *told)`` within limits; ``files`` are functions that open one.

    ``work`` must be a function of a module. What it raises comes back as it is where it is a
    `TableError`, and as one that tells it in a line where it is not.
    """
    if not SERVER.is_on:
        return work(list(files), progress, *told)
    with contextlib.ExitStack() as opened:
        shared = [opened.enter_context(_shared(opener)) for opener in files]
        made: Made = _ask((work, told), shared, name, most, seconds, progress)
    return made


def look(sources: Sequence[Source]) -> TableFile:
    """Look at a table, or join several files, as `open_files` does."""
    if not SERVER.is_on or all(map(_is_plain_text, sources)):
        return open_files(sources)
    names = [source.name for source in sources]
    name = names[0] if len(names) == 1 else f"{len(names)} files"
    files = [source.open for source in sources]
    found = call(_look, names, name=name, files=files, most=LOOK_BYTES, seconds=LOOK_SECONDS)
    if found.frame is None:
        return _with(found, open=sources[0].open)
    return found


def _look(files: Sequence[Opener], progress: Progress, names: Sequence[str]) -> TableFile:
    sources = [Source(name, opener) for name, opener in zip(names, files, strict=True)]
    return _with(open_files(sources), open=_nowhere)


def _is_plain_text(source: Source) -> bool:
    """Say whether a file is no larger than it seems: looking at it takes next to nothing."""
    if source.name.lower().endswith((".json", ".jsonl", ".ndjson", ".npy")):
        return False
    with source.open() as raw:
        beginning = raw.read(4)
    return not beginning.startswith((b"\x1f\x8b", b"PAR1"))


def read(table: TableFile, roles: ReadOptions, progress: Progress = no_progress) -> Series:
    """Read the columns that are needed, as `series_from` does."""
    if not (SERVER.is_on and table.frame is None and (table.is_parquet or table.is_packed)):
        return series_from(table, roles, progress)
    return call(
        _read,
        _with(table, open=_nowhere),
        roles,
        name=table.name,
        files=[table.open],
        most=READ_BYTES + 2 * needed_bytes(table, roles),
        seconds=SECONDS,
        progress=progress,
    )


def _read(
    files: Sequence[Opener], progress: Progress, table: TableFile, roles: ReadOptions
) -> Series:
    return series_from(_with(table, open=files[0]), roles, progress)


def _with(table: TableFile, open: Opener) -> TableFile:
    """Return the same table that opens elsewhere, with the sample that was taken of it."""
    made = replace(table, open=open)
    vars(made)["sample"] = table.sample
    return made


def _nowhere() -> BinaryIO:
    raise TableError("is not here")


@contextlib.contextmanager
def _shared(opener: Opener) -> Iterator[int]:
    """Put the content of a file where another process can see it."""
    file = os.memfd_create("padf")
    try:
        with opener() as raw, os.fdopen(file, "wb", closefd=False) as copy:
            whole = raw.getbuffer() if isinstance(raw, io.BytesIO) else raw.read()
            copy.write(whole)
            del whole
        yield file
    finally:
        os.close(file)


# ---- here ----------------------------------------------------------------------------------------


def _ask(
    job: Job,
    files: Sequence[int],
    name: str,
    most: int,
    seconds: float,
    progress: Progress = no_progress,
) -> Any:
    """Let a fork do a job; a run that is ended meanwhile ends the fork, too."""
    made = os.memfd_create("padf")
    forks: list[int] = []
    asked = pickle.dumps((job, most, seconds))
    try:
        # The job goes over as a file: a line would block until the fork reads it.
        with (
            _shared(partial(io.BytesIO, asked)) as request,
            SERVER.send([made, request, *files]) as line,
        ):
            told = _answer(line, name, time.monotonic() + seconds, progress, forks)
        return _joined(told, made)
    finally:
        os.close(made)
        for pid in forks:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)


def _answer(
    line: socket.socket, name: str, until: float, progress: Progress, forks: list[int]
) -> Any:
    """Wait for the end of a job, and report progress; ``forks`` gets the process that does it.

    Progress is reported also while the process starts: a run can only be stopped there.
    """
    share = 0.0
    while True:
        if not select.select([line], [], [], TICK_SECONDS)[0]:
            progress(share)
            if time.monotonic() > until:
                raise TableError(f"{name}: {_TOO_MUCH}")
            continue
        content = _get(line)
        if content is None:
            raise TableError(f"{name}: {_TOO_MUCH}")
        kind, told = pickle.loads(content)
        if kind == "begun":
            forks.append(told)
        elif kind == "progress":
            share = told
            progress(share)
        elif kind == "error":
            raise told
        else:
            return told


def _joined(told: tuple[bytes, list[int]], file: int) -> Any:
    """Return what was pickled; its columns lie in a file, and are seen there, not copied."""
    content, sizes = told
    total = sum(sizes)
    whole = memoryview(mmap.mmap(file, total, access=mmap.ACCESS_COPY) if total else b"")
    parts, at = [], 0
    for size in sizes:
        parts.append(whole[at : at + size])
        at += size
    return pickle.loads(content, buffers=parts)


def _put(line: socket.socket, content: bytes) -> None:
    line.sendall(_SIZE.pack(len(content)) + content)


def _get(line: socket.socket) -> bytes | None:
    head = line.recv(_SIZE.size, socket.MSG_WAITALL)
    if len(head) < _SIZE.size:
        return None
    size = _SIZE.unpack(head)[0]
    content = bytearray()
    while len(content) < size:
        block = line.recv(min(1 << 20, size - len(content)))
        if not block:
            return None
        content += block
    return bytes(content)


# ---- there ---------------------------------------------------------------------------------------


def _wait(line: socket.socket) -> None:
    """Fork for every job until the server is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        asked, files, _, _ = socket.recv_fds(line, 1, 256)
        if not asked:
            return
        if os.fork() == 0:
            line.close()
            # If the server has stopped waiting, its end of the line is closed.
            with contextlib.suppress(OSError):
                _work(socket.socket(fileno=files[0]), files[1:])
            os._exit(0)
        for file in files:
            os.close(file)


def _work(line: socket.socket, files: Sequence[int]) -> None:
    """Do one job within its limits."""
    made, request, *shared = files
    with _open(request) as asked:
        job, most, seconds = pickle.load(asked)
    _limit(most, seconds)
    _put(line, pickle.dumps(("begun", os.getpid())))
    try:
        found = _do(job, shared, lambda share: _put(line, pickle.dumps(("progress", share))))
        _put(line, pickle.dumps(("made", _laid_out(found, made))))
    except Exception as error:
        _put(line, pickle.dumps(("error", _plain(error))))


def _plain(error: Exception) -> Exception:
    """Return an error that can be sent as it is; what is none of ours is told in one line."""
    if isinstance(error, MemoryError):
        return TableError("is too large for the memory that one file may take")
    try:
        return pickle.loads(pickle.dumps(error)) if isinstance(error, TableError) else _other(error)
    except TypeError:
        return _other(error)


def _other(error: Exception) -> TableError:
    return TableError(f"cannot be read as a table: {' '.join(str(error).split())[:200]}")


def _limit(most: int, seconds: float) -> None:
    import resource

    with open("/proc/self/statm") as told:
        taken = int(told.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (taken + most, taken + most))
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _do(job: Job, files: Sequence[int], progress: Progress) -> Any:
    work, told = job
    return work([partial(_open, file) for file in files], progress, *told)


def _open(file: int) -> Any:
    """Open a shared file from its start, with a place of its own."""
    return open(f"/proc/self/fd/{file}", "rb")


def _laid_out(made: Any, file: int) -> tuple[bytes, list[int]]:
    """Lay the columns into a file; return all the rest, and how long they are."""
    buffers: list[pickle.PickleBuffer] = []
    content = pickle.dumps(made, protocol=5, buffer_callback=buffers.append)
    views = [buffer.raw() for buffer in buffers]
    with os.fdopen(file, "wb", closefd=False) as copy:
        for view in views:
            copy.write(view)
    return content, [view.nbytes for view in views]


def wait(line: int) -> None:
    """Be the process that waits: load all there is to load, and fork."""
    with contextlib.suppress(ImportError):
        import pyarrow
        from pyarrow import compute, parquet  # noqa: F401

        pyarrow.set_cpu_count(1)
        pyarrow.set_io_thread_count(1)
    _wait(socket.socket(fileno=line))
