"""Other corpora than the sample: a result that was made elsewhere, or files that are run here."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from padf_core.corpus.corpus import Corpus
from padf_core.corpus.rules import ABOUT as RULES
from padf_core.corpus.rules import Kind, rule_of
from padf_core.corpus.series_rows import Taking
from padf_core.corpus.stores import MemoryStore
from padf_core.data.bundle import Source, Windows, read_json
from padf_core.data.roles import MOST_PROBATION, PROBATION
from padf_core.data.tables import TableError
from padf_ui.session import state
from padf_ui.session.corpus import CorpusRun, OpenCorpus, read_uploaded
from padf_ui.shared.names import shown
from padf_ui.shared.progress import explained
from padf_ui.shared.terms import tell

MAX_MEGABYTES = 200
CHOICES: tuple[Kind, ...] = ("common", "best", "others", "budget")
"""The rules that can be chosen on the page."""


def show_menu(now: OpenCorpus | None) -> None:
    """Show what opens from the title row."""
    # A new key closes a menu that has done its work.
    with st.popover("Open a result", key=f"corpus_open_{state.brought()}"):
        _open_result()
    with st.popover("Run a corpus", key=f"corpus_ask_{state.brought()}"):
        _ask_corpus()
    if now is not None:
        st.button("Back to NAB", on_click=state.put_corpus, args=(None,))


def _open_result() -> None:
    st.markdown(
        "A table that `padf corpus` wrote: CSV (gzip or not) or Parquet. It stays in this server's "
        "memory until the visit ends."
    )
    file = st.file_uploader(
        "A result",
        key=f"corpus_result_{state.brought()}",
        max_upload_size=MAX_MEGABYTES,
        label_visibility="collapsed",
    )
    if file is not None:
        with explained():
            state.put_corpus(read_uploaded(file.getvalue(), shown(file.name), state.settings()))
            st.rerun()


def _ask_corpus() -> None:
    """Take files, say what they seem to be, and begin."""
    st.markdown(
        "A folder of results as it lies, or tables with a label and a column per detector, one "
        "file per series, or one long table. JSON files of windows and of moments are labels and "
        f"onsets. Up to {MAX_MEGABYTES} MB; `padf corpus` takes any amount. The files lie in a "
        "temporary folder of this server until the visit ends."
    )
    whole = st.toggle("A whole folder", key=f"corpus_folder_{state.brought()}", value=True)
    key = f"corpus_files_{state.brought()}_{whole}"
    st.file_uploader(
        "Files of a corpus",
        key=key,
        max_upload_size=MAX_MEGABYTES,
        label_visibility="collapsed",
        accept_multiple_files="directory" if whole else True,
    )
    kind = st.selectbox(
        "Thresholds", CHOICES, format_func=lambda each: f"{each}: {RULES[each]}", key="corpus_rule"
    )
    budget = 1.0
    if kind == "budget":
        budget = st.number_input("False alarms a day", 0.0, 1e6, 1.0, key="corpus_budget")
    skips = st.toggle(
        f"The first {PROBATION:.0%} of each series, at most {MOST_PROBATION} rows, do not count",
        key="corpus_probation",
        value=True,
    )
    files = state.uploaded(key)
    if st.button("Run", type="primary", disabled=not files, key="corpus_run") and files:
        with explained():
            rule = rule_of(f"budget:{budget}" if kind == "budget" else kind).text
            state.put_corpus_run(_prepared(files, rule, PROBATION if skips else 0.0))
            st.rerun()


def _prepared(files: Sequence[Any], rule: str, probation: float) -> CorpusRun:
    """Lay uploaded files where they can be read piece by piece, and find out what they are."""
    if sum(file.size for file in files) > MAX_MEGABYTES * 1_000_000:
        raise TableError(f"more than {MAX_MEGABYTES} MB: padf corpus takes any amount")
    folder = tempfile.TemporaryDirectory(prefix="padf-corpus-")
    windows = moments = None
    for file in files:
        path = Path(folder.name, "files", *_safe(file.name))
        is_labels = path.suffix.lower() == ".json"
        if is_labels:
            path = Path(folder.name, "labels", "-".join(_safe(file.name)))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.getvalue())
        if is_labels:
            said = _windows(path)
            if said is not None and said.are_moments:
                moments = path
            elif said is not None:
                windows = path
    corpus = Corpus.from_files(
        Path(folder.name, "files"),
        labels=windows,
        onsets=moments,
        taking=Taking(probation=probation),
        folder=Path(folder.name, "rows"),
    )
    return CorpusRun(
        f"Your files, layout {corpus.layout}", corpus, state.settings(), rule, MemoryStore(), folder
    )


def _safe(name: str) -> list[str]:
    """Return the parts of a path that somebody sent, none of which leads out of the folder."""
    parts = [re.sub(r"[^\w .()%+=@,-]", "_", part) for part in re.split(r"[/\\]", name)]
    kept = [part for part in parts if part.strip(". ")]
    return kept or ["file"]


def _windows(path: Path) -> Windows | None:
    """Return what a JSON says of files; nothing where it is of something else."""
    try:
        read = read_json(Source.at(path))
    except TableError:
        return None
    return read if isinstance(read, Windows) else None


def show_run() -> None:
    """Run what is to be run, with progress and a way to stop; what is done is kept."""
    now = state.corpus_run()
    if now is None:
        return
    with st.container(border=True):
        done = f"{len(now.corpus.series)} series, {len(now.corpus.detectors)} detectors"
        if not now.is_wanted:
            tell(f"Stopped. What was done on {done} is kept.")
            with st.container(horizontal=True):
                st.button("Go on", type="primary", on_click=state.want_corpus_run, args=(True,))
                st.button("Forget it", on_click=state.put_corpus_run, args=(None,))
            return
        tell(f"Running: {done}.")
        bar = st.progress(0.0)
        st.button("Stop", on_click=state.want_corpus_run, args=(False,))
        with explained("The corpus was not run."):
            try:
                made = now.run(lambda share: bar.progress(min(1.0, share), f"{share:.0%}"))
            except ValueError:
                state.put_corpus_run(None)
                raise
            state.put_corpus(made)
            st.rerun()
