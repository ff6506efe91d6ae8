"""One process, several, and a Dask cluster of separate processes give the same to the bit."""

import os
import signal
import socket
import threading
import time

import pytest

import padf_core as padf
from padf_core.__main__ import main
from padf_core.corpus.engines import Lost, OneProcess, Processes, attempt, engine_of
from padf_core.corpus.stores import Store
from tests.core.corpus_files import start, write_tables

pytestmark = pytest.mark.slow

PROTOCOLS = [padf.Pointwise(), padf.PointAdjustDecay(), padf.EventWise()]


def run(folder, backend, rule, keep=None):
    corpus = padf.Corpus.from_files(folder)
    made = corpus.evaluate(PROTOCOLS, thresholds=rule, backend=backend, keep=keep, random=2)
    return repr(made.rows)


def kill_once(task, store):
    """Kill the process that does this, the first time; the second time answer."""
    mark = store.folder / f"{task}.mark"
    if task == "deadly" and not mark.exists():
        mark.write_text("")
        os.kill(os.getpid(), signal.SIGKILL)
    return f"{task} is done"


def kill_always(task, store):
    """Kill whoever does the deadly task."""
    if task == "deadly":
        time.sleep(0.2)
        os.kill(os.getpid(), signal.SIGKILL)
    return f"{task} is done"


TASKS = ["a", "b", "deadly", "c", "d"]
NO_WORKERS = "the Dask cluster has no workers yet; waiting for one"


def test_several_processes_give_the_same_and_survive_a_kill(tmp_path):
    folder = write_tables(tmp_path / "tables", count=5)
    engine = Processes(2)
    with engine.open():
        for rule in ("common", "others", "best"):
            assert run(folder, engine, rule) == run(folder, None, rule)
        store = Store(tmp_path / "kept")
        assert dict(engine.run(kill_once, TASKS, store)) == {
            at: f"{task} is done" for at, task in enumerate(TASKS)
        }
        made = dict(engine.run(kill_always, TASKS, store))
        assert made[2] == Lost("the process that read it was killed")
        assert [made[at] for at in (0, 1, 3, 4)] == [f"{task} is done" for task in "abcd"]


def test_a_dask_cluster_gives_the_same_and_a_killed_worker_loses_nothing(tmp_path):
    distributed = pytest.importorskip("distributed")
    folder = write_tables(tmp_path / "tables", count=8)
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        # By its address, as the command names it.
        assert run(folder, cluster.scheduler_address, "common") == run(folder, None, "common")
        assert engine_of(client).notice is None
        # One of the two is killed when the first series is done; the other, and the one that comes
        # in its place, do the rest.
        keep = tmp_path / "kept"
        keep.mkdir()
        victim = next(iter(client.run(os.getpid).values()))
        killer = threading.Thread(target=kill_when_begun, args=(keep, victim))
        killer.start()
        assert run(folder, client, "others", keep) == run(folder, None, "others")
        killer.join()
        assert victim not in client.run(os.getpid).values()


def kill_when_begun(keep, victim):
    while not any(keep.glob("*.json")):
        time.sleep(0.01)
    os.kill(victim, signal.SIGKILL)


@pytest.fixture
def started():
    """Starts commands that are ended with the test."""
    processes = []

    def begin(*arguments, **more):
        processes.append(start(*arguments, **more))
        return processes[-1]

    yield begin
    for process in processes:
        if process.poll() is None:
            process.kill()
            process.communicate()


def test_the_command_gives_the_same_on_a_cluster_by_its_address(tmp_path, started):
    pytest.importorskip("distributed")
    options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    lines = iter(started(*options, module="distributed.cli.dask_scheduler").stderr.readline, "")
    scheduler = next(line.split()[-1] for line in lines if "Scheduler at:" in line)
    tables = write_tables(tmp_path / "tables")
    call = ["corpus", str(tables), "--threshold", "common", "--random", "2", "--out"]
    assert main([*call, str(tmp_path / "here.csv"), "--backend", "1"]) == 0
    # The port is bound, and no server listens there.
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        nowhere = f"tcp://127.0.0.1:{bound.getsockname()[1]}"
        lost = started(*call, tmp_path / "lost.csv", "--backend", nowhere)
        # There is no worker yet, so that this run can only wait until it is stopped.
        stopped = started(*call, tmp_path / "there.csv", "--backend", scheduler)
        lines = iter(stopped.stderr.readline, "")
        assert any(line == f"padf: {NO_WORKERS}\n" for line in lines)
        os.killpg(stopped.pid, signal.SIGINT)
        _, error = stopped.communicate()
        assert stopped.returncode == 130
        assert error.startswith("padf: stopped. Finished series are kept in ")
        assert error.count("\n") == 1
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard"]
        started(scheduler, *options, module="distributed.cli.dask_worker")
        run = started(*call, tmp_path / "there.csv", "--backend", scheduler)
        _, error = run.communicate()
        assert run.returncode == 0, error
        assert (tmp_path / "there.csv").read_bytes() == (tmp_path / "here.csv").read_bytes()
        _, error = lost.communicate()
    assert lost.returncode == 2
    last = error.splitlines()[-1]
    assert last.startswith(f"padf: no Dask scheduler answers at {nowhere}: ")
    # Layout, two guesses, series and detectors, the rule, and the reason.
    assert error.count("\n") == 6


def test_whatever_goes_wrong_in_a_task_is_told(tmp_path):
    def fails(task, store):
        raise KeyError(task)

    assert attempt(fails, "x", Store(tmp_path)) == Lost("KeyError: 'x'")


@pytest.mark.parametrize("backend", [0, "odd", "nowhere:1:2"])
def test_a_backend_that_is_none_is_refused(backend):
    with pytest.raises(ValueError):
        engine_of(backend)


def test_backends_by_name_and_number():
    assert isinstance(engine_of(None), OneProcess)
    assert isinstance(engine_of(1), OneProcess)
    assert engine_of(3).count == 3
    assert isinstance(engine_of("processes"), (OneProcess, Processes))
