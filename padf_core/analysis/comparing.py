"""Several detectors under several protocols, as one table: what the app's comparison shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from padf_core.analysis.compare import ranks_of
from padf_core.analysis.random_detector import (
    PValue,
    RandomRow,
    exact_p_value,
    p_value,
    random_rows,
)
from padf_core.metrics.checks import check_binary
from padf_core.metrics.frames import Plotted
from padf_core.metrics.onset import Onset
from padf_core.metrics.protocols import Protocol, check_protocols
from padf_core.metrics.rows import make_rows
from padf_core.metrics.segments import runs_of
from padf_core.metrics.sweep import BestPoint, RankedScores


@dataclass(frozen=True, eq=False)
class ComparedDetectors(Plotted):
    """Every detector at each protocol's best threshold (an oracle), and random ones beside."""

    names: tuple[str, ...]
    protocols: tuple[Protocol, ...]
    points: tuple[tuple[BestPoint, ...], ...]
    """One row per detector, one column per protocol."""
    random: tuple[RandomRow, ...]
    against: tuple[tuple[PValue, ...], ...]
    """How likely a random detector does as well: one row per detector, one column per protocol."""

    def f1(self, protocol: int) -> list[float]:
        """Return the F1 of every detector under one protocol."""
        return [row[protocol].f1 for row in self.points]

    def columns(self) -> Mapping[str, Any]:
        made: dict[str, list[Any]] = {
            name: []
            for name in (
                *("detector", "protocol", "threshold", "precision", "recall", "f1", "rank"),
                *("random_f1", "p", "p_error"),
            )
        }
        for column, (protocol, random) in enumerate(zip(self.protocols, self.random, strict=True)):
            heights = self.f1(column)
            for at, (name, rank) in enumerate(zip(self.names, ranks_of(heights), strict=True)):
                point, against = self.points[at][column], self.against[at][column]
                values = (
                    *(name, protocol.label, point.threshold, point.precision, point.recall),
                    *(point.f1, rank, random.mean, against.value, against.error),
                )
                for key, value in zip(made, values, strict=True):
                    made[key].append(value)
        return made

    def axes(self) -> tuple[str, list[str]]:
        return "detector", [protocol.label for protocol in self.protocols]

    def plot(self) -> Any:
        """Return F1 of every detector, a bar per protocol, as a plotly figure."""
        wide = self.to_frame().pivot(index="detector", columns="protocol", values="f1")
        return wide.plot.bar(backend="plotly", barmode="group")


def compare(
    labels: object,
    scores: Mapping[str, object],
    protocols: Sequence[Protocol],
    *,
    ignore: object = None,
    series: object = None,
    times: object = None,
    onset: Onset | None = None,
    runs: int = 20,
    seed: int = 0,
) -> ComparedDetectors:
    """Compare named detectors at each protocol's best threshold, with random detectors beside.

    ``p`` is how likely a random detector does as well: exact for point-wise, and for PA where all
    segments are equally long; else from ``runs`` runs, with its standard error as ``p_error``.

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
    rows = make_rows(truth.size, ignore, series, times)
    points = []
    for name, column in scores.items():
        try:
            ranked = RankedScores(truth, column, rows, onset)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
        points.append(
            tuple(
                ranked.point(1.0, each) if ranked.is_binary else ranked.best(each)
                for each in listed
            )
        )
    moved = onset.move(rows.only(truth), rows) if onset is not None else None
    random = random_rows(
        truth if moved is None else moved.labels,
        listed,
        runs,
        seed,
        rows=rows if moved is None else moved.rows,
    )
    judged = rows.only(truth) if moved is None else moved.labels
    borders = rows if moved is None else moved.rows
    lengths = runs_of(judged, borders.begins).lengths
    counted = judged.size if borders.counts is None else int(borders.counts.sum())
    against = tuple(
        tuple(
            exact_p_value(point.f1, row.protocol, lengths, counted - int(lengths.sum()))
            or p_value(row.f1, point.f1)
            for point, row in zip(row_of, random, strict=True)
        )
        for row_of in points
    )
    return ComparedDetectors(
        tuple(map(str, scores)), tuple(listed), tuple(points), tuple(random), against
    )
