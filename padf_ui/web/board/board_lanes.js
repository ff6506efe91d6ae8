// @ts-check
// Draws the lanes of a board at the steps of its sliders, with arrows, worth curves and the panel below.

import { addText } from "../core/dom.js";
import { PAINTED } from "./grid.js";
import {
  dim, drawArrows, drawLane, drawSegmentBoxes, drawVeil, drawWorth,
} from "../lanes/lanes.js";
import { creditAt, writeCredit } from "../core/lookup.js";
import {
  cellsOfPattern, detectionPieces, findOnes, makePieces, protocolPieces,
} from "../lanes/pieces.js";
import { drawShifts, drawShiftsHead } from "../lanes/shifts.js";
import { placeHint } from "../lanes/text_places.js";
import { colourIn } from "../core/theme.js";

/**
 * @typedef {import("../payload.d.ts").BoardRows} BoardRows
 * @typedef {import("../payload.d.ts").Lane} Lane
 * @typedef {import("../payload.d.ts").Tailor} Tailor
 * @typedef {import("../core/history.js").Pattern} Pattern
 * @typedef {import("../lanes/layout.js").Box} Box
 * @typedef {import("../lanes/spread.js").Spread} Spread
 * @typedef {import("./board_stage.js").BoardStage} BoardStage
 */

/**
 * What to draw of a board, and where.
 * @typedef {object} Scene
 * @property {HTMLElement} root the element whose mode sets the colours
 * @property {BoardStage} stage
 * @property {Box} box
 * @property {number} cell
 * @property {BoardRows} rows
 * @property {Tailor} tailor
 * @property {import("../core/slider.js").Sliders} sliders
 * @property {(lane: Lane) => number} rowOf the row of a lane at the step of its slider
 */

/**
 * Draws the two lanes that users paint. They may be newer than Python's rows.
 * @param {Scene} scene
 * @param {Pattern} pattern
 */
export function drawPaintedLanes({ stage, box, cell, tailor }, { labels, detections }) {
  const pieces = [
    makePieces("truth", findOnes(labels)),
    detectionPieces(cellsOfPattern(labels, detections)),
  ];
  PAINTED.forEach((key, index) => {
    const group = stage.painted.children[index];
    drawLane(group, pieces[index], box.lanes[key], cell, labels.length, stage.id);
    dim(group, tailor.dim.includes(key));
  });
}

/**
 * Draws the painting hint if there is room for it.
 * @param {Scene} scene
 * @param {Pattern} pattern
 */
export function drawHint({ stage, box, cell, tailor }, pattern) {
  const key = tailor.paint.includes("detections") ? "detections" : tailor.paint[0];
  if (!key) return;
  const painted = key === "detections" ? pattern.detections : pattern.labels;
  const place = placeHint(painted, pattern.labels, cell);
  if (!place) return;
  const { y, h } = box.lanes[key];
  addText(stage.layers.hint, "hint", place.x, y + h / 2 + 4, place.anchor, place.text);
}

/**
 * Draws everything on the lanes that depends on a slider.
 * @param {Scene} scene
 * @param {Spread} spread
 */
export function drawProtocolLanes(scene, spread) {
  const { stage, box, cell, rows, tailor, rowOf } = scene;
  const { labels, detections, segments, lanes } = rows;
  const cells = cellsOfPattern(labels, detections);
  lanes.forEach((lane, index) => {
    const group = stage.lanes.children[index];
    const pieces = tailor.waits
      ? []
      : spread.delay(protocolPieces(cells, segments, lane.credit, rowOf(lane)), segments);
    drawLane(group, pieces, box.lanes[lane.key], cell, labels.length, stage.id);
    dim(group, tailor.dim.includes(lane.key));
  });
  const places = [...PAINTED, ...lanes.map(({ key }) => key)].map((key) => box.lanes[key]);
  drawSegmentBoxes(stage.layers.boxes, segments, places, cell, box.wide);
  stage.layers.arrows.replaceChildren();
  for (const lane of lanes) {
    const { arrows } = box.lanes[lane.key];
    if (arrows === null) continue;
    drawArrows(stage.layers.arrows, arrowsOf(scene, lane), arrows, cell, cell * labels.length);
  }
  drawCurvesOfWorth(scene);
  drawShiftsPanel(scene);
}

/**
 * @param {Scene} scene
 * @param {Lane} lane
 */
function arrowsOf({ rows, tailor, rowOf }, lane) {
  return rows.segments.map((segment, index) => {
    const credit = lane.credit.by === "segment" ? creditAt(lane.credit, rowOf(lane), index) : -1;
    return { ...segment, worth: credit < 0 || !tailor.numbers ? "" : writeCredit(credit) };
  });
}

// While a question is open, the lanes must not reveal its answer: they show a question mark per segment.
/** @param {Scene} scene */
function drawCurvesOfWorth({ root, stage, box, cell, rows, tailor, rowOf }) {
  const group = stage.layers.worth;
  group.replaceChildren();
  for (const lane of rows.lanes) {
    const place = box.lanes[lane.key];
    const worth = tailor.worth ? lane.worth?.[rowOf(lane)] : undefined;
    if (tailor.waits) drawVeil(group, rows.segments, place, cell);
    else if (worth) {
      drawWorth(group, rows.segments, worth, place, cell, colourIn(lane.colours, root));
    }
  }
}

/** @param {Scene} scene */
function drawShiftsPanel({ root, stage, box, cell, rows, sliders }) {
  stage.panel.replaceChildren();
  stage.layers.shifts.replaceChildren();
  if (!box.shifts) return;
  const curves = rows.lanes.map(({ key, name, slider, colours }) => ({
    key,
    name,
    colour: colourIn(colours, root),
    isDim: sliders.get(slider)?.isMoved ?? false,
  }));
  drawShifts(stage.layers.shifts, rows, curves, box.shifts, cell);
  drawShiftsHead(stage.panel, curves, box, box.shifts);
}
