"""The four protocols. Each states its rule three times: for given detections, for every threshold
at once, and in expectation when only the probability of an alarm is known."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, Literal, cast, get_args

import numpy as np

from padf_core.checks import FloatArray, IntArray, check_number
from padf_core.decay import Decay, DecayFunction, ExponentialDecay, as_decay
from padf_core.probability import first_hit_probability, hit_count_probability
from padf_core.segments import SegmentHits, SegmentScores

PrecisionConvention = Literal["tables", "equations"]

KEEPS_DETECTIONS = np.nan
"""The credit of a segment that is left as it was: each point keeps its detection."""


class Protocol(ABC):
    """What credit a detector earns inside a segment. Outside, every detection is a false alarm."""

    key: ClassVar[str]
    name: ClassVar[str]

    @property
    def label(self) -> str:
        """The name with its parameters, as a table's head shows it."""
        return self.name

    @property
    def counts_detected_points(self) -> bool:
        """Whether precision divides by all points of detected segments instead of their credit."""
        return False

    @abstractmethod
    def credit(self, found: SegmentHits) -> FloatArray:
        """Return the credit of each point of a segment, or `KEEPS_DETECTIONS`, per segment."""

    @abstractmethod
    def gains(self, inside: SegmentScores) -> FloatArray:
        """Return how much credit each anomalous point adds when the threshold falls to it."""

    @abstractmethod
    def expected_credit(self, normal: FloatArray, lengths: IntArray) -> FloatArray:
        """Return the expected sum of credit per segment.

        Row i of ``normal`` holds the probability of no alarm at each point of segment i, filled
        up with 1 behind its ``lengths[i]`` points.
        """


@dataclass(frozen=True)
class Pointwise(Protocol):
    """No adjustment ("w/o" in the paper): each point's credit is its own detection."""

    key: ClassVar[str] = "pointwise"
    name: ClassVar[str] = "Point-wise"

    def credit(self, found: SegmentHits) -> FloatArray:
        return np.full(found.hits.size, KEEPS_DETECTIONS)

    def gains(self, inside: SegmentScores) -> FloatArray:
        return np.ones(inside.scores.size)

    def expected_credit(self, normal: FloatArray, lengths: IntArray) -> FloatArray:
        total: FloatArray = (1 - normal).sum(axis=1)
        return total


@dataclass(frozen=True)
class PointAdjust(Protocol):
    """PA: one detection anywhere in a segment earns the whole segment."""

    key: ClassVar[str] = "pa"
    name: ClassVar[str] = "PA"

    def credit(self, found: SegmentHits) -> FloatArray:
        return found.detected.astype(np.float64)

    def gains(self, inside: SegmentScores) -> FloatArray:
        return np.where(inside.rank == 0, inside.lengths[inside.segment], 0.0)

    def expected_credit(self, normal: FloatArray, lengths: IntArray) -> FloatArray:
        with np.errstate(divide="ignore"):
            total: FloatArray = -lengths * np.expm1(np.log(normal).sum(axis=1))
        return total


@dataclass(frozen=True)
class PointAdjustK(Protocol):
    """PA%K: a segment is adjusted only when more than ``k`` percent of it was detected.

    The rule is 100 * hits > k * N in integers. ``inclusive`` makes it "k percent or more", as some
    other tools have it; a segment without any hit is never adjusted.
    """

    key: ClassVar[str] = "pa_k"
    name: ClassVar[str] = "PA%K"

    k: float = 20
    inclusive: bool = False

    def __post_init__(self) -> None:
        in_range = check_number("k", self.k, lambda x: 0 <= x <= 100, "a percentage from 0 to 100")
        if 0 < in_range < 1:
            raise ValueError(
                f"k must be a percentage from 0 to 100; got {self.k!r}, "
                f"which looks like a fraction: {self.k!r} of a segment is k={in_range * 100:g}"
            )
        if not isinstance(self.inclusive, bool):
            raise ValueError(f"inclusive must be True or False; got {self.inclusive!r}")

    @property
    def label(self) -> str:
        return f"{self.name} (K = {self.k:g}{', or more' if self.inclusive else ''})"

    def needed_hits(self, lengths: IntArray) -> IntArray:
        """Return the smallest number of hits that gets a segment of each length adjusted."""
        k = Fraction(str(self.k)).limit_denominator(1_000_000)
        share, per = k.numerator * lengths, 100 * k.denominator
        if self.inclusive:
            return np.maximum(1, -(-share // per))
        return share // per + 1

    def credit(self, found: SegmentHits) -> FloatArray:
        return np.where(found.hits >= self.needed_hits(found.lengths), 1.0, KEEPS_DETECTIONS)

    def gains(self, inside: SegmentScores) -> FloatArray:
        needed = self.needed_hits(inside.lengths)
        rest = inside.lengths - needed + 1
        last_needed = inside.rank - needed[inside.segment] + 1
        return np.where(last_needed == 0, rest[inside.segment], last_needed < 0).astype(np.float64)

    def expected_credit(self, normal: FloatArray, lengths: IntArray) -> FloatArray:
        probability = hit_count_probability(normal)
        hits = np.arange(probability.shape[1])
        filled_up = np.where(
            hits >= self.needed_hits(lengths)[:, None], np.maximum(lengths[:, None] - hits, 0), 0
        )
        total: FloatArray = (1 - normal).sum(axis=1) + (probability * filled_up).sum(axis=1)
        return total


@dataclass(frozen=True)
class PointAdjustDecay(Protocol):
    """PAdf: a detected segment earns D(delay) at each of its points.

    ``precision`` says what the credit is divided by, since the paper has it both ways: "tables"
    takes eTP / (eTP + FP), "equations" takes eTP / (T + FP) with T the points of detected segments.
    """

    key: ClassVar[str] = "padf"
    name: ClassVar[str] = "PAdf"

    decay: DecayFunction = field(default_factory=ExponentialDecay)
    precision: PrecisionConvention = "tables"

    def __post_init__(self) -> None:
        object.__setattr__(self, "decay", as_decay(self.decay))
        if self.precision not in get_args(PrecisionConvention):
            raise ValueError(f'precision must be "tables" or "equations"; got {self.precision!r}')

    @property
    def label(self) -> str:
        convention = ", equations" if self.counts_detected_points else ""
        return f"{self.name} ({cast(Decay, self.decay).label}{convention})"

    @property
    def counts_detected_points(self) -> bool:
        return self.precision == "equations"

    def credit(self, found: SegmentHits) -> FloatArray:
        return np.where(found.detected, self.decay(np.maximum(found.delays, 0)), 0.0)

    def gains(self, inside: SegmentScores) -> FloatArray:
        leads = inside.leads
        segment = inside.segment[leads]
        credit = inside.lengths[segment] * self.decay(inside.delay[leads])
        later_lead = np.append(segment[1:] == segment[:-1], False)
        gains = np.zeros(inside.scores.size)
        gains[leads] = credit - np.where(later_lead, np.append(credit[1:], 0.0), 0.0)
        return gains

    def expected_credit(self, normal: FloatArray, lengths: IntArray) -> FloatArray:
        worth = self.decay(np.arange(normal.shape[1]))
        return lengths * (first_hit_probability(normal) @ worth)


PROTOCOLS: dict[str, type[Protocol]] = {
    protocol.key: protocol for protocol in (Pointwise, PointAdjust, PointAdjustK, PointAdjustDecay)
}
"""Every protocol there is, by key, in the order in which they are shown."""


def check_protocol(protocol: object) -> Protocol:
    """Return `protocol` if it is one, else say what one looks like."""
    if isinstance(protocol, Protocol):
        return protocol
    raise ValueError(f"protocol must be a protocol such as PointAdjust(); got {protocol!r}")


def check_protocols(protocols: Iterable[object]) -> list[Protocol]:
    """Return a list of protocols, or say that it must be one."""
    if isinstance(protocols, (Protocol, str)) or not isinstance(protocols, Iterable):
        raise ValueError(f"protocols must be a list of protocols; got {protocols!r}")
    return [check_protocol(protocol) for protocol in protocols]
