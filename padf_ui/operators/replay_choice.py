"""Widgets that choose what to replay: data, incident and detectors."""

from __future__ import annotations

from functools import partial

import streamlit as st

from padf_core.metrics.clock import format_duration
from padf_ui.operators.scene import Scene
from padf_ui.session.data import current_study
from padf_ui.session.replay import SETTINGS, UPLOADED, current_replay, set_replay, set_replayed
from padf_ui.session.screen_names import shown, shown_names
from padf_ui.session.widget_values import bound


def ask_setting() -> None:
    """Ask for the data to replay."""
    study = current_study()
    options = dict(SETTINGS)
    if study is not None:
        options[UPLOADED] = f"Your data: {shown(study.series.name)}"
    now = current_replay().setting
    st.selectbox(
        "Setting",
        list(options),
        index=list(options).index(now) if now in options else 0,
        **bound("replay_setting", now, set_replayed),
        width=210,
        format_func=options.__getitem__,
    )


def ask_incident(scene: Scene) -> None:
    """Ask for the incident to replay."""
    count = len(scene.series.segments)
    now: int | str = "all" if scene.is_all else scene.clips[0].number
    lasted = scene.series.segments.lengths * scene.step

    def name(option: int | str) -> str:
        if option == "all":
            return f"all {count} in sequence"
        return f"{int(option) + 1}: lasted {format_duration(float(lasted[int(option)]))}"

    options = ["all", *range(count)]
    st.selectbox(
        "Incident",
        options,
        index=options.index(now),
        **bound("replay_incident", now, lambda chosen: set_replay(incident=chosen)),
        width=190,
        format_func=name,
    )


def ask_detectors(scene: Scene) -> None:
    """Ask for the detectors to replay side by side."""
    names = shown_names(scene.series.names)
    for place, index in enumerate(scene.pair):
        others = [other for at, other in enumerate(scene.pair) if at != place]
        options = [each for each in range(len(names)) if each not in others]
        st.selectbox(
            "Detector" if len(scene.pair) == 1 else ("First detector", "Second detector")[place],
            options,
            index=options.index(index),
            **bound(f"replay_detector_{place}", index, partial(_take_detector, scene.pair, place)),
            width=190,
            format_func=names.__getitem__,
        )


def _take_detector(pair: tuple[int, ...], place: int, chosen: int) -> None:
    new = tuple(chosen if at == place else index for at, index in enumerate(pair))
    before = current_replay().thresholds
    kept = tuple(None if at == place else threshold for at, threshold in enumerate(before))
    set_replay(detectors=new, thresholds=kept)
