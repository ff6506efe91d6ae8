// @ts-check
import assert from "node:assert/strict";
import test from "node:test";

import { isSamePattern, newHistory, noteChange, travel } from "../../padf_ui/web/history.js";

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
