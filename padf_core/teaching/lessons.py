"""Lessons as data: steps on one board, with patterns, tools, texts and questions.

Users can write lessons. A lesson is stored in a link or a file, and checked when it is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from padf_core.io.notation import parse_points
from padf_core.metrics.checks import BoolArray
from padf_core.metrics.parameters import Value
from padf_core.metrics.protocols import PROTOCOLS
from padf_core.metrics.settings import Settings

MAX_STEPS = 40
MAX_TEXT = 2000
MAX_POINTS = 300
MAX_NAME = 30

PAINT = ("truth", "detections")
TOOLS = ("undo", "redo", "earlier", "later", "clear", "random", "svg", "png")


@dataclass(frozen=True)
class Question:
    """A question to answer before the solution is shown."""

    text: str
    answers: tuple[str, ...]
    right: int
    why: str
    mistakes: tuple[str, ...] = ()
    """For each answer, the mistake that leads to it: "precision alone". Empty for the right one."""

    def verdict(self, given: int) -> str:
        """Return what to say to an answer.

        >>> asked = Question("1 + 1?", ("2", "11"), 0, "Add them.", ("", "the digits in a row"))
        >>> asked.verdict(1)
        'Not quite: the answer is 2. You chose 11, which is the digits in a row. Add them.'
        """
        if given == self.right:
            return f"Right. {self.why}"
        said = f"Not quite: the answer is {self.answers[self.right]}."
        if self.mistakes and self.mistakes[given]:
            said += f" You chose {self.answers[given]}, which is {self.mistakes[given]}."
        return f"{said} {self.why}"

    def __post_init__(self) -> None:
        _check_text("question", self.text)
        _check_text("the explanation of the answer", self.why)
        if not 2 <= len(self.answers) <= 6:
            raise ValueError(f"a question must have 2 to 6 answers; got {len(self.answers)}")
        for answer in self.answers:
            _check_text("answer", answer)
        if not isinstance(self.right, int) or not 0 <= self.right < len(self.answers):
            raise ValueError(f"right must be the position of an answer; got {self.right!r}")
        if len(self.mistakes) not in (0, len(self.answers)):
            raise ValueError("mistakes must be empty or have an entry for each answer")
        for mistake in filter(None, self.mistakes):
            _check_text("mistake", mistake)


@dataclass(frozen=True)
class Step:
    """One step of a lesson."""

    title: str
    text: str
    size: int = 40
    truth: str = ""
    alarms: str = ""
    lanes: tuple[str, ...] = ("pointwise", "pa", "pa_k", "padf")
    """The protocols to show."""
    settings: dict[str, Value] = field(default_factory=dict)
    """Parameters that differ from their defaults."""
    paint: tuple[str, ...] = ("detections",)
    tools: tuple[str, ...] = ("undo", "redo", "earlier", "later")
    sliders: tuple[str, ...] = ()
    numbers: bool = True
    formula: bool = False
    dim: tuple[str, ...] = ()
    spread: bool = False
    worth: bool = False
    question: Question | None = None
    part: str = ""
    """An extra part next to the board: one of `PARTS`, or empty."""
    unit: str = "5min"
    """The duration of one point on the board."""
    name: str = ""
    """A short title for the list of steps; the title itself if empty."""

    def __post_init__(self) -> None:
        _check_text("title", self.title)
        _check_text("text", self.text)
        if not isinstance(self.name, str) or len(self.name) > MAX_NAME:
            raise ValueError(f"name must be a text of at most {MAX_NAME} characters")
        if not isinstance(self.size, int) or not 5 <= self.size <= MAX_POINTS:
            raise ValueError(f"size must be from 5 to {MAX_POINTS}; got {self.size!r}")
        for name, allowed in (
            ("lanes", PROTOCOLS),
            ("dim", PROTOCOLS),
            ("paint", PAINT),
            ("tools", TOOLS),
        ):
            _check_among(name, getattr(self, name), tuple(allowed))
        keys = tuple(number.key for number in self.chosen.numbers().values())
        _check_among("sliders", self.sliders, keys)
        _check_among("part", (self.part,), ("", *PARTS))
        _ = self.labels, self.detections

    @property
    def short(self) -> str:
        """The name for the list of steps."""
        name = self.name or self.title
        return name if len(name) <= MAX_NAME else f"{name[: MAX_NAME - 1]}…"

    @property
    def labels(self) -> BoolArray:
        """The labels on the board."""
        return parse_points(self.truth, self.size, "truth")

    @property
    def detections(self) -> BoolArray:
        """The detections on the board."""
        return parse_points(self.alarms, self.size, "alarms")

    @property
    def chosen(self) -> Settings:
        """The settings of the step, including its reference lanes."""
        references = [key for key in self.lanes if PROTOCOLS[key].is_reference]
        return Settings(references, **self.settings)


PARTS = ("random", "guess", "rank")
"""Parts next to the board: a strip of random detectors, a curve to guess, or cases to rank."""


@dataclass(frozen=True)
class Lesson:
    """Steps in order, with a title."""

    title: str
    steps: tuple[Step, ...]

    def __post_init__(self) -> None:
        _check_text("title", self.title)
        if not 1 <= len(self.steps) <= MAX_STEPS:
            raise ValueError(f"a lesson must have 1 to {MAX_STEPS} steps; got {len(self.steps)}")

    def with_steps(self, at: int, count: int, *steps: Step) -> Lesson:
        """Return the lesson with these steps in the place of ``count`` steps from ``at`` on."""
        return replace(self, steps=(*self.steps[:at], *steps, *self.steps[at + count :]))


def _check_text(name: str, text: object) -> None:
    if not isinstance(text, str) or not text.strip() or len(text) > MAX_TEXT:
        raise ValueError(f"{name} must be a text of 1 to {MAX_TEXT} characters")


def _check_among(name: str, chosen: Sequence[object], allowed: Sequence[str]) -> None:
    for each in chosen:
        if each not in allowed:
            raise ValueError(
                f"{name} must be among {', '.join(filter(None, allowed))}; got {each!r}"
            )
