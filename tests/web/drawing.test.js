// @ts-check
import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";

import start from "../../padf_ui/web/board/board.js";
import { clock, fire, enter, Mounted, motion, numbersOf, openTab, page, pressKey, rect, theme } from "./fake_dom.js";
import { ALARMS, boardData, boardRows, HOSTILE, LABELS } from "./samples.js";

beforeEach(openTab);

// A board of 1274 pixels: the cells begin at 124 and have room for 1000, so each of the twenty points
// is 50 wide. Three lanes are 42 high and 11 apart, below a legend of 24.
const CELL = 50;
const Y = { truth: 24, detections: 77, pw: 130, pa: 183, padf: 236 };

/**
 * @param {Record<string, any>} [changes]
 * @param {number} [width]
 */
function board(changes = {}, width = 1274) {
  return new Mounted(start, "board", { ...boardData(), ...changes }, width);
}

/**
 * Where the middle of a cell is, as a pointer event.
 * @param {number} t
 * @param {keyof typeof Y} lane
 */
const at = (t, lane = "detections") => ({ clientX: (t + 0.5) * CELL, clientY: Y[lane] + 20 });

/**
 * Drags over places, and lets go.
 * @param {Mounted} mounted
 * @param {number[]} places
 * @param {"truth" | "detections"} [lane]
 */
function drag(mounted, places, lane = "detections") {
  const canvas = mounted.one(".canvas");
  fire(canvas, "pointerdown", at(places[0], lane));
  for (const t of places.slice(1)) fire(canvas, "pointermove", at(t, lane));
  fire(canvas, "pointerup", at(places[places.length - 1], lane));
}

/**
 * Answers everything that is asked, as Python does for its own strokes, and returns the last ask.
 * @param {Mounted} mounted
 */
function settle(mounted) {
  for (let seen = -1; seen !== mounted.asks.length; clock.pass(60)) {
    seen = mounted.asks.length;
    if (!seen) break;
    const { labels, detections } = { ...mounted.data.rows, ...mounted.asked };
    mounted.answer({ rows: { ...mounted.data.rows, labels, detections } });
  }
  return mounted.asked;
}

/** @param {Mounted} mounted */
const shownAlarms = (mounted) => {
  return mounted.all("[role=row]")[1].children
    .map((/** @type {any} */ cell) => (/alarm$/.test(cell.getAttribute("aria-label")) ? "1" : "0"))
    .join("");
};

/**
 * @param {Mounted} mounted
 * @param {string} name
 */
const tool = (mounted, name) => mounted.one(`[data-tool=${name}]`);

/**
 * @param {Mounted} mounted
 * @param {number} row
 * @param {number} t
 */
const cellAt = (mounted, row, t) => mounted.all("[role=row]")[row].children[t];

// ---- what is drawn -----------------------------------------------------------------------------

test("a board shows truth, detections and the credit of each protocol", () => {
  const mounted = board();
  const rects = (/** @type {string} */ where) => mounted.all(where).map(rect);
  assert.deepEqual(rects(".layer-truth .truth"), [[250, Y.truth, 500, 42]]);
  assert.deepEqual(rects(".layer-detections .hit"), [[550, Y.detections, 50, 42]]);
  assert.deepEqual(rects(".layer-detections .false"), [[50, Y.detections, 100, 42]]);
  assert.deepEqual(rects(".layer-pw .hit"), [[550, Y.pw, 50, 42]]);
  assert.deepEqual(rects(".layer-pa .adjusted"), [[250, Y.pa, 500, 42]]);
  // Credit 0.53 of 42 is 22.26; 236 + 42 - 22.26 = 255.74.
  assert.deepEqual(rects(".layer-padf .adjusted"), [[250, 255.74, 500, 22.26]]);
  assert.equal(rects(".layer-padf .false").length, 1);
});

test("a dashed box stands around the segment, through all lanes", () => {
  // From 2 above the truth to 1 below PAdf: 236 + 42 - 24 + 3 = 257.
  assert.deepEqual(board().all(".segment-box").map(rect), [[249, 22, 502, 257]]);
});

test("F1 and gain of each lane stand at its end", () => {
  const mounted = board();
  assert.deepEqual(mounted.texts("[data-f1]"), ["0.154", "0.909", "0.614"]);
  assert.deepEqual(mounted.texts("[data-gain]"), ["+0.755", "+0.460"]);
  // 124 + 1000 + 14.
  assert.deepEqual(numbersOf(mounted.one("[data-f1=padf]"), "x"), [1138]);
});

test("the arrow says delay and credit", () => {
  const mounted = board();
  assert.match(mounted.one(".arrow-text").textContent, /^delay 6.*credit 0\.53$/);
  // From 5 * 50 + 1 to 11.5 * 50 - 1, 6 below the arrows' top at 236 + 42 + 2.
  assert.equal(mounted.one(".arrow").getAttribute("d"), "M251,286H574");
});

test("a slider that moves shows the row of its step at once, without asking", () => {
  const mounted = board();
  const range = mounted.one("[type=range]");
  range.value = "2";
  fire(range, "input");
  assert.equal(mounted.one("[data-f1=padf]").textContent, "0.879");
  assert.equal(mounted.one("[data-gain=padf]").textContent, "+0.725");
  assert.match(mounted.one(".arrow-text").textContent, /0\.94/);
  // 0.94 of 42 is 39.48.
  assert.deepEqual(numbersOf(mounted.one(".layer-padf .adjusted"), "height"), [39.48]);
  assert.equal(mounted.one("[data-f1=pa]").textContent, "0.909", "other lanes stay");
  assert.equal(mounted.one(".formula-why").textContent, "Why at 0.99.");
  assert.deepEqual(mounted.asks, []);
  fire(range, "change");
  assert.deepEqual(mounted.asked, { settings: { decay: 0.99 }, final: true, revision: 4 });
});

test("a number that may not be typed is refused in words and not sent", () => {
  const mounted = board();
  enter(mounted.one(".slider-number"), "7");
  assert.deepEqual(mounted.asks, []);
  assert.match(mounted.one(".status").textContent, /between 0 and 1/);
  assert.equal(mounted.one(".slider-number").value, "0.9");
});

test("the formula is that of the chosen lane, at first the one with arrows", () => {
  const mounted = board();
  assert.equal(mounted.one(".formula-name").textContent, "PAdf (d = 0.9)");
  assert.equal(mounted.one("[data-formula=precision]").textContent, "P at 0.9");
  fire(mounted.one("[data-lane=pa]"), "click");
  assert.equal(mounted.one(".formula-name").textContent, "PA");
  assert.equal(mounted.one(".formula-why").textContent, "One hit fills it.");
  assert.equal(mounted.one("[data-lane=pa]").getAttribute("aria-pressed"), "true");
  fire(mounted.one(".canvas"), "pointerdown", at(3, "padf"));
  assert.equal(mounted.one(".formula-name").textContent, "PAdf (d = 0.9)");
  assert.deepEqual(mounted.asks, [], "choosing a lane needs no Python");
});

test("colours follow the theme", () => {
  const rows = boardRows();
  rows.lanes[2].colours = ["#111111", "#eeeeee"];
  assert.equal(board({ rows }).one(".stripe").style.fill, "#111111");
  theme.background = [10, 10, 10];
  assert.equal(board({ rows }).one(".stripe").style.fill, "#eeeeee");
});

test("names that look like markup are texts", () => {
  const rows = boardRows();
  rows.lanes[2].name = HOSTILE;
  rows.lanes[2].why = { parts: [[HOSTILE]], rows: [[0], [0], [0]] };
  rows.times = Array.from(LABELS, () => HOSTILE);
  rows.alarms = rows.axis = rows.segments[0].late = HOSTILE;
  const mounted = board({ rows });
  fire(mounted.one(".canvas"), "pointermove", at(11));
  assert.equal(mounted.one(".formula-why").textContent, HOSTILE);
  assert.ok(mounted.one(".tip").textContent.includes(HOSTILE));
  assert.equal(mounted.all("img").length, 0);
});

test("on a phone the lanes come before the tools, and each lane has its own box", () => {
  const mounted = board({}, 348);
  const order = mounted.root.children.map((/** @type {any} */ part) => part.className);
  assert.ok(order.indexOf("stage") < order.indexOf("toolbar"));
  assert.ok(mounted.root.classList.contains("narrow"));
  assert.equal(mounted.all(".segment-box").length, 5);
  // 348 / 20 = 17.4 for each point.
  assert.equal(mounted.one(".canvas").style.width, "348px");
});

test("a long board scrolls, and opens where its first segment is", () => {
  const labels = `${"0".repeat(260)}1111111111${"0".repeat(30)}`;
  const rows = { ...boardRows(), labels, detections: "0".repeat(300), segments: [] };
  const mounted = board({ rows }, 348);
  // Cells are at least 9 wide: 260 * 9 - 348 / 3 = 2224.
  assert.equal(mounted.one(".canvas").style.width, "2700px");
  assert.equal(mounted.one(".scroll").scrollLeft, 2224);
  assert.ok(mounted.one(".scroll").classList.contains("scrolls"));
});

test("alarms that are moved have their F1 in a panel", () => {
  const f1 = { pw: [100, 154, 200], pa: [900, 909, 910], padf: [500, 614, 700] };
  const rows = { ...boardRows(), shifts: { reach: 1, f1 } };
  const mounted = board({ rows });
  assert.equal(mounted.all("[data-shift]").length, 3);
  // The first alarm is at 1: its curve goes over the middles of the points 0, 1 and 2.
  assert.match(mounted.one("[data-shift=pw]").getAttribute("d"), /^M25\.0,.*L75\.0,.*L125\.0,/);
});

// ---- the tip -----------------------------------------------------------------------------------

test("the tip says what the cell under the mouse earned in each lane", () => {
  const mounted = board();
  const canvas = mounted.one(".canvas");
  assert.ok(mounted.one(".tip").hidden);
  fire(canvas, "pointermove", at(11));
  const [title, ...lanes] = mounted.texts(".tip div");
  assert.match(title, /11/);
  assert.equal(lanes.length, 3);
  assert.match(lanes[2], /PAdf.*0\.53/);
  fire(canvas, "pointermove", at(8, "pa"));
  assert.deepEqual(mounted.texts(".tip div").length, 2, "in a lane, that lane alone");
  assert.match(mounted.texts(".tip div")[1], /PA.*1\.00/);
  fire(canvas, "pointerleave");
  assert.ok(mounted.one(".tip").hidden);
});

test("the tip is silent about a pattern that Python has not scored yet", () => {
  const mounted = board();
  drag(mounted, [17]);
  fire(mounted.one(".canvas"), "pointermove", at(11));
  assert.ok(mounted.one(".tip").hidden);
  settle(mounted);
  assert.ok(!mounted.one(".tip").hidden);
});

test("Escape takes the tip away, and only then leaves the key to others", () => {
  const mounted = board();
  fire(mounted.one(".canvas"), "pointermove", at(11));
  assert.ok(pressKey(mounted.one(".stage"), "Escape").defaultPrevented);
  assert.ok(mounted.one(".tip").hidden);
  assert.ok(!pressKey(mounted.one(".stage"), "Escape").defaultPrevented);
});

// ---- painting with the pointer -----------------------------------------------------------------

test("a drag paints a run of cells", () => {
  const mounted = board();
  drag(mounted, [15, 16, 17, 18]);
  assert.equal(shownAlarms(mounted), "01100000000100011110");
  assert.deepEqual(settle(mounted), {
    labels: LABELS, detections: "01100000000100011110", final: true, revision: 4,
  });
});

test("a drag is drawn immediately, before Python answers", () => {
  const mounted = board();
  const canvas = mounted.one(".canvas");
  fire(canvas, "pointerdown", at(16));
  fire(canvas, "pointermove", at(17));
  const [, added] = mounted.all(".layer-detections .false");
  assert.deepEqual(rect(added), [800, Y.detections, 100, 42]);
  assert.equal(mounted.root.dataset.stale, "true");
  assert.equal(mounted.asks.length, 1, "the second cell waits for the answer to the first");
  assert.equal(mounted.asked.final, false);
});

test("a drag that skips cells paints them too", () => {
  const mounted = board();
  drag(mounted, [13, 18]);
  assert.equal(settle(mounted).detections, "01100000000101111110");
});

test("a drag backwards paints what it goes over", () => {
  const mounted = board();
  drag(mounted, [18, 15]);
  assert.equal(settle(mounted).detections, "01100000000100011110");
});

test("a drag that turns round keeps what it painted", () => {
  const mounted = board();
  drag(mounted, [16, 18, 14]);
  assert.equal(settle(mounted).detections, "01100000000100111110");
});

test("a drag that leaves the board paints up to its edge", () => {
  const mounted = board();
  const canvas = mounted.one(".canvas");
  fire(canvas, "pointerdown", at(17));
  fire(canvas, "pointermove", { clientX: 5000, clientY: 900 });
  fire(canvas, "pointermove", { clientX: -300, clientY: -50 });
  fire(canvas, "pointerup");
  assert.equal(settle(mounted).detections, "1".repeat(20));
});

test("a drag stays in the row in which it began", () => {
  const mounted = board();
  const canvas = mounted.one(".canvas");
  fire(canvas, "pointerdown", at(16));
  fire(canvas, "pointermove", at(18, "truth"));
  fire(canvas, "pointerup");
  const { labels, detections } = settle(mounted);
  assert.equal(labels, LABELS);
  assert.equal(detections, "01100000000100001110");
});

test("the first cell decides whether a drag paints or erases", () => {
  const mounted = board();
  drag(mounted, [2, 0]);
  assert.equal(settle(mounted).detections, "00000000000100000000");
  drag(mounted, [0, 3]);
  assert.equal(settle(mounted).detections, "11110000000100000000");
});

test("the truth is painted as well", () => {
  const mounted = board();
  drag(mounted, [15, 16], "truth");
  assert.equal(settle(mounted).labels, "00000111111111111000");
});

test("a touch that becomes a scroll takes the stroke back", () => {
  const mounted = board();
  const canvas = mounted.one(".canvas");
  fire(canvas, "pointerdown", { ...at(16), pointerType: "touch" });
  fire(canvas, "pointermove", { ...at(18), pointerType: "touch" });
  fire(canvas, "pointercancel");
  assert.equal(shownAlarms(mounted), ALARMS);
  assert.equal(settle(mounted).detections, ALARMS);
  assert.ok(tool(mounted, "undo").disabled, "there is nothing to undo");
});

test("the right button does not paint, and a move without a press neither", () => {
  const mounted = board();
  const canvas = mounted.one(".canvas");
  fire(canvas, "pointerdown", { ...at(16), button: 2 });
  fire(canvas, "pointermove", at(17));
  fire(canvas, "pointerup");
  assert.deepEqual(mounted.asks, []);
  assert.equal(shownAlarms(mounted), ALARMS);
});

test("places are counted from where the canvas stands", () => {
  const mounted = board();
  const canvas = mounted.one(".canvas");
  Object.assign(canvas.said, { left: 300, top: 200 });
  fire(canvas, "pointerdown", { clientX: 300 + 16.5 * CELL, clientY: 200 + Y.detections + 5 });
  fire(canvas, "pointerup");
  assert.equal(settle(mounted).detections, "01100000000100001000");
});

test("a stroke that Python's new pattern outdates is dropped", () => {
  const mounted = board();
  const canvas = mounted.one(".canvas");
  fire(canvas, "pointerdown", at(16));
  fire(canvas, "pointermove", at(17));
  const detections = "00000000000000000001";
  mounted.answer({ revision: 5, rows: { ...boardRows(), detections } });
  assert.equal(shownAlarms(mounted), detections);
  fire(canvas, "pointermove", at(18));
  fire(canvas, "pointerup");
  clock.pass(100);
  assert.equal(shownAlarms(mounted), detections);
  assert.equal(mounted.asks.length, 1);
});

test("an answer to the stroke before does not undo the stroke under way", () => {
  const mounted = board();
  const canvas = mounted.one(".canvas");
  fire(canvas, "pointerdown", at(16));
  fire(canvas, "pointermove", at(17));
  mounted.answer({ rows: { ...boardRows(), detections: mounted.asked.detections } });
  assert.equal(shownAlarms(mounted), "01100000000100001100");
});

test("what a server that is gone did not answer is asked of the next one", () => {
  const mounted = board();
  drag(mounted, [16, 17]);
  const detections = "01100000000100001100";
  mounted.receive({ ...boardData(), session: "another", revision: 0 });
  assert.deepEqual(mounted.asked, { labels: LABELS, detections, final: true, revision: 0 });
  assert.equal(shownAlarms(mounted), detections);
});

// ---- painting with the keyboard ----------------------------------------------------------------

test("arrow keys move the focus and paint nothing", () => {
  const mounted = board();
  cellAt(mounted, 1, 0).focus();
  const keys = ["ArrowRight", "ArrowRight", "ArrowUp", "ArrowRight"];
  for (const key of keys) pressKey(page.activeElement, key);
  assert.equal(page.activeElement, cellAt(mounted, 0, 3));
  pressKey(page.activeElement, "End");
  assert.equal(page.activeElement, cellAt(mounted, 0, 19));
  pressKey(page.activeElement, "ArrowRight");
  assert.equal(page.activeElement, cellAt(mounted, 0, 19), "the board ends there");
  pressKey(page.activeElement, "Home");
  pressKey(page.activeElement, "ArrowLeft");
  assert.equal(page.activeElement, cellAt(mounted, 0, 0));
  const stops = mounted.all("[role=gridcell]").filter((/** @type {any} */ cell) => cell.tabIndex === 0);
  assert.deepEqual(stops, [page.activeElement]);
  assert.deepEqual(mounted.asks, []);
});

test("Space and Enter switch the focused cell and say what it holds now", () => {
  const mounted = board();
  cellAt(mounted, 1, 0).focus();
  const event = pressKey(page.activeElement, " ");
  assert.ok(event.defaultPrevented, "the page must not scroll");
  assert.match(mounted.one(".status").textContent, /\b0\b.*alarm/);
  assert.equal(settle(mounted).detections, "11100000000100000000");
  pressKey(page.activeElement, "Enter");
  assert.equal(settle(mounted).detections, ALARMS);
});

test("keys act on the cell that has the focus, however it got it", () => {
  const mounted = board();
  drag(mounted, [16, 17], "truth");
  settle(mounted);
  cellAt(mounted, 1, 0).focus();
  pressKey(page.activeElement, " ");
  assert.equal(settle(mounted).detections, "11100000000100000000");
  const stops = mounted.all("[role=gridcell]").filter((/** @type {any} */ cell) => cell.tabIndex === 0);
  assert.deepEqual(stops, [cellAt(mounted, 1, 0)]);
});

test("Shift with an arrow key paints on: the first cell decides what", () => {
  const mounted = board();
  cellAt(mounted, 1, 0).focus();
  for (const key of ["End", "ArrowLeft"]) pressKey(page.activeElement, key);
  for (let step = 0; step < 3; step += 1) pressKey(page.activeElement, "ArrowLeft", { shiftKey: true });
  // From 18 back to 15.
  assert.equal(settle(mounted).detections, "01100000000100011110");
  assert.equal(page.activeElement, cellAt(mounted, 1, 15));
  // After a plain step the next stroke decides for itself. 16 is painted, so 16 and 17 are erased.
  pressKey(page.activeElement, "ArrowRight");
  pressKey(page.activeElement, "ArrowRight", { shiftKey: true });
  assert.equal(settle(mounted).detections, "01100000000100010010");
});

test("keys do nothing on a row that may not be painted", () => {
  const tailor = {
    paint: ["detections"], tools: [], sliders: [], numbers: true, formula: true, dim: [],
    spread: false, worth: false, waits: false,
  };
  const mounted = board({ tailor });
  cellAt(mounted, 1, 0).focus();
  pressKey(page.activeElement, "ArrowUp");
  assert.equal(page.activeElement, cellAt(mounted, 1, 0));
  fire(mounted.one(".canvas"), "pointerdown", at(3, "truth"));
  assert.deepEqual(mounted.asks, []);
  assert.ok(mounted.one(".toolbar").hidden);
});

// ---- undo, redo and the other tools ------------------------------------------------------------

test("undo takes a whole stroke back, redo brings it again", () => {
  const mounted = board();
  assert.ok(tool(mounted, "undo").disabled);
  drag(mounted, [15, 16, 17]);
  settle(mounted);
  drag(mounted, [19]);
  settle(mounted);
  tool(mounted, "undo").click();
  assert.equal(settle(mounted).detections, "01100000000100011100");
  tool(mounted, "undo").click();
  assert.equal(settle(mounted).detections, ALARMS);
  assert.ok(tool(mounted, "undo").disabled);
  tool(mounted, "redo").click();
  assert.equal(settle(mounted).detections, "01100000000100011100");
  assert.ok(!tool(mounted, "redo").disabled);
});

test("what two fingers paint can be undone", () => {
  const mounted = board();
  const canvas = mounted.one(".canvas");
  fire(canvas, "pointerdown", { ...at(16), pointerId: 1, pointerType: "touch" });
  fire(canvas, "pointerdown", { ...at(19), pointerId: 2, pointerType: "touch" });
  fire(canvas, "pointerup", { pointerId: 2 });
  fire(canvas, "pointerup", { pointerId: 1 });
  while (!tool(mounted, "undo").disabled) tool(mounted, "undo").click();
  assert.equal(shownAlarms(mounted), ALARMS);
});

test("Ctrl+Z undoes, Ctrl+Shift+Z and Ctrl+Y redo, but not while a number is typed", () => {
  const mounted = board();
  drag(mounted, [19]);
  settle(mounted);
  pressKey(mounted.one(".slider-number"), "z", { ctrlKey: true });
  assert.equal(shownAlarms(mounted), "01100000000100000001");
  pressKey(mounted.one(".stage"), "z", { ctrlKey: true });
  assert.equal(shownAlarms(mounted), ALARMS);
  pressKey(mounted.one(".stage"), "Z", { metaKey: true, shiftKey: true });
  assert.equal(shownAlarms(mounted), "01100000000100000001");
  pressKey(mounted.one(".stage"), "z", { ctrlKey: true });
  pressKey(mounted.one(".stage"), "y", { ctrlKey: true });
  assert.equal(shownAlarms(mounted), "01100000000100000001");
});

test("a new stroke after an undo takes redo away", () => {
  const mounted = board();
  drag(mounted, [19]);
  tool(mounted, "undo").click();
  assert.ok(!tool(mounted, "redo").disabled);
  drag(mounted, [18]);
  assert.ok(tool(mounted, "redo").disabled);
});

test("a board that comes back after a visit to another page can still be undone", () => {
  const mounted = board();
  drag(mounted, [19]);
  settle(mounted);
  const { data } = mounted;
  mounted.close?.();
  const again = board(data);
  assert.equal(shownAlarms(again), "01100000000100000001");
  tool(again, "undo").click();
  assert.equal(shownAlarms(again), ALARMS);
});

test("boards with another name have an undo of their own", () => {
  const mounted = board();
  drag(mounted, [19]);
  settle(mounted);
  mounted.receive({ ...boardData(), revision: 5, history: "lesson" });
  assert.ok(tool(mounted, "undo").disabled);
  assert.equal(shownAlarms(mounted), ALARMS);
});

test("a pattern that Python put on the board can be undone", () => {
  const mounted = board();
  mounted.receive({ ...boardData(), revision: 5, rows: { ...boardRows(), detections: "0".repeat(20) } });
  assert.equal(shownAlarms(mounted), "0".repeat(20));
  tool(mounted, "undo").click();
  assert.equal(shownAlarms(mounted), ALARMS);
});

test("alarms move one step, and come back over the edge", () => {
  const mounted = board();
  for (let step = 0; step < 2; step += 1) tool(mounted, "earlier").click();
  assert.equal(shownAlarms(mounted), "10000000010000000000");
  for (let step = 0; step < 3; step += 1) tool(mounted, "later").click();
  assert.equal(settle(mounted).detections, "00110000000010000000");
});

test("all alarms can be cleared in one stroke", () => {
  const mounted = board();
  tool(mounted, "clear").click();
  assert.equal(settle(mounted).detections, "0".repeat(20));
  tool(mounted, "undo").click();
  assert.equal(shownAlarms(mounted), ALARMS);
});

test("random alarms are asked for with their rate, each time from the next seed", () => {
  const mounted = board();
  mounted.one(".rate input").value = "12.5";
  tool(mounted, "random").click();
  assert.deepEqual(mounted.asked, { random: { rate: 12.5, seed: 1 }, final: true, revision: 4 });
  mounted.answer({ revision: 5 });
  tool(mounted, "random").click();
  assert.deepEqual(mounted.asked.random, { rate: 12.5, seed: 2 });
});

test("a rate that cannot be is refused in words and not sent", () => {
  for (const value of ["", "-1", "101", "x"]) {
    const mounted = board();
    mounted.one(".rate input").value = value;
    tool(mounted, "random").click();
    assert.deepEqual(mounted.asks, [], value);
    assert.match(mounted.one(".status").textContent, /0 to 100/);
  }
});

// ---- lessons -----------------------------------------------------------------------------------

test("while a question waits, no number and no credit can be read anywhere", () => {
  const tailor = {
    paint: ["detections"], tools: ["undo"], sliders: ["decay"], numbers: true, formula: true, dim: ["pw"],
    spread: true, worth: true, waits: true,
  };
  const mounted = board({ tailor });
  assert.equal(mounted.all("[data-f1], [data-gain], .formula-name").length, 0);
  assert.equal(mounted.all(".layer-padf .adjusted, .layer-pa .adjusted").length, 0);
  assert.equal(mounted.texts(".veil").join(""), "???", "a question mark in each of three lanes");
  assert.ok(!/0\.53/.test(mounted.root.textContent));
  fire(mounted.one(".canvas"), "pointermove", at(11));
  assert.equal(mounted.texts(".tip div").length, 1, "the tip tells what the cell is, not what it earned");
  assert.equal(mounted.one(".layer-pw").getAttribute("opacity"), "0.35");
  assert.ok(tool(mounted, "random").hidden);
  assert.ok(!tool(mounted, "undo").hidden);
  mounted.receive({ ...mounted.data, tailor: { ...tailor, waits: false } });
  assert.equal(mounted.one("[data-f1=padf]").textContent, "0.614");
  assert.equal(mounted.all(".veil").length, 0);
});

test("what adjustment fills spreads from the hit, unless motion is not wanted", () => {
  const tailor = {
    paint: [], tools: [], sliders: [], numbers: true, formula: false, dim: [],
    spread: true, worth: false, waits: false,
  };
  const delays = board({ tailor }).all(".layer-pa .adjusted")
    .map((/** @type {any} */ each) => each.style.animationDelay);
  // The hit is at 11; the point farthest from it, 5, is 6 away: 6 sixths of a second.
  assert.equal(delays.length, 10);
  assert.equal(delays[0], "1000ms");
  assert.equal(delays[6], "0ms");
  assert.equal(delays[9], "500ms");
  motion.isReduced = true;
  assert.equal(board({ tailor }).all(".layer-pa .spreading").length, 0);
});

test("a hint to paint is there until the first stroke", () => {
  const mounted = board({ hint: true });
  assert.equal(mounted.texts(".hint").length, 1);
  drag(mounted, [19]);
  assert.equal(mounted.texts(".hint").length, 0);
});
