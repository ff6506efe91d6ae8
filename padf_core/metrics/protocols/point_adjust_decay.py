"""PAdf: point adjustment with a decay function."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, ClassVar, Literal, Self, cast, get_args

import numpy as np

from padf_core.metrics.checks import FloatArray, IntArray, check_number
from padf_core.metrics.decays import (
    DECAYS,
    LADDER,
    MAX_SECONDS,
    MAX_STEPS,
    Decay,
    DecayFunction,
    Delays,
    ExponentialDecay,
    ShapedDecay,
    as_decay,
    decays_in,
    number_field,
    shape_choice,
)
from padf_core.metrics.parameters import Choice, Number, Option, Parameter, Value
from padf_core.metrics.probability import (
    any_hit_probability,
    any_random_hit,
    first_hit_probability,
    geometric_sum,
)
from padf_core.metrics.protocols.base import Late, Look, Protocol, Tally, with_field
from padf_core.metrics.renamed import renamed
from padf_core.metrics.segments import SegmentChances, SegmentHits, SegmentScores
from padf_core.metrics.timing import MEASURES, Measure, format_delay

if TYPE_CHECKING:
    from padf_core.metrics.evaluation import Evaluation

PrecisionConvention = Literal["tables", "equations"]
Weight = Literal["points", "segments"]

PRECISION = Choice(
    key="precision",
    link="precision",
    title="Precision of PAdf: the paper has two",
    options=(
        Option(
            "tables",
            "tables",
            "Tables: eTP / (eTP + FP)",
            "All published values in Tables 1 and 4 follow from this one.",
        ),
        Option(
            "equations",
            "equations",
            "Equations: eTP / (T + FP)",
            "As in the paper's formulas, where T counts all points of detected segments. A late "
            "alarm then also lowers precision.",
        ),
    ),
    help="precision denominator of PAdf: eTP + FP (tables) or T + FP (equations)",
)

MEASURE = Choice(
    key="measure",
    link="measure",
    title="Unit of delay (PAdf)",
    options=(
        Option("steps", "steps", "Steps", "Rows of the data, as in the paper."),
        Option(
            "clock",
            "clock",
            "Clock time",
            "The same at any sampling rate, also if sampling is uneven.",
        ),
        Option(
            "share",
            "share",
            "Share of the segment",
            ("Longer segments allow more time than shorter ones."),
        ),
    ),
    help="unit of delay under PAdf",
    is_quiet=True,
)

WEIGHT = Choice(
    key="weight",
    link="weight",
    title="Weight of incidents (PAdf)",
    options=(
        Option("points", "points", "Every point", "Long segments weigh more, as in the paper."),
        Option(
            "segments",
            "segments",
            "Every segment",
            ("A long segment counts as much as a short one."),
        ),
    ),
    help="whether points or segments have equal weight under PAdf",
    is_quiet=True,
)


def _grace(measure: Measure) -> Number:
    """Describe the parameter for the delay that costs nothing."""
    unit, high, steps = {
        "steps": ("steps", MAX_STEPS, tuple(float(step) for step in range(101))),
        "clock": ("seconds", MAX_SECONDS, (0.0, *LADDER)),
        "share": ("lengths of the segment", 1.0, tuple(step / 100 for step in range(101))),
    }[measure]
    return Number(
        key="grace",
        symbol="grace",
        title=f"grace before decay begins, in {unit}",
        default=0.0,
        steps=steps,
        limits=(0.0, high),
        rule=f"from 0 to {high:,.0f} {unit}",
        help="delay without loss of credit under PAdf, in the unit of --measure",
        note=lambda value, seconds: f"{format_delay(value, measure, seconds)} without loss",
        is_quiet=True,
    )


@cache
def _described(measure: Measure, shape: type[ShapedDecay]) -> tuple[Parameter, ...]:
    """Describe the parameters; cached, because settings need them many times per page run."""
    return (
        MEASURE,
        shape_choice(measure),
        shape.number_in(measure),
        *shape.extras(),
        _grace(measure),
        WEIGHT,
        PRECISION,
    )


@renamed("precision", "convention")
@dataclass(frozen=True)
class PointAdjustDecay(Protocol):
    """PAdf: a detected segment earns D(delay) at each of its points.

    c_t = D(k) at every point of a segment whose first hit has delay k, else 0.

    Parameters
    ----------
    decay : callable
        The decay D, by default ``ExponentialDecay(0.9)``; any function with D(0) = 1 that never
        increases.
    convention : {"tables", "equations"}
        Which of the paper's two precisions to use. "tables": eTP / (eTP + FP). "equations":
        eTP / (T + FP), where T is the number of points of detected segments.
    measure : {"steps", "clock", "share"}
        The measure of a delay: steps, seconds (needs ``times``), or shares of the segment.
    grace : float
        A delay that costs nothing; the decay begins after it.
    weight : {"points", "segments"}
        Whether a segment counts with its number of points, or once. False alarms count as points.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Examples
    --------
    >>> from padf_core import ExponentialDecay, evaluate
    >>> protocol = PointAdjustDecay(ExponentialDecay(0.5))
    >>> evaluate([0, 1, 1, 0], [0, 0, 1, 0], protocol).credit.tolist()
    [0.0, 0.5, 0.5, 0.0]
    """

    key: ClassVar[str] = "padf"
    name: ClassVar[str] = "PAdf"
    about: ClassVar[str] = (
        "Point adjustment with a decay function: the later the first alarm, the less credit a "
        "segment earns."
    )
    latex: ClassVar[str] = r"c_t = D(k) \text{ with } k \text{ the delay of the first hit}"
    look: ClassVar[Look] = Look("#0072B2", "#56B4E9", "solid")
    minds_delay: ClassVar[bool] = True

    decay: DecayFunction = field(default_factory=ExponentialDecay)
    convention: PrecisionConvention = "tables"
    measure: Measure = "steps"
    grace: float = 0.0
    weight: Weight = "points"

    def __post_init__(self) -> None:
        for name, kinds in (
            ("convention", get_args(PrecisionConvention)),
            ("measure", MEASURES),
            ("weight", get_args(Weight)),
        ):
            if getattr(self, name) not in kinds:
                allowed = " or ".join(f'"{kind}"' for kind in kinds)
                raise ValueError(f"{name} must be {allowed}; got {getattr(self, name)!r}")
        object.__setattr__(self, "decay", as_decay(self.decay, self.measure))
        check_number("grace", self.grace, lambda x: 0 <= x < np.inf, "a number of at least 0")

    @classmethod
    def parameters(cls, chosen: Mapping[str, Value]) -> tuple[Parameter, ...]:
        measure = cast(Measure, chosen.get("measure", "steps"))
        measure = measure if measure in MEASURES else "steps"
        shapes = {decay.shape: decay for decay in decays_in(measure)}
        shape = shapes.get(str(chosen.get("shape")), next(iter(shapes.values())))
        return _described(measure, shape)

    @classmethod
    def of(cls, values: Mapping[str, Value]) -> Self:
        return cls(
            DECAYS[str(values["shape"])].of(values),
            cast(PrecisionConvention, values["precision"]),
            cast(Measure, values["measure"]),
            cast(float, values["grace"]),
            cast(Weight, values["weight"]),
        )

    def with_column(self, key: str, column: FloatArray) -> Self:
        decay = cast(ShapedDecay, self.decay)
        return with_field(self, "decay", with_field(decay, number_field(decay), column))

    def __repr__(self) -> str:
        changed = [
            f"{name}={value!r}"
            for name, usual in (("measure", "steps"), ("grace", 0.0), ("weight", "points"))
            if (value := getattr(self, name)) != usual
        ]
        parts = [f"decay={self.decay!r}", f"convention={self.convention!r}", *changed]
        return f"PointAdjustDecay({', '.join(parts)})"

    @property
    def setting(self) -> str:
        words = [cast(Decay, self.decay).label_in(self.measure)]
        if self.grace:
            words.append(f"grace {format_delay(self.grace, self.measure)}")
        if self.weight == "segments":
            words.append("each segment once")
        if self.convention == "equations":
            words.append("equations")
        return ", ".join(words)

    def worth(self, late: Delays) -> FloatArray:
        """Return the credit for a first hit with this delay, in the protocol's measure."""
        return self.decay(np.maximum(late - self.grace, 0.0) if self.grace else late)

    def _weights(self, lengths: IntArray) -> IntArray:
        """Return the weight of each segment."""
        return lengths if self.weight == "points" else np.ones_like(lengths)

    def credit(self, hits: SegmentHits) -> FloatArray:
        return np.where(hits.detected, self.worth(hits.late(self.measure)), 0.0)

    def tally(self, hits: SegmentHits, credit: FloatArray) -> Tally:
        weights = self._weights(hits.lengths)
        if self.convention == "tables":
            return Tally(credit * weights)
        return Tally(credit * weights, np.where(hits.detected, weights, 0))

    def wanted(self, lengths: IntArray) -> FloatArray | IntArray:
        return self._weights(lengths)

    def gains(self, inside: SegmentScores) -> Tally:
        gains = np.zeros(inside.scores.size)
        gains[inside.leads] = self._lead_gains(inside)
        whole = inside.detected_points if self.weight == "points" else inside.detected_segments
        return Tally(gains, None if self.convention == "tables" else whole, limit=whole)

    @classmethod
    def gains_over(cls, inside: SegmentScores, protocols: Sequence[Self]) -> Iterator[Tally]:
        leads = inside.leads
        order = np.argsort(leads)
        segment = inside.segment[leads]
        # The last lead of a segment has its highest score, so it detects the segment.
        ends = np.append(segment[1:] != segment[:-1], True)[: leads.size]
        firsts: FloatArray = ends[order].astype(np.float64)
        weights = inside.lengths[segment][order]
        for each in protocols:
            whole = firsts * weights if each.weight == "points" else firsts
            yield Tally(
                each._lead_gains(inside)[order],
                None if each.convention == "tables" else whole,
                limit=whole,
                places=leads[order],
            )

    def _lead_gains(self, inside: SegmentScores) -> FloatArray:
        """Return what each lead adds; only leads can be a segment's first detection."""
        segment = inside.segment[inside.leads]
        worth = self.worth(inside.late(self.measure, inside.leads))
        credit = self._weights(inside.lengths)[segment] * worth
        later_lead = np.append(segment[1:] == segment[:-1], False)
        added: FloatArray = credit - np.where(later_lead, np.append(credit[1:], 0.0), 0.0)
        return added

    def expected(self, chances: SegmentChances) -> Tally:
        weights = self._weights(chances.lengths)
        first = first_hit_probability(chances.normal)
        return Tally(
            weights * (first * self.worth(chances.late(self.measure))).sum(axis=1),
            self._whole(weights * any_hit_probability(chances.normal)),
        )

    def expected_random(self, theta: FloatArray, length: int, step: float | None = None) -> Tally:
        rate = self._rate(step)
        if rate is None:
            return super().expected_random(theta, length, step)
        weight = length if self.weight == "points" else 1
        return Tally(
            weight * (1 - theta) * geometric_sum(theta * rate, length),
            self._whole(weight * any_random_hit(theta, length)),
        )

    def _rate(self, step: float | None) -> float | None:
        """Return the credit kept from one row to the next, if it is the same for all rows."""
        rate = cast(Decay, self.decay).rate
        if rate is None or self.grace or self.measure == "share":
            return None
        if self.measure == "steps":
            return rate
        return None if step is None else rate**step

    def _whole(self, amount: FloatArray) -> FloatArray | None:
        """Return the denominator of precision, if it differs from the credit."""
        return None if self.convention == "tables" else amount

    def why(self, result: Evaluation, late: Late) -> str:
        hits = result.pattern.found
        total, found = hits.hits.size, result.pattern.detected
        earned = result.granted[hits.detected]
        if found == 1:
            delay = int(hits.delays[hits.detected][0])
            when = "with no delay" if delay == 0 else f"{late(delay)} late"
            length = int(hits.lengths[hits.detected][0])
            points = f"each of its {length} points earns" if length > 1 else "its one point earns"
            if self.weight == "segments":
                points = "it earns"
            return (
                f"{'The segment is' if total == 1 else f'1 of {total} segments is'} detected "
                f"{when}, so {points} {earned[0]:.2f}."
            )
        mean = result.pattern.mean_delay
        if not mean:
            return f"{found} of {total} segments are detected with no delay and earn full credit."
        low, high = f"{earned.min():.2f}", f"{earned.max():.2f}"
        return (
            f"{found} of {total} segments are detected, {late(mean)} late on average; "
            f"{'their points' if self.weight == 'points' else 'they'} "
            f"earn {low if low == high else f'{low} to {high}'}."
        )
