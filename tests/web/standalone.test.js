// @ts-check
import assert from "node:assert/strict";
import test from "node:test";

import { lockBoard, stepInHash } from "../../padf_ui/web/board/standalone.js";

test("an address names its step, from 1; what it cannot name is the nearest", () => {
  assert.deepEqual(["", "#step=1", "#step=3", "#step=99", "#step=0", "#x"].map(
    (hash) => stepInHash(hash, 8),
  ), [0, 0, 2, 7, 0, 0]);
});

test("a board in a file is not painted, but keeps its sliders and pictures", () => {
  const rows = {
    labels: "01", detections: "01", times: [], axis: "", alarms: "", segments: [], lanes: [],
  };
  const slider = {
    key: "decay", title: "d", steps: [1], at: 0, lane: null, rule: "", limits: [0, 1], gaps: [],
    names: { parts: [], rows: [] }, notes: { parts: [], rows: [] }, stepped: false,
  };
  const data = {
    session: "s", revision: 4, answered: 9, hint: true, history: "step", link: "", rows,
    sliders: [slider],
  };
  const { tailor, session, hint } = lockBoard(data, 2, true);
  assert.deepEqual([tailor?.paint, tailor?.tools, tailor?.sliders], [[], ["svg", "png"], ["decay"]]);
  assert.deepEqual([session, hint, tailor?.waits], ["step 2", false, true]);
});
