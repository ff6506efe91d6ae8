"""Measure the coverage of confidence intervals of F1, and the error rates of tests.

python -m benchmarks.coverage [pieces]

A long series with two detectors from the same process is cut into pieces of a few segments. The
intervals of each piece are compared with the F1 of the whole series. The second table counts how
often two detectors differ significantly. The third draws corpora from many short series and
compares their intervals with the F1 of all series. The fourth counts how often uninformative
detectors are significant.
"""

import sys
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import sqrt

import numpy as np

import padf
from padf_core.analysis.blocks import blocks_of
from padf_core.analysis.jackknife import f1_of, interval
from padf_core.analysis.significance import independent_p_value, shift_test
from padf_core.analysis.uncertainty import uncertainty
from padf_core.io.series import Series, make_series
from padf_core.metrics.rows import Rows

PROTOCOLS = padf.Settings().protocols()
STICKY = 0.6
"""Autocorrelation of the noise from point to point, which makes false alarms come in runs."""

TABLES = {
    "95 % intervals: how often they contain the truth, and how wide they are": {
        "kept": "F1, kept",
        "chosen": "F1, chosen",
        "gap": "difference, kept",
        "width": "width, kept",
    },
    "how often two detectors differ significantly": {
        "twins": "equals, kept",
        "unlike": "unlike equals, kept",
        "twins chosen": "equals, chosen",
        "others": "unequals, kept",
        "swapped": "equals, kept, swapped",
        "swapped chosen": "equals, chosen, swapped",
    },
}


@dataclass(frozen=True)
class World:
    """Distribution of series: how segments differ, and how well they are found."""

    name: str
    unevenness: float = 0.5
    """Standard deviation of the logarithm of a segment's length."""
    missed: float = 0.25
    shift: float = 2.5
    tail: float = 0.0
    """Exponent of a Pareto distribution of lengths, or 0 for the log-normal one."""
    bursts: float = 0.0
    """Autocorrelation of the noise level between segments: false alarms come in bursts."""
    by_length: float = 0.0
    """How much harder long segments are to find than short ones."""
    memory: float = 0.0
    """Autocorrelation of the difficulty from segment to segment."""


WORLDS = (
    World("ordinary"),
    World("very uneven lengths", unevenness=1.2),
    World("strong detectors", missed=0.05, shift=3.5),
    World("weak detectors", missed=0.6, shift=2.0),
    World("heavy-tailed lengths", tail=1.5),
    World("bursts of false alarms", bursts=0.8),
    World("long ones are harder", unevenness=1.0, by_length=0.4),
    World("alike neighbours", memory=0.5),
    World("very alike neighbours", memory=0.8),
)


@dataclass(frozen=True)
class Size:
    """Number of pieces, segments per piece, and worlds."""

    pieces: int = 300
    segments: tuple[int, ...] = (3, 4, 5, 10, 20, 50)
    worlds: tuple[World, ...] = WORLDS
    population: int = 600
    """Number of short series from which corpora are drawn."""
    corpora: tuple[int, ...] = (5, 20, 52)
    """Numbers of series per corpus."""
    points: int = 3000
    """Number of points of the series with uninformative detectors."""


FULL = Size()


def long_series(world: World, segments: int, seed: int) -> Series:
    """Return a series with two similar detectors.

    For each detector, the difficulty of a segment is the shared one with probability 0.5, otherwise
    its own. Delays are independent.
    """
    rng = np.random.default_rng(seed)
    spread = world.unevenness
    lengths = 20 * np.exp(spread * rng.standard_normal(segments) - spread**2 / 2)
    if world.tail:
        # The mean is 20. Cap the lengths where one segment would be longer than a piece.
        lengths = np.minimum((1 + rng.pareto(world.tail, segments)) * 20 / 3, 2000)
    lengths = np.maximum(1, lengths.round()).astype(int)
    gaps = 20 + rng.geometric(0.01, segments + 1)
    starts = np.cumsum(gaps[:-1] + np.concatenate(([0], lengths[:-1])))
    labels = np.zeros(lengths.sum() + gaps.sum(), dtype=bool)
    for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
        labels[start : start + length] = True
    hard = _shares(rng, segments, world.memory)
    if world.by_length:
        order = np.argsort(np.argsort(lengths)) / max(1, segments - 1)
        hard = (1 - world.by_length) * hard + world.by_length * (1 - order)
    loudness = np.exp(world.bursts * _sticky(rng, segments + 1, world.bursts) / 2)
    loud = np.repeat(loudness, np.diff(np.concatenate(([0], starts, [labels.size]))))
    scores = {}
    for name in "ab":
        noise = _sticky(rng, labels.size, STICKY) * loud
        own = np.where(rng.random(segments) < 0.5, hard, _shares(rng, segments, world.memory))
        late = np.minimum(rng.geometric(0.25, segments) - 1, lengths)
        height = np.where(own > world.missed, rng.normal(world.shift, 0.7, segments), 0.0)
        for start, delay, length, up in zip(starts, late, lengths, height, strict=True):
            noise[start + delay : start + length] += up
        scores[name] = noise.round(2)
    return make_series(world.name, labels, scores)


def _sticky(rng: np.random.Generator, count: int, keeps: float) -> np.ndarray:
    """Return standard normal numbers with this autocorrelation."""
    steps = (rng.standard_normal(count) * sqrt(1 - keeps**2)).tolist()
    steps[0] /= sqrt(1 - keeps**2)
    return np.array(list(accumulate(steps, lambda before, step: keeps * before + step)))


def _shares(rng: np.random.Generator, count: int, keeps: float) -> np.ndarray:
    """Return numbers evenly spread over (0, 1), with a similar autocorrelation."""
    sticky = _sticky(rng, count, keeps)
    return (np.argsort(np.argsort(sticky)) + 0.5) / count


class Whole:
    """The long series, with F1 of both detectors at every threshold."""

    def __init__(self, series: Series) -> None:
        self.series = series
        self.levels = np.arange(-4.0, 9.0, 0.01).round(2)[::-1]
        self.f1 = {
            protocol.key: [
                detector.ranked.at(self.levels, protocol).f1 for detector in series.detectors
            ]
            for protocol in PROTOCOLS
        }

    def at(self, key: str, detector: int, threshold: float) -> float:
        place = round((self.levels[0] - threshold) / 0.01)
        return float(self.f1[key][detector][min(max(place, 0), self.levels.size - 1)])

    def pairs(self, key: str) -> dict[str, list[float]]:
        """Return pairs of thresholds: equal F1, equal F1 with different errors, and unequal F1."""
        one, other = self.f1[key]
        best, high = int(one.argmax()), int(other.argmax())
        target = 0.9 * min(one[best], other[high])
        near = {
            "twins": (best, int(np.abs(other - one[best]).argmin())),
            "unlike": (
                int(np.abs(one[:best] - target).argmin()),
                high + int(np.abs(other[high:] - target).argmin()),
            ),
            "others": (best, int(np.abs(other[:high] - 0.6 * other[high]).argmin())),
        }
        return {name: self.levels[list(places)].tolist() for name, places in near.items()}


def pieces(series: Series, segments: int, count: int) -> list[Series]:
    cuts = blocks_of(series.segments, most=10**9)[::segments]
    return [
        make_series(
            "piece",
            series.labels[start:stop],
            {each.name: each.scores[start:stop] for each in series.detectors},
        )
        for start, stop in pairwise(cuts[: count + 1].tolist())
    ]


def measure(whole: Whole, segments: int, count: int) -> dict[str, list[float]]:
    """Return one number per protocol for each column of the tables."""
    sums = {name: np.zeros(len(PROTOCOLS)) for heads in TABLES.values() for name in heads}
    cut = pieces(whole.series, segments, count)
    pairs = [whole.pairs(protocol.key) for protocol in PROTOCOLS]
    for piece in cut:
        for index, made in enumerate(uncertainty(piece, PROTOCOLS)):
            key = made.protocol.key
            low, high = made.interval(0)
            threshold = piece.detectors[0].best(made.protocol).threshold
            sums["chosen"][index] += low <= whole.at(key, 0, threshold) <= high
            sums["twins chosen"][index] += made.told_apart(0, 1)
            sums["swapped chosen"][index] += made.paired(0, 1).p.value <= 0.05
        for index, protocol in enumerate(PROTOCOLS):
            for name, thresholds in pairs[index].items():
                (made,) = uncertainty(piece, [protocol], thresholds=thresholds)
                sums[name][index] += made.told_apart(0, 1)
                truth = [whole.at(protocol.key, row, thresholds[row]) for row in (0, 1)]
                if name == "twins":
                    low, high = made.interval(0)
                    sums["kept"][index] += low <= truth[0] <= high
                    sums["width"][index] += high - low
                    sums["swapped"][index] += made.paired(0, 1).p.value <= 0.05
                if name == "others":
                    low, high = made.difference(0, 1)
                    sums["gap"][index] += low <= truth[0] - truth[1] <= high
    return {name: (total / len(cut)).tolist() for name, total in sums.items()}


def population(count: int, seed: int) -> list[np.ndarray]:
    """Return the counts of many short series at every threshold, one array per protocol.

    Series differ in the share of segments that is missed and in the level of the scores.
    """
    rng = np.random.default_rng(seed)
    levels = np.arange(-4.0, 9.0, 0.05).round(2)[::-1]
    found: list[list[np.ndarray]] = [[] for _ in PROTOCOLS]
    for number in range(count):
        world = World("one", missed=rng.uniform(0, 0.6), shift=rng.normal(2.5, 0.6))
        series = long_series(world, int(rng.integers(1, 6)), 10**6 * seed + number)
        ranked = series.detectors[0].ranked
        for own, protocol in zip(found, PROTOCOLS, strict=True):
            counts = ranked.at(levels, protocol).counts
            parts = (counts.earned, counts.claimed, counts.wanted, counts.found)
            own.append(np.stack([np.broadcast_to(part, levels.size) for part in parts], axis=-1))
    return [np.array(own) for own in found]


def measure_corpus(every: np.ndarray, series: int, draws: int) -> dict[str, float]:
    """Return how often intervals over series contain the F1 of all series, and the optimism."""
    rng = np.random.default_rng(series)
    everywhere = f1_of(every.sum(axis=0))
    sums = {"common": 0.0, "others": 0.0, "mean": 0.0, "optimism": 0.0, "width": 0.0}
    for _ in range(draws):
        own = every[rng.choice(len(every), series, replace=False)]
        total = own.sum(axis=0)
        at = int(f1_of(total).argmax())
        low, high = corpus_interval(own[:, at])
        sums["common"] += low <= everywhere[at] <= high
        sums["width"] += high - low
        sums["optimism"] += f1_of(total[at]) - everywhere[at]
        chosen = f1_of(total - own).argmax(axis=1)
        low, high = corpus_interval(own[np.arange(series), chosen])
        sums["others"] += low <= everywhere[chosen].mean() <= high
        f1 = f1_of(own[:, at])
        low, high = interval(np.stack([f1, *np.ones((2, series)), f1], axis=1), np.ones(4), 0.95)
        sums["mean"] += low <= f1_of(every[:, at]).mean() <= high
    return {name: total / draws for name, total in sums.items()}


def corpus_interval(blocks: np.ndarray) -> tuple[float, float]:
    """Return the interval of pooled F1, with each series as a block."""
    wanted = blocks[:, 2].mean()
    return interval(blocks, np.full(4, wanted), 0.95)


def show_corpora(size: Size) -> None:
    print("\ncorpora: how often 95 % intervals over series hold, and how optimistic F1 is")
    heads = {
        "common": "pooled, common",
        "others": "pooled, others",
        "mean": "mean, common",
        "optimism": "optimism, common",
        "width": "width, common",
    }
    print(f"{'':<20}{'series':>9}" + "".join(f"   {head:<20}" for head in heads.values()).rstrip())
    every = population(size.population, 1)
    for series in size.corpora:
        made = [measure_corpus(own, series, size.pieces) for own in every]
        cells = (" ".join(f"{each[name]:4.2f}" for each in made) for name in heads)
        print(f"{'short series':<20}{series:>9}   " + "    ".join(cells))


def show_ignorant(size: Size) -> None:
    print("\ndetectors that know nothing: how often p <= 5 % (moved in time; as if independent)")
    rng = np.random.default_rng(2)
    labels = np.arange(size.points) % 150 >= 135
    lengths = padf.find_segments(labels).lengths
    for keeps, rise in ((0.0, 0.0), (0.6, 0.0), (0.95, 0.0), (0.99, 0.0), (0.95, 3.0)):
        low, alone = np.zeros(len(PROTOCOLS)), 0
        for _ in range(size.pieces):
            scores = _sticky(rng, size.points, keeps) + np.linspace(0, rise, size.points)
            f1 = [point.f1 for point in padf.best_f1(labels, scores, PROTOCOLS)]
            found = shift_test(labels, scores, Rows(), PROTOCOLS, f1, shifts=39)
            low += [p.value <= 0.05 for p in found]
            closed = independent_p_value(f1[0], padf.Pointwise(), lengths, int((~labels).sum()))
            alone += closed is not None and closed.value <= 0.05
        cells = " ".join(f"{share:4.2f}" for share in low / size.pieces)
        name = f"AR(1), {keeps}{', rising' if rise else ''}"
        print(f"{name:<29}   {cells}    {alone / size.pieces:4.2f} (point-wise)")


def main(size: Size = FULL) -> None:
    count = size.pieces
    error = sqrt(0.95 * 0.05 / count)
    print(f"{count} pieces each, nominal 95 %; a share of 0.95 is sure to {error:.3f}")
    print(f"four numbers: {', '.join(protocol.label for protocol in PROTOCOLS)}")
    found = {}
    for number, world in enumerate(size.worlds):
        whole = Whole(long_series(world, max(size.segments) * (count + 1), number))
        for segments in size.segments:
            found[world.name, segments] = measure(whole, segments, count)
    for title, heads in TABLES.items():
        print(f"\n{title}")
        print(
            f"{'':<20}{'segments':>9}"
            + "".join(f"   {head:<20}" for head in heads.values()).rstrip()
        )
        for (name, segments), values in found.items():
            cells = (" ".join(f"{value:4.2f}" for value in values[column]) for column in heads)
            print(f"{name:<23}{segments:>6}   " + "    ".join(cells))
    show_corpora(size)
    show_ignorant(size)


if __name__ == "__main__":
    main(Size(*map(int, sys.argv[1:2])))
