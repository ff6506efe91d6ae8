"""Measure how fast corpora are evaluated, compared with only reading their files.

    make bench-corpus [NAB=path]     (or python -m benchmarks.corpus [path])

Every run is a new process, so its memory is measured separately. Runs in one process also print CPU
time. It is steady even when the machine is busy, so the ratio to reading uses it.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

import padf

FOUR = [padf.Pointwise(), padf.PointAdjust(), padf.PointAdjustK(20), padf.PointAdjustDecay()]
DETECTORS = ("one", "two")
TSB_AD_EVA = 1.5e9
"""Number of scores: 530 series of about 70,000 points, 40 detectors."""


@dataclass(frozen=True)
class Size:
    """Number of series in each corpus, and rows per series."""

    counts: tuple[int, ...] = (10, 100, 1_000, 10_000)
    rows: int = 200


FULL = Size()


def write_corpus(folder: Path, count: int, size: int) -> None:
    """Write series in NAB's layout with ``size`` rows each, a tenth of them anomalous."""
    rng = np.random.default_rng(0)
    stamps = pd.date_range("2024-01-01", periods=size, freq="5min").strftime("%Y-%m-%d %H:%M:%S")
    label = np.zeros(size, dtype=int)
    label[size // 2 : size // 2 + size // 10] = 1
    for detector in DETECTORS:
        place = folder / "results" / detector / "made"
        place.mkdir(parents=True)
        for at in range(count):
            scores = np.char.mod("%.6f", rng.random(size) + 0.3 * label)
            rows = zip(stamps, scores, label.tolist(), strict=True)
            text = "\n".join(f"{stamp},{score},{truth}" for stamp, score, truth in rows)
            path = place / f"{detector}_{at:05}.csv"
            path.write_text(f"timestamp,anomaly_score,label\n{text}\n")


def files_of(folder: Path) -> list[Path]:
    """Return the result files, without NAB's constant detector."""
    found = sorted((folder / "results").glob("*/*/*.csv"))
    return [path for path in found if path.parts[-3] != "null"]


def read_alone(folder: Path) -> int:
    """Read the required columns: time, score and label, with parsed timestamps."""
    for path in files_of(folder):
        frame = pd.read_csv(path, usecols=["timestamp", "anomaly_score", "label"])
        pd.to_datetime(frame["timestamp"], format="ISO8601")
    return 0


def evaluate(folder: Path, backend: object, rule: str) -> int:
    windows = folder / "labels/combined_windows.json"
    corpus = padf.Corpus.from_files(
        folder / "results",
        layout="nab",
        labels=windows if windows.exists() else None,
        options=padf.ReadOptions(probation=0.15, order="sort"),
    )
    result = corpus.evaluate(FOUR, thresholds=rule, backend=backend, random=0)
    return len(result.rows)


def with_dask(folder: Path, rule: str) -> int:
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        return evaluate(folder, client, rule)


RUNS = {
    "reading alone": lambda folder: read_alone(folder),
    "1 process": lambda folder: evaluate(folder, None, "common"),
    "2 processes": lambda folder: evaluate(folder, 2, "common"),
    "Dask, 2 workers": lambda folder: with_dask(folder, "common"),
    "1 process, best": lambda folder: evaluate(folder, None, "best"),
    "1 process, others": lambda folder: evaluate(folder, None, "others"),
}


Measured = dict[str, float]


def in_this_process(name: str, folder: Path) -> Measured:
    """Run once. Return wall time, CPU time and peak memory of this process."""
    begin = time.perf_counter()
    RUNS[name](folder)
    gone = time.perf_counter() - begin
    own = resource.getrusage(resource.RUSAGE_SELF)
    cpu = own.ru_utime + own.ru_stime
    return {"wall": gone, "cpu": cpu, "memory": own.ru_maxrss / 1024}


def in_new_process(name: str, folder: Path) -> Measured:
    call = [sys.executable, "-m", "benchmarks.corpus", "--run", name, str(folder)]
    ran = subprocess.run(call, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(ran.stdout.splitlines()[-1])


HEAD = f"{'':<20}{'wall s':>8}{'CPU s':>8}{'series/s':>10}{'MB/s':>8}{'x reading':>11}{'MiB':>7}"


Measure = Callable[[str, Path], Measured]


def table(names: Iterable[str], folder: Path, series: int, measure: Measure) -> dict[str, Measured]:
    """Run each variant and print its row, with CPU time relative to the first variant."""
    size = sum(path.stat().st_size for path in files_of(folder)) / 1e6
    print(HEAD)
    done: dict[str, Measured] = {}
    for name in names:
        made = done[name] = measure(name, folder)
        has_more = "process" in name.removeprefix("1 process") or "Dask" in name
        times = made["cpu"] / next(iter(done.values()))["cpu"]
        cpu, ratio = ("", "") if has_more else (f"{made['cpu']:.2f}", f"{times:.2f}")
        print(
            f"{name:<20}{made['wall']:>8.3f}{cpu:>8}{series / made['wall']:>10.3g}"
            f"{size / made['wall']:>8.3g}{ratio:>11}{made['memory']:>7.0f}",
            flush=True,
        )
    return done


def main(nab: Path | None = None, size: Size = FULL, measure: Measure = in_new_process) -> None:
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; MiB are of the main process")
    with tempfile.TemporaryDirectory() as made:
        for count in size.counts:
            folder = Path(made) / str(count)
            write_corpus(folder, count, size.rows)
            print(f"\n{count:,} series, {len(DETECTORS)} detectors, {size.rows} rows each")
            table(("reading alone", "1 process", "2 processes"), folder, count, measure)
    if nab is None:
        return
    files = files_of(nab)
    series = {path.name.removeprefix(path.parts[-3]) for path in files}
    print(f"\nNAB: {len(files)} pairs of a series and a detector, four protocols")
    runs = table(RUNS, nab, len(series), measure)
    rows = sum(sum(1 for _ in path.open("rb")) - 1 for path in files)
    per_core = rows / runs["1 process"]["cpu"]
    print(f"\n{per_core / 1e6:.2g} million scores a second and core, one threshold for all series")
    for cores in (1, 10, 100):
        print(f"TSB-AD-Eva on {cores} cores: {TSB_AD_EVA / per_core / cores / 60:.1f} minutes")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--run"]:
        print(json.dumps(in_this_process(sys.argv[2], Path(sys.argv[3]))))
    else:
        main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
