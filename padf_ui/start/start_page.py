"""Start page: one incident, one alarm and its score under each protocol."""

from __future__ import annotations

import numpy as np
import streamlit as st

from padf_core import Settings
from padf_core.metrics.clock import format_clock, format_duration
from padf_core.metrics.evaluation import Evaluation, evaluate_all
from padf_ui.components import mounting
from padf_ui.components.citations import cite
from padf_ui.components.lanes import all_thousandths, pack
from padf_ui.components.words import counted, explain
from padf_ui.registry import PAGES
from padf_ui.server.cache import SMALL
from padf_ui.session.asks import FRONT_KEY
from padf_ui.wire.board import FrontData, FrontLane

POINTS, START, STOP = 36, 6, 30
STEP_SECONDS, BEGIN_SECONDS = 300.0, 8.5 * 3600
FIRST_ALARM = 21


def protocol_count() -> str:
    """Return the number of protocols on the start page as a word."""
    return counted(len(Settings().protocols()))


def show_front() -> None:
    """Show the incident with an alarm that the visitor can drag."""
    data: FrontData = SMALL.recall("front", front_rows)
    mounting.mount_still("front", FRONT_KEY, data)


def front_rows() -> FrontData:
    """Return the description and the scores of the alarm at every position."""
    settings = Settings()
    labels = np.zeros(POINTS, dtype=np.bool_)
    labels[START:STOP] = True
    rows = [
        evaluate_all(labels, np.arange(POINTS) == place, settings.protocols())
        for place in range(POINTS)
    ]
    return {
        "times": [_time(place) for place in range(POINTS)],
        "start": START,
        "stop": STOP,
        "at": FIRST_ALARM,
        "said": pack([_said(place) for place in range(POINTS)]),
        "lanes": [_lane(list(results)) for results in zip(*rows, strict=True)],
    }


def _lane(results: list[Evaluation]) -> FrontLane:
    protocol = next(iter(results)).protocol
    return {
        "key": protocol.key,
        "name": protocol.label,
        "colours": [protocol.look.light, protocol.look.dark],
        "f1": all_thousandths([result.f1 for result in results]),
        "words": pack([explain(result, STEP_SECONDS).why for result in results]),
    }


def _time(place: int) -> str:
    return format_clock(BEGIN_SECONDS + place * STEP_SECONDS)


def _said(place: int) -> str:
    when = f"Alarm at {_time(place)}"
    if place < START:
        return (
            f"{when}, {format_duration((START - place) * STEP_SECONDS)} before the incident (a "
            "false alarm)"
        )
    if place >= STOP:
        return f"{when}, after the incident had ended"
    late = (place - START) * STEP_SECONDS
    return f"{when}, {format_duration(late)} late" if late else f"{when}, no delay"


def show_citations() -> None:
    """Name the paper, and offer citations of the paper and this app."""
    st.markdown(
        "PAdf was proposed by Yongwan Gim and Kyushik Min, *Evaluation Strategy of Time-series "
        "Anomaly Detection with Decay Function*, [arXiv 2305.09691](https://arxiv.org/abs/2305.09691)."
    )
    cite()


CARDS: tuple[tuple[str, str, str, dict[str, str]], ...] = (
    (
        "Learn it (10 minutes)",
        "Nine short interactive steps: what each score counts, and where it misleads you.",
        "pages/learn.py",
        {"lesson": "course", "step": "1"},
    ),
    (
        "For operators (3 minutes)",
        "Replay an incident minute by minute: who noticed it, when, and what that was worth.",
        "pages/operators.py",
        {},
    ),
    (
        "Try your data",
        "Upload labels and scores, or open a sample. See the best thresholds and which detector "
        "wins.",
        "pages/your_data.py",
        {},
    ),
)


def show_cards() -> None:
    """Show cards that link to three pages to start with."""
    for place, (title, about, script, query) in zip(st.columns(3), CARDS, strict=True):
        with place, st.container(border=True, height="stretch"):
            st.page_link(script, label=f"**{title}**", query_params=query)
            st.markdown(about)


def show_map() -> None:
    """Show links to all pages, with the purpose of each."""
    st.header("All pages", anchor=False)
    left, right = st.columns(2)
    entries = [(page.script, page.about) for page in PAGES.values() if page.about]
    half = -(-len(entries) // 2)
    for place, part in ((left, entries[:half]), (right, entries[half:])):
        with place:
            for script, about in part:
                with st.container(horizontal=True, gap="small", vertical_alignment="center"):
                    st.page_link(script)
                    st.markdown(about)
