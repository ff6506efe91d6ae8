// @ts-check
// The texts of a board: names and numbers next to its lanes, the formula, and the tooltip of a cell.

import { tellCell } from "../lanes/cells.js";
import { element } from "../core/dom.js";
import { PAINTED } from "./grid.js";
import { isSamePattern } from "../core/history.js";
import { chosenLane, drawLabels } from "../lanes/labels.js";
import { gainAt, scoreAt, textAt } from "../core/lookup.js";
import { tellShift } from "../lanes/shifts.js";
import { colourIn } from "../core/theme.js";

/**
 * @typedef {import("../core/history.js").Pattern} Pattern
 * @typedef {import("../lanes/labels.js").Picks} Picks
 * @typedef {import("./board_lanes.js").Scene} Scene
 */

/** @type {["precision", "recall", "formula"]} */
const FORMULAS = ["precision", "recall", "formula"];

/**
 * Draws the names of lanes with their numbers, and labels the buttons over them.
 * @param {Scene} scene
 * @param {Picks} picks
 * @param {string | null} wanted the lane whose formula the user chose
 */
export function drawNames({ root, stage, box, rows, tailor, sliders, rowOf }, picks, wanted) {
  const { numbers, dim } = tailor;
  const chosen = tailor.formula ? chosenLane(rows.lanes, wanted).key : null;
  const lanes = rows.lanes.map((lane) => ({
    key: lane.key,
    name: lane.name,
    parameter: sliders.nameAt(lane.slider),
    score: numbers ? scoreAt(lane, rowOf(lane)) : "",
    gain: numbers ? gainAt(lane, rowOf(lane)) : "",
    colour: colourIn(lane.colours, root),
    isDim: dim.includes(lane.key),
  }));
  const labels = [
    { key: "truth", name: "Truth", isDim: dim.includes("truth") },
    { key: "detections", name: "Detections", aside: rows.alarms, isDim: dim.includes("detections") },
    ...lanes,
  ];
  drawLabels(stage.labels, box, labels, chosen, rows.axis);
  const named = lanes.map(({ key, name, parameter, score, gain }) => {
    const more = gain && `, ${gain} compared with ${lanes[0].name}`;
    const number = numbers ? `: F1 ${score}${more}` : "";
    return { key, label: `${name} ${parameter}${number}. Show the formula` };
  });
  picks.box.hidden = chosen === null;
  picks.draw(box, named, chosen);
  const scores = lanes.map((lane) => `${lane.name} ${lane.score}`).join(", ");
  const said = numbers ? `F1: ${scores}.` : "";
  stage.svg.setAttribute("aria-label", `Lanes of the board. ${said} ${rows.alarms}.`);
}

/**
 * Shows the formula of a lane with its numbers filled in.
 * @param {HTMLElement} box cleared first
 * @param {Scene} scene
 * @param {string | null} wanted the lane that the user chose
 */
export function writeFormula(box, { root, rows, tailor, sliders, rowOf }, wanted) {
  box.replaceChildren();
  if (!tailor.formula) return;
  const lane = chosenLane(rows.lanes, wanted);
  const row = rowOf(lane);
  const parameter = sliders.nameAt(lane.slider);
  const name = parameter ? `${lane.name} (${parameter})` : lane.name;
  box.style.setProperty("--curve", colourIn(lane.colours, root) || "var(--accent)");
  element("strong", { class: "formula-name" }, box, name);
  for (const key of FORMULAS) {
    const text = textAt(lane[key], row);
    element("span", { class: "formula-part" }, box, text).dataset.formula = key;
  }
  element("p", { class: "formula-why" }, box, textAt(lane.why, row));
}

/**
 * Returns the lines of the tooltip for a place. Credit comes from Python's rows, so a pattern that has no
 * rows yet has no tooltip.
 * @param {Scene} scene
 * @param {Pattern} pattern
 * @param {{t: number, key: string}} place
 */
export function tellPlace({ rows, tailor, rowOf }, pattern, { t, key }) {
  if (!isSamePattern(rows, pattern)) return [];
  if (key === "shifts") return tellShift(rows, t);
  if (!tailor.numbers) return tellCell(rows, [], t);
  const lanes = PAINTED.includes(key) ? rows.lanes : rows.lanes.filter((lane) => lane.key === key);
  return tellCell(rows, lanes.map((lane) => ({ lane, row: rowOf(lane) })), t);
}
