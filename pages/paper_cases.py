import streamlit as st

from padf_ui import compute, frame

frame.open_page("paper_cases")
frame.show_title(
    "Paper cases",
    "Five detectors, one anomaly of seven points. Which one would you want on call? "
    "Every protocol has its own answer.",
)
st.dataframe(compute.toy_table(), hide_index=True, width="stretch")
st.caption(
    "Each cell: F1 computed here, then ✓ or ✗, then the value printed in Table 1 of the paper. "
    "14/19 = 0.7368 is printed as 0.736: cut off, not rounded."
)
