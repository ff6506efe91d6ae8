"""A board, which is a pattern with its step, and the file that keeps it."""

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
"""The pattern with which a visit begins: one on which the protocols disagree."""


@dataclass(frozen=True, eq=False)
class Board:
    """A pattern, and what one of its steps stands for."""

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
        """Number of points."""
        return int(self.labels.size)

    @cached_property
    def bits(self) -> tuple[str, str]:
        """Truth and alarms as texts of 0 and 1."""
        return format_bits(self.labels), format_bits(self.detections)

    @property
    def step_seconds(self) -> float | None:
        """Length of a step, or None when it has none."""
        return STEPS[self.step].seconds

    @property
    def clock_step(self) -> float:
        """Length of a step as needs on the clock take it: a minute where it has none."""
        return self.step_seconds or ASSUMED_STEP

    def same_pattern(self, labels: BoolArray, detections: BoolArray) -> bool:
        """Say whether truth and alarms are these."""
        return np.array_equal(self.labels, labels) and np.array_equal(self.detections, detections)

    def evaluations(self, settings: Settings) -> list[Evaluation]:
        """Return the results of the protocols that are shown."""
        return evaluate_all(
            self.labels, self.detections, settings.protocols(), times=self.clock_step
        )

    def resized(self, size: int, tail: Board | None = None) -> Board:
        """Return the board with another length; a tail cut off before comes back as it grows."""
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
    """Read a text of 0 and 1."""
    if not isinstance(text, str) or not text or set(text) - {"0", "1"}:
        raise ValueError(f"{name} must be a text of 0 and 1")
    series: BoolArray = np.frombuffer(text.encode(), dtype=np.uint8) == ord("1")
    return series


def earned_credit(result: Evaluation) -> list[float]:
    """Return the credit of every point: none for a false alarm, so that the sum is what counts."""
    credit: list[float] = np.where(result.pattern.labels, result.credit, 0.0).tolist()
    return credit


def to_json(board: Board, settings: Settings) -> str:
    """Return everything: the pattern, the settings, and every protocol's result."""
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
    """Read what `to_json` wrote; results in the file are ignored and computed again."""
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
