// @ts-check
import assert from "node:assert/strict";
import test from "node:test";

import { along, placeAlong, rankingAt } from "../../padf_ui/web/charts/race.js";

test("a number has its place on a logarithmic axis", () => {
  assert.equal(along([1, 5, 100], 1), 0);
  assert.equal(along([1, 5, 100], 10), 0.5);
  assert.equal(along([1, 5, 100], 100), 1);
});

test("a place on the axis leads to the nearest number, however they are spread", () => {
  assert.equal(placeAlong([1, 9, 10, 11, 1000], 0.34), 2);
  assert.equal(placeAlong([1, 9, 10, 11, 1000], 0.9), 4);
  assert.equal(placeAlong([1, 9, 10, 11, 1000], -2), 0);
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
