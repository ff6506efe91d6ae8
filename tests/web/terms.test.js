// @ts-check
import assert from "node:assert/strict";
import test from "node:test";

import { partsOf, shiftOf } from "../../padf_ui/web/core/terms.js";

const TERMS = { PA: "fills", hit: "inside" };

test("a word between stars has its meaning, however it is written", () => {
  assert.deepEqual(partsOf("**PA** after a **Hit**.", TERMS), [
    { text: "PA", meaning: "fills" },
    { text: " after a " },
    { text: "Hit", meaning: "inside" },
    { text: "." },
  ]);
});

test("other words between stars stay plain, and so does a term without stars", () => {
  assert.deepEqual(partsOf("PA and **more**", TERMS), [{ text: "PA and " }, { text: "more" }]);
});

test("a meaning at the right edge of the screen moves to the left, others stay", () => {
  // On a phone of 380 it is at most 0.8 * 380 = 304 wide: from 200 on it would end at 504, not at 368.
  assert.equal(shiftOf(200, 380), -136);
  assert.equal(shiftOf(20, 380), 0);
  assert.equal(shiftOf(1000, 1400), 0);
});
