"""Incidents and alerts as lists of times, converted to a series."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import streamlit as st

from padf_core.io.errors import TableError
from padf_core.io.incidents import grid_step, lay_on_grid, read_alerts, read_incidents
from padf_core.io.open_table import open_table
from padf_core.io.tables import TableFile
from padf_ui.components.progress import errors_shown
from padf_ui.server.cache import SMALL
from padf_ui.session.data import uploads_so_far
from padf_ui.session.screen_names import shown
from padf_ui.session.settings import current_settings
from padf_ui.session.steps import CLOCK_STEPS
from padf_ui.session.study import Origin, Study
from padf_ui.upload.column_questions import typed_moment
from padf_ui.upload.table_upload import take_study
from padf_ui.upload.templates import show_templates

MAX_EVENT_MEGABYTES = 50


@st.fragment
def upload_events() -> None:
    """Take incidents and alerts, and convert them to a time series."""
    st.markdown(
        "Upload two tables of times: when incidents happened, and when the detector raised "
        "alerts. Both are converted to a time series: a step is anomalous if an incident "
        "overlaps it, and an alarm if an alert falls into it."
    )
    left, right = st.columns(2)
    count = uploads_so_far()
    with left:
        incidents = st.file_uploader(
            "Incidents: start, end", key=f"incidents_{count}", max_upload_size=MAX_EVENT_MEGABYTES
        )
    with right:
        alerts = st.file_uploader(
            "Alerts: time and, if there are several, detector",
            key=f"alerts_{count}",
            max_upload_size=MAX_EVENT_MEGABYTES,
        )
    show_templates("Incidents", "Alerts")
    first, second, third = st.columns(3)
    with first:
        usual = _usual_step(incidents, alerts)
        step = st.selectbox(
            "Time step",
            list(CLOCK_STEPS),
            index=list(CLOCK_STEPS).index(usual),
            key=f"step_{count}_{usual}",
            help=(
                "Suggested: the longest step that separates all timestamps. A shorter step "
                "measures delays more precisely; a longer one forgives near misses."
            ),
        )
        ends_included = st.checkbox(
            "The end time belongs to the incident",
            key=f"ends_{count}",
            help="Whether the step that starts at an incident's end is also anomalous.",
        )
    with second:
        begin = st.text_input("Watched from", key=f"begin_{count}", placeholder="first event")
    with third:
        end = st.text_input("Watched to", key=f"end_{count}", placeholder="last event")
    is_asked = st.button(
        "Convert to a time series", type="primary", disabled=not (incidents and alerts)
    )
    if is_asked and incidents and alerts:
        with errors_shown():
            series = lay_on_grid(
                f"{shown(incidents.name)} and {shown(alerts.name)}",
                read_incidents(_events(incidents)),
                read_alerts(_events(alerts)),
                CLOCK_STEPS[step],
                typed_moment(begin, "Watched from"),
                typed_moment(end, "Watched to"),
                ends_included=ends_included,
            )
            take_study(Study.of(series, Origin("events", series.name), current_settings()))


def _events(file: Any) -> TableFile:
    """Open a table of times.

    Check its size, because only the browser enforces the uploader's limit.
    """
    if file.size > MAX_EVENT_MEGABYTES << 20:
        raise TableError(f"{shown(file.name)}: is larger than {MAX_EVENT_MEGABYTES} MB")
    return open_table(file, shown(file.name))


def _usual_step(incidents: Any, alerts: Any) -> str:
    """Return the suggested step for the times of both files, or a default if it is unknown."""
    names, steps = list(CLOCK_STEPS), list(CLOCK_STEPS.values())
    if incidents and alerts:
        with suppress(ValueError):
            step = SMALL.recall(
                ("usual step", incidents.file_id, alerts.file_id),
                lambda: grid_step(
                    read_incidents(_events(incidents)),
                    read_alerts(_events(alerts)),
                    steps,
                ),
            )
            return names[steps.index(step)]
    return names[2]
