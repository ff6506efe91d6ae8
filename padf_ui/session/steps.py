"""What one step of a series may stand for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class StepLength:
    """A length of time with its name on the screen."""

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
"""By the name that links give it."""

CLOCK_STEPS: dict[str, float] = {
    step.title: step.seconds for step in STEPS.values() if step.seconds is not None
}
"""Those that have a length, by title."""
