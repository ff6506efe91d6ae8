"""The widgets of the page on the random detector."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import streamlit as st

from padf_core import ExponentialDecay, PointAdjust, PointAdjustDecay, Settings, random_score_f1
from padf_core.protocols import PrecisionConvention, Protocol
from padf_core.published import published_table
from padf_core.theory import credit_terms, random_score_best
from padf_ui import bring, compute, controls, results, state, study_controls
from padf_ui.figures import chance as charts
from padf_ui.figures.chance import RandomCurve
from padf_ui.lanes import live
from padf_ui.lanes.terms import MAX_LENGTH, MIN_LENGTH, PRESETS, Chances, Preset
from padf_ui.names import plain
from padf_ui.study import Study

LENGTHS = (5, 10, 20, 50, 100, 200, 500, 1000)
RATES = (0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0)
SHOWN_AT = (0.05, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999)
"""Thresholds at which simulated points are drawn."""

_CONVENTIONS: dict[PrecisionConvention, str] = {
    "equations": "equations, as in Fig. 3",
    "tables": "tables",
}


@dataclass(frozen=True)
class Setup:
    """What the curves are drawn for."""

    ratio: float
    lengths: tuple[int, ...]
    rates: tuple[float, ...]
    length: int
    precision: PrecisionConvention
    runs: int
    seed: int


def ask_basis() -> tuple[float, PrecisionConvention]:
    """Ask for the anomaly ratio and the convention."""
    ratio = st.slider("Anomaly ratio, in %", 1, 50, 5, key="chance_ratio", persist_state="session")
    precision: PrecisionConvention = st.radio(
        "Precision of PAdf",
        list(_CONVENTIONS),
        format_func=_CONVENTIONS.__getitem__,
        horizontal=True,
        key="chance_precision",
        persist_state="session",
    )
    return ratio / 100, precision


def ask_setup() -> Setup:
    """Ask for anomaly ratio, segment lengths, decay rates and convention."""
    first, second, third = st.columns(3, gap="medium")
    with first:
        ratio, precision = ask_basis()
    with second:
        lengths = st.multiselect(
            "PA: points per segment, N", LENGTHS, [5, 50, 500], key="chance_lengths"
        )
        length = st.select_slider("PAdf: N", LENGTHS, 500, key="chance_length")
    with third:
        rates = st.multiselect(
            "PAdf: decay rate d", RATES, [0.7, 0.9, 0.99, 1.0], key="chance_rates"
        )
        left, right = st.columns(2)
        with left:
            runs = st.number_input("Simulated runs", 2, 50, 8, key="chance_runs")
        with right:
            seed = st.number_input("Seed", 0, 10**6, 0, key="chance_seed")
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
        st.info("Choose at least one value above.")
        return
    thresholds = 1 - np.unique(np.concatenate((np.geomspace(1e-5, 1, 260), np.linspace(0, 1, 101))))
    curves = []
    with bring.progress("Simulating") as report:
        for done, (name, length, protocol) in enumerate(cases, start=1):
            curves.append(
                RandomCurve(
                    name,
                    thresholds,
                    random_score_f1(thresholds, length, setup.ratio, protocol),
                    random_score_best(length, setup.ratio, [protocol])[0],
                    compute.simulated(
                        SHOWN_AT, length, setup.ratio, (protocol,), setup.runs, setup.seed
                    )[0],
                )
            )
            report(done / len(cases))
    table = pd.DataFrame({"threshold": SHOWN_AT}).assign(
        **{
            column: values
            for curve, (_, length, protocol) in zip(curves, cases, strict=True)
            for column, values in (
                (
                    f"{curve.name}, closed form",
                    random_score_f1(list(SHOWN_AT), length, setup.ratio, protocol),
                ),
                (f"{curve.name}, simulated", curve.points.mean),
                (f"{curve.name}, ±", curve.points.error),
            )
        }
    )
    controls.chart_table_csv(charts.random_curves(curves, controls.mode()), table, key)
    st.markdown(
        "\n".join(
            f"- {curve.name}: at most **{curve.best.f1:.3f}**, by flagging "
            f"{results.percent(curve.best.alarm_rate)} of all points at random."
            for curve in curves
        )
    )


def show_map() -> None:
    """Show how high a random detector can score."""
    ratio, precision = ask_basis()
    over = st.radio(
        "Map over N and",
        ["d", "k"],
        format_func={"d": "the decay rate d of PAdf", "k": "K of PA%K"}.__getitem__,
        horizontal=True,
        key="chance_map",
    )
    values, table = compute.chance_map(over, ratio, precision)
    edge = (
        "The row d = 1 is PA: long segments are hit by chance, and one hit pays for all. The "
        "smaller d, the less a late lucky hit is worth."
        if over == "d"
        else "The row K = 0 is PA, the row K = 100 is point-wise. With growing K a random detector "
        "must flag more and more of every segment."
    )
    st.markdown(edge)
    shown = table.reset_index(names="d" if over == "d" else "K")
    shown.columns = pd.Index([str(name) for name in shown.columns])
    controls.chart_table_csv(
        charts.chance_heatmap(table, "decay rate d" if over == "d" else "K, in %", controls.mode()),
        shown,
        f"chance-map-{over}",
    )
    heights = table.to_numpy()
    row, column = divmod(int(np.argmax(heights)), heights.shape[1])
    st.markdown(
        f"Highest here: {heights[row, column]:.3f}, at N = {compute.MAP_LENGTHS[column]} and "
        f"{'d' if over == 'd' else 'K'} = {values[row]:g}."
    )


def show_on_labels(study: Study, settings: Settings) -> None:
    """Show what random detectors reach on real labels, over many seeds."""
    chances = random_setup(study)
    with bring.progress("Trying random detectors") as report:
        rows = compute.chance(study, settings, chances.runs, chances.seed, report)
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
    controls.chart_table_csv(charts.chance_boxes(rows, controls.mode()), table, "chance-on-labels")
    best = max(rows, key=lambda row: row.mean)
    st.markdown(
        f"On {plain(results.names_of(study))} a random detector scores best under "
        f"{best.protocol.label}: {best.mean:.3f} on average over {len(best.f1)} seeds, flagging "
        f"{results.percent(best.alarm_rate)} of all points."
    )


def random_setup(study: Study) -> study_controls.Chances:
    """Ask for the number of seeds."""
    few = study.series.size >= study_controls.FEWER_RUNS_FROM
    with st.container(horizontal=True):
        runs = st.number_input("Seeds", 2, 200, 5 if few else 30, key="label_runs", width=150)
        seed = st.number_input("First seed", 0, 10**6, 0, key="label_seed", width=150)
    return study_controls.Chances(int(runs), int(seed))


def show_printed_table(key: str) -> None:
    """Show Table 5 of the paper: the same for its data sets."""
    table = published_table("table5")
    names = list(dict.fromkeys(table["dataset"]))
    dataset = st.radio("Data set", names, horizontal=True, key=key)
    controls.chart_with_table(
        charts.printed_spread(table, dataset, controls.mode()), table, f"{key}_chart"
    )


# ---- any p(t) ------------------------------------------------------------------------------------


def show_drawing() -> None:
    """Show the presets and the picture in which p(t) is drawn."""
    with st.container(horizontal=True, gap="small"):
        for index, preset in enumerate(PRESETS):
            st.button(
                preset.title,
                key=f"preset_{index}",
                on_click=state.set_chances,
                args=(preset.chances,),
            )
    drawn = state.chances()
    key = state.widget_key("chance_size", len(drawn.alarm))
    st.number_input(
        "Points in the segment",
        MIN_LENGTH,
        MAX_LENGTH,
        len(drawn.alarm),
        key=key,
        width=180,
        on_change=state.take_choice,
        args=("chance_size", key, _resize),
    )
    live.show_chances()


def _resize(length: int) -> None:
    drawn = state.chances()
    alarm = (*drawn.alarm[:length], *(0.0,) * max(0, length - len(drawn.alarm)))
    state.set_chances(replace(drawn, alarm=alarm))


def term_table(drawn: Chances, settings: Settings) -> pd.DataFrame:
    """Return the terms of the expected credit."""
    chance, worth = credit_terms(drawn.normal, settings.decay_at(settings.decay))
    return pd.DataFrame(
        {
            "first alarm at": np.arange(chance.size),
            "chance of that": chance,
            "worth D": worth,
            "term": chance * worth,
            "so far": np.cumsum(chance * worth),
        }
    )


def show_terms(settings: Settings) -> None:
    """Show the terms, what they add up to, and the printed results of Appendix C."""
    drawn = state.chances()
    table = term_table(drawn, settings)
    tables = drawn.expectation(replace(settings, precision="tables"))
    equations = drawn.expectation(replace(settings, precision="equations"))
    beside = f", with {drawn.false_alarms} false alarms beside it" if drawn.false_alarms else ""
    st.markdown(
        f"Expected recall **{tables.recall:.4f}**{beside}. F1 of the expected counts: "
        f"**{tables.f1:.4f}** by the tables, **{equations.f1:.4f}** by the equations."
    )
    controls.show_table(table, list(table.columns[1:]), height=300)
    controls.save_table(table, "expected-credit")
    if settings.shape == "exponential":
        st.markdown("**Appendix C, printed and computed** (for this d):")
        controls.show_table(appendix_table(settings), ["printed", "equations", "tables"])
    else:
        st.markdown("The printed results of Appendix C are for the exponential decay.")


def appendix_table(settings: Settings) -> pd.DataFrame:
    """Return the printed results of Appendix C beside the computed ones."""
    rows = []
    for preset in PRESETS:
        printed = preset.printed(settings.decay)
        if printed is None:
            continue
        computed = _both(preset, settings)
        rows.append(
            {
                "Case": preset.title,
                "Formula": preset.formula,
                "printed": printed,
                "equations": computed[0],
                "tables": computed[1],
                "agrees": "✓ equations" if abs(printed - computed[0]) < 5e-4 else "✗",
            }
        )
    return pd.DataFrame(rows)


def _both(preset: Preset, settings: Settings) -> tuple[float, float]:
    equations, tables = (
        preset.chances.expectation(replace(settings, precision=precision)).f1
        for precision in ("equations", "tables")
    )
    return equations, tables
