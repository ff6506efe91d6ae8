import streamlit as st

from padf_ui import frame
from padf_ui.components import tables, widgets
from padf_ui.playground import playground_page
from padf_ui.session.board import SLIDES, current_board
from padf_ui.session.settings import current_settings

frame.open_page("playground")
board = current_board()
settings = current_settings()
with frame.title_row("Playground", "Paint alarms, move the sliders, and see each F1 change."):
    panel = playground_page.ask_panel()
with frame.slot("message"):
    widgets.show_message()
with playground_page.beside(panel):
    with frame.slot("moral"):
        playground_page.show_moral(board)
    with frame.slot("board", lanes=len(settings.protocols())):
        playground_page.show_board()
with frame.thin("slides"):
    st.toggle("Show F1 if all alarms were shifted in time", key=SLIDES)

results = board.evaluations(settings)
ledger, over, code = tables.sections(
    "below", "Ledger", playground_page.over_title(settings), "Python code"
)
if ledger.open:
    with ledger:
        playground_page.show_ledger(board, results)
if over.open:
    with over:
        playground_page.show_curves(board, settings, results)
if code.open:
    with code:
        playground_page.show_code(board, settings)
