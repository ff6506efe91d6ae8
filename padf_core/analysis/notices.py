"""Warnings about a decay on given data, each with a remedy where there is one."""

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
"""A half-life below this share of the median segment causes a notice."""

HEAVY = 0.4
"""A single segment with more than this share of the weight causes a notice."""

NEVER_DECAYS = 0.99

ALMOST_EVERYTHING = 0.99
"""A threshold that flags at least this share of points is reported."""


@dataclass(frozen=True)
class Notice:
    """A warning, and settings that would resolve it."""

    key: str
    text: str
    remedy: Mapping[str, Value] = field(default_factory=dict)
    offer: str = ""
    """The label of the remedy's button."""


def notices(
    protocol: PointAdjustDecay, series: Series, random_f1: float | None, f1: Sequence[float] = ()
) -> list[Notice]:
    """Return notices about a decay on a series.

    ``random_f1`` is the mean F1 of a random detector, ``f1`` the F1 of each detector.
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
                f"here (the best has {max(f1):.3f}). Under this decay their ranking means "
                "nothing. Usual reasons: labels that begin before the event, a decay much "
                "shorter than the segments, or long segments with most of the weight.",
                {} if protocol.weight == "segments" else {"weight": "segments"},
                "" if protocol.weight == "segments" else "Count each segment once",
            )
        )
    return notices


def flags_everything(
    found: Iterable[tuple[str, str, float]], at: str = "best threshold"
) -> list[str]:
    """Report which detectors' thresholds flag all or almost all points, per protocol.

    ``found`` holds detector, protocol and the share of flagged points.

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
    """Return how long each segment lasts, from its first to its last row, in units of delay."""
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
                f"The need is shorter than a step: {when} against {format_duration(step)} "
                "between two rows. Only an alarm at the first row of a segment earns much.",
            )
        )
    elif measure != "share" and 0 < half < SHORT * median:
        gone = "All credit is gone" if decay.drops else "Half of the credit is gone"
        counts = "count" if decay.drops else "earn more than half"
        notices.append(
            Notice(
                "short",
                f"{gone} after {when}, and the median segment lasts "
                f"{format_delay(median, measure, step)}: only alarms in its first "
                f"{100 * half / median:.2g} % {counts}. If labels begin before the event, a "
                "perfect alarm looks late. In that case move the onset under Rules.",
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
            f"One segment of {lengths.size} carries {100 * heaviest:.0f} % of the weight: a "
            "detector that finds it early wins.",
            {"weight": "segments"},
            "Count each segment once",
        )
    ]
