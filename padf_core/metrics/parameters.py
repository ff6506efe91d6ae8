"""What can be chosen about a protocol, described once: for checks, links, files, the command and
sliders alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import isfinite

from padf_core.metrics.checks import check_number

Value = float | str | bool
"""What a parameter can be."""

Note = Callable[[float, float | None], str]
"""What stands beside a number, given its value and the seconds of a step, if it has any."""


@dataclass(frozen=True)
class Number:
    """A parameter that is a number, with a slider."""

    key: str
    symbol: str
    """How it is written: "K"."""
    title: str
    """What it is called above its slider: "K, in %"."""
    default: float
    steps: tuple[float, ...]
    """The slider's steps."""
    limits: tuple[float, float]
    """Lowest and highest value that may be typed."""
    rule: str
    """The limits in words: "above 0 and at most 1"."""
    help: str
    """For the command line."""
    note: Note
    gaps: tuple[tuple[float, float], ...] = field(default=())
    """Open ranges inside the limits that are refused."""
    hint: str = ""
    """What is added when a number inside a gap is refused."""
    summary: str = ""
    """What the two ends of the slider mean, for the curve over it."""
    is_quiet: bool = False
    """Whether links leave it out while it is as by default."""

    @property
    def link(self) -> str:
        """The name in links."""
        return self.key

    def check(self, value: object) -> float:
        """Return the number if it may be chosen, else say the rule."""
        number = check_number(
            self.key, value, lambda x: self.limits[0] <= x <= self.limits[1], self.rule
        )
        if any(low < number < high for low, high in self.gaps):
            raise ValueError(f"{self.key} must be {self.rule}; got {value!r}{self.hint}")
        return number

    def allows(self, value: float) -> bool:
        """Say whether a number may be chosen."""
        low, high = self.limits
        return low <= value <= high and not any(a < value < b for a, b in self.gaps)

    def to_text(self, value: Value) -> str:
        """Write it so that it is read back exactly, whole ones without a point."""
        number = float(value)
        return str(int(number)) if number == int(number) else repr(number)

    def from_text(self, text: str) -> float:
        """Read what `to_text` wrote."""
        try:
            number = float(text)
        except ValueError:
            number = float("nan")
        if not isfinite(number):
            raise ValueError(f"{self.link} must be a number; got {text!r}")
        return number

    def nearest(self, value: float) -> float:
        """Return the step of the slider that is nearest to a value."""
        return min(self.steps, key=lambda step: abs(step - value))

    def steps_with(self, value: float) -> list[float]:
        """Return the slider's steps with a value among them."""
        return sorted({*self.steps, value})


@dataclass(frozen=True)
class Option:
    """One of a few things that can be chosen."""

    value: str | bool
    word: str
    """The name in links and on the command line."""
    title: str
    about: str


@dataclass(frozen=True)
class Choice:
    """A parameter that is one of a few."""

    key: str
    title: str
    options: tuple[Option, ...]
    help: str
    link: str
    is_quiet: bool = False
    """Whether links leave it out while it is as by default."""

    @property
    def default(self) -> str | bool:
        """The first option."""
        return self.options[0].value

    @property
    def is_flag(self) -> bool:
        """Whether it is a plain yes or no."""
        return all(isinstance(option.value, bool) for option in self.options)

    def check(self, value: object) -> str | bool:
        """Return the value if it is one of the options, else say which there are."""
        for option in self.options:
            if type(value) is type(option.value) and value == option.value:
                return option.value
        allowed = ", ".join(str(option.value) for option in self.options)
        rule = "True or False" if self.is_flag else f"one of {allowed}"
        raise ValueError(f"{self.key} must be {rule}; got {value!r}")

    def to_text(self, value: Value) -> str:
        """Write an option as links do."""
        return next(option.word for option in self.options if option.value == value)

    def from_text(self, text: str) -> str | bool:
        """Read what `to_text` wrote."""
        for option in self.options:
            if option.word == text:
                return option.value
        words = ", ".join(option.word for option in self.options)
        raise ValueError(f"{self.link} must be one of {words}; got {text!r}")


Parameter = Number | Choice
