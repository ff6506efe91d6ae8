"""Lengths that a step of a series may have."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class StepLength:
    """A duration and its display name."""

    title: str
    seconds: float | None


NO_UNIT = "step"

STEPS: dict[str, StepLength] = {
    NO_UNIT: StepLength("no unit", None),
    "1s": StepLength("1 second", 1.0),
    "10s": StepLength("10 seconds", 10.0),
    "1min": StepLength("1 minute", 60.0),
    "5min": StepLength("5 minutes", 300.0),
    "15min": StepLength("15 minutes", 900.0),
    "1h": StepLength("1 hour", 3600.0),
    "1d": StepLength("1 day", 86400.0),
}
"""Step lengths by their name in links."""

CLOCK_STEPS: dict[str, float] = {
    step.title: step.seconds for step in STEPS.values() if step.seconds is not None
}
"""Step lengths in seconds by title, without the one that has no unit."""
