// @ts-check
// Drawing lanes: what Python computed in, SVG out. No protocol is computed here.

import { element, setAll, shape } from "./dom.js";
import {
  asideLines, parameterLines, placeArrowTexts, placeLegend, placeTickNames, rectOf,
} from "./layout.js";
import { shorten } from "./lookup.js";

/**
 * @typedef {import("./pieces.js").Kind} Kind
 * @typedef {import("./pieces.js").Piece} Piece
 * @typedef {import("./pieces.js").Span} Span
 * @typedef {import("./layout.js").Place} Place
 * @typedef {import("./layout.js").Box} Box
 * @typedef {import("./layout.js").Arrow} Arrow
 * @typedef {import("./payload.d.ts").Tick} Tick
 */

/**
 * Adds hatches, so that nothing is told by colour alone.
 * @param {SVGElement} svg
 * @param {string} id
 */
export function addHatches(svg, id) {
  const defs = shape("defs", {}, svg);
  const size = { width: 6, height: 6, patternUnits: "userSpaceOnUse" };
  const adjusted = shape("pattern", { id: `${id}-adjusted`, ...size }, defs);
  shape("rect", { width: 6, height: 6, class: "adjusted-fill" }, adjusted);
  shape("path", { d: "M-1,1 l2,-2 M0,6 l6,-6 M5,7 l2,-2", class: "adjusted-line" }, adjusted);
  const wrong = shape("pattern", { id: `${id}-false`, ...size }, defs);
  shape("rect", { width: 6, height: 6, class: "false-fill" }, wrong);
  shape("path", { d: "M0,0 l6,6 M0,6 l6,-6", class: "false-line" }, wrong);
}

/**
 * Gives a mark its class, and its hatch if it has one.
 * @param {Element} made
 * @param {string} kind
 * @param {string} id
 */
export function dress(made, kind, id) {
  made.setAttribute("class", kind);
  if (kind === "adjusted" || kind === "false") made.setAttribute("fill", `url(#${id}-${kind})`);
}

/**
 * Draws the ground of a lane.
 * @param {Element} group
 * @param {Place} lane
 * @param {number} width
 */
function drawGround(group, lane, width) {
  shape("rect", { class: "normal", x: 0, y: lane.y, width, height: lane.h }, group);
}

/**
 * Draws a lane of few pieces, each an element of its own.
 * @param {Element} group is emptied first
 * @param {Piece[]} pieces
 * @param {Place} lane
 * @param {number} cell
 * @param {number} count of cells
 * @param {string} id of the hatches
 */
export function drawLane(group, pieces, lane, cell, count, id) {
  group.replaceChildren();
  drawGround(group, lane, count * cell);
  for (const piece of pieces) {
    if (piece.kind === "missed") drawMissed(group, piece, lane, cell);
    else dress(shape("rect", rectOf(piece, lane, cell, 1), group), piece.kind, id);
  }
}

/**
 * Missed credit is an outline: around each cell where there is room, else around all of them.
 * @param {Element} group
 * @param {Piece} piece
 * @param {Place} lane
 * @param {number} cell
 */
function drawMissed(group, piece, lane, cell) {
  const whole = rectOf(piece, lane, cell);
  const line = whole.height >= 7 ? 1.25 : 0.75;
  const side = line / 2 + (cell >= 12 ? 1 : cell >= 4 ? 0.5 : 0);
  const width = cell >= 8 ? cell : whole.width;
  for (let x = whole.x; x < whole.x + whole.width - 0.01; x += width) {
    const rect = {
      x: x + side,
      y: whole.y + line / 2,
      width: Math.max(0.5, width - 2 * side),
      height: Math.max(0.5, whole.height - line),
    };
    shape("rect", { class: "missed", style: `stroke-width: ${line}px`, ...rect }, group);
  }
}

const LEAST = 1.2;
const HATCHED = 5;

/** @type {["false", "false-fill", "missed", "adjusted", "hit"]} */
const PATH_KINDS = ["false", "false-fill", "missed", "adjusted", "hit"];

/** A lane of many pieces: one path for each kind, drawn anew at every move. */
export class PathLane {
  /**
   * @param {Element} group
   * @param {string} id of the hatches
   */
  constructor(group, id) {
    this.ground = shape("rect", { class: "normal" }, group);
    this.paths = PATH_KINDS.map((kind) => {
      const path = shape("path", {}, group);
      dress(path, kind, id);
      if (kind === "missed") path.classList.add("thin");
      return path;
    });
  }

  /**
   * @param {Piece[]} pieces
   * @param {Place} lane
   * @param {number} cell
   * @param {number} room
   */
  draw(pieces, lane, cell, room) {
    setAll(this.ground, { x: 0, y: lane.y, width: room, height: lane.h });
    /** @type {Record<string, string>} */
    const drawn = {};
    for (const piece of pieces) {
      const rect = rectOf(piece, lane, cell, LEAST);
      const kind = piece.kind === "false" && rect.width < HATCHED ? "false-fill" : piece.kind;
      drawn[kind] = (drawn[kind] ?? "") + (kind === "missed" ? outline(rect) : outline(rect, 0));
    }
    PATH_KINDS.forEach((kind, index) => this.paths[index].setAttribute("d", drawn[kind] ?? ""));
  }
}

/** @typedef {{x: number, y: number, width: number, height: number}} Rect */

/**
 * Writes a rectangle as a path.
 * @param {Rect} rect
 * @param {number} [inset]
 */
export function outline({ x, y, width, height }, inset = 0.5) {
  const right = Math.max(0.5, width - 2 * inset).toFixed(2);
  const down = Math.max(0.5, height - 2 * inset).toFixed(2);
  return `M${(x + inset).toFixed(2)},${(y + inset).toFixed(2)}h${right}v${down}h-${right}z`;
}

/**
 * @param {Element} group
 * @param {Place[]} lanes
 * @param {number} count
 * @param {number} cell
 */
export function drawSeparators(group, lanes, count, cell) {
  group.replaceChildren();
  if (cell < 4) return;
  let path = "";
  for (const lane of lanes) {
    for (let t = 0; t <= count; t += 1) path += `M${t * cell},${lane.y}v${lane.h}`;
  }
  shape("path", { d: path, class: "separator", "stroke-width": cell >= 12 ? 2 : 1 }, group);
}

/**
 * @param {Element} group
 * @param {Span[]} segments
 * @param {number} top
 * @param {number} bottom
 * @param {number} cell
 */
export function drawSegmentBoxes(group, segments, top, bottom, cell) {
  group.replaceChildren();
  for (const { start, stop } of segments) {
    const width = (stop - start) * cell + 2;
    const rect = { x: start * cell - 1, y: top, width, height: bottom - top, rx: 2 };
    shape("rect", { class: "segment-box", ...rect }, group);
  }
}

/**
 * Draws arrows from onset to first hit, with what they say.
 * @param {Element} group
 * @param {Arrow[]} arrows
 * @param {number} top
 * @param {number} cell
 * @param {number} width
 */
export function drawArrows(group, arrows, top, cell, width) {
  group.replaceChildren();
  for (const { start, delay } of arrows) {
    if (delay <= 0) continue;
    const tip = (start + delay + 0.5) * cell;
    shape("path", { class: "arrow", d: `M${start * cell + 1},${top + 6}H${tip - 1}` }, group);
    shape("path", { class: "arrow-tip", d: `M${tip + 1},${top + 6}l-6,-3.5v7z` }, group);
  }
  for (const { x, row, text } of placeArrowTexts(arrows, cell, width)) {
    shape("text", { class: "arrow-text", x, y: top + 21 + row * 13 }, group, text);
  }
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
    const place = { x, y: y + 16, "text-anchor": "middle" };
    shape("text", { class: "tick-text", ...place }, group, name);
  }
}

/**
 * Draws the legend; returns its height.
 * @param {Element} group
 * @param {number} left
 * @param {number} width
 * @param {string} id
 */
export function drawLegend(group, left, width, id) {
  group.replaceChildren();
  const { entries, height } = placeLegend(width);
  for (const { kind, text, x, y } of entries) {
    const rect = { x: left + x + 0.75, y: y + 0.75, width: 11.5, height: 11.5 };
    dress(shape("rect", rect, group), kind, id);
    shape("text", { class: "legend-text", x: left + x + 19, y: y + 10.5 }, group, text);
  }
  return height;
}

/**
 * What stands beside a lane.
 * @typedef {object} Label
 * @property {string} key
 * @property {string} name
 * @property {string} [parameter]
 * @property {string} [aside] a count at its end
 * @property {string} [score]
 * @property {string} [gain]
 */

/**
 * Draws the names of lanes, and scores and gains at their ends.
 * @param {Element} group is emptied first
 * @param {Box} box
 * @param {Label[]} labels
 * @param {string | null} chosen the lane that is marked
 * @param {string} axis
 */
export function drawLabels(group, box, labels, chosen, axis) {
  group.replaceChildren();
  for (const label of labels) {
    const place = box.lanes[label.key];
    if (label.key === chosen) {
      const height = place.y + place.h - place.top;
      const rect = { x: box.wide ? 0 : -6, y: place.top, width: 3, height };
      shape("rect", { class: "chosen", ...rect }, group);
    }
    if (box.wide) drawWideLabel(group, box, place, label);
    else drawNarrowLabel(group, box, place, label);
  }
  if (box.wide) addText(group, "lane-parameter", box.left - 14, box.axis + 16, "end", axis);
}

/** @type {(group: Element, name: string, x: number, y: number, anchor: string, text: string) => SVGTextElement} */
function addText(group, name, x, y, anchor, text) {
  return shape("text", { class: name, x, y, "text-anchor": anchor }, group, text);
}

/** @type {(group: Element, box: Box, place: Place, label: Label) => void} */
function drawWideLabel(group, box, place, { key, name, parameter = "", aside, score, gain }) {
  const middle = place.y + place.h / 2;
  const lines = parameterLines(parameter, place.h);
  const first = middle + 5 - 7.5 * lines.length;
  addText(group, "lane-name", box.left - 14, first, "end", shorten(name, 15));
  lines.forEach((line, index) => {
    const y = first + 14.5 * (index + 1);
    addText(group, "lane-parameter", box.left - 14, y, "end", shorten(line, 19));
  });
  const end = box.left + box.room + 14;
  const counts = aside ? asideLines(aside) : [];
  counts.forEach((line, index) => {
    const y = middle + 5 + 14.5 * (index - (counts.length - 1) / 2);
    addText(group, "lane-parameter", end, y, "start", line);
  });
  if (score) addText(group, "lane-score", end, middle + 8, "start", score).dataset.f1 = key;
  if (gain) addText(group, "lane-gain", box.width, middle + 7, "end", gain).dataset.gain = key;
}

/** @type {(group: Element, box: Box, place: Place, label: Label) => void} */
function drawNarrowLabel(group, box, place, { key, name, parameter, aside, score, gain }) {
  const y = place.top + 14;
  const whole = parameter ? `${name} (${parameter})` : name;
  addText(group, "lane-name", 0, y, "start", shorten(whole, score ? 26 : 34));
  if (aside) addText(group, "lane-parameter", box.width, y, "end", aside);
  if (score) addText(group, "lane-score", box.width - 56, y + 1, "end", score).dataset.f1 = key;
  if (gain) addText(group, "lane-gain", box.width, y, "end", gain).dataset.gain = key;
}

/** Buttons over the lanes' names, each of which chooses its lane. */
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
   * @param {{key: string, label: string}[]} lanes with what their button is called
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
 * Keeps one group per key, in order, under a parent; makes them anew when the keys change.
 * @param {SVGGElement} parent
 * @param {string[]} keys
 * @returns {boolean} whether they are new
 */
export function keepLayers(parent, keys) {
  if (parent.dataset.keys === keys.join()) return false;
  parent.dataset.keys = keys.join();
  parent.replaceChildren();
  for (const key of keys) shape("g", { class: `layer-${key}` }, parent);
  return true;
}

/**
 * Returns the lane that is chosen: the one asked for, else the one with arrows, else the last.
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
