"""Turn a stated need into a decay."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from math import inf, log, log2
from typing import Any, Literal, cast, get_args

import numpy as np

from padf_core.metrics.checks import check_number
from padf_core.metrics.clock import UNITS, format_duration, parse_duration
from padf_core.metrics.decays import MAX_STEPS, MIN_STEPS
from padf_core.metrics.parameters import Value
from padf_core.metrics.settings import Settings

NeedKind = Literal["worth", "half_life", "loss", "deadline"]

SHAPES: dict[NeedKind, str] = {
    "worth": "worth",
    "half_life": "half_life",
    "loss": "linear",
    "deadline": "deadline",
}
"""The shape of decay for each kind of need."""


@dataclass(frozen=True)
class Need:
    """State what a late alarm is worth, in everyday terms.

    Parameters
    ----------
    kind : {"worth", "half_life", "loss", "deadline"}
        "worth": an alarm after ``seconds`` is still worth ``share``. "half_life": half of the worth
        is gone after ``seconds``. "loss": the loss grows linearly and is total after ``seconds``.
        "deadline": full worth up to ``seconds``, then none.
    seconds : float
        The delay that the kind of need refers to.
    share : float
        What an alarm is still worth after that delay.
    grace : float
        Seconds of delay without any loss. All other times are counted from its end.

    Raises
    ------
    ValueError
        If a number is out of range.

    Examples
    --------
    >>> Need("worth", seconds=600, share=0.5).kind
    'worth'
    """

    kind: NeedKind = "worth"
    seconds: float = 600.0
    share: float = 0.5
    grace: float = 0.0

    def __post_init__(self) -> None:
        if self.kind not in get_args(NeedKind):
            raise ValueError(f"kind must be one of {get_args(NeedKind)}; got {self.kind!r}")
        low = 0.0 if self.kind == "deadline" else 1e-6
        check_number(
            "seconds", self.seconds, lambda x: low <= x <= 1e10, "from a microsecond to 300 years"
        )
        check_number("share", self.share, lambda x: 0 < x < 1, "above 0 and below 1")
        check_number("grace", self.grace, lambda x: 0 <= x <= 1e10, "at least 0")

    def moved(self, **numbers: float) -> Need:
        """Return the need with changed numbers: seconds, share or grace.

        >>> Need(seconds=60).moved(grace=5)
        Need(kind='worth', seconds=60, share=0.5, grace=5)
        """
        changes: dict[str, Any] = dict(numbers)
        return replace(self, **changes)

    @property
    def values(self) -> dict[str, Value]:
        """The need as PAdf settings, in clock time and independent of the sampling."""
        made: dict[str, Value] = {
            "measure": "clock",
            "shape": SHAPES[self.kind],
            "decay": self.seconds,
            "grace": self.grace,
        }
        return made | ({"worth": _exact(100 * self.share)} if self.kind == "worth" else {})

    @property
    def anchor(self) -> tuple[float, float]:
        """A delay in seconds and the worth of an alarm then, where all shapes should agree."""
        if self.kind == "loss":
            return self.seconds / 2, 0.5
        return self.seconds, self.share if self.kind == "worth" else 0.5

    @property
    def text(self) -> str:
        """The need as a sentence."""
        time = format_duration(self.seconds)
        said = {
            "worth": f"an alarm after {time} is still worth {100 * self.share:g} %",
            "half_life": f"an alarm is worth half after {time}",
            "loss": f"the loss grows linearly and is total after {time}",
            "deadline": f"an alarm within {time} is worth everything, a later one nothing",
        }[self.kind]
        if not self.grace:
            return said
        return f"{said}, after the first {format_duration(self.grace)}, which are free"


def _exact(value: float) -> float:
    """Round away the floating-point error of a factor of 100."""
    return float(f"{value:.14g}")


def need_of(settings: Settings) -> Need | None:
    """Return the need that the settings express, or None.

    Settings that are not in clock time express no need, nor do decays that no need describes.

    >>> need_of(Settings(**Need("deadline", 420).values))
    Need(kind='deadline', seconds=420.0, share=0.5, grace=0.0)
    """
    kind = next((kind for kind, shape in SHAPES.items() if shape == settings["shape"]), None)
    if settings["measure"] != "clock" or kind is None:
        return None
    share = _exact(settings["worth"] / 100) if kind == "worth" else 0.5
    return Need(kind, settings["decay"], share, settings["grace"])


def need_at(need: Need, number: float) -> Need:
    """Return the need whose decay has this half-life, span or deadline, to three digits.

    >>> need_at(Need("worth", 600, 0.25), 600).seconds, need_at(Need("loss"), 1234.5).seconds
    (1200.0, 1230.0)
    """
    scale = -log2(need.share) if need.kind == "worth" else 1.0
    return need.moved(seconds=float(f"{number * scale:.3g}"))


PACES: dict[str, str] = {"d": "a day", "h": "an hour", "min": "a minute", "s": "a second"}
_PACE = re.compile(r"([\d.,]+)\s*(?:%|of\s+([\d.,]+))?\s*(?:(?:per|an?|/)\s*([a-zµ]+))?")


def pace_unit(seconds: float) -> str:
    """Return the unit in which to state the pace of a loss that is total after ``seconds``."""
    return next((unit for unit, size in reversed(UNITS) if size >= seconds / 200), "d")


def format_pace(seconds: float) -> str:
    """Format the pace of a loss that is total after some seconds.

    >>> format_pace(3600), format_pace(600), format_pace(30 * 86400)
    ('1.667 % a minute', '10 % a minute', '3.333 % a day')
    """
    unit = pace_unit(seconds)
    return f"{100 * dict(UNITS)[unit] / seconds:.4g} % {PACES[unit]}"


def retyped(need: Need, number: str, text: str) -> Need:
    """Return the need with one of its numbers replaced by typed text.

    ``number`` is "seconds", "grace", "share" or "pace" (how much is lost per unit of time). A
    number typed without a unit keeps the unit that was shown.

    >>> retyped(Need(), "seconds", "2 h").seconds, retyped(Need(), "seconds", "12").seconds
    (7200.0, 720.0)
    >>> retyped(Need(), "share", "30 %").share
    0.3
    >>> retyped(Need("loss"), "pace", "100 of 6000 a minute").seconds
    3600.0
    """
    if number == "share":
        return need.moved(share=_percent(text) / 100)
    if number == "pace":
        return need.moved(seconds=_read_pace(text, need.seconds))
    if number not in ("seconds", "grace"):
        raise ValueError(f"number must be seconds, share, grace or pace; got {number!r}")
    now: float = getattr(need, number)
    return need.moved(**{number: parse_duration(text, unit_of(now or need.seconds))})


def unit_of(seconds: float) -> float:
    """Return the largest unit that fits into a duration, in seconds.

    >>> unit_of(600), unit_of(5400)
    (60.0, 3600.0)
    """
    return next((size for _, size in UNITS if seconds >= size), 1.0)


def _percent(text: str) -> float:
    try:
        return float(text.strip().removesuffix("%").replace(",", "."))
    except ValueError:
        raise ValueError(f"{text.strip()[:40]!r} is not a share; write 50 or 50 %") from None


def _read_pace(text: str, seconds: float) -> float:
    """Return the number of seconds until everything is lost at a typed pace."""
    found = _PACE.fullmatch(text.strip().lower())
    if not found:
        raise ValueError(
            f"{text.strip()[:40]!r} is not a rate of loss; write 2 % a minute, or 100 of 6000 a day"
        )
    lost, whole, unit = found.groups()
    share = _percent(lost) / _percent(whole or "100")
    if not 0 < share < inf:
        raise ValueError("a rate of loss must be above 0")
    return parse_duration(f"1 {unit}" if unit else "1", dict(UNITS)[pace_unit(seconds)]) / share


def decay_for(need: Need, step_seconds: float) -> tuple[str, float]:
    """Return the shape of decay and its parameter in steps of the given length.

    Parameters
    ----------
    need : Need
        What a late alarm is worth.
    step_seconds : float
        Seconds from one row to the next.

    Returns
    -------
    tuple of str and float
        The key of the decay in `DECAYS`, and its parameter.

    Raises
    ------
    ValueError
        If the need spans more steps than settings allow.

    Examples
    --------
    >>> shape, d = decay_for(Need("worth", seconds=600, share=0.5), 60)
    >>> shape, round(d, 4), round(d ** 10, 6)
    ('exponential', 0.933, 0.5)
    >>> decay_for(Need("deadline", seconds=420), 60)
    ('deadline', 7.0)
    """
    steps = _count_steps(need.seconds, step_seconds)
    if need.kind == "worth":
        return "exponential", max(float(need.share ** (1 / steps)), 1e-12)
    if need.kind == "deadline":
        return "deadline", float(np.floor(steps + 1e-9))
    return "half_life" if need.kind == "half_life" else "linear", max(steps, MIN_STEPS)


def _count_steps(seconds: float, step_seconds: float) -> float:
    """Convert a time to steps; refuse more steps than settings allow."""
    step = check_number("step_seconds", step_seconds, lambda x: 0 < x <= 1e10, "above 0 seconds")
    steps = seconds / step
    if steps > MAX_STEPS:
        raise ValueError(
            f"{format_duration(seconds)} are {steps:,.0f} steps of {format_duration(step)}; at "
            f"most {MAX_STEPS:,.0f} can be set; use a longer step or a shorter time"
        )
    return steps


def agreeing_shapes(need: Need) -> dict[str, dict[str, Value]]:
    """Return settings for each shape that give the stated worth at the stated delay.

    A deadline cannot give partial credit, so it drops to 0 after that delay.

    >>> {shape: round(values["decay"], 3) for shape, values in agreeing_shapes(Need()).items()}
    {'half_life': 600.0, 'linear': 1200.0, 'deadline': 600.0}
    """
    seconds, share = need.anchor
    numbers = {
        "half_life": seconds * log(0.5) / log(share),
        "linear": seconds / (1 - share),
        "deadline": seconds,
    }
    common = {"measure": "clock", "grace": need.grace}
    return {
        shape: cast(dict[str, Value], {**common, "shape": shape, "decay": number})
        for shape, number in numbers.items()
    }
