"""Ranks section of the Corpus page."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from padf_core.corpus.picture import (
    caption,
    critical_difference_svg,
    friedman_text,
    null_hypotheses,
    pairs_text,
)
from padf_core.corpus.ranking import WILCOXON_NULL
from padf_core.corpus.results import CorpusResult
from padf_ui.components import downloads, widgets
from padf_ui.components.tables import chart_with_table, save_table
from padf_ui.components.terms import tell
from padf_ui.components.words import listed
from padf_ui.corpus import corpus_charts
from padf_ui.corpus.corpus_page import table_height
from padf_ui.corpus.detectors_page import show_caveats
from padf_ui.server.cache import SMALL
from padf_ui.session.screen_names import shown


def show_ranks(result: CorpusResult, protocol: str) -> None:
    """Show mean ranks over series, and which detectors differ significantly."""
    ranking = SMALL.recall(("ranking", result.key, protocol), lambda: result.ranking(protocol))
    if not ranking.is_tested:
        tell(
            "Ranks need at least two detectors, and two series with an anomaly and scores from "
            "all of them."
        )
        return
    tell(
        f"{result.label(protocol)}, ranked on each of {len(ranking.series)} series that have an "
        f"anomaly and scores from every detector. {friedman_text(ranking)}; "
        f"{pairs_text(ranking)}."
    )
    st.caption(" ".join(null_hypotheses()))
    show_caveats(result)
    names = ranking.best_first
    table = pd.DataFrame(
        {
            "detector": list(map(shown, names)),
            "mean rank": [ranking.mean_ranks[name] for name in names],
            "no significant difference to": [_joined(ranking.groups, name) for name in names],
        }
    )
    left, right = st.columns([3, 2], gap="medium")
    with left:
        chart_with_table(
            corpus_charts.critical_differences(ranking, widgets.mode()), table, "corpus_critical"
        )
        downloads.offer(
            "SVG for a paper",
            critical_difference_svg(ranking, result.label(protocol)),
            f"padf-critical-differences-{protocol}.svg",
            "image/svg+xml",
            icon=":material/download:",
            about=caption(ranking),
        )
    with right:
        st.markdown("**Pairs, by p-value**")
        pairs = pd.DataFrame(
            {
                "first": [shown(pair.first) for pair in ranking.pairs],
                "second": [shown(pair.second) for pair in ranking.pairs],
                "wins": [pair.wins for pair in ranking.pairs],
                "losses": [pair.losses for pair in ranking.pairs],
                "p": [pair.p for pair in ranking.pairs],
                "after Holm": [pair.holm for pair in ranking.pairs],
            }
        )
        config = {
            name: st.column_config.NumberColumn(format="%.2g") for name in ("p", "after Holm")
        }
        st.dataframe(
            pairs,
            hide_index=True,
            width="stretch",
            height=table_height(pairs),
            column_config=config,
        )
        save_table(pairs, "corpus-pairs", null=WILCOXON_NULL)


def _joined(groups: Sequence[tuple[str, ...]], name: str) -> str:
    """List the detectors that share a bar with a detector."""
    others = {other for group in groups if name in group for other in group} - {name}
    return listed(sorted(map(shown, others))) if others else "-"
