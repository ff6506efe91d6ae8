// @ts-check
// Draws the cells of lanes and the marks on them as SVG, from what Python computed. No protocol is
// computed here.

import { addText, lineThrough, setAll, shape } from "../core/dom.js";
import { rectOf } from "./layout.js";
import { SPREAD_MS } from "./spread.js";
import { placeArrowTexts } from "./text_places.js";

/**
 * @typedef {import("./pieces.js").Piece} Piece
 * @typedef {import("./pieces.js").Span} Span
 * @typedef {import("./layout.js").Place} Place
 * @typedef {import("./text_places.js").Arrow} Arrow
 */

/**
 * Adds hatches, so that colour is never the only signal.
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
 * Sets the class of a mark, and its hatch if it has one.
 * @param {Element} made
 * @param {string} kind
 * @param {string} id
 */
export function dress(made, kind, id) {
  made.setAttribute("class", kind);
  if (kind === "adjusted" || kind === "false") made.setAttribute("fill", `url(#${id}-${kind})`);
}

/**
 * Draws the background of a lane.
 * @param {Element} group
 * @param {Place} lane
 * @param {number} width
 */
function drawGround(group, lane, width) {
  shape("rect", { class: "normal", x: 0, y: lane.y, width, height: lane.h }, group);
}

/**
 * Draws a lane with few pieces, one element per piece.
 * @param {Element} group cleared first
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
    else drawSolid(group, piece, lane, cell, id);
  }
}

/**
 * Draws a question mark in a lane for each segment.
 * @param {Element} group
 * @param {Span[]} segments
 * @param {Place} lane
 * @param {number} cell
 */
export function drawVeil(group, segments, lane, cell) {
  for (const { start, stop } of segments) {
    addText(group, "veil", ((start + stop) / 2) * cell, lane.y + lane.h / 2 + 6, "middle", "?");
  }
}

/** @type {(group: Element, piece: Piece, lane: Place, cell: number, id: string) => void} */
function drawSolid(group, piece, lane, cell, id) {
  const made = shape("rect", rectOf(piece, lane, cell, 1), group);
  dress(made, piece.kind, id);
  if (piece.wait === undefined) return;
  made.classList.add("spreading");
  made.style.animationDelay = `${Math.round(piece.wait * SPREAD_MS)}ms`;
}

/**
 * Draws missed credit as an outline: around each cell if there is room, otherwise around all of them.
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

/** A lane with many pieces: one path for each kind, redrawn at every move. */
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
 * Returns a rectangle as an SVG path.
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
 * Draws a dashed box around each segment: one through all lanes, or one per lane if there are names
 * between the lanes.
 * @param {Element} group
 * @param {Span[]} segments
 * @param {Place[]} lanes
 * @param {number} cell
 * @param {boolean} isWhole
 */
export function drawSegmentBoxes(group, segments, lanes, cell, isWhole) {
  group.replaceChildren();
  const last = lanes[lanes.length - 1];
  const whole = { y: lanes[0].y, h: last.y + last.h - lanes[0].y };
  for (const { start, stop } of segments) {
    for (const { y, h } of isWhole ? [whole] : lanes) {
      const width = (stop - start) * cell + 2;
      const rect = { x: start * cell - 1, y: y - 2, width, height: h + 3, rx: 2 };
      shape("rect", { class: "segment-box", ...rect }, group);
    }
  }
}

/**
 * Draws what a first hit is worth at each delay, starting at each onset, with a dot at the actual delay.
 * @param {Element} group
 * @param {(Span & {delay: number})[]} segments
 * @param {number[]} worth hundredths at a delay of 0, 1, 2, ...
 * @param {Place} lane
 * @param {number} cell
 * @param {string} colour
 */
export function drawWorth(group, segments, worth, lane, cell, colour) {
  for (const { start, stop, delay } of segments) {
    /** @param {number} late */
    const at = (late) => ({
      x: (start + late + 0.5) * cell,
      y: lane.y + lane.h * (1 - worth[late] / 100),
    });
    const length = Math.min(worth.length, stop - start);
    const path = lineThrough(Array.from({ length }, (_, late) => at(late)));
    shape("path", { class: "worth-halo", d: path }, group);
    const line = shape("path", { class: "worth-line", d: path }, group);
    if (colour) line.style.stroke = colour;
    if (delay < 0 || delay >= length) continue;
    const dot = shape("circle", { class: "worth-dot", cx: at(delay).x, cy: at(delay).y, r: 6 }, group);
    if (colour) dot.style.fill = colour;
  }
}

/**
 * Draws arrows from onset to first hit, with their texts. The group is not cleared, because all lanes
 * share it.
 * @param {Element} group
 * @param {Arrow[]} arrows
 * @param {number} top
 * @param {number} cell
 * @param {number} width
 */
export function drawArrows(group, arrows, top, cell, width) {
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

const DIM = "0.35";

/**
 * Dims a group that does not matter right now.
 * @param {Element} group
 * @param {boolean} isDim
 */
export function dim(group, isDim) {
  if (isDim) group.setAttribute("opacity", DIM);
  else group.removeAttribute("opacity");
}

/**
 * Keeps one group per key, in order, under a parent. Creates new groups when the keys change.
 * @param {SVGGElement} parent
 * @param {string[]} keys
 * @returns {boolean} whether the groups are new
 */
export function keepLayers(parent, keys) {
  if (parent.dataset.keys === keys.join()) return false;
  parent.dataset.keys = keys.join();
  parent.replaceChildren();
  for (const key of keys) shape("g", { class: `layer-${key}` }, parent);
  return true;
}
