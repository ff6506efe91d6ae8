"""Convert a detector's sorted scores on one series to arrays that can be stored."""

from __future__ import annotations

import numpy as np

from padf_core.corpus.stores import KeptArrays
from padf_core.io.series import smallest_exact
from padf_core.metrics.checks import NumberArray
from padf_core.metrics.ranked_scores import RankedScores, Turns
from padf_core.metrics.segments import Segments, SegmentScores
from padf_core.metrics.timing import Timing

NORMAL, PEAKS, DIPS, INSIDE = "normal", "peaks", "dips", "inside"


def arrays_of(name: str, ranked: RankedScores) -> dict[str, NumberArray]:
    """Return the arrays of one detector under its name; increasing arrays can be sliced."""
    inside = ranked.inside
    in_time = np.empty_like(inside.scores)
    in_time[inside.order] = inside.scores
    timing = inside.timing
    made = {
        NORMAL: smallest_exact(ranked.normal_scores),
        PEAKS: smallest_exact(ranked.turns.peaks),
        DIPS: smallest_exact(ranked.turns.dips),
        INSIDE: smallest_exact(in_time),
        "order": inside.order.astype(np.int32),
        "lengths": inside.lengths.astype(np.int32),
        "clock": np.array(
            [
                np.nan if timing.step is None else timing.step,
                timing.per_second,
                timing.times is not None,
            ]
        ),
        "times": np.empty(0),
    }
    if timing.times is not None:
        steps = np.arange(in_time.size) - np.repeat(
            np.cumsum(inside.lengths) - inside.lengths, inside.lengths
        )
        made["times"] = timing.times[np.repeat(inside.starts, inside.lengths) + steps]
    return {f"{name}/{key}": values for key, values in made.items()}


def inside_of(name: str, kept: KeptArrays) -> SegmentScores:
    """Rebuild the scores inside segments; rows are counted among anomalous points only."""
    lengths = kept.get(f"{name}/lengths").astype(np.int64)
    starts = np.cumsum(lengths) - lengths
    step, per_second, is_uneven = kept.get(f"{name}/clock").tolist()
    times = kept.get(f"{name}/times") if is_uneven else None
    timing = Timing(None if np.isnan(step) else step, times, per_second)
    return SegmentScores(
        Segments(starts, starts + lengths),
        kept.get(f"{name}/{INSIDE}"),
        timing,
        kept.get(f"{name}/order").astype(np.int64),
    )


def ranked_of(name: str, kept: KeptArrays) -> RankedScores:
    """Rebuild one detector's sorted scores."""
    turns = Turns(kept.get(f"{name}/{PEAKS}"), kept.get(f"{name}/{DIPS}"))
    return RankedScores.of_parts(kept.get(f"{name}/{NORMAL}"), inside_of(name, kept), turns)
