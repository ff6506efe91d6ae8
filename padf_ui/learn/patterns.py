"""Patterns shown as small boards next to each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from padf_core import Settings
from padf_core.io.notation import format_ranges
from padf_core.metrics.checks import BoolArray
from padf_ui.components import mounting
from padf_ui.components.board_message import board_rows
from padf_ui.components.lanes import sliders_of
from padf_ui.wire.cases import PatternsData


@dataclass(frozen=True, eq=False)
class TitledPattern:
    """Pattern with a title."""

    title: str
    labels: BoolArray
    detections: BoolArray
    about: str = ""


def show_patterns(
    key: str, patterns: Sequence[TitledPattern], settings: Settings, lanes: Sequence[str] = ()
) -> None:
    """Show patterns. Only the given lanes show credit and scores."""
    mounting.mount_still("patterns", key, patterns_data(patterns, settings, lanes))


def patterns_data(
    patterns: Sequence[TitledPattern], settings: Settings, lanes: Sequence[str]
) -> PatternsData:
    """Return the data of the patterns, with only the given lanes."""
    return {
        "patterns": [
            {
                "title": each.title,
                "about": each.about,
                "words": in_words(each.labels, each.detections),
                "rows": board_rows(
                    each.labels, each.detections, settings, in_words=False, lanes=lanes
                ),
            }
            for each in patterns
        ],
        "sliders": sliders_of(settings, None) if lanes else [],
    }


def in_words(labels: BoolArray, detections: BoolArray) -> str:
    """Describe where the anomalies and the alarms are.

    >>> import numpy as np
    >>> in_words(np.array([0, 1, 1, 0], dtype=bool), np.array([0, 0, 1, 0], dtype=bool))
    'Anomaly at 1-2, alarms at 2.'
    """
    return f"Anomaly at {format_ranges(labels)}, alarms at {format_ranges(detections)}."
