"""Lesson of a visit: its progress, its link, and changes to a lesson of the user's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from padf_core.teaching.course import LESSONS
from padf_core.teaching.lessons import Lesson, Step
from padf_ui.session.asks import GUESS_KEY, LESSON_KEY, PAGE_KEY, sent, take_ask
from padf_ui.session.board import asked_pattern, asked_random
from padf_ui.session.changes import mark_changed
from padf_ui.session.lesson_progress import LessonProgress, find_lesson, name_of
from padf_ui.session.link_parts import Link, Part, flag, number
from padf_ui.session.settings import with_sliders
from padf_ui.session.store import Counter, Slot, atomic, rerun
from padf_ui.wire.asks import BoardAsk, GuessAsk, Place, Turn

LONGEST_LESSON = 12_000

_PROGRESS: Slot[LessonProgress] = Slot("padf_progress", lambda: LessonProgress(LESSONS["course"]))
_REVISION = Counter("padf_lesson_revision")
_REFUSAL: Slot[str] = Slot("padf_lesson_refusal", str)


def current_progress() -> LessonProgress:
    """Return the progress in the current lesson."""
    return _PROGRESS.get()


def lesson_revision() -> int:
    """Return the number that increases when the lesson shows another board."""
    return _REVISION.get()


def _put_progress(new: LessonProgress, *, other_board: bool = False) -> None:
    _PROGRESS.put(new)
    _REFUSAL.forget()
    if other_board:
        _REVISION.rise()
    mark_changed()


@atomic
def open_lesson(lesson: Lesson) -> None:
    """Start a lesson."""
    _put_progress(LessonProgress(lesson), other_board=True)


@atomic
def go_to_step(at: int) -> None:
    """Go to another step of the lesson."""
    _put_progress(current_progress().go(at), other_board=True)


@atomic
def take_turn() -> None:
    """Go one step back or forward, as requested by a key."""
    turn: Turn | None = sent(PAGE_KEY, "step", Turn)
    if turn is not None:
        go_to_step(current_progress().at + turn)


@atomic
def take_leave() -> None:
    """Leave the presentation."""
    present_lesson(False)


@atomic
def present_lesson(wanted: bool) -> None:
    """Turn presentation mode on or off. It uses large type and hides the navigation."""
    _put_progress(replace(current_progress(), is_presented=wanted))


@atomic
def answer_step(place: int) -> None:
    """Answer the step's question."""
    now = current_progress()
    _put_progress(replace(now, answers={**now.answers, now.at: place}))


@atomic
def reveal_truth() -> None:
    """Reveal the true curve next to a guess."""
    now = current_progress()
    _put_progress(replace(now, revealed=now.revealed | {now.at}))


@atomic
def take_answer() -> None:
    """Answer the step's question, as requested by a key."""
    place: Place | None = sent(PAGE_KEY, "answer", Place)
    question = current_progress().step.question
    if place is not None and question is not None and place < len(question.answers):
        answer_step(place)


@atomic
def take_reveal() -> None:
    """Show the right answer or the true curve, as requested by a key."""
    step = current_progress().step
    if step.question is not None:
        answer_step(step.question.right)
    elif step.part == "guess":
        reveal_truth()


@atomic
def rank_case(place: int | None) -> None:
    """Give a case the next rank. None clears the ranking."""
    now = current_progress()
    order = () if place is None else (*now.orders.get(now.at, ()), place)
    _put_progress(replace(now, orders={**now.orders, now.at: order}))


@atomic
def take_lesson() -> None:
    """Process a request of the lesson's board. The Playground's board does not change."""
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
    """Store the curve that was drawn."""
    ask, now = take_ask(GUESS_KEY, GuessAsk), current_progress()
    if ask is not None and len(ask["guess"]) == np.count_nonzero(now.step.labels):
        _PROGRESS.put(replace(now, guesses={**now.guesses, now.at: tuple(ask["guess"])}))


def edit_refusal() -> str:
    """Return why the last edit was refused, until the next change of the lesson."""
    return _REFUSAL.get()


@atomic
def edit_lesson(change: Callable[[Lesson], Lesson], *, to: int | None = None) -> None:
    """Change the lesson, and go to another step. If the change is refused, the lesson stays."""
    now = current_progress()
    try:
        lesson = change(now.lesson)
    except ValueError as error:
        reason = str(error)
        _REFUSAL.put(f"{reason[0].upper()}{reason[1:]}. The lesson has not changed.")
    else:
        step = now.at if to is None else to
        _put_progress(LessonProgress(lesson).go(step), other_board=True)


def edit_step(at: int, change: Callable[[Step], Step]) -> None:
    """Change a step, which is not always the current one: a text can arrive late."""

    def changed(lesson: Lesson) -> Lesson:
        steps = [change(step) for step in lesson.steps[at : at + 1]]
        return lesson.with_steps(at, len(steps), *steps)

    edit_lesson(changed)


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
    return "The lesson starts from the beginning."


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
