"""How to cite the paper and this app."""

from __future__ import annotations

import streamlit as st

from padf_core import __version__

PAPER = """@article{gim2023evaluation,
  title   = {Evaluation Strategy of Time-series Anomaly Detection with Decay Function},
  author  = {Gim, Yongwan and Min, Kyushik},
  journal = {arXiv preprint arXiv:2305.09691},
  year    = {2023}
}"""


def tool_citation() -> str:
    """Return how to cite this app."""
    return (
        "@software{padf_explorer,\n"
        "  title   = {PAdf Explorer: what evaluation protocols do to a detector's score},\n"
        f"  version = {{{__version__}}}\n"
        "}"
    )


def cite() -> None:
    """Offer both citations."""
    with st.popover("Cite"):
        st.markdown("The paper:")
        st.code(PAPER, language="bibtex")
        st.markdown("This tool:")
        st.code(tool_citation(), language="bibtex")
