"""Widgets of Random detector."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import streamlit as st

from padf_core import (
    ExponentialDecay,
    PointAdjust,
    PointAdjustDecay,
    Protocol,
    Settings,
    random_score_f1,
)
from padf_core.analysis.random_detector import Simulated, count_draws
from padf_core.io.notation import percent
from padf_core.metrics.expectation import random_score_best
from padf_core.metrics.protocols import PrecisionConvention
from padf_core.metrics.timing import ASSUMED_STEP
from padf_ui.components import mounting, widgets
from padf_ui.components.names import plain
from padf_ui.components.progress import progress
from padf_ui.components.tables import chart_with_table, save_table, show_table
from padf_ui.components.terms import tell
from padf_ui.random_baseline import random_charts
from padf_ui.random_baseline.credit_tables import (
    appendix_table,
    by_convention,
    term_table,
    terms_of,
)
from padf_ui.random_baseline.random_charts import RandomCurve
from padf_ui.random_baseline.random_results import MAP_LENGTHS, random_map, simulated
from padf_ui.session.asks import PROBABILITIES_KEY, answered, visit_name
from padf_ui.session.probabilities import (
    MIN_LENGTH,
    PRESETS,
    Probabilities,
    current_probabilities,
    probabilities_revision,
    set_probabilities,
    take_probabilities,
)
from padf_ui.session.settings import current_settings
from padf_ui.session.study import Study
from padf_ui.session.widget_values import bound
from padf_ui.study import descriptions, study_results
from padf_ui.study.options import RandomRuns
from padf_ui.wire.cases import ProbabilityData
from padf_ui.wire.limits import MAX_PROBABILITIES

LENGTHS = (5, 10, 20, 50, 100, 200, 500, 1000)
RATES = (0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0)
SHOWN_AT = (0.05, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999)
"""Thresholds at which simulated points are drawn."""

_CONVENTIONS: dict[PrecisionConvention, str] = {
    "equations": "equations (as in Fig. 3)",
    "tables": "tables",
}


@dataclass(frozen=True)
class Setup:
    """Inputs for the curves."""

    ratio: float
    lengths: tuple[int, ...]
    rates: tuple[float, ...]
    length: int
    precision: PrecisionConvention
    runs: int
    seed: int


def ask_basis() -> tuple[float, PrecisionConvention]:
    """Ask for the anomaly ratio and the precision convention."""
    ratio = st.slider("Anomaly ratio, in %", 1, 50, 5, key="random_ratio", persist_state="session")
    precision: PrecisionConvention = st.radio(
        "Precision of PAdf",
        list(_CONVENTIONS),
        format_func=_CONVENTIONS.__getitem__,
        horizontal=True,
        key="random_precision",
        persist_state="session",
    )
    return ratio / 100, precision


def ask_setup() -> Setup:
    """Ask for anomaly ratio, segment lengths, decay rates, convention, runs and seed."""
    first, second, third = st.columns(3, gap="medium")
    with first:
        ratio, precision = ask_basis()
    with second:
        lengths = st.multiselect(
            "PA: points per segment, N", LENGTHS, [5, 50, 500], key="random_lengths"
        )
        length = st.select_slider("PAdf: N", LENGTHS, 500, key="random_length")
    with third:
        rates = st.multiselect(
            "PAdf: decay rate d", RATES, [0.7, 0.9, 0.99, 1.0], key="random_rates"
        )
        left, right = st.columns(2)
        with left:
            runs = st.number_input("Simulated runs", 2, 50, 8, key="random_figure_runs")
        with right:
            seed = st.number_input("Seed", 0, 10**6, 0, key="random_figure_seed")
    return Setup(
        ratio,
        tuple(sorted(lengths)),
        tuple(sorted(rates)),
        int(length),
        precision,
        int(runs),
        int(seed),
    )


def show_lengths(setup: Setup) -> None:
    """Show Fig. 3a: PA for several segment lengths."""
    cases: list[tuple[str, int, Protocol]] = [
        (f"N = {length}", length, PointAdjust()) for length in setup.lengths
    ]
    _show_curves(setup, cases, "fig3a")


def show_rates(setup: Setup) -> None:
    """Show Fig. 3b: PAdf for several decay rates."""
    cases: list[tuple[str, int, Protocol]] = [
        (f"d = {rate:g}", setup.length, PointAdjustDecay(ExponentialDecay(rate), setup.precision))
        for rate in setup.rates
    ]
    _show_curves(setup, cases, "fig3b")


def _show_curves(setup: Setup, cases: Sequence[tuple[str, int, Protocol]], key: str) -> None:
    if not cases:
        st.info("Choose at least one value.")
        return
    thresholds = 1 - np.unique(np.concatenate((np.geomspace(1e-5, 1, 260), np.linspace(0, 1, 101))))
    points = _simulate(setup, cases)
    curves = [
        RandomCurve(
            name,
            thresholds,
            random_score_f1(thresholds, length, setup.ratio, protocol, ASSUMED_STEP),
            random_score_best(length, setup.ratio, [protocol], ASSUMED_STEP)[0],
            points[length, protocol],
        )
        for name, length, protocol in cases
    ]
    table = pd.DataFrame({"threshold": SHOWN_AT}).assign(
        **{
            column: values
            for curve, (_, length, protocol) in zip(curves, cases, strict=True)
            for column, values in (
                (
                    f"{curve.name}, closed form",
                    random_score_f1(list(SHOWN_AT), length, setup.ratio, protocol, ASSUMED_STEP),
                ),
                (f"{curve.name}, simulated", curve.points.mean),
                (f"{curve.name}, ±", curve.points.error),
            )
        }
    )
    chart_with_table(random_charts.random_curves(curves, widgets.mode()), table, key)
    st.markdown(
        "\n".join(
            f"- {curve.name}: at most **{curve.best.f1:.3f}**, by flagging "
            f"{percent(curve.best.alarm_rate)} of all points at random."
            for curve in curves
        )
    )


def _simulate(
    setup: Setup, cases: Sequence[tuple[str, int, Protocol]]
) -> dict[tuple[int, Protocol], Simulated]:
    """Return the simulated points of each curve.

    Curves with the same segment length share scores.
    """
    points = {}
    lengths = sorted({length for _, length, _ in cases})
    with progress("Simulating") as report:
        for done, length in enumerate(lengths):
            protocols = tuple(protocol for _, each, protocol in cases if each == length)

            def part(share: float, done: int = done) -> None:
                report((done + share) / len(lengths))

            made = simulated(SHOWN_AT, length, setup.ratio, protocols, setup.runs, setup.seed, part)
            for protocol, each in zip(protocols, made, strict=True):
                points[length, protocol] = each
    return points


def show_map(settings: Settings) -> None:
    """Show a map of the best F1 of a random detector."""
    ratio, precision = ask_basis()
    numbers = settings.numbers()
    key = st.radio(
        "Map over N and",
        list(numbers),
        format_func=lambda each: f"{numbers[each].symbol} of {settings.protocol(each).name}",
        horizontal=True,
        key="random_map",
    )
    number = numbers[key]
    table = random_map(key, ratio, settings.replace(precision=precision))
    tell(f"{number.summary} Long segments are easy to hit at random.")
    shown = table.reset_index(names=number.symbol)
    shown.columns = pd.Index([str(name) for name in shown.columns])
    chart_with_table(
        random_charts.random_map(table, number.title, widgets.mode()), shown, f"random-map-{key}"
    )
    heights = table.to_numpy()
    row, column = divmod(int(np.argmax(heights)), heights.shape[1])
    st.markdown(
        f"Maximum: {heights[row, column]:.3f}, at N = {MAP_LENGTHS[column]} and {number.symbol} "
        f"= {table.index[row]:g}."
    )


def show_on_labels(study: Study, settings: Settings) -> None:
    """Show the scores of random detectors on real labels, over many seeds."""
    wanted = random_setup(study)
    with progress("Trying random detectors") as report:
        rows = study_results.random_of(study, settings, wanted.runs, wanted.seed, progress=report)
    table = pd.DataFrame(
        [
            {
                "Protocol": row.protocol.label,
                "Mean": row.mean,
                "Variance": row.spread**2,
                "Lowest": min(row.f1),
                "Highest": row.highest,
                "Points flagged at its best, %": 100 * row.alarm_rate,
            }
            for row in rows
        ]
    )
    chart_with_table(
        random_charts.random_boxes(rows, widgets.mode()),
        table,
        "random-on-labels",
        descriptions.file_stem(study),
    )
    best = max(rows, key=lambda row: row.mean)
    st.markdown(
        f"On {plain(descriptions.data_title(study))} a random detector scores best under "
        f"{best.protocol.label}: {best.mean:.3f} on average over {len(best.f1)} seeds, flagging "
        f"{percent(best.alarm_rate)} of all points."
    )


def random_setup(study: Study) -> RandomRuns:
    """Ask for the number of seeds and the first seed."""
    usual = count_draws(study.series.size)
    with st.container(horizontal=True):
        runs = st.number_input("Seeds", 2, 1000, usual, key="label_runs", width=150)
        seed = st.number_input("First seed", 0, 10**6, 0, key="label_seed", width=150)
    return RandomRuns(int(runs), int(seed))


def show_drawing() -> None:
    """Show the presets and the chart in which p(t) can be drawn."""
    with st.container(horizontal=True, gap="small"):
        for index, preset in enumerate(PRESETS):
            st.button(
                preset.title,
                key=f"preset_{index}",
                on_click=set_probabilities,
                args=(preset.drawn,),
            )
    drawn = current_probabilities()
    st.number_input(
        "Points in the segment",
        MIN_LENGTH,
        MAX_PROBABILITIES,
        len(drawn.alarm),
        **bound("drawn_size", len(drawn.alarm), _resize),
        width=180,
    )
    _show_bars(drawn)


def _show_bars(drawn: Probabilities) -> None:
    """Show the alarm probabilities as bars that the user can draw, and the expected credit."""
    settings = current_settings()
    first, worth = terms_of(drawn, settings)
    terms = first * worth
    sums = np.cumsum(terms)
    data: ProbabilityData = {
        "session": visit_name(),
        "revision": probabilities_revision(),
        "answered": answered(PROBABILITIES_KEY),
        "alarm": list(drawn.alarm),
        "terms": [round(value, 5) for value in terms.tolist()],
        "sums": [round(value, 5) for value in sums.tolist()],
        "total": f"{sums[-1]:.3f}",
        "words": f"Expected credit {sums[-1]:.3f} over {len(drawn.alarm)} points.",
    }
    mounting.mount("probabilities", PROBABILITIES_KEY, data, take_probabilities)


def _resize(length: int) -> None:
    drawn = current_probabilities()
    alarm = (*drawn.alarm[:length], *(0.0,) * max(0, length - len(drawn.alarm)))
    set_probabilities(replace(drawn, alarm=alarm))


def show_terms(settings: Settings) -> None:
    """Show the terms, their sum, and the printed results of Appendix C."""
    drawn = current_probabilities()
    table = term_table(drawn, settings)
    by_tables, by_equations = by_convention(drawn, settings)
    beside = f", plus {drawn.false_alarms} false alarms" if drawn.false_alarms else ""
    tell(
        f"Expected recall **{by_tables.recall:.4f}**{beside}. F1 of the expected counts: "
        f"**{by_tables.f1:.4f}** by the tables, **{by_equations.f1:.4f}** by the equations."
    )
    show_table(table, list(table.columns[1:]), height=300)
    save_table(table, "expected-credit")
    if settings["shape"] == ExponentialDecay.shape:
        st.markdown("**Appendix C, printed and computed** (for this d):")
        show_table(appendix_table(settings), ["printed", "equations", "tables"])
    else:
        st.markdown("Appendix C has results for the exponential decay only.")
