"""Everything a board may have to show, computed before the finger moves.

For one pattern: the result of every protocol at every step of its slider. The browser only looks up
the row under the thumb.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from padf_core import Settings
from padf_core.clock import format_clock, format_steps
from padf_core.curves import PERCENTAGES, RATES
from padf_core.evaluation import Evaluation, Pattern, evaluate_pattern, make_pattern
from padf_core.notation import format_bits
from padf_core.protocols import Protocol
from padf_core.settings import Shape, half_gone_after
from padf_ui.lanes.explain import explain, score

Row = dict[str, Any]

DECAY_STEPS: dict[Shape, tuple[float, ...]] = {
    "exponential": RATES,
    "half_life": tuple(step / 2 for step in range(1, 101)),
    "linear": tuple(float(step) for step in range(1, 101)),
    "deadline": tuple(float(step) for step in range(101)),
}
"""The steps of the decay slider for each shape."""

DECAY_SYMBOLS: dict[Shape, str] = {
    "exponential": "d",
    "half_life": "half-life",
    "linear": "span",
    "deadline": "deadline",
}


def decay_title(shape: Shape) -> str:
    """Return what the decay's parameter is called."""
    return "decay rate d" if shape == "exponential" else f"{DECAY_SYMBOLS[shape]}, in steps"


def sliders(settings: Settings, step_seconds: float | None) -> list[Row]:
    """Describe the two sliders: the decay's parameter, and K."""
    symbol = DECAY_SYMBOLS[settings.shape]
    decay_steps, k_steps = _steps(settings)
    more = "or more" if settings.inclusive else "exceeded"
    return [
        {
            "key": "decay",
            "title": decay_title(settings.shape),
            "steps": decay_steps,
            "at": decay_steps.index(settings.decay),
            "curve": "the curve: F1 of PAdf",
            "rule": "above 0 and at most 1" if symbol == "d" else "from 0.01 to 1,000,000",
            "limits": [1e-12, 1] if symbol == "d" else [0 if symbol == "deadline" else 0.01, 1e6],
            "names": [parameter_of(settings.padf_at(value)) for value in decay_steps],
            "notes": [
                half_gone_after(settings.decay_at(value), step_seconds) for value in decay_steps
            ],
        },
        {
            "key": "k",
            "title": "K, in %",
            "steps": k_steps,
            "at": k_steps.index(settings.k),
            "curve": "the curve: F1 of PA%K",
            "rule": "0, or 1 to 100",
            "limits": [0, 100],
            "names": [parameter_of(settings.pa_k_at(k)) for k in k_steps],
            "notes": [_k_note(k, more) for k in k_steps],
        },
    ]


def _steps(settings: Settings) -> tuple[list[float], list[float]]:
    """Return the steps of both sliders, with the current values among them."""
    return (
        sorted({*DECAY_STEPS[settings.shape], settings.decay}),
        sorted({*map(float, PERCENTAGES), float(settings.k)}),
    )


def _k_note(k: float, more: str) -> str:
    if k == 0:
        return "one hit is enough: this is PA"
    if k == 100:
        return "never filled up: this is point-wise"
    return f"{k:g} % of a segment {more}"


def board_rows(
    labels: object,
    detections: object,
    settings: Settings,
    step_seconds: float | None = None,
    *,
    in_words: bool = True,
) -> Row:
    """Return the pattern and, lane by lane, the row of every slider step.

    ``in_words`` adds the formulas and the sentence of each row.
    """
    pattern = make_pattern(labels, detections)
    pointwise, pa, _, _ = settings.protocols()
    decay_steps, k_steps = _steps(settings)
    k_protocols = [settings.pa_k_at(k) for k in k_steps]
    decay_protocols = [settings.padf_at(value) for value in decay_steps]
    base = evaluate_pattern(pattern, [pointwise])[0]

    def lane(slider_key: str | None, protocols: Sequence[Protocol]) -> Row:
        results = evaluate_pattern(pattern, protocols)
        made = [_row(result, base, step_seconds, in_words) for result in results]
        return _lane(protocols[0], slider_key, made)

    return {
        "labels": format_bits(pattern.labels),
        "detections": format_bits(pattern.detections),
        "times": time_names(pattern.labels.size, step_seconds),
        "axis": axis_title(step_seconds),
        "segments": _segments(pattern, step_seconds),
        "alarms": _alarms(pattern),
        "lanes": [
            lane(None, [pointwise]),
            lane(None, [pa]),
            lane("k", k_protocols),
            lane("decay", decay_protocols),
        ],
    }


def time_names(size: int, step_seconds: float | None) -> list[str]:
    """Return the name of each point on the time axis."""
    if step_seconds is None:
        return [str(index) for index in range(size)]
    return [format_clock(index * step_seconds, step_seconds < 60) for index in range(size)]


def axis_title(step_seconds: float | None) -> str:
    """Return how the names on the time axis are to be read."""
    if step_seconds is None:
        return "time, steps"
    return "time, h:mm:ss" if step_seconds < 60 else "time, h:mm"


def _alarms(pattern: Pattern) -> str:
    alarms = int(np.count_nonzero(pattern.detections))
    return f"{alarms} {'alarm' if alarms == 1 else 'alarms'}, {pattern.false_positives} false"


def _segments(pattern: Pattern, step_seconds: float | None) -> list[Row]:
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
    return f"delay {format_steps(delay, step_seconds)}" if delay else "at once"


def _lane(protocol: Protocol, slider_key: str | None, made: Sequence[Row]) -> Row:
    """Return the lane's distinct rows, and which of them each slider step shows."""
    rows: list[Row] = []
    places: list[int] = []
    for row in made:
        if not rows or rows[-1] != row:
            rows.append(row)
        places.append(len(rows) - 1)
    return {
        "key": protocol.key,
        "name": protocol.name,
        "slider": slider_key,
        "rows": rows,
        "places": places,
    }


def _row(result: Evaluation, base: Evaluation, step_seconds: float | None, in_words: bool) -> Row:
    gain = result.f1 - base.f1
    row: Row = {
        "height": round(result.f1, 5),
        "f1": score(result.f1),
        "gain": "" if result.protocol.key == base.protocol.key else f"{gain:+.3f}",
        "credit": _credits(result),
    }
    return row | vars(explain(result, step_seconds)) if in_words else row


def _credits(result: Evaluation) -> list[str | None]:
    """Return each segment's credit with two decimals; None where it keeps its detections."""
    granted = result.protocol.credit(result.pattern.found)
    return [None if np.isnan(credit) else f"{credit:.2f}" for credit in granted.tolist()]


def parameter_of(protocol: Protocol) -> str:
    """Return what stands behind the name: "d = 0.9"."""
    return protocol.label.removeprefix(protocol.name).strip(" ()")
