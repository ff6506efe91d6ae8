"""Engines that run tasks: this process, several processes, or a Dask cluster.

The data alone determine how the work is split into tasks. Each task is a pure function of its
inputs and of stored results. An engine only decides where and when a task runs, so all engines give
bit-identical results.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

from padf_core.corpus.stores import CannotWrite, Store
from padf_core.io.forks import CAN_FORK, Fork, ForkServer
from padf_core.io.stopping import interruptible

Task = TypeVar("Task")
Result = TypeVar("Result")
Work = Callable[[Task, Store], Result]

CONNECT_SECONDS = 5
"""Seconds that a Dask scheduler may take to answer."""


@dataclass(frozen=True)
class Lost:
    """A task that failed, and why."""

    why: str


class Engine(ABC):
    """Runs tasks in any order."""

    @abstractmethod
    def run(
        self, work: Work[Task, Result], tasks: Sequence[Task], store: Store
    ) -> Iterator[tuple[int, Result | Lost]]:
        """Yield the index of each task and its result, in order of completion."""

    @contextmanager
    def open(self) -> Iterator[None]:
        """Keep the engine ready for tasks while the context is open."""
        yield

    @property
    def notice(self) -> str | None:
        """A message for the user before the work begins."""
        return None


def attempt(work: Work[Task, Result], task: Task, store: Store) -> Result | Lost:
    """Run a task and return any error, so that the other tasks continue.

    Raises
    ------
    CannotWrite
        If the result cannot be stored. No other task could store its result either.
    """
    try:
        return work(task, store)
    except CannotWrite:
        raise
    except Exception as error:
        reason = " ".join(str(error).split())
        return Lost(f"{type(error).__name__}: {reason}"[:300] if reason else type(error).__name__)


class OneProcess(Engine):
    """Runs one task after another in this process."""

    def run(
        self, work: Work[Task, Result], tasks: Sequence[Task], store: Store
    ) -> Iterator[tuple[int, Result | Lost]]:
        for place, task in enumerate(tasks):
            with interruptible():
                made = attempt(work, task, store)
            yield place, made


class Processes(Engine):
    """Runs tasks in several processes of this machine.

    A process that dies is replaced, and its task is tried again.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._server = ForkServer(["padf_core.corpus.running"])
        self._workers: set[Fork] = set()

    @contextmanager
    def open(self) -> Iterator[None]:
        try:
            yield
        finally:
            self._end(self._workers)
            self._server.stop()

    def _end(self, workers: Iterable[Fork]) -> None:
        for worker in list(workers):
            worker.end()
            self._workers.discard(worker)

    def run(
        self, work: Work[Task, Result], tasks: Sequence[Task], store: Store
    ) -> Iterator[tuple[int, Result | Lost]]:
        died = []
        for place, made in self._round(work, tasks, store, range(len(tasks)), self.count):
            if made is None:
                died.append(place)
            else:
                yield place, made
        # The processes may have run out of memory, so their tasks are tried again one by one.
        for place, made in self._round(work, tasks, store, died, 1):
            yield place, Lost("the process that read it was killed") if made is None else made

    def _round(
        self,
        work: Work[Task, Result],
        tasks: Sequence[Task],
        store: Store,
        places: Iterable[int],
        most: int,
    ) -> Iterator[tuple[int, Any]]:
        """Run some of the tasks, ``most`` at a time; yield None if a task's process died."""
        left = deque(places)
        idle = list(self._workers)
        busy: dict[Fork, int] = {}
        try:
            while left or busy:
                while left and len(busy) < most:
                    worker = idle.pop() if idle else self._server.fork(_serve)
                    self._workers.add(worker)
                    busy[worker] = left.popleft()
                    # If the worker has died, the closed connection is detected below.
                    with suppress(OSError):
                        worker.line.send((work, tasks[busy[worker]], store))
                ready = wait([worker.line for worker in busy])
                for worker in [worker for worker in busy if worker.line in ready]:
                    made = None
                    try:
                        answer = worker.receive()
                    except EOFError:
                        self._end([worker])
                    else:
                        if not answer:
                            continue
                        (made,) = answer
                        idle.append(worker)
                    if isinstance(made, CannotWrite):
                        raise made
                    yield busy.pop(worker), made
        finally:
            self._end(busy)


def _serve(line: Connection, files: Sequence[int]) -> None:
    """Run tasks from the connection, one by one."""
    while True:
        work, task, store = line.recv()
        try:
            made: object = attempt(work, task, store)
        except CannotWrite as error:
            made = error
        line.send((made,))


class Dask(Engine):
    """Runs tasks on a Dask cluster, whose workers need access to the files and the store."""

    def __init__(self, client: Any, *, is_own: bool = False) -> None:
        self._client = client
        self._is_own = is_own

    @contextmanager
    def open(self) -> Iterator[None]:
        try:
            yield
        finally:
            if self._is_own:
                self._client.close()

    @property
    def notice(self) -> str | None:
        if self._client.nthreads():
            return None
        return "the Dask cluster has no workers yet; waiting for one"

    def run(
        self, work: Work[Task, Result], tasks: Sequence[Task], store: Store
    ) -> Iterator[tuple[int, Result | Lost]]:
        distributed = import_module("distributed")
        places = {}
        for place, task in enumerate(tasks):
            future = self._client.submit(attempt, work, task, store, pure=False)
            places[future] = place
        try:
            for future in distributed.as_completed(list(places), loop=self._client.loop):
                try:
                    made = future.result()
                except distributed.scheduler.KilledWorker:
                    made = Lost("every worker that read it was killed")
                except CannotWrite:
                    raise
                except Exception as error:
                    reason = " ".join(str(error).split()) or type(error).__name__
                    raise ValueError(f"the Dask cluster cannot do the work: {reason}") from None
                future.release()
                yield places.pop(future), made
        finally:
            self._client.cancel(list(places))


def engine_of(backend: object) -> Engine:
    """Return the engine for a backend.

    ``backend`` is None or 1 for this process, a number of processes, "processes" for one per core,
    the address of a Dask scheduler, or a Dask client or cluster.
    """
    if isinstance(backend, Engine):
        return backend
    if backend is None:
        return OneProcess()
    if isinstance(backend, int) and not isinstance(backend, bool):
        if not 1 <= backend <= 1024:
            raise ValueError(f"backend must be at least one process; got {backend}")
        return OneProcess() if backend == 1 or not CAN_FORK else Processes(backend)
    if backend == "processes":
        count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        return engine_of(count or 1)
    if hasattr(backend, "submit") and hasattr(backend, "cancel"):
        return Dask(backend)
    if isinstance(backend, str) and ":" not in backend:
        raise ValueError(
            "backend must be a number of processes, 'processes', or a Dask scheduler's address; "
            f"got {backend!r}"
        )
    try:
        client = import_module("distributed").Client
    except ImportError:
        raise ValueError(
            "a Dask cluster needs the package distributed: pip install 'padf-explorer[dask]'"
        ) from None
    try:
        return Dask(client(backend, set_as_default=False, timeout=CONNECT_SECONDS), is_own=True)
    except (OSError, TypeError, ValueError) as error:
        raise ValueError(f"no Dask scheduler answers at {backend}: {error}") from None
