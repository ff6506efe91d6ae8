// @ts-check
// Where everything stands: lanes, their arrows, the axis and the legend, wide and narrow. In pixels.

import { findOnes, findRuns } from "./pieces.js";

/**
 * @typedef {import("./pieces.js").Kind} Kind
 * @typedef {import("./pieces.js").Piece} Piece
 * @typedef {"board" | "timeline" | "signal"} Stage a timeline may show the monitored signal, too
 * @typedef {{key: string, arrows: boolean}} Laid
 */

/**
 * @typedef {object} Place of a lane
 * @property {number} top where its name begins
 * @property {number} y where its cells begin
 * @property {number} h
 * @property {number | null} arrows where the arrows under it begin
 */

/**
 * @typedef {object} Box
 * @property {number} width
 * @property {boolean} wide
 * @property {number} left of the cells
 * @property {number} room for the cells
 * @property {Record<string, Place>} lanes
 * @property {number} axis
 * @property {number} legend where it begins
 * @property {Place | null} shifts the panel below the axis, if there is one
 * @property {number} bottom
 */

/**
 * @typedef {object} Wants what a stage may be given besides its width
 * @property {number} [screen] the height of the screen; lanes are lower on a low one
 * @property {number | null} [shifts] the height of the head of the panel below the axis
 */

const TIP_GAP = 8;
export const SAMPLE = 30;

const WIDE = 700;
const LEFT = 124;
const RIGHT = 150;
const ARROWS = 40;
const AXIS = 22;
const HEAD = 13;
const LOW_SCREEN = 720;
const SHIFTS_HEIGHT = 92;
const UNDER_SHIFTS = 8;
const LEGEND_ROW = 18;
const LETTER = 5.8;
const UNDER_LEGEND = 6;

/** @type {[Kind, string][]} */
const LEGEND = [
  ["truth", "true anomaly"],
  ["hit", "hit"],
  ["adjusted", "credit given by adjustment"],
  ["missed", "missed credit"],
  ["false", "false alarm"],
  ["normal", "normal"],
];

/**
 * Returns where each entry of the legend stands, and the height of all.
 * @param {number} width
 */
export function placeLegend(width) {
  let x = 0;
  let y = 0;
  const entries = LEGEND.map(([kind, text]) => {
    const size = 34 + text.length * LETTER;
    if (x > 0 && x + size > width) {
      x = 0;
      y += LEGEND_ROW;
    }
    const entry = { kind, text, x, y };
    x += size;
    return entry;
  });
  return { entries, height: y + LEGEND_ROW };
}

/**
 * Says whether a screen is too low for lanes of the usual height.
 * @param {number} screen
 */
export function isLow(screen) {
  return screen < LOW_SCREEN;
}

const ROOMY = [[42, 11], [36, 10], [31, 9], [28, 8]];
const TIGHT = [[34, 8], [29, 7], [25, 6], [22, 5]];

/**
 * Returns the sizes of lanes. Many lanes on a wide board are lower, so that it still fits a screen.
 * @param {Stage} stage
 * @param {boolean} wide
 * @param {number} count
 * @param {boolean} low
 */
function sizesOf(stage, wide, count, low) {
  if (stage !== "board") return wide ? { label: 0, h: 28, gap: 9 } : { label: 21, h: 24, gap: 7 };
  if (!wide) return { label: 21, h: 30, gap: 9 };
  const [h, gap] = (low ? TIGHT : ROOMY)[Math.max(0, Math.min(3, count - 4))];
  return { label: 0, h, gap };
}

/**
 * @param {Stage} stage
 * @param {boolean} wide
 * @returns {[string, number][]}
 */
function panelsOf(stage, wide) {
  /** @type {[string, number][]} */
  const panels = [
    ["value", wide ? 84 : 64],
    ["score", wide ? 104 : 84],
  ];
  return { board: [], timeline: panels.slice(1), signal: panels }[stage];
}

/**
 * @param {Laid[]} lanes
 * @param {boolean} wide
 * @param {Stage} stage
 * @param {number} top
 * @param {boolean} low
 */
function placeLanes(lanes, wide, stage, top, low) {
  const { label, h, gap } = sizesOf(stage, wide, lanes.length, low);
  /** @type {Record<string, Place>} */
  const places = {};
  let y = top;
  let end = top;
  /** @type {(key: string, height: number, arrows: boolean) => void} */
  const add = (key, height, arrows) => {
    end = y + label + height;
    places[key] = { top: y, y: y + label, h: height, arrows: arrows ? end + 2 : null };
    if (arrows) end += 2 + ARROWS;
    y = arrows ? end : end + gap;
  };
  for (const [key, height] of panelsOf(stage, wide)) add(key, height, false);
  add("truth", h, false);
  add("detections", h, false);
  // Where scores stand beside names, what they are stands once above the first of them.
  if (!wide) y += HEAD;
  for (const lane of lanes) add(lane.key, h, lane.arrows);
  const axis = lanes[lanes.length - 1]?.arrows ? end : end + 4;
  return { lanes: places, axis };
}

/**
 * Places everything below one another. On a phone the lanes come first, their legend last.
 * @param {Laid[]} lanes
 * @param {boolean} wide
 * @param {Stage} stage
 * @param {number} legend its height
 * @param {Wants} wants
 */
function placeAll(lanes, wide, stage, legend, { screen = Infinity, shifts = null }) {
  const top = wide ? legend + UNDER_LEGEND : 0;
  const placed = placeLanes(lanes, wide, stage, top, isLow(screen));
  let bottom = placed.axis + AXIS;
  /** @type {Place | null} */
  let panel = null;
  if (shifts !== null) {
    panel = { top: bottom, y: bottom + shifts, h: SHIFTS_HEIGHT, arrows: null };
    bottom = panel.y + panel.h + UNDER_SHIFTS;
  }
  const below = { legend: bottom + UNDER_LEGEND, bottom: bottom + UNDER_LEGEND + legend };
  return { ...placed, shifts: panel, ...(wide ? { legend: 0, bottom } : below) };
}

/**
 * @param {Laid[]} lanes
 * @param {number} width
 * @param {Stage} stage
 * @param {Wants} [wants]
 * @returns {Box}
 */
export function layOutStage(lanes, width, stage, wants = {}) {
  const { wide, left, room } = columnsOf(width);
  const legend = placeLegend(width - left).height;
  return { width, wide, left, room, ...placeAll(lanes, wide, stage, legend, wants) };
}

/**
 * Returns where the cells of a stage begin, and their room.
 * @param {number} width
 */
export function columnsOf(width) {
  const wide = isWide(width);
  const left = wide ? LEFT : 0;
  return { wide, left, room: width - left - (wide ? RIGHT : 0) };
}

/** @param {number} width */
export function isWide(width) {
  return width >= WIDE;
}

/**
 * Returns the width of one point on the board; narrower ones would have to be scrolled to.
 * @param {Box} box
 * @param {number} count
 */
export function boardCell(box, count) {
  return Math.min(230, Math.max(box.wide ? 3 : 9, box.room / count));
}

/**
 * Lays out the lanes of a small board, each under its name.
 * @param {number} count
 * @param {number} height of a lane
 */
export function layOutMini(count, height) {
  const places = Array.from({ length: count }, (_, index) => {
    const top = index * (height + 24);
    return { top, y: top + 18, h: height, arrows: null };
  });
  return { places, bottom: count * (height + 24) };
}

/**
 * Returns the rectangle of a piece, at least so wide.
 * @param {Piece} piece
 * @param {{y: number, h: number}} lane
 * @param {number} cell
 * @param {number} [least]
 */
export function rectOf(piece, lane, cell, least = 0) {
  return {
    x: piece.from * cell,
    y: lane.y + (1 - piece.base - piece.height) * lane.h,
    width: Math.max(least, (piece.to - piece.from) * cell),
    height: piece.height * lane.h,
  };
}

/**
 * @typedef {{start: number, delay: number, late: string, worth: string}} Arrow
 * from onset to first hit; the delay is -1 where there is none, the worth empty where it has none
 */

/**
 * Returns the texts under arrows, in two rows where they would collide; those without a place are
 * shortened, then left out.
 * @param {Arrow[]} arrows
 * @param {number} cell
 * @param {number} width
 */
export function placeArrowTexts(arrows, cell, width) {
  const ends = [-Infinity, -Infinity];
  const placed = [];
  for (const arrow of arrows) {
    for (const text of arrowTexts(arrow)) {
      const size = text.length * 6.1;
      const x = Math.max(0, Math.min(arrow.start * cell, width - size));
      const row = ends.findIndex((end) => x > end + 8);
      if (row < 0) continue;
      placed.push({ x, row, text });
      ends[row] = x + size;
      break;
    }
  }
  return placed;
}

/** @param {Arrow} arrow */
function arrowTexts({ delay, late, worth }) {
  if (delay < 0) return ["missed"];
  return worth ? [`${late} → credit ${worth}`, `→ ${worth}`] : [late];
}

const TICK_STEPS = [1, 2, 5, 10, 15, 20, 25, 30, 50, 60, 100, 150];

/**
 * Returns the ticks of a board: as many as have room for their names.
 * @param {number} count of points
 * @param {string[]} times their names; empty when they are their numbers
 * @param {number} cell
 */
export function boardTicks(count, times, cell) {
  /** @type {(t: number) => string} */
  const nameOf = (t) => times[t] ?? String(t);
  const longest = Math.max(...times.map((name) => name.length), nameOf(count - 1).length);
  const most = Math.max(2, Math.floor((cell * count) / Math.max(56, longest * 8 + 16)));
  const step = TICK_STEPS.find((candidate) => count / candidate <= most) ?? 150;
  const ticks = [];
  for (let t = 0; t < count; t += step) ticks.push({ at: t + 0.5, name: nameOf(t) });
  return ticks;
}

/**
 * Returns where the names of ticks stand: inside the room, and apart from each other.
 * @param {{at: number, name: string}[]} ticks
 * @param {number} cell
 * @param {number} room
 */
export function placeTickNames(ticks, cell, room) {
  let free = -Infinity;
  const placed = [];
  for (const { at, name } of ticks) {
    const half = name.length * 3.4;
    const x = Math.max(half, Math.min(room - half, at * cell));
    if (x - half < free + 10) continue;
    free = x + half;
    placed.push({ x, name });
  }
  return placed;
}

/**
 * Returns what stands under a lane's name, in as many lines as there is room for.
 * @param {string} parameter "K = 20, or more"
 * @param {number} height of the lane
 */
export function parameterLines(parameter, height) {
  if (!parameter) return [];
  return height >= 42 ? parameter.split(", ") : [parameter];
}

/**
 * Returns a count at a lane's end, in two lines where one is too long.
 * @param {string} aside "12,345 flagged, 10,932 false"
 */
export function asideLines(aside) {
  return aside.length > 22 ? aside.split(", ") : [aside];
}

/**
 * Returns the baseline of a count's last line: in the middle of its lane, but above the head of the
 * scores that begin with the next lane.
 * @param {{y: number, h: number}} lane
 * @param {number} lines
 */
export function asideBase({ y, h }, lines) {
  return Math.min(y + h / 2 + 5 + 7.25 * (lines - 1), y + Math.max(11, h - 12));
}

/**
 * Returns how far lines are apart in a lane's name, and whether they must be small.
 * @param {number} height of the lane
 */
export function lineOf(height) {
  return height < 26 ? { pitch: 11.5, tight: " tight" } : { pitch: 14.5, tight: "" };
}

/**
 * Returns a view inside a series that shows a few points at least.
 * @param {number} first
 * @param {number} last
 * @param {number} size
 */
export function clampView(first, last, size) {
  const length = Math.min(size, Math.max(5, Math.round(last - first)));
  const begin = Math.max(0, Math.min(size - length, Math.round(first)));
  return { first: begin, last: begin + length };
}

const HINTS = ["press and drag to paint", "paint here"];
const HINT_LETTER = 6.2;
const HINT_SIDE = 11;

/**
 * Returns the hint to paint and where it stands in a row: in free cells right before the first segment,
 * else inside it, else in the first that are wide enough; never across the edge of a segment. A short
 * one stands where the long one has no room, and nothing where neither has.
 * @param {string} painted the row
 * @param {string} labels
 * @param {number} cell
 */
export function placeHint(painted, labels, cell) {
  const free = [...labels.matchAll(/0+|1+/g)].flatMap(({ 0: run, index }) =>
    findRuns(index, index + run.length, (t) => painted[t] !== "1"),
  );
  const [segment] = findOnes(labels);
  for (const text of HINTS) {
    const least = text.length * HINT_LETTER + 2 * HINT_SIDE;
    const roomy = free.filter(({ start, stop }) => (stop - start) * cell >= least);
    const before = roomy.find(({ stop }) => stop === segment?.start);
    if (before) return { text, x: before.stop * cell - HINT_SIDE, anchor: "end" };
    const inside = roomy.find(({ start }) => start >= segment?.start && start < segment?.stop);
    const place = inside ?? roomy[0];
    if (place) return { text, x: place.start * cell + HINT_SIDE, anchor: "start" };
  }
  return null;
}

/**
 * Returns where a tip stands beside a column, inside the bounds: at its right if there is room, else
 * at the side that has more.
 * @param {{left: number, right: number, y: number}} column
 * @param {{width: number, height: number}} size
 * @param {{width: number, height: number}} bounds
 */
export function placeTip(column, size, bounds) {
  const right = bounds.width - column.right - TIP_GAP;
  const left = column.left - TIP_GAP;
  const isRight = right >= size.width || right >= left;
  const width = Math.max(0, Math.min(size.width, isRight ? right : left));
  const top = Math.max(0, Math.min(bounds.height - size.height, column.y - size.height / 2));
  return { left: isRight ? column.right + TIP_GAP : column.left - TIP_GAP - width, top, width };
}

/**
 * Returns where names with a sample before each stand, in rows.
 * @param {string[]} names
 * @param {number} width
 * @param {number} from where the first row begins
 */
export function placeNames(names, width, from) {
  let x = from;
  let row = 0;
  const entries = names.map((name) => {
    const size = SAMPLE + name.length * 6.8 + 16;
    if (x > 0 && x + size > width) {
      x = 0;
      row += 1;
    }
    const entry = { name, x, row };
    x += size;
    return entry;
  });
  return { entries, rows: row + 1 };
}
