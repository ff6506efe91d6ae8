"""What somebody should know before a decay's numbers are believed, each with a way out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from padf_core.io.series import Series
from padf_core.metrics.clock import format_duration
from padf_core.metrics.decays import ShapedDecay
from padf_core.metrics.parameters import Value
from padf_core.metrics.protocols import PointAdjustDecay
from padf_core.metrics.timing import format_delay, late

SHORT = 0.2
"""A half-life below this share of the median segment is told."""

HEAVY = 0.4
"""One segment with more than this share of the weight is told."""

NEVER_DECAYS = 0.99

ALMOST_EVERYTHING = 0.99
"""A threshold that flags this share of points is told."""


@dataclass(frozen=True)
class Notice:
    """Something to know, and settings that would change it."""

    key: str
    text: str
    remedy: Mapping[str, Value] = field(default_factory=dict)
    offer: str = ""
    """What the remedy is called on a button."""


def notices(
    protocol: PointAdjustDecay, series: Series, random_f1: float | None, f1: Sequence[float] = ()
) -> list[Notice]:
    """Return what is odd about a decay on a series.

    ``random_f1`` is what a random detector reaches on average, ``f1`` what each detector does.
    """
    decay = protocol.decay
    if not series.anomalous or not isinstance(decay, ShapedDecay):
        return []
    notices = [
        *_need(protocol, decay, series),
        *_weight(protocol, series),
    ]
    if f1 and random_f1 is not None and random_f1 >= max(f1):
        notices.append(
            Notice(
                "random",
                f"A random detector reaches {random_f1:.3f} on average: more than every detector "
                f"here (the best has {max(f1):.3f}). No order among them means anything under this "
                "decay. Labels that begin before the event, a decay much shorter than the segments "
                "and long segments that weigh most are the usual reasons.",
                {} if protocol.weight == "segments" else {"weight": "segments"},
                "" if protocol.weight == "segments" else "Count each segment once",
            )
        )
    return notices


def flags_everything(
    found: Iterable[tuple[str, str, float]], at: str = "best threshold"
) -> list[str]:
    """Say under which protocols which detectors' thresholds flag every point, or almost every one.

    ``found`` holds detector, protocol and the share of points that are flagged.

    >>> flags_everything([("a", "PA", 1.0), ("b", "PA", 0.2), ("c", "PA", 0.996)])
    ['Under PA, this best threshold flags everything: a; almost everything: c (99.6 %).']
    """
    said = []
    kept = list(found)
    for protocol in dict.fromkeys(protocol for _, protocol, _ in kept):
        own = [(detector, flagged) for detector, name, flagged in kept if name == protocol]
        every = [detector for detector, flagged in own if flagged == 1]
        almost = [
            f"{detector} ({min(99.9, 100 * flagged):.1f} %)"
            for detector, flagged in own
            if ALMOST_EVERYTHING <= flagged < 1
        ]
        parts = [("everything", every), ("almost everything", almost)]
        listed = "; ".join(f"{how}: {', '.join(names)}" for how, names in parts if names)
        if listed:
            said.append(f"Under {protocol}, this {at} flags {listed}.")
    return said


def lasting(series: Series, protocol: PointAdjustDecay) -> np.ndarray:
    """Return how long each segment lasts, from its first row to its last, as delays are counted."""
    found = series.segments
    starts, timing = found.on_clock(series.rows.timing)
    return late(protocol.measure, found.lengths - 1, found.lengths, starts, timing).astype(
        np.float64
    )


def _need(protocol: PointAdjustDecay, decay: ShapedDecay, series: Series) -> list[Notice]:
    notices = []
    measure = protocol.measure
    step = series.step_seconds
    lasts = lasting(series, protocol)
    median, longest = float(np.median(lasts)), float(lasts.max())
    half = decay.half_life + protocol.grace
    when = format_delay(half, measure, step)
    if measure == "clock" and step and half < step:
        notices.append(
            Notice(
                "below_step",
                f"The need is shorter than a step: {when} against {format_duration(step)} between "
                "two rows. Only an alarm at the very first row of a segment counts for much.",
            )
        )
    elif measure != "share" and 0 < half < SHORT * median:
        gone = "Everything is gone" if decay.drops else "Half of the credit is gone"
        counts = "count" if decay.drops else "earn more than half"
        notices.append(
            Notice(
                "short",
                f"{gone} after {when}, and the median segment lasts "
                f"{format_delay(median, measure, step)}: only alarms in its first "
                f"{100 * half / median:.2g} % {counts}. If labels begin before the event, a "
                "perfect alarm looks late: move the onset under Rules.",
                {"measure": "share", "shape": "linear", "decay": 1.0},
                "Measure delay by the segment's own length",
            )
        )
    at_end = float(protocol.worth(np.array([longest]))[0])
    if longest and decay.drops and at_end == 1:
        notices.append(
            Notice(
                "flat",
                f"No segment lasts longer than the deadline of {when}: this is PA on these data.",
            )
        )
    elif longest and at_end > NEVER_DECAYS:
        notices.append(
            Notice(
                "flat",
                f"Even at the end of the longest segment "
                f"({format_delay(longest, measure, step)}) an alarm keeps {100 * at_end:.1f} % of "
                "its credit: this hardly differs from PA.",
            )
        )
    return notices


def _weight(protocol: PointAdjustDecay, series: Series) -> list[Notice]:
    lengths = series.segments.lengths
    heaviest = float(lengths.max() / lengths.sum())
    is_even = heaviest < max(HEAVY, 1.2 / lengths.size)
    if protocol.weight == "segments" or lengths.size < 2 or is_even:
        return []
    return [
        Notice(
            "heavy",
            f"One segment of {lengths.size} carries {100 * heaviest:.0f} % of the weight: whoever "
            "finds that one early is ahead.",
            {"weight": "segments"},
            "Count each segment once",
        )
    ]
