"""Limits on what the browser may send. The session and the browser code use the same numbers."""

from __future__ import annotations

from typing import Final

MAX_POINTS: Final = 300
"""Points on a board."""
MAX_PROBABILITIES: Final = 60
"""Points with an alarm probability that the user can draw."""
MOST_CLIPS: Final = 60
"""Incidents in one replay."""
MOST_PRESSES: Final = 100
"""Presses of the watcher in one clip."""
