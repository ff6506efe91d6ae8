import streamlit as st

from padf_ui import frame
from padf_ui.board import view
from padf_ui.session.board import SLIDES, current_board
from padf_ui.session.settings import current_settings
from padf_ui.shared import tables, widgets

frame.open_page("playground")
board = current_board()
settings = current_settings()
with frame.title_row("Playground", "Paint what the detector said, and move the sliders."):
    panel = view.ask_panel()
with frame.slot("message"):
    widgets.show_message()
with view.beside(panel):
    with frame.slot("moral"):
        view.show_moral(board)
    with frame.slot("board", lanes=len(settings.protocols())):
        view.show_board()
with frame.thin("slides"):
    st.toggle("Slide the alarms: F1 if all of them were moved", key=SLIDES)

results = board.evaluations(settings)
ledger, over, code = tables.sections(
    "below", "Ledger", view.over_title(settings), "The same in Python"
)
if ledger.open:
    with ledger:
        view.show_ledger(board, results)
if over.open:
    with over:
        view.show_curves(board, settings, results)
if code.open:
    with code:
        view.show_code(board, settings)
