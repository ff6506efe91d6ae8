// @ts-check
import assert from "node:assert/strict";
import test from "node:test";

import { axisFor, curvePoints, placeIn } from "../../padf_ui/web/charts/need_curve.js";
import { stepDragged } from "../../padf_ui/web/charts/need_sentence.js";

const AXES = [5, 10, 25, 50].map((last) => ({ last, ticks: [] }));
const FRAME = { left: 50, top: 20, width: 200, height: 100, last: 20 };

test("an axis leaves room behind the star", () => {
  // 1.8 times 4 is 7.2, 1.8 times 14 is 25.2.
  assert.equal(axisFor(AXES, 4).last, 10);
  assert.equal(axisFor(AXES, 13).last, 25);
  assert.equal(axisFor(AXES, 14).last, 50);
  assert.equal(axisFor(AXES, 1000).last, 50);
});

test("a number follows the hand, a step every nine pixels, and stays among its steps", () => {
  assert.equal(stepDragged(5, 18, false, 10), 7);
  assert.equal(stepDragged(5, -20, false, 10), 3);
  assert.equal(stepDragged(5, 18, true, 10), 3);
  assert.equal(stepDragged(5, 900, false, 10), 9);
  assert.equal(stepDragged(5, 900, true, 10), 0);
});

test("seconds and thousandths have their place in the frame", () => {
  assert.deepEqual(placeIn(FRAME, 0, 1000), { x: 50, y: 20 });
  assert.deepEqual(placeIn(FRAME, 10, 500), { x: 150, y: 70 });
});

test("a decay is Python's points, stretched to the seconds and moved by the grace", () => {
  // Delays of 0, 1 and 2 times 4 s behind a grace of 2 s: at 2, 6 and 10 s of 20.
  assert.deepEqual(curvePoints([0, 1, 2], [1000, 500, 250], 4, 2, FRAME), [
    { x: 50, y: 20 },
    { x: 70, y: 20 },
    { x: 110, y: 70 },
    { x: 150, y: 95 },
  ]);
});

test("a decay ends at the first point behind its frame", () => {
  assert.equal(curvePoints([0, 1, 2, 3], [1000, 500, 250, 125], 15, 0, FRAME).length, 4);
});
