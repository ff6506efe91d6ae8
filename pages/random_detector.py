import streamlit as st

from padf_ui import bring, chance_controls, controls, frame, state, study_controls

study = frame.open_data_page("random_detector")
with frame.title_row("Random detector", "How well does somebody score who knows nothing?"):
    st.space("stretch")
    study_controls.data_menus(study)
controls.show_message()
if study is not None and state.is_bringing():
    bring.show_ways_in()
    st.stop()

settings = state.board().settings
curves, highest, labels, drawn = controls.sections(
    "chance_sections",
    "F1 over the threshold",
    "How high can it go?",
    "On real labels",
    "Any chance of an alarm",
)

if curves.open:
    with curves:
        st.markdown(
            "A uniform random score, as in Fig. 3 of the paper. Lines are closed forms, points "
            "with bars are simulated scores (mean ± standard deviation), stars are the maxima. "
            "The closed form is made of expected counts; with few segments the mean of simulated "
            "F1 can lie a little below it."
        )
        setup = chance_controls.ask_setup()
        st.markdown("**PA, for several segment lengths (Fig. 3a).** Long segments reward luck.")
        chance_controls.show_lengths(setup)
        st.markdown(
            "**PAdf, for several decay rates (Fig. 3b).** A late lucky hit is worth little."
        )
        chance_controls.show_rates(setup)

if highest.open:
    with highest:
        st.markdown(
            "The best F1 that a random detector can reach when its alarm rate is chosen in "
            "hindsight."
        )
        chance_controls.show_map()

if labels.open:
    with labels:
        if study is None:
            st.markdown("On the labels of a sample, or on your own under Your data:")
            bring.show_samples()
        else:
            study_controls.show_summary(study)
            chance_controls.show_on_labels(study, settings)
        st.markdown("**Table 5 of the paper:** the same, over five runs, on its data sets.")
        chance_controls.show_printed_table("table5")

if drawn.open:
    with drawn:
        st.markdown(
            "The general form: with p(t) the probability of no alarm, the expected credit of a "
            "segment is the sum over n of D(n) · (1 − p(n)) · p(0) · … · p(n − 1): the worth of a "
            "first alarm at n, times the chance that it is the first."
        )
        chance_controls.show_drawing()
        chance_controls.show_terms(settings)
