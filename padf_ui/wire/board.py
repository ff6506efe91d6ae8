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
    """One protocol on the start page.

    Its rows are in lists of one entry per d, or of a single entry if d does not change them.
    """

    key: str
    names: list[str]
    colours: list[str]
    f1: list[list[int]]
    """F1 in thousandths, for each row."""
    words: list[Texts]
    """One sentence for each row."""


class FrontData(TypedDict):
    """Incident on a time axis, with one or two alarms that the user drags."""

    times: list[str]
    """Name of each position."""
    begins: float
    """Time of day at which the first point begins, in seconds."""
    step: float
    """Length of a point in seconds."""
    start: int
    stop: int
    """End of the incident, which is the half-open interval [start, stop)."""
    at: int
    """Initial position of the alarm."""
    second: int
    """Initial position of the second alarm."""
    rates: list[float]
    """Steps of the slider for d."""
    rate: int
    """Initial step of the slider."""
    notes: Texts
    """Meaning of d at each step of the slider."""
    rows: list[int]
    """Row of the scores for each pair of positions. A single alarm is a pair of equal positions."""
    said: Texts
    """Description of an alarm at each position, such as "Alarm at 09:10, 10 min late"."""
    quiet: list[bool]
    """Whether a row has no false alarm."""
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
    verdicts: list[str]
    """What to say to each answer."""


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
