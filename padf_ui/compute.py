"""What pages ask for, computed by padf_core; the only place that caches."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Sequence

import pandas as pd
import streamlit as st

import padf_core as padf
from padf_core import Curve, Evaluation, Settings
from padf_core.cases import TOY_CASES
from padf_core.clock import format_steps
from padf_core.curves import PERCENTAGES
from padf_core.notation import format_bits
from padf_core.protocols import Protocol
from padf_core.published import COLUMN_PROTOCOLS, agrees_with_print, published_table
from padf_ui.lanes import paper, rows
from padf_ui.links import Board, parse_bits


@st.cache_resource(max_entries=1, show_spinner=False)
def collect_in_background(every_seconds: float = 30.0) -> threading.Thread:
    """Collect garbage now and then, once per server.

    Streamlit's full collection after every run is switched off in .streamlit/config.toml, because
    it stops all sessions for as long as it takes; what lives since the start is left out here.
    """

    def collect() -> None:
        gc.collect()
        gc.freeze()
        while True:
            time.sleep(every_seconds)
            gc.collect()

    thread = threading.Thread(target=collect, name="padf-garbage", daemon=True)
    thread.start()
    return thread


@st.cache_data(max_entries=500, show_spinner=False)
def _rows(labels: str, detections: str, settings: Settings, step_seconds: float | None) -> rows.Row:
    return rows.board_rows(parse_bits(labels), parse_bits(detections), settings, step_seconds)


def rows_of(board: Board) -> rows.Row:
    """Return everything the board may have to show."""
    labels, detections = format_bits(board.labels), format_bits(board.detections)
    return _rows(labels, detections, board.settings, board.step_seconds)


@st.cache_data(max_entries=100, show_spinner=False)
def _sliders(settings: Settings, step_seconds: float | None) -> list[rows.Row]:
    return rows.sliders(settings, step_seconds)


def sliders_of(board: Board) -> list[rows.Row]:
    """Return the two sliders of the board."""
    return _sliders(board.settings, board.step_seconds)


def ledger(board: Board, results: Sequence[Evaluation]) -> pd.DataFrame:
    """Return one row per segment: where it is, what hit it, and its credit under each protocol."""
    outcomes = zip(*(result.segments for result in results), strict=True)
    table = [
        {
            "Segment": number,
            "Start": _time_name(board, same[0].start),
            "Length": same[0].length,
            "Hits": same[0].hits,
            "Delay": _delay(same[0].delay, board.step_seconds),
            **{
                result.protocol.label: outcome.credit
                for result, outcome in zip(results, same, strict=True)
            },
        }
        for number, same in enumerate(outcomes, start=1)
    ]
    columns = ["Segment", "Start", "Length", "Hits", "Delay"]
    return pd.DataFrame(table, columns=[*columns, *(result.protocol.label for result in results)])


def credit_columns(board: Board) -> list[str]:
    """Return the ledger's columns that hold credit."""
    return [protocol.label for protocol in board.settings.protocols()]


def _time_name(board: Board, index: int) -> str:
    return rows.time_names(index + 1, board.step_seconds)[index]


def _delay(delay: int | None, step_seconds: float | None) -> str:
    return "missed" if delay is None else format_steps(delay, step_seconds)


def scores(results: list[Evaluation]) -> pd.DataFrame:
    """Return one row per protocol: its counts and scores."""
    return pd.DataFrame(
        [
            {
                "Protocol": e.protocol.label,
                "eTP": e.true_positives,
                "FP": e.false_positives,
                "Divided by": e.claimed,
                "Precision": e.precision,
                "Recall": e.recall,
                "F1": e.f1,
            }
            for e in results
        ]
    )


def over_decay(board: Board) -> Curve:
    """Return F1 under PAdf over the fixed steps of the decay slider."""
    steps = rows.DECAY_STEPS[board.settings.shape]
    return _curve(board, steps, [board.settings.padf_at(value) for value in steps])


def over_k(board: Board) -> Curve:
    """Return F1 under PA%K over the fixed steps of the K slider."""
    return _curve(board, PERCENTAGES, [board.settings.pa_k_at(k) for k in PERCENTAGES])


def _curve(board: Board, steps: Sequence[float], protocols: Sequence[Protocol]) -> Curve:
    results = padf.evaluate_all(board.labels, board.detections, protocols)
    return Curve.of(steps, [result.f1 for result in results])


def over_shift(board: Board) -> tuple[list[int], list[Curve]]:
    """Return F1 of every protocol as all alarms are moved across the board."""
    reach = min(board.size - 1, 60)
    shifts = list(range(-reach, reach + 1))
    protocols = board.settings.protocols()
    return shifts, padf.f1_over_shift(board.labels, board.detections, protocols, shifts)


@st.cache_data(max_entries=50, show_spinner=False)
def paper_rows(settings: Settings) -> rows.Row:
    """Return everything the page of the paper's cases may have to show."""
    return paper.paper_rows(settings)


@st.cache_data(max_entries=1)
def toy_table() -> pd.DataFrame:
    """Return Table 1: the computed F1 of each case and protocol, beside the printed one."""
    printed = published_table("table1").set_index("case")
    table = []
    for case in TOY_CASES:
        protocols = [COLUMN_PROTOCOLS[column] for column in printed.columns]
        results = padf.evaluate_all(case.labels, case.detections, protocols)
        row: dict[str, object] = {"Case": case.title, "What happens": case.about}
        for column, result in zip(printed.columns, results, strict=True):
            text = str(printed.loc[case.key, column])
            mark = "✓" if agrees_with_print(result.f1, text) else "✗"
            row[result.protocol.label] = f"{result.f1:.4f}  {mark} {text}"
        table.append(row)
    return pd.DataFrame(table)
