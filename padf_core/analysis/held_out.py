"""Choose thresholds without the labels that judge them.

The best threshold on the labels that judge it is an oracle. Here, thresholds are chosen on one part
of a series and judged on another, or come from a false-alarm budget. The counts of all parts are
added up.
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
"""Minimum number of segments; with fewer there is too little data to choose on."""


@dataclass(frozen=True)
class HeldOut:
    """The result of a detector under a protocol: the oracle, and a threshold chosen elsewhere.

    Attributes
    ----------
    detector : str
        The detector's name.
    protocol : Protocol
        The protocol that chose the thresholds.
    oracle : float
        F1 at the best threshold on the labels that judge it.
    f1, precision, recall : float
        Scores when each part is judged at a threshold chosen on the other parts.
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
    """F1 when each part is judged at a threshold chosen on the other parts."""
    precision: float
    recall: float
    thresholds: tuple[float, ...]
    """The threshold of each part."""

    @property
    def optimism(self) -> float:
        """How much the oracle overstates F1."""
        return self.oracle - self.f1


class Split(NamedTuple):
    """The rows on which a threshold is chosen, and the rows judged at it."""

    chosen_on: BoolArray
    judged: BoolArray


Splitter = Callable[[Segments, int], list[Split]]
"""A function that splits one series, given its segments and its number of rows."""


def by_segments(segments: Segments, size: int, folds: int = FOLDS) -> list[Split]:
    """Judge every segment at the threshold that is best on other segments.

    The series is cut between segments. Every ``folds``-th piece belongs to the same part.
    """
    if len(segments) < FEWEST:
        raise ValueError(
            f"at least {FEWEST} segments are needed to choose thresholds on some and judge on "
            f"others; got {len(segments)}"
        )
    fold = np.zeros(size, dtype=np.int64)
    fold[blocks_of(segments)[1:]] = 1
    fold = np.cumsum(fold) % min(folds, len(segments))
    return [Split(fold != part, fold == part) for part in range(fold.max() + 1)]


def after_first(first: int, size: int) -> list[Split]:
    """Choose the threshold on the first rows, and judge on the remaining rows."""
    if not first:
        raise ValueError(
            "there is no training part; give its number of rows or its share (--train)"
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

    See `by_segments`. The counts are added up. Returns one list per detector.
    """
    count = int(check_number("folds", folds, lambda x: 2 <= x <= 100, "from 2 to 100"))
    return _judged(series, protocols, partial(by_segments, folds=count), progress)


def chosen_first(
    series: Series, protocols: Sequence[Protocol], *, progress: Progress = no_progress
) -> list[list[HeldOut]]:
    """Choose thresholds on the first half of each series' rows, and judge on the rest.

    The oracle also refers to the second half. Returns one list per detector.
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

    ``training_rows`` maps the number of rows in a series to the number of training rows. Returns
    one list per detector.
    """
    return _judged(
        series, protocols, lambda _, size: after_first(training_rows(size), size), progress
    )


def other_series(
    series: Series, protocols: Sequence[Protocol], *, progress: Progress = no_progress
) -> list[list[HeldOut]]:
    """Judge each of several series at the threshold that is best on all other series together.

    The counts are added up. Returns one list per detector.
    """
    begins = series.rows.begins
    if begins is None:
        raise ValueError(
            "there is only one series; at least 2 are needed to choose thresholds on some and "
            "judge on others"
        )
    which = np.cumsum(begins)
    if np.unique(which[series.labels]).size < 2:
        raise ValueError("at least 2 series need an anomaly to choose thresholds on")
    parts = [which == part for part in range(int(which[-1]) + 1)]
    return _judge_all(series, protocols, [Split(~part, part) for part in parts], progress)


WAYS: dict[str, Callable[..., list[list[HeldOut]]]] = {
    "segments": cross_fitted,
    "first": chosen_first,
    "series": other_series,
}
"""Ways to choose thresholds, by name. Each takes a series and protocols."""


def held_out(
    series: Series,
    protocols: Sequence[Protocol],
    *,
    chosen_on: str = "segments",
    progress: Progress = no_progress,
) -> list[list[HeldOut]]:
    """Judge every detector at thresholds chosen without the labels that judge them.

    Parameters
    ----------
    series : Series
        Labels and detectors, as `read_series` returns them.
    protocols : sequence of Protocol
        Each protocol chooses its own threshold.
    chosen_on : {"segments", "first", "series"}
        Where thresholds are chosen. "segments": on the other folds of five. "first": on the first
        half of the rows, judged on the second half. "series": on all other series.
    progress : callable, optional
        Called with the share of the work that is done.

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
    """Split each series on its own, and judge its parts."""
    splits = []
    for first, last, own in parts_of(series):
        for split in splitter(own, last - first):
            chosen_on, judged = np.zeros((2, series.size), dtype=np.bool_)
            chosen_on[first:last], judged[first:last] = split
            splits.append(Split(chosen_on, judged))
    return _judge_all(series, protocols, splits, progress)


def parts_of(series: Series) -> Iterator[tuple[int, int, Segments]]:
    """Yield each series' first row, the row after its last, and its segments counted from there."""
    begins = [] if series.rows.begins is None else np.flatnonzero(series.rows.begins).tolist()
    found = series.segments
    for first, last in pairwise([0, *begins, series.size]):
        own = (found.starts >= first) & (found.starts < last)
        yield first, last, Segments(found.starts[own] - first, found.stops[own] - first)


def _judge_all(
    series: Series, protocols: Sequence[Protocol], splits: Sequence[Split], progress: Progress
) -> list[list[HeldOut]]:
    """Judge each part at the threshold that is best on its training rows."""
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
    """Add up a detector's counts over all series, each at its own threshold.

    ``choose`` returns the threshold, given the scores of a series, a protocol and the rows of the
    series.
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
    """Return the lowest threshold that meets a false-alarm budget, along with all higher ones.

    False alarms are counted as runs, because each run is one alert to an operator. A threshold that
    flags every normal point has few runs but is useless, so it is excluded. Infinite if even the
    highest score exceeds the budget.

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
