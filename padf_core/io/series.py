"""A series: labels, the scores of its detectors, and the clock of its rows."""

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
"""Maximum number of rows sampled to detect an inverted score."""

UPSIDE_DOWN = 0.45
"""Below this ROC area the app asks whether a score is inverted; random scores have about 0.5."""

GLANCE = 1000
"""Number of values of a long column that are checked before all of them."""

ASSUMED = Timing(ASSUMED_STEP)
"""Row times if there is no clock."""

REMEMBERED = 500
"""Maximum number of best points that a detector caches."""


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
                return values  # The values need float64, as the sample shows.
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
        The name of the column.
    labels : ndarray of bool
        The ground-truth labels.
    scores : ndarray
        The scores; higher means more anomalous.
    is_binary : bool
        Whether the scores are detections.
    is_inverted : bool
        Whether low scores in the file mean an anomaly; ``scores`` holds them inverted.

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
    """Whether low scores in the file mean an anomaly; `scores` holds them inverted."""

    @overload
    def in_file(self, threshold: float) -> float: ...

    @overload
    def in_file(self, threshold: FloatArray) -> FloatArray: ...

    def in_file(self, threshold: float | FloatArray) -> float | FloatArray:
        """Convert a threshold from the units of `scores` to those of the file, or back.

        An inverted detector flags the points whose score in the file is at most the threshold.
        """
        return -threshold if self.is_inverted and not self.is_binary else threshold

    @cached_property
    def is_binary(self) -> bool:
        """Whether all scored rows hold detections, so that no threshold has to be chosen."""
        if self.rows.counts is not None:
            kept = self.judged[self.rows.counts]
            return bool(((kept == 0) | (kept == 1)).all())
        return all(bool(((part == 0) | (part == 1)).all()) for part in (self._glance, self.judged))

    @cached_property
    def judged(self) -> NumberArray:
        """The scores used for evaluation: an onset gets the highest score of its early window."""
        return self.rows.scores(self.scores)

    @cached_property
    def is_constant(self) -> bool:
        """Whether every score is the same."""
        return all(bool((part == part[0]).all()) for part in (self._glance, self.scores))

    @property
    def _glance(self) -> NumberArray:
        """A small sample of the scores, which usually settles a check of all scores early."""
        return self.scores[:: max(1, self.scores.size // GLANCE)]

    @cached_property
    def ranked(self) -> RankedScores:
        """The scores after one sort, which all evaluations share."""
        return RankedScores(self.labels, self.scores, self.rows)

    @cached_property
    def roc_auc(self) -> float:
        """Probability that an anomalous point scores higher than a normal one."""
        return self.ranked.corners(Pointwise()).roc_auc

    @property
    def is_upside_down(self) -> bool:
        """Whether low scores seem to mean an anomaly, beyond what random scores would show."""
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
        """A random sample of rows if the series is long, otherwise all rows."""
        if self.scores.size < 2 * SAMPLED:
            return self.ranked
        rows = np.random.default_rng(0).integers(self.scores.size, size=SAMPLED)
        counts = self.rows.counts
        few = Rows(None if counts is None else counts[rows])
        return RankedScores(self.labels[rows], self.scores[rows], few)

    def best(self, protocol: Protocol) -> BestPoint:
        """Return the best threshold under a protocol; detections are used unchanged."""
        # Another thread may clear the cache at any time, so it is read only once.
        made = self._best.get(protocol)
        if made is None:
            made = self.at(1.0, protocol) if self.is_binary else self.ranked.best(protocol)
            if len(self._best) >= REMEMBERED:
                self._best.clear()
            self._best[protocol] = made
        return made

    @cached_property
    def _best(self) -> dict[Protocol, BestPoint]:
        """Cache of the best points."""
        return {}

    def at(self, threshold: float, protocol: Protocol) -> BestPoint:
        """Return a protocol's result at a threshold."""
        wanted = float(check_threshold(threshold))
        made = self.ranked.point(1.0 if self.is_binary else threshold, protocol)
        return replace(made, threshold=wanted)

    def short(self, threshold: float) -> str:
        """Format a threshold with as few digits as possible, so that it flags the same points."""
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
        """Return the scored rows whose score is at least the threshold."""
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
    """Labels, with detectors for the same points.

    Attributes
    ----------
    name : str
        The name of the file.
    labels : ndarray of bool
        The ground-truth labels.
    detectors : tuple of Detector
        The columns of scores or detections.
    clock : Clock or None
        The times of the rows.
    value : ndarray or None
        The monitored signal.
    segments : Segments
        The anomalous segments.

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
    """The segments as labelled, if their onsets were moved."""
    held: int = 0
    """Number of onsets that could not be moved as far as requested."""

    @property
    def size(self) -> int:
        """Number of points, including ignored ones."""
        return int(self.labels.size)

    @cached_property
    def counted(self) -> int:
        """Number of scored points."""
        counts = self.rows.counts
        return self.size if counts is None else int(np.count_nonzero(counts))

    @cached_property
    def parts(self) -> int:
        """Number of series in the data, one after another."""
        begins = self.rows.begins
        return 1 if begins is None else 1 + int(np.count_nonzero(begins))

    @property
    def normal(self) -> BoolArray:
        """The scored points with label 0."""
        return self.rows.only(~self.labels)

    @cached_property
    def segments(self) -> Segments:
        """The runs of label 1; segments never cross from one series into the next."""
        return self.rows.segments(self.labels)

    @cached_property
    def anomalous(self) -> int:
        """Number of points with label 1."""
        return int(np.count_nonzero(self.labels))

    @property
    def axis_clock(self) -> Clock | None:
        """The clock of a single series, which can serve as a time axis."""
        return None if self.clock is None or self.clock.begins is not None else self.clock

    @property
    def step_seconds(self) -> float | None:
        """The usual step, if the series has a clock."""
        return self.clock.step_seconds if self.clock else None

    @property
    def days(self) -> float | None:
        """Duration of the scored rows, if all of them have a clock."""
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
        """Return the series with moved onsets, applied to its detectors as well."""
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
        """Return the detector with this name."""
        for detector in self.detectors:
            if detector.name == name:
                return detector
        raise ValueError(f"no detector is called {name!r}")

    @cached_property
    def key(self) -> str:
        """A hash of the content; equal series have the same key."""
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
    """Return a detector with inverted scores, or invert them back."""
    # The smallest number of a short integer type cannot be negated in it.
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
    """Check all columns and store them in small dtypes.

    Detectors in ``inverted`` have low scores for anomalies. Arrays are copied, so that no other
    code can write to them, unless they are ``owned``.

    >>> import numpy as np
    >>> series = make_series("a", [0, 1, 1], {"quick": np.array([0.1, 0.9, 0.2])})
    >>> series.size, series.anomalous, series.names
    (3, 2, ['quick'])
    """
    truth, rows = rows.label(check_binary("labels", labels))
    rows = replace(rows, timing=ASSUMED if clock is None else clock.timing)
    if not scores:
        raise ValueError("scores must have at least one detector")
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
