import streamlit as st

from padf_ui import frame
from padf_ui.bringing import ways
from padf_ui.decay import view
from padf_ui.session.data import current_study, is_uploading
from padf_ui.session.settings import current_settings
from padf_ui.shared import needs, tables, widgets
from padf_ui.shared.terms import tell
from padf_ui.study.options import compare_at

frame.open_page("choose_decay")
study = current_study()
with frame.title_row(
    "Choose a decay rate", "Say what a late alarm is worth, and see what that decides."
):
    st.space("stretch")
    ways.data_menus(study)
with frame.slot("message"):
    widgets.show_message()
if study is not None and is_uploading():
    ways.show_ways_in()
    st.stop()

with frame.slot("asked"), frame.thin("asked"):
    step, wanted = view.ask_kind_and_step(study)
with frame.slot("need"):
    need = needs.show_need(step)

st.header("Who wins where", anchor=False)
made, at_best = None, True
if study is None:
    st.markdown("On a sample, or on your own data:")
    ways.show_samples()
else:
    ways.prepare(study, every=True)
    study = study.settled(current_settings())
    at_best = compare_at()
    with frame.slot("race"):
        made = view.show_winners(study, wanted, at_best)
    view.say_winners(study, wanted, made, at_best)
    ways.show_summary(study)

st.header("The result", anchor=False)
view.show_result(need, step, wanted, study, made, at_best)
if study is not None and made is not None:
    with st.expander("What it rests on", key="rests", on_change="rerun") as rests:
        decides, chance, late, shapes, hangs = tables.sections(
            "rests_on",
            "What decides?",
            "Random baseline",
            "How late are they?",
            "Does the shape matter?",
            "What else it hangs on",
        )
    if rests.open and decides.open:
        with decides:
            view.show_deciding(study, wanted, at_best)
    if rests.open and chance.open:
        with chance:
            view.show_against_random(study, wanted, at_best)
    if rests.open and late.open:
        with late:
            tell("Only a delay can make the decay matter.")
            view.show_delays(study, wanted)
    if rests.open and shapes.open:
        with shapes:
            view.show_shapes(study, wanted, need, at_best)
    if rests.open and hangs.open:
        with hangs:
            view.show_sensitivity(study, wanted, at_best)
            tell("Without any choice: the mean of the best F1 over the whole range of a parameter.")
            view.show_areas(study, wanted)
