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

st.subheader("Table 1, as it can be checked", anchor=False)
st.markdown(
    "Each cell: F1 computed here, then ✓ or ✗, then the value printed in the paper. "
    "14/19 = 0.7368 is printed as 0.736: cut off, not rounded."
)
st.dataframe(cases.toy_table(), hide_index=True, width="stretch")
