import streamlit as st

from padf_ui import chance_controls, compute, controls, frame, published_controls

frame.open_board_page("published_results")
with frame.title_row("Published results", "The paper's tables, explored and checked."):
    st.space("stretch")
controls.show_message()
tables, ratios, scatter, chance, audit = controls.sections(
    "published_sections",
    "Tables 2, 6, 7 and 8",
    "Table 3, recomputed",
    "Correlations",
    "Table 5: random score",
    "The audit",
)

if tables.open:
    with tables:
        published_controls.show_table_explorer()

if ratios.open:
    with ratios:
        published_controls.show_ratios()

if scatter.open:
    with scatter:
        published_controls.show_correlations()

if chance.open:
    with chance:
        st.markdown(
            "Mean and standard deviation over five runs, as printed. Under PAdf chance varies more "
            "from run to run than under the others, since a lucky early hit counts for so much."
        )
        chance_controls.show_printed_table("table5_published")

if audit.open:
    with audit:
        found = compute.audit_findings()
        st.markdown(
            f"{len(found)} places where the paper disagrees with itself, each computed from its "
            "own tables and formulas. None of them touches its main point, that a late alarm "
            "should earn less; some touch the numbers that illustrate it."
        )
        for finding in found:
            published_controls.show_finding(finding)
        published_controls.save_findings(found)
