// @ts-check
// The positions of the parts of a stage, in pixels: lanes, their arrows, the axis and the legend.

import { placeLegend } from "./text_places.js";

/**
 * @typedef {import("./pieces.js").Piece} Piece
 * @typedef {"board" | "timeline" | "signal"} Stage "signal" is a timeline with the monitored signal
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
 * @typedef {object} Wants optional inputs of a layout besides its width
 * @property {number} [screen] the height of the screen; lanes get smaller on a low screen
 * @property {number | null} [shifts] the height of the heading of the panel below the axis
 */

const WIDE = 700;
const LEFT = 124;
const RIGHT = 150;
const ARROWS = 40;
const AXIS = 22;
const HEAD = 13;
const LOW_SCREEN = 720;
const SHIFTS_HEIGHT = 92;
const UNDER_SHIFTS = 8;
const UNDER_LEGEND = 6;

/**
 * Returns whether a screen is too low for lanes of the usual height.
 * @param {number} screen
 */
export function isLow(screen) {
  return screen < LOW_SCREEN;
}

const ROOMY = [[42, 11], [36, 10], [31, 9], [28, 8]];
const TIGHT = [[34, 8], [29, 7], [25, 6], [22, 5]];

/**
 * Returns the sizes of lanes. On a wide board, many lanes are less high, so that the board fits a screen.
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
  // On a narrow screen, the headings of the scores need a row of their own above the first lane.
  if (!wide) y += HEAD;
  for (const lane of lanes) add(lane.key, h, lane.arrows);
  const axis = lanes[lanes.length - 1]?.arrows ? end : end + 4;
  return { lanes: places, axis };
}

/**
 * Stacks all parts vertically. On a phone, the lanes come first and the legend last.
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
 * Returns where the cells of a stage begin, and the width for them.
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
 * Returns the width of one point on the board. Points have a minimum width. A longer board scrolls.
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
 * Returns the rectangle of a piece, with a minimum width.
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
