"""A board, which is a pattern with a step length, and the file format that stores it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from padf_core import Evaluation, Settings, evaluate_all
from padf_core.io.notation import format_bits
from padf_core.metrics.checks import BoolArray
from padf_core.metrics.timing import ASSUMED_STEP
from padf_core.paper.cases import TEACHING_CASES
from padf_ui.session.steps import NO_UNIT, STEPS
from padf_ui.wire.limits import MAX_POINTS

MIN_POINTS = 5


FILE_FORMAT = "padf-board-1"


OPENING = next(case for case in TEACHING_CASES if case.key == "last_minute")
"""Initial pattern of a visit, on which the protocols disagree."""


@dataclass(frozen=True, eq=False)
class Board:
    """A pattern and the length of its steps."""

    labels: BoolArray = field(default_factory=lambda: OPENING.labels)
    detections: BoolArray = field(default_factory=lambda: OPENING.detections)
    step: str = NO_UNIT

    def __post_init__(self) -> None:
        size = self.labels.size
        if not MIN_POINTS <= size <= MAX_POINTS:
            raise ValueError(f"a board must have {MIN_POINTS} to {MAX_POINTS} points; got {size}")
        if self.detections.size != size:
            raise ValueError(f"truth has {size} points but alarms have {self.detections.size}")
        if self.step not in STEPS:
            raise ValueError(f"step must be one of {', '.join(STEPS)}; got {self.step!r}")

    @property
    def size(self) -> int:
        """The number of points."""
        return int(self.labels.size)

    @cached_property
    def bits(self) -> tuple[str, str]:
        """Truth and alarms as strings of 0 and 1."""
        return format_bits(self.labels), format_bits(self.detections)

    @property
    def step_seconds(self) -> float | None:
        """Length of a step in seconds, or None if it has no unit."""
        return STEPS[self.step].seconds

    @property
    def clock_step(self) -> float:
        """Length of a step for needs in clock time. A step without a unit counts as one minute."""
        return self.step_seconds or ASSUMED_STEP

    def same_pattern(self, labels: BoolArray, detections: BoolArray) -> bool:
        """Return whether the board has these labels and detections."""
        return np.array_equal(self.labels, labels) and np.array_equal(self.detections, detections)

    def evaluations(self, settings: Settings) -> list[Evaluation]:
        """Return the results of the shown protocols."""
        return evaluate_all(
            self.labels, self.detections, settings.protocols(), times=self.clock_step
        )

    def resized(self, size: int, tail: Board | None = None) -> Board:
        """Return the board with another length.

        Points of ``tail``, cut off earlier, are restored.
        """
        longer = tail or self
        return replace(
            self,
            labels=_resized(self.labels, size, longer.labels),
            detections=_resized(self.detections, size, longer.detections),
        )


def _resized(series: BoolArray, size: int, longer: BoolArray) -> BoolArray:
    made = np.zeros(size, dtype=np.bool_)
    for source in (longer, series):
        kept = min(size, source.size)
        made[:kept] = source[:kept]
    return made


def parse_bits(text: object, name: str) -> BoolArray:
    """Read a string of 0 and 1."""
    if not isinstance(text, str) or not text or set(text) - {"0", "1"}:
        raise ValueError(f"{name} must be a text of 0 and 1")
    series: BoolArray = np.frombuffer(text.encode(), dtype=np.uint8) == ord("1")
    return series


def earned_credit(result: Evaluation) -> list[float]:
    """Return the credit of every point, with 0 for false alarms.

    The sum is the credit that counts.
    """
    credit: list[float] = np.where(result.pattern.labels, result.credit, 0.0).tolist()
    return credit


def to_json(board: Board, settings: Settings) -> str:
    """Return the pattern, the settings and every protocol's result as JSON."""
    return json.dumps(
        {
            "format": FILE_FORMAT,
            "labels": board.bits[0],
            "detections": board.bits[1],
            "settings": settings.to_dict(),
            "step": board.step,
            "results": [
                {
                    "protocol": e.protocol.key,
                    "label": e.protocol.label,
                    "precision": e.precision,
                    "recall": e.recall,
                    "f1": e.f1,
                    "true_positives": e.true_positives,
                    "false_positives": e.false_positives,
                    "false_negatives": e.false_negatives,
                    "credit": earned_credit(e),
                }
                for e in board.evaluations(settings)
            ],
        },
        indent=1,
    )


def from_json(content: bytes | str) -> tuple[Board, Settings]:
    """Read JSON written by `to_json`. Results in the file are ignored."""
    try:
        read: Any = json.loads(content)
    except (ValueError, RecursionError):
        raise ValueError("this is not a JSON file") from None
    if not isinstance(read, dict) or read.get("format") != FILE_FORMAT:
        raise ValueError(f'this is not a saved board: "format" must be "{FILE_FORMAT}"')
    settings = read.get("settings", {})
    if not isinstance(settings, dict):
        raise ValueError("settings must be an object")
    board = Board(
        labels=parse_bits(read.get("labels"), "labels"),
        detections=parse_bits(read.get("detections"), "detections"),
        step=str(read.get("step", NO_UNIT)),
    )
    return board, Settings.from_dict(settings)
