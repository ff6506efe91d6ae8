"""Where the paper disagrees with itself: each finding computed from its tables and formulas."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from padf_core.metrics.decay import ExponentialDecay
from padf_core.metrics.evaluation import evaluate
from padf_core.metrics.protocols import PointAdjust, PointAdjustDecay, PointAdjustK
from padf_core.paper.cases import TOY_CASES, Case
from padf_core.paper.published import COLUMN_PROTOCOLS, agrees_with_print, published_table

BEST_THRESHOLD_TABLES: dict[str, str] = {
    "table2": "Table 2",
    "table6": "Table 6",
    "table7_8": "Tables 7 and 8",
}
"""The tables whose scores are said to be at the best threshold."""

PRINTED_CORRELATIONS: dict[str, float] = {"pointwise": 0.77, "pa": 0.67, "pa_k20": 0.83}
"""The paper's coefficients between each protocol and PAdf 0.9 over Tables 7 and 8."""

_RATE, _LENGTH = 0.9, 7


@dataclass(frozen=True, eq=False)
class Finding:
    """One contradiction: what is printed, what comes out, and what hangs on it."""

    key: str
    where: str
    title: str
    printed: str
    computed: str
    rule: str
    changes: str
    """What it changes in the paper's conclusions."""
    keeps: str
    """What it leaves as it was."""
    rows: pd.DataFrame = field(default_factory=pd.DataFrame)


def below_pointwise(table: str) -> pd.DataFrame:
    """Return the rows of a table in which PA is below point-wise.

    >>> [len(below_pointwise(table)) for table in BEST_THRESHOLD_TABLES]
    [2, 12, 1]
    """
    rows = published_table(table)
    return rows[rows["pa"] < rows["pointwise"]]


def above_pa(table: str) -> pd.DataFrame:
    """Return the rows of a table in which a PAdf score is above PA."""
    rows = published_table(table)
    decays = [column for column in rows.columns if column.startswith("padf_")]
    return rows[(rows[decays].gt(rows["pa"], axis=0)).any(axis=1)]


def correlations() -> dict[str, float]:
    """Return the correlation of each protocol with PAdf 0.9 over the rows of Tables 7 and 8.

    >>> {name: round(value, 3) for name, value in correlations().items()}
    {'pointwise': 0.778, 'pa': 0.679, 'pa_k20': 0.818}
    """
    rows = published_table("table7_8")
    return {
        name: float(np.corrcoef(rows[name], rows["padf_0.9"])[0, 1])
        for name in PRINTED_CORRELATIONS
    }


def ratio_table() -> pd.DataFrame:
    """Return Table 3 anew: PAdf 0.7 as a percentage of PAdf 0.9, from Table 2, beside the print."""
    printed = published_table("table3").set_index("model")
    rows = published_table("table2")
    made = []
    for model in printed.index:
        for dataset in printed.columns:
            one = rows[(rows["model"] == model) & (rows["dataset"] == dataset)].iloc[0]
            ratio = 100 * one["padf_0.7"] / one["padf_0.9"]
            value = float(printed.loc[model, dataset])
            made.append(
                {
                    "model": model,
                    "dataset": dataset,
                    "PAdf 0.7": one["padf_0.7"],
                    "PAdf 0.9": one["padf_0.9"],
                    "computed, %": ratio,
                    "printed, %": value,
                    "agrees": "✓" if abs(ratio - value) < 0.1 + 1e-9 else "✗",
                }
            )
    return pd.DataFrame(made)


def findings() -> list[Finding]:
    """Return every finding, the weightiest first."""
    return [
        _best_thresholds(),
        _two_precisions(),
        _decay_above_pa(),
        _correlations(),
        _pa_above_half(),
        _intro_scores(),
        _which_k(),
        _decay_direction(),
        _geometric_sum(),
        _last_point(),
        _false_alarms(),
        _cut_off(),
    ]


def _best_thresholds() -> Finding:
    parts, shown = [], []
    for table, name in BEST_THRESHOLD_TABLES.items():
        rows = below_pointwise(table)
        parts.append(f"{len(rows)} of {len(published_table(table))} rows of {name}")
        shown.append(rows[["dataset", "model", "pointwise", "pa"]].assign(table=name))
    return Finding(
        "best_thresholds",
        "Tables 2, 6, 7 and 8",
        "PA below point-wise at the best threshold",
        "F1 at the best threshold of each protocol",
        f"PA is below point-wise in {', '.join(parts)}",
        "At any threshold PA grants at least the credit of point-wise and has the same false "
        "alarms, so its F1 is at least as high there; its best over all cannot be lower.",
        "The thresholds in these rows were not the best ones, so these scores are lower bounds. "
        "Rankings that rest on them may change.",
        "That PA is generous and PAdf strict does not rest on these rows.",
        pd.concat(shown, ignore_index=True)[["table", "dataset", "model", "pointwise", "pa"]],
    )


def _two_precisions() -> Finding:
    late = _late_hit(1)
    tables = evaluate(*late, PointAdjustDecay(ExponentialDecay(_RATE), "tables")).f1
    equations = evaluate(*late, PointAdjustDecay(ExponentialDecay(_RATE), "equations")).f1
    agree = sum(
        agrees_with_print(evaluate(case.labels, case.detections, COLUMN_PROTOCOLS[column]).f1, text)
        for case, row in zip(TOY_CASES, published_table("table1").itertuples(), strict=True)
        for column, text in zip(
            ("pointwise", "pa", "pa_k20", "padf_0.7", "padf_0.9"), row[2:], strict=True
        )
    )
    return Finding(
        "two_precisions",
        "Equation of P_PAdf against Tables 1 and 4",
        "Two precisions under one name",
        "P = eTP / (T + FP) in the equations, Fig. 3b and Appendix C",
        f"Table 1 follows from P = eTP / (eTP + FP): {agree} of 25 values",
        f"One alarm a step late and nothing else: {tables:.3f} by the tables, {equations:.3f} by "
        "the equations.",
        "A PAdf score means nothing until one knows which precision it was made with.",
        "Both reward early alarms, and both give the order of the toy cases that the paper wants.",
    )


def _decay_above_pa() -> Finding:
    rows = pd.concat(
        [above_pa(table).assign(table=name) for table, name in BEST_THRESHOLD_TABLES.items()],
        ignore_index=True,
    )
    worst = rows.assign(gap=rows["padf_0.9"] - rows["pa"]).sort_values("gap").iloc[-1]
    return Finding(
        "decay_above_pa",
        str(worst["table"]),
        "PAdf above PA",
        f"{worst['dataset']}, {worst['model']}: PAdf {worst['padf_0.9']:.3f}, PA {worst['pa']:.3f}",
        f"{len(rows)} such {'row' if len(rows) == 1 else 'rows'} in all",
        "D is at most 1, so PAdf never grants more than PA at the same threshold.",
        "Another sign that thresholds were not the best ones.",
        "A single row; no claim of the paper hangs on it.",
        rows[["table", "dataset", "model", "pa", "padf_0.9"]],
    )


def _correlations() -> Finding:
    computed = correlations()
    names = {"pointwise": "point-wise", "pa": "PA", "pa_k20": "PA%K"}
    return Finding(
        "correlations",
        "Appendix, Fig. of correlations",
        "Correlations with PAdf",
        ", ".join(f"{PRINTED_CORRELATIONS[key]:.2f} ({name})" for key, name in names.items()),
        ", ".join(f"{computed[key]:.3f} ({name})" for key, name in names.items()),
        "Pearson's coefficient over the 60 printed rows of Tables 7 and 8.",
        f"PA%K's is printed as {PRINTED_CORRELATIONS['pa_k20']:.2f} and comes out as "
        f"{computed['pa_k20']:.2f}; the others are cut off, not rounded.",
        "The order of the three stays: PA%K is closest to PAdf, PA furthest from it.",
    )


def _pa_above_half() -> Finding:
    rows = published_table("table7_8")
    low = rows[rows["pa"] < 0.5]
    return Finding(
        "pa_above_half",
        "Appendix, text on the correlations",
        "PA scores below one half",
        "PA scores lie in regions higher than 0.5",
        f"{len(low)} of {len(rows)} rows have PA below 0.5",
        "Counted in Tables 7 and 8.",
        "Not all PA scores are high.",
        "Most are: the point that PA crowds at the top stands.",
        low[["dataset", "model", "pa", "padf_0.9"]],
    )


def _intro_scores() -> Finding:
    third = TOY_CASES[2]
    clean = Case(third.key, third.title, third.about, third.labels, third.detections & third.labels)
    pa_k, pa = PointAdjustK(20), PointAdjust()
    return Finding(
        "intro_scores",
        "Introduction against Table 1",
        "The introduction leaves the false alarm out",
        "Fig. 1d: PA%K 0.25 and PA 1.0",
        f"with the false alarm {evaluate(third.labels, third.detections, pa_k).f1:.3f} and "
        f"{evaluate(third.labels, third.detections, pa).f1:.3f}, as in Table 1; without it "
        f"{evaluate(clean.labels, clean.detections, pa_k).f1:.3f} and "
        f"{evaluate(clean.labels, clean.detections, pa).f1:.3f}",
        "One hit in a segment of seven points, and one false alarm.",
        "The numbers of the introduction are those of another pattern.",
        "The comparison between the protocols is the same.",
    )


def _which_k() -> Finding:
    labels = np.array([0, 1, 1, 1, 1, 1, 0])
    alarms = np.array([0, 1, 0, 0, 0, 0, 0])
    more = evaluate(labels, alarms, PointAdjustK(20)).f1
    at_least = evaluate(labels, alarms, PointAdjustK(20, inclusive=True)).f1
    return Finding(
        "which_k",
        "Sec. 2.2 against the introduction",
        '"Exceeds K" or "K % or more"',
        'Sec. 2.2: "exceeds K"; introduction: "K % or more"',
        f"one hit in five points with K = 20: {more:.3f} and {at_least:.3f}",
        "The two differ where the share is exactly K.",
        "Scores of tools that chose differently cannot be compared.",
        "The paper that proposed PA%K says strictly more, which is what is used here.",
    )


def _decay_direction() -> Finding:
    return Finding(
        "decay_direction",
        "Equation of the decay function",
        "The exponent has the wrong sign",
        "D(t) = d^(t_s - t)",
        f"at one step that is {_RATE**-1:.3f}, more than at once; d^(t - t_s) gives {_RATE:.3f}",
        "D must decrease, as the paper itself demands.",
        "A misprint.",
        "All numbers of the paper use the right sign.",
    )


def _geometric_sum() -> Finding:
    theta = 0.9
    terms = [(1 - theta) * (theta * _RATE) ** n for n in range(_LENGTH)]
    closed = (1 - theta) * (1 - (theta * _RATE) ** _LENGTH) / (1 - theta * _RATE)
    protocol = PointAdjustDecay(ExponentialDecay(_RATE))
    ours = protocol.expected_random(np.array([theta]), _LENGTH).earned / _LENGTH
    return Finding(
        "geometric_sum",
        "Recall of a random score under PAdf",
        "A running index where the length belongs",
        "(1 - θ)(1 - θ^i d^i) / (1 - θ d)",
        f"with N in place of i: {closed:.6f}; the {_LENGTH} terms summed: {sum(terms):.6f}; "
        f"here: {ours[0]:.6f}",
        f"θ = {theta}, d = {_RATE}, N = {_LENGTH}.",
        "A misprint.",
        "Fig. 3 is drawn with N.",
    )


def _last_point() -> Finding:
    result = evaluate(
        *_late_hit(_LENGTH - 1), PointAdjustDecay(ExponentialDecay(_RATE), "equations")
    )
    return Finding(
        "last_point",
        "Appendix C, an alarm at the last point only",
        "One step too many",
        f"F1 = d^N, that is {_RATE**_LENGTH:.4f} for N = {_LENGTH}",
        f"d^(N - 1) = {result.f1:.4f}",
        "With N points in the segment, the last one is N - 1 steps after the first.",
        "The printed value is too low by a factor of d; it takes N for t_e - t_s, against its own "
        "definition.",
        "That the latest alarm earns the least.",
    )


def _false_alarms() -> Finding:
    labels, alarms = _late_hit(2)
    alarms[-2:] = True
    equations = evaluate(labels, alarms, PointAdjustDecay(ExponentialDecay(_RATE), "equations")).f1
    tables = evaluate(labels, alarms, PointAdjustDecay(ExponentialDecay(_RATE), "tables")).f1
    printed = 2 * _LENGTH / (2 * _LENGTH + 2) * _RATE**2
    return Finding(
        "false_alarms",
        "Appendix C, two false alarms",
        "Follows from the equations, not from the tables",
        f"F1 = 2N / (2N + M) D(2), that is {printed:.4f} for N = {_LENGTH}, M = 2",
        f"{equations:.4f} by the equations, {tables:.4f} by the tables",
        "The same two precisions as above.",
        "Whoever checks an implementation against Appendix C and Table 1 finds that one must fail.",
        "Both say that false alarms lower the score.",
    )


def _cut_off() -> Finding:
    case = TOY_CASES[0]
    value = evaluate(case.labels, case.detections, PointAdjust()).f1
    text = str(published_table("table1")["pa"].iloc[0])
    return Finding(
        "cut_off",
        "Table 1, case 1, PA",
        "Cut off, not rounded",
        text,
        f"14/19 = {value:.4f}",
        "Rounded to three digits it would be 0.737.",
        "Nothing.",
        "All other values of Tables 1 and 4 are rounded.",
    )


def _late_hit(delay: int) -> tuple[np.ndarray, np.ndarray]:
    """Return a segment of seven points with one alarm at this delay, and some time around it."""
    labels = np.zeros(16, dtype=np.bool_)
    labels[4 : 4 + _LENGTH] = True
    alarms = np.zeros(16, dtype=np.bool_)
    alarms[4 + delay] = True
    return labels, alarms
