// @ts-check
// A small board: truth, detections and the lanes of some protocols, each under its name.

import { addText, setAll, shape } from "../core/dom.js";
import { addHatches, drawLane, drawSegmentBoxes, drawSeparators } from "./lanes.js";
import { layOutMini } from "./layout.js";
import { cellsOfPattern, detectionPieces, findOnes, makePieces, protocolPieces } from "./pieces.js";

/**
 * @typedef {import("../payload.d.ts").BoardRows} BoardRows
 * @typedef {import("../payload.d.ts").Credit} Credit
 * @typedef {import("./pieces.js").Piece} Piece
 */

/**
 * @typedef {object} Mini
 * @property {SVGSVGElement} svg
 * @property {SVGGElement} layer
 * @property {string} id
 */

/**
 * @typedef {object} MiniLane a protocol at one step of its slider
 * @property {string} key
 * @property {string} name
 * @property {Credit} credit
 * @property {number} row
 * @property {string} score
 */

/**
 * @param {Element} parent
 * @param {string} id
 * @returns {Mini}
 */
export function buildMini(parent, id) {
  const svg = shape("svg", { class: "mini", role: "img" }, parent);
  addHatches(svg, id);
  return { svg, layer: shape("g", {}, svg), id };
}

/**
 * @param {Mini} mini
 * @param {BoardRows} rows
 * @param {MiniLane[]} lanes
 * @param {number} height of a lane
 * @param {number} padding of the element around it
 * @param {string} words a description for screen readers
 */
export function drawMini({ svg, layer, id }, rows, lanes, height, padding, words) {
  const { labels, detections, segments } = rows;
  const width = Math.max(0, (svg.parentElement?.clientWidth ?? 0) - padding);
  const cell = width / labels.length;
  const cells = cellsOfPattern(labels, detections);
  const { places, bottom } = layOutMini(lanes.length + 2, height);
  layer.replaceChildren();
  /** @type {(index: number, name: string, pieces: Piece[]) => void} */
  const draw = (index, name, pieces) => {
    shape("text", { class: "mini-name", x: 0, y: places[index].top + 12 }, layer, name);
    drawLane(shape("g", {}, layer), pieces, places[index], cell, labels.length, id);
  };
  draw(0, "Truth", makePieces("truth", findOnes(labels)));
  draw(1, "Detections", detectionPieces(cells));
  lanes.forEach(({ key, name, credit, row, score }, index) => {
    draw(index + 2, name, protocolPieces(cells, segments, credit, row));
    const y = places[index + 2].top + 13;
    addText(layer, "mini-score", width, y, "end", score).dataset.f1 = key;
  });
  drawSeparators(shape("g", {}, layer), places, labels.length, cell);
  drawSegmentBoxes(shape("g", {}, layer), segments, places, cell, false);
  setAll(svg, { width, height: bottom });
  svg.setAttribute("aria-label", words);
}
