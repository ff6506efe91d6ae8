"""Pairs of detectors, and disagreement between protocols, series by series."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from padf_core.corpus.picture import p_text
from padf_core.corpus.ranking import WILCOXON_NULL
from padf_ui.components import widgets
from padf_ui.components.tables import chart_with_table
from padf_ui.components.terms import tell
from padf_ui.corpus import corpus_charts
from padf_ui.corpus.corpus_page import best_first, summary_of
from padf_ui.corpus.series_page import at_hand
from padf_ui.server.cache import SMALL
from padf_ui.session.corpus import OpenCorpus, take_dot
from padf_ui.session.screen_names import shown


def show_duel(now: OpenCorpus, protocol: str) -> None:
    """Compare two detectors, one dot per series."""
    result = now.result
    order = best_first(summary_of(result), protocol, is_pooled=True)
    if len(order) < 2:
        tell("A comparison needs two detectors. This corpus has one.")
        return
    left, right = st.columns(2)
    with left:
        first = st.selectbox("Detector", order, format_func=shown, key="corpus_first")
    with right:
        others = [name for name in order if name != first]
        second = st.selectbox("against", others, format_func=shown, key="corpus_second")
    by_series = result.by_series(protocol)
    own = {name: f1 for name, f1 in by_series.items() if first in f1 and second in f1}
    wins, losses = (
        sum(f1[a] > f1[b] for f1 in own.values()) for a, b in ((first, second), (second, first))
    )
    ranking = SMALL.recall(("ranking", result.key, protocol), lambda: result.ranking(protocol))
    pair = next(
        (each for each in ranking.pairs if {each.first, each.second} == {first, second}), None
    )
    surely = (
        ""
        if pair is None or not ranking.is_tested
        else (
            f" Wilcoxon signed-rank test with Holm's correction: {p_text(pair.holm)} (null "
            f"hypothesis: {WILCOXON_NULL})."
        )
    )
    tell(
        f"{result.label(protocol)}: {shown(first)} is better on {wins} series, {shown(second)} on "
        f"{losses}, of {len(own)}.{surely} {at_hand(now)}"
    )
    table = pd.DataFrame(
        {
            "series": list(map(shown, own)),
            shown(first): [f1[first] for f1 in own.values()],
            shown(second): [f1[second] for f1 in own.values()],
        }
    )
    key = f"corpus_duel_{protocol}"
    chart_with_table(
        corpus_charts.duel(by_series, first, second, widgets.mode()),
        table,
        key,
        on_select=partial(take_dot, key, now, protocol),
    )


def show_disagreement(now: OpenCorpus, protocol: str) -> None:
    """Show the series on which two protocols rank the detectors most differently."""
    result = now.result
    others = [each for each in result.protocols if each != protocol]
    if not others or len(result.detectors) < 2:
        tell("This needs at least two protocols and two detectors.")
        return
    other = st.selectbox(
        f"{result.label(protocol)} against",
        others,
        index=others.index("pa") if "pa" in others else 0,
        format_func=result.label,
        key=f"corpus_other_{protocol}",
    )
    found = SMALL.recall(
        ("disagreements", result.key, protocol, other),
        lambda: result.disagreements(protocol, other),
    )
    if not found:
        tell("No series has an anomaly and scores from every detector.")
        return
    worst = found[0]
    tell(
        f"The largest disagreement is on {shown(worst.series)}: detectors move {worst.moved:.1f} "
        f"places on average; {shown(worst.detector)} is {worst.first_rank:g} under "
        f"{result.label(protocol)} and {worst.second_rank:g} under {result.label(other)}. "
        f"{at_hand(now, 'A bar')}"
    )
    table = pd.DataFrame(
        {
            "series": [shown(each.series) for each in found],
            "places moved": [each.moved for each in found],
            "largest move": [shown(each.detector) for each in found],
            f"rank, {result.label(protocol)}": [each.first_rank for each in found],
            f"rank, {result.label(other)}": [each.second_rank for each in found],
        }
    )
    key = f"corpus_moved_{protocol}_{other}"
    chart_with_table(
        corpus_charts.disagreement_bars(found, widgets.mode()),
        table,
        key,
        on_select=partial(take_dot, key, now, protocol),
    )
