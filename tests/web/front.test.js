// @ts-check
import assert from "node:assert/strict";
import test from "node:test";

import { placeByKey } from "../../padf_ui/web/front.js";

test("keys move the alarm, which stays on the clock", () => {
  assert.equal(placeByKey("ArrowRight", 4, 10), 5);
  assert.equal(placeByKey("ArrowDown", 4, 10), 3);
  assert.equal(placeByKey("Home", 4, 10), 0);
  assert.equal(placeByKey("End", 4, 10), 9);
  assert.equal(placeByKey("ArrowRight", 9, 10), 9);
  assert.equal(placeByKey("PageDown", 4, 10), 0);
  assert.equal(placeByKey("Tab", 4, 10), undefined);
});
