"""Data for the board, the start page, a guess and files that work without a server."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from padf_ui.wire.lanes import Lane, Shifts, Slider, Tailor, Texts


class BoardSegment(TypedDict):
    """Segment of the pattern on the board."""

    start: int
    stop: int
    delay: int
    """Steps from onset to first hit, or -1 if there is no hit."""
    late: str


class BoardRows(TypedDict):
    """Pattern and everything a board may display about it."""

    labels: str
    detections: str
    times: list[str]
    """Name of each point on the time axis. Empty if the names are the indices."""
    axis: str
    alarms: str
    segments: list[BoardSegment]
    lanes: list[Lane]
    shifts: NotRequired[Shifts]


class BoardData(TypedDict):
    """Data for the board."""

    session: str
    revision: int
    """Increases when Python changes the pattern. The board takes Python's pattern only then."""
    answered: int
    """Number of the last request that Python processed."""
    hint: bool
    history: str
    """Name of the undo history. Boards with the same name share it."""
    link: str
    rows: BoardRows
    sliders: list[Slider]
    tailor: NotRequired[Tailor]


class FrontLane(TypedDict):
    """One protocol on the start page, for every position of the alarm."""

    key: str
    name: str
    colours: list[str]
    f1: list[int]
    """F1 in thousandths, for each position."""
    words: Texts
    """One sentence for each position."""


class FrontData(TypedDict):
    """Incident on a time axis, with one alarm that the user drags."""

    times: list[str]
    """Name of each position."""
    start: int
    stop: int
    """End of the incident, which is the half-open interval [start, stop)."""
    at: int
    """Initial position of the alarm."""
    said: Texts
    """Description of the alarm at each position, such as "alarm at 09:10, 10 minutes late"."""
    lanes: list[FrontLane]


class GuessData(TypedDict):
    """Curve that the reader draws before the true curve is shown."""

    session: str
    answered: int
    title: str
    x: list[str]
    """Name of each position on the x-axis."""
    axis: str
    truth: list[int] | None
    """True curve in thousandths, or None until it is revealed."""
    guess: list[int]
    """Curve drawn so far, in thousandths."""
    words: str


class FileQuestion(TypedDict):
    """Question in a file that works without a server."""

    text: str
    answers: list[str]
    right: int
    """Index of the right answer."""
    why: str


class FileStep(TypedDict):
    """Step of a lesson in a file that works without a server."""

    title: str
    text: str
    """Paragraphs, separated by empty lines."""
    board: BoardData
    question: NotRequired[FileQuestion]


class FileData(TypedDict):
    """Data for a file that works without a server."""

    title: str
    name: str
    """Source of the file, shown below it."""
    steps: list[FileStep]
