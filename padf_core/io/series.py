"""A series that somebody brought: labels, the scores of its detectors, and when it happened."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import sqrt
from typing import TYPE_CHECKING, overload

import numpy as np

from padf_core.metrics.checks import (
    BoolArray,
    FloatArray,
    NumberArray,
    check_binary,
    check_same_length,
    check_scores,
    check_threshold,
    frozen,
)
from padf_core.metrics.evaluation import Evaluation, Pattern, evaluate_pattern, make_pattern
from padf_core.metrics.onset import Onset
from padf_core.metrics.protocols import Protocol
from padf_core.metrics.protocols.pointwise import Pointwise
from padf_core.metrics.ranked_scores import RankedScores
from padf_core.metrics.rows import ALL, Rows
from padf_core.metrics.segments import Segments
from padf_core.metrics.shortest import shortest_threshold
from padf_core.metrics.sweep_results import BestPoint
from padf_core.metrics.timing import ASSUMED_STEP, Timing

if TYPE_CHECKING:
    from padf_core.io.times import Clock


SAMPLED = 200_000
"""So many rows tell whether a score works upside down."""

UPSIDE_DOWN = 0.45
"""Below this ROC area a score is asked about; random scores have about 0.5."""

GLANCE = 1000
"""So many values of a long column are looked at before all of them are tried."""

ASSUMED = Timing(ASSUMED_STEP)
"""When rows were, where nobody says."""

REMEMBERED = 500
"""How many best points a detector keeps."""


def smallest_exact(values: NumberArray) -> NumberArray:
    """Return the same numbers in the smallest dtype that holds each of them exactly.

    >>> import numpy as np
    >>> [smallest_exact(np.array(v)).dtype.name for v in ([0, 1], [0.5, 3.25], [0.1, 2.0], [7e4])]
    ['int8', 'float32', 'float64', 'int32']
    """
    if values.dtype.kind == "b":
        return values.astype(np.int8)
    if values.dtype.kind == "f" and values.size > 2 * GLANCE:
        glance = values[:: values.size // GLANCE]
        with np.errstate(over="ignore"):
            if (glance.astype(np.float32) != glance).any():
                return values  # Neither whole numbers, which float32 holds, nor short ones.
    finite = values.dtype.kind in "iu" or bool(np.isfinite(values).all())
    low, high = (values.min(), values.max()) if finite and values.size else (np.inf, np.inf)
    if abs(low) < 2**31 and abs(high) < 2**31:
        for kind in (np.int8, np.int16, np.int32):
            limits = np.iinfo(kind)
            if limits.min <= low and high <= limits.max:
                whole = values.astype(kind)
                if (whole == values).all():
                    return whole
                break
    if values.dtype.kind == "f":
        with np.errstate(over="ignore"):
            single = values.astype(np.float32)
        if (single == values).all():
            return single
    return values


@dataclass(frozen=True, eq=False)
class Detector:
    """A named column: scores, or detections when every entry is 0 or 1.

    Attributes
    ----------
    name : str
        Of the column.
    labels : ndarray of bool
        The truth.
    scores : ndarray
        Higher ones are more suspicious.
    is_binary : bool
        Whether these are detections.
    is_inverted : bool
        Whether low scores of the file mean an anomaly: ``scores`` has them the other way round.

    Examples
    --------
    >>> from padf_core import PointAdjust, load_sample
    >>> detector = load_sample("pump").detectors[0]
    >>> 0 < detector.best(PointAdjust()).f1 <= 1
    True
    """

    name: str
    labels: BoolArray
    scores: NumberArray
    rows: Rows = ALL
    is_inverted: bool = False
    """Whether low scores of the file mean an anomaly: `scores` has them the other way round."""

    @overload
    def in_file(self, threshold: float) -> float: ...

    @overload
    def in_file(self, threshold: FloatArray) -> FloatArray: ...

    def in_file(self, threshold: float | FloatArray) -> float | FloatArray:
        """Return a threshold in the file's own units, or one of the file in those of `scores`.

        An inverted detector flags the points whose score in the file is at most that.
        """
        return -threshold if self.is_inverted and not self.is_binary else threshold

    @cached_property
    def is_binary(self) -> bool:
        """Whether the rows that count hold detections, so that no threshold has to be chosen."""
        if self.rows.counts is not None:
            kept = self.judged[self.rows.counts]
            return bool(((kept == 0) | (kept == 1)).all())
        return all(bool(((part == 0) | (part == 1)).all()) for part in (self._glance, self.judged))

    @cached_property
    def judged(self) -> NumberArray:
        """The scores as they count: an onset has the highest score of its early window."""
        return self.rows.scores(self.scores)

    @cached_property
    def is_constant(self) -> bool:
        """Whether every score is the same."""
        return all(bool((part == part[0]).all()) for part in (self._glance, self.scores))

    @property
    def _glance(self) -> NumberArray:
        """A few scores from all over, which mostly tell already what all of them would."""
        return self.scores[:: max(1, self.scores.size // GLANCE)]

    @cached_property
    def ranked(self) -> RankedScores:
        """The scores after the one sort that everything else shares."""
        return RankedScores(self.labels, self.scores, self.rows)

    @cached_property
    def roc_auc(self) -> float:
        """How surely a point of an anomaly has a higher score than a normal one."""
        return self.ranked.corners(Pointwise()).roc_auc

    @property
    def is_upside_down(self) -> bool:
        """Whether low scores seem to be the alarming ones, by more than random scores would."""
        if self.is_binary:
            return False
        ranked = self._sampled
        one, other = ranked.anomalous, ranked.normal
        if not one or not other:
            return False
        error = sqrt((one + other + 1) / (12 * one * other))
        area = ranked.corners(Pointwise()).roc_auc
        return area < min(UPSIDE_DOWN, 0.5 - 3 * error)

    @cached_property
    def _sampled(self) -> RankedScores:
        """Rows of a long series at random, since labels may recur evenly; else all of them."""
        if self.scores.size < 2 * SAMPLED:
            return self.ranked
        rows = np.random.default_rng(0).integers(self.scores.size, size=SAMPLED)
        counts = self.rows.counts
        few = Rows(None if counts is None else counts[rows])
        return RankedScores(self.labels[rows], self.scores[rows], few)

    def best(self, protocol: Protocol) -> BestPoint:
        """Return the best threshold under a protocol; detections are taken as they are."""
        # Another thread may empty what is remembered at any moment: nothing is read from it twice.
        made = self._best.get(protocol)
        if made is None:
            made = self.at(1.0, protocol) if self.is_binary else self.ranked.best(protocol)
            if len(self._best) >= REMEMBERED:
                self._best.clear()
            self._best[protocol] = made
        return made

    @cached_property
    def _best(self) -> dict[Protocol, BestPoint]:
        """The best points that have been asked for."""
        return {}

    def at(self, threshold: float, protocol: Protocol) -> BestPoint:
        """Return what a protocol gives at a threshold."""
        wanted = float(check_threshold(threshold))
        made = self.ranked.point(1.0 if self.is_binary else threshold, protocol)
        return replace(made, threshold=wanted)

    def short(self, threshold: float) -> str:
        """Write a threshold of the file as shortly as can be: it flags exactly the same points."""
        lower = [
            float(scores[place - 1])
            for scores in (self.ranked.normal_scores, self.ranked.inside.scores[::-1])
            if (place := int(np.searchsorted(scores, threshold)))
        ]
        text = shortest_threshold(threshold, max(lower, default=-np.inf))
        if text == "0" or self.in_file(1.0) == 1.0:
            return text
        return text[1:] if text[0] == "-" else f"-{text}"

    def detections(self, threshold: float) -> BoolArray:
        """Return where the score is at least the threshold, among the rows that count."""
        lowest = np.float64(check_threshold(threshold))
        flagged: BoolArray = self.scores == 1 if self.is_binary else self.scores >= lowest
        return self.rows.alarms(flagged)

    def pattern(self, threshold: float) -> Pattern:
        """Return labels and detections at a threshold."""
        return make_pattern(self.labels, self.detections(threshold), self.rows)

    def evaluate(self, threshold: float, protocols: Sequence[Protocol]) -> list[Evaluation]:
        """Return every protocol's full result at a threshold."""
        return evaluate_pattern(self.pattern(threshold), protocols)


@dataclass(frozen=True, eq=False)
class Series:
    """Labels with the detectors that watched the same points.

    Attributes
    ----------
    name : str
        Of the file.
    labels : ndarray of bool
        The truth.
    detectors : tuple of Detector
        The columns of scores or detections.
    clock : Clock or None
        When the rows were.
    value : ndarray or None
        The signal that was watched.
    segments : Segments
        The anomalies.

    Examples
    --------
    >>> from padf_core import load_sample
    >>> load_sample("pump").size
    4320
    """

    name: str
    labels: BoolArray
    detectors: tuple[Detector, ...]
    clock: Clock | None = None
    value: NumberArray | None = None
    value_name: str = ""
    rows: Rows = ALL
    labelled: Segments | None = None
    """The segments as labelled, where their onsets were moved."""
    held: int = 0
    """How many of these onsets could not move as far as was asked."""

    @property
    def size(self) -> int:
        """Number of points, those that do not count among them."""
        return int(self.labels.size)

    @cached_property
    def counted(self) -> int:
        """Number of points that count."""
        counts = self.rows.counts
        return self.size if counts is None else int(np.count_nonzero(counts))

    @cached_property
    def parts(self) -> int:
        """Number of series that stand one after another."""
        begins = self.rows.begins
        return 1 if begins is None else 1 + int(np.count_nonzero(begins))

    @property
    def normal(self) -> BoolArray:
        """The points with label 0 that count."""
        return self.rows.only(~self.labels)

    @cached_property
    def segments(self) -> Segments:
        """The runs of label 1; none goes from one series into the next."""
        return self.rows.segments(self.labels)

    @cached_property
    def anomalous(self) -> int:
        """Number of points with label 1."""
        return int(np.count_nonzero(self.labels))

    @property
    def axis_clock(self) -> Clock | None:
        """The clock by which all points can be laid out: that of a single series."""
        return None if self.clock is None or self.clock.begins is not None else self.clock

    @property
    def step_seconds(self) -> float | None:
        """The usual step, if the series has a clock."""
        return self.clock.step_seconds if self.clock else None

    @property
    def days(self) -> float | None:
        """How long the rows that count last, if all of them are on a clock."""
        if self.clock is None or self.clock.without:
            return None
        return self.clock.seconds_of(self.rows.counts) / 86400

    @property
    def names(self) -> list[str]:
        """The detectors' names."""
        return [detector.name for detector in self.detectors]

    def inverted(self, index: int) -> Series:
        """Return the series with one detector's scores inverted."""
        made = list(self.detectors)
        made[index] = _inverted(made[index])
        return replace(self, detectors=tuple(made))

    def with_onset(self, onset: Onset) -> Series:
        """Return the series with its segments beginning elsewhere; detectors follow."""
        if not onset.is_moved:
            return self
        moved = onset.move(self.labels, self.rows)
        detectors = tuple(
            replace(each, labels=moved.labels, rows=moved.rows) for each in self.detectors
        )
        return replace(
            self,
            labels=moved.labels,
            rows=moved.rows,
            detectors=detectors,
            labelled=self.labelled or moved.before,
            held=moved.held,
        )

    def detector(self, name: str) -> Detector:
        """Return the detector of that name."""
        for detector in self.detectors:
            if detector.name == name:
                return detector
        raise ValueError(f"no detector is called {name!r}")

    @cached_property
    def key(self) -> str:
        """A name for the content: equal series have the same."""
        digest = hashlib.sha256()
        stamps = self.clock.stamps if self.clock else None
        scores = (detector.scores for detector in self.detectors)
        rows = self.rows
        more: list[NumberArray] = [] if rows.inside is None else [rows.inside]
        if rows.early is not None:
            more += [rows.early.firsts, rows.early.onsets, np.array([rows.early.is_on_time])]
        known = (self.labels, self.value, stamps, rows.counts, rows.begins)
        for part in (*known, *scores, *more):
            if part is not None:
                digest.update(np.ascontiguousarray(part).data)
            digest.update(repr(None if part is None else (part.dtype.str, part.size)).encode())
        clock = (self.clock.start, self.clock.step_seconds) if self.clock else None
        named = (self.name, self.value_name, self.names, clock)
        digest.update(repr(named).encode(errors="replace"))
        return digest.hexdigest()[:24]


def _inverted(detector: Detector) -> Detector:
    """Return a detector whose low scores count as high ones, or the other way back."""
    # The smallest number of a short type has no opposite in it.
    wide = detector.scores.astype(np.int64 if detector.scores.dtype.kind in "iu" else np.float64)
    scores = smallest_exact(1 - wide if detector.is_binary else -wide)
    return replace(detector, scores=frozen(scores), is_inverted=not detector.is_inverted)


def make_series(
    name: str,
    labels: object,
    scores: dict[str, NumberArray],
    clock: Clock | None = None,
    value: NumberArray | None = None,
    value_name: str = "",
    rows: Rows = ALL,
    *,
    inverted: Collection[str] = (),
    owned: bool = False,
) -> Series:
    """Check all columns and keep them small.

    Detectors in ``inverted`` have low scores where they suspect an anomaly. The arrays are copied,
    unless they are ``owned``, so that no other code will write to them.

    >>> import numpy as np
    >>> series = make_series("a", [0, 1, 1], {"quick": np.array([0.1, 0.9, 0.2])})
    >>> series.size, series.anomalous, series.names
    (3, 2, ['quick'])
    """
    truth, rows = rows.label(check_binary("labels", labels))
    rows = replace(rows, timing=ASSUMED if clock is None else clock.timing)
    if not scores:
        raise ValueError("scores must hold at least one detector")
    detectors = []
    for detector, values in scores.items():
        checked = check_scores(detector, values)
        check_same_length("labels", truth, detector, checked)
        kept = smallest_exact(checked)
        if not owned and np.may_share_memory(kept, np.asarray(values)):
            kept = kept.copy()
        made = Detector(detector, truth, frozen(kept.view()), rows)
        detectors.append(_inverted(made) if detector in inverted else made)
    if value is not None:
        check_same_length("labels", truth, value_name or "value", value)
        with np.errstate(over="ignore"):
            value = value.astype(np.float32, copy=not owned)
    return Series(name, truth, tuple(detectors), clock, value, value_name, rows)
