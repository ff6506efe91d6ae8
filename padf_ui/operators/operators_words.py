"""What the replay says, in words without jargon."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from math import isinf

import numpy as np

from padf_core import ExponentialDecay, PointAdjustDecay, evaluate
from padf_core.analysis.alerting import COST_DECAY, MONTH_DAYS, RuleOutcome, TradeMap
from padf_core.io.series import Detector
from padf_core.metrics.alerts import AlertRule
from padf_core.metrics.checks import FloatArray
from padf_core.metrics.clock import format_clock, format_duration
from padf_core.metrics.decays import LADDER, ShapedDecay
from padf_core.metrics.evaluation import evaluate_pattern
from padf_ui.components.words import listed, plural
from padf_ui.operators.scene import Clip, Judged, Scene
from padf_ui.session.replay import SETTINGS, SIGNALS
from padf_ui.session.screen_names import shown
from padf_ui.wire.limits import MOST_CLIPS
from padf_ui.wire.replay import ReplayCard, ReplayRow

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

HALF = 0.5


def about_scores(decay: PointAdjustDecay) -> str:
    """Say what both scores are made of, and why the time-aware one is not the worth itself."""
    one_late = replace(decay, decay=ExponentialDecay(HALF), measure="steps", grace=0)
    late = evaluate([1, 1], [0, 1], one_late).f1
    return (
        "Both scores weigh what was found against false calls, and run to 100. In the usual one an "
        "incident is found in full as soon as any alarm falls into it, however late; in the "
        "time-aware one as far as that alarm was still worth. Where there is no false call, alarms "
        f"worth {100 * HALF:.0f} % make {score(late)} of 100."
    )


HEADS = (
    "usual score, of 100",
    "time-aware score, of 100",
    "found",
    "typical delay",
    "worth",
    "false calls a day",
)


def title(scene: Scene) -> str:
    """Name the replay."""
    name = SETTINGS.get(scene.replay.setting) or shown(scene.series.name)
    return f"{name}, {'all incidents' if scene.is_all else clip_title(scene, scene.clips[0])}"


def signal_name(scene: Scene) -> str:
    """Name what is drawn."""
    if scene.replay.setting in SIGNALS:
        return SIGNALS[scene.replay.setting]
    if scene.series.value is not None:
        return shown(scene.series.value_name or "signal")
    return f"score of {scene.shown[0].name}"


def clip_title(scene: Scene, clip: Clip) -> str:
    """Name an incident by its number and its day."""
    count = len(scene.series.segments)
    return f"incident {clip.number + 1} of {count}"


def when(scene: Scene, row: int) -> str:
    """Write the time of a row, as a watcher reads it off the clock."""
    clock = scene.series.clock
    if clock is None:
        return format_clock(row * scene.step, with_seconds=scene.step < 60)
    moment = _EPOCH + timedelta(microseconds=clock.at(row))
    return f"{moment:%H:%M:%S}" if clock.step_seconds < 60 else f"{moment:%H:%M}"


def rule(made: AlertRule, step: float, detector: Detector) -> str:
    """Say when a rule rings."""
    if isinf(made.threshold) and made.threshold > 0:
        return "no threshold keeps the budget: it never rings"
    told = "rings"
    if not detector.is_binary:
        reaches = "falls to" if detector.is_inverted else "reaches"
        told = f"rings when its score {reaches} {detector.in_file(made.threshold):.4g}"
    if made.wait > 1:
        told += f", after {points_text(made.wait, step)} in a row"
    if made.cooldown:
        told += f", then keeps quiet for {points_text(made.cooldown, step)}"
    return told


def points_text(points: int, step: float) -> str:
    """Write points as time: "3 points (15 min)"."""
    return f"{points} {plural(points, 'point', 'points')} ({format_duration(points * step)})"


def noticed(scene: Scene, clip: Clip, row: int | None, credit: float) -> str:
    """Say how late the first alarm was and what it was worth; ``row`` counts from the clip's."""
    if row is None:
        lasted = format_duration(_seconds(scene, clip.start, clip.stop))
        return f"missed: {lasted} without an alarm, worth 0 %"
    delay = _seconds(scene, clip.start, clip.first + row)
    said = f"{format_duration(delay)} late" if delay else "at once"
    return f"alarm at {when(scene, clip.first + row)}, {said}, worth {round(100 * credit)} %"


def _seconds(scene: Scene, first: int, last: int) -> float:
    clock = scene.series.clock
    return (last - first) * scene.step if clock is None else clock.seconds_between(first, last)


def skipped(scene: Scene, first: int, last: int, calls: Sequence[int]) -> str:
    """Say what lies between two clips."""
    time = format_duration(_seconds(scene, first, last))
    rung = [
        f"{count} false {plural(count, 'call', 'calls')} of {each.name}"
        for each, count in zip(scene.shown, calls, strict=True)
        if count
    ]
    return f"{time} later: {listed(rung) if rung else 'no false call'} meanwhile"


def calls_a_day(calls: float) -> str:
    """Write false calls a day."""
    if not calls:
        return "0"
    return f"{calls:.2f}" if calls < 10 else f"{calls:.0f}"


# ---- the card at the end -------------------------------------------------------------------------


def card(scene: Scene) -> ReplayCard:
    """Return what there is to say when all is over."""
    count = len(scene.series.segments)
    lines = []
    if not scene.is_all:
        clip = scene.clips[0]
        for judged in scene.shown:
            delay = int(judged.pattern.found.delays[clip.number])
            row = None if delay < 0 else clip.start - clip.first + delay
            told = noticed(scene, clip, row, float(judged.credit[clip.number]))
            lines.append(f"{judged.name}: {told}.")
    elif count > MOST_CLIPS:
        lines.append(f"The first {MOST_CLIPS} of {count} incidents were shown.")
    lines += [line for judged in scene.shown if (line := earlier(scene, judged))]
    days = format_duration(86400 * scene.days)
    over = f"all {count} incidents in {days}" if count > 1 else f"the incident in {days}"
    first = scene.shown[0]
    return {
        "title": (
            f"For {over} the usual score gives {first.name} {score(first.usual.f1)} of 100. The "
            f"time-aware score gives {score(first.aware.f1)}."
        ),
        "lines": lines,
        "heads": list(HEADS),
        "rows": [card_row(judged, scene.days) for judged in scene.shown],
        "notes": [f"Here {scene.need.text}. {about_scores(scene.decay)}"],
        "each": [_incident_row(scene, clip) for clip in scene.clips] if scene.is_all else [],
    }


def _incident_row(scene: Scene, clip: Clip) -> ReplayRow:
    """Return how late each detector was in an incident, and what that was worth."""
    cells = []
    for judged in scene.shown:
        if judged.pattern.found.delays[clip.number] < 0:
            cells.append("missed, 0 %")
            continue
        seconds = float(judged.pattern.found.late("clock")[clip.number])
        late = f"{format_duration(seconds)} late" if seconds else "at once"
        cells.append(f"{late}, {round(100 * float(judged.credit[clip.number]))} %")
    return {"name": f"incident {clip.number + 1}, {when(scene, clip.start)}", "cells": cells}


def card_row(judged: Judged, days: float) -> ReplayRow:
    """Return a line of the table: who, and how it went."""
    outcome = judged.outcome
    late_seconds = np.asarray(judged.pattern.found.late("clock"), dtype=np.float64)
    found = late_seconds[judged.pattern.found.detected]
    return {
        "name": judged.name,
        "cells": [
            score(judged.usual.f1),
            score(judged.aware.f1),
            f"{outcome.found} of {outcome.incidents}",
            typical(found),
            f"{100 * outcome.worth:.0f} %",
            calls_a_day(outcome.per_day(days)),
        ],
    }


def typical(delays: FloatArray) -> str:
    """Write the delay that half of the found incidents do not exceed."""
    if not delays.size:
        return "none"
    middle = float(np.median(delays))
    return format_duration(middle) if middle else "at once"


def score(f1: float) -> str:
    """Write a score out of 100."""
    return f"{100 * f1:.1f}".removesuffix(".0")


def earlier(scene: Scene, judged: Judged) -> str:
    """Say what an earlier alarm would have been worth in what is replayed; nothing at once.

    Earlier is by about half of the time in which half of the worth is gone: five minutes of ten.
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


# ---- the trade and its cost ----------------------------------------------------------------------


def trade(scene: Scene, made: TradeMap) -> list[str]:
    """Say which rule is the best within the budget, and what waiting buys on these data."""
    budget = scene.replay.budget
    within = f"Within {budget:g} false {'call' if budget == 1 else 'calls'} a day"
    if made.best is None:
        return [f"{within} {scene.shown[0].name} can never ring."]
    best = made.best
    detector = scene.detector(scene.shown[0])
    said = (
        f"{within} the best rule of {scene.shown[0].name}, over all thresholds and the waits "
        f"below, {rule(best.rule, scene.step, detector)}: worth {100 * best.worth:.0f} %, "
        f"{calls_a_day(best.per_day(scene.days))} false calls a day."
    )
    bought = what_waiting_buys(scene, made)
    if bought is None:
        return [said, "Waiting brings no other threshold of the map into the budget."]
    at_once, waited = bought
    return [
        said,
        f"Waiting trades false calls for delay. With a threshold of "
        f"{detector.in_file(at_once.rule.threshold):.4g}, too low for the budget without a wait, "
        f"it would ring for nothing {calls_a_day(at_once.per_day(scene.days))} times a day at "
        f"once, and {calls_a_day(waited.per_day(scene.days))} times after "
        f"{points_text(waited.rule.wait, scene.step)} in a row; the worth goes from "
        f"{100 * at_once.worth:.0f} % to {100 * waited.worth:.0f} %.",
    ]


def what_waiting_buys(scene: Scene, made: TradeMap) -> tuple[RuleOutcome, RuleOutcome] | None:
    """Return the rule that earns most of those that only waiting brings into the budget.

    With it the same threshold without a wait.
    """
    most = scene.replay.budget * scene.days
    pairs = [
        (at_once, waited)
        for at_once, *longer in zip(*made.cells, strict=True)
        if at_once.false_calls > most
        for waited in longer
        if waited.false_calls <= most
    ]
    return max(pairs, key=lambda pair: pair[1].worth, default=None)


def costs(scene: Scene, made: TradeMap, given: tuple[float, float]) -> list[str]:
    """Say which rule is the cheapest on the map, and which decay such a cost is."""
    cells = [cell for cells in made.cells for cell in cells]
    cheapest = min(cells, key=lambda cell: cell.cost(scene.days, *given))
    first = scene.shown[0]
    (saved,) = evaluate_pattern(first.pattern, [COST_DECAY])
    return [
        f"The cheapest rule of {first.name} on the map "
        f"{rule(cheapest.rule, scene.step, scene.detector(first))}, for "
        f"{cheapest.cost(scene.days, *given):,.2f} a month; the rule that is replayed costs "
        f"{first.outcome.cost(scene.days, *given):,.2f}. A month has {MONTH_DAYS} days like these "
        f"{format_duration(86400 * scene.days)}; an incident that is missed goes unnoticed to its "
        "end.",
        "With a cost per minute an alarm's worth falls evenly, from all at the beginning of an "
        "incident to nothing at its end, and long incidents weigh more: noticed half way through, "
        f"half of the cost is saved. By that {first.name} saves {100 * saved.recall:.0f} % of what "
        "its incidents would have cost if nobody had looked.",
    ]
