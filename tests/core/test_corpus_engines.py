"""One process, several, and a Dask cluster of separate processes give the same to the bit."""

import os
import signal
import threading
import time

import pytest

import padf_core as padf
from padf_core.corpus.engines import Lost, OneProcess, Processes, attempt, engine_of
from padf_core.corpus.stores import Store
from tests.core.corpus_files import write_tables

PROTOCOLS = [padf.Pointwise(), padf.PointAdjustDecay(), padf.EventWise()]


def run(folder, backend, rule, keep=None):
    corpus = padf.Corpus.from_files(folder)
    made = corpus.evaluate(PROTOCOLS, thresholds=rule, backend=backend, keep=keep, chance=2)
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
        assert made[2] == Lost("the process that read it was ended")
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
