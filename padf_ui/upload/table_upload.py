"""Upload or paste a table, preview it and read it on demand."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from padf_core.io import sandbox
from padf_core.io.errors import MissingError, OrderError, TableError
from padf_core.io.open_table import open_table
from padf_core.io.read_columns import needed_bytes
from padf_core.io.sources import Source
from padf_core.io.tables import MAX_ROWS, TableFile
from padf_ui.components.names import plain
from padf_ui.components.progress import errors_shown, progress
from padf_ui.components.words import plural
from padf_ui.server.memory import BUDGET
from padf_ui.session.data import (
    answer_question,
    answers_to,
    looked_at,
    put_study,
    takes_answer,
    uploader_key,
    uploads_so_far,
)
from padf_ui.session.screen_names import shown
from padf_ui.session.settings import current_settings
from padf_ui.session.study import Origin, Study
from padf_ui.session.widget_values import uploaded
from padf_ui.upload.column_questions import MISSING, Picked, choose_columns
from padf_ui.upload.templates import TEMPLATES, show_templates

MAX_MEGABYTES = 500


def upload_table() -> None:
    """Take files, show a preview, and read them on demand."""
    _read_on_demand(_pick_files())


@st.fragment
def _pick_files() -> Picked | None:
    st.markdown(
        "One row per point in time, with a label column and one column per detector (scores, or "
        "0/1 alarms). CSV with comma, semicolon, tab or |, gzip or not, Parquet, JSON or .npy. "
        "Several files (detector results, labels, windows) are joined by timestamp, or by row if "
        f"there are none. Detectors are named after their file or folder. Up to {MAX_MEGABYTES} "
        f"MB and {MAX_ROWS:,} rows. The server deletes them a minute after your visit."
    )
    whole = st.toggle("A whole folder", key=f"folder_{uploads_so_far()}")
    key = uploader_key(whole)
    st.file_uploader(
        "Tables of labels and scores",
        key=key,
        max_upload_size=MAX_MEGABYTES,
        label_visibility="collapsed",
        accept_multiple_files="directory" if whole else True,
    )
    show_templates("Table")
    files = uploaded(key)
    if files:
        with errors_shown():
            ids = " ".join(file.file_id for file in files)
            table = looked_at(f"files {ids}", partial(_look_at, files))
            name = files[0].name if len(files) == 1 else table.name
            return choose_columns(table, "file", name, sum(file.size for file in files))
    return None


def _look_at(files: Sequence[Any]) -> TableFile:
    """Open one table, or join several files."""
    return sandbox.look([Source(shown(file.name), partial(_content, file)) for file in files])


def _content(file: Any) -> io.BytesIO:
    """Return an uploaded file from its start, without copying its bytes."""
    return io.BytesIO(file.getvalue())


def paste_table() -> None:
    """Take a small table as text."""
    text = st.text_area(
        "Paste rows from a spreadsheet, with or without a header",
        key=f"pasted_{uploads_so_far()}",
        height=180,
        max_chars=2_000_000,
        placeholder=TEMPLATES["Table"][1],
    )
    if text.strip():
        with errors_shown():
            look = partial(open_table, text.encode(errors="replace"), "pasted table")
            table = looked_at(f"text {hash(text)}", look)
            _read_on_demand(choose_columns(table, "pasted", "pasted table", table.size))


def _read_on_demand(picked: Picked | None) -> None:
    """Read the picked table after the user has asked for it."""
    if picked is None or not takes_answer(picked.name):
        return
    table, name = picked.table, picked.name
    options = replace(picked.options, **answers_to(name))
    with errors_shown():
        try:
            needed = needed_bytes(table, options)
            with BUDGET.reserve(needed), progress("Reading", stops=True) as report:
                series = sandbox.read(table, options, report)
        except MissingError as error:
            ways = {f"{text[0].upper()}{text[1:]}": {"missing": m} for m, text in MISSING.items()}
            _ask(name, error, ways)
        except OrderError as error:
            _ask(name, error, _ways_to_order(error))
        else:
            has_plain_header = table.has_header and table.columns == list(table.names)
            origin = Origin(picked.kind, name, options, has_plain_header and table.frame is None)
            take_study(Study.of(series, origin, current_settings()))


def _ask(name: str, error: TableError, ways: Mapping[str, Mapping[str, str]]) -> None:
    """Show an error, with a button for each way to resolve it."""
    st.error(plain(f"{error}. Nothing has been changed."))
    with st.container(horizontal=True):
        for text, answer in ways.items():
            if "refuse" not in answer.values():
                st.button(text, on_click=answer_question, args=(name, answer))


def _ways_to_order(error: OrderError) -> dict[str, dict[str, str]]:
    """Describe the effect of each way to order these rows."""
    repeated = f"{error.repeated:,} {plural(error.repeated, 'row', 'rows')}"
    return {
        "Keep the file's order": {"order": "keep"},
        f"Sort by time; {error.backward:,} timestamps go backward": {"order": "sort"},
        f"Sort, and drop {repeated} that repeat a time": {"order": "first"},
    }


def take_study(study: Study) -> None:
    """Open the data that was read."""
    put_study(study)
    st.rerun()
