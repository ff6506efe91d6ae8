"""Make the sample series: python sample_data/make_samples.py [FOLDER].

Three monitored signals with labelled incidents, each watched by four detectors of different
character. Everything is drawn from a seed, so the same files come out every time.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import numpy.typing as npt

Series = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Sample:
    """How one sample is made."""

    name: str
    seed: int
    points: int
    step: timedelta
    start: datetime
    lengths: tuple[int, int]
    """The shortest and the longest incident, in steps."""
    incidents: int
    signal: str


SAMPLES = (
    Sample(
        "web_service", 11, 2016, timedelta(minutes=5), datetime(2024, 3, 4), (8, 40), 9, "daily"
    ),
    Sample("pump", 5, 4320, timedelta(minutes=10), datetime(2024, 1, 1), (80, 260), 5, "slow"),
    Sample(
        "ad_bidding", 23, 4320, timedelta(minutes=1), datetime(2024, 6, 10), (4, 18), 16, "burst"
    ),
)


def place_incidents(sample: Sample, rng: np.random.Generator) -> list[tuple[int, int]]:
    """Choose incidents that do not touch each other or the ends."""
    lengths = rng.integers(sample.lengths[0], sample.lengths[1] + 1, sample.incidents)
    free = sample.points - int(lengths.sum()) - 30 * (sample.incidents + 1)
    gaps = np.floor(rng.dirichlet(np.full(sample.incidents + 1, 3.0)) * free).astype(int) + 30
    starts = np.cumsum(gaps[:-1]) + np.concatenate(([0], np.cumsum(lengths)[:-1]))
    return [(int(a), int(a + n)) for a, n in zip(starts, lengths, strict=True)]


def signal_of(
    sample: Sample, incidents: Sequence[tuple[int, int]], rng: np.random.Generator
) -> Series:
    """Draw the monitored signal."""
    t = np.arange(sample.points)
    day = timedelta(days=1) / sample.step
    noise = rng.normal(size=sample.points)
    if sample.signal == "daily":
        value = 420 + 260 * np.sin(2 * np.pi * (t / day - 0.3)) + 22 * noise
        for start, stop in incidents:
            value[start:stop] *= rng.choice([0.45, 1.7])
    elif sample.signal == "slow":
        value = 3.2 + 0.25 * np.sin(2 * np.pi * t / day) + 0.06 * noise
        for start, stop in incidents:
            value[start:stop] += np.linspace(0.05, 1.4, stop - start)
    else:
        value = np.maximum(0, 60 + 18 * np.sin(2 * np.pi * t / day) + 9 * noise)
        for start, stop in incidents:
            value[start:stop] += 140 * rng.random(stop - start) + 60
    return value


def quick(points: int, incidents: Sequence[tuple[int, int]], rng: np.random.Generator) -> Series:
    """Fires at the onset and then falls silent; noisy, with some false alarms as loud as a hit."""
    score = rng.gamma(2.0, 0.09, points)
    score[rng.random(points) < 0.004] += 0.9
    for start, stop in incidents:
        loud = min(2, stop - start)
        score[start : start + loud] = 1.0 + 0.35 * rng.random(loud)
    return score


def slow(points: int, incidents: Sequence[tuple[int, int]], rng: np.random.Generator) -> Series:
    """Averages over a long window: rises late, stays high to the end, and hardly ever errs."""
    score = np.abs(rng.normal(0.12, 0.05, points))
    for start, stop in incidents:
        length = stop - start
        late = start + max(2, round(0.35 * length))
        score[late:stop] = 0.75 + 0.2 * rng.random(stop - late)
    return score


def steady(points: int, incidents: Sequence[tuple[int, int]], rng: np.random.Generator) -> Series:
    """Flags every second point of most incidents after a short delay; seldom a false alarm."""
    score = np.abs(rng.normal(0.2, 0.09, points))
    score[rng.random(points) < 0.002] += 0.5
    for start, stop in incidents:
        if rng.random() < 0.15:
            continue
        begin = start + max(1, round(0.1 * (stop - start)))
        hit = rng.random(stop - begin) < 0.55
        score[begin:stop][hit] = 0.62 + 0.3 * rng.random(int(hit.sum()))
    return score


def rows_of(sample: Sample) -> list[list[object]]:
    """Return the header and one row per point."""
    rng = np.random.default_rng(sample.seed)
    incidents = place_incidents(sample, rng)
    labels = np.zeros(sample.points, dtype=int)
    for start, stop in incidents:
        labels[start:stop] = 1
    value = signal_of(sample, incidents, rng)
    detectors = {
        "quick_noisy": quick(sample.points, incidents, rng),
        "slow_sure": slow(sample.points, incidents, rng),
        "steady": steady(sample.points, incidents, rng),
        "random": rng.random(sample.points),
    }
    rows: list[list[object]] = [["time", "value", "label", *detectors]]
    for t in range(sample.points):
        at = (sample.start + t * sample.step).isoformat(sep=" ")
        scores = (f"{score[t]:.4f}" for score in detectors.values())
        rows.append([at, f"{value[t]:.2f}", labels[t], *scores])
    return rows


def main(folder: Path) -> None:
    """Write all samples as CSV."""
    for sample in SAMPLES:
        with (folder / f"{sample.name}.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(rows_of(sample))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
