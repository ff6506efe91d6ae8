"""Measure the core's speed as ratios to np.argsort(scores) in the same run, and its growth.

python -m benchmarks.core
"""

import platform
import tracemalloc
from dataclasses import dataclass

import numpy as np

import padf
from benchmarks.series import best_seconds, make_series

PROTOCOLS = padf.Settings().protocols()
ALL = padf.Settings().all()


@dataclass(frozen=True)
class Size:
    """Number of points in each part."""

    ratios: int = 1_000_000
    growth: tuple[int, ...] = (10_000, 100_000, 1_000_000, 10_000_000)
    memory: int = 10_000_000


FULL = Size()


def ratios(size: int) -> None:
    labels, scores = make_series(size)
    detections = (scores > 2.0).astype(np.int64)
    sort = best_seconds(lambda: np.argsort(scores))
    segments = padf.find_segments(labels)
    print(f"n = {size:,}, {labels.mean():.1%} anomalous, {len(segments)} segments")
    print(f"one np.argsort(scores): {sort * 1e3:.2f} ms\n")
    rows = [
        (
            "evaluate, F1 of four protocols, a call each",
            lambda: [padf.evaluate(labels, detections, protocol).f1 for protocol in PROTOCOLS],
            None,
        ),
        (
            "evaluate_all, F1 of four protocols",
            lambda: [e.f1 for e in padf.evaluate_all(labels, detections, PROTOCOLS)],
            0.1,
        ),
        (
            "the same with the credit of every point",
            lambda: [e.credit for e in padf.evaluate_all(labels, detections, PROTOCOLS)],
            None,
        ),
        ("best_f1, four protocols", lambda: padf.best_f1(labels, scores, PROTOCOLS), 1.5),
        ("best_f1, all protocols", lambda: padf.best_f1(labels, scores, ALL), None),
        ("best_f1_over_k, K = 0..100", lambda: padf.best_f1_over_k(labels, scores), 2.0),
        ("best_f1_over_d, d = 0.01..1", lambda: padf.best_f1_over_d(labels, scores), 2.0),
        (
            "sweep, PAdf, every threshold",
            lambda: padf.sweep(labels, scores, padf.PointAdjustDecay()).f1,
            None,
        ),
        (
            "alarms_from, wait 5, cool-down 30",
            lambda: padf.alarms_from(scores, padf.AlertRule(0.5, wait=5, cooldown=30)),
            None,
        ),
        (
            "alarms_from, wait 1, cool-down 1",
            lambda: padf.alarms_from(scores, padf.AlertRule(0.5, cooldown=1)),
            None,
        ),
        *(
            (f"baseline {name}", lambda baseline=baseline: baseline(scores), 10.0)
            for name, baseline in padf.BASELINES.items()
            if name != "isolation_forest"
        ),
    ]
    print(f"{'what':<46}{'ms':>9}{'ratio':>9}{'limit':>8}")
    for name, call, limit in rows:
        taken = best_seconds(call, 5)
        shown = "" if limit is None else f"{limit:g}"
        verdict = "" if limit is None else ("  within" if taken / sort <= limit else "  OVER")
        print(f"{name:<46}{taken * 1e3:>9.2f}{taken / sort:>9.3f}{shown:>8}{verdict}")


def timings(size: int) -> dict[str, float]:
    labels, scores = make_series(size)
    detections = (scores > 2.0).astype(np.int64)
    repeats = 3 if size >= 10_000_000 else 7
    return {
        "np.argsort": best_seconds(lambda: np.argsort(scores), repeats),
        "evaluate_all, four protocols": best_seconds(
            lambda: padf.evaluate_all(labels, detections, PROTOCOLS), repeats
        ),
        "best_f1, four protocols": best_seconds(
            lambda: padf.best_f1(labels, scores, PROTOCOLS), repeats
        ),
    }


def growth(sizes: tuple[int, ...]) -> None:
    print("\ngrowth: seconds, and the exponent b of t ~ n^b fitted over all sizes")
    print(f"{'what':<42}" + "".join(f"{size:>12,}" for size in sizes) + f"{'exponent':>10}")
    taken = [timings(size) for size in sizes]
    for name in taken[0]:
        seconds = [row[name] for row in taken]
        exponent = np.polyfit(np.log(sizes), np.log(seconds), 1)[0]
        print(f"{name:<42}" + "".join(f"{s:>12.5f}" for s in seconds) + f"{exponent:>10.2f}")


def memory(size: int) -> None:
    labels, scores = make_series(size)
    detections = (scores > 2.0).astype(np.int64)
    given = labels.nbytes + scores.nbytes
    print(f"\npeak memory beyond the inputs ({given / 2**20:.1f} MiB) at n = {size:,}")
    for name, call in (
        ("evaluate_all, four protocols", lambda: padf.evaluate_all(labels, detections, PROTOCOLS)),
        ("best_f1, four protocols", lambda: padf.best_f1(labels, scores, PROTOCOLS)),
    ):
        tracemalloc.start()
        call()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        print(f"{name:<42}{peak / 2**20:>9.1f} MiB{peak / given:>9.2f} of the inputs")


def main(size: Size = FULL) -> None:
    print(f"Python {platform.python_version()}, numpy {np.__version__}, {platform.machine()}\n")
    ratios(size.ratios)
    growth(size.growth)
    memory(size.memory)


if __name__ == "__main__":
    main()
