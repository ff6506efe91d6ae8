import streamlit as st

from padf_ui import frame
from padf_ui.operators import view
from padf_ui.shared import widgets

frame.open_page("operators")
with frame.title_row("Show operators", "How late was it, and what was that worth?"):
    st.space("stretch")
with frame.slot("message"):
    widgets.show_message()
    scene = view.set_up()
if scene is None:
    view.show_no_incident()
    st.stop()

with frame.slot("replay"):
    view.show_replay()
with frame.thin("replay"):
    view.choose(scene)

st.header("What is a late alarm worth?", anchor=False)
with frame.slot("need"):
    view.ask_need(scene)

st.header("When should it ring?", anchor=False)
with frame.thin("rule"):
    view.ask_rule(scene)
made = view.show_map(scene)

st.header("What does it cost?", anchor=False)
view.ask_costs(scene, made)
