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
from padf_core.decay import ExponentialDecay, HalfLifeDecay
from padf_core.measures import Measured, fbeta_of
from padf_core.protocols import PointAdjust, PointAdjustDecay, Pointwise, Protocol, check_protocol
from padf_core.segments import Segments, runs_of


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
    rows = np.broadcast_to(theta[:, None], (theta.size, length))
    return protocol.expected_credit(rows, np.full(theta.size, length)) / length


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
