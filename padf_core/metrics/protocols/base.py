"""What a protocol is: a rule for the credit inside segments, from which everything else follows.

A protocol states its rule three times: for given detections (`credit` and `tally`), for every
threshold at once (`gains`), and in expectation when only the probability of an alarm is known
(`expected`). It describes its parameters, and it has its words. Lanes, sliders, links, settings
files, the command's options, generated Python, line styles and tests are projected from that.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, Self, TypeVar

import numpy as np

from padf_core.metrics.checks import FloatArray, IntArray
from padf_core.metrics.parameters import Number, Parameter, Value
from padf_core.metrics.segments import SegmentChances, SegmentHits, SegmentScores
from padf_core.metrics.timing import Timing

if TYPE_CHECKING:
    from padf_core.metrics.evaluation import Evaluation

KEEPS_DETECTIONS = np.nan
"""The credit of what is left as it was: each point keeps its detection."""

Late = Callable[[float], str]
"""Writes a delay in steps as the reader counts time: "3 steps", "6 min"."""


@dataclass(frozen=True)
class Look:
    """How a protocol is drawn in charts: two colours, and a dash that tells it without them."""

    light: str
    dark: str
    dash: str


@dataclass(frozen=True, eq=False)
class Tally:
    """What is counted in each segment, or added by each anomalous point; sums are what counts.

    Only what is earned must be said; what is None is the same as that.
    """

    earned: FloatArray
    claimed: FloatArray | None = None
    """What precision divides by, beside false alarms."""
    found: FloatArray | None = None
    """What recall counts."""
    limit: FloatArray | None = None
    """More than the sum of this cannot be earned, whatever the rounding."""
    places: IntArray | None = None
    """The points to which this belongs, where all others add nothing."""


class Protocol(ABC):
    """What credit a detector earns inside a segment. Outside, every detection is a false alarm.

    Rules are written for arrays whose last axis runs over segments (or points): a parameter may
    then be a column of values, and hits and delays may have one row per threshold.

    Attributes
    ----------
    key, name, label : str
        How links, tables and lanes call it.
    about, latex : str
        Its rule as a sentence and as a formula.

    Examples
    --------
    >>> from padf_core import PROTOCOLS
    >>> PROTOCOLS["pa_k"].name
    'PA%K'
    """

    key: ClassVar[str]
    name: ClassVar[str]
    about: ClassVar[str]
    """One plain sentence of what it does."""
    latex: ClassVar[str]
    """The credit of a point, as a formula."""
    look: ClassVar[Look]
    is_reference: ClassVar[bool] = False
    """Whether it stands aside until somebody adds its lane."""
    grants: ClassVar[Literal["segment", "point"]] = "segment"
    """Whether all points of a segment get the same credit, or each its own."""
    false_alarms: ClassVar[Literal["points", "runs"]] = "points"
    """Whether false alarms are counted point by point, or a run of them once."""
    minds_delay: ClassVar[bool] = False
    """Whether credit depends on how late the first hit is."""

    @property
    def corrects(self) -> bool:
        """Whether precision is multiplied by the share of normal points without an alarm."""
        return False

    @classmethod
    def parameters(cls, chosen: Mapping[str, Value]) -> tuple[Parameter, ...]:
        """Describe what can be chosen; the first number has a slider.

        ``chosen`` holds what has been chosen so far, for parameters that depend on others. Keys are
        the names of the fields, unless `of` says otherwise.
        """
        return ()

    @classmethod
    def of(cls, values: Mapping[str, Value]) -> Self:
        """Return the protocol with chosen parameters."""
        return cls(**{each.key: values[each.key] for each in cls.parameters(values)})

    @classmethod
    def number(cls, chosen: Mapping[str, Value]) -> Number | None:
        """Return the parameter that has a slider, if there is one."""
        return next((each for each in cls.parameters(chosen) if isinstance(each, Number)), None)

    def with_column(self, key: str, column: FloatArray) -> Self:
        """Return the protocol with many values of its number at once, as a column."""
        return with_field(self, key, column)

    @property
    def label(self) -> str:
        """The name with its parameters, as a table's head shows it."""
        return f"{self.name} ({self.setting})" if self.setting else self.name

    @property
    def setting(self) -> str:
        """The parameters in a few words: "d = 0.9"."""
        return ""

    @abstractmethod
    def credit(self, hits: SegmentHits) -> FloatArray:
        """Return the credit in each segment (or of each point), or `KEEPS_DETECTIONS`."""

    def tally(self, hits: SegmentHits, credit: FloatArray) -> Tally:
        """Return what counts of each segment: by default the sum of its points' credit."""
        return Tally(hits.sums(credit, by_point=self.grants == "point"))

    def wanted(self, lengths: IntArray) -> FloatArray | IntArray:
        """Return what recall divides by, for each segment: by default its points."""
        return lengths

    @abstractmethod
    def gains(self, inside: SegmentScores) -> Tally:
        """Return what each anomalous point adds when the threshold falls to it."""

    @classmethod
    def gains_over(cls, inside: SegmentScores, protocols: Sequence[Self]) -> Iterator[Tally]:
        """Yield the gains of one protocol at many values of its number.

        To be said anew where they share most of the work. What was yielded may change with the
        next.
        """
        return (protocol.gains(inside) for protocol in protocols)

    @abstractmethod
    def expected(self, chances: SegmentChances) -> Tally:
        """Return the expected counts of each segment."""

    def expected_random(self, theta: FloatArray, length: int, step: float | None = None) -> Tally:
        """Return the expected counts of a segment whose points all have no alarm with theta.

        ``step`` is the seconds of a step, if anybody knows. To be said anew where there is a closed
        form.
        """
        rows = np.broadcast_to(theta[:, None], (theta.size, length))
        return self.expected(SegmentChances(rows, np.full(theta.size, length), timing=Timing(step)))

    @abstractmethod
    def why(self, result: Evaluation, late: Late) -> str:
        """Say in a sentence why a pattern with a hit got this score, false alarms apart."""


Copied = TypeVar("Copied")


def with_field(made: Copied, name: str, value: object) -> Copied:
    """Return a copy of a frozen object with one field replaced, unchecked."""
    changed = copy.copy(made)
    object.__setattr__(changed, name, value)
    return changed


def has_or_have(part: int, total: int) -> str:
    """Begin a sentence on some of the segments: "2 of 3 segments have"."""
    if total == 1:
        return "The segment has"
    return f"{part} of {total} segments {'has' if part == 1 else 'have'}"


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
