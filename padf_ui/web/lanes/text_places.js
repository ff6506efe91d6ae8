// @ts-check
// The positions of texts, in pixels: the legend, the names of lanes and ticks, and texts on lanes.

import { findOnes, findRuns } from "./pieces.js";

/** @typedef {import("./pieces.js").Kind} Kind */

/** The width of the line sample before a name. */
export const SAMPLE = 30;

const LEGEND_ROW = 18;
const LETTER = 5.8;

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
 * Returns the position of each entry of the legend, and the total height.
 * @param {number} width
 * @param {boolean} [hasLanes] whether there are lanes of protocols: only they show credit
 */
export function placeLegend(width, hasLanes = true) {
  let x = 0;
  let y = 0;
  const used = LEGEND.filter(([kind]) => hasLanes || (kind !== "adjusted" && kind !== "missed"));
  const entries = used.map(([kind, text]) => {
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
 * @typedef {{start: number, delay: number, late: string, worth: string}} Arrow
 * from onset to first hit; the delay is -1 without a hit, and the worth is empty if there is none
 */

/**
 * Returns the texts under arrows, in two rows if they would overlap. Texts that do not fit are shortened,
 * and left out if that is not enough.
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
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const ROUND_SECONDS = [
  1, 2, 5, 10, 15, 30, ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12, 24, 48, 96, 192].map((hours) => hours * HOUR),
];

/**
 * Returns the seconds in the name of a point, such as "1 d 2:30" or "0:00:10".
 * @param {string} name
 */
function secondsOf(name) {
  const [, days, hours, minutes, seconds] = /^(?:(\d+) d )?(\d+):(\d+)(?::(\d+))?$/.exec(name) ?? [];
  return Number(days ?? 0) * 24 * HOUR + Number(hours) * HOUR + Number(minutes) * MINUTE + Number(seconds ?? 0);
}

/**
 * Returns the ticks of a board: as many as have room for their names. On a clock they are at round
 * times, and a point begins at its left edge. Numbered points have their ticks in the middle.
 * @param {number} count of points
 * @param {string[]} times the names of points; empty if they are numbered
 * @param {number} cell
 */
export function boardTicks(count, times, cell) {
  /** @type {(t: number) => string} */
  const nameOf = (t) => times[t] ?? String(t);
  const longest = Math.max(...times.map((name) => name.length), nameOf(count - 1).length);
  const most = Math.max(2, Math.floor((cell * count) / Math.max(56, longest * 8 + 16)));
  const hasClock = times.length > 1;
  const seconds = hasClock ? secondsOf(times[1]) - secondsOf(times[0]) : 0;
  const round = ROUND_SECONDS.map((each) => each / seconds).filter((each) => Number.isInteger(each));
  const steps = hasClock ? round : TICK_STEPS;
  const step = steps.find((candidate) => count / candidate <= most) ?? Math.ceil(count / most);
  const ticks = [];
  for (let t = 0; t < count; t += step) ticks.push({ at: hasClock ? t : t + 0.5, name: nameOf(t) });
  return ticks;
}

/**
 * Returns ticks at round times of day, such as 9:00 and 9:30. A point begins at its left edge.
 * @param {number} count of points
 * @param {number} begins the time of day at which the first point begins, in seconds
 * @param {number} step the length of a point, in seconds
 * @param {number} cell
 */
export function clockTicks(count, begins, step, cell) {
  const most = Math.max(2, Math.floor((cell * count) / 56));
  const apart = ROUND_SECONDS.find((each) => each >= MINUTE && (count * step) / each <= most) ?? 24 * HOUR;
  const ticks = [];
  for (let time = apart * Math.ceil(begins / apart); time <= begins + count * step; time += apart) {
    const minutes = String((time / MINUTE) % 60).padStart(2, "0");
    ticks.push({ at: (time - begins) / step, name: `${Math.floor(time / HOUR) % 24}:${minutes}` });
  }
  return ticks;
}

/**
 * Returns the positions of the names of ticks, inside the available width and without overlaps.
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
 * Returns the text under a lane's name, split into lines if there is room.
 * @param {string} parameter "K = 20, or more"
 * @param {number} height of the lane
 */
export function parameterLines(parameter, height) {
  if (!parameter) return [];
  return height >= 42 ? parameter.split(", ") : [parameter];
}

/**
 * Returns the count at a lane's end, in two lines if it is too long for one.
 * @param {string} aside "12,345 flagged, 10,932 false"
 */
export function asideLines(aside) {
  return aside.length > 22 ? aside.split(", ") : [aside];
}

/**
 * Returns the baseline of a count's last line: in the middle of its lane, but above the headings of the
 * scores that begin with the next lane.
 * @param {{y: number, h: number}} lane
 * @param {number} lines
 */
export function asideBase({ y, h }, lines) {
  return Math.min(y + h / 2 + 5 + 7.25 * (lines - 1), y + Math.max(11, h - 12));
}

/**
 * Returns the distance between the lines of a lane's name, and the class for small text.
 * @param {number} height of the lane
 */
export function lineOf(height) {
  return height < 26 ? { pitch: 11.5, tight: " tight" } : { pitch: 14.5, tight: "" };
}

const HINTS = ["press and drag to paint", "paint here"];
const HINT_LETTER = 6.2;
const HINT_SIDE = 11;

/**
 * Returns the painting hint and its position in a row. It goes into free cells right before the first
 * segment, otherwise inside it, otherwise into the first free run that is wide enough. It never crosses the
 * edge of a segment. If the long hint does not fit, a short one is used. If neither fits, returns null.
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
 * Returns the positions of names, each with a line sample before it, in rows.
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
