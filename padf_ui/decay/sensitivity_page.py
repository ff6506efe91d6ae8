"""Sensitivity of a result to segments, decay shape, precision convention and parameters."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from padf_core import DECAYS, Settings
from padf_core.analysis.choosing import Need, agreeing_shapes
from padf_core.analysis.compare import ranks_of
from padf_core.analysis.deciding import FARTHEST, SAME, Decisive
from padf_core.metrics.parameters import Choice
from padf_ui.components import figures as shared_charts
from padf_ui.components import widgets
from padf_ui.components.names import cell, plain
from padf_ui.components.progress import progress
from padf_ui.components.tables import chart_with_table, save_table, show_table
from padf_ui.decay import decay_charts
from padf_ui.decay.decay_page import credit_chart
from padf_ui.decay.decay_results import (
    convention_scores,
    deciding,
    padf_scores,
    shape_scores,
    threshold_curves_of,
)
from padf_ui.session.study import Study
from padf_ui.study import (
    comparison_tables,
    descriptions,
    detector_tables,
    study_results,
    uncertainty_tables,
)


def show_deciding(study: Study, settings: Settings, at_best: bool) -> None:
    """Show which segments cause the gap between the first two, and what would reverse the order."""
    names = descriptions.detector_names(study)
    scores = padf_scores(study, settings, at_best=at_best)
    if len(scores) < 2:
        st.markdown("There is only one detector.")
        return
    first, second = np.argsort(-np.array(scores), kind="stable")[:2].tolist()
    made = deciding(study, settings, first, second, at_best=at_best)
    one, other = plain(names[first]), plain(names[second])
    if abs(made.gap) <= SAME:
        st.markdown(f"{one} and {other} have the same F1.")
        return
    st.markdown(
        f"**{one}** is ahead of **{other}** by {made.gap:.3f}. Without its most favourable "
        f"segment the gap would be {made.gap - float(made.shares.max()):.3f}."
    )
    turns = []
    if made.turning is not None:
        count = len(made.turning)
        listed = ", ".join(str(index + 1) for index in made.turning[:8])
        is_fewest = count <= made.tried
        turns.append(
            f"leaving out {count} of {made.shares.size} segments "
            f"({listed}{', …' if count > 8 else ''}) reverses the order"
            + (" (no smaller set does)" if is_fewest and count > 1 else "")
            + (
                ""
                if is_fewest
                else f" (no set of up to {made.tried} does; not all larger sets were tried)"
            )
        )
    if made.shift is not None:
        side = "later" if made.shift > 0 else "earlier"
        turns.append(
            f"so does moving every onset {abs(made.shift)} "
            f"{'row' if abs(made.shift) == 1 else 'rows'} {side}"
            if turns
            else f"moving every onset by {made.shift} rows reverses the order"
        )
    st.markdown(
        f"{'; '.join(turns).capitalize()}."
        if turns
        else (
            f"Nothing tried reverses the order: {_tried(made)}, and moving every onset by up to "
            f"{FARTHEST} rows."
        )
    )
    table = uncertainty_tables.deciding_table(study, made.shares)
    show_table(table, ["Share of the gap"])
    save_table(table, "what-decides", descriptions.file_stem(study))


def _tried(made: Decisive) -> str:
    """Say which sets of segments were left out."""
    every = made.shares.size - 1
    if made.tried >= every:
        return "leaving out any set of segments"
    return f"leaving out any set of up to {made.tried} segments, and larger sets built step by step"


def show_shapes(study: Study, settings: Settings, need: Need, at_best: bool) -> None:
    """Show whether the winner depends on the shape of the decay."""
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
        chart_with_table(*credit_chart(need, shown), "shapes")
    with right:
        show_table(table, heads)
        save_table(table, "shape-scores", descriptions.file_stem(study))
        st.markdown(plain(_winners(names, heads, scores, "shape")))
        st.caption(
            "The three curves agree at the stated need. A deadline gives no partial credit, so "
            "it drops there."
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
    save_table(table, "conventions", descriptions.file_stem(study))
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
        return f"The winner is the same for every {what}: {who}."
    return f"The winner depends on the {what}: {said}"


def show_sensitivity(study: Study, settings: Settings, at_best: bool) -> None:
    """Show, in small charts, how the comparison depends on other choices."""
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
                        curves, names, [], settings[number.key], number, mode
                    ),
                    comparison_tables.curve_columns(number.title, curves, names),
                    f"sensitivity_{key}",
                    descriptions.file_stem(study),
                )
    with middle:
        st.markdown("**The threshold**")
        sweeps = threshold_curves_of(study, settings)
        chart_with_table(
            decay_charts.threshold_lines(sweeps, names, study.series.counted, mode),
            detector_tables.threshold_columns(sweeps, study),
            "sensitivity_threshold",
            descriptions.file_stem(study),
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
    save_table(table, "areas-over-parameters", descriptions.file_stem(study))
