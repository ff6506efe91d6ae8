import streamlit as st

from padf_ui import frame
from padf_ui.components import terms, widgets
from padf_ui.session.board import board_link_on_start
from padf_ui.start import start_page

frame.open_page("start")
query = board_link_on_start()
if query:
    st.switch_page("pages/playground.py", query_params=query)
with frame.slot("message"):
    widgets.show_message()
count = start_page.protocol_count()
st.title(f"One alarm. {count.capitalize()} scores. Which is right?", anchor=False)
terms.say(
    "A fault began at 9:00 and ended at 11:00. A detector raised one **alarm**. Drag it, and "
    f"watch how {count} scoring rules (**protocols**) rate it with an **F1** score."
)
with frame.slot("front"):
    start_page.show_front()
terms.say(
    "Each cell is one **point** of five minutes. **K** (PA%K) is the percentage of an incident "
    "that must be flagged before all of it counts. **d** (PAdf) is the share of **credit** that "
    "remains after each point of **delay**."
)
with frame.thin("cards"):
    start_page.show_cards()
    start_page.show_map()
start_page.show_citations()
