import streamlit as st

from padf_ui import frame
from padf_ui.components import widgets
from padf_ui.learn import glossary_page

frame.open_page("glossary")
with frame.title_row("Glossary", "All terms, with definitions."):
    st.space("stretch")
with frame.slot("message"):
    widgets.show_message()
glossary_page.show_terms()
