"""PA%K: point adjustment for segments that were detected sufficiently."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache, partial
from typing import TYPE_CHECKING, ClassVar, Self, cast

import numpy as np

from padf_core.metrics.checks import FloatArray, IntArray, check_number
from padf_core.metrics.parameters import Choice, Number, Option, Parameter, Value
from padf_core.metrics.probability import binomial, hit_count_probability
from padf_core.metrics.protocols.base import (
    KEEPS_DETECTIONS,
    Late,
    Look,
    Protocol,
    Tally,
    has_or_have,
)
from padf_core.metrics.renamed import renamed
from padf_core.metrics.segments import SegmentChances, SegmentHits, SegmentScores

if TYPE_CHECKING:
    from padf_core.metrics.evaluation import Evaluation


OVER = "over {}"


def _note(more: str, k: float, step_seconds: float | None) -> str:
    if k == 0:
        return "one hit is enough: this is PA"
    if k == 100:
        return "never adjusted: this is point-wise"
    return f"adjusted if {more.format(f'{k:g} %')} is flagged"


K = Number(
    key="k",
    symbol="K",
    title="K, in %",
    default=20,
    steps=tuple(float(step) for step in range(101)),
    limits=(0, 100),
    rule="0, or 1 to 100",
    help="K of PA%K, in percent",
    note=partial(_note, OVER),
    gaps=((0, 1),),
    hint=", which looks like a fraction: K is in percent, unless below_one is set",
    summary="From PA at K = 0 down to point-wise at K = 100.",
    is_stepped=True,
)
INCLUSIVE = Choice(
    key="inclusive",
    link="rule",
    title="When PA%K adjusts a segment",
    options=(
        Option(False, "above", "More than K %", "As in the PA%K paper: exactly K % is not enough."),
        Option(
            True, "atleast", "K % or more", "As in some other tools; at least one hit is needed."
        ),
    ),
    help='PA%K: "K% or more" instead of "more than K%"',
)

BELOW_ONE = Choice(
    key="below_one",
    link="below_one",
    title="Read K below 1 as percent, not as a fraction (PA%K)",
    options=(
        Option(False, "no", "No", "Refuse it: 0.2 usually means a fraction, which is K = 20."),
        Option(True, "yes", "Yes", "For very long segments: half a percent of one."),
    ),
    help="read a K below 1 as percent, not as a fraction",
    is_quiet=True,
)


@lru_cache(maxsize=64)
def _exact(values: tuple[float, ...]) -> list[Fraction]:
    """Return numbers exactly as written: 33.3 is 333/10, whatever its float value."""
    return [Fraction(str(value)) for value in values]


@renamed("below_one", "fractional_percent")
@dataclass(frozen=True)
class PointAdjustK(Protocol):
    """PA%K: adjust a segment only if more than ``k`` percent of it was detected.

    c_t = 1 at every point of a segment with 100 * hits > k * N, in integers; otherwise c_t is the
    point's own detection.

    Parameters
    ----------
    k : float
        The percentage, from 0 to 100.
    inclusive : bool
        Whether exactly ``k`` percent is enough, as in some other tools. A segment without a hit is
        never adjusted.
    fractional_percent : bool
        Allow a ``k`` between 0 and 1. By default it is refused, because it is usually meant as a
        fraction.

    Raises
    ------
    ValueError
        If ``k`` is not a percentage.

    Examples
    --------
    >>> from padf_core import evaluate
    >>> evaluate([0, 1, 1, 0], [0, 0, 1, 0], PointAdjustK(49)).f1
    1.0
    >>> round(evaluate([0, 1, 1, 0], [0, 0, 1, 0], PointAdjustK(50)).f1, 3)
    0.667
    """

    key: ClassVar[str] = "pa_k"
    name: ClassVar[str] = "PA%K"
    about: ClassVar[str] = (
        "Point adjustment only where more than K % of a segment has alarms; elsewhere point-wise."
    )
    latex: ClassVar[str] = (
        r"c_t = 1 \text{ if } 100 \cdot \text{hits} > K \cdot N, \text{ else } \hat{y}_t"
    )
    look: ClassVar[Look] = Look("#8A5A9E", "#CC9BDD", "dashdot")

    k: float = 20
    inclusive: bool = False
    fractional_percent: bool = field(default=False, compare=False)

    def __post_init__(self) -> None:
        in_range = check_number("k", self.k, lambda x: 0 <= x <= 100, "a percentage from 0 to 100")
        for name in ("inclusive", "fractional_percent"):
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"{name} must be True or False; got {getattr(self, name)!r}")
        if 0 < in_range < 1 and not self.fractional_percent:
            raise ValueError(
                f"k must be a percentage from 0 to 100; got {self.k!r}, "
                f"which looks like a fraction: {self.k!r} of a segment is k={in_range * 100:g}; "
                f"for {self.k!r} % of it say fractional_percent=True"
            )

    @classmethod
    def parameters(cls, chosen: Mapping[str, Value]) -> tuple[Parameter, ...]:
        more = "{} or more" if chosen.get("inclusive") else OVER
        number = replace(K, note=partial(_note, more))
        if chosen.get("below_one"):
            number = replace(number, gaps=(), rule="0 to 100")
        return INCLUSIVE, BELOW_ONE, number

    @classmethod
    def of(cls, values: Mapping[str, Value]) -> Self:
        return cls(cast(float, values["k"]), bool(values["inclusive"]), bool(values["below_one"]))

    @property
    def setting(self) -> str:
        return f"K = {self.k:g}{', or more' if self.inclusive else ''}"

    def needed_hits(self, lengths: IntArray) -> IntArray:
        """Return the smallest number of hits for which a segment of each length is adjusted."""
        exact = _exact(tuple(np.ravel(self.k).tolist()))
        # Use Python integers if the products do not fit into 64 bits.
        longest = int(lengths.max(initial=1))
        is_large = max(k.numerator * longest + 100 * k.denominator for k in exact) >= 2**62
        numerators, denominators = (
            np.array(parts, dtype=object if is_large else np.int64).reshape(np.shape(self.k))
            for parts in zip(*((k.numerator, k.denominator) for k in exact), strict=True)
        )
        share, per = numerators * lengths, 100 * denominators
        needed = np.maximum(1, -(-share // per)) if self.inclusive else share // per + 1
        return np.asarray(needed, dtype=np.int64)

    def credit(self, hits: SegmentHits) -> FloatArray:
        return np.where(hits.hits >= self.needed_hits(hits.lengths), 1.0, KEEPS_DETECTIONS)

    def gains(self, inside: SegmentScores) -> Tally:
        needed = self.needed_hits(inside.lengths)
        rest = inside.lengths - needed + 1
        last_needed = inside.rank - needed[inside.segment] + 1
        gains = np.where(last_needed == 0, rest[inside.segment], last_needed < 0)
        return Tally(gains.astype(np.float64))

    @classmethod
    def gains_over(cls, inside: SegmentScores, protocols: Sequence[Self]) -> Iterator[Tally]:
        # From one K to the next, only a few points change what they add. By rank, they lie between
        # the last hit needed before and the last hit needed now.
        gains = np.zeros(inside.scores.size, dtype=np.int64)
        before = np.zeros_like(inside.lengths)
        for each in protocols:
            now = each.needed_hits(inside.lengths)
            last = np.minimum(np.maximum(before, now), inside.lengths)
            first = np.maximum(np.minimum(before, now), 1) - 1
            places, segment, rank = inside.by_rank(first, last)
            needed = now[segment]
            gains[places] = np.where(
                rank + 1 == needed, inside.lengths[segment] - needed + 1, rank + 1 < needed
            )
            before = now
            yield Tally(cast(FloatArray, gains))

    def expected(self, chances: SegmentChances) -> Tally:
        normal, lengths = chances.normal, chances.lengths
        probability = hit_count_probability(normal)
        hits = np.arange(probability.shape[1])
        filled_up = np.where(
            hits >= self.needed_hits(lengths)[:, None], np.maximum(lengths[:, None] - hits, 0), 0
        )
        return Tally((1 - normal).sum(axis=1) + (probability * filled_up).sum(axis=1))

    def expected_random(self, theta: FloatArray, length: int, step: float | None = None) -> Tally:
        hits = np.arange(length + 1)
        needed = self.needed_hits(np.array([length]))
        return Tally(binomial(theta, length) @ np.where(hits >= needed, float(length), hits))

    def why(self, result: Evaluation, late: Late) -> str:
        if self.k == 100 and not self.inclusive:
            return "With K = 100, every segment is scored point by point."
        segments = result.pattern.found
        total = segments.lengths.size
        adjusted = segments.hits >= self.needed_hits(segments.lengths)
        count = int(np.count_nonzero(adjusted))
        if total == 1:
            flagged = f"{int(segments.hits[0])} of {int(segments.lengths[0])}"
            if count:
                return f"Enough points flagged ({flagged}): the whole segment counts as found."
            return f"Too few points flagged ({flagged}): the segment is scored point by point."
        if not count:
            return "No segment has enough points flagged: all are scored point by point."
        others = "" if count == total else " The others are scored point by point."
        return (
            f"{has_or_have(count, total)} enough points flagged and "
            f"{'counts' if count == 1 else 'count'} in full.{others}"
        )
