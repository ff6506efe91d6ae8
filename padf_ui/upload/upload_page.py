"""The ways in: samples, a table, pasted text, incidents and alerts."""

from __future__ import annotations

import streamlit as st

from padf_ui.session.data import open_sample, waits_for_data
from padf_ui.session.study import SAMPLES
from padf_ui.upload.event_upload import upload_events
from padf_ui.upload.table_upload import paste_table, upload_table


def show_samples() -> None:
    """Show the samples, each one click away."""
    st.markdown(
        "Labels and scores in; out come exact best thresholds under every protocol, who wins where "
        "and how sure that is. Begin with a sample: the winner depends on the protocol."
    )
    for column, (key, sample) in zip(st.columns(len(SAMPLES)), SAMPLES.items(), strict=True):
        with column, st.container(border=True):
            st.markdown(f"**{sample.title}.** {sample.about}")
            st.button(
                f"Open {sample.title}",
                key=f"sample_{key}",
                type="primary",
                on_click=open_sample,
                args=(key,),
            )


def show_upload() -> None:
    """Show every way to upload data; what is there stays until other data have been read."""
    if waits_for_data():
        st.info(
            "This link carries settings and thresholds, not data. Upload the same data, and they "
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
