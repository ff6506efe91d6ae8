"""Ways to upload data: samples, a table, incidents and alerts, or pasted text."""

from __future__ import annotations

import streamlit as st

from padf_ui.session.data import open_sample, waits_for_data
from padf_ui.session.study import SAMPLES
from padf_ui.upload.event_upload import upload_events
from padf_ui.upload.table_upload import paste_table, upload_table


def show_samples() -> None:
    """Show the samples, each with a button to open it."""
    st.markdown(
        "Upload labels and scores. You get exact best thresholds under every protocol, a ranking "
        "of detectors, and confidence intervals. To look around first, open a sample."
    )
    for column, (key, sample) in zip(st.columns(len(SAMPLES)), SAMPLES.items(), strict=True):
        with column, st.container(border=True, height="stretch"):
            st.markdown(f"**{sample.title}.** {sample.about}")
            st.space("stretch")
            st.button(
                f"Open {sample.title}",
                key=f"sample_{key}",
                type="primary",
                on_click=open_sample,
                args=(key,),
            )


def show_upload() -> None:
    """Show all ways to upload data. Current data stay until other data have been read."""
    if waits_for_data():
        st.info(
            "This link holds settings and thresholds, but not the data. Upload the same data to "
            "use them."
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
