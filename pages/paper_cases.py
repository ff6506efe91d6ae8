import streamlit as st

from padf_ui import frame
from padf_ui.components import widgets
from padf_ui.paper import cases_page
from padf_ui.session.board import take_opened
from padf_ui.session.settings import current_settings

frame.open_page("paper_cases")
if take_opened():
    st.switch_page("pages/playground.py")
with frame.title_row(
    "Paper cases",
    ("Which detector deserves the best score? Each protocol gives a different answer."),
):
    st.space("stretch")
with frame.slot("message"):
    widgets.show_message()
with frame.slot("cases", lanes=len(current_settings().protocols())):
    cases_page.show_cases()

with st.popover("Table 1 in full", icon=":material/table:"):
    cases_page.show_toy_table()
