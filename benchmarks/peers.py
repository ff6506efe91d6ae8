"""Side by side with tsadmetrics and tadpak, which live in an environment of their own.

make bench-peers
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import padf_core as padf
from benchmarks.series import best_seconds, make_series

MANY, FEW = 1_000_000, 5_000

PROTOCOLS = {
    "PA": padf.PointAdjust(),
    "PA%K > 20": padf.PointAdjustK(20),
    "PA%K >= 20": padf.PointAdjustK(20, inclusive=True),
    "Composite": padf.Composite(),
    "Event-wise": padf.EventWise(),
}


def without_crossing_runs(labels: np.ndarray, detections: np.ndarray) -> np.ndarray:
    """Take away the false alarms that belong to a run which reaches into a segment.

    There tsadmetrics sees one detected segment, and we a false alarm beside it.
    """
    apart = detections.copy()
    edges = np.flatnonzero(np.diff(np.concatenate(([0], detections, [0]))))
    for start, stop in zip(edges[0::2].tolist(), edges[1::2].tolist(), strict=True):
        if labels[start:stop].any():
            apart[start:stop] &= labels[start:stop]
    return apart


def ask_peers(python: str, **series: np.ndarray) -> list[tuple[str, str, dict[str, float]]]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "series.npz"
        np.savez(file, **series)
        worker = Path(__file__).with_name("peers_worker.py")
        done = subprocess.run(
            [python, str(worker), str(file)], check=True, capture_output=True, text=True
        )
    return json.loads(done.stdout)


def main(python: str) -> None:
    labels, scores = make_series(MANY)
    detections = (scores > 2.0).astype(np.int64)
    apart = without_crossing_runs(labels, detections)
    few_labels, few_scores = make_series(FEW, seed=3)
    rows = ask_peers(
        python,
        labels=labels,
        detections=detections,
        few_labels=few_labels,
        few_scores=few_scores,
        apart=apart,
    )
    print(f"given detections: n = {MANY:,}; best threshold: n = {FEW:,}\n")
    print(
        f"{'tool':<14}{'what':<18}{'seconds':>10}{'ours':>10}{'ratio':>8}{'F1':>10}{'exact':>10}  "
    )
    for tool, what, theirs in rows:
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
            f"{tool:<14}{what:<18}{theirs['seconds']:>10.4f}{ours:>10.4f}"
            f"{theirs['seconds'] / ours:>8.1f}{theirs['f1']:>10.4f}{exact:>10.4f}  {verdict}"
        )


if __name__ == "__main__":
    main(sys.argv[1])
