import streamlit as st

from padf_ui import bring, choose_controls, controls, frame, state, study_controls

study = frame.open_data_page("choose_decay")
with frame.title_row(
    "Choose a decay rate", "Say what a late alarm is worth, and see what that decides."
):
    st.space("stretch")
    study_controls.data_menus(study)
controls.show_message()
if study is not None and state.is_bringing():
    bring.show_ways_in()
    st.stop()

st.subheader("1. The need", anchor=False)
need, step, wanted = choose_controls.ask_all(study, state.board().settings)
choose_controls.show_decay(need, step, wanted, study)

st.subheader("2. What it decides", anchor=False)
flips = None
if study is None:
    st.markdown("On a sample, or on your own data:")
    bring.show_samples()
else:
    bring.prepare(study)
    study_controls.show_summary(study)
    at_best = study_controls.compare_at()
    st.markdown("**How late are the detectors?** Only a delay can make the decay matter.")
    choose_controls.show_delays(study, wanted)
    st.markdown("**Who wins at which rate?** The colour behind the curves is the winner's.")
    rate = choose_controls.rate_of(wanted)
    flips = choose_controls.show_flips(study, wanted, rate, at_best)

    st.subheader("3. Does the shape matter?", anchor=False)
    choose_controls.show_shapes(study, wanted, need, step, at_best)

    st.subheader("4. What else it hangs on", anchor=False)
    choose_controls.show_sensitivity(study, wanted, at_best)
    st.markdown("Without any choice: the mean of the best F1 over all decay rates, and over all K.")
    choose_controls.show_areas(study, wanted)

st.subheader("The result" if study is None else "5. The result", anchor=False)
choose_controls.show_result(need, step, wanted, study, flips)
