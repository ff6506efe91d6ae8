"""Widgets of Published results."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from padf_core.paper.audit import (
    PRINTED_CORRELATIONS,
    Finding,
    below_pointwise,
    correlations,
    findings,
    ratio_table,
)
from padf_core.paper.published import COLUMN_PROTOCOLS, published_table
from padf_ui.components import widgets
from padf_ui.components.tables import chart_with_table, save_table
from padf_ui.components.terms import say, tell
from padf_ui.components.words import listed, plural
from padf_ui.paper import paper_charts
from padf_ui.server.cache import SMALL
from padf_ui.study.comparison_tables import first_place, first_places

TABLES: dict[str, str] = {
    "table2": "Table 2: MSL, SMAP, SWaT",
    "table6": "Table 6: HEX/UCR",
    "table7_8": "Tables 7 and 8: TSB-UAD",
}


def heads_of(columns: Sequence[str]) -> list[str]:
    """Return the display names of printed columns."""
    return [COLUMN_PROTOCOLS[column].label for column in columns]


def show_table_explorer() -> None:
    """Show one of the paper's tables, with scores and ranks for a data set and some protocols."""
    key = st.radio(
        "Table", list(TABLES), format_func=TABLES.__getitem__, horizontal=True, key="which"
    )
    rows = published_table(key)
    datasets = list(dict.fromkeys(rows["dataset"]))
    available = [column for column in rows.columns if column in COLUMN_PROTOCOLS]
    left, right = st.columns(2)
    with left:
        dataset = st.selectbox("Data set", datasets, key=f"dataset_{key}")
    with right:
        chosen = st.multiselect(
            "Protocols",
            available,
            available,
            format_func=lambda column: COLUMN_PROTOCOLS[column].label,
            key=f"columns_{key}",
        )
    columns = [column for column in available if column in chosen] or available
    own = rows[rows["dataset"] == dataset].reset_index(drop=True)
    heads = heads_of(columns)
    shown = own[["model", *columns]].rename(columns=dict(zip(columns, heads, strict=True)))
    mode = widgets.mode()
    first, second = st.columns(2, gap="medium")
    with first:
        st.markdown("**F1 as printed**")
        chart_with_table(
            paper_charts.model_bars(own, columns, heads, mode), shown, f"printed-{key}"
        )
    with second:
        st.markdown("**Ranks across protocols**")
        ranks = paper_charts.model_ranks(own, columns)
        chart_with_table(
            paper_charts.model_bump(own, columns, heads, mode),
            ranks.rename(columns=dict(zip(columns, heads, strict=True))),
            f"ranks_{key}",
        )
    models = own["model"].tolist()
    scores = [own[column].tolist() for column in columns]
    won = first_places(models, heads, scores)
    st.markdown(won or f"{first_place(models, scores[0])} under every protocol.")
    broken = below_pointwise(key)
    here = broken[broken["dataset"] == dataset]["model"].tolist()
    said = (
        f"{len(broken)} of {len(rows)} rows of this table {plural(len(broken), 'has', 'have')} "
        "PA below point-wise"
    )
    where = f"; in {dataset}: {listed(here)}" if here else ", none in this data set"
    tell(f"{said}{where}.")


def show_ratios() -> None:
    """Show Table 3, recomputed from Table 2."""
    table = ratio_table()
    agree = int((table["agrees"] == "✓").sum())
    tell(
        "PAdf 0.7 as a percentage of PAdf 0.9, from Table 2, next to the printed Table 3: "
        f"{agree} of {len(table)} agree. A high ratio means that the hits came early."
    )
    config = {
        name: st.column_config.NumberColumn(format="%.1f") for name in ("computed, %", "printed, %")
    }
    st.dataframe(table, hide_index=True, width="stretch", column_config=config)
    save_table(table, "table3")


def show_correlations() -> None:
    """Show the three scatter plots of Tables 7 and 8."""
    rows = published_table("table7_8")
    computed = correlations()
    heads = {"pointwise": "point-wise", "pa": "PA", "pa_k20": "PA%K 20"}
    for place, (column, head) in zip(st.columns(3), heads.items(), strict=True):
        with place:
            st.markdown(
                f"**{head}:** computed {computed[column]:.3f}, printed "
                f"{PRINTED_CORRELATIONS[column]:.2f}"
            )
            chart_with_table(
                paper_charts.correlation_scatter(
                    rows, column, head, computed[column], widgets.mode()
                ),
                rows[["model", "dataset", column, "padf_0.9"]],
                f"scatter_{column}",
            )
    tell(
        "Each point is a model on a data set. Points to the right of the dotted line score lower "
        "under PAdf than under the other protocol, because their hits come late."
    )


def show_audit() -> None:
    """Show the audit of the paper, one card per finding."""
    found = SMALL.recall("audit", findings)
    tell(
        f"{len(found)} places where the paper contradicts itself, each computed from its own "
        "tables and formulas. None affects its main point, that a late alarm should earn less. "
        "Some affect the numbers that illustrate it."
    )
    for finding in found:
        show_finding(finding)
    save_findings(found)


def show_finding(finding: Finding) -> None:
    """Show one finding of the audit."""
    with st.container(border=True):
        st.markdown(f"**{finding.title}** · {finding.where}")
        left, right = st.columns(2)
        with left:
            say(f"Printed: {finding.printed}")
        with right:
            say(f"Computed: {finding.computed}")
        tell(f"The rule: {finding.rule}")
        tell(f"Consequence: {finding.changes}")
        tell(f"What still holds: {finding.keeps}")
        if len(finding.rows):
            with st.expander(f"The rows ({len(finding.rows)})"):
                st.dataframe(finding.rows, hide_index=True, width="stretch")


def save_findings(findings: Sequence[Finding]) -> None:
    """Offer the audit as a table."""
    table = pd.DataFrame(
        [
            {
                "where": f.where,
                "finding": f.title,
                "printed": f.printed,
                "computed": f.computed,
                "rule": f.rule,
                "changes": f.changes,
                "leaves": f.keeps,
                "rows": len(f.rows),
            }
            for f in findings
        ]
    )
    save_table(table, "audit")
