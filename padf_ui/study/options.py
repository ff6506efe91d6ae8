"""What pages about brought data ask before they compare."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

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
