"""A gate for CI: fail if a detector's PAdf has fallen by more than a limit.

    python examples/regression_gate.py scores.csv baseline.json --write      # once, and when wanted
    python examples/regression_gate.py scores.csv baseline.json --most 0.02  # in CI

Exit codes. 0: no detector fell by more. 1: a detector did, or is missing. 2: a file cannot be read.
"""

import argparse
import json
import sys
from pathlib import Path

import padf


def measure(file, d):
    """Return the best PAdf F1 of every detector in a table."""
    series = padf.read_series(file)
    protocol = padf.PointAdjustDecay(padf.ExponentialDecay(d))
    return {detector.name: detector.best(protocol).f1 for detector in series.detectors}


def fallen(before, now, most):
    """Say of each detector that fell too far by how much."""
    for name, was in before.items():
        if name not in now:
            yield f"{name} is gone; its PAdf was {was:.3f}"
        elif was - now[name] > most:
            yield f"{name} fell from {was:.3f} to {now[name]:.3f}, by more than {most}"


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("baseline", type=Path)
    parser.add_argument("--most", type=float, default=0.01)
    parser.add_argument("--decay", type=float, default=0.9)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    try:
        now = measure(options.file, options.decay)
        if options.write:
            options.baseline.write_text(json.dumps(now, indent=1) + "\n")
            return 0
        before = json.loads(options.baseline.read_text())
    except (ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    told = list(fallen(before, now, options.most))
    print("\n".join(told) or f"none of {len(before)} detectors fell by more than {options.most}")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
