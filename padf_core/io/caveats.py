"""Collect warnings about a series that affect every score."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from padf_core.io.notation import percent
from padf_core.io.series import Series
from padf_core.io.timestamps import MICROSECONDS
from padf_core.metrics.clock import format_duration
from padf_core.metrics.timing import ASSUMED_STEP

ENOUGH = 50
"""From this number of points on, most points should be normal."""

UNEVEN = 0.01
"""Share of irregular steps above which sampling is reported as uneven."""


def caveats_of(series: Series, called: Callable[[str], str] = str) -> list[str]:
    """Return warnings about a series.

    ``called`` formats the name of a detector.
    """
    found = []
    if not series.anomalous:
        found.append("No point is labelled 1, so there is nothing to detect and every F1 is 0.")
    elif series.anomalous == series.counted:
        found.append("Every point is labelled 1. No alarm can be false, so scores say little.")
    elif series.anomalous > series.counted / 2 and series.counted >= ENOUGH:
        share = percent(series.anomalous / series.counted)
        found.append(f"{share} of all points are labelled 1. Does 1 mean normal here?")
    if series.held:
        found.append(
            f"{series.held:,} of {len(series.segments):,} segments cannot move that far: an "
            "onset stays inside its segment, and after the segment before."
        )
    for detector in series.detectors:
        if detector.is_constant:
            found.append(
                f"{called(detector.name)} has the same score in every row, so it cannot rank "
                "anything."
            )
    if series.clock is not None and series.clock.without:
        found.append(
            f"No clock in {series.clock.without:,} of {series.parts:,} series, because "
            "timestamps go back or repeat. There, one step is taken as "
            f"{format_duration(ASSUMED_STEP)}."
        )
    return [*found, *_uneven(series)]


def _uneven(series: Series) -> list[str]:
    """Report irregular steps, and different steps inside and outside segments."""
    clock = series.clock
    if clock is None or clock.stamps is None:
        return []
    within = slice(None) if clock.within is None else clock.within
    steps = (np.diff(clock.stamps) / MICROSECONDS)[within]
    usual = clock.step_seconds
    odd = float(np.mean(np.abs(steps - usual) > usual / 100))
    inside = (series.labels[1:] & series.labels[:-1])[within]
    reasons = []
    if clock.gaps or odd > UNEVEN:
        reasons.append(f"{percent(odd)} of steps are not {format_duration(usual)} long")
    repeated = int(np.count_nonzero(steps == 0))
    if repeated:
        rows = "1 row repeats" if repeated == 1 else f"{repeated:,} rows repeat"
        reasons.append(f"{rows} the time of the row before")
    if inside.any() and not inside.all():
        in_segments, outside = (float(np.median(steps[part])) for part in (inside, ~inside))
        if abs(in_segments - outside) > outside / 100:
            reasons.append(
                f"inside segments the median step is {format_duration(in_segments)}, outside "
                f"{format_duration(outside)}"
            )
    if not reasons:
        return []
    return [
        f"Sampling is uneven: {'; '.join(reasons)}. A decay in steps counts rows; a decay in "
        "clock time uses the timestamps."
    ]
