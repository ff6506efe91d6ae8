"""Timeline of Your data, and the widgets above it."""

from __future__ import annotations

import streamlit as st

from padf_core import Settings
from padf_ui.components import mounting
from padf_ui.data.timeline_message import timeline_rows
from padf_ui.server.cache import SMALL
from padf_ui.session import links
from padf_ui.session.asks import TIMELINE_KEY, answered, visit_name
from padf_ui.session.data import (
    LINK,
    current_study,
    set_choice,
    set_detector,
    set_follow,
    study_revision,
    take_timeline,
)
from padf_ui.session.settings import current_settings
from padf_ui.session.study import Study
from padf_ui.session.widget_values import bound
from padf_ui.study import descriptions, study_results
from padf_ui.wire.timeline import TimelineData


def show_timeline() -> None:
    """Show the timeline, with a fragment that answers its requests."""
    mounting.stand("timeline", TIMELINE_KEY)
    _answer_timeline()


@st.fragment
def _answer_timeline() -> None:
    """Send the timeline its data. Navigating it reruns only this fragment."""
    now, settings = current_study(), current_settings()
    if now is None:
        return
    threshold = now.threshold(settings)
    rows, sliders = SMALL.recall(
        ("timeline", now.series.key, now.chosen, threshold, settings, now.view),
        lambda: timeline_rows(now.series, now.detector, settings, threshold, now.view),
    )
    data: TimelineData = {
        "session": visit_name(),
        "revision": study_revision(),
        "answered": answered(TIMELINE_KEY),
        "rows": rows,
        "sliders": sliders,
    }
    mounting.send(TIMELINE_KEY, data, take_timeline)
    links.write(LINK)


def detector_row(study: Study, settings: Settings) -> None:
    """Show the selected detector, and a button for each protocol's best threshold."""
    names = descriptions.detector_names(study)
    detector, thresholds = st.columns([1, 3], gap="medium", vertical_alignment="bottom")
    with detector:
        st.selectbox(
            "Detector",
            range(len(names)),
            index=study.chosen,
            **bound("detector", study.chosen, set_detector),
            format_func=lambda index: names[index],
        )
    with thresholds:
        _threshold_buttons(study, settings)


def _threshold_buttons(study: Study, settings: Settings) -> None:
    if study.detector.is_binary:
        st.markdown(
            "This detector gives alarms instead of scores, so there is no threshold to choose."
        )
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown("Use the best threshold for", width="content")
        for point in study_results.best_points(study, settings):
            is_here = point.threshold == study.threshold(settings)
            st.button(
                f"{point.protocol.name}: {study.detector.short(point.threshold)}",
                key=f"best_{point.protocol.key}",
                type="primary" if is_here else "secondary",
                on_click=set_choice,
                args=(point.threshold,),
                help=f"F1 {point.f1:.3f} under {point.protocol.label}",
            )
        _follow_widget(study, settings)


def _follow_widget(study: Study, settings: Settings) -> None:
    """Ask whether the threshold follows a protocol's best as parameters change, or stays fixed."""
    names = {protocol.key: protocol.name for protocol in settings.protocols()}
    follows = study.choice if isinstance(study.choice, str) and study.choice in names else None
    st.selectbox(
        "When d or K changes, the threshold",
        [None, *names],
        index=[None, *names].index(follows),
        **bound("follow", follows, set_follow),
        width=230,
        format_func=lambda each: "stays the same" if each is None else f"follows {names[each]}",
    )
