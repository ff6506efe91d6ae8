// @ts-check
// Draws the signal and the score of the visible part, each in a panel, with the threshold over the score.

import { setAll, shape } from "../core/dom.js";
import { rectOf } from "../lanes/layout.js";
import { makePieces } from "../lanes/pieces.js";

/**
 * @typedef {import("../payload.d.ts").Extent} Extent
 * @typedef {import("../payload.d.ts").TimelineRows} TimelineRows
 * @typedef {import("../lanes/layout.js").Box} Box
 * @typedef {import("../lanes/layout.js").Place} Place
 * @typedef {import("./timeline_stage.js").TimelineStage} TimelineStage
 */

const HIGHEST = 1000;
const INSET = 3;

/**
 * Returns the y position of a height from 0 to 1000 in a panel.
 * @param {number} height
 * @param {Place} place
 */
export function heightY(height, place) {
  return place.y + place.h - INSET - (height / HIGHEST) * (place.h - 2 * INSET);
}

/**
 * Returns the height from 0 to 1000 at a y position in a panel.
 * @param {number} y
 * @param {Place} place
 */
export function heightAt(y, place) {
  return ((place.y + place.h - INSET - y) / (place.h - 2 * INSET)) * HIGHEST;
}

/**
 * Draws both panels, with a band for each segment.
 * @param {TimelineStage} stage
 * @param {TimelineRows} rows
 * @param {Box} box
 * @param {number} cell
 */
export function drawPanels({ bands, valueLine, scoreLine, limits }, { value, score, segments }, box, cell) {
  bands.replaceChildren();
  for (const place of [box.lanes.value, box.lanes.score]) {
    if (!place) continue;
    const rect = { x: 0, y: place.y, width: box.room, height: place.h };
    shape("rect", { class: "panel", ...rect }, bands);
    for (const piece of makePieces("truth", segments)) {
      shape("rect", { class: "band", ...rectOf(piece, place, cell, 1.2) }, bands);
    }
  }
  valueLine.setAttribute("d", value ? linePath(value, box.lanes.value, cell) : "");
  scoreLine.setAttribute("d", linePath(score, box.lanes.score, cell));
  limits.replaceChildren();
  if (!value || !box.wide) return;
  const [low, high] = value.names;
  const { y, h } = box.lanes.value;
  const x = box.left + box.room + 14;
  shape("text", { class: "lane-parameter", x, y: y + 11 }, limits, high);
  shape("text", { class: "lane-parameter", x, y: y + h }, limits, low);
}

/**
 * Returns one line through the lowest and the highest value of each cell.
 * @param {Extent} extent
 * @param {Place} place
 * @param {number} cell
 */
function linePath({ low, high }, place, cell) {
  let path = "";
  let isOpen = false;
  high.forEach((top, index) => {
    if (top >= 0) {
      const x = ((index + 0.5) * cell).toFixed(1);
      path += `${isOpen ? "L" : "M"}${x},${heightY(top, place).toFixed(1)}`;
      if (low[index] !== top) path += `L${x},${heightY(low[index], place).toFixed(1)}`;
    }
    isOpen = top >= 0;
  });
  return path;
}

/**
 * Draws the threshold as a line that can be dragged.
 * @param {TimelineStage} stage
 * @param {TimelineRows} rows
 * @param {Box} box
 * @param {number | null} step of the threshold; null if it has no slider
 */
export function drawThreshold(stage, { heights, thresholds }, { left, room, lanes }, step) {
  stage.threshold.setAttribute("visibility", step === null ? "hidden" : "visible");
  if (step === null) return;
  const y = heightY(heights[step], lanes.score);
  stage.thresholdLine.setAttribute("d", `M${left},${y}h${room}`);
  setAll(stage.thresholdKnob, { cx: left + room, cy: y });
  setAll(stage.thresholdText, { x: left + room - 12, y: y - 5 });
  stage.thresholdText.textContent = `threshold ${thresholds[step]}`;
}
