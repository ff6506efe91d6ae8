"""The definitions by brute force, point by point, in exact fractions: slow, plain and independent.

Nothing here imports the code that computes; protocols are only asked for their parameters.
"""

from fractions import Fraction
from itertools import product

from padf_core import (
    DeadlineDecay,
    ExponentialDecay,
    HalfLifeDecay,
    LinearDecay,
    PointAdjust,
    PointAdjustDecay,
    PointAdjustK,
    Pointwise,
)


def segments(labels):
    """Walk the labels and note where each run of 1 begins and ends."""
    found, start = [], None
    for t, label in enumerate([*labels, 0]):
        if label == 1 and start is None:
            start = t
        elif label == 0 and start is not None:
            found.append((start, t))
            start = None
    return found


def worth(decay, delay):
    """D(delay), as an exact fraction where the decay has one."""
    if isinstance(decay, ExponentialDecay):
        return Fraction(decay.rate) ** delay
    if isinstance(decay, HalfLifeDecay):
        return Fraction(2 ** (-delay / decay.half_life))
    if isinstance(decay, LinearDecay):
        return max(Fraction(0), 1 - Fraction(delay) / Fraction(decay.span))
    if isinstance(decay, DeadlineDecay):
        return Fraction(int(delay <= decay.limit))
    raise AssertionError(f"no definition for {decay}")


def picture(labels, detections, protocol):
    """The credit of every point, and how many points lie in detected segments."""
    credit = [Fraction(int(x)) for x in detections]
    covered = 0
    for start, stop in segments(labels):
        inside = [int(x) for x in detections[start:stop]]
        length, hits = len(inside), sum(inside)
        covered += length if hits else 0
        for t in range(start, stop):
            credit[t] = point_credit(protocol, inside, t - start, length, hits)
    return credit, covered


def point_credit(protocol, inside, offset, length, hits):
    own = Fraction(inside[offset])
    if isinstance(protocol, Pointwise) or not hits:
        return own
    if isinstance(protocol, PointAdjust):
        return Fraction(1)
    if isinstance(protocol, PointAdjustK):
        share, needed = Fraction(100 * hits), Fraction(str(protocol.k)) * length
        return Fraction(1) if share > needed or (protocol.inclusive and share == needed) else own
    if isinstance(protocol, PointAdjustDecay):
        return worth(protocol.decay, inside.index(1))
    raise AssertionError(f"no definition for {protocol}")


def counts(labels, detections, protocol):
    """(eTP, FP, what precision divides by, anomalous points)."""
    credit, covered = picture(labels, detections, protocol)
    etp = sum((c for c, label in zip(credit, labels, strict=True) if label == 1), Fraction(0))
    fp = sum(1 for x, label in zip(detections, labels, strict=True) if x == 1 and label == 0)
    equations = isinstance(protocol, PointAdjustDecay) and protocol.precision == "equations"
    return etp, fp, (covered if equations else etp) + fp, sum(1 for label in labels if label == 1)


def ratio(part, whole):
    return Fraction(part) / Fraction(whole) if whole else Fraction(0)


def scores(labels, detections, protocol, beta=1):
    """(precision, recall, F-beta) from their textbook definitions."""
    etp, _, claimed, anomalous = counts(labels, detections, protocol)
    precision, recall = ratio(etp, claimed), ratio(etp, anomalous)
    weight = Fraction(beta) ** 2
    return precision, recall, ratio((1 + weight) * precision * recall, weight * precision + recall)


def sweep(labels, values, protocol):
    """[(threshold, precision, recall, F1, FP)] for every distinct threshold, highest first."""
    rows = []
    for threshold in sorted(set(values), reverse=True):
        detections = [int(value >= threshold) for value in values]
        false_alarms = counts(labels, detections, protocol)[1]
        rows.append((threshold, *scores(labels, detections, protocol), false_alarms))
    return rows


def average_precision(labels, values, protocol):
    area, last_recall = Fraction(0), Fraction(0)
    for _, precision, recall, _, _ in sweep(labels, values, protocol):
        area += (recall - last_recall) * precision
        last_recall = recall
    return area


def roc_auc(labels, values, protocol):
    normal = sum(1 for label in labels if label == 0)
    area, last_recall, last_rate = Fraction(0), Fraction(0), Fraction(0)
    for _, _, recall, _, false_alarms in sweep(labels, values, protocol):
        rate = Fraction(false_alarms, normal)
        area += (rate - last_rate) * (recall + last_recall) / 2
        last_recall, last_rate = recall, rate
    return area


def expectation(labels, normal_probability, protocol):
    """(E[eTP], E[claimed]) by going through every possible detection pattern."""
    etp, claimed = Fraction(0), Fraction(0)
    for pattern in product((0, 1), repeat=len(labels)):
        chance = Fraction(1)
        for x, p in zip(pattern, normal_probability, strict=True):
            chance *= (1 - Fraction(p)) if x else Fraction(p)
        if chance:
            result = counts(labels, list(pattern), protocol)
            etp += chance * result[0]
            claimed += chance * result[2]
    return etp, claimed
