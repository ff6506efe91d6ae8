"""Printable pages: the handout of a lesson, and a quiz. Answers begin on a page of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from padf_core.analysis.compare import ranks_of
from padf_core.metrics.checks import BoolArray
from padf_core.paper.cases import TOY_CASES
from padf_core.teaching.lessons import Lesson, Question, Step
from padf_core.teaching.quiz import QuizQuestion
from padf_ui.components.board_message import axis_title, time_names
from padf_ui.components.html_templates import template
from padf_ui.components.words import score
from padf_ui.learn.step_parts import delay_curve, random_scores, random_summary, scores_under
from padf_ui.session.board_file import Board

_TEMPLATE = Path(__file__).parent / "handout.html.j2"
TICKS = 8
"""Largest number of ticks of a picture."""
ROUND_SECONDS = (60, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400)
ROUND_STEPS = (1, 2, 5, 10, 20, 50, 100)


@dataclass(frozen=True)
class Picture:
    """A pattern as cells: for each lane, its runs of equal cells."""

    size: int
    lanes: Sequence[tuple[str, Sequence[tuple[str, int, int]]]]
    """The name of each lane, and the kind, start and stop of its runs."""
    ticks: Sequence[tuple[float, str]]
    axis: str
    name: str = ""


@dataclass(frozen=True)
class Item:
    """A step or a question, and its answer."""

    title: str
    text: str = ""
    pictures: Sequence[Picture] = ()
    has_ranks: bool = False
    """Whether there is a line for a rank below each picture."""
    curve: Sequence[float] = ()
    """The curve to draw: F1 by delay."""
    question: str = ""
    answers: Sequence[str] = ()
    right: str = ""
    explanations: Sequence[str] = ()
    """Explanations on the page of answers. Without any, the item is not there."""


def handout_html(lesson: Lesson) -> str:
    """Return the handout of a lesson."""
    return _page(lesson.title, [_step_item(step) for step in lesson.steps])


def quiz_html(seed: int, questions: Sequence[QuizQuestion]) -> str:
    """Return a quiz to print, with an answer key."""
    return _page(f"Quiz, question set {seed}", [_quiz_item(each) for each in questions])


def _page(title: str, items: Sequence[Item]) -> str:
    return template(_TEMPLATE).render(title=title, items=list(enumerate(items, start=1)))


def _step_item(step: Step) -> Item:
    item = Item(
        step.title,
        step.text.replace("**", ""),
        (picture(Board(step.labels, step.detections, step.unit)),),
    )
    if step.part == "rank":
        cases = [
            replace(picture(Board(case.labels, case.detections)), name=case.title)
            for case in TOY_CASES
        ]
        item = replace(item, pictures=cases, has_ranks=True, explanations=_ranks(step))
    elif step.part == "guess":
        curve = delay_curve(step, step.chosen)
        item = replace(item, curve=curve, explanations=[_curve_text(curve)] if curve else [])
    if step.question is not None:
        item = _with_question(item, step.question)
    if step.part == "random":
        item = replace(
            item, explanations=(*item.explanations, random_summary(*random_scores(step)))
        )
    return item


def _with_question(item: Item, question: Question) -> Item:
    mistakes = [
        f"{answer} is {mistake}."
        for answer, mistake in zip(
            question.answers, question.mistakes, strict=bool(question.mistakes)
        )
        if mistake
    ]
    return replace(
        item,
        question=question.text,
        answers=question.answers,
        right=question.answers[question.right],
        explanations=(*item.explanations, " ".join([question.why, *mistakes])),
    )


def _ranks(step: Step) -> Sequence[str]:
    """Return the ranks of the cases under each protocol, best first."""
    texts = []
    for protocol in step.chosen.protocols():
        f1 = scores_under(protocol.key, step.chosen)
        ranked = sorted(zip(ranks_of(f1), TOY_CASES, f1, strict=True), key=lambda each: each[0])
        shown = "; ".join(f"{rank}. {case.title}: {score(each)}" for rank, case, each in ranked)
        texts.append(f"{protocol.label}: {shown}.")
    return texts


def _curve_text(curve: Sequence[float]) -> str:
    """Return the values of the curve.

    >>> _curve_text([1.0, 0.947])
    'F1 by the delay of the alarm in steps: 0: 1.000, 1: 0.947.'
    """
    values = ", ".join(f"{delay}: {score(each)}" for delay, each in enumerate(curve))
    return f"F1 by the delay of the alarm in steps: {values}."


def _quiz_item(question: QuizQuestion) -> Item:
    if question.kind == "rank":
        pictures = [
            replace(
                picture(Board(each.pattern.labels, each.pattern.detections)), name=chr(65 + place)
            )
            for place, each in enumerate(question.answers)
            if each.pattern
        ]
    else:
        pictures = [picture(Board(question.asked.labels, question.asked.detections))]
    answers = [f"{chr(65 + place)}. {each.text}" for place, each in enumerate(question.answers)]
    return Item(
        question.text,
        pictures=pictures,
        answers=answers,
        right=answers[question.right],
        explanations=(question.why,),
    )


def picture(board: Board) -> Picture:
    """Return the lanes of a pattern, with ticks at round times."""
    names = time_names(board.size, board.step_seconds)
    steps: tuple[int, ...] = ROUND_STEPS
    if board.step_seconds:
        steps = tuple(
            int(each / board.step_seconds)
            for each in ROUND_SECONDS
            if each % board.step_seconds == 0
        )
    apart = next((each for each in steps if board.size / each <= TICKS), board.size)
    # A point with a time begins at its left edge. A numbered point has its number in the middle.
    shift = 0.0 if board.step_seconds else 0.5
    ticks = [(place + shift, names[place]) for place in range(0, board.size, apart)]
    lanes = (
        ("Truth", _runs(board.labels, board.labels, ("truth", "truth"))),
        ("Detections", _runs(board.detections, board.labels, ("false", "hit"))),
    )
    return Picture(board.size, lanes, ticks, axis_title(board.step_seconds))


def _runs(
    marks: BoolArray, labels: BoolArray, kinds: tuple[str, str]
) -> Sequence[tuple[str, int, int]]:
    """Return the runs of marked points. Their kind is the first one outside segments.

    >>> import numpy as np
    >>> labels, alarms = np.array([[0, 1, 1], [1, 1, 0]], dtype=bool)
    >>> _runs(alarms, labels, ("false", "hit"))
    [('false', 0, 1), ('hit', 1, 2)]
    """
    names = [
        kinds[is_inside] if mark else ""
        for mark, is_inside in zip(marks.tolist(), labels.tolist(), strict=True)
    ]
    found, start = [], 0
    for name, run in groupby(names):
        stop = start + len(list(run))
        if name:
            found.append((name, start, stop))
        start = stop
    return found
