"""Widgets of Quiz. A seed gives a whole class the same questions."""

from __future__ import annotations

from contextlib import nullcontext

import streamlit as st

from padf_core.teaching.quiz import QuizQuestion, quiz
from padf_ui.components import downloads, mounting
from padf_ui.components.names import plain
from padf_ui.components.standalone import still_board
from padf_ui.components.terms import tell
from padf_ui.learn import patterns
from padf_ui.learn.handout import quiz_html
from padf_ui.server.cache import SMALL
from padf_ui.session.board import open_in_playground
from padf_ui.session.board_file import Board
from padf_ui.session.quiz import (
    answer_quiz,
    go_to_question,
    quiz_answers,
    quiz_at,
    quiz_seed,
    set_quiz_seed,
)
from padf_ui.session.widget_values import bound
from padf_ui.wire.board import BoardData
from padf_ui.wire.lanes import Tailor

COUNT = 8
RANKED = ("pa", "padf")
"""Protocols whose lanes appear after detectors have been ranked."""


def questions() -> list[QuizQuestion]:
    """Return the questions for the current seed."""
    seed = quiz_seed()
    return SMALL.recall(("quiz", seed), lambda: quiz(seed, COUNT))


def show_score(asked: list[QuizQuestion]) -> None:
    """Show the number of the question and how many answers were right so far."""
    given = quiz_answers()
    right = sum(asked[at].right == place for at, place in given.items())
    score = f" · {right} of {len(given)} right" if given else ""
    st.markdown(f"Question {quiz_at() + 1} of {len(asked)}{score}")
    if len(given) == len(asked):
        st.success(f"All answered: {right} of {len(asked)} right.")


def show_text(asked: list[QuizQuestion]) -> None:
    """Show the text of the question."""
    st.header(plain(asked[quiz_at()].text), anchor=False)


def slot_of(asked: list[QuizQuestion]) -> tuple[str, int]:
    """Return the slot for the patterns of a question, and its number of lanes."""
    at = quiz_at()
    is_open = at in quiz_answers()
    if asked[at].kind == "rank":
        return "patterns", len(RANKED) if is_open else 0
    return "quiz_board", 4


def show_answers(asked: list[QuizQuestion]) -> None:
    """Show the answers, and an explanation once one is chosen."""
    at = quiz_at()
    question = asked[at]
    chosen = quiz_answers().get(at)
    # The answers of a ranking stand under their pictures.
    has_pictures = question.kind == "rank"
    count = len(question.answers)
    places = st.columns(count) if has_pictures else [nullcontext()] * count
    for place, answer in enumerate(question.answers):
        is_right = place == question.right
        mark = "" if chosen is None else " ✓" if is_right else " ✗" if place == chosen else ""
        name = f"{chr(65 + place)}. " if answer.pattern else ""
        with places[place]:
            st.button(
                f"{name}{plain(answer.text)}{mark}",
                key=f"quiz_{quiz_seed()}_{at}_{place}",
                type="primary" if chosen is not None and is_right else "secondary",
                disabled=chosen is not None,
                on_click=answer_quiz,
                args=(at, place),
                width="stretch" if has_pictures else "content",
            )
    if chosen is not None:
        verdict = "Right." if chosen == question.right else "Not quite."
        tell(f"{verdict} {question.why}")
        shown = question.pattern
        st.button(
            "Open in the Playground",
            on_click=open_in_playground,
            args=(Board(shown.labels, shown.detections), question.settings),
        )


def show_patterns(asked: list[QuizQuestion]) -> None:
    """Show the patterns: several side by side, or one as a board. Numbers wait for the answer."""
    at = quiz_at()
    question, is_open = asked[at], at in quiz_answers()
    if question.kind == "rank":
        shown = [
            patterns.TitledPattern(
                chr(65 + place), answer.pattern.labels, answer.pattern.detections
            )
            for place, answer in enumerate(question.answers)
            if answer.pattern
        ]
        lanes = RANKED if is_open else ()
        patterns.show_patterns(f"quiz_patterns_{at}", shown, question.settings, lanes)
    else:
        mounting.mount_still("board", f"quiz_board_{at}", _board(question, is_open))


def _board(question: QuizQuestion, is_open: bool) -> BoardData:
    shown, settings = question.pattern if is_open else question.asked, question.settings
    lanes = [protocol.key for protocol in settings.protocols()]
    tailor: Tailor = {
        "paint": [],
        "tools": [],
        "sliders": [],
        "numbers": True,
        "formula": False,
        "dim": [],
        "spread": False,
        "worth": False,
        "waits": not is_open,
    }
    return still_board(Board(shown.labels, shown.detections), settings, lanes, tailor)


def show_turns(asked: list[QuizQuestion]) -> None:
    """Show Back and Next, the number of the question set, and the quiz to print."""
    at, seed = quiz_at(), quiz_seed()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.button("Back", disabled=at == 0, on_click=go_to_question, args=(at - 1,))
        st.button(
            "Next",
            type="primary",
            disabled=at == len(asked) - 1,
            on_click=go_to_question,
            args=(at + 1,),
        )
        st.number_input(
            "Question set",
            0,
            999_999_999,
            seed,
            **bound("quiz_seed", seed, set_quiz_seed),
            width=220,
            help="The same number gives the same questions. Share this page's link: everyone gets "
            "the same ones.",
        )
        downloads.offer(
            "Quiz to print",
            lambda: quiz_html(seed, asked),
            "padf-quiz.html",
            "text/html",
            of=str(seed),
        )
