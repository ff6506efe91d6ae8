// @ts-check
import assert from "node:assert/strict";
import test from "node:test";

import { tailorOf } from "../../padf_ui/web/board/tailor.js";

const TAILOR = {
  paint: ["detections"], tools: ["undo"], sliders: ["k"], numbers: true, formula: true, dim: [],
  spread: true, worth: true, waits: false,
};

test("a board without a tailor shows and allows everything", () => {
  const { numbers, formula, waits } = tailorOf({ sliders: [] });
  assert.deepEqual([numbers, formula, waits], [true, true, false]);
});

test("while a question waits, nothing that tells a score or a credit is shown", () => {
  const { numbers, formula, spread, worth } = tailorOf({ sliders: [], tailor: { ...TAILOR, waits: true } });
  assert.deepEqual([numbers, formula, spread, worth], [false, false, false, false]);
});

test("what may be moved stays the same, and the answer opens the rest", () => {
  const waiting = tailorOf({ sliders: [], tailor: { ...TAILOR, waits: true } });
  assert.deepEqual([waiting.paint, waiting.tools, waiting.sliders], [["detections"], ["undo"], ["k"]]);
  assert.deepEqual(tailorOf({ sliders: [], tailor: TAILOR }), TAILOR);
});
