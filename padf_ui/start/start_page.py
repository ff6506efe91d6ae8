"""Start page: one incident, one alarm and its score under each protocol."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
import streamlit as st

from padf_core import Settings
from padf_core.metrics.checks import BoolArray
from padf_core.metrics.clock import format_clock, format_duration
from padf_core.metrics.evaluation import evaluate
from padf_ui.components import mounting
from padf_ui.components.citations import cite
from padf_ui.components.lanes import all_thousandths, pack
from padf_ui.components.words import counted, reason_of
from padf_ui.registry import PAGES
from padf_ui.server.cache import SMALL
from padf_ui.session.asks import FRONT_KEY
from padf_ui.wire.board import FrontData, FrontLane

POINTS, START, STOP = 36, 6, 30
STEP_SECONDS, BEGIN_SECONDS = 300.0, 8.5 * 3600
FIRST_ALARM, SECOND_ALARM = 21, 9
RATES = tuple(percent / 100 for percent in range(50, 101, 5))
"""Steps of the slider for d."""


def protocol_count() -> str:
    """Return the number of protocols on the start page as a word."""
    return counted(len(Settings().protocols()))


def show_front() -> None:
    """Show the incident with one or two alarms that the visitor can drag, and a slider for d."""
    data: FrontData = SMALL.recall("front", front_rows)
    mounting.mount_still("front", FRONT_KEY, data)


def front_rows() -> FrontData:
    """Return the description and the scores of the alarms at all positions, for each d.

    Patterns with the same delay and the same numbers of hits and false alarms have the same scores.
    They share a row.
    """
    labels = np.zeros(POINTS, dtype=np.bool_)
    labels[START:STOP] = True
    firsts: dict[tuple[int, int, int], int] = {}
    patterns: list[BoolArray] = []
    rows: list[int] = []
    for one, other in product(range(POINTS), repeat=2):
        alarms = np.isin(np.arange(POINTS), (one, other))
        hits = np.flatnonzero(alarms & labels)
        key = (int(hits[0]) if hits.size else -1, hits.size, int((alarms & ~labels).sum()))
        if key not in firsts:
            firsts[key] = len(patterns)
            patterns.append(alarms)
        rows.append(firsts[key])
    return {
        "times": [_time(place) for place in range(POINTS)],
        "begins": BEGIN_SECONDS,
        "step": STEP_SECONDS,
        "start": START,
        "stop": STOP,
        "at": FIRST_ALARM,
        "second": SECOND_ALARM,
        "rates": list(RATES),
        "rate": RATES.index(Settings()["decay"]),
        "notes": pack([_note(rate) for rate in RATES]),
        "rows": rows,
        "said": pack([_said(place) for place in range(POINTS)]),
        "quiet": [not false for _, _, false in firsts],
        "lanes": _lanes(labels, patterns),
    }


def _lanes(labels: BoolArray, patterns: Sequence[BoolArray]) -> list[FrontLane]:
    """Return every lane with its rows: one for each d, or one if d does not change it."""
    by_rate = [Settings(decay=rate).protocols() for rate in RATES]
    usual = Settings().protocols()
    lanes: list[FrontLane] = []
    for place, protocol in enumerate(usual):
        over = [protocols[place] for protocols in by_rate]
        if all(each == protocol for each in over):
            over = [protocol]
        results = [[evaluate(labels, alarms, each) for alarms in patterns] for each in over]
        lanes.append(
            {
                "key": protocol.key,
                "names": [each.label for each in over],
                "colours": [protocol.look.light, protocol.look.dark],
                "f1": [all_thousandths([result.f1 for result in row]) for row in results],
                "words": [
                    pack([reason_of(result, STEP_SECONDS) for result in row]) for row in results
                ],
            }
        )
    return lanes


def _time(place: int) -> str:
    return format_clock(BEGIN_SECONDS + place * STEP_SECONDS)


def _note(rate: float) -> str:
    step = format_duration(STEP_SECONDS)
    return f"d = {rate:g}: after each {step} of delay, {100 * rate:.0f} % of the credit remains"


def _said(place: int) -> str:
    when = f"Alarm at {_time(place)}"
    if place < START:
        return (
            f"{when}, {format_duration((START - place) * STEP_SECONDS)} before the incident (a "
            "false alarm)"
        )
    if place >= STOP:
        return f"{when}, after the incident had ended (a false alarm)"
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
    for number, (place, card) in enumerate(zip(st.columns(3), CARDS, strict=True)):
        title, about, script, query = card
        with place, st.container(border=True, height="stretch", key=f"padf_card_{number}"):
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
