"""A board as text: in a link, in a JSON file, as CSV and as Python lines."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass, field, replace
from math import isfinite, nan
from typing import Any
from urllib.parse import urlencode

import numpy as np

from padf_core import Evaluation, Settings, evaluate_all
from padf_core.cases import TOY_CASES
from padf_core.checks import BoolArray
from padf_core.notation import format_bits, format_ranges, parse_points
from padf_core.settings import DECAYS

MIN_POINTS, MAX_POINTS = 5, 300
FILE_FORMAT = "padf-board-1"

STEP_LENGTHS: dict[str, float | None] = {
    "step": None,
    "1s": 1.0,
    "10s": 10.0,
    "1min": 60.0,
    "5min": 300.0,
    "15min": 900.0,
    "1h": 3600.0,
    "1d": 86400.0,
}
"""What one step may stand for, by the name that links give it."""


@dataclass(frozen=True, eq=False)
class Board:
    """A pattern with everything that its scores depend on."""

    labels: BoolArray = field(default_factory=lambda: TOY_CASES[1].labels)
    detections: BoolArray = field(default_factory=lambda: TOY_CASES[1].detections)
    settings: Settings = field(default_factory=Settings)
    step: str = "step"

    def __post_init__(self) -> None:
        size = self.labels.size
        if not MIN_POINTS <= size <= MAX_POINTS:
            raise ValueError(f"a board must have {MIN_POINTS} to {MAX_POINTS} points; got {size}")
        if self.detections.size != size:
            raise ValueError(f"truth has {size} points but alarms have {self.detections.size}")
        if self.step not in STEP_LENGTHS:
            raise ValueError(f"step must be one of {', '.join(STEP_LENGTHS)}; got {self.step!r}")

    @property
    def size(self) -> int:
        """Number of points."""
        return int(self.labels.size)

    @property
    def step_seconds(self) -> float | None:
        """Length of a step, or None when it has none."""
        return STEP_LENGTHS[self.step]

    def same_pattern(self, labels: BoolArray, detections: BoolArray) -> bool:
        """Say whether truth and alarms are these."""
        return np.array_equal(self.labels, labels) and np.array_equal(self.detections, detections)

    def evaluations(self) -> list[Evaluation]:
        """Return the results of the four protocols."""
        return evaluate_all(self.labels, self.detections, self.settings.protocols())


def to_query(board: Board) -> dict[str, str]:
    """Return the whole board as readable link parameters."""
    return {
        "n": str(board.size),
        "truth": format_ranges(board.labels, "_"),
        "alarms": format_ranges(board.detections, "_"),
        **settings_query(board.settings),
        "step": board.step,
    }


def settings_query(settings: Settings) -> dict[str, str]:
    """Return the settings as readable link parameters."""
    return {
        "shape": settings.shape,
        "decay": plain_number(settings.decay),
        "k": plain_number(settings.k),
        "rule": "atleast" if settings.inclusive else "above",
        "precision": settings.precision,
    }


def to_address(board: Board) -> str:
    """Return the part of a link behind the page's address."""
    return f"?{urlencode(to_query(board))}"


def plain_number(number: float) -> str:
    """Write a number so that it is read back exactly, whole ones without a point."""
    return str(int(number)) if number == int(number) else repr(float(number))


def from_query(query: dict[str, Any]) -> Board:
    """Read a board from link parameters; what is not there is as in the default board.

    Anything unreadable is a ValueError that says which part.
    """
    default = to_query(Board())
    if {"n", "truth", "alarms"} & set(query):
        default |= {"truth": "", "alarms": ""}
    texts = {name: text_of(query.get(name, value), name) for name, value in default.items()}
    size = number_of(texts["n"], "n")
    if size != int(size) or not MIN_POINTS <= size <= MAX_POINTS:
        raise ValueError(f"n must be from {MIN_POINTS} to {MAX_POINTS}; got {texts['n']!r}")
    return Board(
        labels=parse_points(texts["truth"].replace("_", ","), int(size), "truth"),
        detections=parse_points(texts["alarms"].replace("_", ","), int(size), "alarms"),
        settings=read_settings(query),
        step=texts["step"],
    )


def read_settings(query: dict[str, Any]) -> Settings:
    """Read the settings from link parameters; what is not there is as by default."""
    default = settings_query(Settings())
    texts = {name: text_of(query.get(name, value), name) for name, value in default.items()}
    rule = texts["rule"]
    if rule not in ("above", "atleast"):
        raise ValueError(f"rule must be above or atleast; got {rule!r}")
    return Settings.from_dict(
        {
            "shape": texts["shape"],
            "decay": number_of(texts["decay"], "decay"),
            "k": number_of(texts["k"], "k"),
            "inclusive": rule == "atleast",
            "precision": texts["precision"],
        }
    )


def text_of(value: Any, name: str) -> str:
    """Return a link parameter that is one text of bearable length."""
    if not isinstance(value, str) or len(value) > 4000:
        raise ValueError(f"{name} is too long or stands there more than once")
    return value


def number_of(text: str, name: str) -> float:
    """Read a finite number."""
    try:
        number = float(text)
    except ValueError:
        number = nan
    if not isfinite(number):
        raise ValueError(f"{name} must be a number; got {text!r}")
    return number


def to_json(board: Board) -> str:
    """Return everything: the pattern, the settings, and every protocol's result."""
    return json.dumps(
        {
            "format": FILE_FORMAT,
            "labels": format_bits(board.labels),
            "detections": format_bits(board.detections),
            "settings": board.settings.to_dict(),
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
                    "credit": e.credit.tolist(),
                }
                for e in board.evaluations()
            ],
        },
        indent=1,
    )


def from_json(content: bytes | str) -> Board:
    """Read a board from what `to_json` wrote; results in the file are ignored and computed anew."""
    try:
        read = json.loads(content)
    except (ValueError, RecursionError):
        raise ValueError("this is not a JSON file") from None
    if not isinstance(read, dict) or read.get("format") != FILE_FORMAT:
        raise ValueError(f'this is not a saved board: "format" must be "{FILE_FORMAT}"')
    settings = read.get("settings", {})
    if not isinstance(settings, dict):
        raise ValueError("settings must be an object")
    return Board(
        labels=_bits(read.get("labels"), "labels"),
        detections=_bits(read.get("detections"), "detections"),
        settings=Settings.from_dict(settings),
        step=str(read.get("step", "step")),
    )


def _bits(text: Any, name: str) -> BoolArray:
    if not isinstance(text, str) or not text or set(text) - {"0", "1"}:
        raise ValueError(f"{name} must be a text of 0 and 1")
    return parse_bits(text)


def parse_bits(text: str) -> BoolArray:
    """Read bits that have been checked."""
    series: BoolArray = np.frombuffer(text.encode(), dtype=np.uint8) == ord("1")
    return series


def to_csv(board: Board) -> str:
    """Return one row per point: label, detection, and the credit under each protocol."""
    results = board.evaluations()
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["time", "label", "detection", *(f"credit_{e.protocol.key}" for e in results)])
    columns = [e.credit.tolist() for e in results]
    for t in range(board.size):
        writer.writerow(
            [t, int(board.labels[t]), int(board.detections[t]), *(c[t] for c in columns)]
        )
    return out.getvalue()


def python_protocols(settings: Settings) -> str:
    """Return the lines that make the four protocols."""
    decay = DECAYS[settings.shape].__name__
    value = plain_number(settings.decay)
    inclusive = ", inclusive=True" if settings.inclusive else ""
    return f"""protocols = [
    padf.Pointwise(),
    padf.PointAdjust(),
    padf.PointAdjustK(k={plain_number(settings.k)}{inclusive}),
    padf.PointAdjustDecay(decay=padf.{decay}({value}), precision="{settings.precision}"),
]"""


def to_python(board: Board) -> str:
    """Return the lines that reproduce the numbers on the board."""
    return f'''import padf_core as padf

labels = [int(bit) for bit in "{format_bits(board.labels)}"]
alarms = [int(bit) for bit in "{format_bits(board.detections)}"]
{python_protocols(board.settings)}
for e in padf.evaluate_all(labels, alarms, protocols):
    print(f"{{e.protocol.label}}: precision {{e.precision:.3f}}, "
          f"recall {{e.recall:.3f}}, F1 {{e.f1:.3f}}")
'''


def resized(board: Board, size: int, tail: Board | None = None) -> Board:
    """Return the board with another length; a tail cut off before comes back as it grows."""
    longer = tail or board
    return replace(
        board,
        labels=_resized(board.labels, size, longer.labels),
        detections=_resized(board.detections, size, longer.detections),
    )


def _resized(series: BoolArray, size: int, longer: BoolArray) -> BoolArray:
    made = np.zeros(size, dtype=np.bool_)
    for source in (longer, series):
        kept = min(size, source.size)
        made[:kept] = source[:kept]
    return made
