"""Detectors section of the Corpus page."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from padf_core.corpus.results import CorpusResult, Summary
from padf_ui.components import widgets
from padf_ui.components.figures import rank_bump
from padf_ui.components.names import plain
from padf_ui.components.tables import chart_with_table
from padf_ui.components.terms import tell
from padf_ui.components.words import listed
from padf_ui.corpus import corpus_charts
from padf_ui.corpus.corpus_page import best_first, protocol_labels, summary_of
from padf_ui.session.screen_names import shown


def show_detectors(result: CorpusResult, protocol: str) -> None:
    """Show F1 with a confidence interval for every detector and protocol, and the ranks."""
    which = st.radio(
        "Over all series",
        ["added counts (pooled)", "mean F1 over series"],
        horizontal=True,
        key="corpus_which",
    )
    is_pooled = which.startswith("added counts")
    summary = summary_of(result)
    order = best_first(summary, protocol, is_pooled)
    labels = protocol_labels(result)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        st.markdown("**F1 with 95 % confidence interval over series**")
        chart_with_table(
            corpus_charts.detector_dots(summary, order, labels, is_pooled, widgets.mode()),
            summary_table(result, summary, is_pooled),
            "corpus_detectors",
        )
    with right:
        st.markdown("**Ranks across protocols**")
        ranks = {p: result.ranks(p, "pooled" if is_pooled else "mean") for p in labels}
        cell = {(row.detector, row.protocol): row for row in summary}
        places = [[ranks[p].get(name, np.nan) for p in labels] for name in order]
        scores = [
            [
                cell[name, p].pooled_f1 if is_pooled else cell[name, p].mean_f1
                for p in labels
                if (name, p) in cell
            ]
            for name in order
        ]
        table = pd.DataFrame(
            {"detector": list(map(shown, order))}
            | {label: [row[at] for row in places] for at, label in enumerate(labels.values())}
        )
        figure = rank_bump(order, list(labels.values()), places, scores, widgets.mode())
        chart_with_table(figure, table, "corpus_ranks")
    tell(winners_of(result, summary, is_pooled))
    show_caveats(result)
    tell(
        "The intervals come from a jackknife: each series is left out once (Student's t on the "
        "logit of F1). They assume that series are independent and alike, and they treat "
        "thresholds as fixed. The random baseline follows the same rule on the same rows."
    )


def winners_of(result: CorpusResult, summary: Sequence[Summary], is_pooled: bool) -> str:
    """Name each protocol's best detector, and count those no better than the random baseline."""
    leaders = []
    for protocol, label in protocol_labels(result).items():
        best = best_first(summary, protocol, is_pooled)[0]
        leaders.append(f"{shown(best)} under {label}")
    said = f"First: {listed(leaders)}."
    below = []
    for protocol, label in protocol_labels(result).items():
        own = [row for row in summary if row.protocol == protocol]
        pairs = [
            (row.pooled_f1, row.pooled_random_f1)
            if is_pooled
            else (row.mean_f1, row.mean_random_f1)
            for row in own
        ]
        count = sum(f1 <= baseline for f1, baseline in pairs)
        if count:
            below.append(f"{count} of {len(own)} under {label}")
    return f"{said} At or below the random baseline: {listed(below)}." if below else said


def summary_table(
    result: CorpusResult, summary: Sequence[Summary], is_pooled: bool
) -> pd.DataFrame:
    """Return the numbers of the chart."""
    which = "pooled" if is_pooled else "mean"
    return pd.DataFrame(
        {
            "detector": [shown(row.detector) for row in summary],
            "protocol": [result.label(row.protocol) for row in summary],
            "F1": [getattr(row, f"{which}_f1") for row in summary],
            "from": [getattr(row, f"{which}_low") for row in summary],
            "to": [getattr(row, f"{which}_high") for row in summary],
            "random baseline": [getattr(row, f"{which}_random_f1") for row in summary],
            "standard error": [getattr(row, f"{which}_random_f1_error") for row in summary],
            "flagged, %": [100 * row.pooled_flagged for row in summary],
            "spread over seeds": [getattr(row, f"{which}_spread") for row in summary],
            "mean rank": [row.mean_rank for row in summary],
            "false alarms per day": [row.false_alarms_per_day for row in summary],
            "delay, steps": [row.delay_steps for row in summary],
        }
    )


def show_caveats(result: CorpusResult) -> None:
    """Warn about conclusions that the result does not support."""
    if result.caveats:
        st.info("\n\n".join(map(plain, result.caveats)), icon=":material/info:")
