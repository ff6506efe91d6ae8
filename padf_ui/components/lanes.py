"""Lane contents at every slider step, computed before the user drags.

The browser only looks up the row of the current step.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from padf_core import Settings
from padf_core.metrics.checks import FloatArray
from padf_core.metrics.evaluation import Evaluation, Pattern, evaluate_over, evaluate_pattern
from padf_core.metrics.parameters import Number
from padf_core.metrics.protocols import Protocol
from padf_core.metrics.segments import SegmentHits
from padf_core.metrics.timing import ASSUMED_STEP
from padf_ui.wire.lanes import Credit, LaneRows, Slider, Texts

_NUMBER = re.compile(r"(\d+(?:\.\d+)?)")
KEEPS = -1
BASE = "pointwise"
"""Protocol that gains are measured against."""


def pack(texts: Sequence[str]) -> Texts:
    """Split texts into wording, stored once, and numbers that differ.

    >>> pack(["7 at d = 0.8", "7 at d = 0.9"])
    {'parts': [['7 at d = ', '']], 'rows': [[0, '0.8'], [0, '0.9']]}
    """
    alike: dict[tuple[str, ...], list[int]] = {}
    split = [_NUMBER.split(text) for text in texts]
    for at, pieces in enumerate(split):
        alike.setdefault(tuple(pieces[0::2]), []).append(at)
    rows: list[list[str | int]] = [[] for _ in texts]
    parts: list[list[str]] = []
    for place, (around, members) in enumerate(alike.items()):
        made = pack_numbers(around, [split[at][1::2] for at in members])
        parts += made["parts"]
        for at, (_, *own) in zip(members, made["rows"], strict=True):
            rows[at] = [place, *own]
    return {"parts": parts, "rows": rows}


def pack_numbers(parts: Sequence[str], numbers: Sequence[Sequence[str]]) -> Texts:
    """Pack texts with the same wording. Numbers that never differ become part of the wording."""
    around = [parts[0]]
    varying = []
    for column, text in zip(zip(*numbers, strict=True), parts[1:], strict=True):
        if len(set(column)) > 1:
            varying.append(column)
            around.append(text)
        else:
            around[-1] += column[0] + text
    rows = zip(*varying, strict=True) if varying else ((),) * len(numbers)
    return {"parts": [around], "rows": [[0, *row] for row in rows]}


def thousandths(score: float) -> int:
    """Return a score in thousandths, rounded like the score's text."""
    return round(float(f"{score:.3f}") * 1000)


def all_thousandths(scores: npt.ArrayLike) -> list[int]:
    """Return scores in thousandths.

    >>> all_thousandths([0.0625, 2 / 3, -0.0004])
    [62, 667, 0]
    """
    return _rounded(np.asarray(scores, dtype=np.float64), 3)


def hundredths(credit: FloatArray) -> list[Any]:
    """Return credits in hundredths, rounded like their texts.

    >>> hundredths(np.array([0.125, 0.135, 0.9999, np.nan]))
    [12, 14, 100, -1]
    """
    return _rounded(credit, 2)


def _rounded(values: FloatArray, digits: int) -> list[Any]:
    """Round like text formatting. Only values close to a half need to be formatted."""
    scale = 10**digits
    scaled = values * scale
    made = np.where(np.isnan(values), KEEPS, np.rint(scaled)).astype(np.int64)
    is_half = np.abs(scaled - np.floor(scaled) - 0.5) < 1e-9
    made[is_half] = [round(float(f"{v:.{digits}f}") * scale) for v in values[is_half].tolist()]
    whole: list[Any] = made.tolist()
    return whole


@dataclass(frozen=True)
class Steps:
    """A protocol at every step of its slider. It has one step if there is no slider."""

    number: Number | None
    values: tuple[float, ...]
    protocols: tuple[Protocol, ...]

    @property
    def slider(self) -> str | None:
        """The key of the slider, or None."""
        return self.number.key if self.number else None

    def evaluate(self, pattern: Pattern) -> list[Evaluation]:
        """Evaluate a pattern at every step."""
        if self.number is None:
            return evaluate_pattern(pattern, self.protocols)
        return evaluate_over(pattern, self.protocols, self.number.key, self.values)


@lru_cache(maxsize=200)
def steps_of(settings: Settings, key: str) -> Steps:
    """Return a protocol at every step of its slider, including the current value."""
    number = settings.number(key)
    if number is None:
        return Steps(None, (), (settings.protocol(key),))
    values = tuple(number.steps_with(settings[number.key]))
    return Steps(number, values, tuple(settings.at(key, values)))


def delay_first(settings: Settings) -> dict[str, Number]:
    """Return the numbers of the shown protocols, with the decay's first."""
    return dict(
        sorted(
            settings.numbers().items(), key=lambda each: not settings.protocol(each[0]).minds_delay
        )
    )


@lru_cache(maxsize=200)
def sliders_of(settings: Settings, step_seconds: float | None) -> list[Slider]:
    """Describe the sliders of the shown protocols, with the decay's first.

    If decay is measured in clock time and the steps have no length, notes assume `ASSUMED_STEP`.
    """
    if settings["measure"] == "clock":
        step_seconds = step_seconds or ASSUMED_STEP
    return [
        {
            "key": number.key,
            "title": number.title,
            "steps": list(steps.values),
            "at": steps.values.index(settings[number.key]),
            "lane": key,
            "rule": number.rule,
            "limits": list(number.limits),
            "gaps": [list(gap) for gap in number.gaps],
            "names": pack([protocol.setting for protocol in steps.protocols]),
            "notes": pack([number.note(value, step_seconds) for value in steps.values]),
            "stepped": number.is_stepped,
        }
        for key, number in delay_first(settings).items()
        for steps in [steps_of(settings, key)]
    ]


def segment_credit(protocol: Protocol, hits: SegmentHits) -> FloatArray:
    """Return the credit of each segment, averaged over its points if they differ."""
    credit = protocol.credit(hits)
    if protocol.grants == "point":
        return hits.sums(credit, by_point=True) / hits.lengths
    return credit


def distinct(rows: Sequence[object]) -> tuple[list[int], list[int]]:
    """Return the rows that differ from their predecessor, and each row's index among them."""
    firsts: list[int] = []
    places = []
    for at, row in enumerate(rows):
        if not firsts or rows[at - 1] != row:
            firsts.append(at)
        places.append(len(firsts) - 1)
    return firsts, places


def lane_rows(
    f1: Sequence[float],
    base: Sequence[float] | None,
    granted: FloatArray,
    by_point: bool,
    details: Sequence[object] | None = None,
) -> tuple[LaneRows, list[int]]:
    """Return a lane at every step, and the steps whose rows were kept.

    ``base`` is the F1 that gains are measured against at each step, or None for the base lane
    itself. ``granted`` has a row per step and a column per segment or point. ``details`` holds
    further data of each step. Steps that differ in these details keep separate rows.
    """
    gains = [0.0] * len(f1) if base is None else [a - b for a, b in zip(f1, base, strict=True)]
    heads = np.column_stack((f1, gains))
    parts = zip(heads, np.ascontiguousarray(granted), details or [None] * len(f1), strict=True)
    firsts, places = distinct([(head.tobytes(), row.tobytes(), said) for head, row, said in parts])
    made: LaneRows = {
        "places": places,
        "f1": all_thousandths(heads[firsts, 0]),
        "gain": None if base is None else all_thousandths(heads[firsts, 1]),
        "credit": _credit(granted[firsts], by_point),
    }
    return made, firsts


def _credit(granted: FloatArray, by_point: bool) -> Credit:
    """Encode the credit of all rows, storing identical columns once."""
    known: dict[bytes, int] = {}
    columns: list[int] = []
    kept: list[int] = []
    for at, column in enumerate(np.ascontiguousarray(granted.T)):
        place = known.setdefault(column.tobytes(), len(known))
        if place == len(kept):
            kept.append(at)
        columns.append(place)
    return {
        "by": "point" if by_point else "segment",
        "columns": columns,
        "rows": hundredths(granted[:, kept]),
    }
