"""Editor for a teacher's own lesson: for each step a board, a text and a question."""

from __future__ import annotations

import streamlit as st

from padf_core import PROTOCOLS
from padf_core.io.notation import format_ranges
from padf_core.teaching.lesson_files import lesson_from_json
from padf_core.teaching.lessons import PAINT, TOOLS, Lesson, Question, Step
from padf_ui.components.names import plain
from padf_ui.components.widgets import file_form
from padf_ui.session.board import current_board
from padf_ui.session.lesson import open_lesson, own_steps, put_own_steps
from padf_ui.session.settings import current_settings


def show_writer() -> None:
    """Let a teacher create steps from the current Playground board."""
    board, settings = current_board(), current_settings()
    st.markdown(
        "Each step uses the pattern and the settings that are on the Playground now. Choose what "
        "to show and what students may change, and write the text. A question is optional."
    )
    shown = [protocol.key for protocol in settings.protocols()]
    numbers = {number.key: number.title for number in settings.numbers().values()}
    with st.form("own_step", border=True):
        title = st.text_input("Title", max_chars=100)
        text = st.text_area("Text (use **word** for bold)", height=80)
        left, right = st.columns(2)
        with left:
            lanes = st.multiselect(
                "Lanes", shown, shown, format_func=lambda key: PROTOCOLS[key].name
            )
            sliders = st.multiselect("Sliders", list(numbers), format_func=numbers.__getitem__)
        with right:
            paint = st.multiselect("Students may paint", PAINT, ["detections"])
            tools = st.multiselect("Tools", TOOLS, ["undo", "redo", "earlier", "later"])
        with st.container(horizontal=True):
            has_numbers = st.checkbox("Show the scores", True)
            has_formula = st.checkbox("Show the formula", False)
            has_worth = st.checkbox("Show the decay curve", False)
        asked = st.text_input("Question (optional)", max_chars=300)
        answers = st.text_area("Answers, one per line, the right one first", height=90)
        why = st.text_input("Explanation of the right answer", max_chars=500)
        if st.form_submit_button("Add step"):
            try:
                step = Step(
                    title=title,
                    text=text,
                    size=board.size,
                    truth=format_ranges(board.labels),
                    alarms=format_ranges(board.detections),
                    lanes=tuple(lanes),
                    settings=dict(settings.values),
                    paint=tuple(paint),
                    tools=tuple(tools),
                    sliders=tuple(sliders),
                    numbers=has_numbers,
                    formula=has_formula,
                    worth=has_worth,
                    question=_question(asked, answers, why),
                    unit=board.step,
                )
            except ValueError as error:
                st.error(plain(f"{error}. Step not added."))
            else:
                put_own_steps([*own_steps(), step])
                st.rerun()
    _show_steps()
    file_form("A lesson from a file (JSON)", "Open it", _open_file, "The lesson stays")


def _question(text: str, answers: str, why: str) -> Question | None:
    if not text.strip():
        return None
    given = [line.strip() for line in answers.splitlines() if line.strip()]
    # The right answer is entered first. Rotate the answers so that it is not shown first.
    turned = len(given) // 2
    return Question(text, tuple(given[turned:] + given[:turned]), len(given) - turned, why)


def _open_file(content: bytes) -> None:
    open_lesson(lesson_from_json(content))


def _show_steps() -> None:
    steps = own_steps()
    for place, step in enumerate(steps):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f"{place + 1}. {plain(step.title)}")
            st.button(
                "Remove",
                key=f"remove_{place}",
                on_click=put_own_steps,
                args=([each for at, each in enumerate(steps) if at != place],),
            )
    if not steps:
        return
    title = st.text_input("Lesson title", "My lesson", max_chars=100, key="own_title")
    if title.strip():
        st.button(
            "Open lesson",
            type="primary",
            on_click=open_lesson,
            args=(Lesson(title, tuple(steps)),),
        )
