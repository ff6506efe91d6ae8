"""Tables and sentences on the uncertainty of a comparison and on held-out thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from padf_core import Settings
from padf_core.analysis.blocks import SHARES
from padf_core.analysis.held_out import HeldOut
from padf_core.analysis.jackknife import ASSUMPTION
from padf_core.analysis.paired_test import SWAP_NULL
from padf_core.analysis.uncertainty import FEWEST, Uncertainty
from padf_core.io.notation import percent
from padf_core.metrics.protocols import Protocol
from padf_ui.components.names import cell
from padf_ui.components.words import listed
from padf_ui.session.study import Study
from padf_ui.study.comparison import Comparison
from padf_ui.study.comparison_tables import first_place

HELD_OUT = "Held out"


PROMISE = (
    "In simulations with 20 segments, 95 % intervals of F1 contained the truth in 94 % of cases "
    "and more, and in 89 % where neighbours were very alike. Equal detectors differed "
    "significantly in 8 % or less."
)


def interval_table(compared: Comparison, sure: Sequence[Uncertainty], level: float) -> pd.DataFrame:
    """Return the confidence interval of every detector's F1 under every protocol."""
    table = []
    for index, made in enumerate(sure):
        for row, name in enumerate(compared.names):
            low, high = made.interval(row, level)
            new = {HELD_OUT: made.f1(row)} if made.is_chosen else {}
            table.append(
                {
                    "Protocol": made.protocol.label,
                    "Detector": cell(name),
                    "F1": compared.points[row][index].f1,
                    **new,
                    "from": low,
                    "to": high,
                }
            )
    return pd.DataFrame(table)


def hindsight(study: Study, settings: Settings) -> str | None:
    """Warn that thresholds were tuned on the same labels. Return None if all were set by hand."""
    leading = [
        each for each in study.chosen_by(settings, at_best=False) if isinstance(each, Protocol)
    ]
    if not leading:
        return None
    under = listed(list(dict.fromkeys(each.label for each in leading)))
    return (
        f"These thresholds were tuned on the same labels, for {under}. The intervals and p-values "
        "of differences ignore that and are too favourable. To correct for it, compare at each "
        "protocol's best threshold."
    )


def too_few(count: int) -> str:
    """Say that there are too few segments for a confidence interval."""
    return (
        f"Too few segments ({count}) for a confidence interval; at least {FEWEST} are needed. With "
        "fewer it would cover most of 0 to 1."
    )


def how_sure(made: Uncertainty, level: float) -> str:
    """Describe the confidence intervals: what they cover, their assumptions and their accuracy."""
    share = percent(level)
    of = (
        "of the F1 that a threshold chosen like this reaches on other data of the same kind. For "
        f"the marks ({HELD_OUT.lower()}) each block is counted at the threshold that is best on "
        "the others (of some from all over, where a series has very many). The best F1 itself "
        "was chosen with hindsight and may lie above its interval"
        if made.is_chosen
        else "of the F1 on other data of the same kind, at these thresholds"
    )
    many = (
        f" Intervals of differences hold for all {made.pairs} pairs at once (Bonferroni)."
        if made.pairs > 1
        else ""
    )
    return (
        f"{share} confidence intervals {of}. The series is cut between segments into "
        f"{made.blocks:,} blocks, which weigh as much as {made.equal_blocks:.1f} of equal length. "
        "The intervals come from leaving out one block after the other (jackknife, Student's t on "
        f"the logit of F1). Assumption: {ASSUMPTION}. Two detectors differ significantly when the "
        f"interval of their difference leaves out 0.{many} {PROMISE}"
    )


def significance_sentences(
    compared: Comparison, sure: Sequence[Uncertainty], level: float
) -> list[str]:
    """Name, for each protocol, the pairs of detectors without a significant difference."""
    if len(compared.names) < 2:
        return ["There is only one detector: nothing to compare."]
    said = []
    every = list(combinations(range(len(compared.names)), 2))
    at = percent(1 - level)
    for made in sure:
        pairs = [
            f"{compared.names[a]} and {compared.names[b]}"
            for a, b in every
            if not made.told_apart(a, b, level, len(every))
        ]
        if not pairs:
            verdict = f"all detectors differ significantly at {at}"
        elif len(pairs) == len(every) > 1:
            verdict = f"no significant difference at {at} between any two detectors"
        else:
            verdict = f"no significant difference at {at} between {'; '.join(pairs)}"
        said.append(f"Under {made.protocol.label}, {verdict}.")
    return said


def difference_table(
    compared: Comparison, sure: Sequence[Uncertainty], level: float
) -> pd.DataFrame:
    """Return the difference of every two detectors, with its interval and the paired test."""
    table = []
    for made in sure:
        for a, b in combinations(range(len(compared.names)), 2):
            low, high = made.difference(a, b, level, made.pairs)
            paired = made.paired(a, b)
            table.append(
                {
                    "Protocol": made.protocol.label,
                    "First": cell(compared.names[a]),
                    "Second": cell(compared.names[b]),
                    "Difference from": low,
                    "to": high,
                    f"Significant at {percent(1 - level)}": "yes" if low > 0 or high < 0 else "no",
                    "p of the swaps": paired.p.cell,
                    "Incidents that differ": paired.differing,
                    "Detectable from": np.nan if paired.detectable is None else paired.detectable,
                }
            )
    return pd.DataFrame(table)


def paired_text(made: Uncertainty) -> str:
    """Explain the assumptions of the two tests of a difference, and why they can disagree."""
    chosen = (
        f" Every swap chooses the best of {SHARES} thresholds again. These flag the same shares of "
        "normal points for both detectors."
        if made.is_chosen
        else ""
    )
    many = f" It holds for all {made.pairs} pairs together." if made.pairs > 1 else ""
    return (
        "There are two tests of a difference. The interval is about other data of the same kind: "
        f"use it for claims.{many} p is about these incidents and one pair. Its null hypothesis: "
        f"{SWAP_NULL}. The detectors are swapped incident by incident. p is the share of swaps "
        f"with at least this difference in F1.{chosen} It assumes independent incidents. "
        "Detectable from: the smallest difference that any swap of these incidents makes "
        "significant at 5 %. It is empty if there is none, as with fewer than six incidents."
    )


def held_out_table(names: Sequence[str], made: Sequence[Sequence[HeldOut]]) -> pd.DataFrame:
    """Return the scores at oracle and held-out thresholds, for each detector and protocol."""
    return pd.DataFrame(
        [
            {
                "Detector": cell(name),
                "Protocol": each.protocol.label,
                "Oracle": each.oracle,
                "Without hindsight": each.f1,
                "Optimism": each.optimism,
            }
            for name, row in zip(names, made, strict=True)
            for each in row
        ]
    )


def held_out_text(names: Sequence[str], made: Sequence[Sequence[HeldOut]]) -> list[str]:
    """Name the winner of each protocol at oracle and at held-out thresholds."""
    said = []
    for column in zip(*made, strict=True):
        oracle = first_place(list(names), [each.oracle for each in column])
        honest = first_place(list(names), [each.f1 for each in column])
        label = column[0].protocol.label
        said.append(
            f"Under {label}, {oracle} either way."
            if oracle == honest
            else f"Under {label}, {oracle} by the oracle; without hindsight {honest}."
        )
    return said


def deciding_table(study: Study, shares: np.ndarray) -> pd.DataFrame:
    """Return the share of each segment in a gap, largest first."""
    series = study.series
    order = np.argsort(-np.abs(shares), kind="stable")
    clock = series.clock
    starts = series.segments.starts[order]
    return pd.DataFrame(
        {
            "Segment": order + 1,
            "Share of the gap": shares[order],
            "Start": [clock.name(int(at)) for at in starts] if clock else starts,
            "Points": series.segments.lengths[order],
        }
    )
