"""What a late first detection is still worth: D(0) = 1, and never more after a longer delay.

A decay with one parameter describes itself, as a protocol does: its class and its line in `DECAYS`
are all there is to add for one more.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import inf, log
from typing import Any, ClassVar

import numpy as np

from padf_core.metrics.checks import FloatArray, IntArray, check_number
from padf_core.metrics.clock import format_steps
from padf_core.metrics.parameters import Choice, Note, Number, Option

DecayFunction = Callable[[IntArray], FloatArray]

MIN_STEPS, MAX_STEPS = 0.01, 1_000_000.0
"""How short and how long a time in steps may be."""

_PROBES = np.arange(101)
_HELP = "the number of the decay: d, or a time in steps for the other shapes"


class Decay(ABC):
    """A decay function: delays in steps in, credit in [0, 1] out.

    The parameter may be a column of values; then there is one row of credit for each of them.
    """

    @abstractmethod
    def __call__(self, delays: IntArray) -> FloatArray:
        """Return the credit of a segment whose first detection comes after each delay."""

    @property
    @abstractmethod
    def label(self) -> str:
        """A few words for a table's head or a lane's name."""

    @property
    def rate(self) -> float | None:
        """The d of a decay that is exponential; None for any other."""
        return None


class ShapedDecay(Decay):
    """A decay with a name and one parameter, as links, files and sliders know it."""

    shape: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]
    parameter: ClassVar[Number]
    drops: ClassVar[bool] = False
    """Whether credit falls in one step instead of bit by bit."""

    @property
    @abstractmethod
    def half_life(self) -> float:
        """Steps until half of the credit is gone; infinite when it never is."""

    @property
    @abstractmethod
    def formula(self) -> str:
        """The function as a methods section writes it."""

    @classmethod
    @abstractmethod
    def for_half_life(cls, steps: float) -> float:
        """Return the parameter, as a slider has it, that loses half of the credit by then."""

    def note(self, step_seconds: float | None) -> str:
        """Say in words when half of the credit is gone."""
        if self.half_life == inf:
            return "never decays: this is PA"
        return f"half gone after {format_steps(self.half_life, step_seconds)}"


def _steps(symbol: str, default: float, steps: tuple[float, ...], low: float, note: Note) -> Number:
    """Describe a parameter that is a number of steps."""
    return Number(
        key="decay",
        symbol=symbol,
        title=f"{symbol}, in steps",
        default=default,
        steps=steps,
        limits=(low, MAX_STEPS),
        rule="from 0.01 to 1,000,000 steps" if low else "0, or 0.01 to 1,000,000 steps",
        help=_HELP,
        note=note,
        gaps=() if low else ((0.0, MIN_STEPS),),
        summary=f"From only prompt alarms counting up to PA, as the {symbol} grows.",
    )


@dataclass(frozen=True)
class ExponentialDecay(ShapedDecay):
    """D(k) = d^k, the paper's decay; ``rate`` is d, in (0, 1].

    >>> ExponentialDecay(0.9)(np.array([0, 1, 6])).round(3).tolist()
    [1.0, 0.9, 0.531]
    >>> ExponentialDecay(0.5).half_life, ExponentialDecay(0.9).note(60)
    (1.0, 'half gone after 6.6 min')
    """

    shape: ClassVar[str] = "exponential"
    title: ClassVar[str] = "Exponential"
    about: ClassVar[str] = "D(k) = dᵏ, the paper's: each step keeps the share d."
    parameter: ClassVar[Number] = Number(
        key="decay",
        symbol="d",
        title="decay rate d",
        default=0.9,
        steps=tuple(step / 100 for step in range(1, 101)),
        limits=(1e-12, 1.0),
        rule="above 0 and at most 1",
        help=_HELP,
        note=lambda value, seconds: ExponentialDecay(value).note(seconds),
        summary="From only prompt alarms counting, at small d, up to PA at d = 1.",
    )

    rate: float = 0.9

    def __post_init__(self) -> None:
        hint = f"; a rate of {self.rate} % is {self.rate / 100}" if _is_percent(self.rate) else ""
        rate = check_number("rate", self.rate, lambda x: 0 < x <= 1, "above 0 and at most 1", hint)
        object.__setattr__(self, "rate", rate)

    def __call__(self, delays: IntArray) -> FloatArray:
        with np.errstate(under="ignore"):
            return np.power(self.rate, np.asarray(delays, dtype=np.float64))

    @property
    def label(self) -> str:
        return f"d = {self.rate:g}"

    @property
    def half_life(self) -> float:
        return log(0.5) / log(self.rate) if self.rate < 1 else inf

    @property
    def formula(self) -> str:
        return f"D(k) = {rate_text(self.rate)}^k"

    @classmethod
    def for_half_life(cls, steps: float) -> float:
        return float(round(0.5 ** (1 / steps), 2))


@dataclass(frozen=True)
class HalfLifeDecay(ShapedDecay):
    """D(k) = 2^(-k/h): half the credit is gone after every ``half_life`` steps.

    >>> HalfLifeDecay(5)(np.array([0, 5, 10])).tolist()
    [1.0, 0.5, 0.25]
    """

    shape: ClassVar[str] = "half_life"
    title: ClassVar[str] = "Half-life"
    about: ClassVar[str] = "The same curve, told by when half of the credit is gone."
    parameter: ClassVar[Number] = _steps(
        "half-life",
        6.5,
        tuple(step / 2 for step in range(1, 101)),
        MIN_STEPS,
        lambda value, seconds: HalfLifeDecay(value).note(seconds),
    )

    half_life: float = 6.6

    def __post_init__(self) -> None:
        value = check_number("half_life", self.half_life, lambda x: 0 < x < inf, "a number above 0")
        object.__setattr__(self, "half_life", value)

    def __call__(self, delays: IntArray) -> FloatArray:
        with np.errstate(under="ignore", over="ignore"):
            return np.exp2(-np.asarray(delays, dtype=np.float64) / self.half_life)

    @property
    def rate(self) -> float:
        """The d of the exponential decay that this is."""
        return float(np.exp2(-1 / self.half_life))

    @property
    def label(self) -> str:
        return f"half-life {self.half_life:g}"

    @property
    def formula(self) -> str:
        return f"D(k) = 0.5^(k/{self.half_life:.6g})"

    @classmethod
    def for_half_life(cls, steps: float) -> float:
        return round(steps * 2) / 2


@dataclass(frozen=True)
class LinearDecay(ShapedDecay):
    """D(k) = max(0, 1 - k/span): credit falls evenly and is gone after ``span`` steps.

    >>> LinearDecay(4)(np.array([0, 1, 4, 9])).tolist()
    [1.0, 0.75, 0.0, 0.0]
    """

    shape: ClassVar[str] = "linear"
    title: ClassVar[str] = "Linear"
    about: ClassVar[str] = "Credit falls evenly and is gone after the span."
    parameter: ClassVar[Number] = _steps(
        "span",
        13.0,
        tuple(float(step) for step in range(1, 101)),
        MIN_STEPS,
        lambda value, seconds: LinearDecay(value).note(seconds),
    )

    span: float = 10.0

    def __post_init__(self) -> None:
        value = check_number("span", self.span, lambda x: 0 < x < inf, "a number above 0")
        object.__setattr__(self, "span", value)

    def __call__(self, delays: IntArray) -> FloatArray:
        with np.errstate(over="ignore"):
            return np.maximum(0.0, 1 - np.asarray(delays, dtype=np.float64) / self.span)

    @property
    def label(self) -> str:
        return f"span {self.span:g}"

    @property
    def half_life(self) -> float:
        return self.span / 2

    @property
    def formula(self) -> str:
        return f"D(k) = max(0, 1 - k/{self.span:.6g})"

    @classmethod
    def for_half_life(cls, steps: float) -> float:
        return float(round(2 * steps))


@dataclass(frozen=True)
class DeadlineDecay(ShapedDecay):
    """D(k) = 1 while k <= limit, then 0: the "k-delay" rule of the AIOps challenge.

    >>> DeadlineDecay(3)(np.array([0, 3, 4])).tolist()
    [1.0, 1.0, 0.0]
    """

    shape: ClassVar[str] = "deadline"
    title: ClassVar[str] = "Deadline"
    about: ClassVar[str] = "Full credit up to the limit, then none: the k-delay rule of AIOps."
    parameter: ClassVar[Number] = _steps(
        "deadline",
        7.0,
        tuple(float(step) for step in range(101)),
        0.0,
        lambda value, seconds: DeadlineDecay(value).note(seconds),
    )
    drops: ClassVar[bool] = True

    limit: float = 7.0

    def __post_init__(self) -> None:
        value = check_number("limit", self.limit, lambda x: 0 <= x < inf, "a number of at least 0")
        object.__setattr__(self, "limit", value)

    def __call__(self, delays: IntArray) -> FloatArray:
        return (np.asarray(delays) <= self.limit).astype(np.float64)

    @property
    def label(self) -> str:
        return f"deadline {self.limit:g}"

    @property
    def half_life(self) -> float:
        return self.limit

    @property
    def formula(self) -> str:
        return f"D(k) = 1 for k <= {self.limit:g}, else 0"

    @classmethod
    def for_half_life(cls, steps: float) -> float:
        return float(round(steps))

    def note(self, step_seconds: float | None) -> str:
        return f"all gone after {format_steps(self.limit, step_seconds)}"


DECAYS: dict[str, type[ShapedDecay]] = {
    decay.shape: decay for decay in (ExponentialDecay, HalfLifeDecay, LinearDecay, DeadlineDecay)
}
"""Every decay with one parameter, by the name that links and files give it."""


def decay_of(shape: str, value: float) -> ShapedDecay:
    """Return the decay of a shape with its parameter."""
    make: Any = DECAYS[shape]
    decay: ShapedDecay = make(value)
    return decay


def shape_choice() -> Choice:
    """Describe the choice between all decays."""
    return Choice(
        key="shape",
        link="shape",
        title="How credit decays (PAdf)",
        options=tuple(Option(d.shape, d.shape, d.title, d.about) for d in DECAYS.values()),
        help="how credit decays under PAdf",
    )


def rate_text(rate: float) -> str:
    """Write a decay rate with four digits, counted from 1 where it is close to 1.

    >>> rate_text(0.9), rate_text(0.93303299), rate_text(0.9998074789)
    ('0.9', '0.933', '0.9998075')
    """
    if not 0.99 < rate < 1:
        return f"{rate:.4g}"
    digits = 3 - int(np.floor(np.log10(1 - rate)))
    return f"{rate:.{digits}f}".rstrip("0")


@dataclass(frozen=True)
class CheckedDecay(Decay):
    """Any function of the delay, held to the rules of a decay wherever it is asked.

    >>> CheckedDecay(lambda k: 1 / (1 + k))(np.array([0, 1, 3])).tolist()
    [1.0, 0.5, 0.25]
    """

    function: DecayFunction

    def __post_init__(self) -> None:
        self(_PROBES)

    def __call__(self, delays: IntArray) -> FloatArray:
        given = np.asarray(delays, dtype=np.int64)
        asked, places = np.unique(given, return_inverse=True)
        probed, order = np.unique(np.concatenate((_PROBES, asked)), return_index=True)
        values = np.concatenate((self._probe_credit, self._values(asked)))
        _check_decreasing(probed, values[order])
        credit: FloatArray = np.minimum(values[_PROBES.size :], 1.0)[places]
        return credit.reshape(given.shape)

    @cached_property
    def _probe_credit(self) -> FloatArray:
        return self._values(_PROBES)

    def _values(self, delays: IntArray) -> FloatArray:
        """Ask for all delays at once, or one by one when the function cannot do that."""
        try:
            with np.errstate(all="ignore"):
                values = np.asarray(self.function(delays.astype(np.float64)), dtype=np.float64)
        except Exception:
            values = np.empty(0)
        if values.shape == delays.shape:
            return values
        return np.fromiter(map(self._value, delays.tolist()), dtype=np.float64, count=delays.size)

    def _value(self, delay: int) -> float:
        try:
            return float(self.function(delay))  # type: ignore[arg-type]
        except Exception as error:
            raise ValueError(
                f"decay must give a number for every delay; at delay {delay} it raised {error!r}"
            ) from error

    @property
    def label(self) -> str:
        if isinstance(self.function, Decay):
            return self.function.label
        return getattr(self.function, "__name__", "custom").replace("<lambda>", "custom")


def _check_decreasing(delays: IntArray, credit: FloatArray) -> None:
    if not abs(credit[0] - 1) <= 1e-12:
        raise ValueError(f"decay must be 1 at delay 0; got {credit[0]:g}")
    outside = np.flatnonzero(~((credit >= 0) & (credit <= 1 + 1e-12)))
    if outside.size:
        at = outside[0]
        raise ValueError(
            f"decay must stay between 0 and 1; got {credit[at]:g} at delay {delays[at]}"
        )
    rising = np.flatnonzero(np.diff(credit) > 0)
    if rising.size:
        at = rising[0]
        raise ValueError(
            f"decay must not rise with the delay; got {credit[at]:g} at delay {delays[at]} "
            f"and {credit[at + 1]:g} at delay {delays[at + 1]}"
        )


def as_decay(decay: object) -> Decay:
    """Return a decay for a decay or a plain function; anything else is an error.

    All but those in `DECAYS` are checked wherever they are asked.
    """
    if isinstance(decay, CheckedDecay) or type(decay) in DECAYS.values():
        return decay  # type: ignore[return-value]
    if callable(decay) and not isinstance(decay, type):
        return CheckedDecay(decay)
    raise ValueError(
        f"decay must be a function of the delay such as ExponentialDecay(0.9); got {decay!r}"
    )


def _is_percent(rate: object) -> bool:
    return isinstance(rate, (int, float)) and not isinstance(rate, bool) and 1 < rate <= 100
