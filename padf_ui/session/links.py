"""Boards and settings as readable link parameters; anything unreadable is a clear error."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import isfinite, nan
from typing import Any
from urllib.parse import urlencode

from padf_core import PROTOCOLS, Settings
from padf_core.io.notation import format_ranges, parse_points
from padf_core.metrics.settings import LANES, every_parameter
from padf_ui.session.board import MAX_POINTS, MIN_POINTS, Board

LONGEST = 4000


def to_query(board: Board, settings: Settings) -> dict[str, str]:
    """Return the whole board as readable link parameters."""
    return {
        "n": str(board.size),
        "truth": format_ranges(board.labels, "_"),
        "alarms": format_ranges(board.detections, "_"),
        **settings.to_query(),
        "step": board.step,
    }


def to_address(board: Board, settings: Settings) -> str:
    """Return the part of a link behind the page's address."""
    return f"?{urlencode(to_query(board, settings))}"


def from_query(query: Mapping[str, Any]) -> tuple[Board, Settings]:
    """Read a board from link parameters; what is not there is as in the default board."""
    default = to_query(Board(), Settings())
    if {"n", "truth", "alarms"} & set(query):
        default |= {"truth": "", "alarms": ""}
    texts = {name: text_of(query.get(name, default[name]), name) for name in _OWN}
    size = number_of(texts["n"], "n")
    if size != int(size) or not MIN_POINTS <= size <= MAX_POINTS:
        raise ValueError(f"n must be from {MIN_POINTS} to {MAX_POINTS}; got {texts['n']!r}")
    board = Board(
        labels=parse_points(texts["truth"].replace("_", ","), int(size), "truth"),
        detections=parse_points(texts["alarms"].replace("_", ","), int(size), "alarms"),
        step=texts["step"],
    )
    return board, read_settings(query)


_OWN = ("n", "truth", "alarms", "step")


def settings_parts() -> set[str]:
    """Return what the parts of a link that hold settings are called."""
    return set(_settings_parts(tuple(PROTOCOLS)))


@cache
def _settings_parts(_: tuple[str, ...]) -> frozenset[str]:
    """Return the same for the protocols that there are: each combination is looked through once."""
    return frozenset({*(each.link for each in every_parameter()), LANES})


def board_parts() -> set[str]:
    """Return what the parts of a board's link are called."""
    return {*_OWN, *settings_parts()}


def read_settings(query: Mapping[str, Any]) -> Settings:
    """Read the settings from link parameters; what is not there is as by default."""
    known = settings_parts()
    return Settings.from_query(
        {name: text_of(value, name) for name, value in query.items() if name in known}
    )


def text_of(value: Any, name: str, longest: int = LONGEST) -> str:
    """Return a link parameter that is one text of bearable length."""
    if not isinstance(value, str) or len(value) > longest:
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
