"""A replay as the browser plays it: everything that is shown, computed once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np

from padf_core.io.times import MICROSECONDS
from padf_core.metrics.checks import FloatArray, IntArray, NumberArray
from padf_core.metrics.clock import format_clock
from padf_ui.components.palette import DETECTOR_LINES
from padf_ui.operators import operators_words
from padf_ui.operators.scene import Clip, Judged, Scene, watcher
from padf_ui.server.cache import SMALL
from padf_ui.wire.replay import ReplayClip, ReplayDetector, ReplayRows, ReplayTrack, ReplayWatched
from padf_ui.wire.timeline import Tick

DRAWN = 2000
"""So many points of the signal are drawn at most: the lowest and the highest of each cell."""

SAMPLES, MOST_SAMPLES = 400, 2000
"""At about so many moments of an incident it is said what an alarm is worth."""

MOST_RINGS = 500
"""So many alarms of one kind are drawn in a clip."""

SPEEDS = (1, 10, 60, 120, 300, 600)
FASTER = (1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 604_800)
"""For data whose incidents last longer than anybody watches."""

WATCHED_SECONDS = 30.0
"""A clip is to last about so long."""

_TICKS = (1, 5, 10, 30, 60, 300, 600, 900, 1800, *(3600 * h for h in (1, 2, 3, 6, 12, 24, 48, 168)))
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def known_rows(scene: Scene) -> tuple[str, ReplayRows]:
    """Return a replay as the browser plays it, and a name by which it is known."""
    replay = replace(scene.replay, per_minute=None, per_call=None)
    key = ("rows", scene.series.key, replay, scene.decay)
    return f"{hash(key):x}", SMALL.recall(key, lambda: replay_rows(scene))


def replay_rows(scene: Scene) -> ReplayRows:
    """Return a scene as the browser plays it."""
    low, high = _limits(scene)
    clips = [_clip(scene, place, low, high) for place in range(len(scene.clips))]
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
        "card": operators_words.card(scene),
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
    """Return the speeds that are offered, and the one at which a clip lasts about as it should."""
    chosen = next((s for s in (*SPEEDS, *FASTER) if seconds / s <= WATCHED_SECONDS), FASTER[-1])
    return [*SPEEDS, *(speed for speed in FASTER if speed <= chosen)], chosen


# ---- clips ---------------------------------------------------------------------------------------


def signal_of(scene: Scene) -> NumberArray:
    """Return what is drawn: the value that was monitored, or the first detector's score."""
    if scene.series.value is not None:
        return scene.series.value
    return scene.series.detectors[scene.pair[0]].scores


def _limits(scene: Scene) -> tuple[float, float]:
    """Return the lowest and the highest value in all clips."""
    values = signal_of(scene)
    parts = np.concatenate([values[clip.first : clip.last] for clip in scene.clips])
    finite = parts[np.isfinite(parts)].astype(np.float64)
    return (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)


def _clip(scene: Scene, place: int, low: float, high: float) -> ReplayClip:
    clip = scene.clips[place]
    times = scene.seconds(clip.first, clip.last)
    onset = float(times[clip.start - clip.first])
    over = _end(scene, times, clip.stop - clip.first)
    seconds = float(times[-1]) + scene.step
    values = signal_of(scene)[clip.first : clip.last]
    at, heights = _line(times / seconds, values, low, high)
    skipped, calls = _skipped(scene, place)
    return {
        "title": operators_words.clip_title(scene, clip),
        "begins": moment(scene, clip.first),
        "seconds": seconds,
        "onset": onset,
        "over": over,
        "step": scene.step,
        "at": at,
        "signal": heights,
        "ticks": _ticks(scene, clip, seconds),
        "worth": _worth(scene, clip, over - onset),
        "tracks": [_track(scene, each, clip, times) for each in scene.shown],
        "skipped": skipped,
        "missed_calls": calls,
    }


def moment(scene: Scene, row: int) -> float:
    """Return the seconds since 1970 of a row; since the first row where there is no clock."""
    clock = scene.series.clock
    return row * scene.step if clock is None else clock.at(row) / MICROSECONDS


def _end(scene: Scene, times: FloatArray, row: int) -> float:
    return float(times[row]) if row < times.size else float(times[-1]) + scene.step


def _line(
    shares: FloatArray, values: NumberArray, low: float, high: float
) -> tuple[list[int], list[int]]:
    """Return where the signal is drawn: all points, or the lowest and highest of each cell."""
    kept = np.flatnonzero(np.isfinite(values))
    if kept.size > DRAWN:
        edges = np.unique(np.linspace(0, kept.size, DRAWN // 2 + 1).astype(np.int64))[:-1]
        own = values[kept].astype(np.float64)
        cells = np.split(np.arange(kept.size), edges[1:])
        picked = {
            int(cell[at]) for cell in cells for at in (own[cell].argmin(), own[cell].argmax())
        }
        kept = kept[sorted(picked)]
    span = high - low or 1.0
    heights = np.rint(1000 * (values[kept].astype(np.float64) - low) / span)
    return np.rint(10_000 * shares[kept]).astype(int).tolist(), heights.astype(int).tolist()


def _worth(scene: Scene, clip: Clip, seconds: float) -> list[int]:
    """Return what an alarm is worth, evenly over the incident, in percent; at each point too."""
    length = clip.stop - clip.start
    count = min(MOST_SAMPLES, length * -(-SAMPLES // length))
    delays = seconds * np.arange(count + 1) / count
    return [percent(worth) for worth in scene.decay.worth(delays).tolist()]


def percent(worth: float) -> int:
    """Return a worth in whole percent."""
    return round(100 * worth)


def _track(scene: Scene, judged: Judged, clip: Clip, times: FloatArray) -> ReplayTrack:
    alarms = np.flatnonzero(judged.pattern.detections[clip.first : clip.last])
    labels = judged.pattern.labels[clip.first : clip.last]
    inside, outside = alarms[labels[alarms]], alarms[~labels[alarms]]
    credit = float(judged.credit[clip.number])
    return {
        "rings": times[_few(inside)].tolist(),
        "wrong": times[_few(outside)].tolist(),
        "counts": (np.searchsorted(outside, _few(outside)) + 1).tolist(),
        "noticed": float(times[inside[0]]) if inside.size else None,
        "worth": percent(credit),
        "said": operators_words.noticed(
            scene, clip, int(inside[0]) if inside.size else None, credit
        ),
    }


def _few(places: IntArray) -> IntArray:
    """Return some of many places, the first among them."""
    return places[:: max(1, -(-places.size // MOST_RINGS))]


def _skipped(scene: Scene, place: int) -> tuple[str, list[int]]:
    """Return what lies between the clip before and this one, and its false calls."""
    clip = scene.clips[place]
    before = scene.clips[place - 1].last if place else 0
    if not scene.is_all or clip.first <= before:
        return "", [0] * len(scene.shown)
    calls = []
    for judged in scene.shown:
        wrong = judged.pattern.detections & ~judged.pattern.labels
        calls.append(int(np.count_nonzero(wrong[before : clip.first])))
    return operators_words.skipped(scene, before, clip.first, calls), calls


def _ticks(scene: Scene, clip: Clip, seconds: float) -> list[Tick]:
    """Return about five round moments of a clip."""
    step = next((each for each in _TICKS if seconds / each <= 6), _TICKS[-1])
    begins = moment(scene, clip.first)
    first = -(-begins // step) * step
    return [
        {"at": at - begins, "name": tick_name(scene, at, step)}
        for at in np.arange(first, begins + seconds, step).tolist()
    ]


def tick_name(scene: Scene, at: float, step: float) -> str:
    """Write a moment on the axis: the time, or the day where ticks are days apart."""
    if scene.series.clock is None:
        return format_clock(at, with_seconds=step < 60)
    day = _EPOCH + timedelta(seconds=at)
    if step >= 86400 or (step >= 21_600 and not day.hour):
        return f"{day.day} {day:%b}"
    return f"{day:%H:%M:%S}" if step < 60 else f"{day:%H:%M}"


# ---- the watcher ---------------------------------------------------------------------------------


def watched(scene: Scene, presses: Sequence[Sequence[float]]) -> ReplayWatched:
    """Score the watcher's presses as a detector that saw these clips and nothing else."""
    rows: list[int] = []
    for clip, seconds in zip(scene.clips, presses, strict=True):
        rows += _rows_pressed(scene, clip, seconds)
    you = watcher(scene, rows)
    delays = you.pattern.found.delays.tolist()
    said = [
        operators_words.noticed(
            scene, clip, None if delay < 0 else clip.start - clip.first + delay, credit
        )
        for clip, delay, credit in zip(scene.clips, delays, you.credit.tolist(), strict=True)
    ]
    seconds_watched = sum(
        float(scene.seconds(clip.first, clip.last)[-1]) + scene.step for clip in scene.clips
    )
    return {
        "presses": [list(seconds) for seconds in presses],
        "said": said,
        "row": operators_words.card_row(you, seconds_watched / 86400),
    }


def _rows_pressed(scene: Scene, clip: Clip, seconds: Sequence[float]) -> list[int]:
    """Return the newest row that was there at each press."""
    times = scene.seconds(clip.first, clip.last)
    places = np.searchsorted(times, np.asarray(seconds, dtype=np.float64), side="right")
    rows: list[int] = np.unique(clip.first + np.maximum(places - 1, 0)).tolist()
    return rows
