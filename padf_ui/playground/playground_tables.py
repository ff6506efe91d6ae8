"""Tables below the Playground's board."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from padf_core import Evaluation
from padf_core.metrics.clock import format_steps
from padf_core.metrics.evaluation import pattern_of
from padf_ui.components.board_message import time_names
from padf_ui.components.ledger import ledger
from padf_ui.session.board_file import Board


def board_ledger(board: Board, results: Sequence[Evaluation]) -> pd.DataFrame:
    """Return one row per segment: start, delay, hits and its credit under each protocol."""
    pattern = pattern_of(results)
    names = time_names(board.size, board.step_seconds)
    delays = [
        "missed" if delay < 0 else format_steps(delay, board.step_seconds)
        for delay in pattern.found.delays.tolist()
    ]
    starts = [names[start] for start, _ in pattern.segments]
    return ledger(results, starts, "Delay", delays)


def scores(results: Sequence[Evaluation]) -> pd.DataFrame:
    """Return the counts and scores of each protocol, one row each."""
    return pd.DataFrame(
        [
            {
                "Protocol": e.protocol.label,
                "True positives": e.true_positives,
                "False alarms": e.false_positives,
                "Precision denominator": e.claimed,
                "Precision": e.precision,
                "Recall numerator": e.found,
                "Recall denominator": e.wanted,
                "Recall": e.recall,
                "F1": e.f1,
            }
            for e in results
        ]
    )
