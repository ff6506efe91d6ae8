"""Widgets with options for comparing detectors."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from padf_core.metrics.clock import format_duration
from padf_ui.session.replay import current_replay, set_rule
from padf_ui.session.widget_values import bound

_COMPARE_AT = {
    "best": "each protocol's best threshold (an oracle)",
    "chosen": "the threshold chosen on Your data",
}


@dataclass(frozen=True)
class RandomRuns:
    """Number of random detectors, and the first seed."""

    runs: int
    seed: int


def compare_at() -> bool:
    """Ask for the thresholds to compare at. Return whether they are the best ones."""
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


def ask_wait_and_cooldown(step: float) -> None:
    """Ask for the wait and the cool-down of the alert rule, which all pages share."""
    replay = current_replay()
    _points("Wait for consecutive points", "wait", 1, replay.wait, step)
    _points("Then stay silent for points", "cooldown", 0, replay.cooldown, step)


def _points(label: str, name: str, least: int, value: int, step: float) -> None:

    def take(chosen: int) -> None:
        set_rule(**{name: int(chosen)})

    st.number_input(
        label,
        least,
        10_000,
        value,
        1,
        **bound(f"rule_{name}", value, take),
        width=210,
        help=f"One point is {format_duration(step)}.",
    )
