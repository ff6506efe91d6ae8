"""Cached results of the page for operators."""

from __future__ import annotations

import numpy as np

from padf_core import PointAdjustDecay, Settings
from padf_core.analysis.alerting import RuleSearch
from padf_core.analysis.choosing import Need
from padf_core.analysis.threshold_grid import threshold_grid
from padf_core.analysis.trade_map import TradeMap, trade_map
from padf_core.io.series import Series
from padf_core.metrics.checks import Progress, no_progress
from padf_ui.operators.scene import Judged, Scene, judge, padf_for_need, set_scene, suggested_need
from padf_ui.server.cache import LARGE, SMALL, Memory
from padf_ui.session.replay import Replay

COLUMNS = 24
"""Number of thresholds on the map."""

LARGE_FROM = 20_000
"""Number of rows from which only the last few results are cached."""


def scene_of(
    series: Series,
    replay: Replay,
    settings: Settings,
    need: Need,
    progress: Progress = no_progress,
) -> Scene:
    """Return the scene to replay, with every detector at its rule."""
    decay = padf_for_need(settings, need)
    judged = _judged(series, replay, decay, progress)
    usual_decay = padf_for_need(Settings(), suggested_need(series))
    usual = _judged(series, Replay(replay.setting), usual_decay, progress)
    return set_scene(series, replay, need, decay, judged, usual)


def _judged(
    series: Series, replay: Replay, decay: PointAdjustDecay, progress: Progress
) -> tuple[Judged, ...]:
    rule = (replay.wait, replay.cooldown, replay.budget)
    return _memory(series).recall(
        ("judged", series.key, rule, decay), lambda: judge(series, replay, decay, progress)
    )


def search_of(scene: Scene, judged: Judged) -> RuleSearch:
    """Return the rule search of a detector."""
    detector = scene.series.detectors[judged.index]
    return RuleSearch(detector, scene.decay, scene.replay.cooldown)


def map_of(scene: Scene, progress: Progress = no_progress) -> TradeMap:
    """Return the map of the first detector, threshold by wait."""
    first = scene.shown[0]
    search = search_of(scene, first)
    now = first.rule.threshold

    def make() -> TradeMap:
        detector = scene.series.detectors[first.index]
        grid = [1.0] if detector.is_binary else threshold_grid(detector, COLUMNS).tolist()
        shown = {*grid, *([now] if np.isfinite(now) else [])}
        return trade_map(search, sorted(shown), scene.replay.budget * scene.days, progress=progress)

    rule = (scene.replay.cooldown, scene.replay.budget, now)
    key = ("map", scene.series.key, first.index, rule, scene.decay)
    return SMALL.recall(key, make)


def _memory(series: Series) -> Memory:
    return SMALL if series.size < LARGE_FROM else LARGE
