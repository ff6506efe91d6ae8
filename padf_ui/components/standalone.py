"""Boards and lessons as a single HTML file that needs no server and contains Python's results."""

from __future__ import annotations

from collections.abc import Sequence

from padf_core import Settings
from padf_core.teaching.lessons import Lesson, Step
from padf_ui import web
from padf_ui.components.board_message import board_rows
from padf_ui.components.lanes import sliders_of
from padf_ui.session.board_file import Board
from padf_ui.wire.board import BoardData, FileData, FileStep
from padf_ui.wire.lanes import Tailor

NAME = "PAdf Explorer"
FRAME = '<iframe src="{file}" width="100%" height="760" title="{title}"></iframe>'


def frame_line(file: str) -> str:
    """Return the HTML that embeds a file in another page."""
    return FRAME.format(file=file, title=NAME)


def tailor_of(step: Step, *, is_open: bool = True, is_still: bool = False) -> Tailor:
    """Return what a step shows and allows. Without a server, nothing can be painted."""
    return {
        "paint": [] if is_still else list(step.paint),
        "tools": [] if is_still else list(step.tools),
        "sliders": list(step.sliders),
        "numbers": step.numbers,
        "formula": step.formula,
        "dim": list(step.dim),
        "spread": step.spread,
        "worth": step.worth,
        "waits": not is_open,
    }


def lesson_html(lesson: Lesson) -> str:
    """Return a lesson as a standalone HTML file."""
    steps = [_step(step) for step in lesson.steps]
    data: FileData = {"name": NAME, "title": lesson.title, "steps": steps}
    return web.standalone(data)


def board_html(board: Board, settings: Settings) -> str:
    """Return a board as a standalone HTML file with working sliders."""
    tailor: Tailor = {
        "paint": [],
        "tools": ["svg", "png"],
        "sliders": [number.key for number in settings.numbers().values()],
        "numbers": True,
        "formula": True,
        "dim": [],
        "spread": False,
        "worth": False,
        "waits": False,
    }
    lanes = [protocol.key for protocol in settings.protocols()]
    title = "A board of PAdf Explorer"
    shown: FileStep = {
        "title": "",
        "text": "",
        "board": still_board(board, settings, lanes, tailor),
    }
    data: FileData = {"name": NAME, "title": title, "steps": [shown]}
    return web.standalone(data)


def _step(step: Step) -> FileStep:
    board = Board(step.labels, step.detections, step.unit)
    made: FileStep = {
        "title": step.title,
        "text": step.text.replace("**", ""),
        "board": still_board(board, step.chosen, step.lanes, tailor_of(step, is_still=True)),
    }
    if step.question is not None:
        question = step.question
        made["question"] = {
            "text": question.text,
            "answers": list(question.answers),
            "right": question.right,
            "why": question.why,
            "verdicts": [question.verdict(given) for given in range(len(question.answers))],
        }
    return made


def still_board(
    board: Board, settings: Settings, lanes: Sequence[str], tailor: Tailor
) -> BoardData:
    """Return the data of a board that sends no requests to a server."""
    return {
        "session": "",
        "revision": 0,
        "answered": 0,
        "hint": False,
        "history": "still",
        "link": "",
        "rows": board_rows(
            board.labels,
            board.detections,
            settings,
            board.step_seconds,
            lanes=lanes,
            worth=tailor["worth"],
        ),
        "sliders": sliders_of(settings, board.step_seconds),
        "tailor": tailor,
    }
