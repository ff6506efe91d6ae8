import streamlit as st

from padf_ui import frame
from padf_ui.components import tables, widgets
from padf_ui.data import data_page, detectors_page, story, timeline_page
from padf_ui.session.data import current_study, is_uploading
from padf_ui.session.settings import current_settings
from padf_ui.study import study_results
from padf_ui.upload import study_header, upload_page

frame.open_page("your_data")
study = current_study()
settings = current_settings()
with frame.title_row(
    "Your data", ("Compare detectors on your data: thresholds, delays, uncertainty.")
):
    st.space("stretch")
    study_header.data_menus(study)
with frame.slot("message"):
    widgets.show_message()
if study is None or is_uploading():
    upload_page.show_upload()
    st.stop()

with frame.slot("summary"):
    study_header.prepare(study)
    study_header.show_summary(study)
    story.show_story(study, settings)
timeline_page.detector_row(study, settings)
with frame.slot("timeline", lanes=len(settings.protocols())):
    timeline_page.show_timeline()

found = study_results.results_of(study, settings)
segments, thresholds, rule, detectors, away = tables.sections(
    "data_sections",
    "Segments and delays",
    "Thresholds",
    "Alert rule",
    "Compare detectors",
    "Export",
)
if segments.open:
    with segments:
        data_page.show_segments(study, found)
if thresholds.open:
    with thresholds:
        data_page.show_thresholds(study, settings)
if rule.open:
    with rule:
        data_page.show_rule(study, settings)
if detectors.open:
    with detectors:
        detectors_page.show_detectors(study, settings)
if away.open:
    with away:
        data_page.show_exports(study, settings)
