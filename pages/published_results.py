import streamlit as st

from padf_ui import frame
from padf_ui.components import random_score_table, tables, widgets
from padf_ui.components.terms import tell
from padf_ui.paper import published_page

frame.open_page("published_results")
with frame.title_row(
    "Published results", ("Explore the paper's tables, and see what we found when we checked them.")
):
    st.space("stretch")
with frame.slot("message"):
    widgets.show_message()
explorer, ratios, scatter, random, audit = tables.sections(
    "published_sections",
    "Tables 2, 6, 7 and 8",
    "Table 3, recomputed",
    "Correlations",
    "Table 5: random score",
    "Audit",
)

if explorer.open:
    with explorer:
        published_page.show_table_explorer()

if ratios.open:
    with ratios:
        published_page.show_ratios()

if scatter.open:
    with scatter:
        published_page.show_correlations()

if random.open:
    with random:
        tell("Mean and standard deviation over five runs, as printed.")
        random_score_table.show_printed_spread("table5_published")

if audit.open:
    with audit:
        published_page.show_audit()
