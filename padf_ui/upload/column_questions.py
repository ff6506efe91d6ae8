"""Widgets that assign roles to columns and say how to read rows, with guesses as defaults."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import streamlit as st

from padf_core.io.columns import word_of
from padf_core.io.errors import TableError
from padf_core.io.guess import Guess, guess
from padf_core.io.options import MAX_DETECTORS, PROBATION, Missing, Order, ReadOptions
from padf_core.io.read_columns import needed_bytes
from padf_core.io.tables import MAX_ROWS, TableFile
from padf_core.io.timestamps import parse_moment
from padf_ui.components.names import plain
from padf_ui.components.words import plural
from padf_ui.session.data import answer_question, uploads_so_far
from padf_ui.session.screen_names import shown

LARGE_ROWS = 500_000

PREVIEW_ROWS = 6


NONE = "(none)"


EVERY = "(all, concatenated)"


FEW_LEFT = 8


@dataclass(frozen=True, eq=False)
class Picked:
    """An uploaded table, with the user's choices for its columns and rows."""

    table: TableFile
    options: ReadOptions
    kind: Literal["file", "pasted"]
    name: str


def choose_columns(
    table: TableFile, kind: Literal["file", "pasted"], name: str, size: int
) -> Picked:
    """Show the first rows and the guessed roles of the columns, which the user can change."""
    if not table.is_parquet and table.frame is None:
        key = f"header_{kind}_{uploads_so_far()}"
        has_header = st.checkbox("The first row has the column names", table.has_header, key=key)
        table = table.with_header(has_header)
    found = guess(table)
    if table.notices:
        st.info(plain(f"{'. '.join(table.notices)}."))
    st.dataframe(table.preview.head(PREVIEW_ROWS), hide_index=True, width="stretch")
    base = f"{kind}_{uploads_so_far()}_{table.has_header}"
    options = _row_widgets(_column_widgets(table, found, base), base)
    rows = table.estimated_rows
    memory = needed_bytes(table, options) / 2**20
    st.markdown(
        f"About {rows:,} rows. Reading and comparing will take about {max(1, round(memory)):,} MB "
        f"of memory beside the {max(1, round(size / 2**20)):,} MB that were uploaded"
        f"{'; this is a large file, so give it a minute' if rows > 20 * LARGE_ROWS else ''}."
    )
    # Read in a full run, because the run of a fragment cannot be stopped.
    if st.button(
        "Use this table",
        type="primary",
        key=f"use_{kind}",
        on_click=answer_question,
        args=(name, {}),
    ):
        st.rerun()
    return Picked(table, options, kind, name)


def _column_widgets(table: TableFile, found: Guess, base: str) -> ReadOptions:
    columns = table.columns

    def named(name: str) -> str:
        return name if name == NONE else f"{shown(name)} · {found.kinds[name].kind}"

    def one(label: str, value: str | None, help_text: str) -> str | None:
        options = [NONE, *columns]
        chosen = st.selectbox(
            label,
            options,
            index=options.index(value) if value in options else 0,
            key=f"{label}_{base}",
            format_func=named,
            help=help_text,
        )
        return None if chosen == NONE else chosen

    first, second, third = st.columns(3)
    with first:
        label = one("Label", found.options.label, "1 during an anomaly, else 0")
        anomaly = _ask_anomaly(found, label, base)
    with second:
        time = one(
            "Time",
            found.options.time,
            ("Increasing timestamps; without them, delays are counted in steps"),
        )
        series = one(
            "Series",
            found.options.series,
            "The name of each row's series, if there are several; segments never cross series",
        )
        only = None
        if series:
            only = _ask_series(found, series, base)
    with third:
        value = one("Signal", found.options.value, "What was monitored; drawn, not scored")
        ignore = one(
            "Ignored rows", found.options.ignore, ("1 in rows that no score counts, else 0")
        )
    detectors = st.multiselect(
        "Detectors: scores (higher is more alarming), or 0/1 detections",
        columns,
        default=list(found.options.detectors),
        key=f"Detectors_{base}",
        format_func=named,
        max_selections=MAX_DETECTORS,
    )
    _tell_left_out(found, detectors)
    long = None
    if found.options.detector:
        long = one(
            "Detector of each row", found.options.detector, ("The name of each row's detector")
        )
    return replace(
        found.options,
        detector=long,
        label=label or "",
        detectors=tuple(detectors),
        time=time,
        value=value,
        series=series,
        only=only,
        ignore=ignore,
        anomaly=anomaly,
    )


def _ask_anomaly(found: Guess, label: str | None, base: str) -> str | None:
    """Ask which value means an anomaly, if labels are not 0 and 1."""
    words = found.words_of(label) if label else []
    if not words:
        return None
    known = found.options.anomaly if label == found.options.label else None
    return st.selectbox(
        "Which value means an anomaly?",
        words,
        index=words.index(known) if known in words else None,
        key=f"anomaly_{label}_{base}",
        format_func=shown,
        placeholder="Choose one",
    )


def _ask_series(found: Guess, series: str, base: str) -> str | None:
    """Ask which series to read."""
    look = found.kinds[series]
    words = sorted({word_of(value) for value in look.head.dropna().unique()})
    seen = "" if look.is_whole else ". The list is from the rows that were checked"
    chosen = st.selectbox(
        "Which series?",
        [EVERY, *words],
        key=f"only_{series}_{base}",
        format_func=shown,
        help=(
            "All of them are concatenated, and no segment crosses from one series into the "
            f"next{seen}"
        ),
    )
    return None if chosen == EVERY else chosen


def _tell_left_out(found: Guess, detectors: Sequence[str]) -> None:
    """List the columns that are not read as detectors, each with its reason."""
    left = {name: why for name, why in found.left_out.items() if name not in detectors}
    if not left:
        return
    with st.expander(
        f"{len(left)} {plural(len(left), 'column is', 'columns are')} not read as a detector; "
        "add any that are",
        expanded=len(left) <= FEW_LEFT,
    ):
        st.markdown("\n".join(f"- **{plain(name)}**: {plain(why)}" for name, why in left.items()))


MISSING: dict[Missing, str] = {
    "refuse": "show an error",
    "ignore": "ignore these rows for all detectors",
    "quiet": "treat them as no alarm",
    "drop": "leave out detectors with missing scores",
}


ORDERS: dict[Order, str] = {
    "refuse": "show an error",
    "keep": "keep the file's order",
    "sort": "sort the rows by time",
    "first": "sort the rows, and keep the first row of each time",
}


def _row_widgets(options: ReadOptions, base: str) -> ReadOptions:
    """Ask about ignored rows, missing scores and out-of-order timestamps."""
    with st.expander("Ignored rows, missing scores, out-of-order timestamps", expanded=False):
        first, second = st.columns(2)
        with first:
            skip = st.number_input(
                "First rows to ignore",
                0,
                MAX_ROWS,
                options.training,
                key=f"skip_{base}",
                help="In each series: a training part or a warm-up",
            )
            probation = st.checkbox(
                "NAB's probation: also ignore the first 15 %, at most 750 rows", key=f"nab_{base}"
            )
            since = st.text_input(
                "Ignore rows before this time",
                key=f"since_{base}",
                placeholder="2024-06-10 08:30",
                disabled=options.time is None,
            )
        with second:
            missing = st.selectbox(
                "Missing scores",
                tuple(MISSING),
                format_func=MISSING.__getitem__,
                key=f"missing_{base}",
            )
            order = st.selectbox(
                "Out-of-order timestamps",
                tuple(ORDERS),
                format_func=ORDERS.__getitem__,
                key=f"order_{base}",
            )
        low = st.multiselect(
            "Detectors whose low scores mean an anomaly",
            options.detectors,
            key=f"low_{base}",
            format_func=shown,
        )
    return replace(
        options,
        skip=None if skip == options.training else skip,
        probation=PROBATION if probation else 0.0,
        since=typed_moment(since, "Ignore rows before this time") if options.time else None,
        missing=missing,
        order=order,
        low=tuple(low),
    )


def typed_moment(text: str, label: str) -> int | None:
    """Read a typed timestamp. Raise TableError that names the field if it is invalid."""
    if not text.strip():
        return None
    try:
        return parse_moment(text)
    except TableError as error:
        raise TableError(f"{label}: {error}") from None
