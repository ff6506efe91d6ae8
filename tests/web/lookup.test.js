// @ts-check
import assert from "node:assert/strict";
import test from "node:test";

import {
  creditAt, curveOf, firstHitAt, gainAt, isFlagged, listNames, nearestStep, rowAt, scoreAt, shorten,
  shownAt, textAt, writeCredit, writeGain, writeScore,
} from "../../padf_ui/web/core/lookup.js";

/** @type {import("../../padf_ui/web/payload.d.ts").LaneRows} */
const PADF = {
  places: [0, 0, 1, 2],
  f1: [222, 500, 881],
  gain: [0, -12, 533],
  credit: { by: "segment", columns: [1, 0], rows: [[0, 10], [50, 60], [90, -1]] },
};

test("a text is its parts with the row's numbers between them", () => {
  const texts = { parts: [["P = ", " / ", ""], ["none"]], rows: [[0, "6.30", 7], [1]] };
  assert.equal(textAt(texts, 0), "P = 6.30 / 7");
  assert.equal(textAt(texts, 1), "none");
});

test("where Python sent no text there is none", () => {
  assert.equal(textAt({ parts: [], rows: [] }, 3), "");
  assert.equal(textAt(undefined, 0), "");
});

test("a step shows the row that its place names", () => {
  assert.deepEqual([0, 1, 2, 3].map((step) => rowAt(PADF, step)), [0, 0, 1, 2]);
});

test("a lane without a slider shows its one row at every step", () => {
  const one = { ...PADF, places: [2] };
  assert.equal(rowAt(one, 57), 2);
});

test("credit is found by row and by the segment's column", () => {
  assert.equal(creditAt(PADF.credit, 1, 0), 60);
  assert.equal(creditAt(PADF.credit, 1, 1), 50);
  assert.equal(creditAt(PADF.credit, 2, 0), -1);
});

test("a cell holds an alarm at the steps below its level", () => {
  assert.deepEqual([0, 1, 2, 3].map((step) => isFlagged(2, step)), [true, true, false, false]);
  assert.equal(isFlagged(0, 0), false);
});

test("the first hit of a segment is that of the last entry at or below the step", () => {
  const found = [
    { step: 0, delay: 0, late: "no delay" },
    { step: 5, delay: 3, late: "delay 3" },
    { step: 9, delay: -1, late: "missed" },
  ];
  const late = [0, 4, 5, 8, 9, 99].map((step) => firstHitAt(found, step).late);
  assert.deepEqual(late, ["no delay", "no delay", "delay 3", "delay 3", "missed", "missed"]);
});

test("a slider's curve is the F1 of every step as a share", () => {
  assert.deepEqual(curveOf(PADF), [0.222, 0.222, 0.5, 0.881]);
});

test("the nearest step is found, the first of two that are as near", () => {
  assert.equal(nearestStep([0, 10, 20], 14), 1);
  assert.equal(nearestStep([0, 10, 20], 15), 1);
  assert.equal(nearestStep([0, 10, 20], 99), 2);
});

test("thousandths are written with three digits", () => {
  assert.deepEqual([881, 1000, 0, 7].map(writeScore), ["0.881", "1.000", "0.000", "0.007"]);
  assert.equal(scoreAt(PADF, 2), "0.881");
});

test("gains are written with their sign, nothing gained as +0.000", () => {
  assert.deepEqual([533, -12, 0].map(writeGain), ["+0.533", "-0.012", "+0.000"]);
  assert.equal(gainAt(PADF, 1), "-0.012");
});

test("the first lane has no gain", () => {
  assert.equal(gainAt({ ...PADF, gain: null }, 1), "");
});

test("hundredths are written with two digits", () => {
  assert.deepEqual([90, 100, 0, 5].map(writeCredit), ["0.90", "1.00", "0.00", "0.05"]);
});

test("names that are too long are cut, others are not", () => {
  assert.equal(shorten("Point-wise", 10), "Point-wise");
  assert.equal(shorten("Point-wise", 6), "Point…");
});

test("names are joined as in a sentence", () => {
  assert.equal(listNames([]), "");
  assert.equal(listNames(["a"]), "a");
  assert.equal(listNames(["a", "b", "c"]), "a, b and c");
});

/** @type {import("../../padf_ui/web/payload.d.ts").TimelineLane} */
const LANE = {
  key: "padf",
  name: "PAdf",
  slider: "decay",
  arrows: true,
  over_threshold: { ...PADF, places: [0, 1, 2] },
  over_own: { ...PADF, places: [2, 1, 0] },
};
const REST = { threshold: 1, thresholdInUse: 1, own: 2, ownInUse: 2, isOwnNewest: false };

test("at rest a lane shows its row at the threshold in use", () => {
  const shown = shownAt(LANE, REST);
  assert.deepEqual([shown.rows, shown.row], [LANE.over_threshold, 1]);
});

test("while the threshold moves a lane shows its row at that threshold", () => {
  const shown = shownAt(LANE, { ...REST, threshold: 2 });
  assert.deepEqual([shown.row, shown.threshold, shown.own], [2, 2, 2]);
});

test("while its own slider moves a lane shows its row there, at the threshold in use", () => {
  const shown = shownAt(LANE, { ...REST, own: 0, isOwnNewest: true });
  assert.equal(shown.rows, LANE.over_own);
  assert.deepEqual([shown.row, shown.threshold, shown.own], [2, 1, 0]);
});

test("when both are moved before Python answers, the one moved last counts", () => {
  const both = { ...REST, threshold: 0, own: 1 };
  const own = shownAt(LANE, { ...both, isOwnNewest: true });
  assert.deepEqual([own.rows, own.row, own.threshold], [LANE.over_own, 1, 1]);
  const threshold = shownAt(LANE, both);
  assert.deepEqual([threshold.rows, threshold.row, threshold.own], [LANE.over_threshold, 0, 2]);
});

test("a lane without a slider of its own follows the threshold alone", () => {
  const shown = shownAt({ ...LANE, slider: null, over_own: null }, { ...REST, threshold: 0 });
  assert.deepEqual([shown.rows, shown.row], [LANE.over_threshold, 0]);
});
