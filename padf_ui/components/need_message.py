"""A need as a sentence with draggable numbers, and all texts at every step of the numbers.

Stretching time does not change the shape of a decay. The browser therefore gets one curve per
share, over the delay in units of the need's seconds, and scales it to the current numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from padf_core import DECAYS, PointAdjustDecay
from padf_core.analysis.choosing import Need, NeedKind, format_pace
from padf_core.metrics.checks import FloatArray
from padf_core.metrics.clock import format_duration
from padf_core.metrics.decays import LADDER, ShapedDecay, d_text
from padf_ui.components.lanes import pack
from padf_ui.server.cache import SMALL
from padf_ui.wire.need import NeedAxis, NeedData, NeedNumber, NeedSlot

PERCENTS: tuple[float, ...] = (1, 2, 3, 5, 7, *range(10, 95, 5), 95, 97, 98, 99)
"""Steps of a share, in percent."""

FARTHEST = 3000.0
"""Largest delay of a curve, in units of the need's seconds."""

DELAYS: FloatArray = np.unique(
    np.concatenate((np.linspace(0, 4, 81), np.geomspace(4, FARTHEST, 60), [np.nextafter(1.0, 2.0)]))
)
"""Delays at which a curve is computed, in units of the need's seconds.

The point just after 1 shows the drop at a deadline.
"""

_STEPS: tuple[float, ...] = (
    *(1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3),
    *(0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800),
    *(3600, 2 * 3600, 4 * 3600, 12 * 3600),
    *(86400 * d for d in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5)),
)
"""Distances between labels of an axis, in seconds."""
_NAMES = 5

Moved = Literal["seconds", "share", "grace"]


@dataclass(frozen=True)
class Blank:
    """A number in a sentence, described independently of its steps."""

    number: Literal["seconds", "share", "grace", "pace"]
    title: str

    @property
    def moves(self) -> Moved:
        return "seconds" if self.number == "pace" else self.number


_GRACE = (", and the first ", Blank("grace", "time without loss"), " cost nothing.")
SENTENCES: dict[NeedKind, tuple[str | Blank, ...]] = {
    "worth": (
        "An alarm after ",
        Blank("seconds", "delay of the alarm"),
        " is still worth ",
        Blank("share", "worth of the alarm"),
        *_GRACE,
    ),
    "half_life": (
        "An alarm is worth half after ",
        Blank("seconds", "half-life"),
        *_GRACE,
    ),
    "loss": (
        "An alarm loses ",
        Blank("pace", "loss"),
        " of its worth: it is worth nothing after ",
        Blank("seconds", "time until nothing is left"),
        *_GRACE,
    ),
    "deadline": (
        "An alarm within ",
        Blank("seconds", "deadline"),
        " is worth everything, a later one nothing",
        *_GRACE,
    ),
}


def decay_of(need: Need) -> ShapedDecay:
    """Return the decay of a need, in seconds."""
    values = need.values
    return DECAYS[str(values["shape"])].of(values)


def rate_per_step(decay: ShapedDecay, step: float | None) -> float | None:
    """Return the d of a clock-time decay for steps of this length, or None if it has no d."""
    return None if decay.rate is None or step is None else float(decay.rate**step)


def decay_sentence(need: Need, step: float | None, *, in_words: bool = False) -> str:
    """Describe the decay of a need: its formula, its d for the given step, and what it means.

    With ``in_words``, leave out the formula and d.
    """
    decay = decay_of(need)
    if in_words:
        return f"In other words: {decay.note_in('clock', None)}."
    rate = rate_per_step(decay, step)
    per_step = ""
    if rate is not None and step is not None:
        per_step = f", {d_text(rate)} for each step of {format_duration(step)}"
    return f"{decay.formula_in('clock')}{per_step}. In other words: {decay.note_in('clock', None)}."


def begins(grace: float) -> str:
    """Describe how a grace shifts the times of a need."""
    if not grace:
        return "Times are measured from the onset."
    return f"Decay begins {format_duration(grace)} after the onset. Times are measured from there."


def slots_of(need: Need) -> dict[Blank, str]:
    """Return the text of each number in a need's sentence."""
    return {part: _text(part, need) for part in SENTENCES[need.kind] if isinstance(part, Blank)}


def need_rows(
    need: Need, step: float | None, session: str, answered: int, *, in_words: bool = False
) -> NeedData:
    """Return everything the sentence may display while its numbers are dragged."""
    rows = SMALL.recall(("need", need, step, in_words), lambda: _rows(need, step, in_words))
    return {**rows, "session": session, "answered": answered}


def _rows(need: Need, step: float | None, in_words: bool) -> NeedData:
    parts = SENTENCES[need.kind]
    seconds, graces = _with(LADDER, need.seconds), _with((0.0, *LADDER), need.grace)
    shares = (
        _with([p / 100 for p in PERCENTS], need.share) if need.kind == "worth" else [need.share]
    )
    steps: dict[Moved, list[float]] = {"seconds": seconds, "share": shares, "grace": graces}
    slots = [part for part in parts if isinstance(part, Blank)]
    curves = [decay_of(need.moved(seconds=1.0, share=share))(DELAYS) for share in shares]
    credit = [np.rint(1000 * curve).astype(int).tolist() for curve in curves]
    look = PointAdjustDecay.look
    return {
        "session": "",
        "answered": 0,
        "numbers": [
            _number(key, steps[key], getattr(need, key))
            for key in dict.fromkeys(slot.moves for slot in slots)
        ],
        "parts": _around(parts),
        "slots": [_slot(slot, need, steps[slot.moves]) for slot in slots],
        "said": pack(
            [
                decay_sentence(need.moved(seconds=time, share=share), step, in_words=in_words)
                for time in seconds
                for share in shares
            ]
        ),
        "begins": [begins(grace) for grace in graces],
        "delays": DELAYS.tolist(),
        "credit": credit,
        "stars": [row[DELAYS.tolist().index(1.0)] for row in credit],
        "reaches": [_reach(need.moved(seconds=1.0, share=share)) for share in shares],
        "axes": _axes(min(seconds[0], max(need.grace, seconds[0])), seconds[-1] + graces[-1]),
        "axis": "delay of the first alarm",
        "colours": [look.light, look.dark],
    }


def _reach(need: Need) -> float:
    """Return the half-life if the decay has a rate, otherwise the need's seconds."""
    decay = decay_of(need)
    return need.seconds if decay.rate is None else decay.half_life


def _with(steps: Sequence[float], value: float) -> list[float]:
    """Return the sorted steps of a number, including the current value."""
    return sorted({*map(float, steps), value})


def _number(key: Moved, steps: list[float], value: float) -> NeedNumber:
    return {"key": key, "steps": steps, "at": steps.index(value)}


def _slot(slot: Blank, need: Need, steps: Sequence[float]) -> NeedSlot:
    return {
        "number": slot.number,
        "moves": slot.moves,
        "title": slot.title,
        "texts": [_text(slot, need.moved(**{slot.moves: step})) for step in steps],
        "turned": slot.number == "pace",
    }


def _text(slot: Blank, need: Need) -> str:
    if slot.number == "share":
        return f"{100 * need.share:.4g} %"
    if slot.number == "pace":
        return format_pace(need.seconds)
    return format_duration(getattr(need, slot.number))


def _around(parts: Sequence[str | Blank]) -> list[str]:
    """Return the wording around the slots."""
    around = [""]
    for part in parts:
        if isinstance(part, str):
            around[-1] += part
        else:
            around.append("")
    return around


def _axes(shortest: float, longest: float) -> list[NeedAxis]:
    """Return the time axes between a shortest and a longest range."""
    return [
        {
            "last": _NAMES * step,
            "ticks": [
                {"at": at * step, "name": format_duration(at * step) if at else "0"}
                for at in range(_NAMES + 1)
            ],
        }
        for step in _STEPS
        if shortest / 2 <= _NAMES * step <= 5 * longest
    ]
