"""Colours of charts, lanes and pages, in light and dark, for Python and for style sheets.

The colour of a protocol is part of the protocol.
"""

from __future__ import annotations

from typing import Any, Literal

from padf_core import PROTOCOLS

Mode = Literal["light", "dark"]

MODES: tuple[Mode, ...] = ("light", "dark")
COLOURS: dict[str, tuple[str, str]] = {
    "ink": ("#1f2937", "#e5e7eb"),
    "muted": ("#57606a", "#a9b1bc"),
    "line": ("#d1d5db", "#4b5563"),
    "grid": ("#e5e7eb", "#374151"),
    "paper": ("#ffffff", "#171614"),
    "accent": ("#0072b2", "#56b4e9"),
    "soft": ("rgba(0, 114, 178, 0.12)", "rgba(86, 180, 233, 0.16)"),
    "on-accent": ("#ffffff", "#111827"),
    "hit": ("#0072b2", "#2f95d0"),
    "adjusted": ("#56b4e9", "#7cc7f2"),
    "hatch-line": ("#ffffff", "#16324a"),
    "missed-fill": ("#fdf3e1", "#33291a"),
    "missed-line": ("#b45309", "#e8a33d"),
    "false": ("#d55e00", "#ee7a2b"),
    "normal": ("#e5e7eb", "#2a313c"),
    "note-back": ("#1f2937", "#1f2937"),
    "note-ink": ("#ffffff", "#ffffff"),
    "note-line": ("#6b7280", "#6b7280"),
}
"""Colours by name, for light and dark. Style sheets use the names as variables."""


def colour(name: str, mode: Mode) -> str:
    """Return a colour by its name."""
    return COLOURS[name][MODES.index(mode)]


def css_variables(scheme: str) -> str:
    """Return all colours as CSS variables, for a mode or for "both".

    >>> css_variables("dark").splitlines()[0]
    '--ink: #e5e7eb;'
    >>> css_variables("both").splitlines()[0]
    '--ink: light-dark(#1f2937, #e5e7eb);'
    """
    if scheme == "both":
        values = {name: f"light-dark({', '.join(pair)})" for name, pair in COLOURS.items()}
    else:
        at = MODES.index(scheme)
        values = {name: pair[at] for name, pair in COLOURS.items()}
    return "\n".join(f"--{name}: {value};" for name, value in values.items())


TEXT: dict[Mode, str] = {mode: colour("ink", mode) for mode in MODES}
GRID: dict[Mode, str] = {mode: colour("grid", mode) for mode in MODES}

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
