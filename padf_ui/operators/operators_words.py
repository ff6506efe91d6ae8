"""Texts of a replay in everyday language: names, times, alarms and rules."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from math import isinf

from padf_core.io.series import Detector
from padf_core.metrics.alerts import AlertRule
from padf_core.metrics.clock import format_clock, format_duration
from padf_ui.components.words import listed, plural
from padf_ui.operators.scene import Clip, Scene
from padf_ui.session.replay import SETTINGS, SIGNALS
from padf_ui.session.screen_names import shown

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def title(scene: Scene) -> str:
    """Return the title of the replay."""
    name = SETTINGS.get(scene.replay.setting) or shown(scene.series.name)
    return f"{name}, {'all incidents' if scene.is_all else clip_title(scene, scene.clips[0])}"


def signal_name(scene: Scene) -> str:
    """Return the name of the drawn signal."""
    if scene.replay.setting in SIGNALS:
        return SIGNALS[scene.replay.setting]
    if scene.series.value is not None:
        return shown(scene.series.value_name or "signal")
    return f"score of {scene.shown[0].name}"


def clip_title(scene: Scene, clip: Clip) -> str:
    """Return the title of an incident: its number and the number of incidents."""
    count = len(scene.series.segments)
    return f"incident {clip.number + 1} of {count}"


def when(scene: Scene, row: int) -> str:
    """Format the time of a row, as on a clock."""
    clock = scene.series.clock
    if clock is None:
        return format_clock(row * scene.step, with_seconds=scene.step < 60)
    moment = _EPOCH + timedelta(microseconds=clock.at(row))
    return f"{moment:%H:%M:%S}" if clock.step_seconds < 60 else f"{moment:%H:%M}"


def rule(made: AlertRule, step: float, detector: Detector) -> str:
    """Describe when a rule raises an alert."""
    if isinf(made.threshold) and made.threshold > 0:
        return "no threshold meets the budget, so it never raises an alert"
    text = "raises an alert"
    if not detector.is_binary:
        reaches = "falls to" if detector.is_inverted else "reaches"
        text = f"raises an alert when its score {reaches} {detector.in_file(made.threshold):.4g}"
    if made.wait > 1:
        text += f", after {points_text(made.wait, step)} in a row"
    if made.cooldown:
        text += f", then stays silent for {points_text(made.cooldown, step)}"
    return text


def points_text(points: int, step: float) -> str:
    """Format a number of points with their duration: "3 points (15 min)"."""
    return f"{points} {plural(points, 'point', 'points')} ({format_duration(points * step)})"


def noticed(scene: Scene, clip: Clip, delay: int, credit: float) -> str:
    """Describe the delay and the credit of the first alarm. ``delay`` is in points, or -1."""
    if delay < 0:
        lasted = format_duration(_seconds(scene, clip.start, clip.stop))
        return f"missed: {lasted} without an alarm, worth 0 %"
    row = clip.start + delay
    late = late_text(_seconds(scene, clip.start, row))
    return f"alarm at {when(scene, row)}, {late}, worth {round(100 * credit)} %"


def late_text(seconds: float) -> str:
    """Format a delay: "5 min late"."""
    return f"{format_duration(seconds)} late" if seconds else "no delay"


def _seconds(scene: Scene, first: int, last: int) -> float:
    clock = scene.series.clock
    return (last - first) * scene.step if clock is None else clock.seconds_between(first, last)


def skipped(scene: Scene, first: int, last: int, calls: Sequence[int]) -> str:
    """Describe what was skipped between two clips."""
    time = format_duration(_seconds(scene, first, last))
    rung = [
        f"{count} false {plural(count, 'call', 'calls')} of {each.name}"
        for each, count in zip(scene.shown, calls, strict=True)
        if count
    ]
    return f"{time} later: {listed(rung) if rung else 'no false call'} meanwhile"


def calls_a_day(calls: float) -> str:
    """Format a number of false calls per day."""
    if not calls:
        return "0"
    return f"{calls:.2f}" if calls < 10 else f"{calls:.0f}"
