"""Progress in a lesson, with everything the user painted, chose and drew."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field, replace

from padf_core import Settings
from padf_core.teaching.course import LESSONS
from padf_core.teaching.lesson_files import lesson_from_text, lesson_to_text
from padf_core.teaching.lessons import Lesson, Step
from padf_ui.session.board_file import Board


@dataclass(frozen=True, eq=False)
class LessonProgress:
    """A lesson, its current step, and everything the user painted, chose and drew."""

    lesson: Lesson
    at: int = 0
    boards: dict[int, Board] = field(default_factory=dict)
    settings: dict[int, Settings] = field(default_factory=dict)
    answers: dict[int, int] = field(default_factory=dict)
    guesses: dict[int, tuple[int, ...]] = field(default_factory=dict)
    orders: dict[int, tuple[int, ...]] = field(default_factory=dict)
    revealed: frozenset[int] = frozenset()
    is_presented: bool = False

    @property
    def step(self) -> Step:
        """The current step."""
        return self.lesson.steps[self.at]

    @property
    def board(self) -> Board:
        """The step's board, with the user's changes."""
        step = self.step
        return self.boards.get(self.at) or Board(step.labels, step.detections, step.unit)

    @property
    def board_name(self) -> str:
        """A short name of the step's board, unique across steps and lessons."""
        return f"lesson {zlib.crc32(name_of(self.lesson).encode()):08x} step {self.at}"

    @property
    def chosen(self) -> Settings:
        """The step's settings, with the user's changes."""
        return self.settings.get(self.at, self.step.chosen)

    @property
    def answer(self) -> int | None:
        """The index of the chosen answer, or None."""
        return self.answers.get(self.at)

    @property
    def is_open(self) -> bool:
        """Whether scores may be shown: there is no question, or it has been answered."""
        return self.step.question is None or self.answer is not None

    def go(self, at: int) -> LessonProgress:
        """Return the lesson at another step."""
        return replace(self, at=min(max(at, 0), len(self.lesson.steps) - 1))


def find_lesson(text: str) -> Lesson:
    """Return a lesson by name, or decode the lesson in a link."""
    return LESSONS[text] if text in LESSONS else lesson_from_text(text)


def name_of(lesson: Lesson) -> str:
    """Return the lesson as written in links: its name, or its whole content."""
    known = next((name for name, other in LESSONS.items() if other == lesson), None)
    return known or lesson_to_text(lesson)
