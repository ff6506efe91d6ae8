// @ts-check
// Where everything stands: lanes, their arrows, the axis and the legend, wide and narrow. In pixels.

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
 * @property {number} bottom
 */

const WIDE = 700;
const LEFT = 124;
const RIGHT = 150;
const ARROWS = 40;
const AXIS = 22;
const LEGEND_ROW = 18;
const UNDER_LEGEND = 6;
const USUAL_LEGEND_ROWS = { wide: 1, narrow: 3 };

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
    const size = 34 + text.length * 6.4;
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
 * Returns the sizes of lanes. Many lanes on a wide board are lower, so that it still fits a screen.
 * @param {Stage} stage
 * @param {boolean} wide
 * @param {number} count
 */
function sizesOf(stage, wide, count) {
  if (stage !== "board") return wide ? { label: 0, h: 28, gap: 9 } : { label: 18, h: 24, gap: 7 };
  if (!wide) return { label: 19, h: 30, gap: 9 };
  const [h, gap] = [[42, 11], [36, 10], [31, 9], [28, 8]][Math.max(0, Math.min(3, count - 4))];
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
 */
function placeLanes(lanes, wide, stage, top) {
  const { label, h, gap } = sizesOf(stage, wide, lanes.length);
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
  for (const lane of lanes) add(lane.key, h, lane.arrows);
  const axis = lanes[lanes.length - 1]?.arrows ? end : end + 4;
  return { lanes: places, axis, bottom: axis + AXIS };
}

/**
 * @param {Laid[]} lanes
 * @param {number} width
 * @param {Stage} stage
 * @returns {Box}
 */
export function layOutStage(lanes, width, stage) {
  const wide = isWide(width);
  const left = wide ? LEFT : 0;
  const room = width - left - (wide ? RIGHT : 0);
  const top = placeLegend(width - left).height + UNDER_LEGEND;
  return { width, wide, left, room, ...placeLanes(lanes, wide, stage, top) };
}

/** @param {number} width */
export function isWide(width) {
  return width >= WIDE;
}

/**
 * Returns the usual height of a stage, to reserve its place before it is drawn.
 * @param {Laid[]} lanes
 * @param {boolean} wide
 * @param {Stage} stage
 */
export function stageHeight(lanes, wide, stage) {
  const rows = USUAL_LEGEND_ROWS[wide ? "wide" : "narrow"];
  return placeLanes(lanes, wide, stage, rows * LEGEND_ROW + UNDER_LEGEND).bottom;
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
