"""Widgets of Choose a decay rate."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from padf_core import Settings
from padf_core.analysis.choosing import Need
from padf_core.analysis.notices import Notice
from padf_core.analysis.random_detector import count_draws
from padf_core.analysis.significance import SHIFT_NULL
from padf_core.metrics.clock import clock_unit, format_duration
from padf_core.metrics.timing import ASSUMED_STEP
from padf_ui.components import mounting, need, widgets
from padf_ui.components.names import cell, plain
from padf_ui.components.progress import progress
from padf_ui.components.tables import chart_with_table, numbers_behind, save_table, show_table
from padf_ui.decay import decay_charts
from padf_ui.decay.decay_results import (
    PADF,
    Decided,
    decay_in,
    decided,
    detector_delays,
    notices_of,
    padf_of,
    padf_scores,
)
from padf_ui.decay.race_message import band_text, number_text, race_rows
from padf_ui.session.asks import RACE_KEY, answered, visit_name
from padf_ui.session.need import current_need, take_race
from padf_ui.session.settings import current_settings, set_settings
from padf_ui.session.steps import CLOCK_STEPS
from padf_ui.session.study import Study
from padf_ui.study import comparison_tables, descriptions, detector_tables, study_results
from padf_ui.wire.need import RaceData

SHOWN_FLIPS = 12
"""Number of rank changes written out. The file contains all of them."""


def ask_kind_and_step(study: Study | None) -> tuple[float, Settings]:
    """Ask how alarms lose value and for the sampling step.

    Return the step and the need's settings.
    """
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        need.ask_kind()
        step = ask_step(study)
        wanted = wanted_settings(current_need(), current_settings())
        _, table = credit_chart(current_need(), {decay_in(wanted).title: wanted})
        numbers_behind(table, "credit-over-delay")
    return step, wanted


def ask_step(study: Study | None) -> float:
    """Return the sampling step for d: the data's own step, or one that the user chooses."""
    own = study.series.step_seconds if study else None
    if own is not None:
        st.markdown(f"Sampling step: **{format_duration(own)}**", width="content")
        return own
    if study is not None:
        st.info(
            f"{_name(study)} has no timestamps. One step is taken as "
            f"{format_duration(ASSUMED_STEP)}."
        )
        return ASSUMED_STEP
    chosen = st.selectbox(
        "Sampling step, for d",
        list(CLOCK_STEPS),
        index=2,
        key="need_step",
        width=220,
        persist_state="session",
        help="The need is stored in clock time. For each sampling step, d follows from it.",
    )
    return CLOCK_STEPS[chosen]


def _name(study: Study | None) -> str:
    return plain(descriptions.data_title(study)) if study else "the data"


def wanted_settings(need: Need, now: Settings) -> Settings:
    """Return the settings with the decay of the need."""
    return now.replace(**need.values)


def credit_chart(need: Need, shown: dict[str, Settings]) -> tuple[go.Figure, pd.DataFrame]:
    """Return credit over delay for some decays, as a chart and as a table."""
    seconds, share = need.anchor
    seconds += need.grace
    last = 2.5 * max(seconds, 1e-6)
    unit, size = clock_unit(last)
    protocols = {name: padf_of(settings) for name, settings in shown.items()}
    if decay_in(next(iter(shown.values()))).drops:
        share = 1.0
    title = f"delay, {unit}"
    figure = decay_charts.credit_curves(
        list(protocols.items()), last, size, title, (seconds, share), widgets.mode()
    )
    delays = np.linspace(0, last, decay_charts.CREDIT_POINTS)
    table = pd.DataFrame({title: delays / size})
    return figure, table.assign(**{name: each.worth(delays) for name, each in protocols.items()})


def show_delays(study: Study, settings: Settings) -> None:
    """Show each detector's delays, and say when the decay rate makes no difference."""
    names = descriptions.detector_names(study)
    found = detector_delays(study, settings)
    table = []
    for name, (threshold, result) in zip(names, found, strict=True):
        hits = result.pattern.found
        steps = hits.delays[hits.detected]
        table.append(
            {
                "Detector": cell(name),
                "Threshold": threshold,
                "Found": f"{steps.size} of {hits.hits.size}",
                "Median delay": detector_tables.delay_text(study.series, result.pattern, np.median),
                "Longest delay": detector_tables.delay_text(study.series, result.pattern, np.max),
                "No delay": int(np.count_nonzero(steps == 0)),
            }
        )
    late = [d for _, r in found for d in r.pattern.found.delays[r.pattern.found.detected].tolist()]
    if not any(late):
        st.info(
            "Every detected segment is detected at its first point. At these thresholds the "
            "decay rate makes no difference."
        )
    unit, scaled = detector_tables.same_unit(study.series, [result for _, result in found])
    chart_with_table(
        decay_charts.delay_dots(scaled, names, unit, widgets.mode()),
        pd.DataFrame(table),
        "detector-delays",
        descriptions.file_stem(study),
    )


def show_winners(study: Study, settings: Settings, at_best: bool) -> Decided:
    """Show which detector wins at which decay, with the random baseline.

    The need can be dragged.
    """
    names = descriptions.detector_names(study)
    with progress("Looking for rank changes") as report:
        made = decided(study, settings, at_best=at_best, progress=report)
    f1 = padf_scores(study, settings, at_best=at_best)
    data: RaceData = race_rows(
        made,
        names,
        f1,
        file=f"padf-{descriptions.file_stem(study)}-f1-over-decay.svg",
        session=visit_name(),
        answered=answered(RACE_KEY),
    )
    mounting.mount("race", RACE_KEY, data, take_race)
    return made


def say_winners(study: Study, settings: Settings, made: Decided, at_best: bool) -> None:
    """Describe where the ranking is constant and where it changes, and show notices."""
    names = descriptions.detector_names(study)
    f1 = padf_scores(study, settings, at_best=at_best)
    _say_bands(study, made, names)
    field = made.field
    with st.container(horizontal=True, gap="small"):
        numbers_behind(
            pd.DataFrame(
                {
                    f"{made.symbol}, s": field.numbers,
                    **{cell(name): curve for name, curve in zip(names, field.curves, strict=True)},
                    "random detector, mean": field.random.mean,
                }
            ),
            "f1-over-decay",
            descriptions.file_stem(study),
        )
        flips = made.race.flips
        rates = [made.rate(flip.at) for flip in flips]
        table = detector_tables.flip_table(flips, names, f"{made.symbol}, s", rates)
        save_table(table, "flips", descriptions.file_stem(study))
    _show_notices(notices_of(study, settings, f1, float(made.random_f1.mean())))


def _show_notices(shown_notices: Sequence[Notice]) -> None:
    """Show the notices. Each has a button with its remedy, unless that would change the need."""
    for notice in shown_notices:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.warning(plain(notice.text), icon=":material/info:")
            if notice.offer and not set(notice.remedy) & set(current_need().values):
                st.button(
                    notice.offer,
                    key=f"remedy_{notice.key}",
                    on_click=set_settings,
                    kwargs=dict(notice.remedy),
                )


def _say_bands(study: Study, made: Decided, names: Sequence[str]) -> None:
    band = made.band
    order = ", ".join(plain(names[index]) for index in band.ranking)
    st.markdown(f"**The ranking is the same for every {made.symbol} {band_text(made)}**: {order}.")
    flips = made.race.flips
    if not flips:
        st.markdown(f"The ranking never changes, for any {made.symbol}.")
        return
    near = sorted(flips, key=lambda flip: abs(log(flip.at / made.here)))[:SHOWN_FLIPS]
    lines = [
        f"- {made.symbol} {number_text(made, flip.at)}: "
        f"{plain(names[flip.above])} passes {plain(names[flip.below])}."
        for flip in sorted(near, key=lambda flip: flip.at)
    ]
    half = -(-len(lines) // 2)
    for column, part in zip(st.columns(2), (lines[:half], lines[half:]), strict=True):
        column.markdown("\n".join(part))
    if len(flips) > SHOWN_FLIPS:
        st.markdown(
            f"These are the {SHOWN_FLIPS} nearest of {len(flips)} rank changes. The CSV file has "
            "all of them."
        )


def show_against_random(study: Study, settings: Settings, at_best: bool) -> None:
    """Test each detector against its own scores shifted in time."""
    runs = count_draws(study.series.size)
    with progress("Computing the random baseline") as report:
        compared = study_results.comparison_of(
            study, settings, at_best=at_best, runs=runs, seed=0, progress=report
        )
    with progress("Shifting the scores in time") as report:
        against = study_results.against_shifts(study, settings, at_best=at_best, progress=report)
    table = comparison_tables.against_table(compared, against, PADF)
    show_table(table, ["F1", "Random baseline", "Flagged, %"])
    save_table(table, "random-baseline", descriptions.file_stem(study), SHIFT_NULL)
    st.caption(
        f"At this need. {comparison_tables.against_text(against)} The random baseline is the "
        f"mean of {runs} detectors with random scores, each at its own best threshold. For "
        "detectors with fixed alarms, it raises as many alarms at random places."
    )
