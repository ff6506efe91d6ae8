"""Rank NAB's `random` detector among NAB's detectors, using the scores in NAB's repository.

    make bench-nab NAB=path     (or python -m benchmarks.nab path)

The path is a checkout of numenta/NAB. Its folders labels and results are read as `padf corpus
results --layout nab --threshold common --probation 0.15` reads them. A detector has one threshold
for all files, the best one under each rule.
"""

import platform
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, get_args

import numpy as np

import padf
from padf_core.corpus.tidy_rows import protocol_names

Truth = Literal["label columns", "windows", "onsets"]

TRUTHS: dict[Truth, str] = {
    "label columns": "the windows as shipped: the label column of each result file",
    "windows": "the windows of labels/combined_windows.json",
    "onsets": "from the labelled time (labels/combined_labels.json) to the end of its window",
}

HALF_LIFE = 33 * 60
"""Half-life of PAdf 0.9 at NAB's usual step of 5 minutes, in seconds, to the nearest minute."""

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
"""Number of additional random scores."""


def evaluate(folder: Path, truth: Truth, backend: object = None) -> padf.CorpusResult:
    """Score all detectors on all files under every rule, with one threshold each."""
    labels = folder / "labels"
    corpus = padf.Corpus.from_files(
        folder / "results",
        layout="nab",
        labels=None if truth == "label columns" else labels / "combined_windows.json",
        onsets=labels / "combined_labels.json" if truth == "onsets" else None,
        options=padf.ReadOptions(probation=0.15, order="sort"),
    )
    return corpus.evaluate(
        [*RULES.values()], thresholds="common", backend=backend, random=MORE_RANDOM
    )


def pooled(result: padf.CorpusResult, column: str = "f1") -> dict[str, dict[str, float]]:
    """Return the pooled F1 of every detector, or its random baseline, under every rule."""
    named = zip(RULES, protocol_names([*RULES.values()]), strict=True)
    return {
        rule: {row.detector: getattr(row, column) for row in result.of(name, whole="pooled")}
        for rule, name in named
    }


def rank(name: str, f1: Mapping[str, float], digits: int | None = None) -> int:
    """Return a detector's rank. With ``digits``, scores that round to the same value are ties."""
    shown = {key: value if digits is None else round(value, digits) for key, value in f1.items()}
    return 1 + sum(value > shown[name] for value in shown.values())


def show(truth: Truth, result: padf.CorpusResult) -> None:
    print(f"\n{TRUTHS[truth]}")
    print(f"{'rule':<40}{'rank of random':>15}{'by 3 digits':>13}{'random':>8}  best of the others")
    for rule, f1 in pooled(result).items():
        others = sorted((name for name in f1 if name != "random"), key=lambda name: -f1[name])
        best = ", ".join(f"{name} {f1[name]:.3f}" for name in others[:2])
        print(
            f"{rule:<40}{rank('random', f1):>15}{rank('random', f1, 3):>13}"
            f"{f1['random']:>8.3f}  {best}"
        )
    baseline = pooled(result, "random_f1")["PAdf 0.9"]["random"]
    print(f"PAdf 0.9 of {MORE_RANDOM} further random scores: {baseline:.3f} on average")


def main(folder: Path) -> None:
    print(f"Python {platform.python_version()}, numpy {np.__version__}")
    for truth in get_args(Truth):
        result = evaluate(folder, truth, "processes")
        if truth == get_args(Truth)[0]:
            print(f"{len(result.detectors)} detectors, {len(result.series)} files")
            for told in result.left_out:
                print(told.text)
        show(truth, result)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
