"""Everything a board may display, computed in advance so that the browser only looks it up."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from padf_core import Settings, f1_over_shift
from padf_core.io.notation import format_bits
from padf_core.metrics.clock import format_clock, format_steps
from padf_core.metrics.evaluation import Evaluation, Pattern, make_pattern
from padf_core.metrics.protocols import Protocol
from padf_core.metrics.rows import Rows
from padf_core.metrics.segments import SegmentHits
from padf_core.metrics.timing import ASSUMED_STEP, Timing
from padf_ui.components.lanes import (
    BASE,
    all_thousandths,
    hundredths,
    lane_rows,
    pack,
    pack_numbers,
    segment_credit,
    steps_of,
)
from padf_ui.components.words import (
    FORMULA,
    NOTHING,
    PRECISION,
    RECALL,
    Numbers,
    fill,
    numbers_of,
    plural,
    why_of,
)
from padf_ui.wire.board import BoardRows, BoardSegment
from padf_ui.wire.lanes import Lane, Shifts, Texts

SHIFT_REACH = 60


def board_rows(
    labels: npt.ArrayLike,
    detections: npt.ArrayLike,
    settings: Settings,
    step_seconds: float | None = None,
    *,
    in_words: bool = True,
    lanes: Sequence[str] | None = None,
    worth: bool = False,
    shifts: bool = False,
) -> BoardRows:
    """Return the pattern and, for each lane, a row for every slider step.

    ``in_words`` adds the formulas and an explanation to each row. ``lanes`` are the keys of the
    protocols to show. ``worth`` adds the decay curve. ``shifts`` adds F1 when all alarms are
    shifted.
    """
    timing = Timing(step_seconds or ASSUMED_STEP)
    pattern = make_pattern(labels, detections, Rows(timing=timing))
    (base,) = steps_of(settings, BASE).evaluate(pattern)
    shown = [p for p in settings.protocols() if lanes is None or p.key in lanes]
    made: BoardRows = {
        "labels": format_bits(pattern.labels),
        "detections": format_bits(pattern.detections),
        "times": time_names(pattern.labels.size, step_seconds) if step_seconds else [],
        "axis": axis_title(step_seconds),
        "segments": _segments(pattern, step_seconds),
        "alarms": _alarms(pattern),
        "lanes": [
            _lane(pattern, settings, protocol, base, step_seconds, in_words) for protocol in shown
        ],
    }
    if worth:
        for lane in made["lanes"]:
            if lane["arrows"]:
                lane["worth"] = _worth(settings, lane["key"], pattern)
    if shifts:
        made["shifts"] = _shifts(pattern, shown)
    return made


def _worth(settings: Settings, key: str, pattern: Pattern) -> list[list[int]]:
    """Return the credit of an alarm after 0, 1, 2, ... steps, at every slider step."""
    longest = int(pattern.found.lengths.max(initial=1))
    delays = np.arange(longest)
    # One segment per delay: each has a single hit, one step later than in the segment before.
    late = SegmentHits(
        lengths=np.full(longest, longest),
        hits=np.ones(longest, dtype=np.int64),
        delays=delays,
        places=delays * longest + delays,
        timing=pattern.rows.timing,
    )
    return [
        hundredths(segment_credit(protocol, late)) for protocol in steps_of(settings, key).protocols
    ]


def _shifts(pattern: Pattern, protocols: Sequence[Protocol]) -> Shifts:
    """Return F1 when all alarms are shifted across the board."""
    reach = min(pattern.labels.size - 1, SHIFT_REACH)
    moved = range(-reach, reach + 1)
    step = pattern.rows.timing.step
    curves = f1_over_shift(pattern.labels, pattern.detections, protocols, moved, times=step)
    return {
        "reach": reach,
        "f1": {
            protocol.key: all_thousandths(curve.f1)
            for protocol, curve in zip(protocols, curves, strict=True)
        },
    }


def _lane(
    pattern: Pattern,
    settings: Settings,
    protocol: Protocol,
    base: Evaluation,
    step_seconds: float | None,
    in_words: bool,
) -> Lane:
    steps = steps_of(settings, protocol.key)
    results = steps.evaluate(pattern)
    is_base = protocol.key == base.protocol.key
    why = [why_of(result, step_seconds) for result in results] if in_words else None
    rows, firsts = lane_rows(
        [result.f1 for result in results],
        None if is_base else [base.f1] * len(results),
        np.array([result.granted for result in results]),
        protocol.grants == "point",
        details=why,
    )
    made: Lane = {
        "key": protocol.key,
        "name": protocol.name,
        "slider": steps.slider,
        "arrows": protocol.minds_delay,
        "colours": [protocol.look.light, protocol.look.dark],
        "places": rows["places"],
        "f1": rows["f1"],
        "gain": rows["gain"],
        "credit": rows["credit"],
    }
    if why is not None:
        numbers = [numbers_of(results[at]) for at in firsts]
        made["precision"] = pack_numbers(PRECISION, [each.precision for each in numbers])
        made["recall"] = pack_numbers(RECALL, [each.recall for each in numbers])
        made["formula"] = _formulas(numbers)
        made["why"] = pack([why[at] for at in firsts])
    return made


def _formulas(numbers: Sequence[Numbers]) -> Texts:
    if all(each.formula for each in numbers):
        return pack_numbers(FORMULA, [each.formula for each in numbers])
    return pack([fill(FORMULA, each.formula) if each.formula else NOTHING for each in numbers])


def time_names(size: int, step_seconds: float | None) -> list[str]:
    """Return the name of each point on the time axis."""
    if step_seconds is None:
        return [str(index) for index in range(size)]
    return [format_clock(index * step_seconds, step_seconds < 60) for index in range(size)]


def axis_title(step_seconds: float | None) -> str:
    """Return the title of the time axis, with the unit."""
    if step_seconds is None:
        return "time, steps"
    return "time, h:mm:ss" if step_seconds < 60 else "time, h:mm"


def _alarms(pattern: Pattern) -> str:
    alarms = pattern.hits + pattern.false_positives
    return f"{alarms} {plural(alarms, 'alarm', 'alarms')}, {pattern.false_positives} false"


def _segments(pattern: Pattern, step_seconds: float | None) -> list[BoardSegment]:
    return [
        {
            "start": start,
            "stop": stop,
            "delay": delay,
            "late": "missed" if delay < 0 else _delay(delay, step_seconds),
        }
        for (start, stop), delay in zip(
            pattern.segments, pattern.found.delays.tolist(), strict=True
        )
    ]


def _delay(delay: int, step_seconds: float | None) -> str:
    if step_seconds is None:
        return f"delay {delay}"
    return f"delay {format_steps(delay, step_seconds)}" if delay else "no delay"
