"""Compare results and speed with tsadmetrics and tadpak, which have their own environment.

make bench-peers
"""

import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import padf
from benchmarks.series import best_seconds, make_series


@dataclass(frozen=True)
class Size:
    """Number of points of each series, and of short cases."""

    given: int = 1_000_000
    """Number of points with given detections."""
    searched: int = 5_000
    """Number of points for the search of the best threshold."""
    cases: int = 5_000
    case_points: int = 80


FULL = Size()

EPSILON = 1e-5
"""Constant that `lsaf` adds to the denominators of precision and recall."""

PROTOCOLS = {
    "PA": padf.PointAdjust(),
    "PA%K > 20": padf.PointAdjustK(20),
    "PA%K >= 20": padf.PointAdjustK(20, inclusive=True),
    "Composite": padf.Composite(),
    "Event-wise": padf.EventWise(),
}


def without_crossing_runs(labels: np.ndarray, detections: np.ndarray) -> np.ndarray:
    """Remove the false alarms of runs that overlap a segment.

    For such a run, tsadmetrics counts one detected segment. This package also counts a false alarm.
    """
    apart = detections.copy()
    edges = np.flatnonzero(np.diff(np.concatenate(([0], detections, [0]))))
    for start, stop in zip(edges[0::2].tolist(), edges[1::2].tolist(), strict=True):
        if labels[start:stop].any():
            apart[start:stop] &= labels[start:stop]
    return apart


def make_cases(count: int, points: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Make many short series with segments of any length, alarms and a deadline for each."""
    rng = np.random.default_rng(5)
    shape = (count, points)
    changes = rng.random(shape) < rng.uniform(0.02, 0.4, size=(count, 1))
    labels = np.cumsum(changes, axis=1) % 2
    labels[np.arange(count), rng.integers(points, size=count)] = 1
    detections = (rng.random(shape) < rng.uniform(0, 0.3, size=(count, 1))).astype(np.int64)
    return labels, detections, rng.integers(0, 15, size=count)


def compare_rules(
    labels: np.ndarray,
    detections: np.ndarray,
    limits: np.ndarray,
    theirs: dict[str, list[float]],
) -> None:
    """Print the largest difference from tsadmetrics for each published rule."""
    linear = padf.PointAdjustDecay(padf.LinearDecay(1), measure="share")
    deadline, latency, with_epsilon = [], [], []
    for truth, alarms, limit in zip(labels, detections, limits.tolist(), strict=True):
        rule = padf.PointAdjustDecay(padf.DeadlineDecay(limit))
        deadline.append(padf.evaluate(truth, alarms, rule).f1)
        result = padf.evaluate(truth, alarms, linear)
        latency.append(result.f1)
        # Precision and recall of tsadmetrics are eTP / (eTP + FP + epsilon) and eTP / (points +
        # epsilon).
        earned, divisor = result.true_positives, result.false_positives + int(truth.sum())
        with_epsilon.append(2 * earned / (earned + divisor + 2 * EPSILON))
    hit = np.mean([0 < value < 1 for value in deadline])
    print(f"\n{len(labels):,} random cases of {labels.shape[1]} points, limits 0 to {limits.max()}")
    print(f"F1 strictly between 0 and 1 under the deadline: {hit:.0%}")
    print("largest difference from tsadmetrics")
    for name, ours, key in (
        ("deadline, dtpaf with k = limit + 1", deadline, "dtpaf"),
        ("1 - k/N, lsaf with ni = 1", latency, "lsaf"),
        ("the same with its epsilon of 1e-5", with_epsilon, "lsaf"),
    ):
        print(f"{name:<40}{np.abs(np.array(ours) - theirs[key]).max():>10.2g}")


def ask_peers(python: str, **series: np.ndarray) -> dict:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "series.npz"
        np.savez(file, **series)
        worker = Path(__file__).with_name("peers_worker.py")
        command = [python, str(worker), str(file)]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


def main(python: str, size: Size = FULL) -> None:
    labels, scores = make_series(size.given)
    detections = (scores > 2.0).astype(np.int64)
    apart = without_crossing_runs(labels, detections)
    few_labels, few_scores = make_series(size.searched, seed=3)
    cases = make_cases(size.cases, size.case_points)
    answer = ask_peers(
        python,
        labels=labels,
        detections=detections,
        few_labels=few_labels,
        few_scores=few_scores,
        apart=apart,
        case_labels=cases[0],
        case_detections=cases[1],
        case_limits=cases[2],
    )
    print(f"given detections: n = {size.given:,}; best threshold: n = {size.searched:,}\n")
    print(
        f"{'tool':<14}{'what':<18}{'seconds':>10}{'ours':>10}{'ratio':>9}{'F1':>10}{'exact':>10}  "
    )
    for tool, what, theirs in answer["rows"]:
        protocol = PROTOCOLS[what.removeprefix("best ").removesuffix(", apart")]
        alarms = apart if what.endswith(", apart") else detections
        if what.startswith("best "):
            (best,) = padf.best_f1(few_labels, few_scores, [protocol])
            exact = best.f1
            ours = best_seconds(lambda p=protocol: padf.best_f1(few_labels, few_scores, [p]))
        else:
            exact = padf.evaluate(labels, alarms, protocol).f1
            ours = best_seconds(lambda p=protocol, a=alarms: padf.evaluate(labels, a, p))
        verdict = (
            "exact" if abs(theirs["f1"] - exact) < 1e-9 else f"off by {exact - theirs['f1']:.4f}"
        )
        print(
            f"{tool:<14}{what:<18}{theirs['seconds']:>10.6f}{ours:>10.6f}"
            f"{theirs['seconds'] / ours:>9.1f}{theirs['f1']:>10.4f}{exact:>10.4f}  {verdict}"
        )
    compare_rules(*cases, answer["rules"])


if __name__ == "__main__":
    main(sys.argv[1])
