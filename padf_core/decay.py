"""What a late first detection is still worth: D(0) = 1, and never more after a longer delay."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import inf

import numpy as np

from padf_core.checks import FloatArray, IntArray, check_number

DecayFunction = Callable[[IntArray], FloatArray]

_PROBES = np.arange(101)


class Decay(ABC):
    """A decay function: delays in steps in, credit in [0, 1] out."""

    @abstractmethod
    def __call__(self, delays: IntArray) -> FloatArray:
        """Return the credit of a segment whose first detection comes after each delay."""

    @property
    @abstractmethod
    def label(self) -> str:
        """A few words for a table's head or a lane's name."""


@dataclass(frozen=True)
class ExponentialDecay(Decay):
    """D(k) = d^k, the paper's decay; ``rate`` is d, in (0, 1].

    >>> ExponentialDecay(0.9)(np.array([0, 1, 6])).round(3).tolist()
    [1.0, 0.9, 0.531]
    """

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


@dataclass(frozen=True)
class HalfLifeDecay(Decay):
    """D(k) = 2^(-k/h): half the credit is gone after every ``half_life`` steps.

    >>> HalfLifeDecay(5)(np.array([0, 5, 10])).tolist()
    [1.0, 0.5, 0.25]
    """

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


@dataclass(frozen=True)
class LinearDecay(Decay):
    """D(k) = max(0, 1 - k/span): credit falls evenly and is gone after ``span`` steps.

    >>> LinearDecay(4)(np.array([0, 1, 4, 9])).tolist()
    [1.0, 0.75, 0.0, 0.0]
    """

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


@dataclass(frozen=True)
class DeadlineDecay(Decay):
    """D(k) = 1 while k <= limit, then 0: the "k-delay" rule of the AIOps challenge.

    >>> DeadlineDecay(3)(np.array([0, 3, 4])).tolist()
    [1.0, 1.0, 0.0]
    """

    limit: float = 7.0

    def __post_init__(self) -> None:
        value = check_number("limit", self.limit, lambda x: 0 <= x < inf, "a number of at least 0")
        object.__setattr__(self, "limit", value)

    def __call__(self, delays: IntArray) -> FloatArray:
        return (np.asarray(delays) <= self.limit).astype(np.float64)

    @property
    def label(self) -> str:
        return f"deadline {self.limit:g}"


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
        asked, places = np.unique(np.asarray(delays, dtype=np.int64), return_inverse=True)
        probed, order = np.unique(np.concatenate((_PROBES, asked)), return_index=True)
        values = np.concatenate((self._probe_credit, self._values(asked)))
        _check_decreasing(probed, values[order])
        credit: FloatArray = np.minimum(values[_PROBES.size :], 1.0)[places]
        return credit

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


_KNOWN = (ExponentialDecay, HalfLifeDecay, LinearDecay, DeadlineDecay, CheckedDecay)


def as_decay(decay: object) -> Decay:
    """Return a decay for a decay or a plain function; anything else is an error.

    All but the decays of this file are checked wherever they are asked.
    """
    if isinstance(decay, _KNOWN):
        return decay
    if callable(decay) and not isinstance(decay, type):
        return CheckedDecay(decay)
    raise ValueError(
        f"decay must be a function of the delay such as ExponentialDecay(0.9); got {decay!r}"
    )


def _is_percent(rate: object) -> bool:
    return isinstance(rate, (int, float)) and not isinstance(rate, bool) and 1 < rate <= 100
