"""A run of a corpus that is stopped: one line, and the same call again gives the same bytes."""

import errno
import os
import resource
import signal
import time
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import padf_core as padf
from padf_core.__main__ import main
from padf_core.corpus import counting
from padf_core.corpus.formats import Format, Formats
from padf_core.corpus.stores import CannotWrite, write_whole
from padf_core.corpus.writing import tidy_csv
from padf_core.io.errors import TableError
from tests.core.corpus_files import start, write_tables

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def heeded():
    """Where tests run in the background, Ctrl-C may be ignored; here it never is."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


SERIES = 10
GUESSED = ("padf: label: ", "padf: scores: ")
TOLD = ("padf: layout", *GUESSED, f"padf: {SERIES} series", "padf: thresholds")
PROTOCOLS = [padf.Pointwise(), padf.PointAdjustDecay()]


def call(tables, out, backend="2"):
    made = ["corpus", str(tables), "--threshold", "common", "--random", "2"]
    return [*made, "--backend", backend, "--out", str(out)]


WATCH = """
import atexit, os, signal, sys

EVENTS = ("open", "tempfile.mkstemp", "os.rename", "os.remove", "pickle.find_class")
seen = 0

def watch(event, told):
    global seen
    is_own_import = event == "import" and told[0].startswith("padf_core")
    is_event = event in EVENTS and not str(told[0]).endswith((".py", ".pyc"))
    if (is_own_import or is_event) and callable(signal.getsignal(signal.SIGTERM)):
        seen += 1
        if seen == {at}:
            os.killpg(0, {number})

def tell():
    with open({told!r}, "w") as file:
        file.write(str(seen))

# Only the command itself leads the process group.
if os.getpid() == os.getpgrp():
    sys.addaudithook(watch)
    atexit.register(tell)
"""
"""Counts what the command does from the time on when it handles signals; stops it at one event."""


def start_watched(arguments, folder, at=0, number=0):
    """Start the command so that a signal is sent to its process group at an event of its run."""
    folder.mkdir()
    watch = WATCH.format(at=at, number=int(number), told=str(folder / "seen"))
    (folder / "sitecustomize.py").write_text(watch)
    return start(*arguments, folders=[folder])


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The tables, the bytes of a run that nothing stops, and how many events it has."""
    folder = tmp_path_factory.mktemp("whole")
    tables = write_tables(folder / "tables", count=SERIES, size=300)
    process = start_watched(call(tables, folder / "out.csv"), folder / "watch")
    _, error = process.communicate()
    assert process.returncode == 0, error
    return tables, (folder / "out.csv").read_bytes(), int((folder / "watch/seen").read_text())


def check_resumed(tables, out, expected):
    """Make the same call again, here: it gives the same bytes and leaves nothing else behind."""
    assert main(call(tables, out, "1")) == 0
    assert out.read_bytes() == expected
    assert os.listdir(out.parent) == [out.name]


@pytest.mark.parametrize(("number", "moments"), [(signal.SIGINT, 20), (signal.SIGTERM, 6)])
def test_a_run_stopped_at_any_moment_goes_on_to_the_same_bytes(whole, tmp_path, number, moments):
    tables, expected, events = whole

    def begin(moment):
        out = tmp_path / str(moment) / "out.csv"
        out.parent.mkdir()
        at = 1 + events * moment // moments
        return out, start_watched(call(tables, out), tmp_path / f"watch {moment}", at, number)

    for moment in range(0, moments, 2):
        # Two at a time take half as long.
        for out, process in [begin(moment), begin(moment + 1)]:
            # Every process of the group holds these pipes open: at their end none is left.
            _, error = process.communicate()
            assert process.returncode == 128 + number, error
            *before, last = error.splitlines()
            assert last.startswith("padf: stopped."), error
            assert all(line.startswith(TOLD) for line in before), error
            assert not out.exists() or out.read_bytes() == expected
            check_resumed(tables, out, expected)


@pytest.fixture(scope="module")
def full():
    """A standard output on which nothing can be printed: the summary waits until it is stopped."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with suppress(BlockingIOError):
        while True:
            os.write(writing, bytes(1 << 12))
    os.set_blocking(writing, True)
    yield writing
    os.close(reading)
    os.close(writing)


def test_a_run_stopped_without_out_leaves_nothing(whole, full, tmp_path, monkeypatch):
    tables, _, _ = whole
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    process = start("corpus", tables, "--backend", "2", stdout=full)
    lines = iter(process.stderr.readline, "")
    assert any(line.startswith("padf: thresholds") for line in lines)
    os.killpg(process.pid, signal.SIGINT)
    _, error = process.communicate()
    assert process.returncode == 130
    assert error == "padf: stopped. Without --out, no results are kept.\n"
    assert not list(tmp_path.glob("padf-*"))


def test_workers_end_with_a_run_that_is_killed(whole, full, tmp_path):
    tables, expected, _ = whole
    out = tmp_path / "out.csv"
    process = start(*call(tables, out), stdout=full)
    # Once a result is kept, there is a worker.
    while not any(tmp_path.glob("out.csv.parts/*.json")):
        assert process.poll() is None
        time.sleep(0.001)
    process.kill()
    process.communicate()
    check_resumed(tables, out, expected)


WRITER = """
import signal, sys
from pathlib import Path
from padf_core.io.stopping import ending_on_signals
from padf_core.corpus.stores import write_whole

def write(file):
    file.write(b"first half, ")
    signal.raise_signal(signal.SIGTERM)
    file.write(b"second half")

with ending_on_signals("stopped"):
    write_whole(Path(sys.argv[1]), write)
    print("not reached")
"""


def test_a_stop_waits_until_a_file_is_whole(tmp_path):
    (tmp_path / "writer.py").write_text(WRITER)
    (tmp_path / "made").mkdir()
    out = tmp_path / "made" / "out.csv"
    process = start(out, module="writer", folders=[tmp_path])
    assert process.communicate() == ("", "stopped\n")
    assert process.returncode == 143
    assert out.read_text() == "first half, second half"
    assert os.listdir(out.parent) == [out.name]


LATE = """
import atexit, os, signal
atexit.register(lambda: os.kill(os.getpid(), signal.SIGINT))
"""


def test_an_interrupt_when_everything_is_done_changes_nothing(tmp_path):
    (tmp_path / "sitecustomize.py").write_text(LATE)
    (tables := tmp_path / "tables").mkdir()
    (tables / "a.csv").write_text("label,one score\n0,0.1\n1,0.7\n0,0.3\n")
    process = start(*call(tables, tmp_path / "out.csv", "1"), folders=[tmp_path])
    _, error = process.communicate()
    assert process.returncode == 0, error
    assert "stopped" not in error


KILLER = """
import os, signal, sys

first = os.getpid()

def kill(event, told):
    is_read = event == "open" and str(told[0]).endswith("series_05.csv")
    if is_read and os.getpid() != first:
        try:
            os.close(os.open({mark!r}, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return
        os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(kill)
"""


def test_the_task_of_a_worker_that_is_killed_is_done_again(whole, tmp_path):
    tables, expected, _ = whole
    mark = tmp_path / "killed"
    loaded = tmp_path / "loaded"
    loaded.mkdir()
    (loaded / "sitecustomize.py").write_text(KILLER.format(mark=str(mark)))
    process = start(*call(tables, tmp_path / "out.csv"), folders=[loaded])
    _, error = process.communicate()
    assert process.returncode == 0, error
    assert mark.exists()
    assert (tmp_path / "out.csv").read_bytes() == expected


def test_a_full_disk_ends_the_run_with_one_line(tmp_path):
    tables = write_tables(tmp_path / "tables", count=4, size=200)
    write_tables(tmp_path / "large", count=1, size=9000, seed=1)
    (tmp_path / "large/series_00.csv").rename(tables / "series_99.csv")
    assert main(call(tables, tmp_path / "whole.csv", "1")) == 0
    out = tmp_path / "kept" / "out.csv"
    out.parent.mkdir()

    def limits():
        # No file may be larger than this, so that the write fails half-way.
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    process = start(*call(tables, out), limits=limits)
    _, error = process.communicate()
    assert process.returncode == 2
    last = error.splitlines()[-1]
    assert "cannot be written: File too large. Finished series are kept in " in last
    assert last.endswith("Run the same command again to continue.")
    assert error.count("\n") == 1 + len(TOLD)
    assert not out.exists()
    check_resumed(tables, out, (tmp_path / "whole.csv").read_bytes())


def test_a_file_that_cannot_be_written_is_named_and_leaves_nothing(tmp_path):
    def full(file):
        file.write(b"half")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    (tmp_path / "out.csv").write_text("before")
    with pytest.raises(CannotWrite, match=r"out\.csv: cannot be written: No space left on device"):
        write_whole(tmp_path / "out.csv", full)
    assert (tmp_path / "out.csv").read_text() == "before"
    assert os.listdir(tmp_path) == ["out.csv"]


# ---- from Python ---------------------------------------------------------------------------------


@pytest.fixture
def read(monkeypatch):
    """The names of the series that are read, in order."""
    names = []
    own = counting.read_series_files

    def reading(files, options, **more):
        names.append(files.name)
        return own(files, options, **more)

    monkeypatch.setattr(counting, "read_series_files", reading)
    return names


class Interrupted:
    """A file that is interrupted by Ctrl-C while it is read."""

    def __init__(self, raw):
        self._raw = raw

    def __getattr__(self, name):
        return getattr(self._raw, name)

    def __iter__(self):
        return iter(self._raw)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._raw.close()

    def read(self, size=-1):
        signal.raise_signal(signal.SIGINT)
        return self._raw.read(size)


@pytest.mark.parametrize("rule", ["best", "common"])
def test_an_interrupted_read_is_no_result(tmp_path, monkeypatch, read, rule):
    corpus = padf.Corpus.from_files(write_tables(tmp_path / "tables", count=4))
    expected = tidy_csv(corpus.evaluate(PROTOCOLS, thresholds=rule))
    keep = tmp_path / "kept"
    own = Format.table

    def interrupted(form, path, name):
        table = own(form, path, name)
        if path.name != "series_02.csv":
            return table
        return replace(table, open=lambda: Interrupted(path.open("rb")))

    with monkeypatch.context() as patched:
        patched.setattr(Format, "table", interrupted)
        with pytest.raises(KeyboardInterrupt):
            corpus.evaluate(PROTOCOLS, thresholds=rule, keep=keep)
    assert len(list(keep.glob("*.json"))) == 2
    read.clear()
    assert tidy_csv(corpus.evaluate(PROTOCOLS, thresholds=rule, keep=keep)) == expected
    assert read == ["series_02", "series_03"]


def test_an_interrupt_while_files_are_inspected_is_raised(tmp_path, monkeypatch):
    def interrupted(formats, path):
        # A reader turns the interrupt into an error in the file.
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        raise TableError(f"{path}: Calling read(nbytes) on source failed")

    monkeypatch.setattr(Formats, "of", interrupted)
    with pytest.raises(KeyboardInterrupt):
        padf.Corpus.from_files(write_tables(tmp_path / "tables", count=2), layout="files")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_file_that_could_not_be_read_is_read_again(tmp_path):
    tables = write_tables(tmp_path / "tables", count=3)
    corpus = padf.Corpus.from_files(tables)
    expected = tidy_csv(corpus.evaluate(PROTOCOLS, thresholds="common"))
    path, keep = tables / "series_01.csv", tmp_path / "kept"
    content, stat = path.read_bytes(), path.stat()
    for now in (bytes(len(content)), content):
        # The size and the time stay the same, as after a failure of the disk.
        path.write_bytes(now)
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        made = corpus.evaluate(PROTOCOLS, thresholds="common", keep=keep)
        assert made.has_bad == (now != content)
    assert tidy_csv(made) == expected


def test_a_long_table_goes_on_where_it_was_stopped(tmp_path, read):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"series": np.repeat(list("abcd"), 50), "detector": "one"})
    frame["label"] = np.arange(200) % 50 < 5
    frame["score"] = rng.normal(size=200) + frame["label"]
    frame.to_csv(tmp_path / "long.csv", index=False)

    def run(**more):
        corpus = padf.Corpus.from_files(tmp_path / "long.csv", folder=tmp_path / "rows")
        return tidy_csv(corpus.evaluate(PROTOCOLS, thresholds="best", **more))

    def stop(share):
        if share >= 0.5:
            raise KeyboardInterrupt

    expected = run()
    with pytest.raises(KeyboardInterrupt):
        run(keep=tmp_path / "kept", progress=stop)
    read.clear()
    assert run(keep=tmp_path / "kept") == expected
    assert read == ["c", "d"]


SCRIPT = """
import os, signal, sys
import padf_core as padf

def stop(share):
    os.killpg(0, signal.SIGINT)

if __name__ == "__main__":
    corpus = padf.Corpus.from_files(sys.argv[1])
    protocols = [padf.Pointwise(), padf.PointAdjustDecay()]
    corpus.evaluate(protocols, thresholds="common", backend=2, keep=sys.argv[2], progress=stop)
"""


def test_only_the_script_itself_is_interrupted(tmp_path):
    tables = write_tables(tmp_path / "tables", count=6)
    (tmp_path / "script.py").write_text(SCRIPT)
    process = start(tables, tmp_path / "kept", module="script", folders=[tmp_path])
    _, error = process.communicate()
    assert error.count("Traceback") == 1
    assert error.splitlines()[-1] == "KeyboardInterrupt"
    corpus = padf.Corpus.from_files(tables)
    made = corpus.evaluate(PROTOCOLS, thresholds="common", keep=tmp_path / "kept")
    assert tidy_csv(made) == tidy_csv(corpus.evaluate(PROTOCOLS, thresholds="common"))
