"""Measure response times for many concurrent visits, over websockets on this machine.

    python -m benchmarks.load [SECONDS]

Painters send one stroke per second, as the board does. Other visits move the threshold of the pump
sample, and one visit runs a page many times. Server and visits share the same cores.
"""

import os
import random
import statistics
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from benchmarks.serving import OpenServer, own_server
from tests.browser.server import memory_of
from tests.wire import Wire

BOARD = "n=60&truth=12-23_40-47&alarms=5_13_44"


@dataclass(frozen=True)
class Size:
    """Number of visits, and their length."""

    turns: int = 30
    """Number of actions of each visit."""
    painters: tuple[int, ...] = (10, 25, 50)
    thresholds: int = 10
    reruns: int = 2000
    visits: int = 200
    megabytes: int = 30
    gone_seconds: int = 140
    """One minute until closed visits end, 90 s until results expire, and one garbage collection."""
    pause: float = 1.0
    """Seconds between two actions of a visit."""


FULL = Size()


def busy(pid):
    """Return the CPU time of a process in seconds."""
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


def crowd(address, page, query, act, count, turns, pause=FULL.pause):
    """Let ``count`` visits act at regular times. Return response times and the number lost."""
    ready = threading.Barrier(count)

    def visit(number):
        rng = random.Random(number)
        try:
            wire = Wire(address, page).open(query)
        except BaseException:
            ready.abort()  # Without this, the other visits would wait forever.
            raise
        ready.wait()
        times, lost = [], 0
        began = time.perf_counter() + rng.random() * pause
        for turn in range(turns):
            time.sleep(max(0.0, began + turn * pause - time.perf_counter()))
            sent = time.perf_counter()
            if act(wire, rng):
                times.append(time.perf_counter() - sent)
            else:
                lost += 1
        wire.close()
        return times, lost

    with ThreadPoolExecutor(count) as pool:
        visits = [pool.submit(visit, number) for number in range(count)]
    errors = [error for each in visits if (error := each.exception()) is not None]
    if errors:
        # Raise the original error, not the broken barrier of a visit that was waiting.
        raise min(errors, key=lambda error: isinstance(error, threading.BrokenBarrierError))
    done = [each.result() for each in visits]
    return [took for times, _ in done for took in times], sum(lost for _, lost in done)


def paint(wire, rng):
    """Paint a random pattern. Return whether the answer is for this pattern."""
    alarms = "".join(rng.choice("01") for _ in range(60))
    labels = "0" * 12 + "1" * 12 + "0" * 36
    _, answer = wire.ask("board", labels=labels, detections=alarms, revision=1, final=False)
    return answer["rows"]["detections"] == alarms


def move_threshold(wire, rng):
    _, answer = wire.ask("timeline", settings={"threshold": rng.random()})
    return answer["answered"] == wire.asked


def measure(open_server, name, page, query, act, count, size):
    """Measure a crowd on a new server, after one warm-up turn per visit."""
    with open_server() as (address, pid):
        crowd(address, page, query, act, count, 1, size.pause)
        before = busy(pid)
        opened = Wire(address, page).open(query)
        opening = busy(pid) - before
        opened.close()
        before = busy(pid) + count * opening
        times, lost = crowd(address, page, query, act, count, size.turns, size.pause)
        told(name, times, lost)
        each = 1000 * (busy(pid) - before) / max(1, len(times))
        print(
            f"  the server computes about {each:.0f} ms for each, and holds {memory_of(pid):.0f} MB"
        )


def come_and_go(open_server, visits, megabytes, gone_seconds):
    """Let each visit upload a file and leave. Print the server's memory after all have left."""
    rows = b"0,0.12345\n0,0.54321\n" * 1500 + b"1,0.98765\n1,0.4\n" * 100
    content = b"label,score\n" + rows * (megabytes * 10**6 // len(rows))
    with open_server() as (address, pid):
        Wire(address, "your_data").open("sample=pump").close()
        before = most = memory_of(pid)
        for _ in range(visits):
            wire = Wire(address, "your_data").open()
            wire.upload(content, "mine.csv")
            wire.press("Use this table")
            most = max(most, memory_of(pid))
            wire.close()
        time.sleep(gone_seconds)
        after = memory_of(pid)
        print(
            f"{visits} visits with {megabytes} MB each: {before:.0f} MB before, {most:.0f} MB at "
            f"most, {after:.0f} MB {gone_seconds} s after the last, {after / before - 1:+.0%}",
            flush=True,
        )


def run_again(open_server, reruns):
    """Run a page many times. Print the server's memory after a tenth of the runs and after all."""
    early = max(1, reruns // 10)
    with open_server() as (address, pid):
        wire = Wire(address, "playground").open(BOARD)
        held = []
        for count in (early, reruns - early):
            for _ in range(count):
                wire.run(BOARD)
            held.append(memory_of(pid))
        wire.close()
    print(
        f"{reruns:,} reruns: {held[0]:.0f} MB after {early:,}, {held[1]:.0f} MB after all",
        flush=True,
    )


def main(size: Size = FULL, open_server: OpenServer = own_server) -> None:
    cores, seconds = len(os.sched_getaffinity(0)), size.turns * size.pause
    print(f"{cores} cores, {os.getloadavg()[0]:.1f} busy before; {seconds:g} s each", flush=True)
    for count in size.painters:
        measure(open_server, f"{count} painters", "playground", BOARD, paint, count, size)
    measure(
        *(open_server, f"{size.thresholds} thresholds on the pump", "your_data", "sample=pump"),
        *(move_threshold, size.thresholds, size),
    )
    run_again(open_server, size.reruns)
    come_and_go(open_server, size.visits, size.megabytes, size.gone_seconds)


if __name__ == "__main__":
    main(Size(*map(int, sys.argv[1:2])))
