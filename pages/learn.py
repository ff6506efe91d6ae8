from contextlib import nullcontext

import streamlit as st

from padf_ui import frame
from padf_ui.components import tables, widgets
from padf_ui.learn import learn_page, own
from padf_ui.session.board import take_opened
from padf_ui.session.lesson import current_progress

frame.open_page("learn")
if take_opened():
    st.switch_page("pages/playground.py")
progress = current_progress()
with frame.title_row("Learn", progress.lesson.title):
    st.space("stretch")
    learn_page.show_other_lesson(progress)
with frame.slot("message"):
    widgets.show_message()
with frame.thin("steps"):
    learn_page.show_steps(progress)
words, board = st.columns([1, 2] if progress.is_presented else [2, 3], gap="large")
with words, frame.thin("words"):
    learn_page.show_words(progress)
    learn_page.show_turns(progress)
with board, frame.slot("lesson", lanes=learn_page.lanes_high(progress)):
    learn_page.show_board()
# A curve to draw is beside the board when it is presented, so that both are on a low screen.
is_beside = progress.is_presented and progress.step.part == "guess"
with words if is_beside else nullcontext(), frame.slot("part"):
    learn_page.show_part(progress)
with frame.slot("ending"):
    learn_page.show_ending(progress)
if not progress.is_presented:
    along, writer = tables.sections("lesson_sections", "Share and download", "Make your own lesson")
    if along.open:
        with along, frame.thin("along"):
            learn_page.show_take_along(progress)
    if writer.open:
        with writer:
            own.show_writer(progress)
