import streamlit as st

from padf_ui import frame
from padf_ui.paper import cases
from padf_ui.session import state
from padf_ui.shared import widgets

frame.open_board_page("paper_cases")
if state.take_opened():
    st.switch_page("pages/playground.py")
with frame.title_row("Paper cases", "Who deserves the best score? Every protocol has its answer."):
    st.space("stretch")
with frame.slot("message"):
    widgets.show_message()
with frame.slot("cases", lanes=len(state.settings().protocols())):
    cases.show_cases()

with st.popover("Table 1 in full", icon=":material/table:"):
    cases.show_toy_table()
