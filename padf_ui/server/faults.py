"""Message for a run that ends in an error: one sentence on the page, details in the log."""

from __future__ import annotations

import logging

import streamlit as st

_LOG = logging.getLogger("padf")


def tell_fault(error: Exception) -> bool:
    """Report an error on the page. Both forged messages and bugs of the app end here."""
    _LOG.error("a run ended", exc_info=error)
    st.error(
        "This could not be shown: the page received something invalid, or the app has a fault. "
        "Reload the page; what you drew is in its link.",
        icon=":material/error:",
    )
    return True
