// @ts-check
import assert from "node:assert/strict";
import test from "node:test";

import { strokeOver } from "../../padf_ui/web/core/handdrawn.js";

test("the first stroke fills the rest as its nearest end", () => {
  const drawn = strokeOver([], 6, { index: 1, value: 1000 }, { index: 3, value: 500 });
  assert.deepEqual(drawn, [1000, 1000, 750, 500, 500, 500]);
});

test("a later stroke changes only what it passes, straight from end to end", () => {
  const before = [0, 0, 0, 0, 0];
  const drawn = strokeOver(before, 5, { index: 3, value: 300 }, { index: 1, value: 100 });
  assert.deepEqual(drawn, [0, 100, 200, 300, 0]);
  assert.deepEqual(before, [0, 0, 0, 0, 0]);
});

test("a stroke within one place takes the newest value", () => {
  assert.deepEqual(strokeOver([1, 2], 2, { index: 1, value: 5 }, { index: 1, value: 9 }), [1, 9]);
});
