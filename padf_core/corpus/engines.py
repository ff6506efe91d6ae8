"""Who does the work: this process, several processes, or a Dask cluster.

Work is cut into tasks by the data alone, each a pure function of what it is given and of what was
kept. An engine only says who computes which task when, so all of them give the same to the bit.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import get_all_start_methods, get_context
from typing import Any, TypeVar

from padf_core.corpus.stores import Store

Task = TypeVar("Task")
Result = TypeVar("Result")
Work = Callable[[Task, Store], Result]


@dataclass(frozen=True)
class Lost:
    """A task that could not be done, and why."""

    why: str


class Engine(ABC):
    """Does tasks in any order."""

    @abstractmethod
    def run(
        self, work: Work[Task, Result], tasks: Sequence[Task], store: Store
    ) -> Iterator[tuple[int, Result | Lost]]:
        """Yield the number of each task and what came of it, as they are done."""

    @contextmanager
    def open(self) -> Iterator[None]:
        """Be ready for tasks as long as this lasts."""
        yield


def attempt(work: Work[Task, Result], task: Task, store: Store) -> Result | Lost:
    """Do a task; whatever goes wrong is told, and stops nobody else."""
    try:
        return work(task, store)
    except Exception as error:
        reason = " ".join(str(error).split())
        return Lost(f"{type(error).__name__}: {reason}"[:300] if reason else type(error).__name__)


class OneProcess(Engine):
    """Does one task after the other here."""

    def run(
        self, work: Work[Task, Result], tasks: Sequence[Task], store: Store
    ) -> Iterator[tuple[int, Result | Lost]]:
        for place, task in enumerate(tasks):
            yield place, attempt(work, task, store)


class Processes(Engine):
    """Several processes of this machine; one that dies is replaced, and its tasks done again."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._pool: ProcessPoolExecutor | None = None

    @contextmanager
    def open(self) -> Iterator[None]:
        try:
            yield
        finally:
            self._close()

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            safe = "forkserver" if "forkserver" in get_all_start_methods() else "spawn"
            context = get_context(safe)
            if safe == "forkserver":
                context.set_forkserver_preload(["padf_core.corpus.running"])
            self._pool = ProcessPoolExecutor(self.count, mp_context=context)
        return self._pool

    def _close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None

    def run(
        self, work: Work[Task, Result], tasks: Sequence[Task], store: Store
    ) -> Iterator[tuple[int, Result | Lost]]:
        left = deque(range(len(tasks)))
        suspects: deque[int] = deque()
        flying: dict[Future[Result | Lost], int] = {}
        while left or suspects or flying:
            # After a process has died, what it may have been doing is tried one by one.
            alone = bool(suspects)
            source, most = (suspects, 1) if alone else (left, 2 * self.count)
            while source and len(flying) < most:
                place = source.popleft()
                flying[self._started().submit(attempt, work, tasks[place], store)] = place
            done, _ = wait(flying, return_when=FIRST_COMPLETED)
            for future in done:
                place = flying.pop(future)
                try:
                    yield place, future.result()
                except BrokenProcessPool:
                    if alone:
                        yield place, Lost("the process that read it was ended")
                    else:
                        suspects.append(place)
            if any(isinstance(each.exception(), BrokenProcessPool) for each in done):
                suspects.extend(flying.values())
                flying.clear()
                self._close()


class Dask(Engine):
    """The workers of a Dask cluster; they must see the files and the folder of what is kept."""

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

    def run(
        self, work: Work[Task, Result], tasks: Sequence[Task], store: Store
    ) -> Iterator[tuple[int, Result | Lost]]:
        distributed = import_module("distributed")
        places = {}
        for place, task in enumerate(tasks):
            future = self._client.submit(attempt, work, task, store, pure=False)
            places[future] = place
        try:
            for future in distributed.as_completed(list(places)):
                try:
                    made = future.result()
                except distributed.scheduler.KilledWorker:
                    made = Lost("every worker that read it was ended")
                future.release()
                yield places.pop(future), made
        finally:
            self._client.cancel(list(places))


def engine_of(backend: object) -> Engine:
    """Return who does the work.

    ``backend`` is None or 1 for this process, a number of processes, "processes" for as many as
    there are cores, the address of a Dask scheduler, or a Dask client or cluster.
    """
    if isinstance(backend, Engine):
        return backend
    if backend is None:
        return OneProcess()
    if isinstance(backend, int) and not isinstance(backend, bool):
        if not 1 <= backend <= 1024:
            raise ValueError(f"backend must be at least one process; got {backend}")
        return OneProcess() if backend == 1 else Processes(backend)
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
        return Dask(client(backend, set_as_default=False), is_own=True)
    except (OSError, TypeError, ValueError) as error:
        raise ValueError(f"no Dask scheduler answers at {backend}: {error}") from None
