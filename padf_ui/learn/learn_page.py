"""Widgets of Learn: text, a question and a board limited to what the step allows."""

from __future__ import annotations

from functools import partial

import streamlit as st

from padf_core.teaching.course import LESSONS
from padf_core.teaching.lesson_files import lesson_to_json
from padf_core.teaching.lessons import Lesson
from padf_ui.components import downloads, mounting, widgets
from padf_ui.components.board_message import board_rows
from padf_ui.components.file_names import stamped
from padf_ui.components.lanes import sliders_of
from padf_ui.components.names import plain
from padf_ui.components.standalone import frame_line, lesson_html, tailor_of
from padf_ui.components.terms import say, tell
from padf_ui.learn import step_parts
from padf_ui.learn.handout import handout_html
from padf_ui.session.asks import LESSON_KEY, answered, visit_name
from padf_ui.session.board import link_to, open_in_playground
from padf_ui.session.lesson import (
    answer_step,
    current_progress,
    go_to_step,
    lesson_revision,
    open_lesson,
    present_lesson,
    take_lesson,
)
from padf_ui.session.lesson_progress import LessonProgress, name_of
from padf_ui.session.widget_values import bound
from padf_ui.wire.board import BoardData

LESSON_FILE = "padf-lesson.html"
KEYS = "Keys: ← → steps, 1 to 6 answer, R show the answer, Esc leave."


def show_steps(progress: LessonProgress) -> None:
    """Show the numbered names of all steps. Clicking one opens its step."""
    steps = progress.lesson.steps
    st.segmented_control(
        "Step",
        range(len(steps)),
        default=progress.at,
        **bound("lesson_step", progress.at, _go),
        format_func=lambda at: f"{at + 1} {plain(steps[at].short)}",
        label_visibility="collapsed",
    )


def _go(at: int | None) -> None:
    if at is not None:
        go_to_step(at)


def show_turns(progress: LessonProgress) -> None:
    """Show the buttons that go through the lesson, and those that present or open it."""
    last = len(progress.lesson.steps) - 1
    with st.container(horizontal=True, gap="small", key="padf_turns"):
        st.button("Back", disabled=not progress.at, on_click=go_to_step, args=(progress.at - 1,))
        st.button(
            "Next",
            type="primary",
            disabled=progress.at == last,
            on_click=go_to_step,
            args=(progress.at + 1,),
        )
        if progress.is_presented:
            st.button("Leave", on_click=present_lesson, args=(False,))
            st.caption(KEYS)
        else:
            st.button(
                "Open in the Playground",
                on_click=open_in_playground,
                args=(progress.board, progress.chosen),
            )
            st.button("Present", on_click=present_lesson, args=(True,), help=f"Full screen. {KEYS}")


def show_words(progress: LessonProgress) -> None:
    """Show the step's title and text, and its question."""
    step = progress.step
    st.header(f"{progress.at + 1}. {plain(step.title)}", anchor=False)
    say(step.text)
    if step.question is not None:
        _show_question(progress)


def _show_question(progress: LessonProgress) -> None:
    question = progress.step.question
    if question is None:
        return
    st.markdown(f"**{plain(question.text)}**")
    with st.container(key="padf_answers"):
        for place, answer in enumerate(question.answers):
            is_chosen = progress.answer == place
            mark = ""
            if progress.answer is not None and place == question.right:
                mark = " ✓"
            elif is_chosen:
                mark = " ✗"
            st.button(
                f"{plain(answer)}{mark}",
                key=f"answer_{progress.at}_{place}",
                type="primary" if is_chosen else "secondary",
                on_click=answer_step,
                args=(place,),
                width="stretch",
            )
    if progress.answer is not None:
        tell(question.verdict(progress.answer))


def lanes_high(progress: LessonProgress) -> int:
    """Return the height of the board on a phone, in lanes: two for sliders, one for the formula."""
    step = progress.step
    return len(step.lanes) + 2 * bool(step.sliders) + (step.formula and progress.is_open)


def show_board() -> None:
    """Show the step's board. Its numbers stay hidden until the question is answered."""
    mounting.stand("board", LESSON_KEY)
    _answer_board()


@st.fragment
def _answer_board() -> None:
    mounting.send(LESSON_KEY, lesson_board(current_progress()), take_lesson)


def lesson_board(progress: LessonProgress) -> BoardData:
    """Return the data of a step's board, limited to what the step allows."""
    board, settings, step = progress.board, progress.chosen, progress.step
    return {
        "session": visit_name(),
        "revision": lesson_revision(),
        "answered": answered(LESSON_KEY),
        "hint": progress.at == 0 and 0 not in progress.boards,
        "history": progress.board_name,
        "link": link_to(board, settings),
        "rows": board_rows(
            board.labels, board.detections, settings, board.step_seconds, lanes=step.lanes,
            worth=step.worth,
        ),
        "sliders": sliders_of(settings, board.step_seconds),
        "tailor": tailor_of(step, is_open=progress.is_open),
    }  # fmt: skip


def show_part(progress: LessonProgress) -> None:
    """Show the extra part of a step, if it has one."""
    part = progress.step.part
    if part == "random" and progress.is_open:
        step_parts.show_random(progress)
    elif part == "guess":
        step_parts.show_guess(progress)
    elif part == "rank":
        step_parts.show_ranking(progress)


def show_ending(progress: LessonProgress) -> None:
    """After the last step, say that the lesson is finished and link to what to do next."""
    if progress.at < len(progress.lesson.steps) - 1 or not progress.is_open:
        return
    st.success("You have finished this lesson.", icon=":material/check_circle:")
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.markdown("Next:")
        st.page_link("pages/quiz.py", label="Test yourself in the quiz")
        st.page_link("pages/your_data.py", label="Try your own data")
        other = other_lesson(progress.lesson)
        st.button(plain(other.title), type="tertiary", on_click=open_lesson, args=(other,))


def other_lesson(lesson: Lesson) -> Lesson:
    """Return the lesson for operators, or the course if that one is open."""
    return LESSONS["course" if lesson == LESSONS["operators"] else "operators"]


def show_other_lesson(progress: LessonProgress) -> None:
    """Offer the other lesson of the app, unless this one is presented."""
    if progress.is_presented:
        return
    other = other_lesson(progress.lesson)
    name = "Lesson for operators" if other == LESSONS["operators"] else "The whole lesson"
    st.button(name, on_click=open_lesson, args=(other,), help=plain(other.title))


def show_take_along(progress: LessonProgress) -> None:
    """Offer the lesson or the current step as files, and as HTML to embed or link."""
    lesson, step = progress.lesson, progress.step
    st.markdown(
        "The link to this page holds the lesson and the step. The HTML file works offline, with "
        "live sliders. The handout is for printing and has the answers on its last page."
    )
    with st.container(horizontal=True, gap="small"):
        saved = lesson_to_json(lesson)
        alone = Lesson(step.title, (step,))
        downloads.offer(
            "One HTML file", lambda: lesson_html(lesson), LESSON_FILE, "text/html", of=saved
        )
        downloads.offer(
            "This step only",
            lambda: lesson_html(alone),
            "padf-step.html",
            "text/html",
            of=lesson_to_json(alone),
        )
        downloads.offer(
            "Handout to print",
            lambda: handout_html(lesson),
            "padf-handout.html",
            "text/html",
            of=saved,
        )
        downloads.offer("The lesson (JSON)", saved, "padf-lesson.json", "application/json")
        widgets.menu("Embed it, or link to it", partial(_show_lines, lesson, saved))


def _show_lines(lesson: Lesson, saved: str) -> None:
    """Show the HTML that embeds the lesson, and the link to it."""
    st.markdown("To embed the lesson in your own page, put the downloaded file next to it and add:")
    st.code(frame_line(stamped(LESSON_FILE, saved)), language=None, wrap_lines=True)
    st.markdown("Link for your class. It opens the first step:")
    link = f"{st.context.url or ''}?lesson={name_of(lesson)}&step=1"
    st.code(link, language=None, wrap_lines=True)
