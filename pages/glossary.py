import streamlit as st

from padf_ui import frame
from padf_ui.learn import lesson_words

frame.open_page("glossary")
with frame.title_row("Glossary", "Every term, once."):
    st.space("stretch")
lesson_words.show_terms()
