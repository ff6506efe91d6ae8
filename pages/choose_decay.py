import streamlit as st

from padf_ui import frame
from padf_ui.components import need, tables, widgets
from padf_ui.components.terms import tell
from padf_ui.decay import decay_page, result_page, sensitivity_page
from padf_ui.session.data import current_study, is_uploading
from padf_ui.session.settings import current_settings
from padf_ui.study.options import compare_at
from padf_ui.upload import study_header, upload_page

frame.open_page("choose_decay")
study = current_study()
with frame.title_row(
    "Choose a decay rate", "Say what a late alarm is worth, and see which detector wins."
):
    st.space("stretch")
    study_header.data_menus(study)
with frame.slot("message"):
    widgets.show_message()
if study is not None and is_uploading():
    upload_page.show_upload()
    st.stop()

with frame.slot("asked"), frame.thin("asked"):
    step, wanted = decay_page.ask_kind_and_step(study)
with frame.slot("need"):
    need = need.show_need(step)

st.header("Who wins where", anchor=False)
made, at_best = None, True
if study is None:
    st.markdown("Use a sample or your own data:")
    upload_page.show_samples()
else:
    study_header.prepare(study, every=True)
    study = study.settled(current_settings())
    at_best = compare_at()
    with frame.slot("race"):
        made = decay_page.show_winners(study, wanted, at_best)
    decay_page.say_winners(study, wanted, made, at_best)
    study_header.show_summary(study)

st.header("The result", anchor=False)
result_page.show_result(need, step, wanted, study, made, at_best)
if study is not None and made is not None:
    with st.expander("How robust is this result?", key="rests", on_change="rerun") as rests:
        decides, chance, late, shapes, hangs = tables.sections(
            "rests_on",
            "What decides?",
            "Random baseline",
            "Delays",
            "Shape of the decay",
            "Sensitivity",
        )
    if rests.open and decides.open:
        with decides:
            sensitivity_page.show_deciding(study, wanted, at_best)
    if rests.open and chance.open:
        with chance:
            decay_page.show_against_random(study, wanted, at_best)
    if rests.open and late.open:
        with late:
            tell("The decay matters only where alarms are late.")
            decay_page.show_delays(study, wanted)
    if rests.open and shapes.open:
        with shapes:
            sensitivity_page.show_shapes(study, wanted, need, at_best)
    if rests.open and hangs.open:
        with hangs:
            sensitivity_page.show_sensitivity(study, wanted, at_best)
            tell(
                "The mean of the best F1 over a parameter's whole range needs no choice of its "
                "value."
            )
            sensitivity_page.show_areas(study, wanted)
