import streamlit as st

from padf_ui import compute, controls, frame
from padf_ui.lanes import live

frame.open_board_page("paper_cases")
with frame.title_row("Paper cases", "Who deserves the best score? Every protocol has its answer."):
    st.space("stretch")
controls.show_message()
live.show_cases()

st.subheader("Table 1, as it can be checked", anchor=False)
st.markdown(
    "Each cell: F1 computed here, then ✓ or ✗, then the value printed in the paper. "
    "14/19 = 0.7368 is printed as 0.736: cut off, not rounded."
)
st.dataframe(compute.toy_table(), hide_index=True, width="stretch")
