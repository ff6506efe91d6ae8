"""The widgets of the page on which a decay rate is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from padf_core import DECAYS, Settings, __version__
from padf_core.analysis.choosing import Need, agreeing_shapes
from padf_core.analysis.compare import ranks_of
from padf_core.analysis.deciding import FARTHEST, SAME, Decisive
from padf_core.analysis.notices import Notice
from padf_core.analysis.random_detector import count_draws
from padf_core.analysis.settings_file import settings_to_json
from padf_core.analysis.significance import SHIFT_NULL
from padf_core.metrics.clock import clock_unit, format_duration
from padf_core.metrics.decays import d_text
from padf_core.metrics.parameters import Choice
from padf_core.metrics.timing import ASSUMED_STEP
from padf_ui.components import downloads, mounting, need, widgets
from padf_ui.components import figures as shared_charts
from padf_ui.components.citations import cite
from padf_ui.components.file_names import stamped
from padf_ui.components.names import cell, plain
from padf_ui.components.need_message import rate_per_step
from padf_ui.components.progress import progress
from padf_ui.components.tables import chart_with_table, numbers_behind, save_table, show_table
from padf_ui.decay import decay_charts
from padf_ui.decay.decay_results import (
    PADF,
    Decided,
    convention_scores,
    decay_in,
    decided,
    deciding,
    detector_delays,
    notices_of,
    padf_of,
    padf_scores,
    shape_scores,
    threshold_curves_of,
)
from padf_ui.decay.race_message import band_text, number_text, race_rows
from padf_ui.session.settings import current_need, current_settings, set_settings, take_race
from padf_ui.session.steps import CLOCK_STEPS
from padf_ui.session.store import RACE_KEY, answered, visit_name
from padf_ui.session.study import Study
from padf_ui.study import (
    comparison_tables,
    descriptions,
    detector_tables,
    study_results,
    uncertainty_tables,
)
from padf_ui.wire.need import RaceData

SHOWN_FLIPS = 12
"""So many changes of place are written out; the file has all."""
SETTINGS_FILE = "padf-settings.json"


def ask_kind_and_step(study: Study | None) -> tuple[float, Settings]:
    """Ask how worth is lost and in what steps; return the step and the settings of the need."""
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        need.ask_kind()
        step = ask_step(study)
        wanted = wanted_settings(current_need(), current_settings())
        _, table = _credit_chart(current_need(), {decay_in(wanted).title: wanted})
        numbers_behind(table, "credit-over-delay")
    return step, wanted


def ask_step(study: Study | None) -> float:
    """Return the sampling step for which d is told: the data's own, or one that is asked for."""
    own = study.series.step_seconds if study else None
    if own is not None:
        st.markdown(f"Step of the data: **{format_duration(own)}**", width="content")
        return own
    if study is not None:
        st.info(
            f"{_name(study)} has no clock: one step is taken as {format_duration(ASSUMED_STEP)}."
        )
        return ASSUMED_STEP
    chosen = st.selectbox(
        "Sampling step, for d",
        list(CLOCK_STEPS),
        index=2,
        key="need_step",
        width=220,
        persist_state="session",
        help="The need is kept in clock time; d follows from it for each sampling step.",
    )
    return CLOCK_STEPS[chosen]


def _name(study: Study | None) -> str:
    return plain(descriptions.names_of(study)) if study else "the data"


def wanted_settings(need: Need, now: Settings) -> Settings:
    """Return the settings with the decay that the need asks for."""
    return now.replace(**need.values)


def _credit_chart(need: Need, shown: dict[str, Settings]) -> tuple[go.Figure, pd.DataFrame]:
    """Return credit over delay for some decays, as a chart and as its numbers."""
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


# ---- what it does to decisions -------------------------------------------------------------------


def show_delays(study: Study, settings: Settings) -> None:
    """Show how late each detector is, and say when the decay rate cannot matter."""
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
                "Median delay": detector_tables.late_text(study.series, result.pattern, np.median),
                "Longest delay": detector_tables.late_text(study.series, result.pattern, np.max),
                "At once": int(np.count_nonzero(steps == 0)),
            }
        )
    late = [d for _, r in found for d in r.pattern.found.delays[r.pattern.found.detected].tolist()]
    if not any(late):
        st.info(
            "Every segment that is found is found at once: at these thresholds the decay rate "
            "cannot matter."
        )
    unit, scaled = detector_tables.same_unit(study.series, [result for _, result in found])
    chart_with_table(
        decay_charts.delay_dots(scaled, names, unit, widgets.mode()),
        pd.DataFrame(table),
        "detector-delays",
        descriptions.stem_of(study),
    )


def show_winners(study: Study, settings: Settings, at_best: bool) -> Decided:
    """Show who wins at which decay, chance among them; the need can be dragged along."""
    names = descriptions.detector_names(study)
    with progress("Looking for changes of place") as report:
        made = decided(study, settings, at_best=at_best, progress=report)
    f1 = padf_scores(study, settings, at_best=at_best)
    data: RaceData = race_rows(
        made,
        names,
        f1,
        file=f"padf-{descriptions.stem_of(study)}-f1-over-decay.svg",
        session=visit_name(),
        answered=answered(RACE_KEY),
    )
    mounting.mount("race", RACE_KEY, data, take_race)
    return made


def say_winners(study: Study, settings: Settings, made: Decided, at_best: bool) -> None:
    """Say where the ranking stays as it is and where places change, and what should be known."""
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
            descriptions.stem_of(study),
        )
        flips = made.race.flips
        rates = [made.rate(flip.at) for flip in flips]
        table = detector_tables.flip_table(flips, names, f"{made.symbol}, s", rates)
        save_table(table, "flips", descriptions.stem_of(study))
    _show_notices(notices_of(study, settings, f1, float(made.random_f1.mean())))


def _show_notices(told: Sequence[Notice]) -> None:
    """Show what should be known, each with its way out at hand, unless that is another need."""
    for notice in told:
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
        st.markdown(f"No two detectors change places for any {made.symbol}.")
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
            f"These are the {SHOWN_FLIPS} nearest of {len(flips)} changes of place; the file "
            "has all of them."
        )


def show_against_random(study: Study, settings: Settings, at_best: bool) -> None:
    """Show whether each detector knows more of the incidents than its scores moved in time."""
    runs = count_draws(study.series.size)
    with progress("Computing the random baseline") as report:
        compared = study_results.compared(
            study, settings, at_best=at_best, runs=runs, seed=0, progress=report
        )
    with progress("Moving the scores in time") as report:
        against = study_results.against_shifts(study, settings, at_best=at_best, progress=report)
    table = comparison_tables.against_table(compared, against, PADF)
    show_table(table, ["F1", "Random baseline", "Flagged, %"])
    save_table(table, "random-baseline", descriptions.stem_of(study), SHIFT_NULL)
    st.caption(
        f"At this need. {comparison_tables.against_text(against)} The random baseline is the mean "
        f"of {runs} detectors with random scores, each at its own best threshold. Where alarms are "
        "given, it has as many of them."
    )


def show_deciding(study: Study, settings: Settings, at_best: bool) -> None:
    """Show which segments make the difference between the first two, and what would turn it."""
    names = descriptions.detector_names(study)
    scores = padf_scores(study, settings, at_best=at_best)
    if len(scores) < 2:
        st.markdown("There is only one detector.")
        return
    first, second = np.argsort(-np.array(scores), kind="stable")[:2].tolist()
    made = deciding(study, settings, first, second, at_best=at_best)
    one, other = plain(names[first]), plain(names[second])
    if abs(made.gap) <= SAME:
        st.markdown(f"{one} and {other} have the same F1: nothing decides.")
        return
    st.markdown(
        f"**{one}** is ahead of **{other}** by {made.gap:.3f}. Without the segment that speaks "
        f"most for it the gap would be {made.gap - float(made.shares.max()):.3f}."
    )
    turns = []
    if made.turning is not None:
        count = len(made.turning)
        listed = ", ".join(str(index + 1) for index in made.turning[:8])
        is_fewest = count <= made.tried
        turns.append(
            f"leaving out {count} of {made.shares.size} segments ({listed}"
            f"{', …' if count > 8 else ''}) turns the order"
            + (" (no smaller set does)" if is_fewest and count > 1 else "")
            + (
                ""
                if is_fewest
                else f" (no set of up to {made.tried} does; larger ones were not all tried)"
            )
        )
    if made.shift is not None:
        side = "later" if made.shift > 0 else "earlier"
        turns.append(
            f"so does moving every onset {abs(made.shift)} "
            f"{'row' if abs(made.shift) == 1 else 'rows'} {side}"
            if turns
            else f"moving every onset by {made.shift} rows turns the order"
        )
    st.markdown(
        f"{'; '.join(turns).capitalize()}."
        if turns
        else f"Nothing that was tried turns it: {_tried(made)}, and moving every onset by up to "
        f"{FARTHEST} rows."
    )
    table = uncertainty_tables.deciding_table(study, made.shares)
    show_table(table, ["Share of the gap"])
    save_table(table, "what-decides", descriptions.stem_of(study))


def _tried(made: Decisive) -> str:
    """Say which sets of segments were left out."""
    every = made.shares.size - 1
    if made.tried >= every:
        return "leaving out any set of segments"
    return f"leaving out any set of up to {made.tried} segments, and more of them one after another"


def show_shapes(study: Study, settings: Settings, need: Need, at_best: bool) -> None:
    """Show whether the winner depends on the shape of decay."""
    shapes = agreeing_shapes(need)
    scores = shape_scores(study, settings, list(shapes.values()), at_best=at_best)
    names = descriptions.detector_names(study)
    heads = [DECAYS[shape].title for shape in shapes]
    table = _score_table(names, heads, scores)
    left, right = st.columns(2, gap="medium")
    with left:
        shown = {
            head: settings.replace(**values)
            for head, values in zip(heads, shapes.values(), strict=True)
        }
        chart_with_table(*_credit_chart(need, shown), "shapes")
    with right:
        show_table(table, heads)
        save_table(table, "shape-scores", descriptions.stem_of(study))
        st.markdown(plain(_winners(names, heads, scores, "shape")))
        st.caption(
            "The three agree at the stated need; a deadline cannot pay a part and drops there."
        )


def show_conventions(study: Study, settings: Settings, at_best: bool) -> None:
    """Show whether the winner depends on the precision convention."""
    names = descriptions.detector_names(study)
    heads = [
        str(option.value)
        for each in settings.parameters()
        if isinstance(each, Choice) and each.key == "precision"
        for option in each.options
    ]
    scores = convention_scores(study, settings, heads, at_best=at_best)
    table = _score_table(names, heads, scores)
    show_table(table, heads)
    save_table(table, "conventions", descriptions.stem_of(study))
    st.markdown(plain(_winners(names, heads, scores, "precision convention")))


def _score_table(names: list[str], heads: list[str], scores: list[list[float]]) -> pd.DataFrame:
    columns: dict[str, list[object]] = {"Detector": [cell(name) for name in names]}
    for index, head in enumerate(heads):
        values = [row[index] for row in scores]
        columns[head] = list(values)
        columns[f"rank, {head}"] = list(ranks_of(values))
    return pd.DataFrame(columns)


def _winners(names: list[str], heads: list[str], scores: list[list[float]], what: str) -> str:
    columns = [[row[index] for row in scores] for index in range(len(heads))]
    said = comparison_tables.first_places(names, heads, columns)
    if said is None:
        who = comparison_tables.first_place(names, columns[0])
        return f"The winner does not depend on the {what}: {who}."
    return f"The winner depends on the {what}: {said}"


def show_sensitivity(study: Study, settings: Settings, at_best: bool) -> None:
    """Show, in small panels, what else the comparison hangs on."""
    names = descriptions.detector_names(study)
    mode = widgets.mode()
    left, middle, right = st.columns(3, gap="medium")
    with left:
        for key, number in settings.numbers().items():
            if not settings.protocol(key).minds_delay:
                st.markdown(f"**{number.symbol} of {settings.protocol(key).name}**")
                curves = study_results.detector_curves(study, settings, key, at_best=at_best)
                chart_with_table(
                    shared_charts.detector_lines(
                        curves, names, [], settings[number.key], number.title, mode
                    ),
                    comparison_tables.curve_columns(number.title, curves, names),
                    f"sensitivity_{key}",
                    descriptions.stem_of(study),
                )
    with middle:
        st.markdown("**The threshold**")
        sweeps = threshold_curves_of(study, settings)
        chart_with_table(
            decay_charts.threshold_lines(sweeps, names, study.series.counted, mode),
            detector_tables.threshold_columns(sweeps, study),
            "sensitivity_threshold",
            descriptions.stem_of(study),
        )
    with right:
        st.markdown("**The precision convention**")
        show_conventions(study, settings, at_best)


def show_areas(study: Study, settings: Settings) -> None:
    """Show the summaries that need no choice."""
    with progress("Computing the areas") as report:
        areas = study_results.areas_of(study, settings, report)
    table = pd.DataFrame(
        {
            "Detector": [cell(name) for name in descriptions.detector_names(study)],
            **pd.DataFrame([comparison_tables.over_columns(area, settings) for area in areas]),
        }
    )
    show_table(table, list(table.columns[1:]))
    save_table(table, "areas-over-parameters", descriptions.stem_of(study))


# ---- the result ----------------------------------------------------------------------------------


def methods_sentence(
    need: Need,
    step: float,
    wanted: Settings,
    study: Study | None,
    made: Decided | None,
    at_best: bool = True,
) -> str:
    """Return the choice as a sentence for a methods section; what it claims holds at the need."""
    decay = decay_in(wanted)
    rate = rate_per_step(decay, step)
    per_step = "" if rate is None else f" ({d_text(rate)} at {format_duration(step)} per step)"
    text = (
        f"PAdf was computed with the decay {decay.formula_in('clock')}, t being the delay in "
        f"seconds{f' beyond {need.grace:g} s' if need.grace else ''}{per_step}, because "
        f"{need.text}; "
        f"{'every segment counts once' if wanted['weight'] == 'segments' else 'points count'}, and "
        f"precision follows the {wanted['precision']} of the original paper."
    )
    if study is not None and made is not None:
        how = (
            "at each detector's best threshold on the same labels, an oracle"
            if at_best
            else "at thresholds that were given"
        )
        text += (
            f" Scores are {how}. The ranking of the {len(study.series.detectors)} detectors is the "
            f"same for every {made.symbol} {band_text(made)}."
        )
        if study.is_moved:
            text += " Incidents begin at the labelled moment."
        if study.onset.is_moved:
            text += f" {descriptions.onset_text(study.onset, study.series)}"
    return f"{text} Computed with PAdf Explorer {__version__}."


def _chosen_on(study: Study | None) -> tuple[str, str] | None:
    return None if study is None else (descriptions.names_of(study), study.fingerprint)


def show_result(
    need: Need,
    step: float,
    wanted: Settings,
    study: Study | None,
    made: Decided | None,
    at_best: bool = True,
) -> None:
    """Offer the choice as a sentence, as a file, and everywhere in the app."""
    sentence = methods_sentence(need, step, wanted, study, made, at_best)
    st.code(sentence, language=None, wrap_lines=True)
    with st.container(horizontal=True):
        cite()
        st.button(
            "Use it everywhere",
            type="primary",
            on_click=set_settings,
            kwargs=need.values,
            help="Sets the need, in clock time, on the Playground, on Your data and on all pages.",
        )
        saved = settings_to_json(wanted, need, step, _chosen_on(study))
        downloads.offer("Settings (JSON)", saved, SETTINGS_FILE, "application/json")
    if current_settings() == wanted:
        st.markdown("In use on all pages.")
    st.caption(
        "The file is read under Rules on the other pages, and by "
        f"`padf evaluate FILE --settings {stamped(SETTINGS_FILE, saved)}`."
    )
