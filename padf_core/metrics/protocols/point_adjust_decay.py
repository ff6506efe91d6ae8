"""PAdf: point adjustment with a decay function."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal, Self, cast, get_args

import numpy as np

from padf_core.metrics.checks import FloatArray, IntArray
from padf_core.metrics.decay import (
    DECAYS,
    Decay,
    DecayFunction,
    ExponentialDecay,
    as_decay,
    decay_of,
    shape_choice,
)
from padf_core.metrics.parameters import Choice, Option, Parameter, Value
from padf_core.metrics.probability import (
    any_hit_probability,
    any_random_hit,
    first_hit_probability,
    geometric_sum,
)
from padf_core.metrics.protocols.base import Late, Look, Protocol, Tally, with_field
from padf_core.metrics.segments import SegmentHits, SegmentScores

if TYPE_CHECKING:
    from padf_core.metrics.evaluation import Evaluation

PrecisionConvention = Literal["tables", "equations"]

PRECISION = Choice(
    key="precision",
    link="precision",
    title="Precision of PAdf: the paper has two",
    options=(
        Option(
            "tables",
            "tables",
            "Tables: eTP / (eTP + FP)",
            "All published values of Tables 1 and 4 follow from this one.",
        ),
        Option(
            "equations",
            "equations",
            "Equations: eTP / (T + FP)",
            "As the paper's formulas say, T being all points of detected segments. A late alarm "
            "then costs precision too.",
        ),
    ),
    help="what PAdf divides by: eTP + FP (tables) or T + FP (equations)",
)


@dataclass(frozen=True)
class PointAdjustDecay(Protocol):
    """PAdf: a detected segment earns D(delay) at each of its points.

    ``precision`` says what the credit is divided by, since the paper has it both ways: "tables"
    takes eTP / (eTP + FP), "equations" takes eTP / (T + FP) with T the points of detected segments.
    """

    key: ClassVar[str] = "padf"
    name: ClassVar[str] = "PAdf"
    about: ClassVar[str] = (
        "Point adjustment with a decay function: the later the first alarm, the less a segment "
        "earns."
    )
    latex: ClassVar[str] = r"c_t = D(k) \text{ with } k \text{ the delay of the first hit}"
    look: ClassVar[Look] = Look("#0072B2", "#56B4E9", "solid")
    minds_delay: ClassVar[bool] = True

    decay: DecayFunction = field(default_factory=ExponentialDecay)
    precision: PrecisionConvention = "tables"

    def __post_init__(self) -> None:
        object.__setattr__(self, "decay", as_decay(self.decay))
        if self.precision not in get_args(PrecisionConvention):
            raise ValueError(f'precision must be "tables" or "equations"; got {self.precision!r}')

    @classmethod
    def parameters(cls, chosen: Mapping[str, Value]) -> tuple[Parameter, ...]:
        shape = DECAYS.get(str(chosen.get("shape")), ExponentialDecay)
        return shape_choice(), shape.parameter, PRECISION

    @classmethod
    def of(cls, values: Mapping[str, Value]) -> Self:
        decay = decay_of(str(values["shape"]), cast(float, values["decay"]))
        return cls(decay, cast(PrecisionConvention, values["precision"]))

    def with_column(self, key: str, column: FloatArray) -> Self:
        (parameter,) = vars(self.decay)
        return with_field(self, "decay", with_field(self.decay, parameter, column))

    @property
    def setting(self) -> str:
        convention = ", equations" if self.precision == "equations" else ""
        return f"{cast(Decay, self.decay).label}{convention}"

    def credit(self, hits: SegmentHits) -> FloatArray:
        return np.where(hits.detected, self.decay(np.maximum(hits.delays, 0)), 0.0)

    def tally(self, hits: SegmentHits, credit: FloatArray) -> Tally:
        if self.precision == "tables":
            return Tally(hits.sums(credit))
        return Tally(hits.sums(credit), np.where(hits.detected, hits.lengths, 0))

    def gains(self, inside: SegmentScores) -> Tally:
        leads = inside.leads
        segment = inside.segment[leads]
        credit = inside.lengths[segment] * self.decay(inside.delay[leads])
        later_lead = np.append(segment[1:] == segment[:-1], False)
        gains = np.zeros(inside.scores.size)
        gains[leads] = credit - np.where(later_lead, np.append(credit[1:], 0.0), 0.0)
        covered = inside.detected_points
        return Tally(gains, None if self.precision == "tables" else covered, limit=covered)

    def expected(self, normal: FloatArray, lengths: IntArray) -> Tally:
        worth = self.decay(np.arange(normal.shape[1]))
        return Tally(
            lengths * (first_hit_probability(normal) @ worth),
            self._covered(lengths * any_hit_probability(normal)),
        )

    def expected_random(self, theta: FloatArray, length: int) -> Tally:
        rate = cast(Decay, self.decay).rate
        if rate is None:
            return super().expected_random(theta, length)
        return Tally(
            length * (1 - theta) * geometric_sum(theta * rate, length),
            self._covered(length * any_random_hit(theta, length)),
        )

    def _covered(self, points: FloatArray) -> FloatArray | None:
        """Return what precision divides by, where that is not the credit."""
        return None if self.precision == "tables" else points

    def why(self, result: Evaluation, late: Late) -> str:
        hits = result.pattern.found
        total, found = hits.hits.size, result.pattern.detected
        earned = result.granted[hits.detected]
        if found == 1:
            delay = int(hits.delays[hits.detected][0])
            when = "at once" if delay == 0 else f"{late(delay)} late"
            length = int(hits.lengths[hits.detected][0])
            points = f"each of its {length} points earns" if length > 1 else "its one point earns"
            return (
                f"{'The segment is' if total == 1 else f'1 of {total} segments is'} found {when}, "
                f"so {points} {earned[0]:.2f}."
            )
        mean = result.pattern.mean_delay
        if not mean:
            return f"{found} of {total} segments are found, all at once, and earn all their points."
        low, high = f"{earned.min():.2f}", f"{earned.max():.2f}"
        return (
            f"{found} of {total} segments are found, {late(mean)} late on average; their points "
            f"earn {low if low == high else f'{low} to {high}'}."
        )
