"""Event-wise F1: detected segments and runs of false alarms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, get_args

import numpy as np

from padf_core.metrics.checks import FloatArray, IntArray
from padf_core.metrics.parameters import Choice, Option, Parameter, Value
from padf_core.metrics.probability import any_hit_probability, any_random_hit
from padf_core.metrics.protocols.base import Late, Look, Protocol, Tally
from padf_core.metrics.segments import SegmentChances, SegmentHits, SegmentScores

if TYPE_CHECKING:
    from padf_core.metrics.evaluation import Evaluation


EventPrecision = Literal["plain", "corrected"]

PRECISION = Choice(
    key="event_precision",
    link="events",
    title="Precision of event-wise F1",
    options=(
        Option(
            "plain",
            "plain",
            "Found / (found + false alarms)",
            "A run of false alarms counts once, whatever its length. So flagging everything "
            "scores 2m/(3m + 1) with m segments between normal points: close to 2/3.",
        ),
        Option(
            "corrected",
            "corrected",
            "The same, times (1 - false-alarm rate)",
            "As defined by Sehili and Zhang (2023) and the ESA benchmark (2024). The false-alarm "
            "rate is the share of normal points with an alarm. Flagging everything scores 0.",
        ),
    ),
    help="event-wise precision, optionally times (1 - false-alarm rate)",
    is_quiet=True,
)


@dataclass(frozen=True)
class EventWise(Protocol):
    """Event-wise F1: each segment counts once, and each run of false alarms counts once.

    P = found segments / (found segments + runs of false alarms), R = found segments / segments. A
    run of false alarms is a maximal run of flagged normal points. Without the correction, a
    detector that flags everything has precision m / (2m + 1) on m segments between normal points.
    Its F1 is 2m / (3m + 1).

    Parameters
    ----------
    event_precision : {"plain", "corrected"}
        With "corrected", precision is multiplied by one minus the share of flagged normal points
        (Sehili and Zhang 2023; Kotowski et al. 2024).

    Examples
    --------
    >>> from padf_core import evaluate
    >>> labels, everything = [0, 1, 0, 1, 0], [1, 1, 1, 1, 1]
    >>> evaluate(labels, everything, EventWise()).f1   # 2m / (3m + 1) with m = 2
    0.5714285714285714
    >>> evaluate(labels, everything, EventWise("corrected")).f1
    0.0
    """

    key: ClassVar[str] = "event_wise"
    name: ClassVar[str] = "Event-wise"
    about: ClassVar[str] = (
        "Every segment counts once, whatever its length, and every run of false alarms once."
    )
    latex: ClassVar[str] = (
        r"P = \frac{\text{found}}{\text{found} + \text{runs of false alarms}}, \quad "
        r"R = \frac{\text{found}}{\text{segments}}"
    )
    look: ClassVar[Look] = Look("#8A6D00", "#E0C04A", "longdashdot")
    is_reference: ClassVar[bool] = True
    false_alarms: ClassVar[Literal["points", "runs"]] = "runs"

    event_precision: EventPrecision = "plain"

    def __post_init__(self) -> None:
        if self.event_precision not in get_args(EventPrecision):
            allowed = " or ".join(f'"{kind}"' for kind in get_args(EventPrecision))
            raise ValueError(f"event_precision must be {allowed}; got {self.event_precision!r}")

    @classmethod
    def parameters(cls, chosen: Mapping[str, Value]) -> tuple[Parameter, ...]:
        return (PRECISION,)

    @property
    def setting(self) -> str:
        return "" if self.event_precision == "plain" else "corrected"

    @property
    def corrects(self) -> bool:
        return self.event_precision == "corrected"

    def credit(self, hits: SegmentHits) -> FloatArray:
        return hits.detected.astype(np.float64)

    def tally(self, hits: SegmentHits, credit: FloatArray) -> Tally:
        return Tally(credit)

    def wanted(self, lengths: IntArray) -> FloatArray | IntArray:
        return np.ones(lengths.shape)

    def gains(self, inside: SegmentScores) -> Tally:
        return Tally(inside.detected_segments)

    def expected(self, chances: SegmentChances) -> Tally:
        return Tally(any_hit_probability(chances.normal))

    def expected_random(self, theta: FloatArray, length: int, step: float | None = None) -> Tally:
        return Tally(any_random_hit(theta, length))

    def why(self, result: Evaluation, late: Late) -> str:
        found, total = result.pattern.detected, len(result.pattern.segments)
        text = (
            f"{found} of {total} {'segment is' if total == 1 else 'segments are'} detected. Each "
            "counts once, whatever its length."
        )
        if not self.corrects:
            return text
        quiet = 1 - result.pattern.false_positives / max(1, result.pattern.normal)
        return (
            f"{text} {100 * quiet:.3g} % of the normal points have no alarm, and precision is "
            "multiplied by that share."
        )
