// @ts-check
import assert from "node:assert/strict";
import test from "node:test";

import { earnedAt, outcomeAt, tellCell } from "../../padf_ui/web/lanes/cells.js";

/** @typedef {import("../../padf_ui/web/payload.d.ts").Lane} Lane */

const NO_TEXTS = { parts: [], rows: [] };

/**
 * @param {string} name
 * @param {number[]} row of credit
 * @param {"segment" | "point"} [by]
 * @returns {Lane}
 */
function lane(name, row, by = "segment") {
  return {
    key: name, name, slider: null, arrows: false, places: [0], f1: [500], gain: null, why: NO_TEXTS,
    credit: { by, columns: row.map((_, index) => index), rows: [row] },
  };
}

/** @type {import("../../padf_ui/web/payload.d.ts").BoardRows} */
const ROWS = {
  labels: "0111001100",
  detections: "1010000001",
  times: [],
  axis: "",
  alarms: "",
  segments: [
    { start: 1, stop: 4, delay: 1, late: "delay 1" },
    { start: 6, stop: 8, delay: -1, late: "missed" },
  ],
  lanes: [],
};

const POINTWISE = lane("Point-wise", [-1, -1]);
const PADF = lane("PAdf", [90, 0]);

test("a cell is normal, a false alarm, a hit or missed", () => {
  assert.deepEqual([4, 0, 2, 1].map((t) => outcomeAt(ROWS, t)), ["normal", "false", "hit", "missed"]);
});

test("a hit earns the credit of its segment, or all where detections stand as they are", () => {
  assert.equal(earnedAt(ROWS, PADF, 0, 2), "hit, credit 0.90");
  assert.equal(earnedAt(ROWS, POINTWISE, 0, 2), "hit, credit 1.00");
});

test("a point without an alarm has what adjustment gives, or nothing", () => {
  assert.equal(earnedAt(ROWS, PADF, 0, 1), "credit given by adjustment, 0.90");
  assert.equal(earnedAt(ROWS, PADF, 0, 6), "missed: credit 0.00");
  assert.equal(earnedAt(ROWS, POINTWISE, 0, 1), "missed: credit 0.00");
});

test("credit by point is that of the point, counted over all segments", () => {
  const soft = lane("Soft", [10, 20, 30, 40, 50], "point");
  assert.equal(earnedAt(ROWS, soft, 0, 3), "credit given by adjustment, 0.30");
  assert.equal(earnedAt(ROWS, soft, 0, 7), "credit given by adjustment, 0.50");
});

test("of an anomalous cell every lane says what it earned", () => {
  const lanes = [{ lane: POINTWISE, row: 0 }, { lane: PADF, row: 0 }];
  assert.deepEqual(tellCell(ROWS, lanes, 2), [
    "time 2 · hit",
    "Point-wise: hit, credit 1.00",
    "PAdf: hit, credit 0.90",
  ]);
  assert.equal(tellCell(ROWS, lanes, 1)[0], "time 1 · anomaly without an alarm");
});

test("of a normal cell one line is enough, with the clock if there is one", () => {
  const timed = { ...ROWS, times: Array.from({ length: 10 }, (_, t) => `08:3${t}`) };
  const lanes = [{ lane: PADF, row: 0 }];
  assert.deepEqual(tellCell(timed, lanes, 5), ["08:35 · normal"]);
  assert.deepEqual(tellCell(timed, lanes, 9), [
    "08:39 · false alarm: no credit, lowers precision",
  ]);
});
