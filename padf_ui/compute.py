"""What pages ask for, computed by padf_core; the only place that caches."""

from __future__ import annotations

import gc
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
import pandas as pd
import streamlit as st

import padf_core as padf
from padf_core import Curve, Evaluation, ExponentialDecay, Settings
from padf_core.audit import Finding, findings
from padf_core.cases import TOY_CASES
from padf_core.checks import Progress, no_progress
from padf_core.choosing import (
    Band,
    Flip,
    bands,
    exact_flips,
    has_few_delays,
    searched_flips,
)
from padf_core.clock import format_steps
from padf_core.compare import Bootstrap, RandomRow, bootstrap, random_rows, threshold_grid
from padf_core.curves import PERCENTAGES, best_over_parameter
from padf_core.evaluation import evaluate_pattern, make_pattern
from padf_core.notation import format_bits
from padf_core.protocols import (
    PointAdjustDecay,
    PointAdjustK,
    PrecisionConvention,
    Protocol,
)
from padf_core.published import COLUMN_PROTOCOLS, agrees_with_print, published_table
from padf_core.settings import Shape
from padf_core.sweep import BestPoint, Sweep
from padf_core.theory import Simulated, random_score_best, simulate_random_score
from padf_ui.lanes import paper, rows, window
from padf_ui.links import Board, parse_bits
from padf_ui.results import Areas, Comparison, detector_names
from padf_ui.study import Study

Made = TypeVar("Made")

CHART_THRESHOLDS = 700


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


# ---- the data page ----------------------------------------------------------------


class Memory:
    """The last few results by what they depend on, shared by all sessions.

    Unlike Streamlit's caches it lets a computation report its progress to the page.
    """

    def __init__(self, entries: int) -> None:
        self._entries = entries
        self._known: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = threading.Lock()

    def recall(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Return what was made for this key before, or make it now."""
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                known: Made = self._known[key]
                return known
        made = make()
        with self._lock:
            self._known[key] = made
            while len(self._known) > self._entries:
                self._known.popitem(last=False)
        return made


_SMALL = Memory(200)
_LARGE = Memory(4)
"""Full results hold two bytes per point, so only the last few are kept."""


def rank_all(study: Study, progress: Progress) -> None:
    """Sort the scores of every detector once; what follows shares the sorted scores."""
    for done, detector in enumerate(study.series.detectors, start=1):
        _ = detector.ranked, detector.is_binary
        progress(done / len(study.series.detectors))


def is_ranked(study: Study) -> bool:
    """Say whether every detector has been sorted."""
    return all("ranked" in vars(detector) for detector in study.series.detectors)


def results_of(study: Study, settings: Settings) -> list[Evaluation]:
    """Return every protocol's result for the detector that is looked at."""
    threshold = study.threshold(settings)
    return _LARGE.recall(
        ("results", study.series.key, study.chosen, threshold, settings),
        lambda: study.detector.evaluate(threshold, settings.protocols()),
    )


def timeline_rows(study: Study, settings: Settings) -> rows.Row:
    """Return the stretch in view and the threshold slider."""
    threshold = study.threshold(settings)
    which = (study.series.key, study.chosen, threshold, settings)
    return {
        "rows": _SMALL.recall(
            ("window", *which, study.view),
            lambda: window.window_rows(
                study.series, study.detector, threshold, results_of(study, settings), study.view
            ),
        ),
        "slider": _SMALL.recall(
            ("slider", *which),
            lambda: window.threshold_slider(study.detector, settings.protocols(), threshold),
        ),
    }


def best_points(study: Study, settings: Settings, index: int | None = None) -> list[BestPoint]:
    """Return each protocol's best threshold for a detector."""
    at = study.chosen if index is None else index
    return [study.series.detectors[at].best(protocol) for protocol in settings.protocols()]


def flagged_at(study: Study, points: Sequence[BestPoint]) -> list[float]:
    """Return the share of points that are flagged at each best threshold."""
    scores = study.detector.scores
    return [float(study.detector.detections(p.threshold).sum()) / scores.size for p in points]


def sweeps_of(study: Study, settings: Settings) -> list[Sweep]:
    """Return every protocol at a few hundred thresholds, the best ones among them."""
    detector, protocols = study.detector, settings.protocols()

    def make() -> list[Sweep]:
        best = [point.threshold for point in best_points(study, settings)]
        chosen = [*threshold_grid(detector, CHART_THRESHOLDS).tolist(), *best]
        falling = sorted({*chosen, study.threshold(settings)}, reverse=True)
        return [detector.ranked.at(falling, protocol) for protocol in protocols]

    key = ("sweeps", study.series.key, study.chosen, study.threshold(settings), settings)
    return _SMALL.recall(key, make)


def compared(
    study: Study,
    settings: Settings,
    *,
    at_best: bool,
    runs: int,
    seed: int,
    progress: Progress = no_progress,
) -> Comparison:
    """Return every detector under every protocol, and a random detector beside them."""
    protocols = settings.protocols()
    points = [best_points(study, settings, index) for index in range(len(study.choices))]
    if not at_best:
        points = [
            [detector.at(threshold, protocol) for protocol in protocols]
            for detector, threshold in zip(
                study.series.detectors, study.thresholds(settings), strict=True
            )
        ]
    return Comparison(
        detector_names(study), protocols, points, chance(study, settings, runs, seed, progress)
    )


def chance(
    study: Study, settings: Settings, runs: int, seed: int, progress: Progress = no_progress
) -> list[RandomRow]:
    """Return what random detectors reach on these labels."""
    return _SMALL.recall(
        ("random", study.series.key, settings, runs, seed),
        lambda: random_rows(study.series.labels, settings.protocols(), runs, seed, progress),
    )


def detector_curves(
    study: Study, settings: Settings, over: str, *, at_best: bool, progress: Progress = no_progress
) -> list[Curve]:
    """Return F1 of each detector over K ("k") or over the decay's parameter ("decay")."""
    values: Sequence[float] = PERCENTAGES if over == "k" else rows.DECAY_STEPS[settings.shape]
    at = settings.pa_k_at if over == "k" else settings.padf_at
    protocols: list[Protocol] = [at(value) for value in values]
    thresholds = None if at_best else tuple(study.thresholds(settings))

    def make() -> list[Curve]:
        curves = []
        for index, detector in enumerate(study.series.detectors):
            if thresholds is None and not detector.is_binary:
                curve = best_over_parameter(detector.ranked, values, protocols)
            else:
                fixed = 1.0 if thresholds is None else thresholds[index]
                curve = Curve.of(values, [e.f1 for e in detector.evaluate(fixed, protocols)])
            curves.append(curve)
            progress((index + 1) / len(study.series.detectors))
        return curves

    rules = (settings.shape, settings.inclusive, settings.precision)
    return _SMALL.recall(("curves", study.series.key, over, rules, thresholds), make)


def areas_of(study: Study, settings: Settings, progress: Progress = no_progress) -> list[Areas]:
    """Return the threshold-free summaries of each detector."""
    over_k = detector_curves(study, settings, "k", at_best=True, progress=progress)
    over_decay = detector_curves(study, settings, "decay", at_best=True, progress=progress)

    def make() -> list[Areas]:
        made = []
        for index, detector in enumerate(study.series.detectors):
            sweeps = [detector.ranked.corners(protocol) for protocol in settings.protocols()]
            made.append(
                Areas(
                    [sweep.average_precision for sweep in sweeps],
                    [sweep.roc_auc for sweep in sweeps],
                    over_k[index].area,
                    over_decay[index].area,
                )
            )
            progress((index + 1) / len(study.series.detectors))
        return made

    return _SMALL.recall(("areas", study.series.key, settings), make)


def resampled(
    study: Study,
    settings: Settings,
    *,
    at_best: bool,
    resamples: int,
    seed: int,
    progress: Progress = no_progress,
) -> list[Bootstrap]:
    """Return F1 of every detector on resampled series."""
    thresholds = None if at_best else tuple(study.thresholds(settings))
    return _LARGE.recall(
        ("bootstrap", study.series.key, settings, thresholds, resamples, seed),
        lambda: bootstrap(
            study.series,
            settings.protocols(),
            thresholds=thresholds,
            resamples=resamples,
            seed=seed,
            progress=progress,
        ),
    )


# ---- choosing a decay rate ----------------------------------------------------------------


FLIP_GRID: tuple[float, ...] = tuple(
    sorted(
        {*rows.DECAY_STEPS["exponential"], *(round(1 - step / 2000, 6) for step in range(1, 20))}
    )
)
"""Decay rates at which rankings are compared: every hundredth, and closer ones near 1."""


@dataclass(frozen=True)
class Flips:
    """How F1 and the ranking depend on the decay rate."""

    curves: list[Curve]
    flips: list[Flip]
    bands: list[Band]
    is_exact: bool

    def band_at(self, rate: float) -> Band:
        """Return the range of rates with the same ranking around a rate."""
        return next((band for band in self.bands if rate <= band.stop), self.bands[-1])


def flips_of(
    study: Study, settings: Settings, *, at_best: bool, progress: Progress = no_progress
) -> Flips:
    """Return where detectors change places over the decay rate, at best or at chosen thresholds."""
    detectors = study.series.detectors
    thresholds = None if at_best else tuple(study.thresholds(settings))

    def make() -> Flips:
        is_exact = False

        def protocol(rate: float) -> PointAdjustDecay:
            return PointAdjustDecay(ExponentialDecay(rate), settings.precision)

        if thresholds is None:

            def score(rate: float) -> list[float]:
                return [detector.best(protocol(rate)).f1 for detector in detectors]

            flips = searched_flips(score, FLIP_GRID, progress)
        else:
            patterns = [
                make_pattern(study.series.labels, detector.detections(threshold))
                for detector, threshold in zip(detectors, thresholds, strict=True)
            ]

            def score(rate: float) -> list[float]:
                return [evaluate_pattern(p, [protocol(rate)])[0].f1 for p in patterns]

            is_exact = has_few_delays(patterns)
            flips = (
                exact_flips(patterns, settings.precision)
                if is_exact
                else searched_flips(score, FLIP_GRID, progress)
            )
        heights = np.array([score(rate) for rate in FLIP_GRID])
        curves = [Curve.of(FLIP_GRID, heights[:, row]) for row in range(len(detectors))]
        cut = bands(flips, score, FLIP_GRID[0], 1.0)
        return Flips(curves, flips, cut, is_exact)

    key = ("flips", study.series.key, settings.precision, thresholds)
    return _SMALL.recall(key, make)


def detector_delays(study: Study, settings: Settings) -> list[tuple[float, Evaluation]]:
    """Return each detector's threshold and its result under PAdf there."""
    padf_protocol = [settings.protocols()[-1]]
    return [
        (threshold, detector.evaluate(threshold, padf_protocol)[0])
        for detector, threshold in zip(
            study.series.detectors, study.thresholds(settings), strict=True
        )
    ]


def shape_scores(
    study: Study, settings: Settings, shapes: dict[Shape, float], *, at_best: bool
) -> list[list[float]]:
    """Return F1 of each detector under each shape of decay."""
    protocols: list[Protocol] = [
        replace(settings, shape=shape, decay=value).protocols()[-1]
        for shape, value in shapes.items()
    ]
    return _scores(study, settings, protocols, at_best)


def convention_scores(study: Study, settings: Settings, *, at_best: bool) -> list[list[float]]:
    """Return F1 of each detector under both precision conventions."""
    protocols: list[Protocol] = [
        replace(settings, precision="tables").protocols()[-1],
        replace(settings, precision="equations").protocols()[-1],
    ]
    return _scores(study, settings, protocols, at_best)


def _scores(
    study: Study, settings: Settings, protocols: list[Protocol], at_best: bool
) -> list[list[float]]:
    thresholds = study.thresholds(settings)
    return [
        [(detector.best(p) if at_best else detector.at(threshold, p)).f1 for p in protocols]
        for detector, threshold in zip(study.series.detectors, thresholds, strict=True)
    ]


def threshold_curves_of(study: Study, settings: Settings) -> list[Sweep]:
    """Return F1 under PAdf over thresholds, one sweep per detector."""
    protocol = settings.protocols()[-1]
    key = ("padf sweeps", study.series.key, settings)

    def make() -> list[Sweep]:
        return [
            detector.ranked.at(
                [1.0] if detector.is_binary else threshold_grid(detector, 200), protocol
            )
            for detector in study.series.detectors
        ]

    return _SMALL.recall(key, make)


# ---- the random detector ----------------------------------------------------------------


@st.cache_data(max_entries=100, show_spinner=False)
def simulated(
    thresholds: tuple[float, ...],
    length: int,
    ratio: float,
    protocols: tuple[Protocol, ...],
    runs: int,
    seed: int,
) -> list[Simulated]:
    """Return simulated random scores as points for a chart."""
    return simulate_random_score(thresholds, length, ratio, protocols, runs=runs, seed=seed)


MAP_LENGTHS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000)


@st.cache_data(max_entries=30, show_spinner=False)
def chance_map(
    over: str, ratio: float, precision: PrecisionConvention
) -> tuple[list[float], pd.DataFrame]:
    """Return the best F1 of a random score: a row per parameter, a column per segment length."""
    if over == "d":
        values = [round(0.05 * step, 2) for step in range(1, 20)] + [0.97, 0.99, 1.0]
        protocols: list[Protocol] = [
            PointAdjustDecay(ExponentialDecay(value), precision) for value in values
        ]
    else:
        values = [float(k) for k in range(0, 101, 5)]
        protocols = [PointAdjustK(k) for k in values]
    columns = {
        length: [best.f1 for best in random_score_best(length, ratio, protocols)]
        for length in MAP_LENGTHS
    }
    return values, pd.DataFrame(columns, index=pd.Index(values))


# ---- the published results ----------------------------------------------------------------


@st.cache_data(max_entries=1)
def audit_findings() -> list[Finding]:
    """Return the audit of the paper."""
    return findings()
