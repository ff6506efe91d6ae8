"""Colours and dashes of charts, light and dark; the lanes have theirs in lanes.css."""

from __future__ import annotations

from typing import Any, Literal

from padf_core import PROTOCOLS

Mode = Literal["light", "dark"]

TEXT: dict[Mode, str] = {"light": "#1F2937", "dark": "#E5E7EB"}
GRID: dict[Mode, str] = {"light": "#E5E7EB", "dark": "#374151"}

DETECTOR_LINES: dict[Mode, tuple[str, ...]] = {
    "light": ("#0072B2", "#D55E00", "#00795A", "#8A5A9E", "#8A6D00", "#4B5563"),
    "dark": ("#56B4E9", "#F0883E", "#35C49A", "#CC9BDD", "#E0C04A", "#B6BEC9"),
}
"""The lines of detectors, one after another; `DETECTOR_DASHES` and markers tell them apart too."""

DETECTOR_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
DETECTOR_MARKS = ("circle", "square", "diamond", "triangle-up", "x", "star")


def protocol_colour(key: str, mode: Mode) -> str:
    """Return the colour of a protocol, as it describes itself."""
    look = PROTOCOLS[key].look
    return look.dark if mode == "dark" else look.light


def protocol_line(key: str, mode: Mode) -> dict[str, Any]:
    """Return the line of a protocol: its dash tells it apart without colour."""
    return {"color": protocol_colour(key, mode), "dash": PROTOCOLS[key].look.dash, "width": 2.5}


def detector_colour(index: int, mode: Mode) -> str:
    """Return the colour of a detector."""
    return DETECTOR_LINES[mode][index % len(DETECTOR_LINES[mode])]


def detector_line(index: int, mode: Mode) -> dict[str, Any]:
    """Return the line of a detector."""
    turn = index // len(DETECTOR_LINES[mode])
    dash = DETECTOR_DASHES[(index + turn) % len(DETECTOR_DASHES)]
    return {"color": detector_colour(index, mode), "dash": dash, "width": 2.5}
