"""The expected credit of a detector that alarms by chance, term by term, over one segment."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from padf_core import Settings, expected
from padf_core.checks import FloatArray
from padf_core.theory import Expectation, credit_terms
from padf_ui.lanes.rows import Row

MIN_LENGTH, MAX_LENGTH = 2, 60


@dataclass(frozen=True)
class Chances:
    """The chance of an alarm at each point of a segment, and false alarms beside it."""

    alarm: tuple[float, ...]
    false_alarms: int = 0

    def __post_init__(self) -> None:
        if not MIN_LENGTH <= len(self.alarm) <= MAX_LENGTH:
            raise ValueError(f"a segment must have {MIN_LENGTH} to {MAX_LENGTH} points")
        if not all(0 <= chance <= 1 for chance in self.alarm):
            raise ValueError("chances must lie between 0 and 1")

    @property
    def normal(self) -> FloatArray:
        """p(t): the probability of no alarm."""
        return 1 - np.array(self.alarm)

    def expectation(self, settings: Settings) -> Expectation:
        """Return the expected counts under PAdf, with the false alarms behind the segment."""
        labels = np.concatenate((np.ones(len(self.alarm)), np.zeros(max(1, self.false_alarms))))
        beside = np.zeros(self.false_alarms) if self.false_alarms else np.ones(1)
        return expected(labels, np.concatenate((self.normal, beside)), settings.protocols()[-1])


@dataclass(frozen=True)
class Preset:
    """A shape of p(t) with what the paper prints for it, if it does."""

    title: str
    chances: Chances
    formula: str = ""

    def printed(self, d: float) -> float | None:
        """Return the value of the printed formula for an exponential decay."""
        length, wrong = len(self.chances.alarm), self.chances.false_alarms
        return {
            "": None,
            "1": 1.0,
            "d^N": d**length,
            "2N/(2N+M) D(2)": 2 * length / (2 * length + wrong) * d**2,
        }[self.formula]


def _only(length: int, *delays: int) -> tuple[float, ...]:
    return tuple(1.0 if delay in delays else 0.0 for delay in range(length))


PRESETS: tuple[Preset, ...] = (
    Preset("Appendix C.1: an alarm at once", Chances(_only(12, 0)), "1"),
    Preset("Appendix C.2: only at the last point", Chances(_only(12, 11)), "d^N"),
    Preset(
        "Appendix C.3: at 2 and 5, two false alarms", Chances(_only(12, 2, 5), 2), "2N/(2N+M) D(2)"
    ),
    Preset("The same chance everywhere", Chances((0.15,) * 12)),
    Preset("Ever more likely", Chances(tuple(round(0.05 + 0.07 * t, 2) for t in range(12)))),
    Preset("Quick, then silent", Chances((0.7, 0.4, 0.2, *(0.0,) * 9))),
)


def chance_rows(chances: Chances, settings: Settings, revision: int) -> Row:
    """Return the terms and their running sum, as the picture shows them."""
    decay = settings.decay_at(settings.decay)
    chance, worth = credit_terms(chances.normal, decay)
    terms = chance * worth
    sums = np.cumsum(terms)
    return {
        "revision": revision,
        "alarm": list(chances.alarm),
        "terms": [round(value, 5) for value in terms.tolist()],
        "sums": [round(value, 5) for value in sums.tolist()],
        "total": f"{sums[-1]:.3f}",
        "words": f"Expected credit {sums[-1]:.3f} over {len(chances.alarm)} points.",
    }
