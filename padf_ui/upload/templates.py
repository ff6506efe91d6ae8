"""Example files to download, in the format of a table, incidents or alerts."""

from __future__ import annotations

import streamlit as st

from padf_ui.components import downloads

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
"""Example files by name: file name and content."""


def show_templates(*names: str) -> None:
    """Offer example files to fill in."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("Templates:", width="content")
        for name in names:
            file, content = TEMPLATES[name]
            downloads.offer(name, content, file, "text/csv", key=f"template_{name}")
