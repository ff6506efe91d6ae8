import streamlit as st

from padf_ui import frame
from padf_ui.components import random_score_table, tables, widgets
from padf_ui.components.terms import tell
from padf_ui.random_baseline import random_page
from padf_ui.session.data import current_study, is_uploading
from padf_ui.session.settings import current_settings
from padf_ui.upload import study_header, upload_page

frame.open_page("random_detector")
study = current_study()
with frame.title_row("Random detector", "How well does pure chance score?"):
    st.space("stretch")
    study_header.data_menus(study)
with frame.slot("message"):
    widgets.show_message()
if study is not None and is_uploading():
    upload_page.show_upload()
    st.stop()

settings = current_settings()
curves, highest, labels, drawn = tables.sections(
    "random_sections",
    "F1 over the threshold",
    "Best random F1",
    "On real labels",
    "Custom detector",
)

if curves.open:
    with curves:
        tell(
            "A uniform random score, as in Fig. 3 of the paper. Lines are closed forms, points "
            "with bars are simulated scores (mean ± standard deviation), and stars mark the "
            "maxima. The closed forms use expected counts. With few segments the simulated mean "
            "can be slightly lower."
        )
        setup = random_page.ask_setup()
        tell("**PA, for several segment lengths (Fig. 3a).** Long segments are easy to hit.")
        random_page.show_lengths(setup)
        tell("**PAdf, for several decay rates (Fig. 3b).** A late random hit is worth little.")
        random_page.show_rates(setup)

if highest.open:
    with highest:
        tell(
            "The best F1 that a random detector can reach if its alarm rate is tuned on the labels."
        )
        random_page.show_map(settings)

if labels.open:
    with labels:
        if study is None:
            st.markdown("Use the labels of a sample, or upload your own on Your data:")
            upload_page.show_samples()
        else:
            study_header.show_summary(study)
            random_page.show_on_labels(study, settings)
        st.markdown("**Table 5 of the paper:** the same for its data sets, over five runs.")
        random_score_table.show_printed_spread("table5")

if drawn.open:
    with drawn:
        tell(
            "Draw the probability of an alarm at each point. Let p(t) be the probability of no "
            "alarm. The expected credit of a segment is the sum over n of D(n) · (1 − p(n)) · "
            "p(0) · … · p(n − 1). Each term is the credit of a first alarm at n, times the "
            "probability that the first alarm is at n."
        )
        with frame.slot("probabilities"):
            random_page.show_drawing()
        random_page.show_terms(settings)
