"""A lesson: how far somebody is, what they did on the way, and the lesson that they write."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from padf_core import Settings
from padf_core.teaching.course import LESSONS
from padf_core.teaching.lessons import Lesson, Step, lesson_from_text, lesson_to_text
from padf_ui.session.board import asked_pattern, asked_random
from padf_ui.session.board_file import Board
from padf_ui.session.links import Link, Part, flag, number
from padf_ui.session.settings import with_sliders
from padf_ui.session.store import (
    GUESS_KEY,
    LESSON_KEY,
    PAGE_KEY,
    Counter,
    Slot,
    atomic,
    mark_changed,
    rerun,
    sent,
    take_ask,
)
from padf_ui.wire.asks import BoardAsk, GuessAsk, Turn

LONGEST_LESSON = 12_000


@dataclass(frozen=True, eq=False)
class LessonProgress:
    """A lesson, the step that is looked at, and everything that was painted, chosen and drawn."""

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
        """The step that is looked at."""
        return self.lesson.steps[self.at]

    @property
    def board(self) -> Board:
        """The step's board, as it was left."""
        step = self.step
        return self.boards.get(self.at) or Board(step.labels, step.detections, step.unit)

    @property
    def board_name(self) -> str:
        """A short name for the step's board that no other step or lesson shares."""
        return f"lesson {zlib.crc32(name_of(self.lesson).encode()):08x} step {self.at}"

    @property
    def chosen(self) -> Settings:
        """The step's settings, as they were left."""
        return self.settings.get(self.at, self.step.chosen)

    @property
    def answer(self) -> int | None:
        """What was chosen as the answer to the step's question."""
        return self.answers.get(self.at)

    @property
    def is_open(self) -> bool:
        """Whether the numbers may be seen: there is no question, or it has been answered."""
        return self.step.question is None or self.answer is not None

    def go(self, at: int) -> LessonProgress:
        """Return the same lesson at another step."""
        return replace(self, at=min(max(at, 0), len(self.lesson.steps) - 1))


def find_lesson(text: str) -> Lesson:
    """Return a lesson by its name, or the one that a link holds."""
    return LESSONS[text] if text in LESSONS else lesson_from_text(text)


def name_of(lesson: Lesson) -> str:
    """Return what links call a lesson: its name, or all of it."""
    known = next((name for name, other in LESSONS.items() if other is lesson), None)
    return known or lesson_to_text(lesson)


# ---- the lesson of a visit -----------------------------------------------------------------------

_PROGRESS: Slot[LessonProgress] = Slot("padf_progress", lambda: LessonProgress(LESSONS["course"]))
_REVISION = Counter("padf_lesson_revision")
_OWN_STEPS: Slot[list[Step]] = Slot("padf_own_steps", list)


def current_progress() -> LessonProgress:
    """Return how far somebody is in a lesson."""
    return _PROGRESS.get()


def lesson_revision() -> int:
    """Return the number that rises when another board is shown in the lesson."""
    return _REVISION.get()


def _put_progress(new: LessonProgress, *, other_board: bool = False) -> None:
    _PROGRESS.put(new)
    if other_board:
        _REVISION.rise()
    mark_changed()


@atomic
def open_lesson(lesson: Lesson) -> None:
    """Begin a lesson."""
    _put_progress(LessonProgress(lesson), other_board=True)


@atomic
def go_to_step(at: int) -> None:
    """Look at another step of the lesson."""
    _put_progress(current_progress().go(at), other_board=True)


@atomic
def take_turn() -> None:
    """Take a step on or back that was asked for by a key."""
    turn: Turn | None = sent(PAGE_KEY, "step", Turn)
    if turn is not None:
        go_to_step(current_progress().at + turn)


@atomic
def take_leave() -> None:
    """Leave the presentation."""
    present_lesson(False)


@atomic
def present_lesson(wanted: bool) -> None:
    """Show the lesson in big type and without the frame, or as usual."""
    _put_progress(replace(current_progress(), is_presented=wanted))


@atomic
def answer_step(place: int) -> None:
    """Answer the step's question."""
    now = current_progress()
    _put_progress(replace(now, answers={**now.answers, now.at: place}))


@atomic
def reveal_truth() -> None:
    """Show the truth beside a guess."""
    now = current_progress()
    _put_progress(replace(now, revealed=now.revealed | {now.at}))


@atomic
def rank_case(place: int | None) -> None:
    """Give a case the next place; None begins again."""
    now = current_progress()
    order = () if place is None else (*now.orders.get(now.at, ()), place)
    _put_progress(replace(now, orders={**now.orders, now.at: order}))


@atomic
def take_lesson() -> None:
    """Take what the lesson's board asks for; the Playground's board stays as it is."""
    ask, now = take_ask(LESSON_KEY, BoardAsk), current_progress()
    if ask is None:
        return
    if ask.get("revision") == lesson_revision():
        drawn = asked_pattern(ask, now.board)
        tossed = asked_random(ask, drawn or now.board)
        if drawn or tossed:
            boards_now = {**now.boards, now.at: tossed or drawn or now.board}
            now = replace(now, boards=boards_now)
        if tossed:
            _REVISION.rise()
    chosen = with_sliders(now.chosen, ask.get("settings", {}))
    _PROGRESS.put(replace(now, settings={**now.settings, now.at: chosen}))
    if ask.get("final"):
        rerun()


@atomic
def take_guess() -> None:
    """Take the curve that was drawn."""
    ask, now = take_ask(GUESS_KEY, GuessAsk), current_progress()
    if ask is not None and len(ask["guess"]) == np.count_nonzero(now.step.labels):
        _PROGRESS.put(replace(now, guesses={**now.guesses, now.at: tuple(ask["guess"])}))


def own_steps() -> list[Step]:
    """Return the steps of the lesson that is being written."""
    return list(_OWN_STEPS.get())


@atomic
def put_own_steps(steps: Sequence[Step]) -> None:
    """Keep the steps of the lesson that is being written."""
    _OWN_STEPS.put(list(steps))


# ---- links ---------------------------------------------------------------------------------------


def _now() -> dict[str, Any]:
    now = current_progress()
    return {"lesson": now.lesson, "step": now.at + 1, "present": now.is_presented}


def _take(values: Mapping[str, Any]) -> Sequence[str]:
    lesson, step = values["lesson"], values["step"]
    now = current_progress() if current_progress().lesson == lesson else LessonProgress(lesson)
    _put_progress(replace(now.go(int(step) - 1), is_presented=values["present"]), other_board=True)
    steps = len(lesson.steps)
    return () if 1 <= step <= steps else (f"step {step:g} (there are {steps})",)


def _refuse() -> str:
    open_lesson(LESSONS["course"])
    return "The lesson is shown from its beginning."


LINK = Link(
    parts=(
        Part(
            "lesson",
            LESSONS["course"],
            find_lesson,
            name_of,
            longest=LONGEST_LESSON,
            is_always_written=True,
            example="operators",
        ),
        number("step", 1.0, -1e9, 1e9, is_always_written=True),
        flag("present"),
    ),
    now=_now,
    take=_take,
    refuse=_refuse,
)
