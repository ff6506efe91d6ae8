"""What Python sends to the browser and what comes back, stated once.

`python -m padf_ui.web` writes these types as `padf_ui/web/payload.d.ts`, against which the
browser's code is checked; a test holds the two together. Scores travel as whole thousandths and
credit as whole hundredths, as they are written on the screen: 881 is 0.881.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class Texts(TypedDict):
    """Many texts that differ in little but their numbers."""

    parts: list[list[str]]
    """What stands around the numbers: one more part than there are numbers."""
    rows: list[list[str | int]]
    """For each text: which of the parts, then its numbers as they are written."""


class Credit(TypedDict):
    """What is granted inside segments, row by row."""

    by: Literal["segment", "point"]
    """Whether all points of a segment get the same, or each anomalous point its own."""
    columns: list[int]
    """For each segment, or each anomalous point in order of time: its column below."""
    rows: list[list[int]]
    """For each row and column: hundredths; -1 where the detections are kept as they are."""


class Slider(TypedDict):
    """A number that can be moved, with everything that is said at each of its steps."""

    key: str
    title: str
    steps: list[float]
    at: int
    lane: str | None
    """The lane whose F1 is the slider's curve; None: that of the lane that is chosen."""
    rule: str
    """What a typed number must be, as words."""
    limits: list[float]
    """Lowest and highest number that may be typed."""
    gaps: list[list[float]]
    """Open ranges inside the limits that may not be typed."""
    names: Texts
    """How the lane is called at each step: "d = 0.9"."""
    notes: Texts
    """What stands beside the number at each step."""


class LaneRows(TypedDict):
    """A lane at every step of one slider."""

    places: list[int]
    """For each step of the slider: its row below. One entry where there is no slider."""
    f1: list[int]
    """Thousandths, for each row."""
    gain: list[int] | None
    """F1 minus that of point-wise, in thousandths, for each row; None for point-wise itself."""
    credit: Credit


class Lane(LaneRows):
    """One protocol on the board, at every step of its own slider."""

    key: str
    name: str
    slider: str | None
    """The key of the slider that moves it."""
    arrows: bool
    """Whether arrows from onset to first hit stand under it."""
    precision: NotRequired[Texts]
    recall: NotRequired[Texts]
    formula: NotRequired[Texts]
    why: NotRequired[Texts]
    colours: NotRequired[list[str]]
    """The lane's colour in light and in dark."""
    worth: NotRequired[list[list[int]]]
    """For each row the credit at a delay of 0, 1, 2, ... steps, in hundredths."""


class Tailor(TypedDict):
    """A board that shows and allows only some things, as a lesson wants it."""

    paint: list[str]
    """The rows that may be painted: "truth", "detections"."""
    tools: list[str]
    """The tools in the bar, by name."""
    sliders: list[str]
    """The sliders that are there, by key."""
    numbers: bool
    """Whether scores and gains are shown."""
    formula: bool
    dim: list[str]
    """Lanes that do not matter now."""
    spread: bool
    """Whether what adjustment fills spreads from the hit when the board is first shown."""
    worth: bool
    """Whether the decay is drawn over the lane that minds the delay, with a dot at the delay."""
    waits: bool
    """Whether a question is open: until its answer, nothing tells what the lanes earn."""


class Shifts(TypedDict):
    """F1 of every lane as all alarms are moved, at the parameters in use."""

    reach: int
    """Steps by which they are moved at most: from -reach to reach."""
    f1: dict[str, list[int]]
    """By lane, thousandths for each shift."""


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


class Random(TypedDict):
    """A wish for random alarms."""

    rate: float
    """Percent."""
    seed: int


class BoardAsk(TypedDict):
    """What the drawing board asks for."""

    id: int
    revision: int
    final: bool
    """Whether the hand is off the board: then the rest of the page follows."""
    labels: NotRequired[str]
    detections: NotRequired[str]
    settings: NotRequired[dict[str, float]]
    """Sliders that were let go, by key."""
    random: NotRequired[Random]


class FrontLane(TypedDict):
    """One protocol on the front door, at every place of the alarm."""

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


class GuessAsk(TypedDict):
    """What the drawing of a guess asks for."""

    id: int
    guess: list[int]


class Extent(TypedDict):
    """Lowest and highest value of each cell, from 0 to 1000; -1 where there is none."""

    low: list[int]
    high: list[int]


class Signal(Extent):
    """What was monitored, with the names of its lowest and its highest value."""

    names: list[str]


class Tick(TypedDict):
    """A name on the time axis; its place is counted in cells."""

    at: float
    name: str


class Strip(TypedDict):
    """The whole series in a few hundred cells."""

    labels: str
    levels: list[int]
    """As `TimelineRows.hit`, for alarms of either kind."""


class Window(TypedDict):
    """A stretch of the series, half-open."""

    first: int
    last: int


class TimelineSegment(TypedDict):
    """A segment in view; places are counted in cells."""

    number: int
    start: float
    stop: float


class FirstHit(TypedDict):
    """From which step of the threshold on a segment is first hit where."""

    step: int
    delay: float
    """Cells from the onset to the first hit; -1 when there is none."""
    late: str


class TimelineLane(TypedDict):
    """One protocol on the timeline."""

    key: str
    name: str
    slider: str | None
    arrows: bool
    colours: NotRequired[list[str]]
    """The lane's colour in light and in dark."""
    over_threshold: LaneRows
    """At the parameters in use, at every step of the threshold."""
    over_own: LaneRows | None
    """At the threshold in use, at every step of the lane's own slider."""


class TimelineRows(TypedDict):
    """A stretch of a long series at every step of the threshold.

    Thresholds rise from step to step. A cell holds an alarm at the steps below its level.
    """

    first: int
    last: int
    size: int
    cells: int
    shown: str
    axis: str
    ticks: list[Tick]
    next: Window
    value: Signal | None
    value_name: str
    score: Extent
    heights: list[float]
    """Where the threshold's line stands at each step, from 0 to 1000."""
    thresholds: list[str]
    """Each step's threshold as short as can be: the number flags exactly the same points."""
    at: int
    """The step of the threshold in use."""
    hit: list[int]
    """For each cell: at how many steps one of its anomalous points is flagged."""
    wrong: list[int]
    """For each cell: at how many steps one of its normal points is flagged."""
    strip: Strip
    left_out: list[list[float]]
    labelled: list[list[float]]
    """Where rows in view do not count: the first and the last edge of each run, in cells."""
    segments: list[TimelineSegment]
    found: list[list[FirstHit]]
    """For each segment, by rising step; the first entry is for step 0."""
    alarms: Texts
    """For each step: how many points are flagged."""
    lanes: list[TimelineLane]


class TimelineData(TypedDict):
    """What the timeline is given."""

    session: str
    revision: int
    """Rises when anything but the timeline changes what it shows."""
    answered: int
    rows: TimelineRows
    sliders: list[Slider]
    """The threshold first, if there is one to choose; then the lanes' own."""


class TimelineAsk(TypedDict):
    """What the timeline asks for."""

    id: int
    window: NotRequired[Window]
    settings: NotRequired[dict[str, float]]
    """Sliders that were let go, by key; the threshold's key is "threshold"."""


class Printed(TypedDict):
    """A value that the paper prints for a lane."""

    lane: str
    at: float | None
    """The step of the lane's slider at which it holds; None: everywhere."""
    text: str
    agrees: bool


class CaseRows(TypedDict):
    """One of the paper's cases."""

    title: str
    about: str
    rows: BoardRows
    printed: list[Printed]


class PatternRows(TypedDict):
    """A pattern beside others."""

    title: str
    about: str
    words: str
    """The pattern in words."""
    rows: BoardRows
    """With those lanes only whose credit and score may be seen."""


class PatternsData(TypedDict):
    """Patterns that are compared."""

    patterns: list[PatternRows]
    sliders: list[Slider]


class CaseCondition(TypedDict):
    """One of the paper's conditions on its cases."""

    text: str
    name: str
    required: bool


class CasesRows(TypedDict):
    """All cases of the paper, with a row for every step of every slider."""

    rules: str
    terms: dict[str, str]
    """What the glossary says of a word that stands between stars."""
    sliders: list[Slider]
    toy: list[CaseRows]
    robustness: list[CaseRows]
    conditions: list[CaseCondition]
    verdicts: dict[str, list[list[str]]]
    """By lane, then by step of its slider: "pass", "fail" or "differs" for each condition."""
    ranges: list[str]


class CasesData(CasesRows):
    """What the page of the paper's cases is given."""

    session: str
    answered: int


class CasesAsk(TypedDict):
    """What the page of the paper's cases asks for."""

    id: int
    settings: NotRequired[dict[str, float]]
    open: NotRequired[int]
    """The case to open in the Playground: the toy cases first, then the others."""


class ProbabilityData(TypedDict):
    """What the drawing of alarm probabilities is given."""

    session: str
    revision: int
    answered: int
    alarm: list[float]
    terms: list[float]
    sums: list[float]
    total: str
    words: str


class ProbabilityAsk(TypedDict):
    """What the drawing of alarm probabilities asks for."""

    id: int
    alarm: list[float]


class NeedNumber(TypedDict):
    """A number of a need, with the steps over which it is dragged."""

    key: Literal["seconds", "share", "grace"]
    steps: list[float]
    at: int


class NeedSlot(TypedDict):
    """A place of the sentence in which a number stands."""

    number: Literal["seconds", "share", "grace", "pace"]
    """What is typed here."""
    moves: Literal["seconds", "share", "grace"]
    """The number that is dragged here."""
    title: str
    texts: list[str]
    """What stands here at each step of that number."""
    turned: bool
    """Whether what stands here falls while the number rises."""


class NeedAxis(TypedDict):
    """A time axis from 0 on, with names at some of its seconds."""

    last: float
    ticks: list[Tick]


class NeedData(TypedDict):
    """A need as a sentence, and its decay for every step of its numbers."""

    session: str
    answered: int
    numbers: list[NeedNumber]
    parts: list[str]
    """What stands around the slots: one more part than there are slots."""
    slots: list[NeedSlot]
    said: Texts
    """What the decay is, for each step of the seconds and, within it, of the share."""
    begins: list[str]
    """What a grace does, for each of its steps."""
    delays: list[float]
    """Delays behind the grace, in units of the need's seconds."""
    credit: list[list[int]]
    """For each step of the share, thousandths at each of the delays."""
    stars: list[int]
    """For each step of the share, thousandths where the need's star lies, at its seconds."""
    reaches: list[float]
    """For each step of the share, the half-life, span or deadline for a second of the need."""
    axes: list[NeedAxis]
    """By rising length."""
    axis: str
    colours: list[str]


class NeedTyped(TypedDict):
    """A number that was typed."""

    number: str
    text: str


class NeedAsk(TypedDict):
    """What the sentence asks for."""

    id: int
    numbers: NotRequired[dict[str, float]]
    typed: NotRequired[NeedTyped]


class RaceLine(TypedDict):
    """A detector as the decay's number moves."""

    name: str
    colours: list[str]
    dash: str
    f1: list[int]
    """Thousandths at each of the numbers."""
    here: int
    """Thousandths at the need."""
    against: str
    """How it compares with random detectors at the need."""


class RaceBand(TypedDict):
    """A range of the number over which the ranking stays the same."""

    start: float
    stop: float
    ranking: list[int]
    """Which of the lines, from the first to the last."""


class RaceFlip(TypedDict):
    """A place where two detectors change places."""

    at: float
    f1: int
    text: str


class RandomLine(TypedDict):
    """Random detectors as the decay's number moves, in thousandths."""

    low: list[int]
    high: list[int]
    mean: list[int]
    here: int
    """The mean at the need."""


class RaceData(TypedDict):
    """Who wins at which number of the decay."""

    session: str
    answered: int
    title: str
    numbers: list[float]
    """Where lines are drawn, rising; the axis is logarithmic."""
    texts: Texts
    """How each of the numbers is written."""
    at: float
    """The number of the need."""
    here: str
    lines: list[RaceLine]
    random: RandomLine
    bands: list[RaceBand]
    flips: list[RaceFlip]
    ticks: list[Tick]
    note: str
    """What the p-values beside the lines test."""
    file: str
    """What a saved figure is called."""


class RaceAsk(TypedDict):
    """What the race asks for."""

    id: int
    number: float


class ReplayTrack(TypedDict):
    """What a detector does in one clip; times are seconds from the clip's beginning."""

    rings: list[float]
    """Its alarms inside the incident."""
    wrong: list[float]
    """Its false calls, or some of many."""
    counts: list[int]
    """How many false calls there are up to each of them."""
    noticed: float | None
    """Its first alarm inside the incident; None when it misses it."""
    worth: int
    """What that was worth, in percent."""
    said: str
    """Once the incident is noticed, or over: "alarm at 08:42, 12 min late, worth 28 %"."""


class ReplayClip(TypedDict):
    """An incident with some time before and behind it."""

    title: str
    begins: float
    """Seconds since 1970 at its beginning."""
    seconds: float
    """How long it is."""
    onset: float
    over: float
    """When the incident begins and ends, in seconds from the clip's beginning."""
    step: float
    """Seconds from one point to the next."""
    at: list[int]
    """Where each point of the signal stands, in ten thousandths of the clip."""
    signal: list[int]
    """How high it is there, from 0 to 1000."""
    ticks: list[Tick]
    """Names on the time axis, in seconds from the clip's beginning."""
    worth: list[int]
    """What an alarm is worth during the incident, evenly from its onset to its end, in percent."""
    tracks: list[ReplayTrack]
    skipped: str
    """What lies between the clip before and this one; empty where nothing does."""
    missed_calls: list[int]
    """The false calls of each detector in what is skipped."""


class ReplayRow(TypedDict):
    """A line of the card at the end."""

    name: str
    cells: list[str]


class ReplayCard(TypedDict):
    """What there is to say when the replay is over."""

    title: str
    lines: list[str]
    """About what was replayed."""
    heads: list[str]
    rows: list[ReplayRow]
    notes: list[str]
    """What the table means."""
    each: list[ReplayRow]
    """Where several incidents were replayed: how late each detector was in each of them."""


class ReplayDetector(TypedDict):
    """One of those that run side by side."""

    name: str
    rule: str
    """When it rings, in words."""
    colours: list[str]
    calls: str
    """Its false calls a day in all the data."""


class ReplayWatched(TypedDict):
    """What the watcher's presses earned, as Python scores them."""

    presses: list[list[float]]
    """Those that were scored, clip by clip."""
    said: list[str]
    """For each clip."""
    row: ReplayRow


class ReplayRows(TypedDict):
    """A replay with everything that is shown of it."""

    title: str
    has_clock: bool
    """Whether times are those of a clock, or since the beginning."""
    signal_name: str
    limits: list[str]
    """The lowest and the highest value of the signal."""
    detectors: list[ReplayDetector]
    clips: list[ReplayClip]
    speeds: list[int]
    speed: int
    card: ReplayCard


class ReplayData(TypedDict):
    """What the replay is given."""

    session: str
    answered: int
    key: str
    """By which one replay is told from another."""
    rows: ReplayRows
    watched: ReplayWatched | None
    name: str
    """Where it comes from, said in a file that works without a server; empty on the page."""


class ReplayAsk(TypedDict):
    """What the replay asks for: that the watcher's presses are scored."""

    id: int
    key: str
    presses: list[list[float]]
    """Seconds from the clip's beginning, clip by clip."""


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
