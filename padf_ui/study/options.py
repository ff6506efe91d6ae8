"""What pages about uploaded data ask before they compare."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from padf_core.metrics.clock import format_duration
from padf_ui.session.replay import current_replay, set_rule
from padf_ui.session.widget_values import bound

_COMPARE_AT = {
    "best": "each protocol's best threshold (an oracle)",
    "chosen": "the threshold chosen for it on Your data",
}


@dataclass(frozen=True)
class RandomRuns:
    """How many random detectors are tried, and from which seed."""

    runs: int
    seed: int


def compare_at() -> bool:
    """Ask at which thresholds detectors are compared; say whether at the best ones."""
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
    """Ask how long an alert rule waits and then keeps quiet; the same on every page."""
    replay = current_replay()
    _points("Wait for points in a row", "wait", 1, replay.wait, step)
    _points("Then keep quiet for points", "cooldown", 0, replay.cooldown, step)


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
