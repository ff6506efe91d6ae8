"""Files read in a process of their own: the same rows, and nothing that a file does reaches us."""

import contextlib
import gzip
import io
import os
import signal
import threading
import time

import numpy as np
import pandas as pd
import pytest

from padf_core.io import forks, sandbox
from padf_core.io.errors import MissingError, OrderError, TableError
from padf_core.io.guess import guess_options
from padf_core.io.join import open_files
from padf_core.io.read import series_from
from padf_core.io.sources import Source

RNG = np.random.default_rng(3)
FRAME = pd.DataFrame(
    {
        "time": pd.date_range("2024-01-01", periods=3000, freq="min"),
        "label": (np.arange(3000) % 100 > 90).astype(int),
        "a": RNG.random(3000),
        "b": RNG.integers(0, 2, 3000),
    }
)
TEXT = FRAME.to_csv(index=False).encode()


def parquet(frame):
    written = io.BytesIO()
    frame.to_parquet(written, index=False)
    return written.getvalue()


FILES = {
    "a.csv": TEXT,
    "a.csv.gz": gzip.compress(TEXT),
    "a.parquet": parquet(FRAME),
    "a.json": FRAME.drop(columns="time").to_json(orient="records").encode(),
}

pytestmark = pytest.mark.usefixtures("reader")


def source(name, content):
    return Source(name, lambda: io.BytesIO(content))


@pytest.mark.parametrize("name", FILES)
def test_what_is_read_there_is_what_is_read_here(name):
    here = open_files([source(name, FILES[name])])
    there = sandbox.look([source(name, FILES[name])])
    assert there.columns == here.columns
    assert there.estimated_rows == here.estimated_rows
    pd.testing.assert_frame_equal(there.sample, here.sample)
    shares = []
    roles = guess_options(there)
    assert sandbox.read(there, roles, shares.append).key == series_from(here, roles).key
    assert shares[-1] == 1.0


def test_several_files_are_joined_there():
    parts = [source("x_a.csv.gz", FILES["a.csv.gz"]), source("y_a.csv.gz", FILES["a.csv.gz"])]
    joined = sandbox.look(parts)
    assert joined.columns == open_files(parts).columns
    assert sandbox.read(joined, guess_options(joined)).size == len(FRAME)


def test_what_is_wrong_with_a_file_is_told_as_here():
    with pytest.raises(TableError, match="truncated: its gzip data ends too early"):
        sandbox.look([source("a.csv.gz", FILES["a.csv.gz"][:500])])
    holes = parquet(FRAME.assign(a=FRAME["a"].where(FRAME.index != 7)))
    table = sandbox.look([source("a.parquet", holes)])
    with pytest.raises(MissingError, match="row 8: scores must be numbers; got nothing"):
        sandbox.read(table, guess_options(table))


def test_times_that_do_not_rise_are_asked_about_as_here():
    twice = pd.concat([FRAME, FRAME.iloc[-2:]])
    table = sandbox.look([source("a.parquet", parquet(twice))])
    with pytest.raises(OrderError, match="timestamps must increase") as asked:
        sandbox.read(table, guess_options(table))
    # The row before the last one comes again, and then the last one does.
    assert (asked.value.backward, asked.value.repeated) == (1, 2)


def test_a_file_that_takes_too_much_memory_is_refused_and_the_next_is_read(monkeypatch):
    large = parquet(pd.concat([FRAME.drop(columns="time")] * 200, ignore_index=True))
    table = sandbox.look([source("a.parquet", large)])
    roles = guess_options(table)
    monkeypatch.setattr(sandbox, "READ_BYTES", 1 << 20)
    monkeypatch.setattr(sandbox, "needed_bytes", lambda table, roles: 0)
    # Each of the columns alone takes 4.6 MiB.
    with pytest.raises(TableError):
        sandbox.read(table, roles)
    monkeypatch.undo()
    assert sandbox.read(table, roles).size == 200 * len(FRAME)


def test_a_file_that_takes_too_long_is_refused(monkeypatch):
    monkeypatch.setattr(sandbox, "LOOK_SECONDS", -1.0)
    monkeypatch.setattr(sandbox, "TICK_SECONDS", 0.0)
    with pytest.raises(TableError, match="needs more memory or time than one file may"):
        sandbox.look([source("a.parquet", FILES["a.parquet"])])


def test_a_run_that_is_stopped_ends_the_reading(monkeypatch):
    table = sandbox.look([source("a.csv.gz", gzip.compress(TEXT + TEXT.split(b"\n", 1)[1] * 10))])
    began = []
    receive = forks.Fork.receive

    def note(fork, seconds):
        told = receive(fork, seconds)
        began.append(fork._pid)
        return told

    monkeypatch.setattr(forks.Fork, "receive", note)

    class Stopped(Exception):
        pass

    def stop(share):
        if began[-1]:
            raise Stopped

    with pytest.raises(Stopped):
        sandbox.read(table, guess_options(table), stop)
    for _ in range(100):
        if not os.path.exists(f"/proc/{began[-1]}"):
            break
        time.sleep(0.02)
    assert not os.path.exists(f"/proc/{began[-1]}")


def test_a_run_can_be_stopped_before_the_reading_has_begun():
    """The process that forks hangs: the run still reports progress, and ends there."""
    table = sandbox.look([source("a.csv.gz", gzip.compress(TEXT))])
    stopped = []

    def stop(share):
        stopped.append(share)
        raise TableError("stopped")

    def read():
        with contextlib.suppress(TableError):
            sandbox.read(table, guess_options(table), stop)

    forker = sandbox.SERVER._process.pid
    os.kill(forker, signal.SIGSTOP)
    try:
        run = threading.Thread(target=read, daemon=True)
        run.start()
        run.join(20)
        assert not run.is_alive()
        assert stopped == [0.0]
    finally:
        os.kill(forker, signal.SIGCONT)
    assert sandbox.read(table, guess_options(table)).size == len(FRAME)


def test_without_a_server_files_are_read_here(monkeypatch):
    monkeypatch.setattr(sandbox, "SERVER", forks.ForkServer())
    table = sandbox.look([source("a.parquet", FILES["a.parquet"])])
    assert sandbox.read(table, guess_options(table)).size == len(FRAME)
