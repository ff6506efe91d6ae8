// Written by `python -m padf_ui.wire` from padf_ui/wire: change that.

export type MAX_POINTS = 300;

export type MAX_PROBABILITIES = 60;

export type MOST_CLIPS = 60;

export type MOST_PRESSES = 100;

/** Many texts that share their wording and differ mostly in their numbers. */
export interface Texts {
  /** Wording around the numbers. There is one more part than there are numbers. */
  parts: string[][];
  /** For each text: the index of its parts, then its formatted numbers. */
  rows: (string | number)[][];
}

/** Credit inside segments, for each row. */
export interface Credit {
  /** Whether credit is given per segment or per anomalous point. */
  by: "segment" | "point";
  /** For each segment, or each anomalous point in time order: its column in `rows`. */
  columns: number[];
  /** Hundredths for each row and column, or -1 where the detections count as they are. */
  rows: number[][];
}

/** Number that the user can change, with all texts for each of its steps. */
export interface Slider {
  key: string;
  title: string;
  steps: number[];
  at: number;
  /** Lane whose F1 is the slider's curve, or None for the selected lane. */
  lane: string | null;
  /** Description of the values that may be typed. */
  rule: string;
  /** Smallest and largest value that may be typed. */
  limits: number[];
  /** Open intervals inside the limits that may not be typed. */
  gaps: number[][];
  /** Name of the lane at each step, such as "d = 0.9". */
  names: Texts;
  /** Note next to the number at each step. */
  notes: Texts;
  /** Whether the curve is drawn in steps. */
  stepped: boolean;
}

/** One lane at every step of a slider. */
export interface LaneRows {
  /** Row index for each step of the slider. A single entry if there is no slider. */
  places: number[];
  /** F1 of each row, in thousandths. */
  f1: number[];
  /** F1 minus point-wise F1 of each row, in thousandths. None for point-wise itself. */
  gain: number[] | null;
  credit: Credit;
}

/** One protocol on the board, at every step of its own slider. */
export interface Lane extends LaneRows {
  key: string;
  name: string;
  /** Key of the slider that changes the lane. */
  slider: string | null;
  /** Whether to draw arrows from onset to first hit below the lane. */
  arrows: boolean;
  precision?: Texts;
  recall?: Texts;
  formula?: Texts;
  why?: Texts;
  /** Colours of the lane in the light and the dark theme. */
  colours?: string[];
  /** For each row: credit at a delay of 0, 1, 2, ... steps, in hundredths. */
  worth?: number[][];
}

/** Options that limit what a board shows and allows, used by lessons. */
export interface Tailor {
  /** Rows that the user may paint: "truth", "detections". */
  paint: string[];
  /** Names of the tools in the toolbar. */
  tools: string[];
  /** Keys of the visible sliders. */
  sliders: string[];
  /** Whether scores and gains are shown. */
  numbers: boolean;
  formula: boolean;
  /** Lanes to dim. */
  dim: string[];
  /** Whether to animate, on first display, how adjustment fills a segment from its hit. */
  spread: boolean;
  /** Whether to draw the decay above the delay-aware lane, with a dot at the delay. */
  worth: boolean;
  /** Whether a question is open. Until it is answered, the lanes hide what they earn. */
  waits: boolean;
}

/** F1 of every lane when all alarms are shifted, at the current parameters. */
export interface Shifts {
  /** Largest shift in steps. Shifts run from -reach to reach. */
  reach: number;
  /** For each lane: F1 at each shift, in thousandths. */
  f1: Record<string, number[]>;
}

/** Segment of the pattern on the board. */
export interface BoardSegment {
  start: number;
  stop: number;
  /** Steps from onset to first hit, or -1 if there is no hit. */
  delay: number;
  late: string;
}

/** Pattern and everything a board may display about it. */
export interface BoardRows {
  labels: string;
  detections: string;
  /** Name of each point on the time axis. Empty if the names are the indices. */
  times: string[];
  axis: string;
  alarms: string;
  segments: BoardSegment[];
  lanes: Lane[];
  shifts?: Shifts;
}

/** Data for the board. */
export interface BoardData {
  session: string;
  /** Increases when Python changes the pattern. The board takes Python's pattern only then. */
  revision: number;
  /** Number of the last request that Python processed. */
  answered: number;
  hint: boolean;
  /** Name of the undo history. Boards with the same name share it. */
  history: string;
  link: string;
  rows: BoardRows;
  sliders: Slider[];
  tailor?: Tailor;
}

/**
 * One protocol on the start page.
 *
 * Its rows are in lists of one entry per d, or of a single entry if d does not change them.
 */
export interface FrontLane {
  key: string;
  names: string[];
  colours: string[];
  /** F1 in thousandths, for each row. */
  f1: number[][];
  /** One sentence for each row. */
  words: Texts[];
}

/** Incident on a time axis, with one or two alarms that the user drags. */
export interface FrontData {
  /** Name of each position. */
  times: string[];
  /** Time of day at which the first point begins, in seconds. */
  begins: number;
  /** Length of a point in seconds. */
  step: number;
  start: number;
  /** End of the incident, which is the half-open interval [start, stop). */
  stop: number;
  /** Initial position of the alarm. */
  at: number;
  /** Initial position of the second alarm. */
  second: number;
  /** Steps of the slider for d. */
  rates: number[];
  /** Initial step of the slider. */
  rate: number;
  /** Meaning of d at each step of the slider. */
  notes: Texts;
  /** Row of the scores for each pair of positions. A single alarm is a pair of equal positions. */
  rows: number[];
  /** Description of an alarm at each position, such as "Alarm at 09:10, 10 min late". */
  said: Texts;
  /** Whether a row has no false alarm. */
  quiet: boolean[];
  lanes: FrontLane[];
}

/** Curve that the reader draws before the true curve is shown. */
export interface GuessData {
  session: string;
  answered: number;
  title: string;
  /** Name of each position on the x-axis. */
  x: string[];
  axis: string;
  /** True curve in thousandths, or None until it is revealed. */
  truth: number[] | null;
  /** Curve drawn so far, in thousandths. */
  guess: number[];
  words: string;
}

/** Question in a file that works without a server. */
export interface FileQuestion {
  text: string;
  answers: string[];
  /** Index of the right answer. */
  right: number;
  why: string;
  /** What to say to each answer. */
  verdicts: string[];
}

/** Step of a lesson in a file that works without a server. */
export interface FileStep {
  title: string;
  /** Paragraphs, separated by empty lines. */
  text: string;
  board: BoardData;
  question?: FileQuestion;
}

/** Data for a file that works without a server. */
export interface FileData {
  title: string;
  /** Source of the file, shown below it. */
  name: string;
  steps: FileStep[];
}

/** Lowest and highest value of each cell, from 0 to 1000, or -1 if the cell is empty. */
export interface Extent {
  low: number[];
  high: number[];
}

/** Monitored signal, with its lowest and highest value as text. */
export interface Signal extends Extent {
  names: string[];
}

/** Label on the time axis. Its position is in cells. */
export interface Tick {
  at: number;
  name: string;
}

/** Overview of the whole series in a few hundred cells. */
export interface Strip {
  labels: string;
  /** Like `TimelineRows.hit`, but for true and false alarms together. */
  levels: number[];
}

/** Segment in view. Its limits are in cells. */
export interface TimelineSegment {
  number: number;
  start: number;
  stop: number;
}

/** First hit of a segment, valid from this step of the threshold. */
export interface FirstHit {
  step: number;
  /** Cells from onset to first hit, or -1 if there is no hit. */
  delay: number;
  late: string;
}

/** One protocol on the timeline. */
export interface TimelineLane {
  key: string;
  name: string;
  slider: string | null;
  arrows: boolean;
  /** Colours of the lane in the light and the dark theme. */
  colours?: string[];
  /** Rows at every step of the threshold, at the current parameters. */
  over_threshold: LaneRows;
  /** Rows at every step of the lane's own slider, at the current threshold. */
  over_own: LaneRows | null;
}

/**
 * Part of a long series at every step of the threshold.
 *
 * Thresholds increase from step to step. A cell contains an alarm at every step below its level.
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
  /** Height of the threshold line at each step, from 0 to 1000. */
  heights: number[];
  /** Shortest text of each step's threshold that still flags exactly the same points. */
  thresholds: string[];
  /** Current step of the threshold. */
  at: number;
  /** For each cell: the number of steps at which one of its anomalous points is flagged. */
  hit: number[];
  /** For each cell: the number of steps at which one of its normal points is flagged. */
  wrong: number[];
  strip: Strip;
  /** Ignored rows in view: the first and the last edge of each run, in cells. */
  left_out: number[][];
  /** Segments in view as labelled, in cells. Empty unless onsets were moved. */
  labelled: number[][];
  segments: TimelineSegment[];
  /** For each segment: its first hits by increasing step. The first entry is for step 0. */
  found: FirstHit[][];
  /** For each step: the number of flagged points, as text. */
  alarms: Texts;
  lanes: TimelineLane[];
}

/** Data for the timeline. */
export interface TimelineData {
  session: string;
  /** Increases when anything other than the timeline changes the displayed data. */
  revision: number;
  answered: number;
  rows: TimelineRows;
  /** The threshold first, if it can be changed, then the sliders of the lanes. */
  sliders: Slider[];
}

/** Value that the paper prints for a lane. */
export interface Printed {
  lane: string;
  /** Slider step to which the value applies, or None for all steps. */
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

/** One of several patterns to compare. */
export interface PatternRows {
  title: string;
  about: string;
  /** Description of the pattern. */
  words: string;
  /** Rows of the pattern, limited to lanes whose credit and score may be shown. */
  rows: BoardRows;
}

/** Patterns to compare. */
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
  /** Glossary meaning of each word written between asterisks. */
  terms: Record<string, string>;
  sliders: Slider[];
  toy: CaseRows[];
  robustness: CaseRows[];
  conditions: CaseCondition[];
  /** For each lane and slider step: "pass", "fail" or "differs" for each condition. */
  verdicts: Record<string, string[][]>;
  ranges: string[];
}

/** Data for the Paper cases page. */
export interface CasesData extends CasesRows {
  session: string;
  answered: number;
}

/** Data for the component in which alarm probabilities are drawn. */
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

/** Number of a need, with the steps it can be dragged over. */
export interface NeedNumber {
  key: "seconds" | "share" | "grace";
  steps: number[];
  at: number;
}

/** Position of a number in the sentence. */
export interface NeedSlot {
  /** Number that is typed here. */
  number: "seconds" | "share" | "grace" | "pace";
  /** Number that is dragged here. */
  moves: "seconds" | "share" | "grace";
  title: string;
  /** Text shown here at each step of the dragged number. */
  texts: string[];
  /** Whether the displayed value falls when the dragged number rises. */
  turned: boolean;
}

/** Time axis that starts at 0, with labels at some of its seconds. */
export interface NeedAxis {
  last: number;
  ticks: Tick[];
}

/** Need as a sentence, with its decay at every step of its numbers. */
export interface NeedData {
  session: string;
  answered: number;
  numbers: NeedNumber[];
  /** Wording around the slots. There is one more part than there are slots. */
  parts: string[];
  slots: NeedSlot[];
  /** Description of the decay for each step of the seconds and, within it, of the share. */
  said: Texts;
  /** Effect of the grace at each of its steps. */
  begins: string[];
  /** Delays after the grace, in units of the need's seconds. */
  delays: number[];
  /** For each step of the share: credit in thousandths at each delay. */
  credit: number[][];
  /** For each step of the share: credit in thousandths at the need's star (delay 1.0). */
  stars: number[];
  /** For each step of the share: half-life, span or deadline of a need of one second. */
  reaches: number[];
  /** Axes in order of increasing length. */
  axes: NeedAxis[];
  axis: string;
  colours: string[];
}

/** One detector over the parameter of the decay. */
export interface RaceLine {
  name: string;
  colours: string[];
  dash: string;
  /** F1 in thousandths at each value of the parameter. */
  f1: number[];
  /** F1 in thousandths at the need. */
  here: number;
  /** Comparison with random detectors at the need. */
  against: string;
}

/** Range of the parameter with a constant ranking. */
export interface RaceBand {
  start: number;
  stop: number;
  /** Indices of the lines, best first. */
  ranking: number[];
}

/** Value at which two detectors swap ranks. */
export interface RaceFlip {
  at: number;
  f1: number;
  text: string;
}

/** Random detectors over the parameter of the decay, in thousandths. */
export interface RandomLine {
  low: number[];
  high: number[];
  mean: number[];
  /** Mean at the need. */
  here: number;
}

/** Ranking of the detectors over the parameter of the decay. */
export interface RaceData {
  session: string;
  answered: number;
  title: string;
  /** Values of the parameter at which lines are drawn, increasing. The axis is logarithmic. */
  numbers: number[];
  /** Each value of the parameter as text. */
  texts: Texts;
  /** Value of the parameter at the need. */
  at: number;
  here: string;
  lines: RaceLine[];
  random: RandomLine;
  bands: RaceBand[];
  flips: RaceFlip[];
  ticks: Tick[];
  /** Explanation of the p-values shown next to the lines. */
  note: string;
  /** File name of a saved figure. */
  file: string;
}

/** Behaviour of one detector in one clip. Times are seconds from the start of the clip. */
export interface ReplayTrack {
  /** Times of the alarms inside the incident. */
  rings: number[];
  /** Times of the false calls, or of a selection if there are many. */
  wrong: number[];
  /** Number of false calls up to and including each entry of `wrong`. */
  counts: number[];
  /** Time of the first alarm inside the incident, or None if the incident is missed. */
  noticed: number | null;
  /** Credit of that alarm, in percent. */
  worth: number;
  /** Shown once the incident is noticed or over: "alarm at 08:42, 12 min late, worth 28 %". */
  said: string;
}

/** Incident, with some time before and after it. */
export interface ReplayClip {
  title: string;
  /** Start of the clip, in seconds since 1970. */
  begins: number;
  /** Length of the clip. */
  seconds: number;
  onset: number;
  /** End of the incident. Onset and end are in seconds from the start of the clip. */
  over: number;
  /** Seconds between points. */
  step: number;
  /** Position of each point of the signal, in ten-thousandths of the clip. */
  at: number[];
  /** Height of the signal at each position, from 0 to 1000. */
  signal: number[];
  /** Labels of the time axis, in seconds from the start of the clip. */
  ticks: Tick[];
  /** Credit of an alarm at evenly spaced times from onset to end of the incident, in percent. */
  worth: number[];
  tracks: ReplayTrack[];
  /** What was skipped since the previous clip. Empty if nothing was skipped. */
  skipped: string;
  /** False calls of each detector in the skipped part. */
  missed_calls: number[];
}

/** Row of the table on the end card. */
export interface ReplayRow {
  name: string;
  cells: string[];
}

/** Summary shown at the end of the replay. */
export interface ReplayCard {
  title: string;
  /** Facts about the replayed data. */
  lines: string[];
  heads: string[];
  rows: ReplayRow[];
  /** Explanations of the table. */
  notes: string[];
  /** If there were several incidents: the delay of each detector in each of them. */
  each: ReplayRow[];
}

/** One of the detectors in the replay. */
export interface ReplayDetector {
  name: string;
  /** Alert rule of the detector, in words. */
  rule: string;
  colours: string[];
  /** False calls per day in the whole data set. */
  calls: string;
}

/** Scores of the watcher's presses, computed by Python. */
export interface ReplayWatched {
  /** For each clip, the presses that were scored. */
  presses: number[][];
  /** One text for each clip. */
  said: string[];
  row: ReplayRow;
}

/** Replay with everything it displays. */
export interface ReplayRows {
  title: string;
  /** Whether times are clock times. Otherwise they count from the start. */
  has_clock: boolean;
  signal_name: string;
  /** Lowest and highest value of the signal, as text. */
  limits: string[];
  detectors: ReplayDetector[];
  clips: ReplayClip[];
  speeds: number[];
  speed: number;
  card: ReplayCard;
}

/** Data for the replay. */
export interface ReplayData {
  session: string;
  answered: number;
  /** Key that identifies the replay. */
  key: string;
  rows: ReplayRows;
  watched: ReplayWatched | null;
  /** Source, shown in a file that works without a server. Empty on the page. */
  name: string;
}

export type Count = number;

export type Bits = string;

export type Sliders = Record<string, number>;

export type Typed = string;

export type Address = string;

export type Turn = -1 | 1;

export type Place = number;

/** Request for random alarms. */
export interface Random {
  /** Share of points to flag, in percent. */
  rate: number;
  seed: Count;
}

/** Request from the board. */
export interface BoardAsk {
  id: Count;
  revision?: Count;
  /** Whether the user has released the board. If so, the rest of the page updates as well. */
  final?: boolean;
  labels?: Bits;
  detections?: Bits;
  settings?: Sliders;
  random?: Random;
}

/** Request from the component in which the reader draws a guess. */
export interface GuessAsk {
  id: Count;
  guess: number[];
}

/** Part of the series, as a half-open interval. */
export interface Window {
  first: number;
  last: number;
}

/** Request from the timeline. */
export interface TimelineAsk {
  id: Count;
  window?: Window;
  /** Slider values by key. The key of the threshold is "threshold". */
  settings?: Sliders;
}

/** Request from the Paper cases page. */
export interface CasesAsk {
  id: Count;
  settings?: Sliders;
  /** Index of the case to open in the Playground: toy cases first, then robustness cases. */
  open?: Count;
}

/** Request from the component in which alarm probabilities are drawn. */
export interface ProbabilityAsk {
  id: Count;
  alarm: number[];
}

/** Numbers of a need that the user dragged. */
export interface NeedNumbers {
  seconds?: number;
  share?: number;
  grace?: number;
}

/** Number of a need that the user typed. */
export interface NeedTyped {
  number: Typed;
  text: string;
}

/** Request from the need sentence. */
export interface NeedAsk {
  id: Count;
  numbers?: NeedNumbers;
  typed?: NeedTyped;
}

/** Request from the race chart. */
export interface RaceAsk {
  id: Count;
  number: number;
}

/** Request from the replay to score the watcher's presses. */
export interface ReplayAsk {
  id: Count;
  key: Typed;
  /** For each clip, the times of the presses in seconds from the start of the clip. */
  presses: number[][];
}

/** Data for every page. */
export interface PageData {
  page: string;
  /** Name of the visit. It changes when the server restarts. */
  visit: string;
  /** Whether the page wants the keys that step through a lesson. */
  keys: boolean;
  /** Whether Python knows that the page's style is applied. */
  shown: boolean;
}

/** Values that a page sends to Python, each under its own name. */
export interface PageTriggers {
  back: Address;
  step: Turn;
  /** The user left the presentation with a key. */
  leave: 1;
  answer: Place;
  /** The user asked for the answer with a key. */
  reveal: 1;
  /** Theme that is now active. */
  theme: "light" | "dark";
  /** Whether the page's style is applied. */
  styled: boolean;
}

export type Letter = BoardData | CasesData | ReplayData | TimelineData;

/** Data for a component outside a fragment: the mailbox that receives its letters. */
export interface Mailbox {
  box: string;
}

/** Letter addressed to a mailbox. */
export interface Post {
  box: string;
  letter: Letter;
}
