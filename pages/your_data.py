import streamlit as st

from padf_ui import bring, compute, controls, frame, results, state, study_controls
from padf_ui.figures import detectors as charts
from padf_ui.lanes import live

study = frame.open_data_page("your_data")
with frame.title_row("Your data", "Which detector is best, at which threshold, and says who?"):
    st.space("stretch")
    study_controls.data_menus(study)
controls.show_message()
if study is None or state.is_bringing():
    bring.show_ways_in()
    st.stop()

settings = state.board().settings
bring.prepare(study)
study_controls.show_summary(study)
study_controls.parameter_row(study, settings)
study_controls.threshold_buttons(study, settings)
live.show_timeline()

found = compute.results_of(study, settings)
mode = controls.mode()
segments, thresholds, detectors, away = controls.sections(
    "data_sections", "Segments and delays", "Thresholds", "Compare detectors", "Take it away"
)

if segments.open:
    with segments:
        st.markdown(
            f"{results.found_text(study, found[0])} "
            f"{results.false_alarms(study.series, found[0]).text} Choose a row to zoom to it."
        )
        study_controls.show_ledger(study, found)
        delays, unit = results.delays_of(study.series, found[0])
        controls.chart_table_csv(
            charts.delay_histogram(delays, unit, mode),
            results.delay_table(delays, unit),
            "delays",
        )

if thresholds.open:
    with thresholds:
        best = compute.best_points(study, settings)
        st.markdown(results.best_differ(study, best, compute.flagged_at(study, best)))
        study_controls.show_best(best)
        by_share = study_controls.threshold_axis()
        sweeps = compute.sweeps_of(study, settings)
        controls.chart_table_csv(
            charts.threshold_curves(
                sweeps, best, study.threshold(settings), study.series.size, by_share, mode
            ),
            results.sweep_table(sweeps, study.series.size),
            "thresholds",
        )

if detectors.open:
    with detectors:
        at_best, chances = study_controls.compare_options(study)
        made = study_controls.compared(study, settings, at_best, chances)
        study_controls.show_comparison(made)
        ranks, decay, k, areas, sure = controls.sections(
            "compare_sections", "Ranks", "Over the decay", "Over K", "Areas", "How sure is it?"
        )
        if ranks.open:
            with ranks:
                controls.chart_table_csv(
                    charts.bump_chart(made, mode), results.rank_table(made), "ranks"
                )
        if decay.open:
            with decay:
                study_controls.show_over(study, settings, "decay", at_best)
        if k.open:
            with k:
                study_controls.show_over(study, settings, "k", at_best)
        if areas.open:
            with areas:
                st.markdown(
                    "Without a threshold: average precision (AP) and the area under the ROC curve. "
                    "Without K or a decay rate: the mean of the best F1 over the whole range."
                )
                study_controls.show_areas(study, settings)
        if sure.open:
            with sure:
                study_controls.show_uncertainty(study, settings, made, at_best)

if away.open:
    with away:
        at_best, chances = study_controls.compare_options(study)
        made = study_controls.compared(study, settings, at_best, chances)
        study_controls.take_away(study, settings, made, at_best)
