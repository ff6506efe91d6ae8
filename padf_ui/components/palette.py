"""Colours and dashes of charts, in light and dark. Cell colours of lanes are in lanes.css."""

from __future__ import annotations

from typing import Any, Literal

from padf_core import PROTOCOLS

Mode = Literal["light", "dark"]

TEXT: dict[Mode, str] = {"light": "#1F2937", "dark": "#E5E7EB"}
GRID: dict[Mode, str] = {"light": "#E5E7EB", "dark": "#374151"}

DETECTOR_LINES: dict[Mode, tuple[str, ...]] = {
    "light": ("#0F766E", "#9A4A00", "#4338CA", "#5F6B12", "#9F1239", "#334155"),
    "dark": ("#5EEAD4", "#FDBA74", "#A5B4FC", "#D4E157", "#FDA4AF", "#CBD5E1"),
}
"""Colours of detector lines. None is a protocol colour. Dashes and markers also differ."""

DETECTOR_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
DASHES: dict[str, str] = {
    "solid": "",
    "dash": "9 5",
    "dot": "2 4",
    "dashdot": "9 4 2 4",
    "longdash": "15 6",
    "longdashdot": "15 5 2 5",
}
"""Dashes in the notation of SVG."""
DETECTOR_MARKS = ("circle", "square", "diamond", "triangle-up", "x", "star")


def protocol_colour(key: str, mode: Mode) -> str:
    """Return the colour that a protocol declares."""
    look = PROTOCOLS[key].look
    return look.dark if mode == "dark" else look.light


def protocol_line(key: str, mode: Mode) -> dict[str, Any]:
    """Return the line style of a protocol. The dash identifies it without colour."""
    return {"color": protocol_colour(key, mode), "dash": PROTOCOLS[key].look.dash, "width": 2.5}


def protocol_curve(key: str, index: int, mode: Mode) -> dict[str, Any]:
    """Return the line style of one of several curves of a protocol. Only the dash differs."""
    dash = DETECTOR_DASHES[index % len(DETECTOR_DASHES)]
    return {"color": protocol_colour(key, mode), "dash": dash, "width": 2.5}


def detector_colour(index: int, mode: Mode) -> str:
    """Return the colour of a detector."""
    return DETECTOR_LINES[mode][index % len(DETECTOR_LINES[mode])]


def detector_mark(index: int) -> str:
    """Return the marker of a detector. When colours repeat, the marker differs."""
    turn = index // len(DETECTOR_MARKS)
    return DETECTOR_MARKS[(index + turn) % len(DETECTOR_MARKS)]


def detector_line(index: int, mode: Mode) -> dict[str, Any]:
    """Return the line style of a detector."""
    turn = index // len(DETECTOR_LINES[mode])
    dash = DETECTOR_DASHES[(index + turn) % len(DETECTOR_DASHES)]
    return {"color": detector_colour(index, mode), "dash": dash, "width": 2.5}
