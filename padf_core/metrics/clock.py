"""Convert between steps and time on a clock."""

from __future__ import annotations

import re

UNITS: tuple[tuple[str, float], ...] = (("d", 86400.0), ("h", 3600.0), ("min", 60.0), ("s", 1.0))

_SMALL: tuple[tuple[str, float], ...] = (("ms", 1e-3), ("µs", 1e-6))

_WORDS: dict[str, float] = {
    **dict((*UNITS, *_SMALL)),
    **{"us": 1e-6, "m": 60.0, "sec": 1.0, "hr": 3600.0},
    **{"second": 1.0, "minute": 60.0, "hour": 3600.0, "day": 86400.0, "week": 604800.0},
}
"""Units as people type them; a plural s is allowed."""

_PIECE = re.compile(r"\s*(\d+(?:[.,]\d+)?|[.,]\d+)\s*([a-zµ]*)")


def format_duration(seconds: float) -> str:
    """Format a duration in the largest unit that fits, with the next unit if it matters.

    >>> [format_duration(s) for s in (0, 45, 360, 395, 5400, 90000, 0.004)]
    ['0 s', '45 s', '6 min', '6.6 min', '1 h 30 min', '1 d 1 h', '4 ms']
    """
    if 0 < seconds < 0.1:
        unit, size = _SMALL[0] if seconds >= 1e-3 else _SMALL[1]
        return f"{seconds / size:.3g} {unit}"
    for index, (unit, size) in enumerate(UNITS[:2]):
        if seconds >= size:
            smaller, per = UNITS[index + 1]
            whole, rest = divmod(round(seconds / per), round(size / per))
            return f"{whole} {unit} {rest} {smaller}" if rest else f"{whole} {unit}"
    unit, size = UNITS[2] if seconds >= UNITS[2][1] else UNITS[3]
    return f"{_short(seconds / size)} {unit}"


def parse_duration(text: str, unit_seconds: float) -> float:
    """Parse a typed duration as seconds; a number without a unit is in ``unit_seconds``.

    >>> [parse_duration(text, 60) for text in ("10", "90 s", "1 h 30 min", "2 days", "0,5h")]
    [600.0, 90.0, 5400.0, 172800.0, 1800.0]
    """
    asked = text.strip().lower()
    total, end = 0.0, 0
    for piece in _PIECE.finditer(asked):
        number, word = piece.groups()
        size = _unit_seconds(word) if word else unit_seconds if piece.end() == len(asked) else None
        if piece.start() != end or size is None or (not word and end):
            break
        total, end = total + float(number.replace(",", ".")) * size, piece.end()
    if not end or end != len(asked):
        raise ValueError(
            f"{text.strip()[:40]!r} is not a duration; write 10 min, 1 h 30 min or 2 days"
        )
    return total


def _unit_seconds(word: str) -> float | None:
    return _WORDS.get(word, _WORDS.get(word.removesuffix("s")))


def format_steps(steps: float, step_seconds: float | None) -> str:
    """Format a number of steps, as time if the step length is known.

    >>> format_steps(6, None), format_steps(1, None), format_steps(6, 60)
    ('6 steps', '1 step', '6 min')
    """
    if step_seconds is None:
        text = _short(steps)
        return f"{text} {'step' if text == '1' else 'steps'}"
    return format_duration(steps * step_seconds)


def format_clock(seconds: float, with_seconds: bool = False) -> str:
    """Format the time since the start as hours and minutes, optionally with seconds.

    >>> [format_clock(s) for s in (0, 720, 3900, 90000)]
    ['0:00', '0:12', '1:05', '1 d 1:00']
    >>> format_clock(65, with_seconds=True)
    '0:01:05'
    """
    minutes, left = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    clock = f"{hours}:{minutes:02}" + (f":{left:02}" if with_seconds else "")
    return f"{days} d {clock}" if days else clock


def _short(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def clock_unit(seconds: float) -> tuple[str, float]:
    """Return the most readable unit for a duration, and its seconds.

    >>> clock_unit(45), clock_unit(600), clock_unit(40000), clock_unit(900000)
    (('s', 1.0), ('min', 60.0), ('h', 3600.0), ('d', 86400.0))
    """
    for (unit, size), limit in zip(UNITS[:3], (4, 4, 2), strict=True):
        if seconds >= limit * size:
            return unit, size
    return UNITS[3]
