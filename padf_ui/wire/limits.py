"""How much the browser may send. The sessions and the browser code keep to the same numbers."""

from __future__ import annotations

from typing import Final

MAX_POINTS: Final = 300
"""Points on a board."""
MAX_PROBABILITIES: Final = 60
"""Points whose alarm probability is drawn."""
MOST_CLIPS: Final = 60
"""Incidents that are replayed in a row."""
MOST_PRESSES: Final = 100
"""Presses of the watcher in one clip."""
