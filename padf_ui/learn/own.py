"""Editor for a teacher's own lesson. The lesson on the page is both what is edited and its preview.

The lesson is part of the page's link, so that nothing is lost on a reload.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from padf_core import PROTOCOLS
from padf_core.io.notation import format_ranges
from padf_core.teaching.course import LESSONS
from padf_core.teaching.lesson_files import lesson_from_json
from padf_core.teaching.lessons import (
    MAX_NAME,
    MAX_STEPS,
    MAX_TEXT,
    PAINT,
    TOOLS,
    Lesson,
    Question,
    Step,
)
from padf_ui.components.names import plain
from padf_ui.components.widgets import file_form
from padf_ui.components.words import pattern_text
from padf_ui.session.board import current_board
from padf_ui.session.lesson import (
    LONGEST_LESSON,
    edit_lesson,
    edit_refusal,
    edit_step,
    open_lesson,
)
from padf_ui.session.lesson_progress import LessonProgress, name_of
from padf_ui.session.settings import current_settings
from padf_ui.session.widget_values import bound

MISTAKE = " | "
"""Separates a wrong answer from the mistake that leads to it."""

Change = Callable[[Lesson], Lesson]

SHOWN = {
    "Show the scores": "numbers",
    "Show the formula": "formula",
    "Show the decay curve": "worth",
}
"""The parts of a step that can be shown or not, with the names of their fields."""

NEW_QUESTION = Question("Which one is it?", ("The wrong one", "The right one"), 1, "Because.")


def show_writer(progress: LessonProgress) -> None:
    """Let a teacher edit the lesson on the page, or start one of their own."""
    if name_of(progress.lesson) in LESSONS:
        _show_start(progress.lesson)
    else:
        _show_editor(progress)
    file_form("A lesson from a file (JSON)", "Open it", _open_file, "The lesson stays")


def _open_file(content: bytes) -> None:
    open_lesson(lesson_from_json(content))


def _show_start(lesson: Lesson) -> None:
    st.markdown(
        "Start with the board that is on the Playground now, or with a copy of this lesson. You "
        "then edit the step that is shown above."
    )
    _show_captured()
    with st.container(horizontal=True, gap="small"):
        new = Lesson("My lesson", (_captured(),))
        copy = replace(lesson, title=f"{lesson.title} (copy)")
        st.button("New lesson", type="primary", on_click=open_lesson, args=(new,))
        st.button("Copy of this lesson", on_click=edit_lesson, args=(lambda _: copy,))


def _captured() -> Step:
    return Step("New step", "Describe what to look at.", **_playground())


def _playground() -> dict[str, Any]:
    """Return the fields of a step that come from the Playground."""
    board, settings = current_board(), current_settings()
    return {
        "size": board.size,
        "truth": format_ranges(board.labels),
        "alarms": format_ranges(board.detections),
        "lanes": tuple(protocol.key for protocol in settings.protocols()),
        "settings": dict(settings.values),
        "unit": board.step,
    }


def _show_captured() -> None:
    board = current_board()
    st.markdown("On the Playground now (# hit, - missed point, x false alarm):")
    st.code(pattern_text(board.labels, board.detections), language=None, wrap_lines=True)


def _show_editor(progress: LessonProgress) -> None:
    lesson = progress.lesson
    st.markdown(
        "The step above changes as you type. The address of this page contains the lesson, so a "
        "reload loses nothing, and Back in your browser undoes an edit."
    )
    refusal = edit_refusal()
    if refusal:
        st.error(plain(refusal))
    length = len(name_of(lesson))
    if length > LONGEST_LESSON:
        st.warning(
            f"The lesson is too long for a link: {length:,} of {LONGEST_LESSON:,} characters. Save "
            "it as a file, under Share and download."
        )
    st.text_input(
        "Lesson title",
        lesson.title,
        max_chars=100,
        **bound(
            "own_lesson",
            lesson.title,
            lambda title: edit_lesson(lambda lesson: replace(lesson, title=title)),
        ),
    )
    _show_order(progress.at, len(lesson.steps))
    left, right = st.columns(2, gap="large")
    with left:
        _show_texts(progress.at, progress.step)
        _show_question(progress.at, progress.step.question)
    with right:
        _show_board(progress.at, progress.step)


def _show_order(at: int, count: int) -> None:
    """Show buttons that add, copy, move and delete steps.

    Each changes the lesson as it is when the click arrives: a text that was just typed comes with
    the click.
    """
    new = _captured()

    def moved(lesson: Lesson, first: int) -> Lesson:
        return lesson.with_steps(first, 2, *reversed(lesson.steps[first : first + 2]))

    changes: dict[str, tuple[Change, int, bool]] = {
        "New step": (lambda now: now.with_steps(at + 1, 0, new), at + 1, count < MAX_STEPS),
        "Duplicate": (
            lambda now: now.with_steps(at + 1, 0, now.steps[at]),
            at + 1,
            count < MAX_STEPS,
        ),
        "Move back": (lambda now: moved(now, at - 1), at - 1, at > 0),
        "Move forward": (lambda now: moved(now, at), at + 1, at + 1 < count),
        "Delete": (lambda now: now.with_steps(at, 1), at, count > 1),
    }
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.markdown(f"Step {at + 1} of {count}")
        for label, (change, to, is_possible) in changes.items():
            st.button(label, on_click=partial(edit_lesson, change, to=to), disabled=not is_possible)


def _field(at: int, name: str, value: object) -> dict[str, Any]:
    """Return the key and the callback of a widget that edits a field of a step."""

    def take(chosen: Any) -> None:
        new: dict[str, Any] = {name: tuple(chosen) if isinstance(chosen, list) else chosen}
        edit_step(at, lambda step: replace(step, **new))

    return bound(f"own_{name}_{at}", value, take)


def _show_texts(at: int, step: Step) -> None:
    st.text_input("Title", step.title, max_chars=100, **_field(at, "title", step.title))
    st.text_input(
        "Name in the list of steps (optional)",
        step.name,
        max_chars=MAX_NAME,
        **_field(at, "name", step.name),
    )
    st.text_area(
        r"Text (write \*\*word\*\* to make a word bold)",
        step.text,
        height=150,
        max_chars=MAX_TEXT,
        **_field(at, "text", step.text),
    )


def _show_question(at: int, question: Question | None) -> None:
    if question is None:
        add = partial(edit_step, at, lambda step: replace(step, question=NEW_QUESTION))
        st.button("Add a question", on_click=add)
        return
    lines = _lines_of(question)
    st.text_input(
        "Question",
        question.text,
        max_chars=300,
        **_question_field(at, "text", question.text),
    )
    st.text_area(
        "Answers, one per line, the right one first",
        lines,
        height=150,
        max_chars=MAX_TEXT,
        **_question_field(at, "answers", lines),
        help="After a wrong answer you can write | and the mistake that leads to it: "
        "0.750 | precision alone",
    )
    st.text_input(
        "Explanation of the right answer",
        question.why,
        max_chars=500,
        **_question_field(at, "why", question.why),
    )
    remove = partial(edit_step, at, lambda step: replace(step, question=None))
    st.button("Remove the question", on_click=remove)


def _question_field(at: int, name: str, value: str) -> dict[str, Any]:
    """Return the key and the callback of a widget that edits a field of a step's question."""

    def take(text: str) -> None:
        def change(step: Step) -> Step:
            asked = step.question
            if asked is None:
                return step
            if name == "answers":
                return replace(step, question=_with_answers(asked, text))
            new: dict[str, Any] = {name: text}
            return replace(step, question=replace(asked, **new))

        edit_step(at, change)

    return bound(f"own_question_{name}_{at}", value, take)


def _lines_of(question: Question) -> str:
    """Return the answers as lines that begin with the right one."""
    mistakes = question.mistakes or ("",) * len(question.answers)
    lines = [
        f"{answer}{MISTAKE}{mistake}" if mistake else answer
        for answer, mistake in zip(question.answers, mistakes, strict=True)
    ]
    return "\n".join(lines[question.right :] + lines[: question.right])


def _with_answers(question: Question, lines: str) -> Question:
    """Return a question with the answers of these lines. The first, right one moves to the middle.

    >>> asked = _with_answers(NEW_QUESTION, "1\\n2 | one too many\\n3")
    >>> asked.answers, asked.right, asked.mistakes
    (('3', '1', '2'), 1, ('', '', 'one too many'))
    >>> _lines_of(asked).splitlines()
    ['1', '2 | one too many', '3']
    """
    given = [line.partition(MISTAKE) for line in lines.splitlines() if line.strip()]
    middle = len(given) // 2 or 1
    turned = given[-middle:] + given[:-middle]
    answers = tuple(answer.strip() for answer, _, _ in turned)
    mistakes = tuple(mistake.strip() for _, _, mistake in turned)
    right = middle % max(len(given), 1)
    return replace(
        question, answers=answers, right=right, mistakes=mistakes if any(mistakes) else ()
    )


def _show_board(at: int, step: Step) -> None:
    """Show what the students see of the board, and what they may change."""
    numbers = {number.key: number.title for number in step.chosen.numbers().values()}
    st.multiselect(
        "Lanes",
        list(PROTOCOLS),
        step.lanes,
        **_field(at, "lanes", list(step.lanes)),
        format_func=lambda key: PROTOCOLS[key].name,
    )
    st.multiselect(
        "Sliders",
        list(numbers),
        step.sliders,
        **_field(at, "sliders", list(step.sliders)),
        format_func=numbers.__getitem__,
    )
    st.multiselect("Students may paint", PAINT, step.paint, **_field(at, "paint", list(step.paint)))
    st.multiselect("Tools", TOOLS, step.tools, **_field(at, "tools", list(step.tools)))
    for label, name in SHOWN.items():
        st.checkbox(label, getattr(step, name), **_field(at, name, getattr(step, name)))
    _show_captured()
    st.button("Use the board of the Playground", on_click=_use_playground, args=(at,))


def _use_playground(at: int) -> None:
    """Replace the step's pattern and settings, and keep the sliders that there still are."""
    known = _captured().chosen.numbers()

    def change(step: Step) -> Step:
        sliders = tuple(key for key in step.sliders if key in known)
        return replace(step, **_playground(), sliders=sliders)

    edit_step(at, change)
