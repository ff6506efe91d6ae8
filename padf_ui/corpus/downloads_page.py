"""Downloads section of the Corpus page."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping

import pandas as pd
import streamlit as st

from padf_core.corpus.results import CorpusResult
from padf_core.corpus.writing import ranks_csv, summary_csv, summary_latex, tidy_csv, wide_csv
from padf_ui.components import downloads
from padf_ui.components.names import cell
from padf_ui.components.tables import save_table
from padf_ui.corpus.corpus_page import summary_of
from padf_ui.session.screen_names import shown


def for_spreadsheets(text: str) -> str:
    """Return a CSV table with names that a spreadsheet will not interpret as formulas."""
    lines = csv.reader(io.StringIO(text))
    head = next(lines)
    named = [at for at, name in enumerate(head) if name in _NAMES]
    written = io.StringIO()
    out = csv.writer(written, lineterminator="\n")
    out.writerow([cell(name) for name in head])
    for row in lines:
        for at in named:
            row[at] = cell(row[at])
        out.writerow(row)
    return written.getvalue()


_NAMES = ("series", "file", "detector", "seed", "protocol", "setting", "rule", "first", "second")
"""Columns that contain names."""


def show_exports(result: CorpusResult, protocol: str) -> None:
    """Offer the result in every format, and list what was left out."""
    files: Mapping[str, tuple[str, str]] = {
        "Tidy table (CSV)": ("padf-corpus.csv", tidy_csv(result)),
        "Each detector over all series (CSV)": (
            "padf-corpus-summary.csv",
            summary_csv(summary_of(result)),
        ),
        f"Series by detectors, {result.label(protocol)} (CSV)": (
            f"padf-corpus-{protocol}.csv",
            wide_csv(result, protocol),
        ),
        "Pairs with p-values (CSV)": ("padf-corpus-pairs.csv", ranks_csv(result)),
        "Detectors by protocols (LaTeX)": (
            "padf-corpus.tex",
            summary_latex(result, summary_of(result)),
        ),
    }
    with st.container(horizontal=True):
        for label, (name, content) in files.items():
            downloads.offer(
                label,
                content if name.endswith(".tex") else for_spreadsheets(content),
                name,
                "application/x-tex" if name.endswith(".tex") else "text/csv",
                key=f"corpus_{name}",
                icon=":material/download:",
            )
    if result.left_out:
        st.markdown("**Left out, with reasons**")
        left = pd.DataFrame(
            {
                "what": [shown(each.what, 200) for each in result.left_out],
                "why": [shown(each.why, 300) for each in result.left_out],
            }
        )
        st.dataframe(left, hide_index=True, width="stretch")
        save_table(left, "corpus-left-out")
