"""Other corpora than the sample: a result that was made elsewhere, or files that are run here."""

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
"""What a result with the most rows takes while it is opened."""


def show_menu(now: OpenCorpus | None) -> None:
    """Show what opens from the title row."""
    # A new key closes a menu that has done its work.
    with st.popover("Open a result", key=f"corpus_open_{uploads_so_far()}"):
        _open_result()
    with st.popover("Run a corpus", key=f"corpus_ask_{uploads_so_far()}"):
        _ask_corpus()
    if now is not None:
        st.button("Back to NAB", on_click=put_corpus, args=(None,))


# Files are taken in fragments: a full run that starts drops Streamlit's answer to a new file.


@st.fragment
def _open_result() -> None:
    st.markdown(
        "A table that `padf corpus` wrote: CSV (gzip or not) or Parquet. It stays in this server's "
        "memory until the visit ends."
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
    """Take files, say what they seem to be, and begin."""
    st.markdown(
        "A folder of results as it lies, or tables with a label and a column per detector, one "
        "file per series, or one long table. JSON files of windows and of moments are labels and "
        f"onsets. Up to {MAX_MEGABYTES} MB; `padf corpus` takes any amount. The files lie in a "
        "temporary folder of this server until the visit ends."
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


_ALONE = " (a single series: at its own best)"


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
        calls = st.number_input("False alarms a day", 0.0, 1e6, 1.0, key="corpus_budget")
        return Rule("budget", calls).text
    if kind == "given":
        at = st.number_input("The threshold of every detector", value=0.5, key="corpus_threshold")
        return Rule("given", at).text
    return kind


def _ask_training() -> float:
    """Ask which first rows thresholds are chosen on, where names of files do not say it."""
    return st.number_input(
        "First rows to choose on: a share below 1, or a number of rows",
        0.0,
        1e7,
        0.0,
        key="corpus_train",
        help="0: as the names of the files say it (tr_1007)",
    )


def _prepared(files: Sequence[Any], rule: str, options: ReadOptions) -> CorpusRun:
    """Lay uploaded files where they can be read piece by piece, and find out what they are."""
    size = sum(file.size for file in files)
    if size > MAX_MEGABYTES * 1_000_000:
        raise TableError(f"more than {MAX_MEGABYTES} MB: padf corpus takes any amount")
    folder = tempfile.TemporaryDirectory(prefix=temporary_folders.prefix())
    inside, said = Path(folder.name), []
    for file in files:
        path = inside.joinpath("files", *_safe(file.name))
        if path.suffix.lower() == ".json":
            path = inside.joinpath("labels", "-".join(_safe(file.name)))
            said.append(path)
            if file.size > MAX_LABEL_MEGABYTES * 1_000_000:
                raise TableError(
                    f"{shown(file.name)}: labels and onsets may have {MAX_LABEL_MEGABYTES} MB"
                )
        _lay(path, file)
    if len(said) == len(files):
        raise TableError("these are only JSON files: upload the scores as well")
    with progress("Looking at the files") as report:
        corpus = sandboxed.open_corpus(inside / "files", inside / "rows", options, said, report)
    if rule == "others":
        # A series that is alone has no others; the command falls back in the same way.
        rule = corpus.usual_rule.text
    return CorpusRun(
        _name_of(corpus), corpus, current_settings(), rule, inside / "kept", folder, size
    )


def _lay(path: Path, file: Any) -> None:
    """Write an upload; two of the same name, or a name that no disk takes, are refused."""
    if path.exists():
        raise TableError(f"two files would be called {shown(path.name)}: rename one of them")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.getvalue())
    except OSError as error:
        raise TableError(
            f"{shown(file.name)}: cannot be laid down under this name ({error.strerror})"
        ) from None


def _name_of(corpus: Corpus) -> str:
    """Say what was taken for what: the layout, where labels come from, which rows do not count."""
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
    """Return the parts of a path that somebody sent, none of which leads out of the folder."""
    parts = [re.sub(r"[^\w .()%+=@,-]", "_", part) for part in re.split(r"[/\\]", name)]
    kept = [part for part in parts if part.strip(". ")]
    return kept or ["file"]


def show_run() -> None:
    """Run what is to be run, with progress and a way to stop; what is done is kept."""
    now = corpus_run()
    if now is None:
        return
    place = st.empty()
    with place.container(border=True):
        done = f"{len(now.corpus.series)} series, {len(now.corpus.detectors)} detectors"
        if not now.is_wanted:
            tell(f"Stopped. What was done on {done} is kept.")
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
    with errors_shown("The corpus was not run."):
        raise failed
