"""Where NAB's `random` comes among NAB's detectors, from the scores that NAB's repository ships.

    make bench-nab NAB=path     (or python -m benchmarks.nab path)

The path is a checkout of numenta/NAB; its folders labels and results are read. A detector has one
threshold for all files, the best one under each rule.
"""

import json
import platform
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import numpy as np
import pandas as pd

import padf_core as padf

Truth = Literal["label columns", "windows", "onsets"]

TRUTHS: dict[Truth, str] = {
    "label columns": "the windows as shipped: the label column of each result file",
    "windows": "the windows of labels/combined_windows.json",
    "onsets": "from the labelled time (labels/combined_labels.json) to the end of its window",
}

HALF_LIFE = 33 * 60
"""In seconds: to the minute what PAdf 0.9 has at NAB's usual step of 5 minutes."""

RULES: dict[str, padf.Protocol] = {
    "point-wise": padf.Pointwise(),
    "PA": padf.PointAdjust(),
    "PA%K 20": padf.PointAdjustK(20),
    "PAdf 0.9": padf.PointAdjustDecay(),
    "deadline of 7 steps": padf.PointAdjustDecay(padf.DeadlineDecay(7)),
    "each segment once: found at all": padf.PointAdjustDecay(
        padf.DeadlineDecay(1), measure="share", weight="segments"
    ),
    "each segment once: PAdf 0.9": padf.PointAdjustDecay(weight="segments"),
    "each segment once: deadline of 7 steps": padf.PointAdjustDecay(
        padf.DeadlineDecay(7), weight="segments"
    ),
    "each segment once: 1 - k/N": padf.PointAdjustDecay(
        padf.LinearDecay(1), measure="share", weight="segments"
    ),
    "each segment once: NAB's sigmoid": padf.PointAdjustDecay(
        padf.SigmoidDecay(5), measure="share", weight="segments"
    ),
    "half-life of 33 min": padf.PointAdjustDecay(padf.HalfLifeDecay(HALF_LIFE), measure="clock"),
    "half-life of 33 min, each segment once": padf.PointAdjustDecay(
        padf.HalfLifeDecay(HALF_LIFE), measure="clock", weight="segments"
    ),
}

MORE_RANDOM = 20
"""How many further random scores are drawn."""


@dataclass(frozen=True, eq=False)
class Rows:
    """All files of one detector, one after the other."""

    files: np.ndarray
    times: np.ndarray
    scores: np.ndarray
    shipped: np.ndarray
    """The label column that the detector's own files have."""
    windows: np.ndarray
    """Whether a row lies in a window of labels/."""
    warm_up: np.ndarray
    moments: tuple[int, ...]
    """The first row at or after each labelled time."""

    def best(
        self, truth: Truth, rules: Sequence[padf.Protocol], scores: np.ndarray | None = None
    ) -> list[float]:
        """The best F1 under each rule, of this detector or of other scores on its rows."""
        found = padf.best_f1(
            self.shipped if truth == "label columns" else self.windows,
            self.scores if scores is None else scores,
            rules,
            ignore=self.warm_up,
            series=self.files,
            times=self.times,
            onset=padf.Onset(moments=self.moments) if truth == "onsets" else None,
        )
        return [point.f1 for point in found]


def read_labels(folder: Path, name: str) -> dict[str, list]:
    return json.loads((folder / "labels" / name).read_text())


def detectors(folder: Path) -> list[str]:
    """Everybody with results but `null`, which gives every row the same score."""
    return sorted(
        path.name
        for path in (folder / "results").iterdir()
        if path.is_dir() and path.name != "null"
    )


def read_detector(folder: Path, detector: str) -> Rows:
    """Read a detector's files; labels and onsets are looked up by the times of its own rows.

    Nothing is joined by position. In NAB's repository all detectors have the same times in every
    file, but not in the same order: in the machine's temperature an hour stands twice, and there
    22 rows of randomCutForest are sorted while those of the others go back in time. 8 files have
    times twice, none of them a labelled time. All rows are kept, and sorted by time within their
    file; rows of the same time stay as they came. Of two labelled times in one window the first is
    the onset; one lies an hour before its window, whose start then is the onset.
    """
    windows = read_labels(folder, "combined_windows.json")
    moments = read_labels(folder, "combined_labels.json")
    tables, places, size = [], [], 0
    for file in sorted(windows):
        group, name = file.split("/")
        table = pd.read_csv(
            folder / "results" / detector / group / f"{detector}_{name}",
            usecols=["timestamp", "anomaly_score", "label"],
            parse_dates=["timestamp"],
        ).sort_values("timestamp", kind="stable", ignore_index=True)
        times = table["timestamp"]
        table["file"] = file
        table["window"] = False
        for first, last in windows[file]:
            table["window"] |= times.between(pd.Timestamp(first), pd.Timestamp(last))
        table["warm_up"] = np.arange(len(table)) < min(int(0.15 * len(table)), 750)
        onsets = times.searchsorted(pd.to_datetime(moments[file]))
        places += [size + int(row) for row in onsets if row < len(table)]
        size += len(table)
        tables.append(table)
    whole = pd.concat(tables, ignore_index=True)
    return Rows(
        files=whole["file"].to_numpy(),
        times=whole["timestamp"].to_numpy(),
        scores=whole["anomaly_score"].to_numpy(),
        shipped=whole["label"].to_numpy(),
        windows=whole["window"].to_numpy(),
        warm_up=whole["warm_up"].to_numpy(),
        moments=tuple(places),
    )


def rank(name: str, f1: Mapping[str, float], digits: int | None = None) -> int:
    """How many are better, and one; with digits, what is equal when written so is equal."""
    shown = {key: value if digits is None else round(value, digits) for key, value in f1.items()}
    return 1 + sum(value > shown[name] for value in shown.values())


def odd_rows(everybody: Mapping[str, Rows]) -> Iterator[str]:
    """Say which detectors' files are unlike the others'."""
    usual = next(iter(everybody.values()))
    twice = pd.MultiIndex.from_arrays([usual.files, usual.times]).duplicated()
    yield f"files with times that stand twice: {np.unique(usual.files[twice]).size}"
    for name, rows in everybody.items():
        if not (
            np.array_equal(rows.files, usual.files) and np.array_equal(rows.times, usual.times)
        ):
            yield f"{name} has other times than {next(iter(everybody))}"
        for file in np.unique(rows.files):
            here = rows.files == file
            other = int((rows.shipped[here] != rows.windows[here]).sum())
            if other:
                yield f"{name}: {other:,} labels of {file} are not as the windows say"


def show(truth: Truth, scores: Mapping[str, Sequence[float]]) -> None:
    print(f"\n{TRUTHS[truth]}")
    print(f"{'rule':<40}{'rank of random':>15}{'by 3 digits':>13}{'random':>8}  best of the others")
    for at, rule in enumerate(RULES):
        f1 = {name: values[at] for name, values in scores.items()}
        others = sorted((name for name in f1 if name != "random"), key=lambda name: -f1[name])
        best = ", ".join(f"{name} {f1[name]:.3f}" for name in others[:2])
        print(
            f"{rule:<40}{rank('random', f1):>15}{rank('random', f1, 3):>13}"
            f"{f1['random']:>8.3f}  {best}"
        )


def more_random(rows: Rows, truth: Truth) -> np.ndarray:
    """The best F1 of PAdf 0.9 for further random scores."""
    rng = np.random.default_rng(0)
    drawn = [
        rows.best(truth, [RULES["PAdf 0.9"]], rng.random(rows.scores.size))
        for _ in range(MORE_RANDOM)
    ]
    return np.array(drawn)


def main(folder: Path) -> None:
    everybody = {name: read_detector(folder, name) for name in detectors(folder)}
    rows = everybody["random"]
    print(f"Python {platform.python_version()}, numpy {np.__version__}")
    print(
        f"{len(everybody)} detectors, {np.unique(rows.files).size} files, "
        f"{rows.files.size:,} rows, {int(rows.warm_up.sum()):,} of them left out"
    )
    for line in odd_rows(everybody):
        print(line)
    for truth in get_args(Truth):
        show(truth, {name: own.best(truth, [*RULES.values()]) for name, own in everybody.items()})
        drawn = more_random(rows, truth)
        print(f"PAdf 0.9 of {MORE_RANDOM} further random scores: {drawn.mean():.3f} on average")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
