import streamlit as st

from padf_ui import frame
from padf_ui.bringing import ways
from padf_ui.data import story, view
from padf_ui.session.data import current_study, is_uploading
from padf_ui.session.settings import current_settings
from padf_ui.shared import tables, widgets
from padf_ui.study import results

frame.open_page("your_data")
study = current_study()
settings = current_settings()
with frame.title_row("Your data", "Which detector is best, at which threshold, and says who?"):
    st.space("stretch")
    ways.data_menus(study)
with frame.slot("message"):
    widgets.show_message()
if study is None or is_uploading():
    ways.show_ways_in()
    st.stop()

with frame.slot("summary"):
    ways.prepare(study)
    ways.show_summary(study)
    story.show_story(study, settings)
view.detector_row(study, settings)
with frame.slot("timeline", lanes=len(settings.protocols())):
    view.show_timeline()

found = results.results_of(study, settings)
segments, thresholds, rule, detectors, away = tables.sections(
    "data_sections",
    "Segments and delays",
    "Thresholds",
    "As an alert rule",
    "Compare detectors",
    "Take it away",
)
if segments.open:
    with segments:
        view.show_segments(study, found)
if thresholds.open:
    with thresholds:
        view.show_thresholds(study, settings)
if rule.open:
    with rule:
        view.show_rule(study, settings)
if detectors.open:
    with detectors:
        view.show_detectors(study, settings)
if away.open:
    with away:
        view.take_away(study, settings)
