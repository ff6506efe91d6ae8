import streamlit as st

from padf_ui import frame
from padf_ui.corpus import bringing, view
from padf_ui.session.board import take_opened
from padf_ui.session.corpus import current_corpus
from padf_ui.shared import tables, widgets

frame.open_page("corpus")
if take_opened():
    st.switch_page("pages/your_data.py")
with frame.title_row("Corpus", "Many series, many detectors: who is better, and how surely?"):
    st.space("stretch")
    bringing.show_menu(current_corpus())
with frame.slot("message"):
    widgets.show_message()
with frame.slot("corpus_run"):
    bringing.show_run()

with frame.slot("corpus_story"):
    now = view.opened()
    view.show_summary(now)
protocol = view.choose_protocol(now.result)
detectors, ranks, series, duel, protocols, away = tables.sections(
    "corpus_sections",
    "Detectors",
    "Ranks",
    "Series",
    "One against another",
    "Where protocols disagree",
    "Take it away",
)
if detectors.open:
    with detectors:
        view.show_detectors(now.result, protocol)
if ranks.open:
    with ranks:
        view.show_ranks(now.result, protocol)
if series.open:
    with series:
        view.show_series(now, protocol)
if duel.open:
    with duel:
        view.show_duel(now, protocol)
if protocols.open:
    with protocols:
        view.show_disagreement(now, protocol)
if away.open:
    with away:
        view.take_away(now.result, protocol)
