import streamlit as st

from padf_ui import frame
from padf_ui.components import widgets
from padf_ui.operators import operators_page

frame.open_page("operators")
with frame.title_row("For operators", "Replay incidents and see what a late alarm is worth."):
    st.space("stretch")
with frame.slot("message"):
    widgets.show_message()
    scene = operators_page.set_up()
if scene is None:
    operators_page.show_no_incident()
    st.stop()

with frame.slot("replay"):
    operators_page.show_replay()
with frame.thin("replay"):
    operators_page.choose(scene)

st.header("What is a late alarm worth?", anchor=False)
with frame.slot("need"):
    operators_page.ask_need(scene)

st.header("Which alert rule is best?", anchor=False)
with frame.thin("rule"):
    operators_page.ask_rule(scene)
made = operators_page.show_map(scene)

st.header("What does it cost?", anchor=False)
operators_page.ask_costs(scene, made)
