// Written by `python -m padf_ui.wire` from padf_ui/wire: change that.

export type MAX_POINTS = 300;

export type MAX_PROBABILITIES = 60;

export type MOST_CLIPS = 60;

export type MOST_PRESSES = 100;

/** Many texts that differ in little but their numbers. */
export interface Texts {
  /** What stands around the numbers: one more part than there are numbers. */
  parts: string[][];
  /** For each text: which of the parts, then its numbers as they are written. */
  rows: (string | number)[][];
}

/** What is granted inside segments, row by row. */
export interface Credit {
  /** Whether all points of a segment get the same, or each anomalous point its own. */
  by: "segment" | "point";
  /** For each segment, or each anomalous point in order of time: its column below. */
  columns: number[];
  /** For each row and column: hundredths; -1 where the detections are kept as they are. */
  rows: number[][];
}

/** A number that can be moved, with everything that is said at each of its steps. */
export interface Slider {
  key: string;
  title: string;
  steps: number[];
  at: number;
  /** The lane whose F1 is the slider's curve; None: that of the lane that is chosen. */
  lane: string | null;
  /** What a typed number must be, as words. */
  rule: string;
  /** Lowest and highest number that may be typed. */
  limits: number[];
  /** Open ranges inside the limits that may not be typed. */
  gaps: number[][];
  /** How the lane is called at each step: "d = 0.9". */
  names: Texts;
  /** What stands beside the number at each step. */
  notes: Texts;
}

/** A lane at every step of one slider. */
export interface LaneRows {
  /** For each step of the slider: its row below. One entry where there is no slider. */
  places: number[];
  /** Thousandths, for each row. */
  f1: number[];
  /** F1 minus that of point-wise, in thousandths, for each row; None for point-wise itself. */
  gain: number[] | null;
  credit: Credit;
}

/** One protocol on the board, at every step of its own slider. */
export interface Lane extends LaneRows {
  key: string;
  name: string;
  /** The key of the slider that moves it. */
  slider: string | null;
  /** Whether arrows from onset to first hit stand under it. */
  arrows: boolean;
  precision?: Texts;
  recall?: Texts;
  formula?: Texts;
  why?: Texts;
  /** The lane's colour in light and in dark. */
  colours?: string[];
  /** For each row the credit at a delay of 0, 1, 2, ... steps, in hundredths. */
  worth?: number[][];
}

/** A board that shows and allows only some things, as a lesson wants it. */
export interface Tailor {
  /** The rows that may be painted: "truth", "detections". */
  paint: string[];
  /** The tools in the bar, by name. */
  tools: string[];
  /** The sliders that are there, by key. */
  sliders: string[];
  /** Whether scores and gains are shown. */
  numbers: boolean;
  formula: boolean;
  /** Lanes that do not matter now. */
  dim: string[];
  /** Whether what adjustment fills spreads from the hit when the board is first shown. */
  spread: boolean;
  /** Whether the decay is drawn over the lane that minds the delay, with a dot at the delay. */
  worth: boolean;
  /** Whether a question is open: until its answer, nothing tells what the lanes earn. */
  waits: boolean;
}

/** F1 of every lane as all alarms are moved, at the parameters in use. */
export interface Shifts {
  /** Steps by which they are moved at most: from -reach to reach. */
  reach: number;
  /** By lane, thousandths for each shift. */
  f1: Record<string, number[]>;
}

/** A segment of the pattern on the board. */
export interface BoardSegment {
  start: number;
  stop: number;
  /** Steps to the first hit; -1 when there is none. */
  delay: number;
  late: string;
}

/** A pattern and everything that a board may have to show of it. */
export interface BoardRows {
  labels: string;
  detections: string;
  /** The name of each point on the time axis; empty when it is its number. */
  times: string[];
  axis: string;
  alarms: string;
  segments: BoardSegment[];
  lanes: Lane[];
  shifts?: Shifts;
}

/** What the drawing board is given. */
export interface BoardData {
  session: string;
  /** Rises when Python changes the pattern: only then the board takes Python's. */
  revision: number;
  /** The number of the last ask that was taken. */
  answered: number;
  hint: boolean;
  /** Which strokes Undo takes back: boards with the same name share them. */
  history: string;
  link: string;
  rows: BoardRows;
  sliders: Slider[];
  tailor?: Tailor;
}

/** One protocol on the start page, at every place of the alarm. */
export interface FrontLane {
  key: string;
  name: string;
  colours: string[];
  /** Thousandths, for each place. */
  f1: number[];
  /** One sentence for each place. */
  words: Texts;
}

/** One incident on a clock and one alarm that is dragged. */
export interface FrontData {
  /** The name of each place. */
  times: string[];
  start: number;
  /** The incident, half-open. */
  stop: number;
  /** Where the alarm is first. */
  at: number;
  /** What the alarm is, for each place: "alarm at 09:10, 10 minutes late". */
  said: Texts;
  lanes: FrontLane[];
}

/** A curve that the reader draws before the true one is shown. */
export interface GuessData {
  session: string;
  answered: number;
  title: string;
  /** The name of each place on the x-axis. */
  x: string[];
  axis: string;
  /** Thousandths at each place, once it is revealed. */
  truth: number[] | null;
  /** What was drawn so far, in thousandths. */
  guess: number[];
  words: string;
}

/** A question in a file that works without a server. */
export interface FileQuestion {
  text: string;
  answers: string[];
  /** Which of the answers. */
  right: number;
  why: string;
}

/** A step of a lesson in a file that works without a server. */
export interface FileStep {
  title: string;
  /** Paragraphs are parted by an empty line. */
  text: string;
  board: BoardData;
  question?: FileQuestion;
}

/** What a file that works without a server is given. */
export interface FileData {
  title: string;
  /** Where it comes from, said below it. */
  name: string;
  steps: FileStep[];
}

/** Lowest and highest value of each cell, from 0 to 1000; -1 where there is none. */
export interface Extent {
  low: number[];
  high: number[];
}

/** What was monitored, with the names of its lowest and its highest value. */
export interface Signal extends Extent {
  names: string[];
}

/** A name on the time axis; its place is counted in cells. */
export interface Tick {
  at: number;
  name: string;
}

/** The whole series in a few hundred cells. */
export interface Strip {
  labels: string;
  /** As `TimelineRows.hit`, for alarms of either kind. */
  levels: number[];
}

/** A segment in view; places are counted in cells. */
export interface TimelineSegment {
  number: number;
  start: number;
  stop: number;
}

/** From which step of the threshold on a segment is first hit where. */
export interface FirstHit {
  step: number;
  /** Cells from the onset to the first hit; -1 when there is none. */
  delay: number;
  late: string;
}

/** One protocol on the timeline. */
export interface TimelineLane {
  key: string;
  name: string;
  slider: string | null;
  arrows: boolean;
  /** The lane's colour in light and in dark. */
  colours?: string[];
  /** At the parameters in use, at every step of the threshold. */
  over_threshold: LaneRows;
  /** At the threshold in use, at every step of the lane's own slider. */
  over_own: LaneRows | null;
}

/**
 * A stretch of a long series at every step of the threshold.
 *
 * Thresholds rise from step to step. A cell holds an alarm at the steps below its level.
 */
export interface TimelineRows {
  first: number;
  last: number;
  size: number;
  cells: number;
  shown: string;
  axis: string;
  ticks: Tick[];
  next: Window;
  value: Signal | null;
  value_name: string;
  score: Extent;
  /** Where the threshold's line stands at each step, from 0 to 1000. */
  heights: number[];
  /** Each step's threshold as short as can be: the number flags exactly the same points. */
  thresholds: string[];
  /** The step of the threshold in use. */
  at: number;
  /** For each cell: at how many steps one of its anomalous points is flagged. */
  hit: number[];
  /** For each cell: at how many steps one of its normal points is flagged. */
  wrong: number[];
  strip: Strip;
  left_out: number[][];
  /** Where rows in view do not count: the first and the last edge of each run, in cells. */
  labelled: number[][];
  segments: TimelineSegment[];
  /** For each segment, by rising step; the first entry is for step 0. */
  found: FirstHit[][];
  /** For each step: how many points are flagged. */
  alarms: Texts;
  lanes: TimelineLane[];
}

/** What the timeline is given. */
export interface TimelineData {
  session: string;
  /** Rises when anything but the timeline changes what it shows. */
  revision: number;
  answered: number;
  rows: TimelineRows;
  /** The threshold first, if there is one to choose; then the lanes' own. */
  sliders: Slider[];
}

/** A value that the paper prints for a lane. */
export interface Printed {
  lane: string;
  /** The step of the lane's slider at which it holds; None: everywhere. */
  at: number | null;
  text: string;
  agrees: boolean;
}

/** One of the paper's cases. */
export interface CaseRows {
  title: string;
  about: string;
  rows: BoardRows;
  printed: Printed[];
}

/** A pattern beside others. */
export interface PatternRows {
  title: string;
  about: string;
  /** The pattern in words. */
  words: string;
  /** With those lanes only whose credit and score may be seen. */
  rows: BoardRows;
}

/** Patterns that are compared. */
export interface PatternsData {
  patterns: PatternRows[];
  sliders: Slider[];
}

/** One of the paper's conditions on its cases. */
export interface CaseCondition {
  text: string;
  name: string;
  required: boolean;
}

/** All cases of the paper, with a row for every step of every slider. */
export interface CasesRows {
  rules: string;
  /** What the glossary says of a word that stands between stars. */
  terms: Record<string, string>;
  sliders: Slider[];
  toy: CaseRows[];
  robustness: CaseRows[];
  conditions: CaseCondition[];
  /** By lane, then by step of its slider: "pass", "fail" or "differs" for each condition. */
  verdicts: Record<string, string[][]>;
  ranges: string[];
}

/** What the page of the paper's cases is given. */
export interface CasesData extends CasesRows {
  session: string;
  answered: number;
}

/** What the drawing of alarm probabilities is given. */
export interface ProbabilityData {
  session: string;
  revision: number;
  answered: number;
  alarm: number[];
  terms: number[];
  sums: number[];
  total: string;
  words: string;
}

/** A number of a need, with the steps over which it is dragged. */
export interface NeedNumber {
  key: "seconds" | "share" | "grace";
  steps: number[];
  at: number;
}

/** A place of the sentence in which a number stands. */
export interface NeedSlot {
  /** What is typed here. */
  number: "seconds" | "share" | "grace" | "pace";
  /** The number that is dragged here. */
  moves: "seconds" | "share" | "grace";
  title: string;
  /** What stands here at each step of that number. */
  texts: string[];
  /** Whether what stands here falls while the number rises. */
  turned: boolean;
}

/** A time axis from 0 on, with names at some of its seconds. */
export interface NeedAxis {
  last: number;
  ticks: Tick[];
}

/** A need as a sentence, and its decay for every step of its numbers. */
export interface NeedData {
  session: string;
  answered: number;
  numbers: NeedNumber[];
  /** What stands around the slots: one more part than there are slots. */
  parts: string[];
  slots: NeedSlot[];
  /** What the decay is, for each step of the seconds and, within it, of the share. */
  said: Texts;
  /** What a grace does, for each of its steps. */
  begins: string[];
  /** Delays behind the grace, in units of the need's seconds. */
  delays: number[];
  /** For each step of the share, thousandths at each of the delays. */
  credit: number[][];
  /** For each step of the share, thousandths where the need's star lies, at its seconds. */
  stars: number[];
  /** For each step of the share, the half-life, span or deadline for a second of the need. */
  reaches: number[];
  /** By rising length. */
  axes: NeedAxis[];
  axis: string;
  colours: string[];
}

/** A detector as the decay's number moves. */
export interface RaceLine {
  name: string;
  colours: string[];
  dash: string;
  /** Thousandths at each of the numbers. */
  f1: number[];
  /** Thousandths at the need. */
  here: number;
  /** How it compares with random detectors at the need. */
  against: string;
}

/** A range of the number over which the ranking stays the same. */
export interface RaceBand {
  start: number;
  stop: number;
  /** Which of the lines, from the first to the last. */
  ranking: number[];
}

/** A place where two detectors change places. */
export interface RaceFlip {
  at: number;
  f1: number;
  text: string;
}

/** Random detectors as the decay's number moves, in thousandths. */
export interface RandomLine {
  low: number[];
  high: number[];
  mean: number[];
  /** The mean at the need. */
  here: number;
}

/** Who wins at which number of the decay. */
export interface RaceData {
  session: string;
  answered: number;
  title: string;
  /** Where lines are drawn, rising; the axis is logarithmic. */
  numbers: number[];
  /** How each of the numbers is written. */
  texts: Texts;
  /** The number of the need. */
  at: number;
  here: string;
  lines: RaceLine[];
  random: RandomLine;
  bands: RaceBand[];
  flips: RaceFlip[];
  ticks: Tick[];
  /** What the p-values beside the lines test. */
  note: string;
  /** What a saved figure is called. */
  file: string;
}

/** What a detector does in one clip; times are seconds from the clip's beginning. */
export interface ReplayTrack {
  /** Its alarms inside the incident. */
  rings: number[];
  /** Its false calls, or some of many. */
  wrong: number[];
  /** How many false calls there are up to each of them. */
  counts: number[];
  /** Its first alarm inside the incident; None when it misses it. */
  noticed: number | null;
  /** What that was worth, in percent. */
  worth: number;
  /** Once the incident is noticed, or over: "alarm at 08:42, 12 min late, worth 28 %". */
  said: string;
}

/** An incident with some time before and behind it. */
export interface ReplayClip {
  title: string;
  /** Seconds since 1970 at its beginning. */
  begins: number;
  /** How long it is. */
  seconds: number;
  onset: number;
  /** When the incident begins and ends, in seconds from the clip's beginning. */
  over: number;
  /** Seconds from one point to the next. */
  step: number;
  /** Where each point of the signal stands, in ten thousandths of the clip. */
  at: number[];
  /** How high it is there, from 0 to 1000. */
  signal: number[];
  /** Names on the time axis, in seconds from the clip's beginning. */
  ticks: Tick[];
  /** What an alarm is worth during the incident, evenly from its onset to its end, in percent. */
  worth: number[];
  tracks: ReplayTrack[];
  /** What lies between the clip before and this one; empty where nothing does. */
  skipped: string;
  /** The false calls of each detector in what is skipped. */
  missed_calls: number[];
}

/** A line of the card at the end. */
export interface ReplayRow {
  name: string;
  cells: string[];
}

/** What there is to say when the replay is over. */
export interface ReplayCard {
  title: string;
  /** About what was replayed. */
  lines: string[];
  heads: string[];
  rows: ReplayRow[];
  /** What the table means. */
  notes: string[];
  /** Where several incidents were replayed: how late each detector was in each of them. */
  each: ReplayRow[];
}

/** One of those that run side by side. */
export interface ReplayDetector {
  name: string;
  /** When it rings, in words. */
  rule: string;
  colours: string[];
  /** Its false calls a day in all the data. */
  calls: string;
}

/** What the watcher's presses earned, as Python scores them. */
export interface ReplayWatched {
  /** Those that were scored, clip by clip. */
  presses: number[][];
  /** For each clip. */
  said: string[];
  row: ReplayRow;
}

/** A replay with everything that is shown of it. */
export interface ReplayRows {
  title: string;
  /** Whether times are those of a clock, or since the beginning. */
  has_clock: boolean;
  signal_name: string;
  /** The lowest and the highest value of the signal. */
  limits: string[];
  detectors: ReplayDetector[];
  clips: ReplayClip[];
  speeds: number[];
  speed: number;
  card: ReplayCard;
}

/** What the replay is given. */
export interface ReplayData {
  session: string;
  answered: number;
  /** By which one replay is told from another. */
  key: string;
  rows: ReplayRows;
  watched: ReplayWatched | null;
  /** Where it comes from, said in a file that works without a server; empty on the page. */
  name: string;
}

export type Count = number;

export type Bits = string;

export type Sliders = Record<string, number>;

export type Typed = string;

export type Address = string;

export type Turn = -1 | 1;

/** A wish for random alarms. */
export interface Random {
  /** Percent. */
  rate: number;
  seed: Count;
}

/** What the drawing board asks for. */
export interface BoardAsk {
  id: Count;
  revision?: Count;
  /** Whether the hand is off the board: then the rest of the page follows. */
  final?: boolean;
  labels?: Bits;
  detections?: Bits;
  settings?: Sliders;
  random?: Random;
}

/** What the drawing of a guess asks for. */
export interface GuessAsk {
  id: Count;
  guess: number[];
}

/** A stretch of the series, half-open. */
export interface Window {
  first: number;
  last: number;
}

/** What the timeline asks for. */
export interface TimelineAsk {
  id: Count;
  window?: Window;
  /** The threshold's key is "threshold". */
  settings?: Sliders;
}

/** What the page of the paper's cases asks for. */
export interface CasesAsk {
  id: Count;
  settings?: Sliders;
  /** The case to open in the Playground: the toy cases first, then the others. */
  open?: Count;
}

/** What the drawing of alarm probabilities asks for. */
export interface ProbabilityAsk {
  id: Count;
  alarm: number[];
}

/** The numbers of a need that were dragged. */
export interface NeedNumbers {
  seconds?: number;
  share?: number;
  grace?: number;
}

/** A number of the need as somebody typed it. */
export interface NeedTyped {
  number: Typed;
  text: string;
}

/** What the sentence asks for. */
export interface NeedAsk {
  id: Count;
  numbers?: NeedNumbers;
  typed?: NeedTyped;
}

/** What the race asks for. */
export interface RaceAsk {
  id: Count;
  number: number;
}

/** What the replay asks for: that the watcher's presses are scored. */
export interface ReplayAsk {
  id: Count;
  key: Typed;
  /** Seconds from the clip's beginning, clip by clip. */
  presses: number[][];
}

/** What every page is given. */
export interface PageData {
  page: string;
  /** A name for the visit: another one comes from a server that began anew. */
  visit: string;
  /** Whether the page wants to know of keys that step through a lesson. */
  keys: boolean;
  /** Whether the page knows that its style is in force. */
  shown: boolean;
}

/** What a page sends to Python, each under its name. */
export interface PageTriggers {
  back: Address;
  step: Turn;
  /** The presentation was left by a key. */
  leave: 1;
  /** The theme that is in force now. */
  theme: "light" | "dark";
  /** The page's style is in force. */
  styled: boolean;
}

export type Letter = BoardData | CasesData | ReplayData | TimelineData;

/** What a component outside of a fragment is given: where its letters come. */
export interface Mailbox {
  box: string;
}

/** A letter on its way. */
export interface Post {
  box: string;
  letter: Letter;
}
