import streamlit as st

from padf_ui import frame
from padf_ui.components import widgets
from padf_ui.learn import quiz_page
from padf_ui.session.board import take_opened

frame.open_page("quiz")
if take_opened():
    st.switch_page("pages/playground.py")
with frame.title_row("Quiz", "Which score is which? Every question has one right answer."):
    st.space("stretch")
with frame.slot("message"):
    widgets.show_message()
asked = quiz_page.questions()
quiz_page.show_score(asked)
quiz_page.show_text(asked)
name, lanes = quiz_page.slot_of(asked)
with frame.slot(name, lanes):
    quiz_page.show_patterns(asked)
quiz_page.show_answers(asked)
quiz_page.show_turns(asked)
