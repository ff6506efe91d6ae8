"""The definitions by brute force, point by point, in exact fractions: slow, plain and independent.

Nothing here imports the code that computes; protocols are only asked for their parameters.
"""

from fractions import Fraction
from itertools import product
from math import ceil, exp
from math import floor as floor_of

from padf_core import (
    ADTQCDecay,
    Composite,
    DeadlineDecay,
    EventWise,
    ExponentialDecay,
    HalfLifeDecay,
    LinearDecay,
    PointAdjust,
    PointAdjustDecay,
    PointAdjustK,
    Pointwise,
    SigmoidDecay,
    WorthDecay,
)


def segments(labels):
    """Walk the labels and note where each run of 1 begins and ends."""
    found, start = [], None
    for t, label in enumerate([*labels, 0]):
        if label == 1 and start is None:
            start = t
        elif label != 1 and start is not None:
            found.append((start, t))
            start = None
    return found


def incidents(labels, ignored=(), begins=()):
    """The rows of each incident that count; an ignored row of an incident does not end it."""
    found, now = [], []
    for t, label in enumerate(labels):
        if t in begins or label == 0:
            found.append(now)
            now = []
        if label == 1 and t not in ignored:
            now.append(t)
    return [rows for rows in (*found, now) if rows]


def as_one_series(labels, ignored, begins=()):
    """Rows, or None for an empty row, that give the same scores without ignored rows and borders.

    Ignored rows inside an incident are skipped, other ignored rows are empty, and so is a row at
    every border.
    """
    skipped = {
        t
        for rows in incidents(labels, ignored, begins)
        for t in range(rows[0], rows[-1])
        if t in ignored
    }
    made = []
    for t in range(len(labels)):
        if t in begins:
            made.append(None)
        if t not in skipped:
            made.append(None if t in ignored else t)
    return made


def taken(labels, detections, rows):
    """The labels and detections of these rows; an empty one is neither anomalous nor normal."""
    return (
        [None if t is None else labels[t] for t in rows],
        [0 if t is None else detections[t] for t in rows],
    )


NEVER_NOTHING = Fraction(1, 10**400)
"""Powers never quite vanish, but floats do."""


def worth(decay, delay):
    """D(delay), as an exact fraction where the decay has one."""
    if isinstance(decay, ExponentialDecay):
        return Fraction(decay.rate) ** delay
    if isinstance(decay, HalfLifeDecay):
        return max(Fraction(2 ** (-delay / decay.half_life)), NEVER_NOTHING)
    if isinstance(decay, WorthDecay):
        return max(Fraction((decay.percent / 100) ** (delay / decay.after)), NEVER_NOTHING)
    if isinstance(decay, LinearDecay):
        return max(Fraction(0), 1 - Fraction(delay) / Fraction(decay.span))
    if isinstance(decay, DeadlineDecay):
        return Fraction(int(delay <= decay.limit))
    if isinstance(decay, SigmoidDecay):
        # NAB's own form: the logistic function, scaled to 1 at the start and 0 at the end.
        def raised(x):
            return 2 / (1 + exp(-x)) - 1

        return Fraction(raised(decay.steepness * (1 - float(delay))) / raised(decay.steepness))
    if isinstance(decay, ADTQCDecay):
        share = float(delay)
        return Fraction(1 / (1 + (share / (1 - share)) ** decay.exponent))
    raise AssertionError(f"no definition for {decay}")


def late(protocol, start, delay, length, times):
    """The delay as the protocol counts it: rows, seconds, or a share; less the grace."""
    if protocol.measure == "steps":
        counted = delay
    elif protocol.measure == "share":
        counted = Fraction(delay, length)
    else:
        # Where nobody says, a row is a minute.
        counted = 60 * delay if times is None else times[start + delay] - times[start]
    return max(0, counted - Fraction(protocol.grace)) if protocol.grace else counted


def picture(labels, detections, protocol, times=None):
    """The credit of every point, and how many points lie in detected segments."""
    credit = [Fraction(int(x)) for x in detections]
    covered = 0
    for start, stop in segments(labels):
        inside = [int(x) for x in detections[start:stop]]
        length, hits = len(inside), sum(inside)
        covered += length if hits else 0
        for t in range(start, stop):
            credit[t] = point_credit(protocol, inside, t - start, length, hits, start, times)
    return credit, covered


def point_credit(protocol, inside, offset, length, hits, start, times):
    own = Fraction(inside[offset])
    if isinstance(protocol, Pointwise | Composite) or not hits:
        return own
    if isinstance(protocol, PointAdjust | EventWise):
        return Fraction(1)
    if isinstance(protocol, PointAdjustK):
        share, needed = Fraction(100 * hits), Fraction(str(protocol.k)) * length
        return Fraction(1) if share > needed or (protocol.inclusive and share == needed) else own
    if isinstance(protocol, PointAdjustDecay):
        return worth(protocol.decay, late(protocol, start, inside.index(1), length, times))
    raise AssertionError(f"no definition for {protocol}")


def false_points(labels, detections):
    return sum(1 for x, label in zip(detections, labels, strict=True) if x == 1 and label == 0)


def false_runs(labels, detections):
    """Walk the series and count where a false alarm begins: no false alarm stands before it."""
    wrong = [x == 1 and label == 0 for x, label in zip(detections, labels, strict=True)]
    return sum(1 for t, here in enumerate(wrong) if here and not (t and wrong[t - 1]))


def counts(labels, detections, protocol, times=None):
    """(earned, false alarms, claimed, wanted, found)."""
    credit, covered = picture(labels, detections, protocol, times)
    etp = sum((c for c, label in zip(credit, labels, strict=True) if label == 1), Fraction(0))
    fp = false_points(labels, detections)
    total = len(segments(labels))
    detected = sum(1 for start, stop in segments(labels) if 1 in list(detections[start:stop]))
    if isinstance(protocol, Composite):
        return etp, fp, etp + fp, total, detected
    if isinstance(protocol, EventWise):
        runs = false_runs(labels, detections)
        return detected, runs, detected + runs, total, detected
    equations = isinstance(protocol, PointAdjustDecay) and protocol.convention == "equations"
    if isinstance(protocol, PointAdjustDecay) and protocol.weight == "segments":
        once = sum(
            (
                credit[start]
                for start, stop in segments(labels)
                if 1 in list(detections[start:stop])
            ),
            Fraction(0),
        )
        return once, fp, (detected if equations else once) + fp, total, once
    wanted = sum(1 for label in labels if label == 1)
    return etp, fp, (covered if equations else etp) + fp, wanted, etp


def amounts(labels, detections, protocol, times=None):
    """(earned, claimed, wanted, found, silent, normal), which add up over series.

    The last two are 0 unless precision is corrected by the false-alarm rate.
    """
    earned, _, claimed, wanted, found = counts(labels, detections, protocol, times)
    normal = []
    if isinstance(protocol, EventWise) and protocol.event_precision == "corrected":
        normal = [x for x, label in zip(detections, labels, strict=True) if label == 0]
    return earned, claimed, wanted, found, normal.count(0), len(normal)


def shares(added):
    """(precision, recall) of amounts that were added up."""
    earned, claimed, wanted, found, silent, normal = added
    false_alarm_rate = ratio(normal - silent, normal)
    return ratio(earned, claimed) * (1 - false_alarm_rate), ratio(found, wanted)


def f1_of(added):
    """F1 of amounts that were added up."""
    precision, recall = shares(added)
    return ratio(2 * precision * recall, precision + recall)


def ratio(part, whole):
    return Fraction(part) / Fraction(whole) if whole else Fraction(0)


def scores(labels, detections, protocol, beta=1, times=None):
    """(precision, recall, F-beta) from their textbook definitions."""
    precision, recall = shares(amounts(labels, detections, protocol, times))
    weight = Fraction(beta) ** 2
    return precision, recall, ratio((1 + weight) * precision * recall, weight * precision + recall)


def sweep(labels, values, protocol, times=None):
    """[(threshold, precision, recall, F1, false alarms, false points)], highest threshold first."""
    rows = []
    for threshold in sorted(set(values), reverse=True):
        detections = [int(value >= threshold) for value in values]
        false_alarms = counts(labels, detections, protocol, times)[1]
        wrong = false_points(labels, detections)
        made = scores(labels, detections, protocol, times=times)
        rows.append((threshold, *made, false_alarms, wrong))
    return rows


def average_precision(labels, values, protocol):
    area, last_recall = Fraction(0), Fraction(0)
    for _, precision, recall, *_ in sweep(labels, values, protocol):
        area += (recall - last_recall) * precision
        last_recall = recall
    return area


def roc_auc(labels, values, protocol):
    normal = sum(1 for label in labels if label == 0)
    area, last_recall, last_rate = Fraction(0), Fraction(0), Fraction(0)
    for _, _, recall, _, _, wrong in sweep(labels, values, protocol):
        rate = Fraction(wrong, normal)
        area += (rate - last_rate) * (recall + last_recall) / 2
        last_recall, last_rate = recall, rate
    return area


def expectation(labels, normal_probability, protocol, times=None):
    """(E[earned], E[claimed], E[found]) by going through every possible detection pattern."""
    earned, claimed, found = Fraction(0), Fraction(0), Fraction(0)
    for pattern in product((0, 1), repeat=len(labels)):
        chance = Fraction(1)
        for x, p in zip(pattern, normal_probability, strict=True):
            chance *= (1 - Fraction(p)) if x else Fraction(p)
        if chance:
            result = counts(labels, list(pattern), protocol, times)
            earned += chance * result[0]
            claimed += chance * result[2]
            found += chance * result[4]
    return earned, claimed, found


def moved_onsets(labels, onset, times=None, ignored=()):
    """[(first row of the early window, onset, stop)] of every segment, by walking row by row."""
    found = []
    previous = -1
    for rows in incidents(labels, ignored):
        start, stop = rows[0], rows[-1] + 1
        floor = min(previous + 1, start)
        if onset.moments is not None:
            inside = [m for m in sorted(onset.moments) if start <= m < stop]
            at = inside[0] if inside else start
        elif onset.unit == "rows":
            at = start + ceil(onset.shift)
        elif onset.unit == "share":
            at = start + floor_of(Fraction(onset.shift) * (stop - start))
        else:
            at = first_row_from(times, times[start] + onset.shift)
        at = max(floor, min(at, stop - 1))
        while at in ignored:
            at += 1
        first = at
        if onset.early:
            if onset.early_unit == "rows":
                first = at - int(onset.early)
            else:
                first = first_row_from(times, times[at] - onset.early)
        found.append((max(floor, min(first, at)), at, stop))
        previous = stop
    return found


def first_row_from(times, moment):
    return next((row for row, time in enumerate(times) if time >= moment), len(times))


def with_onset(labels, detections, onset, times=None, ignored=()):
    """(labels, detections, ignored) after the onsets were moved and early alarms dealt with."""
    truth, alarms, waiting = [0] * len(labels), list(detections), set(ignored)
    for first, at, stop in moved_onsets(labels, onset, times, ignored):
        for row in range(at, stop):
            truth[row] = 1
        early = [row for row in range(first, at) if row not in ignored]
        if onset.early_alarms == "on_time" and any(detections[row] for row in early):
            alarms[at] = 1
        waiting.update(early)
    return truth, alarms, [int(row in waiting) for row in range(len(labels))]


def ring(values, threshold, wait, cooldown, begins=(), ignored=()):
    """The alarms of a rule, by walking: how many points in a row, how long to keep quiet."""
    alarms, in_a_row, quiet = [], 0, 0
    for t, value in enumerate(values):
        if t in begins:
            in_a_row = quiet = 0
        in_a_row = in_a_row + 1 if value >= threshold and t not in ignored else 0
        if quiet == 0 and in_a_row >= wait:
            alarms.append(1)
            quiet = cooldown
        else:
            alarms.append(0)
            quiet = max(0, quiet - 1)
    return alarms


def rule_outcome(labels, alarms, protocol, step, begins=(), ignored=()):
    """(mean worth, false calls, unnoticed seconds) of alarms, incident by incident."""
    worths, unnoticed = [], Fraction(0)
    for rows in incidents(labels, ignored, begins):
        rung = [place for place, row in enumerate(rows) if alarms[row]]
        if rung:
            times = [step * (row - rows[0]) for row in rows]
            counted = late(protocol, 0, rung[0], len(rows), times)
            worths.append(worth(protocol.decay, counted))
            unnoticed += times[rung[0]]
        else:
            worths.append(Fraction(0))
            unnoticed += step * (rows[-1] + 1 - rows[0])
    calls = sum(1 for t, alarm in enumerate(alarms) if alarm and not labels[t] and t not in ignored)
    return ratio(sum(worths, Fraction(0)), len(worths)), calls, unnoticed


def best_rule(labels, values, thresholds, protocol, waits, cooldown, most, begins, ignored):
    """The most that a rule earns that rings for nothing at most so often; or None.

    A threshold at which nothing can ring, since no run is as long as the wait, is none.
    """
    found = None
    for wait in waits:
        for threshold in thresholds:
            alarms = ring(values, threshold, wait, cooldown, begins, ignored)
            earned, calls, _ = rule_outcome(labels, alarms, protocol, 60, begins, ignored)
            if calls <= most and 1 in alarms and (found is None or earned > found):
                found = earned
    return found
