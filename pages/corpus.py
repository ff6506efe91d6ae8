import streamlit as st

from padf_ui import frame
from padf_ui.components import tables, widgets
from padf_ui.corpus import (
    corpus_page,
    corpus_upload,
    detectors_page,
    downloads_page,
    pairs_page,
    ranks_page,
    series_page,
)
from padf_ui.session.board import take_opened
from padf_ui.session.corpus import current_corpus

frame.open_page("corpus")
if take_opened():
    st.switch_page("pages/your_data.py")
with frame.title_row("Corpus", "Compare many detectors on many series."):
    st.space("stretch")
    corpus_upload.show_menu(current_corpus())
with frame.slot("message"):
    widgets.show_message()
with frame.slot("corpus_run"):
    corpus_upload.show_run()

with frame.slot("corpus_story"):
    now = corpus_page.opened()
    corpus_page.show_summary(now)
protocol = corpus_page.choose_protocol(now.result)
detectors, ranks, series, duel, protocols, away = tables.sections(
    "corpus_sections",
    "Detectors",
    "Ranks",
    "Series",
    "Head to head",
    "Disagreements",
    "Export",
)
if detectors.open:
    with detectors:
        detectors_page.show_detectors(now.result, protocol)
if ranks.open:
    with ranks:
        ranks_page.show_ranks(now.result, protocol)
if series.open:
    with series:
        series_page.show_series(now, protocol)
if duel.open:
    with duel:
        pairs_page.show_duel(now, protocol)
if protocols.open:
    with protocols:
        pairs_page.show_disagreement(now, protocol)
if away.open:
    with away:
        downloads_page.show_exports(now.result, protocol)
