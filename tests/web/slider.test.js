// @ts-check
import assert from "node:assert/strict";
import test from "node:test";

import { stepsThrough } from "../../padf_ui/web/core/dom.js";
import { isAllowed } from "../../padf_ui/web/core/slider.js";

/** @type {import("../../padf_ui/web/payload.d.ts").Slider} */
const K = {
  key: "k",
  title: "K, in %",
  steps: [0, 1, 100],
  at: 0,
  lane: "pa_k",
  rule: "0, or 1 to 100",
  limits: [0, 100],
  gaps: [[0, 1]],
  names: { parts: [], rows: [] },
  notes: { parts: [], rows: [] },
  stepped: true,
};

test("K's curve is drawn in steps: a value holds up to the middle", () => {
  const points = [{ x: 0, y: 10 }, { x: 4, y: 10 }, { x: 8, y: 2 }];
  assert.equal(stepsThrough(points), "M0.0,10.0H2.0V10.0H4.0H6.0V2.0H8.0");
});

test("a typed number lies within the limits, which are allowed themselves", () => {
  assert.deepEqual([-1, 0, 14.2, 100, 101].map((typed) => isAllowed(K, typed)), [
    false, true, true, true, false,
  ]);
});

test("a typed number does not lie inside a gap, but may lie at its ends", () => {
  assert.deepEqual([0.001, 0.2, 0.999, 1].map((typed) => isAllowed(K, typed)), [
    false, false, false, true,
  ]);
});

test("what is no number is not allowed", () => {
  assert.equal(isAllowed(K, Number("x")), false);
});
