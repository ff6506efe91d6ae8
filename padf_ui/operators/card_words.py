"""Text and table of the card at the end of a replay."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from padf_core import ExponentialDecay, PointAdjustDecay, evaluate
from padf_core.metrics.checks import FloatArray
from padf_core.metrics.clock import format_duration
from padf_core.metrics.decays import LADDER, ShapedDecay
from padf_ui.operators.operators_words import calls_a_day, late_text, noticed, when
from padf_ui.operators.scene import Clip, Judged, Scene
from padf_ui.wire.limits import MOST_CLIPS
from padf_ui.wire.replay import ReplayCard, ReplayRow

HALF = 0.5


def about_scores(decay: PointAdjustDecay) -> str:
    """Explain both scores, and why the time-aware score differs from the credit."""
    one_late = replace(decay, decay=ExponentialDecay(HALF), measure="steps", grace=0)
    late = evaluate([1, 1], [0, 1], one_late).f1
    return (
        "Both scores weigh detected incidents against false calls, on a scale from 0 to 100. In "
        "the usual score, any alarm inside an incident counts in full, however late. In the "
        "time-aware score, it counts for what it was still worth. Without false calls, alarms "
        f"worth {100 * HALF:.0f} % make {points_of_100(late)} of 100."
    )


HEADS = (
    "usual score, of 100",
    "time-aware score, of 100",
    "found",
    "typical delay",
    "worth",
    "false calls per day",
)


def card(scene: Scene) -> ReplayCard:
    """Return the contents of the end card."""
    count = len(scene.series.segments)
    lines = []
    if not scene.is_all:
        clip = scene.clips[0]
        for judged in scene.shown:
            delay = int(judged.pattern.found.delays[clip.number])
            alarm = noticed(scene, clip, delay, float(judged.credit[clip.number]))
            lines.append(f"{judged.name}: {alarm}.")
    elif count > MOST_CLIPS:
        lines.append(f"The first {MOST_CLIPS} of {count} incidents were shown.")
    lines += [line for judged in scene.shown if (line := earlier(scene, judged))]
    days = format_duration(86400 * scene.days)
    over = f"all {count} incidents in {days}" if count > 1 else f"the incident in {days}"
    first = scene.shown[0]
    return {
        "title": (
            f"For {over} the usual score gives {first.name} "
            f"{points_of_100(first.usual.f1)} of 100. "
            f"The time-aware score gives {points_of_100(first.aware.f1)}."
        ),
        "lines": lines,
        "heads": list(HEADS),
        "rows": [card_row(judged, scene.days) for judged in scene.shown],
        "notes": [f"Here {scene.need.text}. {about_scores(scene.decay)}"],
        "each": [_incident_row(scene, clip) for clip in scene.clips] if scene.is_all else [],
    }


def _incident_row(scene: Scene, clip: Clip) -> ReplayRow:
    """Return the delay and the credit of each detector in one incident."""
    cells = []
    for judged in scene.shown:
        if judged.pattern.found.delays[clip.number] < 0:
            cells.append("missed, 0 %")
            continue
        seconds = float(judged.pattern.found.late("clock")[clip.number])
        cells.append(f"{late_text(seconds)}, {round(100 * float(judged.credit[clip.number]))} %")
    return {"name": f"incident {clip.number + 1}, {when(scene, clip.start)}", "cells": cells}


def card_row(judged: Judged, days: float) -> ReplayRow:
    """Return a detector's row of the table."""
    outcome = judged.outcome
    late_seconds = np.asarray(judged.pattern.found.late("clock"), dtype=np.float64)
    found = late_seconds[judged.pattern.found.detected]
    return {
        "name": judged.name,
        "cells": [
            points_of_100(judged.usual.f1),
            points_of_100(judged.aware.f1),
            f"{outcome.found} of {outcome.incidents}",
            typical(found),
            f"{100 * outcome.worth:.0f} %",
            calls_a_day(outcome.per_day(days)),
        ],
    }


def typical(delays: FloatArray) -> str:
    """Format the median delay of the detected incidents."""
    if not delays.size:
        return "none"
    middle = float(np.median(delays))
    return format_duration(middle) if middle else "no delay"


def points_of_100(f1: float) -> str:
    """Format a score out of 100."""
    return f"{100 * f1:.1f}".removesuffix(".0")


def earlier(scene: Scene, judged: Judged) -> str:
    """Say what earlier alarms would have been worth. Return "" if no alarm could be earlier.

    The amount is at most half of the half-life, rounded down to a step: five minutes of ten.
    """
    decay = scene.decay
    assert isinstance(decay.decay, ShapedDecay)
    half = decay.decay.half_life
    amount = max((each for each in LADDER if each <= half / 2), default=LADDER[0])
    numbers = [clip.number for clip in scene.clips]
    found = judged.pattern.found
    delays = np.asarray(found.late("clock"), dtype=np.float64)[numbers]
    detected = found.detected[numbers]
    if not (delays[detected] > 0).any():
        return ""
    now = np.where(detected, decay.worth(delays), 0.0).mean()
    then = np.where(detected, decay.worth(np.maximum(delays - amount, 0.0)), 0.0).mean()
    each = "" if len(numbers) == 1 else " on average"
    return (
        f"{format_duration(amount)} earlier, {judged.name} would have been worth "
        f"{100 * then:.0f} % instead of {100 * now:.0f} %{each}."
    )
