"""Widgets of Your data."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from padf_core import AlertRule, Evaluation, Settings
from padf_core.analysis.alerting import ring
from padf_core.analysis.notices import flags_everything
from padf_core.metrics.evaluation import evaluate_pattern, pattern_of
from padf_core.metrics.sweep_results import BestPoint
from padf_core.metrics.timing import ASSUMED_STEP
from padf_ui.components import downloads, widgets
from padf_ui.components.names import plain, safe_csv
from padf_ui.components.tables import chart_with_table, save_table, show_table
from padf_ui.data import code_exports, data_charts, data_exports
from padf_ui.data.detectors_page import compare_options, compute_comparison
from padf_ui.data.report import report
from padf_ui.session.data import take_row
from padf_ui.session.replay import UPLOADED, current_replay
from padf_ui.session.replay_link import link_query
from padf_ui.session.study import Study
from padf_ui.study import comparison_tables, descriptions, detector_tables, study_results
from padf_ui.study.comparison import Comparison
from padf_ui.study.options import ask_wait_and_cooldown


def show_segments(study: Study, found: Sequence[Evaluation]) -> None:
    """Show the outcome of each segment, and a histogram of delays."""
    pattern = pattern_of(found)
    st.markdown(
        f"{detector_tables.found_text(study, pattern)} "
        f"{detector_tables.false_alarms(study.series, pattern).text} "
        "Choose a row to zoom to it."
    )
    show_ledger(study, found)
    delays, unit = detector_tables.delays_of(study.series, pattern)
    chart_with_table(
        data_charts.delay_histogram(delays, unit, widgets.mode()),
        detector_tables.delay_table(delays, unit),
        "delays",
        descriptions.file_stem(study),
    )


def show_ledger(study: Study, found: Sequence[Evaluation]) -> None:
    """Show the table of segments. Selecting a row zooms to its segment."""
    table = detector_tables.study_ledger(study, found)
    labels = [result.protocol.label for result in found]
    config: dict[str, Any] = {
        label: st.column_config.NumberColumn(format="%.3f") for label in labels
    }
    delay = next(name for name in table.columns if name.startswith("Delay"))
    config[delay] = st.column_config.NumberColumn(format="%.4g", help="Empty: missed")
    key = f"ledger_{study.series.key}"
    st.dataframe(
        table,
        hide_index=True,
        width="stretch",
        height=min(420, 38 + 35 * len(table)),
        column_config=config,
        key=key,
        on_select=partial(take_row, key),
        selection_mode="single-row",
    )
    save_table(table, "ledger", descriptions.file_stem(study))


def show_thresholds(study: Study, settings: Settings) -> None:
    """Show each protocol's best threshold, and the scores over the threshold."""
    best = study_results.best_points(study, settings)
    st.markdown(detector_tables.best_differ(study, best, study_results.flagged_at(study, best)))
    show_best(study, best)
    by_share = threshold_axis()
    sweeps = study_results.sweeps_of(study, settings)
    threshold = study.threshold(settings)
    chart_with_table(
        data_charts.threshold_curves(sweeps, best, threshold, study, by_share, widgets.mode()),
        detector_tables.sweep_table(sweeps, study),
        "thresholds",
        descriptions.file_stem(study),
    )
    _offer_every_threshold(study, settings, next(iter(sweeps)).thresholds.size)


def _offer_every_threshold(study: Study, settings: Settings, shown: int) -> None:
    """Say how many of the thresholds are drawn, and offer all of them as a file."""
    if study.detector.is_binary:
        return
    every = study_results.count_thresholds(study)
    if shown >= every:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"The chart and its table show {shown:,} of {every:,} thresholds.")
        downloads.offer(
            "All thresholds (CSV)",
            lambda: safe_csv(
                detector_tables.sweep_table(study_results.every_threshold(study, settings), study)
            ),
            f"padf-{descriptions.file_stem(study)}-all-thresholds.csv",
            "text/csv",
            of=(study, settings),
            key="every_threshold",
        )


def show_rule(study: Study, settings: Settings) -> None:
    """Apply an alert rule at the current threshold, and show its effect."""
    series, threshold, replay = study.series, study.threshold(settings), current_replay()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        ask_wait_and_cooldown(series.step_seconds or ASSUMED_STEP)
        st.page_link(
            "pages/operators.py",
            label="Replay it for operators",
            icon=":material/alarm:",
            query_params=link_query(
                replay if replay.setting == UPLOADED else replay.of(UPLOADED),
                settings,
                study.fingerprint,
            ),
        )
    rule = AlertRule(threshold, replay.wait, replay.cooldown)
    found = study_results.results_of(study, settings)
    rung = evaluate_pattern(ring(study.detector, rule), settings.protocols())
    pattern = pattern_of(rung)
    st.markdown(
        f"An alarm comes at the last of {rule.wait} consecutive points at or above "
        f"{study.detector.short(threshold)}, and none for the next {rule.cooldown}. "
        f"{detector_tables.found_text(study, pattern)} "
        f"{detector_tables.false_alarms(series, pattern).text}"
    )
    table = detector_tables.rule_table(found, rung)
    show_table(table, list(table.columns[1:]))
    save_table(table, "alert-rule", descriptions.file_stem(study))
    st.code(
        f"rule = padf.{rule!r}\nalarms = padf.alarms_from(scores[{study.detector.name!r}], rule)",
        language="python",
    )


def threshold_axis() -> bool:
    """Ask for the x-axis of the threshold chart.

    Return whether it is the share of points flagged.
    """
    chosen = st.radio(
        "Over",
        ["threshold", "share"],
        format_func={
            "threshold": "the threshold",
            "share": "the share of points flagged",
        }.__getitem__,
        horizontal=True,
        key="threshold_axis",
    )
    return chosen == "share"


def show_best(study: Study, best: Sequence[BestPoint]) -> None:
    """Show each protocol's best threshold."""
    table = detector_tables.best_table(best, study.detector)
    short = [study.detector.short(point.threshold) for point in best]
    show_table(table.assign(**{"Best threshold": short}), ["Precision", "Recall", "F1"])
    save_table(table, "best-thresholds", descriptions.file_stem(study))
    name = descriptions.detector_names(study)[study.chosen]
    for notice in flags_everything((name, point.protocol.label, point.flagged) for point in best):
        st.warning(plain(notice), icon=":material/info:")


def show_exports(study: Study, settings: Settings) -> None:
    """Offer all files, and code that reproduces the numbers."""
    at_best, random = compare_options(study)
    made = compute_comparison(study, settings, at_best, random)
    with st.container(horizontal=True):
        stem, of = f"padf-{descriptions.file_stem(study)}", (study, settings, f"{at_best} {random}")
        downloads.offer(
            "Report (HTML)",
            partial(report, study, settings, made, at_best),
            f"{stem}-report.html",
            "text/html",
            of=of,
            kind="primary",
        )
        downloads.offer(
            "Everything (JSON)",
            partial(_json, study, settings, made),
            f"{stem}-evaluation.json",
            "application/json",
            of=of,
        )
        downloads.offer(
            "LaTeX table",
            data_exports.to_latex(study, made, settings, at_best=at_best),
            f"{stem}-table.tex",
            "application/x-tex",
        )
        for name, table in (
            ("Thresholds", comparison_tables.threshold_table(made)),
            ("Random baseline", comparison_tables.random_table(made)),
        ):
            downloads.offer(
                f"{name} (CSV)",
                partial(safe_csv, table),
                f"{stem}-{name.lower().replace(' ', '-')}.csv",
                "text/csv",
                of=table,
            )
        downloads.offer(
            "The series (CSV)",
            partial(data_exports.series_csv, study),
            data_exports.SERIES_FILE,
            "text/csv",
            of=study.series.key,
        )
    st.markdown(
        "The link to this page holds the settings, the thresholds and the view, but not the "
        "data. Recipients must upload the same file. A sample opens by itself."
    )
    if without := data_exports.left_out(study):
        st.markdown(f"The JSON file omits the {without:,} segments of each detector.")
    if code_exports.needs_series_file(study):
        file = data_exports.series_file(study)
        st.markdown(f"The code below reads `{file}`, saved with the button above.")
    st.markdown(
        "The same numbers in Python (run `pip install .` in a clone of the repository first):"
    )
    st.code(code_exports.python_lines(study, settings), language="python", wrap_lines=True)
    st.markdown("The same numbers with the command:")
    st.code(code_exports.command_lines(study, settings), language="bash", wrap_lines=True)


def _json(study: Study, settings: Settings, made: Comparison) -> str:
    return data_exports.to_json(study, settings, made, study_results.areas_of(study, settings))
