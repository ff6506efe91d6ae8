"""Data of a replay, computed once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from padf_ui.operators import operators_words
from padf_ui.operators.card_words import card, card_row
from padf_ui.operators.clip_message import clip_rows, limits_of
from padf_ui.operators.scene import Clip, Judged, Scene, watcher
from padf_ui.server.cache import SMALL
from padf_ui.web.palette import DETECTOR_LINES
from padf_ui.wire.replay import ReplayDetector, ReplayRows, ReplayWatched

SPEEDS = (1, 10, 60, 120, 300, 600)
FASTER = (1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 604_800)
"""Additional speeds for data with incidents that last hours or days."""

WATCHED_SECONDS = 30.0
"""Approximate duration of a clip at the initial speed, in seconds."""


def known_rows(scene: Scene) -> tuple[str, ReplayRows]:
    """Return the data of a replay from the cache, and a key that identifies it."""
    replay = replace(scene.replay, per_minute=None, per_call=None)
    key = ("rows", scene.series.key, replay, scene.decay)
    return f"{hash(key):x}", SMALL.recall(key, lambda: replay_rows(scene))


def replay_rows(scene: Scene) -> ReplayRows:
    """Return the data of a scene's replay."""
    low, high = limits_of(scene)
    clips = [clip_rows(scene, place, low, high) for place in range(len(scene.clips))]
    speeds = _speeds(float(np.median([clip["seconds"] for clip in clips])))
    return {
        "title": operators_words.title(scene),
        "has_clock": scene.series.clock is not None,
        "signal_name": operators_words.signal_name(scene),
        "limits": [_value(low), _value(high)],
        "detectors": [_detector(scene, each, place) for place, each in enumerate(scene.shown)],
        "clips": clips,
        "speeds": speeds[0],
        "speed": speeds[1],
        "card": card(scene),
    }


def _detector(scene: Scene, judged: Judged, place: int) -> ReplayDetector:
    return {
        "name": judged.name,
        "rule": operators_words.rule(judged.rule, scene.step, scene.detector(judged)),
        "colours": [DETECTOR_LINES[mode][place] for mode in ("light", "dark")],
        "calls": operators_words.calls_a_day(judged.outcome.per_day(scene.days)),
    }


def _value(value: float) -> str:
    return f"{value:,.0f}" if 1000 <= abs(value) < 1e9 else f"{value:.4g}"


def _speeds(seconds: float) -> tuple[list[int], int]:
    """Return the available speeds and the initial one.

    At the initial speed, a clip lasts at most `WATCHED_SECONDS`, unless even the fastest is too
    slow.
    """
    chosen = next((s for s in (*SPEEDS, *FASTER) if seconds / s <= WATCHED_SECONDS), FASTER[-1])
    return [*SPEEDS, *(speed for speed in FASTER if speed <= chosen)], chosen


def watched(scene: Scene, presses: Sequence[Sequence[float]]) -> ReplayWatched:
    """Score the watcher's presses like a detector that has data only in these clips."""
    rows: list[int] = []
    for clip, seconds in zip(scene.clips, presses, strict=True):
        rows += _rows_pressed(scene, clip, seconds)
    you = watcher(scene, rows)
    delays, credits = you.pattern.found.delays.tolist(), you.credit.tolist()
    seconds_watched = sum(
        float(scene.seconds(clip.first, clip.last)[-1]) + scene.step for clip in scene.clips
    )
    return {
        "presses": [list(seconds) for seconds in presses],
        "said": [
            operators_words.noticed(scene, clip, delay, credit)
            for clip, delay, credit in zip(scene.clips, delays, credits, strict=True)
        ],
        "row": card_row(you, seconds_watched / 86400),
    }


def _rows_pressed(scene: Scene, clip: Clip, seconds: Sequence[float]) -> list[int]:
    """Return the latest row that was visible at each press."""
    times = scene.seconds(clip.first, clip.last)
    places = np.searchsorted(times, np.asarray(seconds, dtype=np.float64), side="right")
    rows: list[int] = np.unique(clip.first + np.maximum(places - 1, 0)).tolist()
    return rows
