"""Series section of the Corpus page."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from padf_ui.components import widgets
from padf_ui.components.tables import chart_with_table, save_table
from padf_ui.components.terms import tell
from padf_ui.components.words import listed
from padf_ui.corpus import corpus_charts
from padf_ui.corpus.corpus_page import best_first, summary_of, table_height
from padf_ui.session.corpus import OpenCorpus, take_dot, take_series_row
from padf_ui.session.screen_names import shown, shown_names


def show_series(now: OpenCorpus, protocol: str) -> None:
    """Show the distribution of F1 over series, and a table of all series."""
    result = now.result
    by_series = result.by_series(protocol)
    found = list(by_series.items())
    order = best_first(summary_of(result), protocol, is_pooled=False)
    left, right = st.columns([3, 2], gap="medium")
    table = pd.DataFrame(
        {
            head: [series if name is None else f1.get(name, np.nan) for series, f1 in found]
            for head, name in zip(shown_names(["series", *order]), [None, *order], strict=True)
        }
    )
    with left:
        key = f"corpus_strips_{protocol}"
        chart_with_table(
            corpus_charts.series_strips(by_series, order, widgets.mode()),
            table,
            key,
            on_select=partial(take_dot, key, now, protocol),
        )
    with right:
        tell(f"**Open a series.** {at_hand(now, 'A dot or a row')}")
        chosen = _series_table(now, protocol)
        save_table(chosen, "corpus-series")


def at_hand(now: OpenCorpus, how: str = "A dot") -> str:
    """Say which series can be opened, and how."""
    count = sum(map(now.has_series, now.result.series))
    total = len(now.result.series)
    if not count:
        return "This is a saved result. It does not include the scores."
    if count == total:
        return f"{how} opens the series in Your data, with these thresholds and this detector."
    names = listed([shown(name) for name in now.result.series if now.has_series(name)])
    return (
        f"{how} opens the series in Your data, with these thresholds. Scores are available for "
        f"{names}."
    )


def _series_table(now: OpenCorpus, protocol: str) -> pd.DataFrame:
    by_series = now.result.by_series(protocol)
    names = list(by_series)
    rows = {
        (row.series, row.detector): row
        for row in now.result.of(protocol)
        if row.series in by_series
    }
    first = [max(sorted(f1), key=f1.__getitem__) for f1 in by_series.values()]
    own = [rows[pair] for pair in zip(names, first, strict=True)]
    made = pd.DataFrame(
        {
            "series": list(map(shown, names)),
            "here": ["open" if now.has_series(name) else "" for name in names],
            "best": list(map(shown, first)),
            "F1": [row.f1 for row in own],
            "random_f1": [row.random_f1 for row in own],
            "segments": [int(row.segments) for row in own],
        }
    )
    made = made.iloc[np.argsort(made["here"] == "", kind="stable")]
    order = [names[at] for at in made.index]
    winners = [first[at] for at in made.index]
    key = f"corpus_rows_{protocol}"
    st.dataframe(
        made,
        hide_index=True,
        width="stretch",
        height=table_height(made),
        key=key,
        column_config={
            name: st.column_config.NumberColumn(format="%.3f") for name in ("F1", "random_f1")
        },
        on_select=partial(
            take_series_row, key, now, protocol, list(zip(order, winners, strict=True))
        ),
        selection_mode="single-row",
    )
    return made
