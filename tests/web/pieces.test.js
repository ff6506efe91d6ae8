// @ts-check
import assert from "node:assert/strict";
import test from "node:test";

import {
  cellsAtStep, cellsOfPattern, cellsOfSegment, detectionPieces, findOnes, findRuns, makePieces,
  protocolPieces,
} from "../../padf_ui/web/lanes/pieces.js";
import { spreadPieces } from "../../padf_ui/web/lanes/spread.js";

/** @param {import("../../padf_ui/web/lanes/pieces.js").Piece[]} pieces */
function words(pieces) {
  return pieces.map(
    ({ kind, from, to, base, height }) =>
      `${kind} ${from}-${to}${height === 1 ? "" : ` from ${base} to ${+(base + height).toFixed(6)}`}`,
  );
}

const LABELS = "0011110";
const CELLS = cellsOfPattern(LABELS, "1001010");
const SEGMENTS = [{ start: 2, stop: 6 }];

/**
 * @param {number[]} row
 * @param {"segment" | "point"} [by]
 * @returns {import("../../padf_ui/web/payload.d.ts").Credit}
 */
function credit(row, by = "segment") {
  return { by, columns: row.map((_, index) => index), rows: [row] };
}

test("runs are maximal and half-open", () => {
  assert.deepEqual(findOnes("1101"), [{ start: 0, stop: 2 }, { start: 3, stop: 4 }]);
  assert.deepEqual(findOnes("000"), []);
  assert.deepEqual(findRuns(2, 5, () => true), [{ start: 2, stop: 5 }]);
});

test("every stretch becomes a piece of full height", () => {
  assert.deepEqual(words(makePieces("truth", findOnes(LABELS))), ["truth 2-6"]);
});

test("alarms are hits inside segments and false outside", () => {
  assert.deepEqual(words(detectionPieces(CELLS)), ["false 0-1", "hit 3-4", "hit 5-6"]);
});

test("at a step of the threshold the cells above it hold alarms of their kind, or of both", () => {
  const cells = cellsAtStep({ hit: [0, 3, 3, 1], wrong: [2, 2, 0, 0] }, 1);
  assert.deepEqual(words(detectionPieces(cells)), ["false 0-2", "hit 1-3"]);
});

test("without adjustment the detections stand as they are on what is missed", () => {
  const pieces = protocolPieces(CELLS, SEGMENTS, credit([-1]), 0);
  assert.deepEqual(words(pieces), ["false 0-1", "missed 2-6", "hit 3-4", "hit 5-6"]);
});

test("full credit fills the segment and misses nothing", () => {
  const pieces = protocolPieces(CELLS, SEGMENTS, credit([100]), 0);
  assert.deepEqual(words(pieces), ["false 0-1", "adjusted 2-6", "hit 3-4", "hit 5-6"]);
});

test("credit is a height, and what is missing stands above it", () => {
  const pieces = protocolPieces(CELLS, SEGMENTS, credit([25]), 0);
  assert.deepEqual(words(pieces), [
    "false 0-1",
    "missed 2-6 from 0.25 to 1",
    "adjusted 2-6 from 0 to 0.25",
    "hit 3-4 from 0 to 0.25",
    "hit 5-6 from 0 to 0.25",
  ]);
});

test("no credit is all missed, hits or not", () => {
  const pieces = protocolPieces(CELLS, SEGMENTS, credit([0]), 0);
  assert.deepEqual(words(pieces), ["false 0-1", "missed 2-6"]);
});

test("credit by point gives each anomalous cell its own height, equal neighbours as one", () => {
  const pieces = protocolPieces(CELLS, SEGMENTS, credit([50, 50, 100, -1], "point"), 0);
  assert.deepEqual(words(pieces), [
    "false 0-1",
    "missed 2-4 from 0.5 to 1",
    "adjusted 2-4 from 0 to 0.5",
    "hit 3-4 from 0 to 0.5",
    "adjusted 4-5",
    "missed 5-6",
    "hit 5-6",
  ]);
});

test("credit by point goes on from segment to segment", () => {
  const cells = cellsOfPattern("110011", "000000");
  const segments = [{ start: 0, stop: 2 }, { start: 4, stop: 6 }];
  const pieces = protocolPieces(cells, segments, credit([0, 100, 100, 0], "point"), 0);
  assert.deepEqual(words(pieces), ["missed 0-1", "adjusted 1-2", "adjusted 4-5", "missed 5-6"]);
});

test("a segment that begins and ends inside cells covers all cells that it touches", () => {
  assert.deepEqual(cellsOfSegment({ start: 2.4, stop: 4.2 }), { from: 2, to: 5 });
  assert.deepEqual(cellsOfSegment({ start: 3, stop: 5 }), { from: 3, to: 5 });
  assert.deepEqual(cellsOfSegment({ start: 3.2, stop: 3.3 }), { from: 3, to: 4 });
});

test("what adjustment gives spreads cell by cell from the first hit in both directions", () => {
  const pieces = protocolPieces(CELLS, SEGMENTS, credit([100]), 0);
  const spread = spreadPieces(pieces, [{ ...SEGMENTS[0], delay: 1 }]);
  const cells = spread.filter(({ kind }) => kind === "adjusted");
  // The hit is at 3; the farthest cell, 5, is two away.
  assert.deepEqual(cells.map(({ from, wait }) => [from, wait]), [[2, 0.5], [3, 0], [4, 0.5], [5, 1]]);
  const others = spread.filter(({ kind }) => kind !== "adjusted");
  assert.ok(others.every(({ wait }) => wait === undefined));
});
