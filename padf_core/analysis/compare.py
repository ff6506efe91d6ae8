"""Compare detectors side by side: one table, with ranks and random baselines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from padf_core.analysis.random_detector import RandomRow, count_alarms, random_rows
from padf_core.analysis.significance import PValue, count_shifts, shift_test
from padf_core.metrics.checks import check_binary, check_scores
from padf_core.metrics.frames import Plotted
from padf_core.metrics.onset import Onset
from padf_core.metrics.protocols import Protocol, check_protocols
from padf_core.metrics.ranked_scores import RankedScores
from padf_core.metrics.rows import make_rows
from padf_core.metrics.sweep_results import BestPoint

TIE = 1e-9
"""Scores that differ by at most this share a rank."""


def ranks_of(scores: Sequence[float]) -> list[int]:
    """Return ranks from the highest score down; equal scores share the better rank.

    >>> ranks_of([0.5, 0.9, 0.5, 0.1])
    [2, 1, 2, 4]
    """
    return [1 + sum(other > score + TIE for other in scores) for score in scores]


@dataclass(frozen=True, eq=False)
class ComparedDetectors(Plotted):
    """Every detector at each protocol's best threshold (an oracle), with a random baseline.

    Attributes
    ----------
    names : tuple of str
        The detectors.
    protocols : tuple of Protocol
        The protocols.
    points : tuple of tuple of BestPoint
        One row per detector, one column per protocol.
    random : tuple of tuple of RandomRow
        The random baseline of each: at its best threshold, or with as many alarms as the
        detections.
    against : tuple of tuple of PValue
        The share of time-shifted copies of a detector that score as high.

    Examples
    --------
    >>> from padf_core import Pointwise
    >>> compare([0, 1, 1, 0], {"a": [.1, .4, .2, .3]}, [Pointwise()]).names
    ('a',)
    """

    names: tuple[str, ...]
    protocols: tuple[Protocol, ...]
    points: tuple[tuple[BestPoint, ...], ...]
    """One row per detector, one column per protocol."""
    random: tuple[tuple[RandomRow, ...], ...]
    """The random baseline of each: at its best threshold, or with as many alarms as detections."""
    against: tuple[tuple[PValue, ...], ...]
    """The share of time-shifted copies of a detector that score as high, in the same order."""

    def f1(self, protocol: int) -> list[float]:
        """Return the F1 of every detector under one protocol."""
        return [row[protocol].f1 for row in self.points]

    def columns(self) -> Mapping[str, Any]:
        made: dict[str, list[Any]] = {
            name: []
            for name in (
                *("detector", "protocol", "threshold", "flagged", "precision", "recall", "f1"),
                *("rank", "random_f1", "p", "p_error", "null_hypothesis"),
            )
        }
        for column, protocol in enumerate(self.protocols):
            heights = self.f1(column)
            for at, (name, rank) in enumerate(zip(self.names, ranks_of(heights), strict=True)):
                point, against = self.points[at][column], self.against[at][column]
                values = (
                    *(name, protocol.label, point.threshold, point.flagged, point.precision),
                    *(point.recall, point.f1, rank, self.random[at][column].mean),
                    *(against.value, against.error, against.null),
                )
                for key, value in zip(made, values, strict=True):
                    made[key].append(value)
        return made

    def axes(self) -> tuple[str, list[str]]:
        return "detector", [protocol.label for protocol in self.protocols]

    def plot(self) -> Any:
        """Plot F1 of every detector, one bar per protocol, as a plotly figure."""
        wide = self.to_frame().pivot(index="detector", columns="protocol", values="f1")
        return wide.plot.bar(backend="plotly", barmode="group")


def compare(
    labels: npt.ArrayLike,
    scores: Mapping[str, npt.ArrayLike],
    protocols: Sequence[Protocol],
    *,
    ignore: npt.ArrayLike | None = None,
    series: npt.ArrayLike | None = None,
    times: npt.ArrayLike | None = None,
    onset: Onset | None = None,
    runs: int | None = None,
    shifts: int | None = None,
    seed: int = 0,
) -> ComparedDetectors:
    """Compare named detectors at each protocol's best threshold, with a random baseline.

    ``p`` tests the null hypothesis that a detector's scores are unrelated to the times of the
    incidents. It is the share of copies of the scores, shifted circularly in time, that score as
    high. ``p_error`` is its standard error.

    Parameters
    ----------
    labels : array_like of 0 and 1
        The ground-truth labels, one entry per row.
    scores : mapping of str to array_like
        The scores of each detector by name. Scores that are all 0 or 1 are detections; they are
        compared with the same number of random alarms.
    protocols : sequence of Protocol
        For example ``[Pointwise(), PointAdjust()]``.
    ignore : array_like of bool, optional
        Rows that are not scored. An ignored row inside a segment does not split it, and delays in
        steps do not count it.
    series : array_like, optional
        The name of each row's series. Segments never cross from one series into the next.
    times : array_like or float, optional
        The time of each row (seconds or datetime64), or the seconds of one step. Needed for
        delays on the clock.
    onset : Onset, optional
        Moves where segments begin.
    runs : int, optional
        Number of random detectors in the baseline, each at its best threshold; the baseline is
        their mean. By default 199, or fewer on long series.
    shifts : int, optional
        Number of shifted copies of the scores. By default 199, or fewer (at least 19) on long
        series.
    seed : int
        Seed of the random baseline and of the shifts.

    Returns
    -------
    ComparedDetectors
        The comparison, with ``to_frame()`` and ``plot()``.

    Raises
    ------
    ValueError
        If an argument is invalid. The message names the argument, the row and the value.

    Examples
    --------
    >>> from padf_core import PointAdjust, Pointwise
    >>> made = compare([0, 1, 1, 0], {"a": [.1, .4, .2, .3], "b": [.4, .1, .1, .1]},
    ...                [Pointwise(), PointAdjust()])
    >>> made.f1(1)
    [1.0, 0.6666666666666666]
    """
    listed = check_protocols(protocols)
    if not isinstance(scores, Mapping) or not scores:
        raise ValueError("scores must be a dictionary of at least one detector's scores by name")
    truth = check_binary("labels", labels)
    truth, rows = make_rows(truth.size, ignore, series, times).label(truth)
    if onset is not None:
        truth, rows = onset.move(truth, rows)[:2]
    asked = count_shifts(truth.size, len(scores)) if shifts is None else shifts
    best = tuple(random_rows(truth, listed, runs, seed, rows=rows))
    points, random, against = [], [], []
    for name, column in scores.items():
        try:
            values = check_scores("scores", column)
            ranked = RankedScores(truth, values, rows, keeps=False)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
        own, baseline, fixed = [ranked.best(each) for each in listed], best, None
        if ranked.is_binary:
            own = [ranked.point(1.0, each) for each in listed]
            alarms = count_alarms(values, rows, 1.0)
            baseline = tuple(random_rows(truth, listed, runs, seed, rows=rows, alarms=alarms))
            fixed = 1.0
        points.append(tuple(own))
        random.append(baseline)
        heights = [point.f1 for point in own]
        found = shift_test(
            truth, values, rows, listed, heights, threshold=fixed, shifts=asked, seed=seed
        )
        against.append(tuple(found))
    return ComparedDetectors(
        tuple(map(str, scores)), tuple(listed), tuple(points), tuple(random), tuple(against)
    )
