"""Thresholds that have not seen the labels on which they are judged.

The best threshold on the labels that judge it is an oracle. Here thresholds are chosen on one part
of a series and judged on another, or come from a budget of false alarms; counts of parts add up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from padf_core.analysis.blocks import blocks_of
from padf_core.io.series import Detector, Series
from padf_core.metrics.checks import BoolArray, Progress, check_number, frozen, no_progress
from padf_core.metrics.counts import Counts, added
from padf_core.metrics.protocols import Protocol
from padf_core.metrics.ranked_scores import RankedScores
from padf_core.metrics.segments import Segments

FOLDS = 5
FEWEST = 4
"""With fewer segments than this there is too little to choose on."""


@dataclass(frozen=True)
class HeldOut:
    """A detector under a protocol: the oracle, and a threshold that was chosen elsewhere.

    Attributes
    ----------
    detector : str
        Its name.
    protocol : Protocol
        The protocol that chose the thresholds.
    oracle : float
        F1 at the best threshold on the labels that judge it.
    f1, precision, recall : float
        Where each part is judged at a threshold chosen on others.
    thresholds : tuple of float
        The threshold of each part.

    Examples
    --------
    >>> from padf_core import PointAdjust, load_sample
    >>> judged = held_out(load_sample("pump"), [PointAdjust()])[0][0]
    >>> judged.optimism == judged.oracle - judged.f1
    True
    """

    detector: str
    protocol: Protocol
    oracle: float
    """F1 at the best threshold on the labels that judge it."""
    f1: float
    """F1 where each part is judged at a threshold chosen on others."""
    precision: float
    recall: float
    thresholds: tuple[float, ...]
    """The threshold of each part."""

    @property
    def optimism(self) -> float:
        """How much the oracle promises too much."""
        return self.oracle - self.f1


class Split(NamedTuple):
    """The rows on which a threshold is chosen, and the rows that are judged at it."""

    chosen_on: BoolArray
    judged: BoolArray


Splitter = Callable[[Segments, int], list[Split]]
"""Splits one series, of which the segments and the number of rows are given."""


def by_segments(segments: Segments, size: int, folds: int = FOLDS) -> list[Split]:
    """Judge every segment at the threshold that is best on other segments.

    The series is cut between segments; every ``folds``-th piece belongs to the same part.
    """
    if len(segments) < FEWEST:
        raise ValueError(
            f"at least {FEWEST} segments are needed to choose on some and judge on others; "
            f"got {len(segments)}"
        )
    fold = np.zeros(size, dtype=np.int64)
    fold[blocks_of(segments)[1:]] = 1
    fold = np.cumsum(fold) % min(folds, len(segments))
    return [Split(fold != part, fold == part) for part in range(fold.max() + 1)]


def after_first(first: int, size: int) -> list[Split]:
    """Judge all rows but the first ones, at the threshold that is best on these."""
    if not first:
        raise ValueError(
            "there is no training part: say how many first rows it has, or their share (--train)"
        )
    rest = np.arange(size) >= first
    return [Split(~rest, rest)]


def half_of(size: int) -> int:
    """Return the number of rows in the first half of a series."""
    return round(size / 2)


def cross_fitted(
    series: Series,
    protocols: Sequence[Protocol],
    *,
    folds: int = FOLDS,
    progress: Progress = no_progress,
) -> list[list[HeldOut]]:
    """Judge every segment at the threshold that is best on other segments of its series.

    See `by_segments`. What was counted is added up. One list per detector.
    """
    count = int(check_number("folds", folds, lambda x: 2 <= x <= 100, "from 2 to 100"))
    return _judged(series, protocols, partial(by_segments, folds=count), progress)


def chosen_first(
    series: Series, protocols: Sequence[Protocol], *, progress: Progress = no_progress
) -> list[list[HeldOut]]:
    """Choose thresholds on the first half of the rows of each series, and judge on the rest.

    The oracle is that of the rest too. One list per detector.
    """
    return chosen_on_training(series, protocols, training_rows=half_of, progress=progress)


def chosen_on_training(
    series: Series,
    protocols: Sequence[Protocol],
    *,
    training_rows: Callable[[int], int],
    progress: Progress = no_progress,
) -> list[list[HeldOut]]:
    """Choose thresholds on the first rows of each series, and judge on the rest.

    ``training_rows`` returns the number of these rows for a series of so many rows. One list per
    detector.
    """
    return _judged(
        series, protocols, lambda _, size: after_first(training_rows(size), size), progress
    )


def other_series(
    series: Series, protocols: Sequence[Protocol], *, progress: Progress = no_progress
) -> list[list[HeldOut]]:
    """Judge each of several series at the threshold that is best on all others together.

    What was counted is added up. One list per detector.
    """
    begins = series.rows.begins
    if begins is None:
        raise ValueError(
            "the rows are one series: at least 2 are needed to choose on some and judge on others"
        )
    which = np.cumsum(begins)
    if np.unique(which[series.labels]).size < 2:
        raise ValueError(
            "at least 2 of the series need an anomaly, or there is nothing to choose on"
        )
    parts = [which == part for part in range(int(which[-1]) + 1)]
    return _judge_all(series, protocols, [Split(~part, part) for part in parts], progress)


WAYS: dict[str, Callable[..., list[list[HeldOut]]]] = {
    "segments": cross_fitted,
    "first": chosen_first,
    "series": other_series,
}
"""On what thresholds are chosen, by name: each takes a series and protocols."""


def held_out(
    series: Series,
    protocols: Sequence[Protocol],
    *,
    chosen_on: str = "segments",
    progress: Progress = no_progress,
) -> list[list[HeldOut]]:
    """Judge every detector at thresholds that have not seen the labels that judge them.

    Parameters
    ----------
    series : Series
        Labels and detectors, as `read_series` returns them.
    protocols : sequence of Protocol
        Each chooses a threshold of its own.
    chosen_on : {"segments", "first", "series"}
        On what thresholds are chosen: on the segments of the other folds of five, on the first
        half of the rows (the rest judges), or on all other series.
    progress : callable, optional
        Called with the share that is done.

    Returns
    -------
    list of list of HeldOut
        One list per detector, with one entry per protocol.

    Raises
    ------
    ValueError
        If there are too few segments or series to choose on some and judge on others.

    Examples
    --------
    >>> from padf_core import PointAdjustDecay, load_sample
    >>> ((judged,), *others) = held_out(load_sample("pump"), [PointAdjustDecay()])
    >>> judged.f1 <= judged.oracle
    True
    """
    if chosen_on not in WAYS:
        raise ValueError(f"chosen_on must be one of {', '.join(WAYS)}; got {chosen_on!r}")
    return WAYS[chosen_on](series, protocols, progress=progress)


def _judged(
    series: Series, protocols: Sequence[Protocol], splitter: Splitter, progress: Progress
) -> list[list[HeldOut]]:
    """Split each series by itself, and judge its parts."""
    splits = []
    for first, last, own in parts_of(series):
        for split in splitter(own, last - first):
            chosen_on, judged = np.zeros((2, series.size), dtype=np.bool_)
            chosen_on[first:last], judged[first:last] = split
            splits.append(Split(chosen_on, judged))
    return _judge_all(series, protocols, splits, progress)


def parts_of(series: Series) -> Iterator[tuple[int, int, Segments]]:
    """Yield the first row of each series, the row behind its last, and its segments in its rows."""
    begins = [] if series.rows.begins is None else np.flatnonzero(series.rows.begins).tolist()
    found = series.segments
    for first, last in pairwise([0, *begins, series.size]):
        own = (found.starts >= first) & (found.starts < last)
        yield first, last, Segments(found.starts[own] - first, found.stops[own] - first)


def _judge_all(
    series: Series, protocols: Sequence[Protocol], splits: Sequence[Split], progress: Progress
) -> list[list[HeldOut]]:
    """Judge each part at the threshold that is best on the rows to choose on."""
    every = np.logical_or.reduce([split.judged for split in splits])
    made = []
    for done, detector in enumerate(series.detectors, start=1):
        judges = []
        for at, split in enumerate(splits, start=1):
            judges.append(
                (_only(detector, series, split.chosen_on), _only(detector, series, split.judged))
            )
            progress((done - 1 + at / (len(splits) + 1)) / len(series.detectors))
        whole = _only(detector, series, every)
        made.append([_held_out(detector, protocol, judges, whole) for protocol in protocols])
        progress(done / len(series.detectors))
    return made


def count_each(
    series: Series,
    detector: Detector,
    protocol: Protocol,
    choose: Callable[[RankedScores, Protocol, BoolArray], float],
) -> Counts:
    """Add up what a detector gets on each series at a threshold of its own.

    ``choose`` returns the threshold for the scores of a series, a protocol and the series' rows.
    """
    counts = []
    for first, last, _ in parts_of(series):
        rows = np.zeros(series.size, dtype=np.bool_)
        rows[first:last] = True
        ranked = _only(detector, series, rows)
        at = 1.0 if detector.is_binary else choose(ranked, protocol, rows)
        counts.append(ranked.counts_at(at, protocol))
    return added(counts)


def _only(detector: Detector, series: Series, chosen: BoolArray) -> RankedScores:
    counts = series.rows.counts
    kept = frozen(chosen if counts is None else chosen & counts)
    return RankedScores(series.labels, detector.scores, replace(series.rows, counts=kept))


def _held_out(
    detector: Detector,
    protocol: Protocol,
    judges: Sequence[tuple[RankedScores, RankedScores]],
    whole: RankedScores,
) -> HeldOut:
    thresholds = [
        1.0 if detector.is_binary else training.best(protocol).threshold for training, _ in judges
    ]
    counted = [
        judged.counts_at(threshold, protocol)
        for (_, judged), threshold in zip(judges, thresholds, strict=True)
    ]
    oracle = whole.point(1.0, protocol) if detector.is_binary else whole.best(protocol)
    total = added(counted)
    return HeldOut(
        detector.name,
        protocol,
        oracle.f1,
        float(total.fbeta()),
        float(total.precision),
        float(total.recall),
        tuple(thresholds),
    )


def within_budget(ranked: RankedScores, most: float) -> float:
    """Return the lowest threshold from which on up there are never more false alarms than this.

    False alarms are counted as runs, as somebody who is called counts them. A threshold that flags
    every normal point has few of these, and is none: who is always called is not called. Infinite
    when even the highest score is too much.

    >>> from padf_core import rank_scores
    >>> ranked = rank_scores([0, 0, 0, 1, 0], [0.9, 0.1, 0.8, 0.7, 0.2])
    >>> within_budget(ranked, 1), within_budget(ranked, 2)
    (0.9, 0.7)
    """
    thresholds = ranked.thresholds
    runs = ranked.false_runs(thresholds)
    over = np.flatnonzero(runs > most)
    last = int(over[0]) if over.size else thresholds.size
    if ranked.normal:
        lowest = float(ranked.normal_scores[0])
        last = min(last, int(np.count_nonzero(thresholds > lowest)))
    return float(thresholds[last - 1]) if last else float("inf")
