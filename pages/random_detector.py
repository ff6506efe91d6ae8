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
with frame.title_row("Random detector", "How well does somebody score who knows nothing?"):
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
    "How high can it go?",
    "On real labels",
    "Any probability of an alarm",
)

if curves.open:
    with curves:
        tell(
            "A uniform random score, as in Fig. 3 of the paper. Lines are closed forms, points "
            "with bars are simulated scores (mean ± standard deviation), stars are the maxima. "
            "The closed form is made of expected counts; with few segments the mean of simulated "
            "F1 can lie a little below it."
        )
        setup = random_page.ask_setup()
        tell("**PA, for several segment lengths (Fig. 3a).** Long segments are easy to hit.")
        random_page.show_lengths(setup)
        tell("**PAdf, for several decay rates (Fig. 3b).** A late random hit is worth little.")
        random_page.show_rates(setup)

if highest.open:
    with highest:
        tell(
            "The best F1 that a random detector can reach when its alarm rate is chosen in "
            "hindsight."
        )
        random_page.show_map(settings)

if labels.open:
    with labels:
        if study is None:
            st.markdown("On the labels of a sample, or on your own under Your data:")
            upload_page.show_samples()
        else:
            study_header.show_summary(study)
            random_page.show_on_labels(study, settings)
        st.markdown("**Table 5 of the paper:** the same, over five runs, on its data sets.")
        random_score_table.show_printed_spread("table5")

if drawn.open:
    with drawn:
        tell(
            "The general form: with p(t) the probability of no alarm, the expected credit of a "
            "segment is the sum over n of D(n) · (1 − p(n)) · p(0) · … · p(n − 1): the worth of a "
            "first alarm at n, times the probability that it is the first."
        )
        with frame.slot("probabilities"):
            random_page.show_drawing()
        random_page.show_terms(settings)
