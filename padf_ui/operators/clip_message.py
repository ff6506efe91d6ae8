"""Data of one clip in a replay."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np

from padf_core.io.timestamps import MICROSECONDS
from padf_core.metrics.checks import FloatArray, IntArray, NumberArray
from padf_core.metrics.clock import format_clock
from padf_ui.operators import operators_words
from padf_ui.operators.scene import Clip, Judged, Scene
from padf_ui.wire.replay import ReplayClip, ReplayTrack
from padf_ui.wire.timeline import Tick

DRAWN = 2000
"""Largest number of points drawn of a signal. Cells keep their lowest and highest point."""

SAMPLES, MOST_SAMPLES = 400, 2000
"""Approximate and largest number of times in an incident for which credit is sent."""

MOST_RINGS = 500
"""Largest number of true alarms, and of false alarms, drawn in a clip."""


_TICKS = (1, 5, 10, 30, 60, 300, 600, 900, 1800, *(3600 * h for h in (1, 2, 3, 6, 12, 24, 48, 168)))
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def drawn_values(scene: Scene) -> NumberArray:
    """Return the drawn signal: the monitored value, or the first detector's score."""
    if scene.series.value is not None:
        return scene.series.value
    return scene.series.detectors[scene.pair[0]].scores


def limits_of(scene: Scene) -> tuple[float, float]:
    """Return the lowest and the highest value in all clips."""
    values = drawn_values(scene)
    parts = np.concatenate([values[clip.first : clip.last] for clip in scene.clips])
    finite = parts[np.isfinite(parts)].astype(np.float64)
    return (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)


def clip_rows(scene: Scene, place: int, low: float, high: float) -> ReplayClip:
    """Return the clip at an index of the scene, with the signal scaled from ``low`` to ``high``."""
    clip = scene.clips[place]
    times = scene.seconds(clip.first, clip.last)
    onset = float(times[clip.start - clip.first])
    over = _end(scene, times, clip.stop - clip.first)
    seconds = float(times[-1]) + scene.step
    values = drawn_values(scene)[clip.first : clip.last]
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
    """Return the time of a row in seconds since 1970, or since the first row without a clock."""
    clock = scene.series.clock
    return row * scene.step if clock is None else clock.at(row) / MICROSECONDS


def _end(scene: Scene, times: FloatArray, row: int) -> float:
    return float(times[row]) if row < times.size else float(times[-1]) + scene.step


def _line(
    shares: FloatArray, values: NumberArray, low: float, high: float
) -> tuple[list[int], list[int]]:
    """Return the points of the signal to draw: all, or the lowest and highest of each cell."""
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
    """Return the credit of an alarm at evenly spaced times of the incident, in whole percent."""
    length = clip.stop - clip.start
    count = min(MOST_SAMPLES, length * -(-SAMPLES // length))
    delays = seconds * np.arange(count + 1) / count
    return [whole_percent(worth) for worth in scene.decay.worth(delays).tolist()]


def whole_percent(worth: float) -> int:
    """Convert a credit to whole percent."""
    return round(100 * worth)


def _track(scene: Scene, judged: Judged, clip: Clip, times: FloatArray) -> ReplayTrack:
    alarms = np.flatnonzero(judged.pattern.detections[clip.first : clip.last])
    labels = judged.pattern.labels[clip.first : clip.last]
    inside, outside = alarms[labels[alarms]], alarms[~labels[alarms]]
    delay = int(inside[0]) + clip.first - clip.start if inside.size else -1
    credit = float(judged.credit[clip.number])
    return {
        "rings": times[_few(inside)].tolist(),
        "wrong": times[_few(outside)].tolist(),
        "counts": (np.searchsorted(outside, _few(outside)) + 1).tolist(),
        "noticed": float(times[inside[0]]) if inside.size else None,
        "worth": whole_percent(credit),
        "said": operators_words.noticed(scene, clip, delay, credit),
    }


def _few(places: IntArray) -> IntArray:
    """Thin out positions evenly, keeping the first one."""
    return places[:: max(1, -(-places.size // MOST_RINGS))]


def _skipped(scene: Scene, place: int) -> tuple[str, list[int]]:
    """Return a text about the part skipped before a clip, and its false calls by detector."""
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
    """Return about five round times in a clip."""
    step = next((each for each in _TICKS if seconds / each <= 6), _TICKS[-1])
    begins = moment(scene, clip.first)
    first = -(-begins // step) * step
    return [
        {"at": at - begins, "name": tick_name(scene, at, step)}
        for at in np.arange(first, begins + seconds, step).tolist()
    ]


def tick_name(scene: Scene, at: float, step: float) -> str:
    """Format a label of the time axis: a time, or a date if ticks are days apart."""
    if scene.series.clock is None:
        return format_clock(at, with_seconds=step < 60)
    day = _EPOCH + timedelta(seconds=at)
    if step >= 86400 or (step >= 21_600 and not day.hour):
        return f"{day.day} {day:%b}"
    return f"{day:%H:%M:%S}" if step < 60 else f"{day:%H:%M}"
