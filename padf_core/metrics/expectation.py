"""Compute expected scores of random detections and of a random score.

Precision and F1 here are ratios of expected counts, as in the paper, not expectations of ratios.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import overload

import numpy as np
import numpy.typing as npt

from padf_core.metrics.checks import (
    BoolArray,
    FloatArray,
    check_binary,
    check_number,
    check_probabilities,
    check_same_length,
)
from padf_core.metrics.counts import Counts, Measured
from padf_core.metrics.probability import first_hit_probability
from padf_core.metrics.protocols import PointAdjustDecay, Protocol, Tally, check_protocol
from padf_core.metrics.segments import SegmentChances, Segments, runs_of
from padf_core.metrics.timing import Timing, make_timing


@dataclass(frozen=True, eq=False)
class Expectation(Measured):
    """Expected counts of a detector with random alarms, and the scores computed from them.

    Attributes
    ----------
    protocol : Protocol
        The protocol of this result.
    precision, recall, f1 : float
        Ratios of expected counts, as in the paper.
    false_positives : float
        Expected number of false alarms.
    anomalous : int
        Number of anomalous points.

    Examples
    --------
    >>> from padf_core import PointAdjust
    >>> expected([0, 1, 1], [1.0, 0.5, 0.5], PointAdjust()).recall   # 1 - 0.5 * 0.5
    0.75
    """

    protocol: Protocol
    counts: Counts
    false_positives: float
    """Expected number of false alarms, as the protocol counts them."""
    anomalous: int


def expected(
    labels: npt.ArrayLike,
    normal_probability: npt.ArrayLike,
    protocol: Protocol,
    *,
    times: npt.ArrayLike | None = None,
) -> Expectation:
    """Score a detector that is silent at point t with probability p(t), independently.

    For PAdf, recall is the sum over n of D(n) (1 - p_n) times the product of all p_i with i < n.
    Segments are weighted by their lengths.

    Parameters
    ----------
    labels : array_like of 0 and 1
        The ground-truth labels, one entry per row.
    normal_probability : array_like of float
        The probability p(t) of no alarm, for every row.
    protocol : Protocol
        For example ``PointAdjust()``.
    times : array_like or float, optional
        The time of each row (seconds or datetime64), or the seconds of one step. Needed for
        delays on the clock.

    Returns
    -------
    Expectation
        Expected counts, and the scores computed from them.

    Raises
    ------
    ValueError
        If an argument is invalid. The message names the argument, the row and the value.

    Examples
    --------
    >>> from padf_core import ExponentialDecay, PointAdjustDecay
    >>> e = expected([0, 1, 1], [1.0, 0.5, 0.5], PointAdjustDecay(ExponentialDecay(0.9)))
    >>> round(e.recall, 6)   # 0.5 + 0.9 * 0.5 * 0.5
    0.725
    """
    check_protocol(protocol)
    truth = check_binary("labels", labels)
    normal = check_probabilities("normal_probability", normal_probability)
    check_same_length("labels", truth, "normal_probability", normal)
    segments = runs_of(truth)
    timing = make_timing(times, truth.size)
    tallies = [protocol.expected(part) for part in _segments_by_size(segments, normal, timing)]
    wrong = _false_alarms(truth, normal, protocol)
    wanted = float(protocol.wanted(segments.lengths).sum())
    counts = _total(tallies, wrong, wanted)
    if protocol.corrects:
        counts = replace(counts, silent=float(normal[~truth].sum()), normal=int((~truth).sum()))
    return Expectation(protocol, counts, wrong, int(truth.sum()))


def _total(tallies: Sequence[Tally], wrong: float, wanted: float) -> Counts:
    """Add up the expected counts of all segments."""
    earned = sum(float(tally.earned.sum()) for tally in tallies)
    claimed, found = (
        [amount for tally in tallies if (amount := getattr(tally, name)) is not None]
        for name in ("claimed", "found")
    )
    return Counts(
        float(earned),
        (sum(float(each.sum()) for each in claimed) if claimed else earned) + wrong,
        wanted,
        float(sum(float(each.sum()) for each in found)) if found else None,
    )


def _false_alarms(truth: BoolArray, normal: FloatArray, protocol: Protocol) -> float:
    """Return the expected number of false alarms, as points or as starts of runs."""
    alarm = np.where(truth, 0.0, 1 - normal)
    if protocol.false_alarms == "points":
        return float(alarm.sum())
    return float(alarm[0] + (alarm[1:] * (1 - alarm[:-1])).sum())


def _segments_by_size(
    segments: Segments, normal: FloatArray, timing: Timing
) -> Iterator[SegmentChances]:
    """Yield groups of segments with similar lengths, as rows padded with 1.

    Lengths are rounded up to powers of two, so the rows hold at most twice the anomalous points.
    """
    widths = np.exp2(np.ceil(np.log2(segments.lengths))).astype(np.int64)
    for width in np.unique(widths).tolist():
        chosen = widths == width
        lengths, starts = segments.lengths[chosen], segments.starts[chosen]
        offsets = np.arange(width)
        positions = starts[:, None] + np.minimum(offsets, lengths[:, None] - 1)
        filled = np.where(offsets < lengths[:, None], normal[positions], 1.0)
        yield SegmentChances(filled, lengths, starts, timing)


@overload
def random_score_f1(
    threshold: float,
    length: int,
    anomaly_ratio: float,
    protocol: Protocol,
    step_seconds: float | None = None,
) -> float: ...
@overload
def random_score_f1(
    threshold: Sequence[float] | FloatArray,
    length: int,
    anomaly_ratio: float,
    protocol: Protocol,
    step_seconds: float | None = None,
) -> FloatArray: ...
def random_score_f1(
    threshold: float | Sequence[float] | FloatArray,
    length: int,
    anomaly_ratio: float,
    protocol: Protocol,
    step_seconds: float | None = None,
) -> float | FloatArray:
    """Return F1 of a uniform random score, for segments of one length (Fig. 3 of the paper).

    Let theta be the threshold, N the length and r the anomaly ratio. An alarm has probability 1 -
    theta. PA has R = 1 - theta^N, and PAdf has R = (1 - theta)(1 - (theta d)^N) / (1 - theta d).
    Runs of false alarms are counted in one stretch of N (1 - r) / r normal points per segment.

    Parameters
    ----------
    threshold : float or array-like
        Thresholds in [0, 1]; a single number returns a single number.
    length : int
        Points per segment, N.
    anomaly_ratio : float
        Share of anomalous points, r.
    protocol : Protocol
        Any protocol, with either precision convention.
    step_seconds : float, optional
        Seconds per step, for decays on the clock.

    Returns
    -------
    float or ndarray
        One F1 per threshold.

    Raises
    ------
    ValueError
        If a number is out of range.

    Examples
    --------
    >>> from padf_core import PointAdjust
    >>> round(random_score_f1(0.99, 500, 0.05, PointAdjust()), 3)
    0.91
    """
    check_protocol(protocol)
    theta = check_probabilities("threshold", np.atleast_1d(np.asarray(threshold)))
    points = int(
        check_number(
            "length",
            length,
            lambda x: 1 <= x < 1e15 and x == int(x),
            "a whole number of at least 1",
        )
    )
    ratio = check_number("anomaly_ratio", anomaly_ratio, lambda x: 0 < x < 1, "between 0 and 1")
    tally = protocol.expected_random(theta, points, step_seconds)
    gap = points * (1 - ratio) / ratio
    wrong = (1 - theta) * gap
    if protocol.false_alarms == "runs":
        wrong = (1 - theta) * (1 + np.maximum(gap - 1, 0.0) * theta) * min(gap, 1.0)
    inside = tally.earned if tally.claimed is None else tally.claimed
    wanted = float(protocol.wanted(np.array([points]))[0])
    silent = (theta * gap, gap) if protocol.corrects else ()
    f1 = Counts(tally.earned, inside + wrong, wanted, tally.found, *silent).fbeta()
    return float(f1[0]) if np.ndim(threshold) == 0 else f1


@dataclass(frozen=True)
class RandomBest:
    """The best F1 of a random score over all alarm rates."""

    f1: float
    alarm_rate: float


def random_score_best(
    length: int,
    anomaly_ratio: float,
    protocols: Sequence[Protocol],
    step_seconds: float | None = None,
) -> list[RandomBest]:
    """Return the highest F1 of a uniform random score under each protocol, and its alarm rate.

    >>> from padf_core import PointAdjust, Pointwise
    >>> best = random_score_best(500, 0.05, [PointAdjust(), Pointwise()])
    >>> [(round(b.f1, 3), round(b.alarm_rate, 4)) for b in best]
    [(0.923, 0.0068), (0.095, 1.0)]
    """
    rates = np.unique(np.concatenate((np.geomspace(1e-6, 1, 160), np.linspace(0.005, 1, 120))))
    coarse = [
        int(np.argmax(random_score_f1(1 - rates, length, anomaly_ratio, protocol, step_seconds)))
        for protocol in protocols
    ]
    made = []
    for protocol, at in zip(protocols, coarse, strict=True):
        low, high = rates[max(0, at - 1)], rates[min(rates.size - 1, at + 1)]
        fine = np.linspace(low, high, 64)
        f1 = random_score_f1(1 - fine, length, anomaly_ratio, protocol, step_seconds)
        best = int(np.argmax(f1))
        made.append(RandomBest(float(f1[best]), float(fine[best])))
    return made


def credit_terms(
    normal_probability: npt.ArrayLike, protocol: PointAdjustDecay, step_seconds: float | None = None
) -> tuple[FloatArray, FloatArray]:
    """Return the probability of the first alarm at each point of a segment, and the credit D there.

    The sum of their products is the expected credit of a point under PAdf.

    >>> from padf_core import PointAdjustDecay
    >>> first, worth = credit_terms([0.5, 0.5], PointAdjustDecay())
    >>> (first * worth).tolist()
    [0.5, 0.225]
    """
    normal = check_probabilities("normal_probability", normal_probability)
    whole = SegmentChances(normal[None, :], np.array([normal.size]), timing=Timing(step_seconds))
    worth = protocol.worth(whole.late(protocol.measure))
    return first_hit_probability(normal[None, :])[0], worth[0]
