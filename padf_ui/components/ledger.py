"""Ledger: the hits of each segment and its credit under each protocol."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from padf_core.metrics.evaluation import Evaluation, pattern_of


def ledger(
    results: Sequence[Evaluation], starts: Sequence[object], delay: str, delays: object
) -> pd.DataFrame:
    """Return one row per segment. ``delay`` is the heading of the delay column."""
    found = pattern_of(results).found
    return pd.DataFrame(
        {
            "Segment": np.arange(1, found.hits.size + 1),
            "Start": starts,
            "Points": found.lengths,
            "Hits": found.hits,
            delay: delays,
            **{result.protocol.label: result.segment_credit for result in results},
        }
    )
