"""Find inconsistencies in the paper; each finding is computed from its tables and formulas."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from padf_core.metrics.decays import ExponentialDecay
from padf_core.metrics.evaluation import evaluate
from padf_core.metrics.expectation import random_score_best
from padf_core.metrics.protocols import PointAdjust, PointAdjustDecay, PointAdjustK
from padf_core.paper.cases import ROBUSTNESS_CASES, TOY_CASES, Case
from padf_core.paper.published import COLUMN_PROTOCOLS, agrees_with_print, published_table

SCORE_TABLES: dict[str, str] = {
    "table2": "Table 2",
    "table6": "Table 6",
    "table7_8": "Tables 7 and 8",
}
"""The tables of detectors' scores.

For Table 2, Appendix B says that thresholds are the best ones. For the other tables nothing is
stated.
"""

ANOMALOUS_PERCENT: dict[str, str] = {"MSL": "10.5", "SMAP": "10.5", "SWaT": "12.1"}
"""Share of anomalous points in each test set, as printed in the section on data sets."""

PRINTED_CORRELATIONS: dict[str, float] = {"pointwise": 0.77, "pa": 0.67, "pa_k20": 0.83}
"""The paper's correlations between each protocol and PAdf 0.9 over Tables 7 and 8."""

RANDOM = "Random score"
"""The name of the random score in the published tables."""

_RATE, _LENGTH = 0.9, 7


@dataclass(frozen=True, eq=False)
class Finding:
    """One inconsistency: the printed value, the computed value, and the consequences."""

    key: str
    where: str
    title: str
    printed: str
    computed: str
    rule: str
    changes: str
    """What changes in the paper's conclusions."""
    keeps: str
    """What still holds."""
    rows: pd.DataFrame = field(default_factory=pd.DataFrame)


def below_pointwise(table: str) -> pd.DataFrame:
    """Return the rows of a table in which PA is below point-wise.

    >>> [len(below_pointwise(table)) for table in SCORE_TABLES]
    [2, 12, 1]
    """
    rows = published_table(table)
    return rows[rows["pa"] < rows["pointwise"]]


def above_pa(table: str) -> pd.DataFrame:
    """Return the rows of a table in which a PAdf score is above PA."""
    rows = published_table(table)
    decays = [column for column in rows.columns if column.startswith("padf_")]
    return rows[(rows[decays].gt(rows["pa"], axis=0)).any(axis=1)]


def flagging_everything(share: float) -> float:
    """Return F1 if every point is flagged, which is the same under every protocol.

    Every segment is fully detected without delay, so recall is 1. Precision is the share of
    anomalous points.

    >>> round(flagging_everything(0.105), 3)
    0.19
    """
    return 2 * share / (1 + share)


def share_of(everything: float) -> float:
    """Return the share of anomalous points for which flagging everything has this F1.

    >>> round(share_of(0.227), 3)
    0.128
    """
    return everything / (2 - everything)


def random_pointwise(dataset: str) -> float:
    """Return the point-wise F1 of the random score in Table 2.

    A random score does best by flagging everything, so this is the F1 of flagging everything.
    """
    rows = published_table("table2")
    found = rows[(rows["dataset"] == dataset) & (rows["model"] == RANDOM)]
    return float(found["pointwise"].iloc[0])


def below_everything() -> pd.DataFrame:
    """Return the scores of Table 2 below flagging everything, for any rounding.

    The bound uses the smallest share that rounds to the printed one, or the random score's row if
    that bound is higher. The printed score may have been truncated.

    >>> len(below_everything())
    4
    """
    made = []
    for row in published_table("table2").to_dict("records"):
        percent = ANOMALOUS_PERCENT[row["dataset"]]
        own = random_pointwise(row["dataset"])
        by_share = flagging_everything((float(percent) - _half_unit(percent)) / 100)
        least = max(by_share, own - 0.001)
        made += [
            {
                "dataset": row["dataset"],
                "model": row["model"],
                "protocol": protocol.label,
                "printed": row[column],
                "everything flagged, from the printed share": flagging_everything(
                    float(percent) / 100
                ),
                "everything flagged, from the random score": own,
                "at least, whatever the rounding": least,
            }
            for column, protocol in COLUMN_PROTOCOLS.items()
            if column in row and row[column] + 0.001 < least
        ]
    return pd.DataFrame(made)


def below_pointwise_k(table: str) -> pd.DataFrame:
    """Return the rows of a table in which PA%K is below point-wise but PA is not.

    >>> [len(below_pointwise_k(table)) for table in ("table2", "table7_8")]
    [1, 2]
    """
    rows = published_table(table)
    return rows[(rows["pa_k20"] < rows["pointwise"]) & (rows["pa"] >= rows["pointwise"])]


def cut_off() -> pd.DataFrame:
    """Return the values of Tables 1 and 4 that differ from the rounded result.

    >>> cut_off()["protocol"].tolist()
    ['PA', 'PA%K (K = 20)']
    """
    made = []
    for table, name, cases in (
        ("table1", "Table 1", TOY_CASES),
        ("table4", "Table 4", ROBUSTNESS_CASES),
    ):
        printed = published_table(table).set_index("case")
        for case in cases:
            for column in printed.columns:
                text = str(printed.loc[case.key, column])
                result = evaluate(case.labels, case.detections, COLUMN_PROTOCOLS[column])
                if abs(result.f1 - float(text)) > _half_unit(text) + 1e-12:
                    made.append(
                        {
                            "table": name,
                            "case": case.title,
                            "protocol": result.protocol.label,
                            "computed": result.f1,
                            "printed": text,
                        }
                    )
    return pd.DataFrame(made)


def _half_unit(text: str) -> float:
    """Return half a unit of the last printed digit."""
    return float(10.0 ** -len(text.partition(".")[2])) / 2


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
    """Recompute Table 3, PAdf 0.7 as a percentage of PAdf 0.9, from Table 2, next to the print."""
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
    """Return every finding, the most important first."""
    return [
        _below_everything(),
        _best_thresholds(),
        _two_precisions(),
        _smap_share(),
        _k_below_pointwise(),
        _decay_above_pa(),
        _swat_random(),
        _swat_ratio(),
        _ratio_inverted(),
        _correlations(),
        _pa_above_half(),
        _intro_scores(),
        _which_k(),
        _decay_direction(),
        _geometric_sum(),
        _one_factor_more(),
        _last_point(),
        _false_alarms(),
        _alarms_that_are_none(),
        _cut_off(),
    ]


def _below_everything() -> Finding:
    rows = below_everything()
    shares = ", ".join(f"{percent} % ({name})" for name, percent in ANOMALOUS_PERCENT.items())
    bounds = ", ".join(f"{random_pointwise(name):.3f} ({name})" for name in ANOMALOUS_PERCENT)
    return Finding(
        "below_everything",
        "Table 2 against the section on data sets",
        "Best scores below those of flagging everything",
        'Appendix B on Table 2: thresholds are "the value giving the best score"; anomalous points '
        f"are {shares}",
        f"flagging everything has F1 {bounds}, as the random score shows point-wise; {len(rows)} "
        "printed scores are lower",
        "At the lowest threshold every point is flagged. Every segment is then found in full "
        "with no delay: recall is 1, and precision is the share r of anomalous points. F1 is "
        "2r/(1 + r) under every protocol and with both precisions, so the best threshold cannot "
        "do worse.",
        "These scores are not at the best threshold, so conclusions from them are open. Among "
        f"them are these ratios in Table 3: {_ratios_resting_on(rows)}.",
        "The other scores in Table 2 pass this check. The rows listed fail it whichever way "
        "scores and shares were rounded. PA%K of AnomalyTrans on MSL, 0.190, may be exactly on "
        "the limit. Tables 6, 7 and 8 do not give shares.",
        rows,
    )


def _ratios_resting_on(rows: pd.DataFrame) -> str:
    """List the printed ratios of Table 3 that are computed from one of these scores."""
    printed = published_table("table3").set_index("model")
    pairs = dict.fromkeys(zip(rows["dataset"], rows["model"], strict=True))
    return ", ".join(
        f"{float(printed.loc[model, dataset]):g} % ({dataset}, {model})" for dataset, model in pairs
    )


def _best_thresholds() -> Finding:
    parts, shown = [], []
    for table, name in SCORE_TABLES.items():
        rows = below_pointwise(table)
        parts.append(f"{len(rows)} of {len(published_table(table))} rows of {name}")
        shown.append(rows[["dataset", "model", "pointwise", "pa"]].assign(table=name))
    return Finding(
        "best_thresholds",
        "Tables 2, 6, 7 and 8",
        "PA below point-wise",
        'Appendix B on Table 2: thresholds are "the value giving the best score"; Tables 6, 7 and '
        "8 do not say how theirs were found",
        f"PA is below point-wise in {', '.join(parts)}",
        "At any threshold PA grants at least the credit of point-wise and has the same false "
        "alarms, so its F1 is at least as high there. Its best F1 cannot be lower.",
        "In these rows PA is not at its best threshold, nor at that of point-wise, so its scores "
        "are lower bounds. Rankings based on them may change. In Table 2 this contradicts "
        "Appendix B; the other tables make no such promise.",
        "That PA is generous and PAdf is strict does not depend on these rows.",
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
        "P = eTP / (T + FP) in the equations and in Appendix C",
        f"Table 1 follows from P = eTP / (eTP + FP): {agree} of 25 values",
        f"One alarm a step late and nothing else: {tables:.3f} by the tables, {equations:.3f} by "
        "the equations.",
        "A PAdf score is only meaningful together with its precision convention.",
        "Both reward early alarms, and both rank the toy cases as the paper wants.",
    )


def _smap_share() -> Finding:
    own = random_pointwise("SMAP")
    printed = float(ANOMALOUS_PERCENT["SMAP"])
    return Finding(
        "smap_share",
        "Section on data sets against Table 2",
        "The share of anomalous points in SMAP",
        f"{printed:g} % of SMAP's test data are anomalous, the same as of MSL's",
        f"the random score has {own:.3f} point-wise, which takes {100 * share_of(own):.1f} %; "
        f"with {printed:g} % it would be {flagging_everything(printed / 100):.3f}",
        "Point-wise, a random score does best by flagging everything: F1 is 2r/(1 + r). GDN and "
        "AnomalyTrans have the same score there.",
        f"On SMAP, flagging everything scores {own:.3f}, not "
        f"{flagging_everything(printed / 100):.3f}.",
        "MSL and SWaT agree with their shares: "
        + " and ".join(
            f"{random_pointwise(name):.3f} takes {100 * share_of(random_pointwise(name)):.1f} % "
            f"({name}, printed {ANOMALOUS_PERCENT[name]} %)"
            for name in ("MSL", "SWaT")
        )
        + ".",
    )


def _k_below_pointwise() -> Finding:
    rows = pd.concat(
        [
            below_pointwise_k(table).assign(table=name)
            for table, name in SCORE_TABLES.items()
            if "pa_k20" in published_table(table)
        ],
        ignore_index=True,
    )
    scores = ", ".join(
        f"{row.pa_k20:.3f} < {row.pointwise:.3f} ({row.dataset}, {row.model})"
        for row in rows.itertuples()
    )
    return Finding(
        "k_below_pointwise",
        "Tables 2, 7 and 8",
        "PA%K below point-wise",
        "PA%K adjusts a segment or leaves it unchanged",
        f"{scores}; PA is above point-wise in these rows",
        "At any threshold PA%K grants at least the credit of point-wise and has the same false "
        "alarms. Its best F1 cannot be lower.",
        "PA%K is not at its best threshold in these rows. In the row of Table 2 the difference "
        "is one unit in the last digit, which may be rounding.",
        "The other rows.",
        rows[["table", "dataset", "model", "pointwise", "pa", "pa_k20"]],
    )


def _swat_random() -> Finding:
    rows = published_table("table2")
    row = rows[(rows["dataset"] == "SWaT") & (rows["model"] == RANDOM)].iloc[0]
    share = float(ANOMALOUS_PERCENT["SWaT"]) / 100
    both = [PointAdjust(), PointAdjustK(20)]
    made = []
    for length in (1, 2, 3, 4, 5, 6, 7, 10, 20, 50, 100, 500):
        pa, pa_k = random_score_best(length, share, both)
        made.append({"N": length, "PA": pa.f1, "PA%K (K = 20)": pa_k.f1})
    highest = max(row["PA"] for row in made if row["N"] < 5)
    return Finding(
        "swat_random",
        "Table 2, SWaT, random score",
        "PA and PA%K of a random score are equal",
        f"PA {row['pa']:.3f} and PA%K {row['pa_k20']:.3f}",
        "up to N = 4 one hit is above 20 %, so both are equal, and at most "
        f"{highest:.3f}; from N = 5 on PA is higher",
        f"The best F1 of a random score on segments of one length N, with {100 * share:g} % "
        "anomalous points.",
        f"No single length of segments gives {row['pa']:.3f} under both.",
        "Segments of many lengths may.",
        pd.DataFrame(made),
    )


def _swat_ratio() -> Finding:
    rows = published_table("table2")
    row = rows[(rows["dataset"] == "SWaT") & (rows["model"] == "GDN")].iloc[0]
    own = random_pointwise("SWaT")
    return Finding(
        "swat_ratio",
        "Table 3, GDN on SWaT",
        "A ratio of 100 % from flagging everything",
        "100 %, meant to show how soon anomalies are found",
        f"PAdf 0.7 and PAdf 0.9 are both {row['padf_0.7']:.3f}, and flagging everything has "
        f"{own:.3f}",
        "If everything is flagged, every segment is found with no delay, and PAdf is the same "
        "for every d.",
        "This ratio says nothing about how soon GDN finds anomalies.",
        "The other 100 %, of USAD, comes from scores above that.",
    )


def _ratio_inverted() -> Finding:
    table = ratio_table()
    row = table[(table["model"] == "AnomalyTrans") & (table["dataset"] == "MSL")].iloc[0]
    return Finding(
        "ratio_inverted",
        "Section on benchmarks against Table 3",
        "The text inverts the ratio",
        '"the ratio of PAdf 0.9 to PAdf 0.7 is 45.9 %" (AnomalyTrans on MSL)',
        f"{row['PAdf 0.7']:.3f} / {row['PAdf 0.9']:.3f} = {row['computed, %']:.1f} %: PAdf 0.7 to "
        "PAdf 0.9",
        "PAdf 0.9 is never below PAdf 0.7, so its ratio to that is never below 100 %.",
        "A slip in the wording.",
        "Table 3 and Appendix B, which state it correctly.",
    )


def _decay_above_pa() -> Finding:
    rows = pd.concat(
        [above_pa(table).assign(table=name) for table, name in SCORE_TABLES.items()],
        ignore_index=True,
    )
    worst = rows.assign(gap=rows["padf_0.9"] - rows["pa"]).sort_values("gap").iloc[-1]
    return Finding(
        "decay_above_pa",
        str(worst["table"]),
        "PAdf above PA",
        f"{worst['dataset']}, {worst['model']}: PAdf {worst['padf_0.9']:.3f}, PA {worst['pa']:.3f}",
        f"{len(rows)} such {'row' if len(rows) == 1 else 'rows'} in all",
        "D is at most 1, so PAdf never grants more than PA at the same threshold, and its best "
        "cannot be higher.",
        "PA is not at its best threshold here. The text does not promise that for this table.",
        "A single row. No claim of the paper depends on it.",
        rows[["table", "dataset", "model", "pa", "padf_0.9"]],
    )


def _correlations() -> Finding:
    computed = correlations()
    names = {"pointwise": "point-wise", "pa": "PA", "pa_k20": "PA%K"}
    return Finding(
        "correlations",
        "Appendix, text on the correlations, against Tables 7 and 8",
        "Correlations with PAdf",
        ", ".join(f"{PRINTED_CORRELATIONS[key]:.2f} ({name})" for key, name in names.items()),
        ", ".join(f"{computed[key]:.3f} ({name})" for key, name in names.items()),
        "Pearson's coefficient over the 60 printed rows of Tables 7 and 8.",
        f"PA%K's is printed as {PRINTED_CORRELATIONS['pa_k20']:.2f} and comes out as "
        f"{computed['pa_k20']:.2f}; rounded, the others would be {computed['pointwise']:.2f} and "
        f"{computed['pa']:.2f}.",
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
        "Most are high: the point that PA scores crowd at the top still holds.",
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
        "The numbers of the introduction are those of the pattern without its false alarm.",
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
        "Scores from tools with different conventions cannot be compared.",
        "The paper that proposed PA%K says strictly more, which is used here.",
    )


def _decay_direction() -> Finding:
    return Finding(
        "decay_direction",
        "Equation of the decay function",
        "The exponent has the wrong sign",
        "D(t) = d^(t_s - t)",
        f"at one step that is {_RATE**-1:.3f}, more than with no delay; d^(t - t_s) gives "
        f"{_RATE:.3f}",
        "D must decrease, as the paper itself requires.",
        "A misprint.",
        "Tables 1 and 4 follow from d^(t - t_s).",
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
        "The sum that is printed before it has N terms, as it should.",
    )


def _one_factor_more() -> Finding:
    theta = 0.9
    return Finding(
        "one_factor_more",
        "Probability that a segment is not found, and precision",
        "A product of N + 1 factors over N points",
        "the product of p(t_i) from i = 0 to N, with N points in the segment",
        f"for p = {theta} and N = {_LENGTH} that is {theta ** (_LENGTH + 1):.4f}; the "
        f"{_LENGTH} points give {theta**_LENGTH:.4f}",
        "A segment of N points runs from i = 0 to N - 1.",
        "A misprint, in the equation of P_PAdf and in Appendix C too.",
        "The recall of PA that is derived from it has N factors.",
    )


def _last_point() -> Finding:
    result = evaluate(
        *_late_hit(_LENGTH - 1), PointAdjustDecay(ExponentialDecay(_RATE), "equations")
    )
    return Finding(
        "last_point",
        "Appendix C, an alarm at the last point only",
        "N means two things",
        "F1 = d^N with N = t_e - t_s; in the lines above it, t_(s+N-1) = t_e",
        f"a segment of {_LENGTH} points: {result.f1:.4f}, which is d^{_LENGTH - 1}",
        f"The last of {_LENGTH} points is {_LENGTH - 1} steps after the first. As t_e - t_s, N is "
        f"{_LENGTH - 1} and d^N holds; as the number of points, which the definition of the "
        f"segment and the sums take it for, N is {_LENGTH} and d^(N - 1) holds.",
        f"With the number of points as N, d^N is {_RATE**_LENGTH:.4f}, too low by a factor of d.",
        "The formula itself, with N as defined next to it; and that the latest alarm earns the "
        "least.",
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
        "No implementation can match both Appendix C and Table 1.",
        "Both say that false alarms lower the score.",
    )


def _alarms_that_are_none() -> Finding:
    labels, alarms = _late_hit(2)
    protocol = PointAdjustDecay(ExponentialDecay(_RATE), "equations")
    without = evaluate(labels, alarms, protocol).precision
    alarms[-2:] = True
    with_them = evaluate(labels, alarms, protocol).precision
    return Finding(
        "alarms_that_are_none",
        "Appendix C, title of the last case",
        "False alarms with p = 1",
        "p = 1 at the two false alarms",
        f"p is the probability of no alarm, so p = 1 is none there: precision {without:.4f} "
        f"instead of {with_them:.4f}",
        "The text below and its result, N / (2 + N) D(2), have two false alarms: p = 0.",
        "A misprint.",
        "The result.",
    )


def _cut_off() -> Finding:
    rows = cut_off()
    protocols = " and ".join(rows["protocol"])
    return Finding(
        "cut_off",
        f"Table 1, case 1, {protocols}",
        "Truncated, not rounded",
        " and ".join(rows["printed"]),
        f"14/19 = {rows['computed'].iloc[0]:.4f}, in both places",
        f"Rounded to three digits it would be {rows['computed'].iloc[0]:.3f}.",
        "Nothing.",
        "Every other value of Tables 1 and 4 is what rounding gives.",
        rows,
    )


def _late_hit(delay: int) -> tuple[np.ndarray, np.ndarray]:
    """Return a segment of seven points with one alarm at this delay, between normal points."""
    labels = np.zeros(16, dtype=np.bool_)
    labels[4 : 4 + _LENGTH] = True
    alarms = np.zeros(16, dtype=np.bool_)
    alarms[4 + delay] = True
    return labels, alarms
