"""Run `make test` in fresh clones again and again, some of them beside busy processes.

python3 -m tests.soak [RUNS [OF THESE BUSY]]    six runs, the last two busy, unless told otherwise

Each run clones the last commit into an empty folder, without .venv. A table of all runs is printed;
the log of a failed run is kept, with what its browser tests saved. The exit code is the number of
failed runs.

Shared machines have faster and slower hours. To compare runs, the table also has the time that one
and the same loop takes before and after each run.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUSY_PROCESSES = 2
SUMMARY = re.compile(r"=* ?(\d+ (?:passed|failed).*? in [\d.]+s).*")


def time_loop() -> float:
    """Return how many seconds the same work takes on one core."""
    began = time.monotonic()
    sum(value * value for value in range(20_000_000))
    return time.monotonic() - began


def run_once(number: int, busy: int) -> tuple[int, str, float]:
    """Test a fresh clone; return the exit code, what pytest said last, and the seconds."""
    log = Path(tempfile.gettempdir()) / f"padf-soak-{os.getpid()}-{number}.txt"
    spin = [sys.executable, "-c", "while True: pass"]
    others = [subprocess.Popen(spin) for _ in range(busy)]
    try:
        with tempfile.TemporaryDirectory(prefix="padf-soak-") as folder, log.open("wb") as out:
            subprocess.run(["git", "clone", "--quiet", str(ROOT), folder], check=True)
            began = time.monotonic()
            done = subprocess.run(["make", "test"], cwd=folder, stdout=out, stderr=out, check=False)
            seconds = time.monotonic() - began
            seen = Path(folder) / ".browser-failures"
            if seen.is_dir():
                shutil.copytree(seen, log.with_suffix(""))
    finally:
        for other in others:
            other.kill()
            other.wait()
    said = SUMMARY.findall(log.read_text(errors="replace"))
    summary = "; ".join(said) if said else "pytest did not finish"
    if done.returncode:
        summary += f"; log: {log}"
    else:
        log.unlink()
    return done.returncode, summary, seconds


def main(runs: int, busy_runs: int) -> int:
    commit = subprocess.run(
        ["git", "log", "-1", "--format=%h"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    print(f"commit {commit.stdout.strip()}, {os.cpu_count()} cores\n")
    print("| run | busy processes | minutes | loop, s | exit | pytest |\n|---|---|---|---|---|---|")
    failed = 0
    for number in range(1, runs + 1):
        busy = BUSY_PROCESSES if number > runs - busy_runs else 0
        before = time_loop()
        code, summary, seconds = run_once(number, busy)
        after = time_loop()
        failed += code != 0
        told = f"{int(seconds // 60)}:{int(seconds % 60):02} | {before:.2f}, {after:.2f}"
        print(f"| {number} | {busy} | {told} | {code} | {summary} |", flush=True)
    return failed


if __name__ == "__main__":
    asked = argparse.ArgumentParser(prog="python3 -m tests.soak", description=__doc__)
    asked.add_argument("runs", type=int, nargs="?", default=6)
    asked.add_argument("busy_runs", type=int, nargs="?", default=2)
    asked.formatter_class = argparse.RawDescriptionHelpFormatter
    sys.exit(main(**vars(asked.parse_args())))
