"""The ways in which people bring their data, and what they are told when something is wrong."""

from __future__ import annotations

from functools import partial
from typing import Literal

import streamlit as st

from padf_core.data.incidents import lay_on_grid, read_alerts, read_incidents
from padf_core.data.roles import (
    MAX_DETECTORS,
    Roles,
    describe_columns,
    guess_roles,
    needed_bytes,
    read_series,
)
from padf_core.data.tables import MAX_ROWS, TableError, TableFile, open_table
from padf_core.data.times import parse_moment
from padf_core.metrics.checks import no_progress
from padf_ui.session import state
from padf_ui.session.steps import CLOCK_STEPS
from padf_ui.session.study import SAMPLES, Origin, Study
from padf_ui.shared import widgets
from padf_ui.shared.names import plain, shown
from padf_ui.shared.progress import explained, progress
from padf_ui.study import results, tables

MAX_MEGABYTES = 500
PREVIEW_ROWS = 6
NONE = "(none)"
LARGE_ROWS = 500_000

TEMPLATES: dict[str, tuple[str, str]] = {
    "Table": (
        "padf-table.csv",
        "time,value,label,detector_a,detector_b\n"
        "2024-06-10 00:00:00,61.2,0,0.10,0\n"
        "2024-06-10 00:01:00,60.8,0,0.12,0\n"
        "2024-06-10 00:02:00,97.5,1,0.81,0\n"
        "2024-06-10 00:03:00,98.1,1,0.77,1\n"
        "2024-06-10 00:04:00,62.0,0,0.20,0\n",
    ),
    "Incidents": (
        "padf-incidents.csv",
        "start,end\n2024-06-10 08:30:00,2024-06-10 09:10:00\n"
        "2024-06-11 22:00:00,2024-06-11 22:45:00\n",
    ),
    "Alerts": (
        "padf-alerts.csv",
        "time,detector\n2024-06-10 08:37:00,quick\n2024-06-10 08:55:00,careful\n"
        "2024-06-11 03:12:00,quick\n2024-06-11 22:01:00,quick\n",
    ),
}
"""Small files that show each form: file name and content."""


def show_samples() -> None:
    """Show the samples, each one click away."""
    st.markdown(
        "Labels and scores in; out come exact best thresholds under every protocol, who wins where "
        "and how sure that is. Begin with a sample: four detectors each, and the winner depends on "
        "the protocol."
    )
    for column, (key, (title, about)) in zip(
        st.columns(len(SAMPLES)), SAMPLES.items(), strict=True
    ):
        with column, st.container(border=True):
            st.markdown(f"**{title}.** {about}")
            st.button(
                f"Open {title}",
                key=f"sample_{key}",
                type="primary",
                on_click=state.open_sample,
                args=(key,),
            )


def show_templates(*names: str) -> None:
    """Offer files to fill in."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("Templates:", width="content")
        for name in names:
            file, content = TEMPLATES[name]
            st.download_button(name, content, file, "text/csv", key=f"template_{name}")


# ---- a table -----------------------------------------------------------------------------------


def upload_table() -> None:
    """Take a file, show what it seems to hold, and read it on demand."""
    st.markdown(
        "One row per point in time, with a label of 0 or 1 and one column per detector: scores, "
        "or 0/1 for its alarms. CSV with comma, semicolon, tab or |, gzip or not, or Parquet; "
        f"up to {MAX_MEGABYTES} MB and {MAX_ROWS:,} rows. The file stays in this server's memory "
        "and is dropped once it has been read."
    )
    file = st.file_uploader(
        "A table of labels and scores",
        key=f"table_{state.brought()}",
        max_upload_size=MAX_MEGABYTES,
        label_visibility="collapsed",
    )
    show_templates("Table")
    if file is not None:
        with explained():
            look = partial(open_table, file, shown(file.name))
            _choose(state.looked_at(f"file {file.file_id}", look), "file", file.name)


def paste_table() -> None:
    """Take a small table as text."""
    text = st.text_area(
        "Paste rows with or without a header, as from a spreadsheet",
        key=f"pasted_{state.brought()}",
        height=180,
        max_chars=2_000_000,
        placeholder=TEMPLATES["Table"][1],
    )
    if text.strip():
        with explained():
            look = partial(open_table, text.encode(errors="replace"), "pasted table")
            _choose(state.looked_at(f"text {hash(text)}", look), "pasted", "pasted table")


def _choose(table: TableFile, kind: Literal["file", "pasted"], name: str) -> None:
    """Show the guess and the first rows; people change it, or take it."""
    if not table.is_parquet:
        key = f"header_{kind}_{state.brought()}"
        has_header = st.checkbox("The first row holds the names", table.has_header, key=key)
        table = table.with_header(has_header)
    guess = guess_roles(table)
    kinds = describe_columns(table)
    st.dataframe(table.preview.head(PREVIEW_ROWS), hide_index=True, width="stretch")
    roles = _role_widgets(table, guess, kinds, kind)
    rows = table.estimated_rows
    memory = needed_bytes(table, roles) / 2**20
    st.markdown(
        f"About {rows:,} rows. Reading and comparing will take about {max(1, round(memory)):,} MB "
        f"of memory beside the file's {max(1, round(table.size / 2**20)):,} MB"
        f"{'; this is a large file, so give it a minute' if rows > 20 * LARGE_ROWS else ''}."
    )
    if st.button("Use this table", type="primary", key=f"use_{kind}"):
        _read(table, roles, kind, name)


def _role_widgets(table: TableFile, guess: Roles, kinds: dict[str, str], kind: str) -> Roles:
    columns = table.columns
    base = f"{kind}_{state.brought()}_{table.has_header}"

    def named(name: str) -> str:
        return name if name == NONE else f"{shown(name)} · {kinds[name]}"

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
        label = one("Label", guess.label, "1 during an anomaly, else 0")
    with second:
        time = one("Time", guess.time, "Rising times; without, delays are counted in steps")
    with third:
        value = one("Signal", guess.value, "What was monitored; only drawn, never scored")
    detectors = st.multiselect(
        "Detectors: scores (higher is more alarming), or 0/1 detections",
        columns,
        default=list(guess.detectors),
        key=f"Detectors_{base}",
        format_func=named,
        max_selections=MAX_DETECTORS,
    )
    return Roles(label or "", tuple(detectors), time, value)


def _read(table: TableFile, roles: Roles, kind: Literal["file", "pasted"], name: str) -> None:
    with explained():
        with progress("Reading") as report:
            series = read_series(table, roles, report)
        has_plain_header = table.has_header and table.columns == list(table.names)
        origin = Origin(kind, name, roles, has_plain_header)
        _take(Study.of(series, origin, state.settings()))


def _take(study: Study) -> None:
    state.put_study(study)
    st.rerun()


# ---- incidents and alerts ------------------------------------------------------------------------


def upload_events() -> None:
    """Take incidents and alerts, and lay them on a clock grid."""
    st.markdown(
        "When was something wrong, and when did a detector speak? Two tables of times are enough. "
        "They are laid on a clock: a step is anomalous when an incident touches it, and an alarm "
        "when an alert falls into it."
    )
    left, right = st.columns(2)
    count = state.brought()
    with left:
        incidents = st.file_uploader(
            "Incidents: start, end", key=f"incidents_{count}", max_upload_size=50
        )
    with right:
        alerts = st.file_uploader(
            "Alerts: time and, if there are several, detector",
            key=f"alerts_{count}",
            max_upload_size=50,
        )
    show_templates("Incidents", "Alerts")
    first, second, third = st.columns(3)
    with first:
        step = st.selectbox(
            "One step of the clock",
            list(CLOCK_STEPS),
            index=2,
            key=f"step_{count}",
            help="A finer step tells delays more exactly; a coarser one forgives near misses.",
        )
    with second:
        begin = st.text_input("Watched from", key=f"begin_{count}", placeholder="first event")
    with third:
        end = st.text_input("Watched to", key=f"end_{count}", placeholder="last event")
    is_asked = st.button(
        "Lay them on the clock", type="primary", disabled=not (incidents and alerts)
    )
    if is_asked and incidents and alerts:
        with explained():
            series = lay_on_grid(
                f"{shown(incidents.name)} and {shown(alerts.name)}",
                read_incidents(open_table(incidents, shown(incidents.name))),
                read_alerts(open_table(alerts, shown(alerts.name))),
                CLOCK_STEPS[step],
                _moment(begin, "Watched from"),
                _moment(end, "Watched to"),
            )
            _take(Study.of(series, Origin("events", series.name), state.settings()))


def _moment(text: str, label: str) -> int | None:
    if not text.strip():
        return None
    try:
        return parse_moment(text)
    except TableError as error:
        raise TableError(f"{label}: {error}") from None


# ---- what was brought ----------------------------------------------------------------------------


def prepare(study: Study) -> None:
    """Sort the scores once, with a bar when there are many."""
    if study.is_ranked:
        return
    if study.series.size * len(study.series.detectors) < LARGE_ROWS:
        results.rank_all(study, no_progress)
    else:
        with progress("Sorting the scores") as report:
            results.rank_all(study, report)
    state.write_study_link()


def show_summary(study: Study) -> None:
    """Say what was read, and what should be known about it."""
    series = study.series
    st.markdown(f"**{plain(tables.names_of(study))}** · {plain(tables.summary(series))}")
    for warning in tables.warnings_of(series):
        st.warning(warning)


def data_menus(study: Study | None) -> None:
    """Show what opens from the title row of a page about brought data."""
    settings = state.settings()
    with st.popover("Rules"):
        widgets.rule_widgets(settings)
        widgets.settings_file()
    with st.popover("Lanes"):
        widgets.lane_widget(settings)
    if study is None:
        return
    if state.is_bringing():
        st.button("Back to the data", on_click=state.set_bringing, args=(False,))
    else:
        st.button("Other data", on_click=state.set_bringing, args=(True,))


def show_ways_in() -> None:
    """Show every way to bring data; what is there stays until other data have been read."""
    if state.waits_for_data():
        st.info(
            "This link carries settings and thresholds, not data. Bring the same data, and they "
            "will be used."
        )
    samples, table, events, pasted = st.tabs(
        ["Samples", "A table", "Incidents and alerts", "Paste rows"]
    )
    with samples:
        show_samples()
    with table:
        upload_table()
    with events:
        upload_events()
    with pasted:
        paste_table()
