"""Results of Choose a decay rate: settings, and a sentence for a paper."""

from __future__ import annotations

import streamlit as st

from padf_core import Settings, __version__
from padf_core.analysis.choosing import Need
from padf_core.analysis.settings_file import settings_to_json
from padf_core.metrics.clock import format_duration
from padf_core.metrics.decays import d_text
from padf_ui.components import downloads
from padf_ui.components.citations import cite
from padf_ui.components.file_names import stamped
from padf_ui.components.need_message import rate_per_step
from padf_ui.decay.decay_results import Decided, decay_in
from padf_ui.decay.race_message import band_text
from padf_ui.session.settings import current_settings, set_settings
from padf_ui.session.study import Study
from padf_ui.study import descriptions

SETTINGS_FILE = "padf-settings.json"


def methods_sentence(
    need: Need,
    step: float,
    wanted: Settings,
    study: Study | None,
    made: Decided | None,
    at_best: bool = True,
) -> str:
    """Return the choice as a sentence for a methods section. Its claims hold at the need."""
    decay = decay_in(wanted)
    rate = rate_per_step(decay, step)
    per_step = "" if rate is None else f" ({d_text(rate)} at {format_duration(step)} per step)"
    counted = (
        "every segment has the same weight"
        if wanted["weight"] == "segments"
        else "every point has the same weight"
    )
    text = (
        f"PAdf was computed with the decay {decay.formula_in('clock')}, t being the delay in "
        f"seconds{f' beyond {need.grace:g} s' if need.grace else ''}{per_step}, because "
        f"{need.text}; "
        f"{counted}, and precision follows the {wanted['precision']} of the original paper."
    )
    if study is not None and made is not None:
        how = (
            "at each detector's best threshold on the same labels (an oracle)"
            if at_best
            else "at given thresholds"
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
    return None if study is None else (descriptions.data_title(study), study.fingerprint)


def show_result(
    need: Need,
    step: float,
    wanted: Settings,
    study: Study | None,
    made: Decided | None,
    at_best: bool = True,
) -> None:
    """Offer the choice as a sentence and as a file, and let the user apply it to the whole app."""
    sentence = methods_sentence(need, step, wanted, study, made, at_best)
    st.code(sentence, language=None, wrap_lines=True)
    with st.container(horizontal=True):
        cite()
        st.button(
            "Use it everywhere",
            type="primary",
            on_click=set_settings,
            kwargs=need.values,
            help="Uses this decay on the Playground, Your data and all other pages.",
        )
        saved = settings_to_json(wanted, need, step, _chosen_on(study))
        downloads.offer("Settings (JSON)", saved, SETTINGS_FILE, "application/json")
    if current_settings() == wanted:
        st.markdown("In use on all pages.")
    st.caption(
        "You can load the file under Rules on other pages, or with `padf evaluate FILE "
        f"--settings {stamped(SETTINGS_FILE, saved)}`."
    )
