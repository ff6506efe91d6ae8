// @ts-check
import assert from "node:assert/strict";
import test from "node:test";

import { shiftPoints, shiftsHead, tellShift } from "../../padf_ui/web/lanes/shifts.js";

const SHIFTS = { reach: 2, f1: { pa: [100, 200, 300, 400, 500] } };

test("a curve stands at the first alarm's place, moved by each shift", () => {
  assert.deepEqual(shiftPoints(SHIFTS, "pa", 4, 10).map(({ t, f1 }) => [t, f1]), [
    [2, 100], [3, 200], [4, 300], [5, 400], [6, 500],
  ]);
});

test("shifts that leave the board are left out", () => {
  assert.deepEqual(shiftPoints(SHIFTS, "pa", 1, 10).map(({ t }) => t), [0, 1, 2, 3]);
  assert.deepEqual(shiftPoints(SHIFTS, "pa", 8, 10).map(({ t }) => t), [6, 7, 8, 9]);
});

test("without an alarm, and for a lane that is not there, there is no curve", () => {
  assert.deepEqual(shiftPoints(SHIFTS, "pa", -1, 10), []);
  assert.deepEqual(shiftPoints(SHIFTS, "padf", 4, 10), []);
});

test("the scores at a place are told with the move that leads there", () => {
  /** @type {import("../../padf_ui/web/payload.d.ts").Lane} */
  const lane = {
    key: "pa", name: "PA", slider: null, arrows: false, places: [0], f1: [300], gain: null,
    credit: { by: "segment", columns: [], rows: [[]] },
  };
  const rows = {
    labels: "0011110000", detections: "0000100000", times: [], axis: "", alarms: "", segments: [],
    lanes: [lane], shifts: SHIFTS,
  };
  assert.deepEqual(tellShift(rows, 3), ["all alarms 1 step earlier", "PA: F1 0.200"]);
  assert.deepEqual(tellShift(rows, 6), ["all alarms 2 steps later", "PA: F1 0.500"]);
  assert.deepEqual(tellShift(rows, 4), ["current position", "PA: F1 0.300"]);
  assert.deepEqual(tellShift(rows, 9), []);
  assert.deepEqual(tellShift({ ...rows, detections: "0000000000" }, 4), []);
});

test("the head of the panel has a row for its title on a phone", () => {
  assert.equal(shiftsHead(["PA", "PAdf"], 1000, true), 10 + 17 + 6);
  assert.equal(shiftsHead(["PA", "PAdf"], 348, false), 10 + 17 + 17 + 6);
});
