"""The widgets of the page on which a decay rate is chosen."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from padf_core import ExponentialDecay, Settings
from padf_core.analysis.choosing import (
    Need,
    NeedKind,
    agreeing_shapes,
    decay_for,
    decay_warnings,
)
from padf_core.analysis.compare import ranks_of
from padf_core.analysis.settings_file import settings_to_json
from padf_core.metrics.clock import clock_unit, format_duration
from padf_core.metrics.decay import MAX_STEPS, ShapedDecay, decay_of, rate_text
from padf_core.metrics.parameters import Choice
from padf_ui.decay import charts
from padf_ui.decay.results import (
    FLIP_GRID,
    Flips,
    convention_scores,
    detector_delays,
    flips_of,
    shape_scores,
    threshold_curves_of,
)
from padf_ui.session import state
from padf_ui.session.steps import CLOCK_STEPS
from padf_ui.session.study import Study
from padf_ui.shared import charts as shared_charts
from padf_ui.shared import widgets
from padf_ui.shared.names import cell, plain
from padf_ui.shared.progress import progress
from padf_ui.shared.tables import chart_with_table, save_table, show_table
from padf_ui.shared.terms import tell
from padf_ui.study import results, tables

_KINDS: dict[NeedKind, str] = {
    "worth": "A late alarm is still worth something",
    "half_life": "Half-life",
    "loss": "Loss per minute",
    "deadline": "Hard deadline",
}
_UNITS: dict[str, float] = {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86400}


def ask_all(study: Study | None, now: Settings) -> tuple[Need, float, Settings]:
    """Ask for need and step; return them with the settings they give, or say what cannot be."""
    try:
        need = ask_need()
        step = ask_step(study)
        return need, step, wanted_settings(need, step, now)
    except ValueError as error:
        st.error(plain(f"{error}. Choose other numbers."), icon=":material/error:")
        st.stop()


def ask_need() -> Need:
    """Ask for the need in words and clock units."""
    kind: NeedKind = st.radio(
        "How does a late alarm lose its worth?",
        list(_KINDS),
        format_func=_KINDS.__getitem__,
        horizontal=True,
        key="need_kind",
        persist_state="session",
    )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if kind == "loss":
            loss = _number("Loss per minute", "need_loss", 100.0, "in any currency")
            total = _number("Total loss", "need_total", 6000.0, "what is lost if nobody ever looks")
            return Need("loss", 60 * total / loss)
        labels = {
            "worth": "An alarm after",
            "half_life": "Half of the worth is gone after",
            "deadline": "No worth after",
        }
        amount = _number(labels[kind], "need_time", 10.0)
        unit = st.selectbox(
            "Unit", list(_UNITS), index=1, key="need_unit", width=130, persist_state="session"
        )
        share = 50
        if kind == "worth":
            share = st.number_input(
                "is still worth, in %", 1, 99, 50, key="need_share", width=160,
                persist_state="session",
            )  # fmt: skip
    return Need(kind, amount * _UNITS[unit], share / 100)


def _number(label: str, key: str, value: float, help_text: str | None = None) -> float:
    made: float = st.number_input(
        label, 0.001, 1e9, value, key=key, width=220, help=help_text, persist_state="session"
    )
    return made


def ask_step(study: Study | None) -> float:
    """Return the sampling step: the data's own, or one that is asked for."""
    own = study.series.step_seconds if study else None
    if own is not None:
        st.markdown(f"Sampling step: **{format_duration(own)}**, as in {_name(study)}.")
        return own
    chosen = st.selectbox(
        "Sampling step",
        list(CLOCK_STEPS),
        index=2,
        key="need_step",
        width=220,
        persist_state="session",
        help="How long one point of the series lasts.",
    )
    return CLOCK_STEPS[chosen]


def _name(study: Study | None) -> str:
    return plain(tables.names_of(study)) if study else "the data"


def wanted_settings(need: Need, step: float, now: Settings) -> Settings:
    """Return the settings with the decay that the need asks for."""
    shape, value = decay_for(need, step)
    return now.replace(shape=shape, decay=value)


def show_decay(need: Need, step: float, wanted: Settings, study: Study | None) -> None:
    """Show the decay: its parameter, its curve, its reverse reading and what is odd about it."""
    decay = decay_in(wanted)
    if isinstance(decay, ExponentialDecay):
        said = f"**d = {rate_text(decay.rate)}** for each step of {format_duration(step)}."
    else:
        symbol = decay.parameter.symbol
        said = f"**{symbol}: {wanted['decay']:.4g} steps** of {format_duration(step)}."
        if decay.rate is not None:
            said += f" That is d = {rate_text(decay.rate)}."
    tell(f"{need.text[0].upper()}{need.text[1:]}: {said} Read backwards: {decay.note(step)}.")
    longest = int(study.series.segments.lengths.max()) if study and study.series.anomalous else None
    for warning in decay_warnings(decay, step, longest):
        st.warning(warning)
    chart_with_table(
        *_credit_chart(need, step, {decay.shape: wanted["decay"]}), "credit-over-delay"
    )


def _credit_chart(
    need: Need, step: float, shapes: dict[str, float]
) -> tuple[go.Figure, pd.DataFrame]:
    """Return credit over delay for some decays, as a chart and as its numbers."""
    seconds, share = need.anchor
    unit, size = clock_unit(2.5 * seconds)
    steps = int(min(max(4, np.ceil(2.5 * seconds / step)), 2000))
    decays = {shape: decay_of(shape, value) for shape, value in shapes.items()}
    title = f"delay, {unit}"
    figure = charts.credit_curves(
        list(decays.items()), steps, step / size, title, (seconds / size, share), widgets.mode()
    )
    delays = np.arange(steps + 1)
    table = pd.DataFrame({title: delays * step / size})
    return figure, table.assign(**{shape: decay(delays) for shape, decay in decays.items()})


def decay_in(settings: Settings) -> ShapedDecay:
    """Return the decay that settings ask for."""
    return decay_of(settings["shape"], settings["decay"])


def rate_of(settings: Settings) -> float:
    """Return the rate d of a decay: its own, or the one with the same half-life."""
    decay = decay_in(settings)
    if decay.rate is not None:
        return decay.rate
    return float(0.5 ** (1 / min(max(decay.half_life, 0.5), MAX_STEPS)))


# ---- what it does to decisions -------------------------------------------------------------------


def show_delays(study: Study, settings: Settings) -> None:
    """Show how late each detector is, and say when the decay rate cannot matter."""
    names = tables.detector_names(study)
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
                "Median delay": tables.late_text(study.series, result.pattern, np.median),
                "Longest delay": tables.late_text(study.series, result.pattern, np.max),
                "At once": int(np.count_nonzero(steps == 0)),
            }
        )
    late = [d for _, r in found for d in r.pattern.found.delays[r.pattern.found.detected].tolist()]
    if not any(late):
        st.info(
            "Every segment that is found is found at once: at these thresholds the decay rate "
            "cannot matter."
        )
    unit, scaled = tables.same_unit(study.series, [result for _, result in found])
    chart_with_table(
        charts.delay_dots(scaled, names, unit, widgets.mode()),
        pd.DataFrame(table),
        "detector-delays",
        tables.stem_of(study),
    )


def show_flips(study: Study, settings: Settings, rate: float, at_best: bool) -> Flips:
    """Show F1 over the rate with the winner's bands, and say where places change."""
    names = tables.detector_names(study)
    with progress("Looking for changes of place") as report:
        made = flips_of(study, settings, at_best=at_best, progress=report)
    over_half_life = (
        st.radio(
            "Over",
            ["d", "half-life"],
            format_func={"d": "the decay rate d", "half-life": "the half-life"}.__getitem__,
            horizontal=True,
            key="flip_axis",
        )
        == "half-life"
    )
    step = study.series.step_seconds
    unit, size = (
        clock_unit(ExponentialDecay(min(rate, 0.999)).half_life * step) if step else ("steps", 1.0)
    )
    length = (step or 1.0) / size if over_half_life else None
    chart_with_table(
        charts.winner_chart(
            made.curves, names, made.flips, made.bands, rate, length, unit, widgets.mode()
        ),
        tables.curve_columns("decay rate d", made.curves, names),
        "f1-over-decay-rate",
        tables.stem_of(study),
    )
    band = made.band_at(rate)
    order = ", ".join(plain(names[index]) for index in band.ranking)
    same = f"**The ranking is the same for every d between {band.start:.4g} and {band.stop:.4g}**"
    if step:
        low, high = (_half_life(end, step) for end in (band.start, band.stop))
        same += f" (half-lives from {low} to {high})"
    st.markdown(f"{same}: {order}.")
    if made.flips:
        st.markdown(
            "\n".join(
                f"- d = {flip.at:.6f}"
                f"{f' (half-life {_half_life(flip.at, step)})' if step else ''}: "
                f"{plain(names[flip.above])} passes {plain(names[flip.below])}."
                for flip in made.flips[:20]
            )
        )
        if len(made.flips) > 20:
            st.markdown(f"… and {len(made.flips) - 20} more; the file below has them all.")
    else:
        st.markdown("No two detectors change places for any d.")
    save_table(tables.flip_table(made.flips, names, step), "flips", tables.stem_of(study))
    st.caption(
        "All changes of place, from the zeros of a polynomial in d."
        if made.is_exact
        else f"{'Each detector at its best threshold for every d. ' if at_best else ''}Changes are "
        f"found between {len(FLIP_GRID)} rates and closed in on to nine digits; two "
        "changes of the same pair within one step of that grid would not be seen."
    )
    return made


def _half_life(rate: float, step: float) -> str:
    half = ExponentialDecay(rate).half_life
    return "no decay" if half > MAX_STEPS else format_duration(half * step)


def show_shapes(study: Study, settings: Settings, need: Need, step: float, at_best: bool) -> None:
    """Show whether the winner depends on the shape of decay."""
    shapes = agreeing_shapes(need, step)
    scores = shape_scores(study, settings, shapes, at_best=at_best)
    names = tables.detector_names(study)
    heads = [str(shape) for shape in shapes]
    table = _score_table(names, heads, scores)
    left, right = st.columns(2, gap="medium")
    with left:
        chart_with_table(*_credit_chart(need, step, shapes), "shapes")
    with right:
        show_table(table, heads)
        save_table(table, "shape-scores", tables.stem_of(study))
        st.markdown(plain(_winners(names, heads, scores, "shape")))
        st.caption(
            "The three agree at the stated need; a deadline cannot pay a part and drops there."
        )


def show_conventions(study: Study, settings: Settings, at_best: bool) -> None:
    """Show whether the winner depends on the precision convention."""
    names = tables.detector_names(study)
    heads = [
        str(option.value)
        for each in settings.parameters()
        if isinstance(each, Choice) and each.key == "precision"
        for option in each.options
    ]
    scores = convention_scores(study, settings, heads, at_best=at_best)
    table = _score_table(names, heads, scores)
    show_table(table, heads)
    save_table(table, "conventions", tables.stem_of(study))
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
    said = tables.first_places(names, heads, columns)
    if said is None:
        who = tables.first_place(names, columns[0])
        return f"The winner does not depend on the {what}: {who}."
    return f"The winner depends on the {what}: {said}"


def show_sensitivity(study: Study, settings: Settings, at_best: bool) -> None:
    """Show, in small panels, what else the comparison hangs on."""
    names = tables.detector_names(study)
    mode = widgets.mode()
    left, middle, right = st.columns(3, gap="medium")
    with left:
        for key, number in settings.numbers().items():
            if not settings.protocol(key).minds_delay:
                st.markdown(f"**{number.symbol} of {settings.protocol(key).name}**")
                curves = results.detector_curves(study, settings, key, at_best=at_best)
                chart_with_table(
                    shared_charts.detector_lines(
                        curves, names, [], settings[number.key], number.title, mode
                    ),
                    tables.curve_columns(number.title, curves, names),
                    f"sensitivity_{key}",
                    tables.stem_of(study),
                )
    with middle:
        st.markdown("**The threshold**")
        sweeps = threshold_curves_of(study, settings)
        chart_with_table(
            charts.threshold_lines(sweeps, names, study.series.counted, mode),
            tables.threshold_columns(sweeps, names, study.series.counted),
            "sensitivity_threshold",
            tables.stem_of(study),
        )
    with right:
        st.markdown("**The precision convention**")
        show_conventions(study, settings, at_best)


def show_areas(study: Study, settings: Settings) -> None:
    """Show the summaries that need no choice."""
    with progress("Computing the areas") as report:
        areas = results.areas_of(study, settings, report)
    table = pd.DataFrame(
        {
            "Detector": [cell(name) for name in tables.detector_names(study)],
            **pd.DataFrame([tables.over_columns(area, settings) for area in areas]),
        }
    )
    show_table(table, list(table.columns[1:]))
    save_table(table, "areas-over-parameters", tables.stem_of(study))


# ---- the result ----------------------------------------------------------------------------------


def methods_sentence(
    need: Need, step: float, wanted: Settings, study: Study | None, made: Flips | None
) -> str:
    """Return the choice as a sentence for a methods section."""
    text = (
        f"PAdf was computed with the decay {decay_in(wanted).formula}, k being the delay in steps "
        f"of {format_duration(step)}, because {need.text}; precision follows the "
        f"{wanted['precision']} of the original paper."
    )
    if study is not None and made is not None:
        band = made.band_at(rate_of(wanted))
        text += (
            f" The ranking of the {len(study.series.detectors)} detectors is the same for every "
            f"exponential rate d between {band.start:.4g} and {band.stop:.4g}."
        )
    return text


def _chosen_on(study: Study | None) -> tuple[str, str] | None:
    return None if study is None else (tables.names_of(study), study.fingerprint)


def show_result(
    need: Need, step: float, wanted: Settings, study: Study | None, made: Flips | None
) -> None:
    """Offer the choice as a sentence, as a file, and everywhere in the app."""
    st.code(methods_sentence(need, step, wanted, study, made), language=None, wrap_lines=True)
    with st.container(horizontal=True):
        st.button(
            "Use it everywhere",
            type="primary",
            on_click=state.set_settings,
            kwargs={"shape": wanted["shape"], "decay": wanted["decay"]},
            help="Sets the decay on the Playground, on Your data and on all other pages.",
        )
        st.download_button(
            "Settings (JSON)",
            settings_to_json(wanted, need, step, _chosen_on(study)),
            "padf-settings.json",
            "application/json",
            on_click="ignore",
        )
    if state.settings() == wanted:
        st.markdown("In use on all pages.")
    st.caption(
        "The file is read under Rules on the other pages, and by "
        "`padf evaluate FILE --settings padf-settings.json`."
    )
