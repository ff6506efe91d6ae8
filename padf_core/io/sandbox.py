"""Read untrusted files in a separate process, with limits on memory and time.

A server calls `start` once. This starts a process that forks for each file (`padf_core.io.forks`).
Whatever a file does to its fork, it uses a bounded amount of memory and time. The server continues
meanwhile, and other users do not wait. Files and columns are passed as shared memory.

If nothing was started, or the system does not support it, the same functions read files in this
process. Plain text is always read here: it cannot decompress to anything larger, and the fork would
make it a third slower.
"""

from __future__ import annotations

import contextlib
import io
import mmap
import os
import pickle
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from multiprocessing.connection import Connection
from typing import Any, BinaryIO, TypeVar

from padf_core.io.errors import TableError
from padf_core.io.forks import CAN_FORK, Fork, ForkServer
from padf_core.io.join import open_files
from padf_core.io.options import ReadOptions
from padf_core.io.read import series_from
from padf_core.io.read_columns import needed_bytes
from padf_core.io.series import Series
from padf_core.io.sources import Source
from padf_core.io.tables import TableFile
from padf_core.metrics.checks import Progress, no_progress

LOOK_BYTES = 2 << 30
READ_BYTES = 1 << 30
"""Memory limits for inspecting a file, and for reading one in addition to its columns."""
SECONDS = 300.0
LOOK_SECONDS = 60.0
TICK_SECONDS = 0.2

_TOO_MUCH = "is too large to read here: it needs more memory or time than one file may use"

_ALLOCATOR = {"MALLOC_ARENA_MAX": "2", "ARROW_DEFAULT_MEMORY_POOL": "system"}
"""Environment of the forks.

Address space is limited too, and extra malloc arenas and Arrow's own allocator would reserve more
than they use.
"""

Made = TypeVar("Made")
Opener = Callable[[], Any]
Job = tuple[Callable[..., Any], tuple[Any, ...]]
"""A module-level function, and its arguments after the files and the progress."""


SERVER = ForkServer(["pyarrow.compute", "pyarrow.parquet", __name__], _ALLOCATOR)
"""The fork server of this machine, off until it is started."""

stop = SERVER.stop


def start() -> None:
    """Start the server process, if the system supports it."""
    if CAN_FORK and hasattr(os, "memfd_create"):
        SERVER.start()


def call(
    work: Callable[..., Made],
    *given: Any,
    name: str,
    files: Sequence[Opener] = (),
    most: int,
    seconds: float,
    progress: Progress = no_progress,
) -> Made:
    """Call ``work(files, progress, *given)`` within limits; ``files`` are functions that open one.

    ``work`` must be a module-level function. A `TableError` is passed on unchanged; other errors
    are converted to a `TableError` of one line.
    """
    if not SERVER.is_on:
        return work(list(files), progress, *given)
    with contextlib.ExitStack() as opened:
        shared = [opened.enter_context(_shared(opener)) for opener in files]
        made: Made = _ask((work, given), shared, name, most, seconds, progress)
    return made


def look(sources: Sequence[Source]) -> TableFile:
    """Inspect a table, or join several files, as `open_files` does."""
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
    """Return whether a file is uncompressed text, which takes little memory to inspect."""
    if source.name.lower().endswith((".json", ".jsonl", ".ndjson", ".npy")):
        return False
    with source.open() as raw:
        beginning = raw.read(4)
    return not beginning.startswith((b"\x1f\x8b", b"PAR1"))


def read(table: TableFile, options: ReadOptions, progress: Progress = no_progress) -> Series:
    """Read the required columns, as `series_from` does."""
    if not (SERVER.is_on and table.frame is None and (table.is_parquet or table.is_packed)):
        return series_from(table, options, progress)
    return call(
        _read,
        _with(table, open=_nowhere),
        options,
        name=table.name,
        files=[table.open],
        most=READ_BYTES + 2 * needed_bytes(table, options),
        seconds=SECONDS,
        progress=progress,
    )


def _read(
    files: Sequence[Opener], progress: Progress, table: TableFile, options: ReadOptions
) -> Series:
    return series_from(_with(table, open=files[0]), options, progress)


def _with(table: TableFile, open: Opener) -> TableFile:
    """Return the same table with another opener, keeping its sample."""
    made = replace(table, open=open)
    vars(made)["sample"] = table.sample
    return made


def _nowhere() -> BinaryIO:
    raise TableError("does not exist")


@contextlib.contextmanager
def _shared(opener: Opener) -> Iterator[int]:
    """Copy the content of a file to shared memory."""
    file = os.memfd_create("padf")
    try:
        with opener() as raw, os.fdopen(file, "wb", closefd=False) as copy:
            whole = raw.getbuffer() if isinstance(raw, io.BytesIO) else raw.read()
            copy.write(whole)
            del whole
        yield file
    finally:
        os.close(file)


def _ask(
    job: Job,
    files: Sequence[int],
    name: str,
    most: int,
    seconds: float,
    progress: Progress = no_progress,
) -> Any:
    """Run a job in a fork; if this run is interrupted, the fork is ended too."""
    made = os.memfd_create("padf")
    asked = pickle.dumps((job, most, seconds))
    try:
        # The job is passed as a file, because a pipe would block until the fork reads it.
        with _shared(partial(io.BytesIO, asked)) as request:
            fork = SERVER.fork(_work, [made, request, *files])
        try:
            answer = _answer(fork, name, time.monotonic() + seconds, progress)
        finally:
            fork.end()
        return _joined(answer, made)
    finally:
        os.close(made)


def _answer(fork: Fork, name: str, until: float, progress: Progress) -> Any:
    """Wait for the end of a job, and report progress.

    Progress is also reported while the process starts, because a run can only be stopped in that
    call.
    """
    share = 0.0
    while True:
        try:
            answer = fork.receive(TICK_SECONDS)
        except EOFError:
            raise TableError(f"{name}: {_TOO_MUCH}") from None
        if not answer:
            progress(share)
            if time.monotonic() > until:
                raise TableError(f"{name}: {_TOO_MUCH}")
            continue
        kind, content = answer
        if kind == "progress":
            share = content
            progress(share)
        elif kind == "error":
            raise content
        else:
            return content


def _joined(answer: tuple[bytes, list[int]], file: int) -> Any:
    """Unpickle the answer; its columns are memory-mapped from the file, not copied."""
    content, sizes = answer
    total = sum(sizes)
    whole = memoryview(mmap.mmap(file, total, access=mmap.ACCESS_COPY) if total else b"")
    parts, at = [], 0
    for size in sizes:
        parts.append(whole[at : at + size])
        at += size
    return pickle.loads(content, buffers=parts)


def _work(line: Connection, files: Sequence[int]) -> None:
    """Run one job within its limits, inside the fork."""
    made, request, *shared = files
    with _open(request) as asked:
        job, most, seconds = pickle.load(asked)
    with contextlib.suppress(ImportError):
        import pyarrow

        pyarrow.set_cpu_count(1)
        pyarrow.set_io_thread_count(1)
    _limit(most, seconds)
    try:
        found = _do(job, shared, lambda share: line.send(("progress", share)))
        line.send(("made", _laid_out(found, made)))
    except Exception as error:
        line.send(("error", _plain(error)))


def _plain(error: Exception) -> Exception:
    """Return an error that can be pickled; errors of other packages become a `TableError`."""
    if isinstance(error, MemoryError):
        return TableError("is too large: it needs more memory than one file may use")
    try:
        return pickle.loads(pickle.dumps(error)) if isinstance(error, TableError) else _other(error)
    except TypeError:
        return _other(error)


def _other(error: Exception) -> TableError:
    return TableError(f"cannot be read as a table: {' '.join(str(error).split())[:200]}")


def _limit(most: int, seconds: float) -> None:
    import resource

    with open("/proc/self/statm") as status:
        taken = int(status.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (taken + most, taken + most))
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _do(job: Job, files: Sequence[int], progress: Progress) -> Any:
    work, given = job
    return work([partial(_open, file) for file in files], progress, *given)


def _open(file: int) -> Any:
    """Open a shared file from its start, with its own file position."""
    return open(f"/proc/self/fd/{file}", "rb")


def _laid_out(made: Any, file: int) -> tuple[bytes, list[int]]:
    """Write the columns to a file; return the rest of the pickle, and the sizes."""
    buffers: list[pickle.PickleBuffer] = []
    content = pickle.dumps(made, protocol=5, buffer_callback=buffers.append)
    views = [buffer.raw() for buffer in buffers]
    with os.fdopen(file, "wb", closefd=False) as copy:
        for view in views:
            copy.write(view)
    return content, [view.nbytes for view in views]
