"""The ways in which people bring their data, and what they are told when something is wrong."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import streamlit as st

from padf_core import Settings
from padf_core.io import sandbox
from padf_core.io.columns import word_of
from padf_core.io.guess import Guess, guess
from padf_core.io.incidents import lay_on_grid, read_alerts, read_incidents, usual_step
from padf_core.io.options import (
    MAX_DETECTORS,
    PROBATION,
    Missing,
    Order,
    ReadOptions,
)
from padf_core.io.read import needed_bytes
from padf_core.io.series import Detector
from padf_core.io.sources import Source
from padf_core.io.tables import (
    MAX_ROWS,
    MissingError,
    OrderError,
    TableError,
    TableFile,
    open_table,
)
from padf_core.io.times import parse_moment
from padf_core.metrics.checks import no_progress
from padf_ui.components import downloads, widgets
from padf_ui.components.names import plain, shown
from padf_ui.components.progress import explained, progress
from padf_ui.components.words import plural
from padf_ui.server.cache import SMALL
from padf_ui.server.memory import BUDGET
from padf_ui.session import links
from padf_ui.session.data import (
    LINK,
    answer_question,
    answer_strange_link,
    answers_to,
    has_strange_link,
    invert_detector,
    is_uploading,
    looked_at,
    open_sample,
    put_study,
    set_onset,
    set_uploading,
    takes_answer,
    uploader_key,
    uploads_so_far,
    waits_for_data,
)
from padf_ui.session.settings import current_settings
from padf_ui.session.steps import CLOCK_STEPS
from padf_ui.session.store import put_message, take_choice, uploaded, widget_key
from padf_ui.session.study import SAMPLES, Origin, Study
from padf_ui.study import study_results, study_tables

MAX_MEGABYTES = 500
MAX_EVENT_MEGABYTES = 50
PREVIEW_ROWS = 6
NONE = "(none)"
EVERY = "(all, one after another)"
FEW_LEFT = 8
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


def show_templates(*names: str) -> None:
    """Offer files to fill in."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("Templates:", width="content")
        for name in names:
            file, content = TEMPLATES[name]
            downloads.offer(name, content, file, "text/csv", key=f"template_{name}")


# ---- a table -----------------------------------------------------------------------------------

# Files are taken in fragments. When a full run starts, Streamlit drops what the browser waits for
# before it uploads a file that was just chosen, and the file is lost. Runs of a fragment keep it.


@dataclass(frozen=True, eq=False)
class _Picked:
    """A table that somebody brought, and what they say of its columns and rows."""

    table: TableFile
    options: ReadOptions
    kind: Literal["file", "pasted"]
    name: str


def upload_table() -> None:
    """Take files, show what they seem to hold, and read them on demand."""
    _read_on_demand(_pick_files())


@st.fragment
def _pick_files() -> _Picked | None:
    st.markdown(
        "One row per point in time, with a label and one column per detector: scores, or 0/1 for "
        "its alarms. CSV with comma, semicolon, tab or |, gzip or not, Parquet, JSON or .npy. "
        "Several files are joined by their times, or by row where there are none, and named after "
        "file or folder: results of detectors, labels, windows. "
        f"Up to {MAX_MEGABYTES} MB and {MAX_ROWS:,} rows. They stay in this "
        "server's memory until a minute after the visit."
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
        with explained():
            ids = " ".join(file.file_id for file in files)
            table = looked_at(f"files {ids}", partial(_look_at, files))
            name = files[0].name if len(files) == 1 else table.name
            return _choose(table, "file", name, sum(file.size for file in files))
    return None


def _look_at(files: Sequence[Any]) -> TableFile:
    """Look at one table, or join several files."""
    return sandbox.look([Source(shown(file.name), partial(_content, file)) for file in files])


def _content(file: Any) -> io.BytesIO:
    """Return what was uploaded, from its start; the bytes themselves are not copied."""
    return io.BytesIO(file.getvalue())


def paste_table() -> None:
    """Take a small table as text."""
    text = st.text_area(
        "Paste rows with or without a header, as from a spreadsheet",
        key=f"pasted_{uploads_so_far()}",
        height=180,
        max_chars=2_000_000,
        placeholder=TEMPLATES["Table"][1],
    )
    if text.strip():
        with explained():
            look = partial(open_table, text.encode(errors="replace"), "pasted table")
            table = looked_at(f"text {hash(text)}", look)
            _read_on_demand(_choose(table, "pasted", "pasted table", table.size))


def _choose(table: TableFile, kind: Literal["file", "pasted"], name: str, size: int) -> _Picked:
    """Show the guess and the first rows; people change it, or take it."""
    if not table.is_parquet and table.frame is None:
        key = f"header_{kind}_{uploads_so_far()}"
        has_header = st.checkbox("The first row holds the names", table.has_header, key=key)
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
        f"of memory beside the {max(1, round(size / 2**20)):,} MB that were brought"
        f"{'; this is a large file, so give it a minute' if rows > 20 * LARGE_ROWS else ''}."
    )
    # Reading can be stopped, which a fragment's run cannot: a full run does it.
    if st.button(
        "Use this table",
        type="primary",
        key=f"use_{kind}",
        on_click=answer_question,
        args=(name, {}),
    ):
        st.rerun()
    return _Picked(table, options, kind, name)


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
        time = one("Time", found.options.time, "Rising times; without, delays are counted in steps")
        series = one(
            "Series",
            found.options.series,
            "Names the series of each row, where there are several: none is joined to another",
        )
        only = None
        if series:
            only = _ask_series(found, series, base)
    with third:
        value = one("Signal", found.options.value, "What was monitored; only drawn, never scored")
        ignore = one("Ignored rows", found.options.ignore, "1 in rows that are in no score, else 0")
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
        long = one("Detector of each row", found.options.detector, "Names each row's detector")
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
    """Ask which entry means an anomaly, where labels are not 0 and 1."""
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
    """Ask which series is wanted."""
    look = found.kinds[series]
    words = sorted({word_of(value) for value in look.head.dropna().unique()})
    seen = "" if look.is_whole else ". Listed are those of the rows that were looked at"
    chosen = st.selectbox(
        "Which series?",
        [EVERY, *words],
        key=f"only_{series}_{base}",
        format_func=shown,
        help=f"All of them: one after another, and no segment goes from one into the next{seen}",
    )
    return None if chosen == EVERY else chosen


def _tell_left_out(found: Guess, detectors: Sequence[str]) -> None:
    """List the columns that are not taken for detectors, each with its reason."""
    left = {name: why for name, why in found.left_out.items() if name not in detectors}
    if not left:
        return
    with st.expander(
        f"{len(left)} {plural(len(left), 'column is', 'columns are')} not taken for a detector; "
        "add what is one",
        expanded=len(left) <= FEW_LEFT,
    ):
        st.markdown("\n".join(f"- **{plain(name)}**: {plain(why)}" for name, why in left.items()))


MISSING: dict[Missing, str] = {
    "refuse": "are an error",
    "ignore": "ignore their rows, for all detectors",
    "quiet": "treat them as no alarm",
    "drop": "leave out the detectors that have any",
}
ORDERS: dict[Order, str] = {
    "refuse": "are an error",
    "keep": "keep the file's order",
    "sort": "sort the rows by time",
    "first": "sort the rows, and keep the first row of each time",
}


def _row_widgets(options: ReadOptions, base: str) -> ReadOptions:
    """Ask which rows are ignored, and about missing scores and out-of-order timestamps."""
    with st.expander("Ignored rows, missing scores, out-of-order timestamps", expanded=False):
        first, second = st.columns(2)
        with first:
            skip = st.number_input(
                "First rows to ignore",
                0,
                MAX_ROWS,
                options.training,
                key=f"skip_{base}",
                help="Of each series: a training part or a warm-up",
            )
            probation = st.checkbox(
                "Also NAB's probation: the first 15 %, at most 750 rows", key=f"nab_{base}"
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
        since=_moment(since, "Ignore rows before this time") if options.time else None,
        missing=missing,
        order=order,
        low=tuple(low),
    )


def _read_on_demand(picked: _Picked | None) -> None:
    """Read what was picked once somebody has asked for it."""
    if picked is None or not takes_answer(picked.name):
        return
    table, name = picked.table, picked.name
    options = replace(picked.options, **answers_to(name))
    with explained():
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
            _take(Study.of(series, origin, current_settings()))


def _ask(name: str, error: TableError, ways: Mapping[str, Mapping[str, str]]) -> None:
    """Say what is in the way, with every way out as a button."""
    st.error(plain(f"{error}. Nothing has been changed."))
    with st.container(horizontal=True):
        for text, answer in ways.items():
            if "refuse" not in answer.values():
                st.button(text, on_click=answer_question, args=(name, answer))


def _ways_to_order(error: OrderError) -> dict[str, dict[str, str]]:
    """Say of each way what it will do to these rows."""
    repeated = f"{error.repeated:,} {plural(error.repeated, 'row', 'rows')}"
    return {
        "Keep the file's order": {"order": "keep"},
        f"Sort by time; {error.backward:,} times go backward": {"order": "sort"},
        f"Sort, and drop {repeated} that repeat a time": {"order": "first"},
    }


def _take(study: Study) -> None:
    put_study(study)
    st.rerun()


# ---- incidents and alerts ------------------------------------------------------------------------


@st.fragment
def upload_events() -> None:
    """Take incidents and alerts, and lay them on a clock grid."""
    st.markdown(
        "When was something wrong, and when did a detector speak? Two tables of times are enough. "
        "They are laid on a clock: a step is anomalous when an incident touches it, and an alarm "
        "when an alert falls into it."
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
            "One step of the clock",
            list(CLOCK_STEPS),
            index=list(CLOCK_STEPS).index(usual),
            key=f"step_{count}_{usual}",
            help="Proposed is the longest that tells all times apart. A finer step tells delays "
            "more exactly; a coarser one forgives near misses.",
        )
        ends_included = st.checkbox(
            "The end belongs to an incident",
            key=f"ends_{count}",
            help="Whether the step that begins with an incident's end is anomalous, too.",
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
                read_incidents(_events(incidents)),
                read_alerts(_events(alerts)),
                CLOCK_STEPS[step],
                _moment(begin, "Watched from"),
                _moment(end, "Watched to"),
                ends_included=ends_included,
            )
            _take(Study.of(series, Origin("events", series.name), current_settings()))


def _events(file: Any) -> TableFile:
    """Look at a table of times; the uploader's limit holds in the browser alone."""
    if file.size > MAX_EVENT_MEGABYTES << 20:
        raise TableError(f"{shown(file.name)}: is larger than {MAX_EVENT_MEGABYTES} MB")
    return open_table(file, shown(file.name))


def _usual_step(incidents: Any, alerts: Any) -> str:
    """Return the step that suits the times of both files, as far as they can be read."""
    names, steps = list(CLOCK_STEPS), list(CLOCK_STEPS.values())
    if incidents and alerts:
        with suppress(ValueError):
            step = SMALL.recall(
                ("usual step", incidents.file_id, alerts.file_id),
                lambda: usual_step(
                    read_incidents(_events(incidents)),
                    read_alerts(_events(alerts)),
                    steps,
                ),
            )
            return names[steps.index(step)]
    return names[2]


def _moment(text: str, label: str) -> int | None:
    if not text.strip():
        return None
    try:
        return parse_moment(text)
    except TableError as error:
        raise TableError(f"{label}: {error}") from None


# ---- what was brought ----------------------------------------------------------------------------


def prepare(study: Study, *, every: bool = False) -> None:
    """Sort the scores that are looked at, with a bar when there are many.

    Those of the other detectors are sorted when they are asked for; a short series has them all,
    and so has a page that compares ``every`` one.
    """
    if study.series.size * len(study.series.detectors) < LARGE_ROWS:
        study_results.rank_all(study, no_progress)
    elif every and not study.is_all_ranked:
        with progress("Sorting the scores") as report:
            study_results.rank_all(study, report)
    elif not study.is_ranked(study.chosen):
        with progress("Sorting the scores") as report:
            report(0.1)
            study_results.rank_one(study, study.chosen)
    links.write(LINK)


def show_summary(study: Study) -> None:
    """Say what was read, and what should be known about it."""
    series = study.series
    st.markdown(
        f"**{plain(study_tables.names_of(study))}** · {plain(study_tables.summary(series))}"
    )
    if study.onset.is_moved:
        st.markdown(f"**Onset moved.** {study_tables.onset_text(study.onset, series)}")
    told, turned = SMALL.recall(
        ("warnings", series.key),
        lambda: (
            study_tables.warnings_of(series),
            [at for at, detector in enumerate(series.detectors) if detector.is_upside_down],
        ),
    )
    for warning in told:
        st.warning(warning)
    for index in turned:
        _ask_to_turn(index, series.detectors[index])
    if has_strange_link():
        _ask_about_link()


def _ask_to_turn(index: int, detector: Detector) -> None:
    """Ask whether the low scores of a detector are the alarming ones."""
    name = plain(shown(detector.name))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.warning(
            f"{name} ranks normal points above anomalous ones (ROC area {detector.roc_auc:.3f}). "
            "Are its low scores the alarming ones?"
        )
        st.button(
            "Yes, turn it round",
            key=f"turn_{index}",
            on_click=invert_detector,
            args=(index,),
        )


def _ask_about_link() -> None:
    """Ask whether thresholds that were chosen for other data are wanted."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.warning("This link was made for other data: its thresholds and view are not used.")
        st.button("Use them all the same", on_click=answer_strange_link, args=(True,))
        st.button("Forget them", on_click=answer_strange_link, args=(False,))


def data_menus(study: Study | None) -> None:
    """Show what opens from the title row of a page about brought data."""
    settings = current_settings()
    widgets.menu("Rules", partial(_rules, study, settings))
    widgets.menu("Lanes", partial(widgets.lane_widget, settings))
    if study is None:
        return
    if is_uploading():
        st.button("Back to the data", on_click=set_uploading, args=(False,))
    else:
        st.button("Other data", on_click=set_uploading, args=(True,))


def _rules(study: Study | None, settings: Settings) -> None:
    widgets.rule_widgets(settings)
    if study is not None:
        _onset_widgets(study)
    widgets.settings_file()


_SHIFT_UNITS: dict[str, str] = {
    "rows": "rows",
    "seconds": "seconds",
    "share": "parts of the segment",
}


def _onset_widgets(study: Study) -> None:
    """Ask where incidents begin, and what an alarm before that counts as."""
    now = study.onset
    st.markdown(
        "**Where segments begin.** Labels may begin before the event, or after it. A moved onset "
        "is where delay is counted from; what lies before a later onset is normal again."
    )
    _onset_number("Move the onset later by (below 0: earlier)", "shift", now.shift, -1e12)
    _onset_choice("counted in", "unit", now.unit, _SHIFT_UNITS)
    _onset_number("An early window before it", "early", now.early, 0.0)
    early_units = {key: _SHIFT_UNITS[key] for key in ("rows", "seconds")}
    _onset_choice("the window counted in", "early_unit", now.early_unit, early_units)
    _onset_choice(
        "An alarm in that window",
        "early_alarms",
        now.early_alarms,
        {"on_time": "counts as on time", "nothing": "counts as nothing, neither hit nor false"},
    )


def _take_onset(name: str, value: Any) -> None:
    try:
        set_onset(**{name: value})
    except ValueError as error:
        put_message(f"The onset stays as before: {error}.")


def _onset_number(label: str, name: str, value: float, low: float) -> None:
    key = widget_key(f"onset_{name}", value)
    st.number_input(
        label,
        low,
        1e12,
        float(value),
        key=key,
        on_change=take_choice,
        args=(f"onset_{name}", key, partial(_take_onset, name)),
    )


def _onset_choice(label: str, name: str, value: str, options: Mapping[str, str]) -> None:
    key = widget_key(f"onset_{name}", value)
    st.selectbox(
        label,
        list(options),
        index=list(options).index(value),
        key=key,
        format_func=options.__getitem__,
        on_change=take_choice,
        args=(f"onset_{name}", key, partial(_take_onset, name)),
    )


def show_ways_in() -> None:
    """Show every way to bring data; what is there stays until other data have been read."""
    if waits_for_data():
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
