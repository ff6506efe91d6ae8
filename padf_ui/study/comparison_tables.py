"""Tables and sentences that compare detectors."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from padf_core import Curve, Settings
from padf_core.analysis.compare import ranks_of
from padf_core.analysis.crossings import Crossing, crossings
from padf_core.analysis.notices import flags_everything
from padf_core.analysis.significance import PValue
from padf_core.io.notation import percent
from padf_core.metrics.curves import half_life_of
from padf_core.metrics.parameters import Number
from padf_core.metrics.protocols import Protocol
from padf_ui.components.names import cell
from padf_ui.components.words import listed
from padf_ui.study.comparison import Areas, Comparison

RANDOM = "random baseline"


NOBODY = "no detector finds any incident"


PA_KEY = "pa"


MOST_RANDOM = 0.95
"""A detector that beats a smaller share of random detectors is named."""


def comparison_table(compared: Comparison) -> pd.DataFrame:
    """Return F1 and rank of every detector, with the random baseline in the last row."""
    table = []
    under_pa = compared.ranks_under(PA_KEY)
    for name, row, ranks, usual in zip(
        compared.names, compared.points, compared.ranks, under_pa, strict=True
    ):
        entry: dict[str, object] = {"Detector": cell(name)}
        for point, rank in zip(row, ranks, strict=True):
            entry[point.protocol.label] = point.f1
            entry[rank_head(point.protocol)] = rank_text(rank, usual)
        table.append(entry)
    if compared.best_random is None:
        return pd.DataFrame(table)
    last: dict[str, object] = {"Detector": f"{RANDOM}, mean of {_runs(compared)}"}
    for random in compared.best_random:
        last[random.protocol.label] = random.mean
        last[rank_head(random.protocol)] = f"± {random.spread:.3f}"
    return pd.DataFrame([*table, last])


def _runs(compared: Comparison) -> int:
    """Return the number of random detectors."""
    return len(compared.random[0][0].f1)


def rank_table(compared: Comparison) -> pd.DataFrame:
    """Return a table of ranks."""
    heads = [protocol.label for protocol in compared.protocols]
    return pd.DataFrame(compared.ranks, columns=heads).assign(
        Detector=[cell(name) for name in compared.names]
    )[["Detector", *heads]]


def rank_head(protocol: Protocol) -> str:
    """Return the heading of a column of ranks."""
    return f"rank, {protocol.name}"


def rank_text(rank: int, under_pa: int) -> str:
    """Return a rank, with an arrow if it differs from the rank under PA."""
    if rank == under_pa:
        return str(rank)
    return f"{rank} {'▲' if rank < under_pa else '▼'}{abs(rank - under_pa)}"


def threshold_table(compared: Comparison) -> pd.DataFrame:
    """Return the thresholds, precisions and recalls behind the comparison."""
    return pd.DataFrame(
        [
            {
                "Detector": cell(name),
                "Protocol": point.protocol.label,
                "Threshold": repr(point.threshold),
                "Flagged, %": 100 * point.flagged,
                "Precision": point.precision,
                "Recall": point.recall,
                "F1": point.f1,
            }
            for name, row in zip(compared.names, compared.points, strict=True)
            for point in row
        ]
    )


def random_table(compared: Comparison) -> pd.DataFrame:
    """Return the scores of each detector's random baseline under each protocol."""
    return pd.DataFrame(
        [
            {
                "Detector": cell(name),
                "Compared with": "as many random alarms"
                if fixed
                else "random scores at their best threshold",
                "Protocol": row.protocol.label,
                "F1, mean": row.mean,
                "Standard deviation": row.spread,
                "Best run": row.highest,
                "Points flagged, %": 100 * row.alarm_rate,
                "Runs": len(row.f1),
            }
            for name, rows, fixed in zip(
                compared.names, compared.random, compared.is_fixed, strict=True
            )
            for row in rows
        ]
    )


def random_text(compared: Comparison) -> str:
    """Describe how the random baseline is computed."""
    said = []
    if compared.best_random is not None:
        rates = ", ".join(
            f"{percent(row.alarm_rate)} under {row.protocol.name}" for row in compared.best_random
        )
        said.append(
            f"The random baseline is the mean of {_runs(compared)} runs at their best threshold "
            f"± their standard deviation. It flags {rates} of all points."
        )
    if any(compared.is_fixed):
        said.append(
            "Detectors with fixed alarms are compared with as many random alarms: see Random "
            "baseline."
        )
    return " ".join(said)


def against_table(
    compared: Comparison, against: Sequence[Sequence[PValue]], only: str | None = None
) -> pd.DataFrame:
    """Return every detector with its random baseline and the p-value of the shift test.

    ``only`` is the key of a protocol. If given, the table has only its rows.
    """
    return pd.DataFrame(
        [
            {
                "Detector": cell(name),
                "Protocol": point.protocol.label,
                "F1": point.f1,
                "Random baseline": random.mean,
                "Flagged, %": 100 * point.flagged,
                "p": p.cell,
            }
            for name, row, baseline, values in zip(
                compared.names, compared.points, compared.random, against, strict=True
            )
            for point, random, p in zip(row, baseline, values, strict=True)
            if only is None or point.protocol.key == only
        ]
    )


def against_text(against: Sequence[Sequence[PValue]]) -> str:
    """Explain the null hypothesis of the p-values and how they are computed."""
    first = against[0][0]
    how = (
        f"{first.runs} copies of each detector's scores, shifted in time by random amounts (and "
        "wrapped around)"
        if first.runs
        else (
            "copies of each detector's scores, shifted in time by every possible amount (and "
            "wrapped around)"
        )
    )
    return (
        f"p tests the null hypothesis that {first.null}. It is the share of {how}, that reach the "
        "same F1 as the detector itself (which counts as one of them). Copies keep the scores' "
        "values and runs."
    )


def unproven(compared: Comparison, against: Sequence[Sequence[PValue]]) -> list[str]:
    """Name the detectors that do not beat their shifted copies significantly, by protocol."""
    said = []
    for index, protocol in enumerate(compared.protocols):
        names = [
            f"{name} ({values[index].text})"
            for name, values in zip(compared.names, against, strict=True)
            if values[index].value > 0.05
        ]
        if names:
            said.append(
                f"Under {protocol.label}, no significant knowledge of the incidents: "
                f"{listed(names)}."
            )
    return said


def verdicts(compared: Comparison) -> list[str]:
    """Name the winners, and the detectors that do not beat the random baseline."""
    heads = [protocol.label for protocol in compared.protocols]
    columns = [compared.f1(index) for index in range(len(heads))]
    if not any(map(any, columns)):
        return [f"{NOBODY.capitalize()}: there is no winner under any protocol."]
    won = first_places(compared.names, heads, columns)
    said = [won or f"{first_place(compared.names, columns[0])} under every protocol."]
    for index, protocol in enumerate(compared.protocols):
        beaten = [
            f"{name} ({score:.3f}, baseline {rows[index].mean:.3f})"
            for name, score, rows in zip(
                compared.names, compared.f1(index), compared.random, strict=True
            )
            if rows[index].share_below(score) < MOST_RANDOM
        ]
        if beaten:
            said.append(
                f"Under {protocol.label}, {listed(beaten)} {'does' if len(beaten) == 1 else 'do'} "
                f"not beat {percent(MOST_RANDOM)} of {_runs(compared)} random detectors."
            )
    found = (
        (name, point.protocol.label, point.flagged)
        for name, row in zip(compared.names, compared.points, strict=True)
        for point in row
    )
    return [*said, *flags_everything(found, "threshold")]


def first_places(
    names: Sequence[str], heads: Sequence[str], columns: Sequence[Sequence[float]]
) -> str | None:
    """Name the winner in each column of scores. Return None if all columns have the same winner."""
    winners: dict[str, list[str]] = {}
    for head, scores in zip(heads, columns, strict=True):
        winners.setdefault(first_place(names, scores), []).append(head)
    if len(winners) == 1:
        return None
    return "; ".join(f"{who} under {listed(where)}" for who, where in winners.items()) + "."


def first_place(names: Sequence[str], scores: Sequence[float]) -> str:
    """Name the winner, or the detectors that share first place."""
    if not any(scores):
        return NOBODY
    who = [name for name, rank in zip(names, ranks_of(scores), strict=True) if rank == 1]
    return f"{who[0]} comes first" if len(who) == 1 else f"{listed(who)} share first place"


def crossing_texts(
    curves: Sequence[Curve], names: Sequence[str], symbol: str
) -> tuple[list[Crossing], list[str]]:
    """Return the points at which two detectors swap ranks, and a sentence for each."""
    found = crossings(curves)
    texts = [
        f"{names[crossing.above]} passes {names[crossing.below]} near {symbol} = {crossing.at:.3g}"
        for crossing in found
    ]
    return found, texts


def curve_columns(parameter: str, curves: Sequence[Curve], names: Sequence[str]) -> pd.DataFrame:
    """Return curves over the same parameter as columns of a table."""
    columns = {cell(name): curve.f1 for name, curve in zip(names, curves, strict=True)}
    first = curves[0]
    return pd.DataFrame({parameter: first.values, **columns})


def area_table(names: Sequence[str], areas: Sequence[Areas], settings: Settings) -> pd.DataFrame:
    """Return average precision, ROC area and area over the parameter, for each protocol."""
    protocols = settings.protocols()
    table = []
    for name, area in zip(names, areas, strict=True):
        row: dict[str, object] = {"Detector": cell(name)}
        row |= {
            f"AP, {p.name}": value
            for p, value in zip(protocols, area.average_precision, strict=True)
        }
        row |= {f"ROC, {p.name}": value for p, value in zip(protocols, area.roc_auc, strict=True)}
        row |= over_columns(area, settings)
        table.append(row)
    return pd.DataFrame(table)


def over_columns(area: Areas, settings: Settings) -> dict[str, object]:
    """Return the area over each parameter, keyed by its column heading."""
    numbers = settings.numbers()
    return {
        f"{settings.protocol(key).name} over {_over(settings, key, numbers[key])}": value
        for key, value in area.over.items()
    }


def _over(settings: Settings, key: str, number: Number) -> str:
    """Return the variable of the area. For a decay it is the logarithm of the half-life."""
    has_half_life = half_life_of(settings.protocol(key)) is not None
    return "log half-life" if has_half_life else number.symbol
