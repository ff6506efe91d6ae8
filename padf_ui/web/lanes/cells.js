// @ts-check
// Describes in words what a cell is and what credit it gets.

import { creditAt, writeCredit } from "../core/lookup.js";

/**
 * @typedef {import("../payload.d.ts").BoardRows} BoardRows
 * @typedef {import("../payload.d.ts").Lane} Lane
 * @typedef {"normal" | "false" | "hit" | "missed"} Outcome
 */

/** @type {Record<Outcome, string>} */
const TITLES = {
  normal: "normal",
  false: "false alarm: no credit, lowers precision",
  hit: "hit",
  missed: "anomaly without an alarm",
};

/**
 * @param {BoardRows} rows
 * @param {number} t
 * @returns {Outcome}
 */
export function outcomeAt(rows, t) {
  const isFlagged = rows.detections[t] === "1";
  if (rows.labels[t] === "1") return isFlagged ? "hit" : "missed";
  return isFlagged ? "false" : "normal";
}

/**
 * Returns the credit given to an anomalous point, in hundredths, or -1 without adjustment.
 * @param {BoardRows} rows
 * @param {Lane} lane
 * @param {number} row
 * @param {number} t
 */
function givenAt(rows, lane, row, t) {
  const segment = rows.segments.findIndex(({ start, stop }) => start <= t && t < stop);
  if (lane.credit.by === "segment") return creditAt(lane.credit, row, segment);
  const before = rows.labels.slice(0, t).split("1").length - 1;
  return creditAt(lane.credit, row, before);
}

/**
 * Describes the credit of a cell under one protocol.
 * @param {BoardRows} rows
 * @param {Lane} lane
 * @param {number} row of the lane
 * @param {number} t
 */
export function earnedAt(rows, lane, row, t) {
  const outcome = outcomeAt(rows, t);
  if (outcome === "normal" || outcome === "false") return TITLES[outcome];
  const given = givenAt(rows, lane, row, t);
  if (outcome === "hit") return `hit, credit ${writeCredit(given < 0 ? 100 : given)}`;
  if (given <= 0) return "missed: credit 0.00";
  return `credit given by adjustment, ${writeCredit(given)}`;
}

/**
 * Returns the description of a cell, line by line: what it is, then its credit in each lane. Normal points
 * and false alarms get no credit under any protocol, so they have only the first line.
 * @param {BoardRows} rows
 * @param {{lane: Lane, row: number}[]} lanes
 * @param {number} t
 */
export function tellCell(rows, lanes, t) {
  const outcome = outcomeAt(rows, t);
  const title = `${rows.times[t] ?? `time ${t}`} · ${TITLES[outcome]}`;
  if (outcome === "normal" || outcome === "false") return [title];
  return [title, ...lanes.map(({ lane, row }) => `${lane.name}: ${earnedAt(rows, lane, row, t)}`)];
}
