"""Probability of an alarm at each point of a segment, drawn by the user."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from padf_core import Expectation, Protocol, expected
from padf_core.metrics.checks import FloatArray
from padf_core.metrics.timing import ASSUMED_STEP
from padf_ui.session.asks import PROBABILITIES_KEY, take_ask
from padf_ui.session.store import Counter, Slot, atomic
from padf_ui.wire.asks import ProbabilityAsk
from padf_ui.wire.limits import MAX_PROBABILITIES

MIN_LENGTH = 2


@dataclass(frozen=True)
class Probabilities:
    """Probability of an alarm at each point of a segment, and a number of false alarms."""

    alarm: tuple[float, ...]
    false_alarms: int = 0

    def __post_init__(self) -> None:
        if not MIN_LENGTH <= len(self.alarm) <= MAX_PROBABILITIES:
            raise ValueError(f"a segment must have {MIN_LENGTH} to {MAX_PROBABILITIES} points")
        if not all(0 <= each <= 1 for each in self.alarm):
            raise ValueError("probabilities must be between 0 and 1")

    @property
    def normal(self) -> FloatArray:
        """p(t): the probability of no alarm."""
        return 1 - np.array(self.alarm)

    def expectation(self, protocol: Protocol) -> Expectation:
        """Return the expected counts, with the false alarms after the segment."""
        labels = np.concatenate((np.ones(len(self.alarm)), np.zeros(max(1, self.false_alarms))))
        beside = np.zeros(self.false_alarms) if self.false_alarms else np.ones(1)
        return expected(labels, np.concatenate((self.normal, beside)), protocol, times=ASSUMED_STEP)


@dataclass(frozen=True)
class Preset:
    """A shape of p(t), with the formula that the paper prints for it."""

    title: str
    drawn: Probabilities
    formula: str = ""

    def printed(self, d: float) -> float | None:
        """Return the value of the printed formula for an exponential decay, or None."""
        length, wrong = len(self.drawn.alarm), self.drawn.false_alarms
        return {
            "": None,
            "1": 1.0,
            "d^N": d**length,
            "2N/(2N+M) D(2)": 2 * length / (2 * length + wrong) * d**2,
        }[self.formula]


def _only(length: int, *delays: int) -> tuple[float, ...]:
    return tuple(1.0 if delay in delays else 0.0 for delay in range(length))


PRESETS: tuple[Preset, ...] = (
    Preset("Appendix C.1: an alarm at the first point", Probabilities(_only(12, 0)), "1"),
    Preset("Appendix C.2: only at the last point", Probabilities(_only(12, 11)), "d^N"),
    Preset(
        "Appendix C.3: at 2 and 5, two false alarms",
        Probabilities(_only(12, 2, 5), 2),
        "2N/(2N+M) D(2)",
    ),
    Preset("The same probability everywhere", Probabilities((0.15,) * 12)),
    Preset(
        "Increasingly likely", Probabilities(tuple(round(0.05 + 0.07 * t, 2) for t in range(12)))
    ),
    Preset("Early, then silent", Probabilities((0.7, 0.4, 0.2, *(0.0,) * 9))),
)

_DRAWN: Slot[Probabilities] = Slot("padf_drawn", lambda: PRESETS[0].drawn)
_REVISION = Counter("padf_drawn_revision")


def current_probabilities() -> Probabilities:
    """Return the drawn probabilities."""
    return _DRAWN.get()


def probabilities_revision() -> int:
    """Return the number that increases when Python changes the probabilities."""
    return _REVISION.get()


@atomic
def set_probabilities(new: Probabilities) -> None:
    """Replace the probabilities."""
    _DRAWN.put(new)
    _REVISION.rise()


@atomic
def take_probabilities() -> None:
    """Store the probabilities that the user drew."""
    ask, now = take_ask(PROBABILITIES_KEY, ProbabilityAsk), current_probabilities()
    if ask is not None and len(ask["alarm"]) == len(now.alarm):
        _DRAWN.put(replace(now, alarm=tuple(map(float, ask["alarm"]))))
