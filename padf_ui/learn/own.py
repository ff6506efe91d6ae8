"""Editor for a teacher's own lesson. The lesson on the page is both what is edited and its preview.

The lesson is part of the page's link, so that nothing is lost on a reload.
"""

from __future__ import annotations

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

SHOWN = {
    "Show the scores": "numbers",
    "Show the formula": "formula",
    "Show the decay curve": "worth",
}
"""The parts of a step that can be shown or not, with the names of their fields."""

NEW_QUESTION = Question("Which one is it?", ("The wrong one", "The right one"), 1, "Because.")


def show_writer(progress: LessonProgress) -> None:
    """Let a teacher edit the lesson on the page, or start one of their own."""
    if progress.lesson in LESSONS.values():
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
        st.button("Copy of this lesson", on_click=edit_lesson, args=(lambda now: copy,))


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
            lambda title: edit_lesson(lambda now: replace(now.lesson, title=title)),
        ),
    )
    _show_order(progress)
    left, right = st.columns(2, gap="large")
    with left:
        _show_texts(progress.step)
        _show_question(progress.step.question)
    with right:
        _show_board(progress.step)


def _show_order(progress: LessonProgress) -> None:
    """Show buttons that add, copy, move and delete steps."""
    at, steps = progress.at, progress.lesson.steps
    is_full = len(steps) >= MAX_STEPS

    def change(label: str, first: int, count: int, *new: Step, to: int, disabled: bool) -> None:
        st.button(
            label,
            on_click=partial(
                edit_lesson, lambda now: now.lesson.with_steps(first, count, *new), to=to
            ),
            disabled=disabled,
        )

    now = progress.step
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.markdown(f"Step {at + 1} of {len(steps)}")
        change("New step", at + 1, 0, _captured(), to=1, disabled=is_full)
        change("Duplicate", at + 1, 0, now, to=1, disabled=is_full)
        before, after = steps[max(at - 1, 0)], steps[min(at + 1, len(steps) - 1)]
        change("Move back", at - 1, 2, now, before, to=-1, disabled=at == 0)
        change("Move forward", at, 2, after, now, to=1, disabled=at == len(steps) - 1)
        change("Delete", at, 1, to=0, disabled=len(steps) == 1)


def _field(name: str, value: object) -> dict[str, Any]:
    """Return the key and the callback of a widget that edits a field of the step."""

    def take(chosen: Any) -> None:
        edit_step(**{name: tuple(chosen) if isinstance(chosen, list) else chosen})

    return bound(f"own_{name}", value, take)


def _show_texts(step: Step) -> None:
    st.text_input("Title", step.title, max_chars=100, **_field("title", step.title))
    st.text_input(
        "Name in the list of steps (optional)",
        step.name,
        max_chars=MAX_NAME,
        **_field("name", step.name),
    )
    st.text_area("Text (use **word** for bold)", step.text, height=110, **_field("text", step.text))


def _show_question(question: Question | None) -> None:
    if question is None:
        st.button("Add a question", on_click=partial(edit_step, question=NEW_QUESTION))
        return
    asked = question

    def take_text(text: str) -> None:
        edit_step(question=replace(asked, text=text))

    def take_why(why: str) -> None:
        edit_step(question=replace(asked, why=why))

    def take_answers(lines: str) -> None:
        edit_lesson(lambda now: _with_question(now, _with_answers(asked, lines)))

    lines = _lines_of(asked)
    st.text_input("Question", asked.text, max_chars=300, **bound("own_text", asked.text, take_text))
    st.text_area(
        "Answers, one per line, the right one first",
        lines,
        height=150,
        max_chars=MAX_TEXT,
        **bound("own_answers", lines, take_answers),
        help="After a wrong answer you can write | and the mistake that leads to it: "
        "0.750 | precision alone",
    )
    st.text_input(
        "Explanation of the right answer",
        asked.why,
        max_chars=500,
        **bound("own_why", asked.why, take_why),
    )
    st.button("Remove the question", on_click=partial(edit_step, question=None))


def _with_question(progress: LessonProgress, question: Question) -> Lesson:
    step = replace(progress.step, question=question)
    return progress.lesson.with_steps(progress.at, 1, step)


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


def _show_board(step: Step) -> None:
    """Show what the students see of the board, and what they may change."""
    numbers = {number.key: number.title for number in step.chosen.numbers().values()}
    st.multiselect(
        "Lanes",
        list(PROTOCOLS),
        step.lanes,
        **_field("lanes", list(step.lanes)),
        format_func=lambda key: PROTOCOLS[key].name,
    )
    st.multiselect(
        "Sliders",
        list(numbers),
        step.sliders,
        **_field("sliders", list(step.sliders)),
        format_func=numbers.__getitem__,
    )
    st.multiselect("Students may paint", PAINT, step.paint, **_field("paint", list(step.paint)))
    st.multiselect("Tools", TOOLS, step.tools, **_field("tools", list(step.tools)))
    for label, name in SHOWN.items():
        st.checkbox(label, getattr(step, name), **_field(name, getattr(step, name)))
    _show_captured()
    st.button("Use the board of the Playground", on_click=_use_playground, args=(step,))


def _use_playground(step: Step) -> None:
    """Replace the step's pattern and settings, and keep the sliders that there still are."""
    taken = Step(step.title, step.text, **_playground())
    known = taken.chosen.numbers()
    edit_step(**_playground(), sliders=tuple(key for key in step.sliders if key in known))
