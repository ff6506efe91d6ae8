"""Open a saved corpus result, or upload files and score them here."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from padf_core.corpus import sandboxed
from padf_core.corpus.corpus import Corpus
from padf_core.corpus.rules import ABOUT as RULES
from padf_core.corpus.rules import Kind, Rule
from padf_core.io.errors import TableError
from padf_core.io.options import MOST_PROBATION, PROBATION, Missing, Order, ReadOptions
from padf_ui.components.progress import errors_shown, progress
from padf_ui.components.terms import tell
from padf_ui.server import temporary_folders
from padf_ui.server.memory import BUDGET, limit
from padf_ui.session.corpus import (
    CorpusRun,
    OpenCorpus,
    corpus_run,
    put_corpus,
    put_corpus_run,
    read_uploaded,
    want_corpus_run,
)
from padf_ui.session.data import uploads_so_far
from padf_ui.session.screen_names import shown
from padf_ui.session.settings import current_settings
from padf_ui.session.widget_values import uploaded
from padf_ui.upload import column_questions

MAX_MEGABYTES = 200
MAX_LABEL_MEGABYTES = 5
RESULT_BYTES = 400 << 20
"""Memory needed to open the largest allowed result."""


def show_menu(now: OpenCorpus | None) -> None:
    """Show the menus of the title row."""
    # A new key closes the menu once its upload is done.
    with st.popover("Open a result", key=f"corpus_open_{uploads_so_far()}"):
        _open_result()
    with st.popover("Run a corpus", key=f"corpus_ask_{uploads_so_far()}"):
        _ask_corpus()
    if now is not None:
        st.button("Back to NAB", on_click=put_corpus, args=(None,))


# Uploads run in fragments, because a full run that starts discards Streamlit's response to a new
# file.


@st.fragment
def _open_result() -> None:
    st.markdown(
        "A table that `padf corpus` wrote: CSV (gzip or not) or Parquet. The server keeps it in "
        "memory until your visit ends."
    )
    file = st.file_uploader(
        "A result",
        key=f"corpus_result_{uploads_so_far()}",
        max_upload_size=MAX_MEGABYTES,
        label_visibility="collapsed",
    )
    if file is not None:
        with errors_shown():
            with BUDGET.reserve(RESULT_BYTES), progress("Reading the result"):
                opened = read_uploaded(file.getvalue(), shown(file.name), current_settings())
            put_corpus(opened)
            st.rerun()


@st.fragment
def _ask_corpus() -> None:
    """Take uploaded files, ask how to read them, and start the run."""
    st.markdown(
        "Upload a folder of results, one table per series with a label and a column per "
        "detector, or one long table. JSON files with windows are read as labels, and those with "
        f"moments as onsets. Up to {MAX_MEGABYTES} MB; the command `padf corpus` has no limit. "
        "The server keeps the files in a temporary folder until your visit ends."
    )
    whole = st.toggle("A whole folder", key=f"corpus_folder_{uploads_so_far()}", value=True)
    key = f"corpus_files_{uploads_so_far()}_{whole}"
    st.file_uploader(
        "Files of a corpus",
        key=key,
        max_upload_size=MAX_MEGABYTES,
        label_visibility="collapsed",
        accept_multiple_files="directory" if whole else True,
    )
    rule = _ask_rule()
    skips = st.toggle(
        f"Ignore the first {PROBATION:.0%} of each series, at most {MOST_PROBATION} rows",
        key="corpus_probation",
    )
    order: Order = st.selectbox(
        "Out-of-order timestamps",
        tuple(column_questions.ORDERS),
        format_func=column_questions.ORDERS.__getitem__,
        key="corpus_order",
    )
    missing: Missing = st.selectbox(
        "Missing scores",
        tuple(column_questions.MISSING),
        format_func=column_questions.MISSING.__getitem__,
        key="corpus_missing",
    )
    train = _ask_training() if rule == "train" else 0.0
    files = uploaded(key)
    if st.button("Run", type="primary", disabled=not files, key="corpus_run") and files:
        options = ReadOptions(
            probation=PROBATION if skips else 0.0, train=train, order=order, missing=missing
        )
        with errors_shown():
            put_corpus_run(_prepared(files, rule, options))
            st.rerun()


_ALONE = " (a single series uses its own best threshold)"


def _ask_rule() -> str:
    """Ask how thresholds are chosen."""
    kinds = list(RULES)
    kind: Kind = st.selectbox(
        "Thresholds",
        kinds,
        index=kinds.index("others"),
        format_func=lambda each: f"{each}: {RULES[each]}{_ALONE if each == 'others' else ''}",
        key="corpus_rule",
    )
    if kind == "budget":
        calls = st.number_input("False alarms per day", 0.0, 1e6, 1.0, key="corpus_budget")
        return Rule("budget", calls).text
    if kind == "given":
        at = st.number_input("Threshold for all detectors", value=0.5, key="corpus_threshold")
        return Rule("given", at).text
    return kind


def _ask_training() -> float:
    """Ask for the training rows, if the file names do not contain their number."""
    return st.number_input(
        "Training rows: a share below 1, or a number of rows",
        0.0,
        1e7,
        0.0,
        key="corpus_train",
        help="0: use the number in the file names (tr_1007)",
    )


def _prepared(files: Sequence[Any], rule: str, options: ReadOptions) -> CorpusRun:
    """Write uploaded files to a temporary folder and detect their layout."""
    size = sum(file.size for file in files)
    if size > MAX_MEGABYTES * 1_000_000:
        raise TableError(f"more than {MAX_MEGABYTES} MB; use the command padf corpus for more")
    folder = tempfile.TemporaryDirectory(prefix=temporary_folders.prefix())
    inside, said = Path(folder.name), []
    for file in files:
        path = inside.joinpath("files", *_safe(file.name))
        if path.suffix.lower() == ".json":
            path = inside.joinpath("labels", "-".join(_safe(file.name)))
            said.append(path)
            if file.size > MAX_LABEL_MEGABYTES * 1_000_000:
                raise TableError(
                    f"{shown(file.name)}: files with labels or onsets may have at most "
                    f"{MAX_LABEL_MEGABYTES} MB"
                )
        _lay(path, file)
    if len(said) == len(files):
        raise TableError("these are only JSON files; upload the scores as well")
    with progress("Looking at the files") as report:
        corpus = sandboxed.open_corpus(inside / "files", inside / "rows", options, said, report)
    if rule == "others":
        # With a single series there are no other series. The command has the same fallback.
        rule = corpus.usual_rule.text
    return CorpusRun(
        _name_of(corpus), corpus, current_settings(), rule, inside / "kept", folder, size
    )


def _lay(path: Path, file: Any) -> None:
    """Write an uploaded file. Reject duplicate names and names that the disk does not accept."""
    if path.exists():
        raise TableError(f"two files have the same name: {shown(path.name)}; rename one of them")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.getvalue())
    except OSError as error:
        raise TableError(
            f"{shown(file.name)}: cannot be saved under this name ({error.strerror})"
        ) from None


def _name_of(corpus: Corpus) -> str:
    """Describe how the files were read: layout, source of the labels and ignored rows."""
    series = corpus.plan.series
    words = ["Your files", f"layout {corpus.layout}"]
    if any(each.windows for each in series):
        words.append("labels from windows")
    if any(each.moments for each in series):
        words.append("incidents begin at the labelled moment")
    if corpus.options.probation:
        words.append(f"without the first {corpus.options.probation:.0%} of each series")
    return ", ".join(words)


def _safe(name: str) -> list[str]:
    """Split an uploaded path into parts that cannot leave the folder."""
    parts = [re.sub(r"[^\w .()%+=@,-]", "_", part) for part in re.split(r"[/\\]", name)]
    kept = [part for part in parts if part.strip(". ")]
    return kept or ["file"]


def show_run() -> None:
    """Run the corpus, with a progress bar and a Stop button.

    Results of finished series are kept.
    """
    now = corpus_run()
    if now is None:
        return
    place = st.empty()
    with place.container(border=True):
        done = f"{len(now.corpus.series)} series, {len(now.corpus.detectors)} detectors"
        if not now.is_wanted:
            tell(f"Stopped. The results for {done} are kept.")
            with st.container(horizontal=True):
                st.button("Go on", type="primary", on_click=want_corpus_run, args=(True,))
                st.button("Forget it", on_click=put_corpus_run, args=(None,))
            return
        tell(f"Running: {done}.")
        bar = st.progress(0.0)
        st.button("Stop", on_click=want_corpus_run, args=(False,))
        try:
            with BUDGET.reserve(now.needed):
                made = now.run(
                    lambda share: bar.progress(min(1.0, share), f"{share:.0%}"), limit() // 2
                )
        except ValueError as error:
            put_corpus_run(None)
            place.empty()
            failed = error
        else:
            put_corpus(made)
            st.rerun()
    with errors_shown("The corpus was not scored."):
        raise failed
