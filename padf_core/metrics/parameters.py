"""Describe protocol parameters once, for checks, links, files, commands and sliders."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import isfinite

from padf_core.metrics.checks import check_number

Value = float | str | bool
"""Possible values of a parameter."""

Note = Callable[[float, float | None], str]
"""Returns the text next to a number, given its value and the seconds of a step, if known."""


@dataclass(frozen=True)
class Number:
    """A numeric parameter, with a slider."""

    key: str
    symbol: str
    """The symbol, for example "K"."""
    title: str
    """The title above its slider, for example "K, in %"."""
    default: float
    steps: tuple[float, ...]
    """The slider's steps."""
    limits: tuple[float, float]
    """The lowest and the highest value allowed."""
    rule: str
    """The limits as text, for example "above 0 and at most 1"."""
    help: str
    """The help text of the command-line option."""
    note: Note
    gaps: tuple[tuple[float, float], ...] = field(default=())
    """Open intervals inside the limits that are refused."""
    hint: str = ""
    """Text added to the error for a number in such an interval."""
    summary: str = ""
    """The meaning of the slider's two ends, for the curve over it."""
    is_quiet: bool = False
    """Whether links omit the default value."""
    is_stepped: bool = False
    """Whether scores change in steps as the number moves, not smoothly."""

    @property
    def link(self) -> str:
        """Its name in links."""
        return self.key

    def check(self, value: object) -> float:
        """Return the number if it is allowed, or raise an error with the rule."""
        number = check_number(
            self.key, value, lambda x: self.limits[0] <= x <= self.limits[1], self.rule
        )
        if any(low < number < high for low, high in self.gaps):
            raise ValueError(f"{self.key} must be {self.rule}; got {value!r}{self.hint}")
        return number

    def allows(self, value: float) -> bool:
        """Return whether a number is allowed."""
        low, high = self.limits
        return low <= value <= high and not any(a < value < b for a, b in self.gaps)

    def to_text(self, value: Value) -> str:
        """Format a number so that it is read back exactly; whole numbers have no decimal point."""
        number = float(value)
        return str(int(number)) if number == int(number) else repr(number)

    def from_text(self, text: str) -> float:
        """Parse the output of `to_text`."""
        try:
            number = float(text)
        except ValueError:
            number = float("nan")
        if not isfinite(number):
            raise ValueError(f"{self.link} must be a number; got {text!r}")
        return number

    def nearest(self, value: float) -> float:
        """Return the slider step nearest to a value."""
        return min(self.steps, key=lambda step: abs(step - value))

    def steps_with(self, value: float) -> list[float]:
        """Return the slider steps including a value."""
        return sorted({*self.steps, value})


@dataclass(frozen=True)
class Option:
    """One option of a choice."""

    value: str | bool
    word: str
    """Its name in links and on the command line."""
    title: str
    about: str


@dataclass(frozen=True)
class Choice:
    """A parameter with a fixed set of options."""

    key: str
    title: str
    options: tuple[Option, ...]
    help: str
    link: str
    is_quiet: bool = False
    """Whether links omit the default value."""
    is_stepped: bool = False
    """Whether scores change in steps as the number moves, not smoothly."""

    @property
    def default(self) -> str | bool:
        """The first option."""
        return self.options[0].value

    @property
    def is_flag(self) -> bool:
        """Whether the options are True and False."""
        return all(isinstance(option.value, bool) for option in self.options)

    def check(self, value: object) -> str | bool:
        """Return the value if it is an option, or raise an error with the options."""
        for option in self.options:
            if type(value) is type(option.value) and value == option.value:
                return option.value
        allowed = ", ".join(str(option.value) for option in self.options)
        rule = "True or False" if self.is_flag else f"one of {allowed}"
        raise ValueError(f"{self.key} must be {rule}; got {value!r}")

    def to_text(self, value: Value) -> str:
        """Return an option's name in links."""
        return next(option.word for option in self.options if option.value == value)

    def from_text(self, text: str) -> str | bool:
        """Parse the output of `to_text`."""
        for option in self.options:
            if option.word == text:
                return option.value
        words = ", ".join(option.word for option in self.options)
        raise ValueError(f"{self.link} must be one of {words}; got {text!r}")


Parameter = Number | Choice
