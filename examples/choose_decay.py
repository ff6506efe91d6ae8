"""From a need in words to a decay, and what it decides.

    python examples/choose_decay.py

"An alarm after 30 minutes is worth half": on a clock of one-minute steps that is a d. Then, on the
sample of ad bidding, who wins at which half-life.
"""

import padf

MINUTES = (10, 30, 60, 120, 360)


def half_after(minutes):
    return padf.Need("worth", seconds=minutes * 60, share=0.5)


def main():
    series = padf.load_sample("ad_bidding")
    step = series.step_seconds
    shape, d = padf.decay_for(half_after(30), step_seconds=step)
    print(f"worth half after 30 minutes, in steps of {step:g} seconds: {shape}, d = {d:.3f}")
    for minutes in MINUTES:
        _, rate = padf.decay_for(half_after(minutes), step_seconds=step)
        protocol = padf.PointAdjustDecay(padf.ExponentialDecay(rate))
        scores = {each.name: each.best(protocol).f1 for each in series.detectors}
        first = max(scores, key=scores.get)
        print(f"half-life {minutes:>3} minutes, d = {rate:.3f}: {first} first, {scores[first]:.3f}")


if __name__ == "__main__":
    main()
