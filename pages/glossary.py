import streamlit as st

from padf_ui import frame
from padf_ui.learn import words

frame.open_page("glossary")
with frame.title_row("Glossary", "Every term, once."):
    st.space("stretch")
words.show_terms()
