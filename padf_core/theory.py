"""What a protocol gives in expectation: for any probability of an alarm, and for a random score.

Precision and F1 here are ratios of expected counts, as in the paper, not expectations of ratios.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np

from padf_core.checks import (
    FloatArray,
    IntArray,
    check_binary,
    check_number,
    check_probabilities,
    check_same_length,
)
from padf_core.decay import Decay, ExponentialDecay, HalfLifeDecay
from padf_core.measures import Measured, fbeta_of
from padf_core.probability import first_hit_probability
from padf_core.protocols import (
    PointAdjust,
    PointAdjustDecay,
    PointAdjustK,
    Pointwise,
    Protocol,
    check_protocol,
)
from padf_core.segments import Segments, runs_of
from padf_core.sweep import rank_scores


@dataclass(frozen=True)
class Expectation(Measured):
    """Expected counts of a detector that alarms by chance, and the scores made of them."""

    protocol: Protocol
    true_positives: float
    false_positives: float
    claimed: float
    anomalous: int


def expected(labels: object, normal_probability: object, protocol: Protocol) -> Expectation:
    """Score a detector that says "normal" at point t with probability p(t), independently.

    For PAdf the recall is the sum over n of D(n) (1 - p_n) times the product of all p_i with i < n,
    over all segments weighted by their lengths.

    >>> from padf_core import ExponentialDecay, PointAdjustDecay
    >>> e = expected([0, 1, 1], [1.0, 0.5, 0.5], PointAdjustDecay(ExponentialDecay(0.9)))
    >>> round(e.recall, 6)   # 0.5 + 0.9 * 0.5 * 0.5
    0.725
    """
    check_protocol(protocol)
    truth = check_binary("labels", labels)
    normal = check_probabilities("normal_probability", normal_probability)
    check_same_length("labels", truth, "normal_probability", normal)
    credit = covered = 0.0
    for rows, lengths in _segments_by_size(runs_of(truth), normal):
        credit += float(protocol.expected_credit(rows, lengths).sum())
        covered += float(PointAdjust().expected_credit(rows, lengths).sum())
    false_positives = float((1 - normal[~truth]).sum())
    return Expectation(
        protocol=protocol,
        true_positives=credit,
        false_positives=false_positives,
        claimed=(covered if protocol.counts_detected_points else credit) + false_positives,
        anomalous=int(np.count_nonzero(truth)),
    )


def _segments_by_size(
    segments: Segments, normal: FloatArray
) -> Iterator[tuple[FloatArray, IntArray]]:
    """Yield segments as rows filled up with 1, those of similar length together.

    Lengths are rounded up to powers of two, so the rows hold at most twice the anomalous points.
    """
    widths = np.exp2(np.ceil(np.log2(segments.lengths))).astype(np.int64)
    for width in np.unique(widths).tolist():
        chosen = widths == width
        lengths = segments.lengths[chosen]
        offsets = np.arange(width)
        positions = segments.starts[chosen][:, None] + np.minimum(offsets, lengths[:, None] - 1)
        yield np.where(offsets < lengths[:, None], normal[positions], 1.0), lengths


@overload
def random_score_f1(
    threshold: float, length: int, anomaly_ratio: float, protocol: Protocol
) -> float: ...
@overload
def random_score_f1(
    threshold: Sequence[float] | FloatArray, length: int, anomaly_ratio: float, protocol: Protocol
) -> FloatArray: ...
def random_score_f1(
    threshold: float | Sequence[float] | FloatArray,
    length: int,
    anomaly_ratio: float,
    protocol: Protocol,
) -> float | FloatArray:
    """Return F1 of a uniform random score, for segments of one length (Fig. 3 of the paper).

    With theta the threshold, N the length and r the anomaly ratio, an alarm has probability
    1 - theta. PA has R = 1 - theta^N; PAdf has R = (1 - theta)(1 - (theta d)^N) / (1 - theta d).

    Parameters
    ----------
    threshold : float or array-like
        Thresholds in [0, 1]; one number gives one number.
    length : int
        Points per segment, N.
    anomaly_ratio : float
        Share of anomalous points, r.
    protocol : Protocol
        Any protocol, with either precision convention.

    Examples
    --------
    >>> round(random_score_f1(0.99, 500, 0.05, PointAdjust()), 3)
    0.91
    """
    check_protocol(protocol)
    theta = check_probabilities("threshold", np.atleast_1d(np.asarray(threshold)))
    points = check_number(
        "length", length, lambda x: 1 <= x < 1e15 and x == int(x), "a whole number of at least 1"
    )
    ratio = check_number("anomaly_ratio", anomaly_ratio, lambda x: 0 < x < 1, "between 0 and 1")
    recall = random_score_recall(theta, int(points), protocol)
    credit = ratio * recall
    covered = credit
    if protocol.counts_detected_points:
        covered = ratio * _hit_probability(theta, int(points))
    claimed = covered + (1 - theta) * (1 - ratio)
    f1 = fbeta_of(credit, claimed, ratio)
    return float(f1[0]) if np.ndim(threshold) == 0 else f1


def random_score_recall(theta: FloatArray, length: int, protocol: Protocol) -> FloatArray:
    """Return the expected credit of one point of a segment, for a uniform random score."""
    if isinstance(protocol, Pointwise):
        return 1 - theta
    if isinstance(protocol, PointAdjust):
        return _hit_probability(theta, length)
    if isinstance(protocol, PointAdjustDecay) and isinstance(
        protocol.decay, (ExponentialDecay, HalfLifeDecay)
    ):
        return (1 - theta) * _geometric_sum(theta * protocol.decay.rate, length)
    if isinstance(protocol, PointAdjustK):
        return _recall_k(binomial(theta, length), length, protocol)
    rows = np.broadcast_to(theta[:, None], (theta.size, length))
    return protocol.expected_credit(rows, np.full(theta.size, length)) / length


def binomial(theta: FloatArray, length: int) -> FloatArray:
    """Return, per threshold, the probability of 0, 1, ... alarms among points of a random score.

    >>> binomial(np.array([0.5, 1.0]), 2).tolist()
    [[0.25, 0.5, 0.25], [1.0, 0.0, 0.0]]
    """
    hits = np.arange(length + 1)
    logs = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, length + 1)))))
    ways = logs[-1] - logs - logs[::-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        quiet = np.where(hits == length, 0.0, (length - hits) * np.log(theta)[:, None])
        loud = np.where(hits == 0, 0.0, hits * np.log1p(-theta)[:, None])
    probability: FloatArray = np.exp(ways + quiet + loud)
    total: FloatArray = probability.sum(axis=1, keepdims=True)
    return probability / total


def _recall_k(chances: FloatArray, length: int, protocol: PointAdjustK) -> FloatArray:
    hits = np.arange(length + 1)
    needed = int(protocol.needed_hits(np.array([length]))[0])
    recall: FloatArray = chances @ np.where(hits >= needed, length, hits) / length
    return recall


@dataclass(frozen=True)
class RandomBest:
    """The most that a random score can reach, over all its alarm rates."""

    f1: float
    alarm_rate: float


def random_score_best(
    length: int, anomaly_ratio: float, protocols: Sequence[Protocol]
) -> list[RandomBest]:
    """Return the highest F1 of a uniform random score under each protocol, and its alarm rate.

    >>> best = random_score_best(500, 0.05, [PointAdjust(), Pointwise()])
    >>> [(round(b.f1, 3), round(b.alarm_rate, 4)) for b in best]
    [(0.923, 0.0068), (0.095, 1.0)]
    """
    rates = np.unique(np.concatenate((np.geomspace(1e-6, 1, 160), np.linspace(0.005, 1, 120))))
    coarse = _best_among(rates, length, anomaly_ratio, protocols)
    made = []
    for protocol, at in zip(protocols, coarse, strict=True):
        low, high = rates[max(0, at - 1)], rates[min(rates.size - 1, at + 1)]
        fine = np.linspace(low, high, 64)
        best = _best_among(fine, length, anomaly_ratio, [protocol])[0]
        f1 = random_score_f1(1 - fine, length, anomaly_ratio, protocol)
        made.append(RandomBest(float(f1[best]), float(fine[best])))
    return made


def _best_among(
    rates: FloatArray, length: int, anomaly_ratio: float, protocols: Sequence[Protocol]
) -> list[int]:
    """Return the place of the best alarm rate under each protocol."""
    theta = 1 - rates
    chances: FloatArray | None = None
    places = []
    for protocol in protocols:
        if isinstance(protocol, PointAdjustK):
            if chances is None:
                chances = binomial(theta, length)
            credit = anomaly_ratio * _recall_k(chances, length, protocol)
            claimed = credit + rates * (1 - anomaly_ratio)
            f1 = fbeta_of(credit, claimed, anomaly_ratio)
        else:
            f1 = random_score_f1(theta, length, anomaly_ratio, protocol)
        places.append(int(np.argmax(f1)))
    return places


def credit_terms(normal_probability: object, decay: Decay) -> tuple[FloatArray, FloatArray]:
    """Return, for one segment, the chance that the first alarm is at each point, and D there.

    Their products, summed, are the expected credit of a point under PAdf.

    >>> from padf_core import ExponentialDecay
    >>> chance, worth = credit_terms([0.5, 0.5], ExponentialDecay(0.9))
    >>> (chance * worth).tolist()
    [0.5, 0.225]
    """
    normal = check_probabilities("normal_probability", normal_probability)
    return first_hit_probability(normal[None, :])[0], decay(np.arange(normal.size))


@dataclass(frozen=True, eq=False)
class Simulated:
    """F1 of simulated random scores at a few thresholds: one row per run."""

    protocol: Protocol
    thresholds: FloatArray
    f1: FloatArray

    @property
    def mean(self) -> FloatArray:
        """Mean over the runs."""
        average: FloatArray = self.f1.mean(axis=0)
        return average

    @property
    def error(self) -> FloatArray:
        """Standard deviation between runs."""
        spread: FloatArray = self.f1.std(axis=0, ddof=1)
        return spread


def simulate_random_score(
    thresholds: Sequence[float],
    length: int,
    anomaly_ratio: float,
    protocols: Sequence[Protocol],
    *,
    runs: int = 10,
    points: int = 2_000_000,
    seed: int = 0,
) -> list[Simulated]:
    """Draw random scores on a series of equal segments, and score them like any detector.

    The series has 100 segments, or fewer (but ten at least) where that would be more than
    ``points`` points; thresholds must rise.
    """
    every = max(length + 1, round(length / anomaly_ratio))
    segments = max(10, min(100, points // every))
    labels = (np.arange(segments * every) % every) >= every - length
    falling = np.asarray(thresholds, dtype=np.float64)[::-1]
    made = np.zeros((len(protocols), runs, falling.size))
    for run in range(runs):
        noise = np.random.default_rng([seed, run]).random(labels.size)
        ranked = rank_scores(labels, noise)
        for index, protocol in enumerate(protocols):
            made[index, run] = ranked.at(falling, protocol).f1[::-1]
    return [
        Simulated(protocol, falling[::-1], made[index]) for index, protocol in enumerate(protocols)
    ]


def _hit_probability(theta: FloatArray, length: int) -> FloatArray:
    """Return 1 - theta^N without losing digits where it is small."""
    with np.errstate(divide="ignore"):
        probability: FloatArray = -np.expm1(length * np.log(theta))
    return probability


def _geometric_sum(ratio: FloatArray, terms: int) -> FloatArray:
    """Return 1 + q + ... + q^(n-1), also where q is 1 or close to it."""
    total = np.full(ratio.shape, float(terms))
    below = ratio < 1
    q = ratio[below]
    with np.errstate(divide="ignore", under="ignore"):
        total[below] = -np.expm1(terms * np.log(q)) / (1 - q)
    return total
