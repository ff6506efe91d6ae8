"""A paper's evaluation: detectors by protocols, without thresholds that know the answer.

    python examples/paper_evaluation.py scores.csv

reads a table of labels and scores (the pump's sample when none is given) and prints F1 at each
protocol's best threshold, an oracle, beside F1 of segments that were judged at the threshold that
is best on others; then the second as LaTeX.
"""

import sys

import padf


def main(series):
    protocols = padf.Settings(decay=0.9, k=20).protocols()
    held_out = padf.held_out(series, protocols)
    print(f"{series.name}: {series.size:,} points, {len(series.segments)} segments")
    print(f"{'detector':<16}{'protocol':<18}{'best':>7}{'held out':>10}")
    for detector, judged in zip(series.detectors, held_out, strict=True):
        for protocol, fair in zip(protocols, judged, strict=True):
            best = detector.best(protocol).f1
            print(f"{detector.name:<16}{protocol.label:<18}{best:>7.3f}{fair.f1:>10.3f}")
    print()
    for detector, judged in zip(series.detectors, held_out, strict=True):
        name = detector.name.replace("_", r"\_")
        print(" & ".join([name, *(f"{fair.f1:.3f}" for fair in judged)]), r"\\")


if __name__ == "__main__":
    main(padf.read_series(sys.argv[1]) if len(sys.argv) > 1 else padf.load_sample("pump"))
