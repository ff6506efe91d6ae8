"""Section of Your data that compares detectors."""

from __future__ import annotations

from collections.abc import Hashable
from math import isinf

import streamlit as st

from padf_core import Settings
from padf_core.analysis.held_out import within_budget
from padf_core.analysis.paired_test import SWAP_NULL
from padf_core.analysis.random_detector import count_draws
from padf_core.analysis.significance import SHIFT_NULL
from padf_core.io.notation import percent
from padf_ui.components import figures as shared_charts
from padf_ui.components import widgets
from padf_ui.components.names import plain
from padf_ui.components.progress import progress
from padf_ui.components.tables import chart_with_table, save_table, sections, show_table
from padf_ui.data import data_charts
from padf_ui.session.data import set_choice
from padf_ui.session.study import Study
from padf_ui.study import comparison_tables, descriptions, study_results, uncertainty_tables
from padf_ui.study.comparison import Comparison
from padf_ui.study.options import RandomRuns, compare_at

FEW_CHANGES = 12
"""Largest number of rank changes listed at once."""


def compare_options(study: Study) -> tuple[bool, RandomRuns]:
    """Ask for the thresholds to compare at, and for the runs and seed of the random baseline."""
    usual = count_draws(study.series.size)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        at_best = compare_at()
        with st.popover("Random baseline"):
            st.markdown(
                "Uniform random scores, each run at its own best threshold. For detectors with "
                "fixed alarms: as many alarms at random places."
            )
            runs = st.number_input("Runs", 2, 1000, usual, key="random_runs")
            seed = st.number_input("Seed", 0, 10**6, 0, key="random_seed")
    return at_best, RandomRuns(int(runs), int(seed))


def compute_comparison(
    study: Study, settings: Settings, at_best: bool, random: RandomRuns
) -> Comparison:
    """Compute the comparison, with progress bars for sorting scores and for the random baseline."""
    if not study.is_all_ranked:
        with progress("Sorting the scores") as report_progress:
            study_results.rank_all(study, report_progress)
    with progress("Computing the random baseline") as report_progress:
        return study_results.comparison_of(
            study,
            settings,
            at_best=at_best,
            runs=random.runs,
            seed=random.seed,
            progress=report_progress,
        )


def show_detectors(study: Study, settings: Settings) -> None:
    """Compare detectors: scores, ranks, curves over each parameter, areas and uncertainty."""
    at_best, random = compare_options(study)
    made = compute_comparison(study, settings, at_best, random)
    show_comparison(made, descriptions.file_stem(study))
    numbers = settings.numbers()
    heads = [f"Over {number.symbol}" for number in numbers.values()]
    ranks, *over, areas, random_tab, honest, sure = sections(
        "compare_sections",
        "Ranks",
        *heads,
        "Areas",
        "Random baseline",
        "Without hindsight",
        "How certain is this?",
    )
    if ranks.open:
        with ranks:
            chart_with_table(
                data_charts.bump_chart(made, widgets.mode()),
                comparison_tables.rank_table(made),
                "ranks",
            )
    for tab, key in zip(over, numbers, strict=True):
        if tab.open:
            with tab:
                show_over(study, settings, key, at_best)
    if areas.open:
        with areas:
            st.markdown(
                "Average precision (AP) and the area under the ROC curve need no threshold. The "
                "other columns need no parameter: each is the mean of the best F1 over the "
                "parameter's whole range."
            )
            show_areas(study, settings)
    if random_tab.open:
        with random_tab:
            show_against(study, settings, made, at_best)
    if honest.open:
        with honest:
            show_held_out(study, settings)
    if sure.open:
        with sure:
            show_uncertainty(study, settings, made, at_best)


def show_comparison(made: Comparison, of: str) -> None:
    """Show scores and ranks. Ranks that differ from those under PA are marked."""
    table = comparison_tables.comparison_table(made)
    labels = [protocol.label for protocol in made.protocols]
    heads: list[Hashable] = [comparison_tables.rank_head(protocol) for protocol in made.protocols]
    marked = table.style.map(_mark, subset=heads)
    config = {label: st.column_config.NumberColumn(format="%.3f") for label in labels}
    st.dataframe(marked, hide_index=True, width="stretch", column_config=config)
    save_table(table, "comparison", of)
    st.caption(
        "▲ and ▼: places gained or lost compared with the ranking under PA. "
        f"{plain(comparison_tables.random_text(made))}"
    )
    for sentence in comparison_tables.verdicts(made):
        st.markdown(f"- {plain(sentence)}")


def _mark(text: object) -> str:
    is_moved = "▲" in str(text) or "▼" in str(text)
    return "font-weight: bold; background-color: rgba(213, 94, 0, 0.2)" if is_moved else ""


def show_over(study: Study, settings: Settings, key: str, at_best: bool) -> None:
    """Show F1 of every detector over a protocol's parameter."""
    names = descriptions.detector_names(study)
    number = study_results.protocol_number(settings, key)
    with progress("Computing the curves") as report_progress:
        curves = study_results.detector_curves(
            study, settings, key, at_best=at_best, progress=report_progress
        )
    crossed, texts = comparison_tables.crossing_texts(curves, names, number.symbol)
    st.markdown(
        f"**{settings.protocol(key).name} over {number.title}.** {number.summary} The dotted "
        "line marks the current setting."
    )
    chart_with_table(
        shared_charts.detector_lines(
            curves, names, crossed, settings[number.key], number, widgets.mode()
        ),
        comparison_tables.curve_columns(number.title, curves, names),
        f"detectors-over-{key}",
    )
    if texts:
        st.markdown("\n".join(f"- {plain(text)}." for text in texts[:FEW_CHANGES]))
        if len(texts) > FEW_CHANGES:
            with st.expander(f"{len(texts) - FEW_CHANGES} more rank changes"):
                st.markdown("\n".join(f"- {plain(text)}." for text in texts[FEW_CHANGES:]))
    else:
        st.markdown("The ranking is the same over the whole range.")


def show_areas(study: Study, settings: Settings) -> None:
    """Show the summaries that need no threshold, no K and no decay rate."""
    with progress("Computing the areas") as report_progress:
        areas = study_results.areas_of(study, settings, report_progress)
    table = comparison_tables.area_table(descriptions.detector_names(study), areas, settings)
    show_table(table, list(table.columns[1:]))
    save_table(table, "areas", descriptions.file_stem(study))


_CHOSEN_ON = {
    "segments": "other segments (five-fold)",
    "series": "other series (leave one out)",
    "first": "the first half of the rows",
}


def show_held_out(study: Study, settings: Settings) -> None:
    """Show each score at a threshold that was chosen without the labels it is judged on."""
    st.markdown(
        "A threshold tuned on the labels that also judge it is an **oracle**. Here, thresholds "
        "are chosen on one part of the data and judged on another."
    )
    ways = dict(_CHOSEN_ON)
    if study.series.rows.begins is None:
        del ways["series"]
    how = st.radio(
        "Chosen on", list(ways), format_func=ways.__getitem__, horizontal=True, key="held_out_on"
    )
    try:
        with progress("Choosing thresholds on held-out data") as report_progress:
            made = study_results.held_out_results(study, settings, how, report_progress)
    except ValueError as error:
        st.info(plain(f"{error}."))
        _offer_budget(study)
        return
    names = descriptions.detector_names(study)
    table = uncertainty_tables.held_out_table(names, made)
    show_table(table, ["Oracle", "Without hindsight", "Optimism"])
    save_table(table, "without-hindsight", descriptions.file_stem(study))
    for sentence in uncertainty_tables.held_out_text(names, made):
        st.markdown(f"- {plain(sentence)}")
    _offer_budget(study)


def _offer_budget(study: Study) -> None:
    """Offer the lowest threshold at which the selected detector meets a budget of false alarms."""
    days = study.series.days
    if study.detector.is_binary or not days:
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        calls = st.number_input("Budget: false alarms per day", 0.0, 1e6, 1.0, key="budget")
        threshold = within_budget(study.detector.ranked, calls * days)
        if isinf(threshold):
            st.markdown("No threshold meets this budget.")
            return
        st.button(
            f"Use threshold {study.detector.short(threshold)}",
            on_click=set_choice,
            args=(threshold,),
            help=(
                "This is the lowest threshold such that it and all higher ones meet the budget. "
                "Anomaly labels are not used."
            ),
        )


def show_against(study: Study, settings: Settings, made: Comparison, at_best: bool) -> None:
    """Test each detector against its own scores shifted in time."""
    with progress("Shifting the scores in time") as report_progress:
        against = study_results.against_shifts(
            study, settings, at_best=at_best, progress=report_progress
        )
    table = comparison_tables.against_table(made, against)
    show_table(table, ["F1", "Random baseline", "Flagged, %"])
    save_table(table, "random-baseline", descriptions.file_stem(study), SHIFT_NULL)
    for sentence in comparison_tables.unproven(made, against):
        st.markdown(f"- {plain(sentence)}")
    st.caption(comparison_tables.against_text(against))


def show_uncertainty(study: Study, settings: Settings, made: Comparison, at_best: bool) -> None:
    """Show how much each F1 would vary with other incidents of the same kind."""
    with progress("Computing intervals") as report_progress:
        sure = study_results.uncertainties(
            study, settings, at_best=at_best, progress=report_progress
        )
    if not sure[0].is_enough:
        st.info(uncertainty_tables.too_few(len(study.series.segments)))
        return
    level = st.selectbox(
        "Level", [0.8, 0.9, 0.95, 0.99], index=2, key="level", width=150, format_func=percent
    )
    chart_with_table(
        data_charts.interval_chart(made, sure, level, widgets.mode()),
        uncertainty_tables.interval_table(made, sure, level),
        "intervals",
    )
    for sentence in uncertainty_tables.significance_sentences(made, sure, level):
        st.markdown(f"- {plain(sentence)}")
    st.caption(uncertainty_tables.how_sure(sure[0], level))
    seen = None if at_best else uncertainty_tables.hindsight(study, settings)
    if seen:
        st.warning(plain(seen), icon=":material/info:")
    if len(made.names) > 1:
        with st.expander("Differences between detectors"):
            table = uncertainty_tables.difference_table(made, sure, level)
            show_table(table, ["Difference from", "to", "Detectable from"])
            save_table(table, "differences", descriptions.file_stem(study), SWAP_NULL)
            st.caption(uncertainty_tables.paired_text(sure[0]))
