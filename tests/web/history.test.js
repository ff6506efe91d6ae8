// @ts-check
import assert from "node:assert/strict";
import test from "node:test";

import {
  isSamePattern, moveAlarms, newCarry, newHistory, noteChange, travel,
} from "../../padf_ui/web/core/history.js";

const A = { labels: "01", detections: "00" };
const B = { labels: "01", detections: "01" };
const C = { labels: "01", detections: "11" };

test("patterns are the same when labels and detections are", () => {
  assert.ok(isSamePattern(A, { ...A }));
  assert.ok(!isSamePattern(A, B));
  assert.ok(!isSamePattern(A, { ...A, labels: "11" }));
});

test("undo steps back and redo forth again", () => {
  const history = newHistory();
  noteChange(history, A, B);
  noteChange(history, B, C);
  assert.equal(travel(history, "undo", C), B);
  assert.equal(travel(history, "undo", B), A);
  assert.equal(travel(history, "redo", A), B);
  assert.equal(travel(history, "redo", B), C);
});

test("at either end nothing happens", () => {
  const history = newHistory();
  assert.equal(travel(history, "undo", A), undefined);
  assert.equal(travel(history, "redo", A), undefined);
  assert.deepEqual(history, newHistory());
});

test("a new change ends what could be redone", () => {
  const history = newHistory();
  noteChange(history, A, B);
  travel(history, "undo", B);
  noteChange(history, A, C);
  assert.equal(travel(history, "redo", C), undefined);
  assert.equal(travel(history, "undo", C), A);
});

test("what changes nothing is not noted", () => {
  const history = newHistory();
  noteChange(history, A, { ...A });
  assert.deepEqual(history.past, []);
});

/**
 * Moves alarms, way by way: "<" is earlier.
 * @param {string} detections
 * @param {string} ways
 */
function move(detections, ways) {
  /** @type {import("../../padf_ui/web/core/history.js").Carry} */
  let carry = newCarry();
  let pattern = { labels: "0".repeat(detections.length), detections };
  for (const way of ways) {
    const moved = moveAlarms(carry, pattern, way === "<" ? "earlier" : "later");
    ({ pattern } = moved);
    carry = moved;
  }
  return pattern.detections;
}

test("all alarms move one step", () => {
  assert.equal(move("00110", "<"), "01100");
  assert.equal(move("00110", ">"), "00011");
});

test("alarms pushed over an edge come back when they are moved back", () => {
  assert.equal(move("10110", "<<<"), "10000");
  assert.equal(move("10110", "<<<>>>"), "10110");
  assert.equal(move("10110", ">>>>>>><<<<<<<"), "10110");
  assert.equal(move("10110", "<<>>>><<"), "10110");
});

test("another edit forgets what went over the edge", () => {
  const { pattern, ...rest } = moveAlarms(newCarry(), { labels: "000", detections: "100" }, "earlier");
  assert.equal(pattern.detections, "000");
  const edited = { labels: "000", detections: "001" };
  assert.equal(moveAlarms({ pattern, ...rest }, edited, "later").pattern.detections, "000");
  const relabelled = { labels: "111", detections: "000" };
  assert.equal(moveAlarms({ pattern, ...rest }, relabelled, "later").pattern.detections, "000");
});
