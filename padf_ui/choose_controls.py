"""The widgets of the page on which a decay rate is chosen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from padf_core import Settings
from padf_core.choosing import (
    MAX_STEPS,
    Need,
    NeedKind,
    agreeing_shapes,
    decay_for,
    decay_warnings,
    half_life_of,
    rate_text,
    settings_to_json,
)
from padf_core.clock import clock_unit, format_duration
from padf_core.compare import ranks_of
from padf_core.settings import Shape, half_gone_after
from padf_ui import bring, compute, controls, results, state
from padf_ui.compute import Flips
from padf_ui.figures import choosing as charts
from padf_ui.figures import detectors as detector_charts
from padf_ui.lanes.rows import DECAY_SYMBOLS
from padf_ui.names import cell, plain
from padf_ui.study import Study

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
        list(bring.STEPS),
        index=2,
        key="need_step",
        width=220,
        persist_state="session",
        help="How long one point of the series lasts.",
    )
    return bring.STEPS[chosen]


def _name(study: Study | None) -> str:
    return plain(results.names_of(study)) if study else "the data"


def wanted_settings(need: Need, step: float, now: Settings) -> Settings:
    """Return the settings with the decay that the need asks for."""
    shape, value = decay_for(need, step)
    return replace(now, shape=shape, decay=value)


def show_decay(need: Need, step: float, wanted: Settings, study: Study | None) -> None:
    """Show the decay: its parameter, its curve, its reverse reading and what is odd about it."""
    decay = wanted.decay_at(wanted.decay)
    rate = rate_of(wanted)
    symbol = DECAY_SYMBOLS[wanted.shape]
    if wanted.shape == "exponential":
        said = f"**d = {rate_text(wanted.decay)}** for each step of {format_duration(step)}."
    else:
        said = f"**{symbol}: {wanted.decay:.4g} steps** of {format_duration(step)}."
        if wanted.shape == "half_life":
            said += f" That is d = {rate_text(rate)}."
    st.markdown(
        f"{need.text[0].upper()}{need.text[1:]}: {said} Read backwards: "
        f"{half_gone_after(decay, step)}."
    )
    longest = int(study.series.segments.lengths.max()) if study and study.series.anomalous else None
    for warning in decay_warnings(decay, step, longest):
        st.warning(warning)
    controls.chart_table_csv(
        *_credit_chart(need, step, {wanted.shape: wanted.decay}), "credit-over-delay"
    )


def _credit_chart(
    need: Need, step: float, shapes: dict[Shape, float]
) -> tuple[go.Figure, pd.DataFrame]:
    """Return credit over delay for some decays, as a chart and as its numbers."""
    seconds, share = need.anchor
    unit, size = clock_unit(2.5 * seconds)
    steps = int(min(max(4, np.ceil(2.5 * seconds / step)), 2000))
    decays = {shape: Settings(shape, value).decay_at(value) for shape, value in shapes.items()}
    title = f"delay, {unit}"
    figure = charts.credit_curves(
        list(decays.items()), steps, step / size, title, (seconds / size, share), controls.mode()
    )
    delays = np.arange(steps + 1)
    table = pd.DataFrame({title: delays * step / size})
    return figure, table.assign(**{shape: decay(delays) for shape, decay in decays.items()})


def rate_of(settings: Settings) -> float:
    """Return the rate d of a decay: its own, or the one with the same half-life."""
    if settings.shape == "exponential":
        return settings.decay
    return float(0.5 ** (1 / min(max(settings.half_life, 0.5), MAX_STEPS)))


# ---- what it does to decisions -------------------------------------------------------------------


def show_delays(study: Study, settings: Settings) -> None:
    """Show how late each detector is, and say when the decay rate cannot matter."""
    names = results.detector_names(study)
    found = compute.detector_delays(study, settings)
    table = []
    for name, (threshold, result) in zip(names, found, strict=True):
        hits = result.pattern.found
        steps = hits.delays[hits.detected]
        table.append(
            {
                "Detector": cell(name),
                "Threshold": threshold,
                "Found": f"{steps.size} of {hits.hits.size}",
                "Median delay": results.late_text(study.series, result, np.median),
                "Longest delay": results.late_text(study.series, result, np.max),
                "At once": int(np.count_nonzero(steps == 0)),
            }
        )
    late = [d for _, r in found for d in r.pattern.found.delays[r.pattern.found.detected].tolist()]
    if not any(late):
        st.info(
            "Every segment that is found is found at once: at these thresholds the decay rate "
            "cannot matter."
        )
    unit, scaled = results.same_unit(study.series, [result for _, result in found])
    controls.chart_table_csv(
        charts.delay_dots(scaled, names, unit, controls.mode()),
        pd.DataFrame(table),
        "detector-delays",
    )


def show_flips(study: Study, settings: Settings, rate: float, at_best: bool) -> Flips:
    """Show F1 over the rate with the winner's bands, and say where places change."""
    names = results.detector_names(study)
    with bring.progress("Looking for changes of place") as report:
        made = compute.flips_of(study, settings, at_best=at_best, progress=report)
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
    unit, size = clock_unit(half_life_of(min(rate, 0.999)) * step) if step else ("steps", 1.0)
    length = (step or 1.0) / size if over_half_life else None
    controls.chart_table_csv(
        charts.winner_chart(
            made.curves, names, made.flips, made.bands, rate, length, unit, controls.mode()
        ),
        results.curve_columns("decay rate d", made.curves, names),
        "f1-over-decay-rate",
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
    controls.save_table(results.flip_table(made.flips, names, step), "flips")
    st.caption(
        "All changes of place, from the zeros of a polynomial in d."
        if made.is_exact
        else f"{'Each detector at its best threshold for every d. ' if at_best else ''}Changes are "
        f"found between {len(compute.FLIP_GRID)} rates and closed in on to nine digits; two "
        "changes of the same pair within one step of that grid would not be seen."
    )
    return made


def _half_life(rate: float, step: float) -> str:
    half = half_life_of(rate)
    return "no decay" if half > MAX_STEPS else format_duration(half * step)


def show_shapes(study: Study, settings: Settings, need: Need, step: float, at_best: bool) -> None:
    """Show whether the winner depends on the shape of decay."""
    shapes = agreeing_shapes(need, step)
    scores = compute.shape_scores(study, settings, shapes, at_best=at_best)
    names = results.detector_names(study)
    heads = [str(shape) for shape in shapes]
    table = _score_table(names, heads, scores)
    left, right = st.columns(2, gap="medium")
    with left:
        controls.chart_with_table(*_credit_chart(need, step, shapes), "shapes")
    with right:
        controls.show_table(table, heads)
        controls.save_table(table, "shapes")
        st.markdown(plain(_winners(names, heads, scores, "shape")))
        st.caption(
            "The three agree at the stated need; a deadline cannot pay a part and drops there."
        )


def show_conventions(study: Study, settings: Settings, at_best: bool) -> None:
    """Show whether the winner depends on the precision convention."""
    names = results.detector_names(study)
    heads = ["tables", "equations"]
    scores = compute.convention_scores(study, settings, at_best=at_best)
    table = _score_table(names, heads, scores)
    controls.show_table(table, heads)
    controls.save_table(table, "conventions")
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
    said = results.first_places(names, heads, columns)
    if said is None:
        who = results.first_place(names, columns[0])
        return f"The winner does not depend on the {what}: {who}."
    return f"The winner depends on the {what}: {said}"


def show_sensitivity(study: Study, settings: Settings, at_best: bool) -> None:
    """Show, in small panels, what else the comparison hangs on."""
    names = results.detector_names(study)
    mode = controls.mode()
    left, middle, right = st.columns(3, gap="medium")
    with left:
        st.markdown("**K of PA%K**")
        curves = compute.detector_curves(study, settings, "k", at_best=at_best)
        controls.chart_with_table(
            detector_charts.detector_lines(curves, names, [], settings.k, "K, in %", mode),
            results.curve_columns("K, in %", curves, names),
            "sensitivity_k",
        )
    with middle:
        st.markdown("**The threshold**")
        sweeps = compute.threshold_curves_of(study, settings)
        controls.chart_with_table(
            charts.threshold_lines(sweeps, names, study.series.size, mode),
            results.threshold_columns(sweeps, names, study.series.size),
            "sensitivity_threshold",
        )
    with right:
        st.markdown("**The precision convention**")
        show_conventions(study, settings, at_best)


def show_areas(study: Study, settings: Settings) -> None:
    """Show the summaries that need no choice."""
    with bring.progress("Computing the areas") as report:
        areas = compute.areas_of(study, settings, report)
    table = pd.DataFrame(
        {
            "Detector": [cell(name) for name in results.detector_names(study)],
            "Area over the decay": [area.over_decay for area in areas],
            "Area over K": [area.over_k for area in areas],
        }
    )
    controls.show_table(table, ["Area over the decay", "Area over K"])
    controls.save_table(table, "areas-over-d-and-k")


# ---- the result ----------------------------------------------------------------------------------


def methods_sentence(
    need: Need, step: float, wanted: Settings, study: Study | None, made: Flips | None
) -> str:
    """Return the choice as a sentence for a methods section."""
    how = {
        "exponential": f"D(k) = {rate_text(wanted.decay)}^k",
        "half_life": f"D(k) = 0.5^(k/{wanted.decay:.6g})",
        "linear": f"D(k) = max(0, 1 - k/{wanted.decay:.6g})",
        "deadline": f"D(k) = 1 for k <= {wanted.decay:g}, else 0",
    }[wanted.shape]
    text = (
        f"PAdf was computed with the decay {how}, k being the delay in steps of "
        f"{format_duration(step)}, because {need.text}; precision follows the "
        f"{wanted.precision} of the original paper."
    )
    if study is not None and made is not None:
        band = made.band_at(rate_of(wanted))
        text += (
            f" The ranking of the {len(study.series.detectors)} detectors is the same for every "
            f"exponential rate d between {band.start:.4g} and {band.stop:.4g}."
        )
    return text


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
            kwargs={"shape": wanted.shape, "decay": wanted.decay},
            help="Sets the decay on the Playground, on Your data and on all other pages.",
        )
        st.download_button(
            "Settings (JSON)",
            settings_to_json(wanted, need, step),
            "padf-settings.json",
            "application/json",
            on_click="ignore",
        )
    if state.board().settings == wanted:
        st.markdown("In use on all pages.")
    st.caption(
        "The file is read under Rules on the other pages, and by "
        "`padf evaluate FILE --settings padf-settings.json`."
    )
