"""Colours and dashes of charts, light and dark; the lanes have theirs in lanes.css."""

from __future__ import annotations

from typing import Literal

Mode = Literal["light", "dark"]

PROTOCOL_LINES: dict[str, dict[Mode, str]] = {
    "pointwise": {"light": "#6B7280", "dark": "#9CA3AF"},
    "pa": {"light": "#D55E00", "dark": "#F0883E"},
    "pa_k": {"light": "#8A5A9E", "dark": "#CC9BDD"},
    "padf": {"light": "#0072B2", "dark": "#56B4E9"},
}
"""The line of each protocol in charts; `PROTOCOL_DASHES` tells them apart without colour."""

PROTOCOL_DASHES: dict[str, str] = {
    "pointwise": "dot",
    "pa": "dash",
    "pa_k": "dashdot",
    "padf": "solid",
}

TEXT: dict[Mode, str] = {"light": "#1F2937", "dark": "#E5E7EB"}
GRID: dict[Mode, str] = {"light": "#E5E7EB", "dark": "#374151"}

DETECTOR_LINES: dict[Mode, tuple[str, ...]] = {
    "light": ("#0072B2", "#D55E00", "#00795A", "#8A5A9E", "#8A6D00", "#4B5563"),
    "dark": ("#56B4E9", "#F0883E", "#35C49A", "#CC9BDD", "#E0C04A", "#B6BEC9"),
}
"""The lines of detectors, one after another; `DETECTOR_DASHES` and markers tell them apart too."""

DETECTOR_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
DETECTOR_MARKS = ("circle", "square", "diamond", "triangle-up", "x", "star")
