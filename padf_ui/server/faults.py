"""What is said when a run ends in an error: one sentence on the page, the rest in the log."""

from __future__ import annotations

import logging

import streamlit as st

_LOG = logging.getLogger("padf")


def tell_fault(error: Exception) -> bool:
    """Say that something was not taken; forged messages end here, and faults of ours."""
    _LOG.error("a run ended", exc_info=error)
    st.error(
        "That could not be shown: what this page was sent does not fit it, or the app has a fault. "
        "Load the page anew; what was drawn is in its address.",
        icon=":material/error:",
    )
    return True
