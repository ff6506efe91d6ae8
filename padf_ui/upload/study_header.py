"""Header of pages about uploaded data: summary, menus and onset."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from padf_core import Settings
from padf_core.io.series import Detector
from padf_core.metrics.checks import no_progress
from padf_ui.components import widgets
from padf_ui.components.names import plain
from padf_ui.components.progress import progress
from padf_ui.server.cache import SMALL
from padf_ui.session import links
from padf_ui.session.changes import put_message
from padf_ui.session.data import (
    LINK,
    answer_foreign_link,
    has_foreign_link,
    invert_detector,
    is_uploading,
    set_onset,
    set_uploading,
)
from padf_ui.session.screen_names import shown
from padf_ui.session.settings import current_settings
from padf_ui.session.study import Study
from padf_ui.session.widget_values import bound
from padf_ui.study import descriptions, study_results
from padf_ui.upload.column_questions import LARGE_ROWS


def prepare(study: Study, *, every: bool = False) -> None:
    """Sort the scores that are needed, with a progress bar for long series.

    A short series has all its scores sorted, and so has a page that compares ``every`` detector.
    Otherwise only the selected detector is sorted, and others when they are needed.
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
    """Describe the data, and show warnings about them."""
    series = study.series
    st.markdown(
        f"**{plain(descriptions.data_title(study))}** · {plain(descriptions.summary(series))}"
    )
    if study.onset.is_moved:
        st.markdown(f"**Onset moved.** {descriptions.onset_text(study.onset, series)}")
    warnings, turned = SMALL.recall(
        ("warnings", series.key),
        lambda: (
            descriptions.warnings_of(series),
            [at for at, detector in enumerate(series.detectors) if detector.is_upside_down],
        ),
    )
    for warning in warnings:
        st.warning(warning)
    for index in turned:
        _ask_to_turn(index, series.detectors[index])
    if has_foreign_link():
        _ask_about_link()


def _ask_to_turn(index: int, detector: Detector) -> None:
    """Ask whether low scores of a detector are the anomalous ones."""
    name = plain(shown(detector.name))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.warning(
            f"{name} ranks normal points above anomalous ones (ROC area {detector.roc_auc:.3f}). "
            "Are its low scores the alarming ones?"
        )
        st.button(
            "Yes, invert the score",
            key=f"turn_{index}",
            on_click=invert_detector,
            args=(index,),
        )


def _ask_about_link() -> None:
    """Ask whether to use thresholds that were chosen for other data."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.warning("This link was made for other data, so its thresholds and view are not used.")
        st.button("Use them anyway", on_click=answer_foreign_link, args=(True,))
        st.button("Forget them", on_click=answer_foreign_link, args=(False,))


def data_menus(study: Study | None) -> None:
    """Show the menus in the title row of a page about uploaded data."""
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
    """Ask where segments begin, and how earlier alarms count."""
    now = study.onset
    st.markdown(
        "**Where segments begin.** Labels may begin before or after the event. Delay is counted "
        "from the onset you set here; points before a later onset become normal."
    )
    _onset_number("Move the onset later by (negative: earlier)", "shift", now.shift, -1e12)
    _onset_choice("counted in", "unit", now.unit, _SHIFT_UNITS)
    _onset_number("An early window before it", "early", now.early, 0.0)
    early_units = {key: _SHIFT_UNITS[key] for key in ("rows", "seconds")}
    _onset_choice("window unit", "early_unit", now.early_unit, early_units)
    _onset_choice(
        "An alarm in that window",
        "early_alarms",
        now.early_alarms,
        {
            "on_time": "counts as a hit with no delay",
            "nothing": "does not count (neither hit nor false alarm)",
        },
    )


def _take_onset(name: str, value: Any) -> None:
    try:
        set_onset(**{name: value})
    except ValueError as error:
        put_message(f"The onset is unchanged: {error}.")


def _onset_number(label: str, name: str, value: float, low: float) -> None:
    st.number_input(
        label,
        low,
        1e12,
        float(value),
        **bound(f"onset_{name}", value, partial(_take_onset, name)),
    )


def _onset_choice(label: str, name: str, value: str, options: Mapping[str, str]) -> None:
    st.selectbox(
        label,
        list(options),
        index=list(options).index(value),
        **bound(f"onset_{name}", value, partial(_take_onset, name)),
        format_func=options.__getitem__,
    )
