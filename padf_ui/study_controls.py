"""The widgets of the data page."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from padf_core import Evaluation, Settings
from padf_core.settings import half_gone_after
from padf_core.sweep import BestPoint
from padf_ui import bring, compute, controls, exports, results, state
from padf_ui.figures import detectors as charts
from padf_ui.lanes.rows import DECAY_STEPS, DECAY_SYMBOLS, decay_title
from padf_ui.names import plain, to_csv
from padf_ui.results import Comparison
from padf_ui.study import Study, protocol_of

MAX_LEDGER_IN_REPORT = 500
FEWER_RUNS_FROM = 2_000_000

_COMPARE_AT = {
    "best": "each protocol's best threshold",
    "chosen": "the threshold chosen for it on Your data",
}


def data_menus(study: Study | None) -> None:
    """Show what opens from the title row."""
    with st.popover("Rules"):
        controls.rule_widgets(state.board().settings)
        controls.settings_file()
    if study is None:
        return
    if state.is_bringing():
        st.button("Back to the data", on_click=state.set_bringing, args=(False,))
    else:
        st.button("Other data", on_click=state.set_bringing, args=(True,))


def show_summary(study: Study) -> None:
    """Say what was read, and what should be known about it."""
    series = study.series
    st.markdown(f"**{plain(results.names_of(study))}** · {plain(results.summary(series))}")
    for warning in results.warnings_of(series):
        st.warning(warning)


def parameter_row(study: Study, settings: Settings) -> None:
    """Show the detector that is looked at, the decay and K."""
    detector, decay, k = st.columns([1.1, 1, 1], gap="medium")
    names = results.detector_names(study)
    with detector:
        key = state.widget_key("detector", study.chosen)
        st.selectbox(
            "Detector",
            range(len(names)),
            index=study.chosen,
            key=key,
            format_func=lambda index: names[index],
            on_change=state.take_choice,
            args=("detector", key, state.set_detector),
        )
    steps = sorted({*DECAY_STEPS[settings.shape], settings.decay})
    note = half_gone_after(settings.decay_at(settings.decay), study.series.step_seconds)
    with decay:
        _slider(f"{decay_title(settings.shape)}: {note}", "decay", steps, settings.decay)
    with k:
        percentages = sorted({*(float(k) for k in range(101)), settings.k})
        _slider("K of PA%K, in %", "k", percentages, settings.k)


def _slider(label: str, name: str, steps: list[float], value: float) -> None:
    key = state.widget_key(f"data_{name}", value)
    st.select_slider(
        label,
        steps,
        value=value,
        key=key,
        format_func=lambda step: f"{step:g}",
        on_change=state.take_choice,
        args=(f"data_{name}", key, partial(_take_setting, name)),
    )


def _take_setting(name: str, value: float) -> None:
    state.set_settings(**{name: float(value)})


def threshold_buttons(study: Study, settings: Settings) -> None:
    """Offer each protocol's best threshold, one click away."""
    if study.detector.is_binary:
        st.markdown("This detector gives alarms, not scores: there is no threshold to choose.")
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown("Use the best threshold for", width="content")
        for point in compute.best_points(study, settings):
            key = point.protocol.key
            st.button(
                f"{point.protocol.name}: {point.threshold:.6g}",
                key=f"best_{key}",
                type="primary" if study.choice == key else "secondary",
                on_click=state.set_choice,
                args=(key,),
                help=f"F1 {point.f1:.3f} under {point.protocol.label}",
            )
        if isinstance(study.choice, str):
            name = protocol_of(settings, study.choice).name
            st.markdown(f"The threshold follows {name}.", width="content")
        else:
            st.markdown("The threshold is your own.", width="content")


def show_ledger(study: Study, found: list[Evaluation]) -> None:
    """Show the segments; choosing a row zooms to it."""
    table = results.ledger(study, found)
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
        on_select=partial(state.take_row, key),
        selection_mode="single-row",
    )
    controls.save_table(table, "ledger")


@dataclass(frozen=True)
class Chances:
    """How often things are repeated, and from which seed."""

    runs: int
    seed: int


def compare_options(study: Study) -> tuple[bool, Chances]:
    """Ask at which thresholds detectors are compared, and how many random ones to try."""
    few = study.series.size >= FEWER_RUNS_FROM
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        at_best = compare_at()
        with st.popover("Random detector"):
            st.markdown("Uniform noise, at its own best threshold in every run.")
            runs = st.number_input("Runs", 2, 200, 5 if few else 20, key="random_runs")
            seed = st.number_input("Seed", 0, 10**6, 0, key="random_seed")
    return at_best, Chances(int(runs), int(seed))


def compare_at() -> bool:
    """Ask at which thresholds detectors are compared; say whether at the best ones."""
    chosen = st.radio(
        "Each detector at",
        list(_COMPARE_AT),
        format_func=_COMPARE_AT.__getitem__,
        horizontal=True,
        key="compare_at",
        width="content",
        persist_state="session",
    )
    return chosen == "best"


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


def show_best(best: Sequence[BestPoint]) -> None:
    """Show each protocol's best threshold."""
    table = results.best_table(best)
    controls.show_table(table, ["Precision", "Recall", "F1"])
    controls.save_table(table, "best-thresholds")


def compared(study: Study, settings: Settings, at_best: bool, chances: Chances) -> Comparison:
    """Compute the comparison, with a bar while random detectors are tried."""
    with bring.progress("Trying random detectors") as report:
        return compute.compared(
            study,
            settings,
            at_best=at_best,
            runs=chances.runs,
            seed=chances.seed,
            progress=report,
        )


def show_comparison(made: Comparison) -> None:
    """Show scores and ranks; ranks that differ from those under PA are marked."""
    table = results.comparison_table(made)
    labels = [protocol.label for protocol in made.protocols]
    heads: list[Hashable] = [results.rank_head(protocol) for protocol in made.protocols]
    marked = table.style.map(_mark, subset=heads)
    config = {label: st.column_config.NumberColumn(format="%.3f") for label in labels}
    st.dataframe(marked, hide_index=True, width="stretch", column_config=config)
    controls.save_table(table, "comparison")
    st.caption(
        "▲ and ▼: places won or lost against the ranking under PA. "
        f"{plain(results.random_text(made))}"
    )
    for sentence in results.verdicts(made):
        st.markdown(f"- {plain(sentence)}")


def _mark(text: object) -> str:
    is_moved = "▲" in str(text) or "▼" in str(text)
    return "font-weight: bold; background-color: rgba(213, 94, 0, 0.2)" if is_moved else ""


def show_over(study: Study, settings: Settings, over: str, at_best: bool) -> None:
    """Show F1 of every detector over the decay or over K."""
    names = results.detector_names(study)
    with bring.progress("Computing the curves") as report:
        curves = compute.detector_curves(study, settings, over, at_best=at_best, progress=report)
    symbol = "K" if over == "k" else DECAY_SYMBOLS[settings.shape]
    title = "K, in %" if over == "k" else decay_title(settings.shape)
    here = settings.k if over == "k" else settings.decay
    crossed, texts = results.crossing_texts(curves, names, symbol)
    st.markdown(
        "**PA%K over K.** From PA at K = 0 down to point-wise at K = 100."
        if over == "k"
        else f"**PAdf over the {title}.** The dotted line is where the setting is now."
    )
    controls.chart_table_csv(
        charts.detector_lines(curves, names, crossed, here, title, controls.mode()),
        results.curve_columns(title, curves, names),
        f"detectors-over-{over}",
    )
    if texts:
        st.markdown("\n".join(f"- {plain(text)}." for text in texts[:12]))
    else:
        st.markdown("No detector passes another: the ranking is the same everywhere.")


def show_areas(study: Study, settings: Settings) -> None:
    """Show the summaries that need no threshold, no K and no decay rate."""
    with bring.progress("Computing the areas") as report:
        areas = compute.areas_of(study, settings, report)
    table = results.area_table(results.detector_names(study), areas, settings)
    controls.show_table(table, list(table.columns[1:]))
    controls.save_table(table, "areas")


def show_uncertainty(study: Study, settings: Settings, made: Comparison, at_best: bool) -> None:
    """Show how far each F1 would move with other incidents of the same kind."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        count = st.number_input("Resamples", 100, 20_000, 1000, 100, key="resamples", width=150)
        seed = st.number_input("Seed", 0, 10**6, 0, key="resample_seed", width=150)
        level = st.selectbox(
            "Level", [0.8, 0.9, 0.95, 0.99], index=2, key="level", width=150, format_func=_percent
        )
    if len(study.series.segments) < 2:
        st.info("Fewer than two segments: nothing can be resampled.")
        return
    with bring.progress("Resampling") as report:
        drawn = compute.resampled(
            study,
            settings,
            at_best=at_best,
            resamples=int(count),
            seed=int(seed),
            progress=report,
        )
    controls.chart_table_csv(
        charts.interval_chart(made, drawn, level, controls.mode()),
        results.interval_table(made, drawn, level),
        "intervals",
    )
    for sentence in results.told_apart(made, drawn, level):
        st.markdown(f"- {plain(sentence)}")
    how = (
        "each resample takes its own best threshold among some 200"
        if at_best
        else "thresholds stay as chosen"
    )
    st.caption(
        f"The series is cut between segments into {drawn[0].blocks:,} blocks, and blocks are drawn "
        f"with replacement; {how}. Two detectors are told apart when the {_percent(level)} range "
        "of their difference, resample by resample, leaves out 0. Few segments mean wide ranges."
    )
    with st.expander("Differences between detectors"):
        table = results.difference_table(made, drawn, level)
        controls.show_table(table, ["Difference from", "to"])
        controls.save_table(table, "differences")


def _percent(share: float) -> str:
    return f"{100 * share:g} %"


def take_away(study: Study, settings: Settings, made: Comparison, at_best: bool) -> None:
    """Offer everything as files, and as lines that give the same numbers."""
    with st.container(horizontal=True):
        st.download_button(
            "Report (HTML)",
            partial(report, study, settings, made, at_best),
            "padf-report.html",
            "text/html",
            type="primary",
            on_click="ignore",
        )
        st.download_button(
            "Everything (JSON)",
            partial(_json, study, settings, made),
            "padf-evaluation.json",
            "application/json",
            on_click="ignore",
        )
        st.download_button(
            "LaTeX table",
            exports.to_latex(made, settings, at_best=at_best),
            "padf-table.tex",
            "application/x-tex",
            on_click="ignore",
        )
        for name, table in (
            ("Thresholds", results.threshold_table(made)),
            ("Random detector", results.random_table(made)),
        ):
            st.download_button(
                f"{name} (CSV)",
                partial(to_csv, table),
                f"padf-{name.lower().replace(' ', '-')}.csv",
                "text/csv",
                on_click="ignore",
            )
        st.download_button(
            "The series (CSV)",
            partial(exports.series_csv, study),
            exports.SERIES_FILE,
            "text/csv",
            on_click="ignore",
        )
    st.markdown(
        "The address of this page holds the settings, the thresholds and the view. It does not "
        "hold the data: whoever opens it must bring them too. A sample is named in it and opens "
        "by itself."
    )
    if exports.needs_series_file(study):
        st.markdown(f"The lines below read `{exports.SERIES_FILE}`, saved with the button above.")
    st.markdown("The same numbers in Python, after `pip install .`:")
    st.code(exports.python_lines(study, settings), language="python", wrap_lines=True)
    st.markdown("And on the command line:")
    st.code(exports.command_lines(study, settings), language="bash", wrap_lines=True)


def _json(study: Study, settings: Settings, made: Comparison) -> str:
    return exports.to_json(study, settings, made, compute.areas_of(study, settings))


def report(study: Study, settings: Settings, made: Comparison, at_best: bool) -> str:
    """Return the report: what was read, the comparison, thresholds, curves and segments."""
    names = results.detector_names(study)
    found = compute.results_of(study, settings)
    best = compute.best_points(study, settings)
    sweeps = compute.sweeps_of(study, settings)
    over = {
        key: compute.detector_curves(study, settings, key, at_best=at_best)
        for key in ("decay", "k")
    }
    ledger = results.ledger(study, found)
    delays, unit = results.delays_of(study.series, found[0])
    areas = compute.areas_of(study, settings)
    decay = decay_title(settings.shape)
    name = names[study.chosen]
    threshold = study.threshold(settings)
    sections = [
        exports.Section("Data and settings", exports.settings_sentences(study, settings)),
        exports.Section(
            "Detectors by protocols",
            [
                f"F1 at {'each best threshold' if at_best else 'the chosen thresholds'}.",
                *results.verdicts(made),
            ],
            [charts.bump_chart(made, "light")],
            [
                results.comparison_table(made),
                results.threshold_table(made),
                results.random_table(made),
            ],
        ),
        exports.Section(
            f"{name}: thresholds",
            [results.best_differ(study, best, compute.flagged_at(study, best))],
            [charts.threshold_curves(sweeps, best, threshold, study.series.size, False, "light")],
            [results.best_table(best)],
        ),
        exports.Section(
            f"{name} at {threshold:.6g}: segments",
            [
                results.found_text(study, found[0]),
                results.false_alarms(study.series, found[0]).text,
                *(
                    [f"The first {MAX_LEDGER_IN_REPORT} of {len(ledger)} segments."]
                    if len(ledger) > MAX_LEDGER_IN_REPORT
                    else []
                ),
            ],
            [charts.delay_histogram(delays, unit, "light")],
            [ledger.head(MAX_LEDGER_IN_REPORT)],
        ),
        exports.Section(
            "Over the decay and over K",
            [
                *(
                    f"{text}."
                    for key, symbol in (("decay", DECAY_SYMBOLS[settings.shape]), ("k", "K"))
                    for text in results.crossing_texts(over[key], names, symbol)[1]
                )
            ],
            [
                charts.detector_lines(
                    over["decay"],
                    names,
                    results.crossing_texts(over["decay"], names, "d")[0],
                    settings.decay,
                    decay,
                    "light",
                ),
                charts.detector_lines(
                    over["k"],
                    names,
                    results.crossing_texts(over["k"], names, "K")[0],
                    settings.k,
                    "K, in %",
                    "light",
                ),
            ],
            [results.area_table(names, areas, settings)],
        ),
        exports.Section("The same in Python", code=exports.python_lines(study, settings)),
        exports.Section("On the command line", code=exports.command_lines(study, settings)),
    ]
    return exports.report_html("Anomaly detectors under four protocols", sections)
