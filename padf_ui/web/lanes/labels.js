// @ts-check
// The texts around lanes: names with buttons over them, scores, ticks and the legend.

import { addText, element, shape } from "../core/dom.js";
import { dim, dress } from "./lanes.js";
import { shorten } from "../core/lookup.js";
import {
  asideBase, asideLines, lineOf, parameterLines, placeLegend, placeTickNames,
} from "./text_places.js";

/**
 * @typedef {import("./layout.js").Place} Place
 * @typedef {import("./layout.js").Box} Box
 * @typedef {import("../payload.d.ts").Tick} Tick
 */

/**
 * The texts next to a lane.
 * @typedef {object} Label
 * @property {string} key
 * @property {string} name
 * @property {string} [parameter]
 * @property {string} [aside] a count at its end
 * @property {string} [score]
 * @property {string} [gain]
 * @property {string} [colour] of the protocol
 * @property {boolean} [isDim]
 */

const STRIPE = 4;
const NARROW_SIDE = 5;

/**
 * Draws the names of lanes, and scores and gains at their ends.
 * @param {Element} group cleared first
 * @param {Box} box
 * @param {Label[]} labels
 * @param {string | null} chosen the lane that is marked
 * @param {string} axis
 */
export function drawLabels(group, box, labels, chosen, axis) {
  group.replaceChildren();
  const first = labels.find((label) => label.score);
  if (first) drawHeads(group, box, box.lanes[first.key], labels.some((label) => label.gain));
  for (const label of labels) {
    const place = box.lanes[label.key];
    const line = shape("g", {}, group);
    dim(line, label.isDim ?? false);
    if (label.key === chosen) markChosen(line, box, place);
    if (label.colour) markColour(line, box, place, label.colour);
    if (box.wide) drawWideLabel(line, box, place, label);
    else drawNarrowLabel(line, box, place, label);
  }
  if (box.wide) addText(group, "lane-parameter", box.left - 14, box.axis + 16, "end", axis);
}

/** @type {(group: Element, box: Box, place: Place) => void} */
function markChosen(group, box, place) {
  const height = box.wide ? place.h : place.y - place.top - 1;
  const width = box.wide ? box.left - 4 : box.width;
  const rect = { x: 0.5, y: place.top - 1.5, width: width - 1, height: height + 3, rx: 4 };
  shape("rect", { class: "chosen", ...rect }, group);
}

/** @type {(group: Element, box: Box, place: Place, colour: string) => void} */
function markColour(group, box, place, colour) {
  const height = box.wide ? place.h : place.y - place.top - 4;
  const rect = { x: 0, y: place.top + (box.wide ? 0 : 1), width: STRIPE, height };
  shape("rect", { class: "stripe", ...rect, rx: 1 }, group).style.fill = colour;
}

// Draws the headings of the numbers, once above the first lane.
/** @type {(group: Element, box: Box, place: Place, hasGains: boolean) => void} */
function drawHeads(group, box, place, hasGains) {
  const y = place.top - 3;
  const end = box.wide ? box.width : box.width - NARROW_SIDE;
  const x = box.wide ? box.left + box.room + 14 : end - 109;
  addText(group, "lane-head", x, y, "start", "F1");
  if (hasGains) addText(group, "lane-head", end, y, "end", "vs point-wise");
}

/** @type {(group: Element, box: Box, place: Place, label: Label) => void} */
function drawWideLabel(group, box, place, { key, name, parameter = "", aside, score, gain }) {
  const middle = place.y + place.h / 2;
  const lines = parameterLines(parameter, place.h);
  const { pitch, tight } = lineOf(place.h);
  const first = middle + 5 - (pitch / 2) * lines.length;
  addText(group, `lane-name${tight}`, box.left - 14, first, "end", shorten(name, 15));
  lines.forEach((line, index) => {
    const y = first + pitch * (index + 1);
    addText(group, `lane-parameter${tight}`, box.left - 14, y, "end", shorten(line, 19));
  });
  const end = box.left + box.room + 14;
  const counts = aside ? asideLines(aside) : [];
  const last = asideBase(place, counts.length);
  counts.forEach((line, index) => {
    const y = last - 14.5 * (counts.length - 1 - index);
    addText(group, "lane-parameter", end, y, "start", line);
  });
  if (score) addText(group, "lane-score", end, middle + 8, "start", score).dataset.f1 = key;
  if (gain) addText(group, "lane-gain", box.width, middle + 7, "end", gain).dataset.gain = key;
}

/** @type {(group: Element, box: Box, place: Place, label: Label) => void} */
function drawNarrowLabel(group, box, place, { key, name, parameter, aside, score, gain, colour }) {
  const y = place.top + 14;
  const whole = parameter ? `${name} (${parameter})` : name;
  const x = colour ? STRIPE + 5 : 0;
  addText(group, "lane-name", x, y, "start", shorten(whole, score ? 25 : 34));
  const end = box.width - NARROW_SIDE;
  if (aside) addText(group, "lane-parameter", end, y, "end", aside);
  if (score) addText(group, "lane-score", end - 54, y + 1, "end", score).dataset.f1 = key;
  if (gain) addText(group, "lane-gain", end, y, "end", gain).dataset.gain = key;
}

/**
 * @param {Element} group
 * @param {Tick[]} ticks
 * @param {number} y
 * @param {number} cell
 * @param {number} room
 */
export function drawTicks(group, ticks, y, cell, room) {
  group.replaceChildren();
  for (const { at } of ticks) shape("path", { class: "tick", d: `M${at * cell},${y}v4` }, group);
  for (const { x, name } of placeTickNames(ticks, cell, room)) {
    addText(group, "tick-text", x, y + 16, "middle", name);
  }
}

/**
 * Draws the legend and returns its height.
 * @param {Element} group
 * @param {number} left
 * @param {number} width
 * @param {string} id
 * @param {boolean} [hasLanes] whether there are lanes of protocols
 */
export function drawLegend(group, left, width, id, hasLanes = true) {
  group.replaceChildren();
  const { entries, height } = placeLegend(width, hasLanes);
  for (const { kind, text, x, y } of entries) {
    const rect = { x: left + x + 0.75, y: y + 0.75, width: 11.5, height: 11.5 };
    dress(shape("rect", rect, group), kind, id);
    shape("text", { class: "legend-text", x: left + x + 19, y: y + 10.5 }, group, text);
  }
  return height;
}

/** Buttons over the lanes' names. Each button chooses its lane. */
export class Picks {
  /**
   * @param {Element} parent
   * @param {(key: string) => void} onPick
   */
  constructor(parent, onPick) {
    this.box = element("div", { class: "picks" }, parent);
    this.onPick = onPick;
    /** @type {Map<string, HTMLButtonElement>} */
    this.buttons = new Map();
  }

  /**
   * @param {Box} box
   * @param {{key: string, label: string}[]} lanes with the labels of their buttons
   * @param {string | null} chosen
   */
  draw(box, lanes, chosen) {
    const keys = lanes.map((lane) => lane.key);
    if ([...this.buttons.keys()].join() !== keys.join()) this.build(keys);
    for (const { key, label } of lanes) {
      const button = /** @type {HTMLButtonElement} */ (this.buttons.get(key));
      button.setAttribute("aria-pressed", String(key === chosen));
      button.setAttribute("aria-label", label);
      const place = box.lanes[key];
      button.style.top = `${place.top}px`;
      button.style.left = "0px";
      button.style.width = `${box.wide ? box.left - 4 : box.width}px`;
      button.style.height = `${box.wide ? place.h : place.y - place.top}px`;
    }
  }

  /** @param {string[]} keys */
  build(keys) {
    this.box.replaceChildren();
    this.buttons = new Map(
      keys.map((key) => {
        const button = element("button", { type: "button", class: "pick" }, this.box);
        button.dataset.lane = key;
        button.addEventListener("click", () => this.onPick(key));
        return [key, button];
      }),
    );
  }
}

/**
 * Returns the chosen lane: the wanted one, otherwise the one with arrows, otherwise the last one.
 * @template {{key: string, arrows: boolean}} T
 * @param {T[]} lanes
 * @param {string | null} wanted
 * @returns {T}
 */
export function chosenLane(lanes, wanted) {
  return (
    lanes.find((lane) => lane.key === wanted) ??
    lanes.find((lane) => lane.arrows) ??
    lanes[lanes.length - 1]
  );
}
