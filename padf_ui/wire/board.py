"""What the drawing board, the front page, a guess and files without a server are given."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from padf_ui.wire.lanes import Lane, Shifts, Slider, Tailor, Texts


class BoardSegment(TypedDict):
    """A segment of the pattern on the board."""

    start: int
    stop: int
    delay: int
    """Steps to the first hit; -1 when there is none."""
    late: str


class BoardRows(TypedDict):
    """A pattern and everything that a board may have to show of it."""

    labels: str
    detections: str
    times: list[str]
    """The name of each point on the time axis; empty when it is its number."""
    axis: str
    alarms: str
    segments: list[BoardSegment]
    lanes: list[Lane]
    shifts: NotRequired[Shifts]


class BoardData(TypedDict):
    """What the drawing board is given."""

    session: str
    revision: int
    """Rises when Python changes the pattern: only then the board takes Python's."""
    answered: int
    """The number of the last ask that was taken."""
    hint: bool
    history: str
    """Which strokes Undo takes back: boards with the same name share them."""
    link: str
    rows: BoardRows
    sliders: list[Slider]
    tailor: NotRequired[Tailor]


class FrontLane(TypedDict):
    """One protocol on the start page, at every place of the alarm."""

    key: str
    name: str
    colours: list[str]
    f1: list[int]
    """Thousandths, for each place."""
    words: Texts
    """One sentence for each place."""


class FrontData(TypedDict):
    """One incident on a clock and one alarm that is dragged."""

    times: list[str]
    """The name of each place."""
    start: int
    stop: int
    """The incident, half-open."""
    at: int
    """Where the alarm is first."""
    said: Texts
    """What the alarm is, for each place: "alarm at 09:10, 10 minutes late"."""
    lanes: list[FrontLane]


class GuessData(TypedDict):
    """A curve that the reader draws before the true one is shown."""

    session: str
    answered: int
    title: str
    x: list[str]
    """The name of each place on the x-axis."""
    axis: str
    truth: list[int] | None
    """Thousandths at each place, once it is revealed."""
    guess: list[int]
    """What was drawn so far, in thousandths."""
    words: str


class FileQuestion(TypedDict):
    """A question in a file that works without a server."""

    text: str
    answers: list[str]
    right: int
    """Which of the answers."""
    why: str


class FileStep(TypedDict):
    """A step of a lesson in a file that works without a server."""

    title: str
    text: str
    """Paragraphs are parted by an empty line."""
    board: BoardData
    question: NotRequired[FileQuestion]


class FileData(TypedDict):
    """What a file that works without a server is given."""

    title: str
    name: str
    """Where it comes from, said below it."""
    steps: list[FileStep]
