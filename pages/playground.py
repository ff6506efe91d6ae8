from padf_ui import frame
from padf_ui.board import view
from padf_ui.session import state
from padf_ui.shared import tables, widgets

board = frame.open_board_page("playground")
settings = state.settings()
with frame.title_row("Playground", "Paint what the detector said, and move the sliders."):
    view.board_menus(board, settings)
view.preset_pills(board)
with frame.slot("message"):
    widgets.show_message()
with frame.slot("moral"):
    view.show_moral(board)
with frame.slot("board", lanes=len(settings.protocols())):
    view.show_board()

results = board.evaluations(settings)
ledger, over, slide, code = tables.sections(
    "below", "Ledger", "F1 over d and K", "Slide the detection", "The same in Python"
)
if ledger.open:
    with ledger:
        view.show_ledger(board, results)
if over.open:
    with over:
        view.show_curves(board, settings, results)
if slide.open:
    with slide:
        view.show_shift(board, settings)
if code.open:
    with code:
        view.show_code(board, settings)
