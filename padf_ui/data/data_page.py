"""The widgets of the data page."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial
from math import isinf
from typing import Any

import streamlit as st

from padf_core import AlertRule, Evaluation, Settings
from padf_core.analysis.alerting import ring
from padf_core.analysis.held_out import within_budget
from padf_core.analysis.notices import flags_everything
from padf_core.analysis.random_detector import count_draws
from padf_core.analysis.significance import SHIFT_NULL, SWAP_NULL
from padf_core.io.notation import percent
from padf_core.metrics.evaluation import evaluate_pattern, pattern_of
from padf_core.metrics.sweep import BestPoint
from padf_core.metrics.timing import ASSUMED_STEP
from padf_ui.components import downloads, mounting, widgets
from padf_ui.components import figures as shared_charts
from padf_ui.components.names import plain, to_csv
from padf_ui.components.progress import progress
from padf_ui.components.tables import chart_with_table, save_table, sections, show_table
from padf_ui.data import data_charts, data_exports
from padf_ui.data.report import report
from padf_ui.data.timeline_message import timeline_rows
from padf_ui.server.cache import SMALL
from padf_ui.session import links
from padf_ui.session import replay as replays
from padf_ui.session.data import (
    LINK,
    current_study,
    set_choice,
    set_detector,
    set_follow,
    study_revision,
    take_row,
    take_timeline,
)
from padf_ui.session.replay import UPLOADED, current_replay
from padf_ui.session.settings import current_settings
from padf_ui.session.store import TIMELINE_KEY, answered, take_choice, visit_name, widget_key
from padf_ui.session.study import Study
from padf_ui.study import (
    comparison_tables,
    descriptions,
    detector_tables,
    study_results,
    uncertainty_tables,
)
from padf_ui.study.comparison import Comparison
from padf_ui.study.options import RandomRuns, ask_wait_and_cooldown, compare_at
from padf_ui.wire.timeline import TimelineData

FEW_CHANGES = 12
"""So many changes of place are listed at once."""


# ---- the timeline --------------------------------------------------------------------------------


def show_timeline() -> None:
    """Show the series at its threshold, with a fragment that answers the timeline."""
    mounting.stand("timeline", TIMELINE_KEY)
    _answer_timeline()


@st.fragment
def _answer_timeline() -> None:
    """Send what the timeline shows; moving through it runs this fragment alone."""
    now, settings = current_study(), current_settings()
    if now is None:
        return
    threshold = now.threshold(settings)
    rows, sliders = SMALL.recall(
        ("timeline", now.series.key, now.chosen, threshold, settings, now.view),
        lambda: timeline_rows(now.series, now.detector, settings, threshold, now.view),
    )
    data: TimelineData = {
        "session": visit_name(),
        "revision": study_revision(),
        "answered": answered(TIMELINE_KEY),
        "rows": rows,
        "sliders": sliders,
    }
    mounting.send(TIMELINE_KEY, data, take_timeline)
    links.write(LINK)


def detector_row(study: Study, settings: Settings) -> None:
    """Show the detector that is looked at, and each protocol's best threshold, one click away."""
    names = descriptions.detector_names(study)
    detector, thresholds = st.columns([1, 3], gap="medium", vertical_alignment="bottom")
    with detector:
        key = widget_key("detector", study.chosen)
        st.selectbox(
            "Detector",
            range(len(names)),
            index=study.chosen,
            key=key,
            format_func=lambda index: names[index],
            on_change=take_choice,
            args=("detector", key, set_detector),
        )
    with thresholds:
        _threshold_buttons(study, settings)


def _threshold_buttons(study: Study, settings: Settings) -> None:
    if study.detector.is_binary:
        st.markdown("This detector gives alarms, not scores: there is no threshold to choose.")
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown("Use the best threshold for", width="content")
        for point in study_results.best_points(study, settings):
            is_here = point.threshold == study.threshold(settings)
            st.button(
                f"{point.protocol.name}: {study.detector.short(point.threshold)}",
                key=f"best_{point.protocol.key}",
                type="primary" if is_here else "secondary",
                on_click=set_choice,
                args=(point.threshold,),
                help=f"F1 {point.f1:.3f} under {point.protocol.label}",
            )
        _follow_widget(study, settings)


def _follow_widget(study: Study, settings: Settings) -> None:
    """Ask whether the threshold follows a protocol's best as parameters move, or stays."""
    names = {protocol.key: protocol.name for protocol in settings.protocols()}
    follows = study.choice if isinstance(study.choice, str) and study.choice in names else None
    key = widget_key("follow", follows)
    st.selectbox(
        "As d and K move, the threshold",
        [None, *names],
        index=[None, *names].index(follows),
        key=key,
        width=230,
        format_func=lambda each: "stays where it is" if each is None else f"follows {names[each]}",
        on_change=take_choice,
        args=("follow", key, set_follow),
    )


# ---- below the timeline --------------------------------------------------------------------------


def show_segments(study: Study, found: Sequence[Evaluation]) -> None:
    """Show what happened to each segment, and how late the hits were."""
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
        descriptions.stem_of(study),
    )


def show_ledger(study: Study, found: Sequence[Evaluation]) -> None:
    """Show the segments; choosing a row zooms to it."""
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
    save_table(table, "ledger", descriptions.stem_of(study))


def compare_options(study: Study) -> tuple[bool, RandomRuns]:
    """Ask at which thresholds detectors are compared, and how many random ones to try."""
    usual = count_draws(study.series.size)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        at_best = compare_at()
        with st.popover("Random baseline"):
            st.markdown(
                "Uniformly random scores, at their own best threshold in every run. Where alarms "
                "are given, as many alarms at random places."
            )
            runs = st.number_input("Runs", 2, 1000, usual, key="random_runs")
            seed = st.number_input("Seed", 0, 10**6, 0, key="random_seed")
    return at_best, RandomRuns(int(runs), int(seed))


def show_thresholds(study: Study, settings: Settings) -> None:
    """Show each protocol's best threshold, and every protocol over the threshold."""
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
        descriptions.stem_of(study),
    )
    _offer_every_threshold(study, settings, next(iter(sweeps)).thresholds.size)


def _offer_every_threshold(study: Study, settings: Settings, shown: int) -> None:
    """Say how many of all thresholds are drawn, and offer the rest as a file."""
    if study.detector.is_binary:
        return
    every = study_results.count_thresholds(study)
    if shown >= every:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"The chart and its numbers show {shown:,} of {every:,} thresholds.")
        downloads.offer(
            "All of them (CSV)",
            lambda: to_csv(
                detector_tables.sweep_table(study_results.every_threshold(study, settings), study)
            ),
            f"padf-{descriptions.stem_of(study)}-all-thresholds.csv",
            "text/csv",
            of=(study, settings),
            key="every_threshold",
        )


def show_rule(study: Study, settings: Settings) -> None:
    """Let the detector ring by an alert rule at its threshold, and show what that changes."""
    series, threshold, replay = study.series, study.threshold(settings), current_replay()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        ask_wait_and_cooldown(series.step_seconds or ASSUMED_STEP)
        st.page_link(
            "pages/operators.py",
            label="Replay it for operators",
            icon=":material/alarm:",
            query_params=replays.link_query(
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
        f"An alarm comes at the last of {rule.wait} points in a row at or above "
        f"{study.detector.short(threshold)}, then none for {rule.cooldown}. "
        f"{detector_tables.found_text(study, pattern)} "
        f"{detector_tables.false_alarms(series, pattern).text}"
    )
    table = detector_tables.rule_table(found, rung)
    show_table(table, list(table.columns[1:]))
    save_table(table, "alert-rule", descriptions.stem_of(study))
    st.code(
        f"rule = padf.{rule!r}\nalarms = padf.alarms_from(scores[{study.detector.name!r}], rule)",
        language="python",
    )


def threshold_axis() -> bool:
    """Ask for the x-axis of the threshold chart; say whether it is the share that is flagged."""
    chosen = st.radio(
        "Over",
        ["threshold", "share"],
        format_func={
            "threshold": "the threshold",
            "share": "the share of points that are flagged",
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
    save_table(table, "best-thresholds", descriptions.stem_of(study))
    name = descriptions.detector_names(study)[study.chosen]
    for notice in flags_everything((name, point.protocol.label, point.flagged) for point in best):
        st.warning(plain(notice), icon=":material/info:")


def compared(study: Study, settings: Settings, at_best: bool, random: RandomRuns) -> Comparison:
    """Compute the comparison, with a bar while scores are sorted and random detectors tried."""
    if not study.is_all_ranked:
        with progress("Sorting the scores") as report_progress:
            study_results.rank_all(study, report_progress)
    with progress("Computing the random baseline") as report_progress:
        return study_results.compared(
            study,
            settings,
            at_best=at_best,
            runs=random.runs,
            seed=random.seed,
            progress=report_progress,
        )


def show_detectors(study: Study, settings: Settings) -> None:
    """Compare the detectors: scores and ranks, over each number, areas, and how sure it is."""
    at_best, random = compare_options(study)
    made = compared(study, settings, at_best, random)
    show_comparison(made, descriptions.stem_of(study))
    numbers = settings.numbers()
    heads = [f"Over {number.symbol}" for number in numbers.values()]
    ranks, *over, areas, random_tab, honest, sure = sections(
        "compare_sections",
        "Ranks",
        *heads,
        "Areas",
        "Random baseline",
        "Without hindsight",
        "How sure is it?",
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
                "Without a threshold: average precision (AP) and the area under the ROC curve. "
                "Without a parameter: the mean of the best F1 over its whole range."
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
    """Show scores and ranks; ranks that differ from those under PA are marked."""
    table = comparison_tables.comparison_table(made)
    labels = [protocol.label for protocol in made.protocols]
    heads: list[Hashable] = [comparison_tables.rank_head(protocol) for protocol in made.protocols]
    marked = table.style.map(_mark, subset=heads)
    config = {label: st.column_config.NumberColumn(format="%.3f") for label in labels}
    st.dataframe(marked, hide_index=True, width="stretch", column_config=config)
    save_table(table, "comparison", of)
    st.caption(
        "▲ and ▼: places won or lost against the ranking under PA. "
        f"{plain(comparison_tables.random_text(made))}"
    )
    for sentence in comparison_tables.verdicts(made):
        st.markdown(f"- {plain(sentence)}")


def _mark(text: object) -> str:
    is_moved = "▲" in str(text) or "▼" in str(text)
    return "font-weight: bold; background-color: rgba(213, 94, 0, 0.2)" if is_moved else ""


def show_over(study: Study, settings: Settings, key: str, at_best: bool) -> None:
    """Show F1 of every detector over a protocol's number."""
    names = descriptions.detector_names(study)
    number = study_results.number_of(settings, key)
    with progress("Computing the curves") as report_progress:
        curves = study_results.detector_curves(
            study, settings, key, at_best=at_best, progress=report_progress
        )
    crossed, texts = comparison_tables.crossing_texts(curves, names, number.symbol)
    st.markdown(
        f"**{settings.protocol(key).name} over {number.title}.** {number.summary} The dotted line "
        "is where the setting is now."
    )
    chart_with_table(
        shared_charts.detector_lines(
            curves, names, crossed, settings[number.key], number.title, widgets.mode()
        ),
        comparison_tables.curve_columns(number.title, curves, names),
        f"detectors-over-{key}",
    )
    if texts:
        st.markdown("\n".join(f"- {plain(text)}." for text in texts[:FEW_CHANGES]))
        if len(texts) > FEW_CHANGES:
            with st.expander(f"{len(texts) - FEW_CHANGES} more changes of place"):
                st.markdown("\n".join(f"- {plain(text)}." for text in texts[FEW_CHANGES:]))
    else:
        st.markdown("No detector passes another: the ranking is the same everywhere.")


def show_areas(study: Study, settings: Settings) -> None:
    """Show the summaries that need no threshold, no K and no decay rate."""
    with progress("Computing the areas") as report_progress:
        areas = study_results.areas_of(study, settings, report_progress)
    table = comparison_tables.area_table(descriptions.detector_names(study), areas, settings)
    show_table(table, list(table.columns[1:]))
    save_table(table, "areas", descriptions.stem_of(study))


_CHOSEN_ON = {
    "segments": "other segments (five parts in turn)",
    "series": "other series (each left out once)",
    "first": "the first half of the rows",
}


def show_held_out(study: Study, settings: Settings) -> None:
    """Show what is left of each score when its threshold has not seen the labels that judge it."""
    st.markdown(
        "The best threshold on the labels that judge it is an **oracle**. Here thresholds are "
        "chosen on one part and judged on another."
    )
    ways = dict(_CHOSEN_ON)
    if study.series.rows.begins is None:
        del ways["series"]
    how = st.radio(
        "Chosen on", list(ways), format_func=ways.__getitem__, horizontal=True, key="held_out_on"
    )
    try:
        with progress("Choosing thresholds elsewhere") as report_progress:
            made = study_results.held_out(study, settings, how, report_progress)
    except ValueError as error:
        st.info(plain(f"{error}."))
        _offer_budget(study)
        return
    names = descriptions.detector_names(study)
    table = uncertainty_tables.held_out_table(names, made)
    show_table(table, ["Oracle", "Without hindsight", "Optimism"])
    save_table(table, "without-hindsight", descriptions.stem_of(study))
    for sentence in uncertainty_tables.held_out_text(names, made):
        st.markdown(f"- {plain(sentence)}")
    _offer_budget(study)


def _offer_budget(study: Study) -> None:
    """Offer the threshold of the detector that is looked at that keeps a budget of false calls."""
    days = study.series.days
    if study.detector.is_binary or not days:
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        calls = st.number_input("False calls per day, at most", 0.0, 1e6, 1.0, key="budget")
        threshold = within_budget(study.detector.ranked, calls * days)
        if isinf(threshold):
            st.markdown("Even the highest score calls more often.")
            return
        st.button(
            f"Use threshold {study.detector.short(threshold)}",
            on_click=set_choice,
            args=(threshold,),
            help="The lowest from which on up calls never exceed the budget; labels of anomalies "
            "are not used.",
        )


def show_against(study: Study, settings: Settings, made: Comparison, at_best: bool) -> None:
    """Show whether each detector knows more of the incidents than its scores moved in time."""
    with progress("Moving the scores in time") as report_progress:
        against = study_results.against_shifts(
            study, settings, at_best=at_best, progress=report_progress
        )
    table = comparison_tables.against_table(made, against)
    show_table(table, ["F1", "Random baseline", "Flagged, %"])
    save_table(table, "random-baseline", descriptions.stem_of(study), SHIFT_NULL)
    for sentence in comparison_tables.unproven(made, against):
        st.markdown(f"- {plain(sentence)}")
    st.caption(comparison_tables.against_text(against))


def show_uncertainty(study: Study, settings: Settings, made: Comparison, at_best: bool) -> None:
    """Show how far each F1 would move with other incidents of the same kind."""
    with progress("Leaving out one segment after the other") as report_progress:
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
    for sentence in uncertainty_tables.told_apart(made, sure, level):
        st.markdown(f"- {plain(sentence)}")
    st.caption(uncertainty_tables.how_sure(sure[0], level))
    seen = None if at_best else uncertainty_tables.hindsight(study, settings)
    if seen:
        st.warning(plain(seen), icon=":material/info:")
    if len(made.names) > 1:
        with st.expander("Differences between detectors"):
            table = uncertainty_tables.difference_table(made, sure, level)
            show_table(table, ["Difference from", "to", "Detectable from"])
            save_table(table, "differences", descriptions.stem_of(study), SWAP_NULL)
            st.caption(uncertainty_tables.paired_text(sure[0]))


def take_away(study: Study, settings: Settings) -> None:
    """Offer everything as files, and as lines that give the same numbers."""
    at_best, random = compare_options(study)
    made = compared(study, settings, at_best, random)
    with st.container(horizontal=True):
        stem, of = f"padf-{descriptions.stem_of(study)}", (study, settings, f"{at_best} {random}")
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
                partial(to_csv, table),
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
        "The address of this page holds the settings, the thresholds and the view. It does not "
        "hold the data: a reader must upload them as well. A sample is named in it and opens "
        "by itself."
    )
    if without := data_exports.left_out(study):
        st.markdown(f"The JSON file leaves out the {without:,} segments of each detector.")
    if data_exports.needs_series_file(study):
        file = data_exports.series_file(study)
        st.markdown(f"The lines below read `{file}`, saved with the button above.")
    st.markdown("The same numbers in Python, after `pip install .`:")
    st.code(data_exports.python_lines(study, settings), language="python", wrap_lines=True)
    st.markdown("And on the command line:")
    st.code(data_exports.command_lines(study, settings), language="bash", wrap_lines=True)


def _json(study: Study, settings: Settings, made: Comparison) -> str:
    return data_exports.to_json(study, settings, made, study_results.areas_of(study, settings))
