"""The base of all protocols: a rule for the credit inside segments.

A protocol states its rule three times: for given detections (`credit` and `tally`), for every
threshold at once (`gains`), and in expectation for known alarm probabilities (`expected`). It also
describes its parameters and its texts. Lanes, sliders, links, settings files, command options,
generated Python, line styles and tests are derived from these.
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
"""The credit of segments without adjustment: each point keeps its detection."""

Late = Callable[[float], str]
"""Formats a delay in steps in the reader's unit: "3 steps", "6 min"."""


@dataclass(frozen=True)
class Look:
    """The style of a protocol in charts: two colours, and a dash for readers without colour."""

    light: str
    dark: str
    dash: str


@dataclass(frozen=True, eq=False)
class Tally:
    """Amounts per segment, or added by each anomalous point; their sums are the counts.

    Only ``earned`` is required; None defaults to `earned`.
    """

    earned: FloatArray
    claimed: FloatArray | None = None
    """The denominator of precision, without false alarms."""
    found: FloatArray | None = None
    """The numerator of recall."""
    limit: FloatArray | None = None
    """Upper bound of the earned sum, against rounding errors."""
    places: IntArray | None = None
    """The points to which the amounts belong, if all other points add nothing."""


class Protocol(ABC):
    """A rule for the credit inside segments. Outside, every detection is a false alarm.

    Rules support arrays whose last axis runs over segments or points. A parameter may be a column
    of values, and hits and delays may have one row per threshold.

    Attributes
    ----------
    key, name, label : str
        Its names in links, tables and lanes.
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
    """One plain sentence about what it does."""
    latex: ClassVar[str]
    """The credit of a point, as a formula."""
    look: ClassVar[Look]
    is_reference: ClassVar[bool] = False
    """Whether it is hidden until its lane is added."""
    grants: ClassVar[Literal["segment", "point"]] = "segment"
    """Whether all points of a segment get the same credit, or each point its own."""
    false_alarms: ClassVar[Literal["points", "runs"]] = "points"
    """Whether false alarms are counted as points or as runs."""
    minds_delay: ClassVar[bool] = False
    """Whether credit depends on the delay of the first hit."""

    @property
    def corrects(self) -> bool:
        """Whether precision is multiplied by the share of unflagged normal points."""
        return False

    @classmethod
    def parameters(cls, chosen: Mapping[str, Value]) -> tuple[Parameter, ...]:
        """Describe the parameters; the first number has a slider.

        ``chosen`` holds the values chosen so far, for parameters that depend on others. Keys are
        the names of the fields, unless `of` is overridden.
        """
        return ()

    @classmethod
    def of(cls, values: Mapping[str, Value]) -> Self:
        """Return the protocol with chosen parameters."""
        return cls(**{each.key: values[each.key] for each in cls.parameters(values)})

    @classmethod
    def number(cls, chosen: Mapping[str, Value]) -> Number | None:
        """Return the parameter with a slider, if there is one."""
        return next((each for each in cls.parameters(chosen) if isinstance(each, Number)), None)

    def with_column(self, key: str, column: FloatArray) -> Self:
        """Return the protocol with a column of values for its parameter."""
        return with_field(self, key, column)

    @property
    def label(self) -> str:
        """The name with its parameters, for table heads."""
        return f"{self.name} ({self.setting})" if self.setting else self.name

    @property
    def setting(self) -> str:
        """The parameters in short form, for example "d = 0.9"."""
        return ""

    @abstractmethod
    def credit(self, hits: SegmentHits) -> FloatArray:
        """Return the credit in each segment (or of each point), or `KEEPS_DETECTIONS`."""

    def tally(self, hits: SegmentHits, credit: FloatArray) -> Tally:
        """Return the counts of each segment: by default the sum of its points' credit."""
        return Tally(hits.sums(credit, by_point=self.grants == "point"))

    def wanted(self, lengths: IntArray) -> FloatArray | IntArray:
        """Return each segment's share of the denominator of recall: by default its points."""
        return lengths

    @abstractmethod
    def gains(self, inside: SegmentScores) -> Tally:
        """Return what each anomalous point adds when the threshold falls to its score."""

    @classmethod
    def gains_over(cls, inside: SegmentScores, protocols: Sequence[Self]) -> Iterator[Tally]:
        """Yield the gains of one protocol at many values of its parameter.

        Override this if the values share most of the work. A yielded result may be overwritten by
        the next one.
        """
        return (protocol.gains(inside) for protocol in protocols)

    @abstractmethod
    def expected(self, chances: SegmentChances) -> Tally:
        """Return the expected counts of each segment."""

    def expected_random(self, theta: FloatArray, length: int, step: float | None = None) -> Tally:
        """Return the expected counts of a segment; its points have no alarm with probability theta.

        ``step`` is the seconds per step, if known. Override this if there is a closed form.
        """
        rows = np.broadcast_to(theta[:, None], (theta.size, length))
        return self.expected(SegmentChances(rows, np.full(theta.size, length), timing=Timing(step)))

    @abstractmethod
    def why(self, result: Evaluation, late: Late) -> str:
        """Explain in a sentence why a pattern with a hit got this score, except false alarms."""


Copied = TypeVar("Copied")


def with_field(made: Copied, name: str, value: object) -> Copied:
    """Return a copy of a frozen object with one field replaced, without checks."""
    changed = copy.copy(made)
    object.__setattr__(changed, name, value)
    return changed


def has_or_have(part: int, total: int) -> str:
    """Return the beginning of a sentence on some segments: "2 of 3 segments have"."""
    if total == 1:
        return "The segment has"
    return f"{part} of {total} segments {'has' if part == 1 else 'have'}"


def check_protocol(protocol: object) -> Protocol:
    """Return `protocol` if it is a protocol, or raise an error with an example."""
    if isinstance(protocol, Protocol):
        return protocol
    raise ValueError(f"protocol must be a protocol such as PointAdjust(); got {protocol!r}")


def check_protocols(protocols: Iterable[object]) -> list[Protocol]:
    """Return a list of protocols, or raise an error."""
    if isinstance(protocols, (Protocol, str)) or not isinstance(protocols, Iterable):
        raise ValueError(f"protocols must be a list of protocols; got {protocols!r}")
    return [check_protocol(protocol) for protocol in protocols]
