// @ts-check
import assert from "node:assert/strict";
import test from "node:test";

import { along, rankingAt } from "../../padf_ui/web/race.js";

test("a number has its place on a logarithmic axis", () => {
  assert.equal(along([1, 5, 100], 1), 0);
  assert.equal(along([1, 5, 100], 10), 0.5);
  assert.equal(along([1, 5, 100], 100), 1);
});

test("the ranking is that of the band around a number", () => {
  const bands = [
    { start: 1, stop: 10, ranking: [0, 1] },
    { start: 10, stop: 50, ranking: [1, 0] },
  ];
  assert.deepEqual(rankingAt(bands, 3), [0, 1]);
  assert.deepEqual(rankingAt(bands, 10), [1, 0]);
  assert.deepEqual(rankingAt(bands, 50), [1, 0]);
  assert.deepEqual(rankingAt([], 5), []);
});
