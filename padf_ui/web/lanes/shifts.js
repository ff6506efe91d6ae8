// @ts-check
// Draws F1 of every lane if all alarms were shifted, on the board's own time axis. Every value comes from
// Python.

import { addText, lineThrough, shape } from "../core/dom.js";
import { writeScore } from "../core/lookup.js";
import { placeNames, SAMPLE } from "./text_places.js";

/**
 * @typedef {import("../payload.d.ts").BoardRows} BoardRows
 * @typedef {import("../payload.d.ts").Shifts} Shifts
 * @typedef {import("./layout.js").Place} Place
 * @typedef {import("./layout.js").Box} Box
 * @typedef {{key: string, name: string, colour: string, isDim: boolean}} Curve
 */

const TITLE = "F1 if all alarms were shifted";
const TITLE_WIDTH = 220;
const ABOVE = 10;
const NAME_ROW = 17;
const UNDER_NAMES = 6;
const DASHES = ["", "7 3", "2 3", "10 3 2 3", "4 4", "12 4", "1 2"];

/**
 * Returns the height of the panel's heading: its title and the lanes' names.
 * @param {string[]} names
 * @param {number} room
 * @param {boolean} wide
 */
export function shiftsHead(names, room, wide) {
  return shiftsNames(names, room, wide).bottom + ABOVE + UNDER_NAMES;
}

/** @type {(names: string[], room: number, wide: boolean) => {entries: {name: string, x: number, y: number}[], bottom: number}} */
function shiftsNames(names, room, wide) {
  const { entries, rows } = placeNames(names, room, wide ? TITLE_WIDTH : 0);
  const top = wide ? 0 : NAME_ROW;
  return {
    entries: entries.map(({ name, x, row }) => ({ name, x, y: top + row * NAME_ROW })),
    bottom: top + rows * NAME_ROW,
  };
}

/**
 * Returns the points of a lane's curve: the place of the first alarm after each shift that stays on the
 * board, and F1 there.
 * @param {Shifts} shifts
 * @param {string} key
 * @param {number} first the place of the first alarm; below 0 without one
 * @param {number} count of points
 */
export function shiftPoints(shifts, key, first, count) {
  if (first < 0) return [];
  return (shifts.f1[key] ?? [])
    .map((f1, index) => ({ t: first + index - shifts.reach, f1 }))
    .filter(({ t }) => t >= 0 && t < count);
}

/**
 * Returns the scores with the first alarm at a place, as lines. If Python sent no scores for it, returns
 * no lines.
 * @param {BoardRows} rows
 * @param {number} t
 */
export function tellShift(rows, t) {
  const { shifts } = rows;
  const first = rows.detections.indexOf("1");
  if (!shifts || first < 0) return [];
  const by = t - first;
  const values = rows.lanes.flatMap(({ key, name }) => {
    const f1 = shifts.f1[key]?.[by + shifts.reach];
    return f1 === undefined ? [] : [`${name}: F1 ${writeScore(f1)}`];
  });
  return values.length ? [writeMove(by), ...values] : [];
}

/** @param {number} by */
function writeMove(by) {
  if (by === 0) return "current position";
  const size = Math.abs(by);
  return `all alarms ${size} ${size === 1 ? "step" : "steps"} ${by < 0 ? "earlier" : "later"}`;
}

/**
 * Draws the curves.
 * @param {Element} group cleared first
 * @param {BoardRows} rows
 * @param {Curve[]} curves
 * @param {Place} place
 * @param {number} cell
 */
export function drawShifts(group, rows, curves, place, cell) {
  group.replaceChildren();
  const { shifts } = rows;
  if (!shifts) return;
  const count = rows.labels.length;
  const first = rows.detections.indexOf("1");
  /** @param {number} f1 */
  const heightOf = (f1) => place.y + place.h - (f1 / 1000) * place.h;
  for (const f1 of [0, 500, 1000]) {
    const line = `M0,${heightOf(f1)}h${count * cell}`;
    shape("path", { class: f1 ? "grid-line" : "grid-line floor", d: line }, group);
  }
  if (first < 0) {
    const words = { class: "lane-parameter", x: 10, y: place.y + place.h / 2 + 4 };
    shape("text", words, group, "No alarms to shift.");
    return;
  }
  const now = (first + 0.5) * cell;
  shape("path", { class: "shift-now", d: `M${now},${place.y - 4}v${place.h + 8}` }, group);
  curves.forEach(({ key, colour, isDim }, index) => {
    const points = shiftPoints(shifts, key, first, count).map(({ t, f1 }) => {
      return { x: (t + 0.5) * cell, y: heightOf(f1) };
    });
    const line = shape("path", { class: "shift-line", d: lineThrough(points) }, group);
    markCurve(line, colour, isDim, index);
    line.dataset.shift = key;
  });
}

/** @type {(line: SVGElement, colour: string, isDim: boolean, index: number) => void} */
function markCurve(line, colour, isDim, index) {
  if (colour) line.style.stroke = colour;
  line.setAttribute("stroke-dasharray", DASHES[index % DASHES.length]);
  if (isDim) line.setAttribute("opacity", "0.25");
}

/**
 * Draws the panel's title, the names of its lines and the ends of its scale.
 * @param {Element} group cleared first
 * @param {Curve[]} curves
 * @param {Box} box
 * @param {Place} place
 */
export function drawShiftsHead(group, curves, box, place) {
  group.replaceChildren();
  const y = place.top + ABOVE + 12;
  shape("text", { class: "panel-title", x: box.left, y }, group, TITLE);
  const { entries } = shiftsNames(curves.map(({ name }) => name), box.room, box.wide);
  entries.forEach((entry, index) => {
    const { colour, isDim } = curves[index];
    const x = box.left + entry.x;
    const sample = { class: "shift-line", d: `M${x},${y - 4 + entry.y}h${SAMPLE - 6}` };
    markCurve(shape("path", sample, group), colour, isDim, index);
    const text = { class: "legend-text", x: x + SAMPLE, y: y + entry.y };
    shape("text", text, group, entry.name);
  });
  const [x, lift] = box.wide ? [box.left - 14, 4] : [box.width, -3];
  for (const [name, share] of /** @type {[string, number][]} */ ([["1", 0], ["0", 1]])) {
    addText(group, "tick-text", x, place.y + lift + share * place.h, "end", name);
  }
}
