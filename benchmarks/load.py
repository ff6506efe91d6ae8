"""Many visits at once, over websockets on this machine: how long each waits for its answer.

    python -m benchmarks.load [SECONDS]

Painters send one stroke a second, as the board does; others move the threshold of the pump's
sample; one runs a page again and again. The server is a process of its own; the visitors run beside
it on the same cores.
"""

import contextlib
import os
import random
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

from tests.browser.server import memory_of, serving_process
from tests.wire import Wire

BOARD = "n=60&truth=12-23_40-47&alarms=5_13_44"
SECONDS = 30
VISITS, MEGABYTES = 200, 30
GONE_SECONDS = 140
"""A minute until closed visits end, a minute and a half until results are forgotten, and a round of
the collector."""


@contextlib.contextmanager
def server():
    """Serve the app; yield its address and its process id."""
    with (
        tempfile.TemporaryDirectory() as folder,
        serving_process(Path(folder) / "log.txt") as served,
    ):
        yield served


def busy(pid):
    """Return the seconds for which a process has computed."""
    with open(f"/proc/{pid}/stat") as told:
        user, system = told.read().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def percentile(values, share):
    return statistics.quantiles(values, n=100)[round(share * 100) - 1] if len(values) > 1 else 0.0


def told(name, times, lost=0):
    ms = [1000 * each for each in times]
    print(
        f"{name}: {len(ms)} answers, p50 {percentile(ms, 0.5):.0f} ms, "
        f"p95 {percentile(ms, 0.95):.0f} ms, {lost} lost",
        flush=True,
    )


def crowd(address, page, query, act, count, seconds):
    """Let so many visits act once a second; return how long each answer took, and what was lost."""
    times, lost = [], []
    ready = threading.Barrier(count + 1)

    def visit(number):
        rng = random.Random(number)
        wire = Wire(address, page).open(query)
        ready.wait()
        began = time.perf_counter() + rng.random()
        for turn in range(seconds):
            time.sleep(max(0.0, began + turn - time.perf_counter()))
            sent = time.perf_counter()
            if act(wire, rng):
                times.append(time.perf_counter() - sent)
            else:
                lost.append(1)
        wire.close()

    threads = [threading.Thread(target=visit, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    ready.wait()
    for thread in threads:
        thread.join()
    return times, len(lost)


def paint(wire, rng):
    """Paint, and say whether the answer is to what was painted."""
    alarms = "".join(rng.choice("01") for _ in range(60))
    labels = "0" * 12 + "1" * 12 + "0" * 36
    _, answer = wire.ask("board", labels=labels, detections=alarms, revision=1, final=False)
    return answer["rows"]["detections"] == alarms


def move_threshold(wire, rng):
    _, answer = wire.ask("timeline", settings={"threshold": rng.random()})
    return answer["answered"] == wire.asked


def measure(name, page, query, act, count, seconds):
    """Let a crowd act on a server of its own; what a crowd of one second takes is not counted."""
    with server() as (address, pid):
        crowd(address, page, query, act, count, 1)
        before = busy(pid)
        opened = Wire(address, page).open(query)
        opening = busy(pid) - before
        opened.close()
        before = busy(pid) + count * opening
        times, lost = crowd(address, page, query, act, count, seconds)
        told(name, times, lost)
        each = 1000 * (busy(pid) - before) / max(1, len(times))
        print(
            f"  the server computes about {each:.0f} ms for each, and holds {memory_of(pid):.0f} MB"
        )


def come_and_go(visits, megabytes):
    """Let visits bring a file each and leave; tell what the server holds when all are gone."""
    rows = b"0,0.12345\n0,0.54321\n" * 1500 + b"1,0.98765\n1,0.4\n" * 100
    content = b"label,score\n" + rows * (megabytes * 10**6 // len(rows))
    with server() as (address, pid):
        Wire(address, "your_data").open("sample=pump").close()
        before, most = memory_of(pid), 0.0
        for _ in range(visits):
            wire = Wire(address, "your_data").open()
            wire.upload(content, "mine.csv")
            wire.press("Use this table")
            most = max(most, memory_of(pid))
            wire.close()
        time.sleep(GONE_SECONDS)
        after = memory_of(pid)
        print(
            f"{visits} visits with {megabytes} MB each: {before:.0f} MB before, {most:.0f} MB at "
            f"most, {after:.0f} MB {GONE_SECONDS} s after the last, {after / before - 1:+.0%}",
            flush=True,
        )


def main(seconds=SECONDS):
    cores = len(os.sched_getaffinity(0))
    print(f"{cores} cores, {os.getloadavg()[0]:.1f} busy before; {seconds} s each", flush=True)
    for count in (10, 25, 50):
        measure(f"{count} painters", "playground", BOARD, paint, count, seconds)
    measure("10 thresholds on the pump", "your_data", "sample=pump", move_threshold, 10, seconds)
    with server() as (address, pid):
        wire = Wire(address, "playground").open(BOARD)
        held = []
        for turn in range(2000):
            wire.run(BOARD)
            if turn in (200, 1999):
                held.append(memory_of(pid))
        print(f"2,000 reruns: {held[0]:.0f} MB after 200, {held[1]:.0f} MB after all", flush=True)
        wire.close()
    come_and_go(VISITS, MEGABYTES)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
