"""What should be known of a series before any of its scores is trusted."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from padf_core.io.notation import percent
from padf_core.io.series import Series
from padf_core.io.times import MICROSECONDS
from padf_core.metrics.clock import format_duration
from padf_core.metrics.timing import ASSUMED_STEP

ENOUGH = 50
"""In a series of so many points most of them should be normal."""

UNEVEN = 0.01
"""When more than this share of steps differs from the usual one, that is said."""


def caveats_of(series: Series, called: Callable[[str], str] = str) -> list[str]:
    """Return what somebody should know before trusting any number.

    ``called`` writes the name of a detector.
    """
    found = []
    if not series.anomalous:
        found.append("No point is labelled 1: there is nothing to detect, and every F1 is 0.")
    elif series.anomalous == series.counted:
        found.append("Every point is labelled 1: no alarm can be false, so scores say little.")
    elif series.anomalous > series.counted / 2 and series.counted >= ENOUGH:
        share = percent(series.anomalous / series.counted)
        found.append(f"{share} of all points are labelled 1: is that what is normal?")
    if series.held:
        found.append(
            f"{series.held:,} of {len(series.segments):,} segments cannot begin as much later or "
            "earlier: an onset stays inside its segment, or behind the one before."
        )
    for detector in series.detectors:
        if detector.is_constant:
            found.append(
                f"{called(detector.name)} has the same score in every row: it tells nothing apart."
            )
    if series.clock is not None and series.clock.without:
        found.append(
            f"No clock in {series.clock.without:,} of {series.parts:,} series, since times go back "
            f"or stand still: there, one step is taken as {format_duration(ASSUMED_STEP)}."
        )
    return [*found, *_uneven(series)]


def _uneven(series: Series) -> list[str]:
    """Say where rows are not equally far apart, inside segments and outside."""
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
        f"Sampling is uneven: {'; '.join(reasons)}. A decay in steps counts rows; one on the clock "
        "takes delays from the time stamps."
    ]
