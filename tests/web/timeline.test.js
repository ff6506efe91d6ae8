// @ts-check
import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";

import start from "../../padf_ui/web/timeline/timeline.js";
import { clock, enter, fire, Mounted, numbersOf, openTab, page, pressKey, rect } from "./fake_dom.js";
import { HOSTILE, timelineData } from "./samples.js";

beforeEach(openTab);

// A timeline of 1274 pixels: the cells begin at 124 and have room for 1000, so each of the hundred is
// 10 wide and holds ten points. Below a legend of 24 stand the signal (84 high), the score (104), truth,
// detections and lanes (28 each), 9 apart.
const Y = { value: 24, score: 117, truth: 230, detections: 267, pw: 304, padf: 341 };
const WAIT_MS = 180;

// The threshold's line: 3 pixels above the panel's floor at 221, then 98 for the whole range.
const LINE = [198.4, 178.8, 159.2, 139.6];

/**
 * @param {Record<string, any>} [changes] of the rows
 * @param {number} [width]
 */
function timeline(changes = {}, width = 1274) {
  const data = timelineData();
  return new Mounted(start, "timeline", { ...data, rows: { ...data.rows, ...changes } }, width);
}

/**
 * @param {Mounted} mounted
 * @param {string} name
 */
const tool = (mounted, name) => mounted.one(`[data-tool=${name}]`);

/**
 * Returns the window that is asked for once the hand rests.
 * @param {Mounted} mounted
 */
function windowAsked(mounted) {
  clock.pass(WAIT_MS);
  return mounted.asked?.window;
}

/**
 * Returns the runs of a kind in a lane, as first and last edge in cells.
 * @param {Mounted} mounted
 * @param {string} layer
 * @param {string} kind
 */
function runs(mounted, layer, kind) {
  return mounted.all(`.layer-${layer} path`)
    .filter((/** @type {any} */ path) => path.classList.contains(kind))
    .flatMap((/** @type {any} */ path) => [...path.getAttribute("d").matchAll(/M([\d.]+),[\d.]+h([\d.]+)/g)])
    .map((/** @type {string[]} */ [, x, width]) => [Number(x) / 10, (Number(x) + Number(width)) / 10]);
}

/** @param {Mounted} mounted */
const rangeOf = (mounted) => mounted.one("[data-slider=threshold] [type=range]");

// ---- what is drawn -----------------------------------------------------------------------------

test("signal and score stand above the lanes, with a band where the segment is", () => {
  const mounted = timeline();
  // The segment holds the cells 40 to 49.
  assert.deepEqual(mounted.all(".band").map(rect), [[400, Y.value, 100, 84], [400, Y.score, 100, 104]]);
  assert.deepEqual(mounted.all(".layer-truth .truth").map(rect), [[400, Y.truth, 100, 28]]);
  // The wave goes from 0 to 100 of 1000: 218 and 218 - 9.8, at the middles of cells.
  assert.match(mounted.one(".score-line").getAttribute("d"), /^M5\.0,218\.0L15\.0,208\.2L25\.0,218\.0/);
  assert.deepEqual(mounted.texts(".lane-parameter").slice(-2), ["highest", "lowest"]);
});

test("a line stops where values are missing and goes on behind", () => {
  const low = Array.from({ length: 100 }, () => 0);
  const high = [...low];
  low[2] = high[2] = -1;
  high[1] = 500;
  const path = timeline({ score: { low, high } }).one(".score-line").getAttribute("d");
  // Cell 1 goes from 500 down to 0; cell 2 has no value.
  assert.match(path, /^M5\.0,218\.0L15\.0,169\.0L15\.0,218\.0M35\.0,218\.0L45\.0/);
});

test("cells are flagged by the threshold in use, right ones and wrong ones", () => {
  const mounted = timeline();
  assert.deepEqual(runs(mounted, "detections", "hit"), [[42, 43], [45, 46]]);
  assert.deepEqual(runs(mounted, "detections", "false"), [[70, 71]]);
  assert.match(mounted.one(".lanes").getAttribute("aria-label"), /1 segment.*3 flagged/);
});

test("F1, credit and arrow are those of the threshold in use", () => {
  const mounted = timeline();
  assert.deepEqual(mounted.texts("[data-f1]"), ["0.300", "0.800"]);
  assert.match(mounted.one(".arrow-text").textContent, /^delay 20.*credit 0\.81$/);
  // From cell 40 to the middle of cell 42: 401 to 424. The arrows begin 2 below the lane.
  assert.equal(mounted.one(".arrow").getAttribute("d"), "M401,377H424");
  // Credit 0.81 of 28 is 22.68.
  const adjusted = mounted.all(".layer-padf path").find((/** @type {any} */ each) => each.classList.contains("adjusted"));
  assert.equal(adjusted.getAttribute("d"), "M400.00,346.32h100.00v22.68h-100.00z");
});

test("the segment has its box, unless there are too many of them", () => {
  // From 2 above the truth to 1 below PAdf: 341 + 28 - 230 + 3.
  assert.deepEqual(timeline().all(".segment-box").map(rect), [[399, 228, 102, 142]]);
  const segments = Array.from({ length: 61 }, (_, number) => ({ number, start: number, stop: number + 0.5 }));
  const found = segments.map(() => timelineData().rows.found[0]);
  const lanes = timelineData().rows.lanes.map((lane) => ({
    ...lane,
    over_threshold: { ...lane.over_threshold, credit: { ...lane.over_threshold.credit, columns: segments.map(() => 0) } },
  }));
  const many = timeline({ segments, found, lanes });
  assert.equal(many.all(".segment-box").length, 0);
  assert.equal(many.all(".arrow").length, 0);
});

test("ignored rows are covered from the signal to the axis", () => {
  const mounted = timeline({ left_out: [[10, 20]], labelled: [[30, 35]] });
  // The axis stands at 341 + 28 + 2 + 40 = 411.
  assert.deepEqual(mounted.all(".left-out").map(rect), [[100, 24, 100, 387]]);
  assert.deepEqual(mounted.all(".labelled").map(rect), [[300, Y.truth, 50, 28]]);
  assert.equal(mounted.all(".left-out title").length, 1);
});

test("names that look like markup are texts", () => {
  const lanes = timelineData().rows.lanes.map((lane) => ({ ...lane, name: HOSTILE }));
  const mounted = timeline({
    lanes, value_name: HOSTILE, shown: HOSTILE, axis: HOSTILE,
    ticks: [{ at: 50, name: HOSTILE }], value: { ...timelineData().rows.value, names: [HOSTILE, HOSTILE] },
  });
  assert.equal(mounted.one(".stretch").textContent, HOSTILE);
  assert.ok(mounted.texts(".lane-parameter").includes(HOSTILE));
  assert.equal(mounted.all("img").length, 0);
});

test("without a signal there is no panel for it", () => {
  const mounted = timeline({ value: null });
  assert.equal(mounted.all(".panel").length, 1);
  assert.equal(mounted.one(".value-line").getAttribute("d"), "");
});

test("the strip shows the whole series: its segments, its alarms and what is in view", () => {
  const mounted = timeline({ first: 250, last: 500 });
  const strip = mounted.one(".strip");
  assert.deepEqual(strip.querySelectorAll(".truth").map(rect), [[524, 2, 100, 15]]);
  assert.equal(
    strip.querySelector("path.hit").getAttribute("d"),
    "M544.00,18.00h10.00v10.00h-10.00zM574.00,18.00h10.00v10.00h-10.00zM824.00,18.00h10.00v10.00h-10.00z",
  );
  // A quarter of 1000 pixels, from a quarter on.
  assert.deepEqual(numbersOf(strip.querySelector(".handle"), "x", "width"), [374, 250]);
});

// ---- the threshold -----------------------------------------------------------------------------

test("a threshold that moves looks everything up and asks only when it is let go", () => {
  const mounted = timeline();
  const range = rangeOf(mounted);
  range.value = "2";
  fire(range, "input");
  assert.deepEqual(runs(mounted, "detections", "hit"), [[45, 46]]);
  assert.deepEqual(runs(mounted, "detections", "false"), [[70, 71]]);
  assert.deepEqual(mounted.texts("[data-f1]"), ["0.180", "0.600"]);
  assert.match(mounted.one(".arrow-text").textContent, /delay 50.*0\.59/);
  assert.ok(mounted.one(".threshold-text").textContent.endsWith("0.6"));
  range.value = "3";
  fire(range, "input");
  assert.deepEqual(runs(mounted, "detections", "hit"), []);
  assert.match(mounted.one(".arrow-text").textContent, /missed/);
  assert.equal(mounted.all(".arrow").length, 0);
  range.value = "0";
  fire(range, "input");
  assert.deepEqual(runs(mounted, "detections", "false"), [[10, 11], [70, 71]]);
  assert.deepEqual(mounted.asks, []);
  fire(range, "change");
  assert.deepEqual(mounted.asked, { settings: { threshold: 0.2 } });
});

test("the threshold's line can be dragged in the score's panel", () => {
  const mounted = timeline();
  const stage = mounted.one(".stage");
  assert.equal(mounted.one(".threshold-line").getAttribute("d"), `M124,${LINE[1]}h1000`);
  fire(stage, "pointerdown", { clientX: 500, clientY: LINE[1] + 5 });
  fire(stage, "pointermove", { clientX: 500, clientY: LINE[3] + 4 });
  assert.equal(mounted.one(".threshold-line").getAttribute("d"), `M124,${LINE[3]}h1000`);
  assert.deepEqual(mounted.texts("[data-f1]"), ["0.000", "0.000"]);
  assert.deepEqual(mounted.asks, []);
  fire(stage, "pointerup");
  assert.deepEqual(mounted.asked, { settings: { threshold: 0.8 } });
});

test("a line that is dragged and brought back asks nothing", () => {
  const mounted = timeline();
  const stage = mounted.one(".stage");
  fire(stage, "pointerdown", { clientX: 500, clientY: LINE[1] });
  fire(stage, "pointermove", { clientX: 500, clientY: LINE[3] });
  fire(stage, "pointermove", { clientX: 500, clientY: LINE[1] });
  fire(stage, "pointerup");
  assert.deepEqual(mounted.asks, []);
});

test("a touch that becomes a scroll leaves the threshold where it was", () => {
  const mounted = timeline();
  const stage = mounted.one(".stage");
  fire(stage, "pointerdown", { clientX: 500, clientY: LINE[1] + 12, pointerType: "touch" });
  fire(stage, "pointermove", { clientX: 500, clientY: LINE[3], pointerType: "touch" });
  fire(stage, "pointercancel");
  assert.equal(rangeOf(mounted).value, "1");
  assert.equal(windowAsked(mounted), undefined);
  assert.deepEqual(mounted.asks, []);
});

test("a threshold that is typed is asked for as it is, between steps too", () => {
  const mounted = timeline();
  enter(mounted.one("[data-slider=threshold] .slider-number"), "0.55");
  assert.deepEqual(mounted.asked, { settings: { threshold: 0.55 } });
});

test("a lane's own slider shows its own rows, at the threshold in use", () => {
  const mounted = timeline();
  const range = mounted.one("[data-slider=decay] [type=range]");
  range.value = "2";
  fire(range, "input");
  assert.deepEqual(mounted.texts("[data-f1]"), ["0.300", "0.950"]);
  assert.match(mounted.one(".arrow-text").textContent, /0\.98/);
  fire(range, "change");
  assert.deepEqual(mounted.asked, { settings: { decay: 0.99 } });
});

test("without a choice of threshold there is no line and no lane to choose", () => {
  const data = timelineData();
  const mounted = new Mounted(start, "timeline", { ...data, sliders: [data.sliders[1]] });
  assert.equal(mounted.one(".threshold").getAttribute("visibility"), "hidden");
  assert.equal(mounted.all(".pick").length, 0);
  fire(mounted.one(".stage"), "pointerdown", { clientX: 500, clientY: LINE[1] });
  fire(mounted.one(".stage"), "pointermove", { clientX: 400, clientY: LINE[1] });
  assert.deepEqual(windowAsked(mounted), { first: 0, last: 1000 }, "a drag there pans");
});

test("choosing a lane puts its curve on the threshold's slider, and a tab remembers it", () => {
  const curve = (/** @type {Mounted} */ mounted) => mounted.one("[data-slider=threshold] .slider-key").textContent;
  const mounted = timeline();
  assert.match(curve(mounted), /PAdf/);
  fire(mounted.one("[data-lane=pw]"), "click");
  assert.match(curve(mounted), /Point-wise/);
  assert.match(curve(timeline()), /Point-wise/);
  assert.deepEqual(mounted.asks, []);
});

// ---- moving through the series -----------------------------------------------------------------

test("zooming in halves the view around its middle, zooming out doubles it", () => {
  const mounted = timeline({ first: 400, last: 600 });
  tool(mounted, "in").click();
  // The view moves at once, by stretching the drawing: twice as wide, and half its width to the left.
  assert.equal(mounted.all("[clip-path] g")[0].getAttribute("transform"), "translate(-376,0) scale(2,1) translate(-124,0)");
  assert.deepEqual(mounted.asks, [], "Python is asked once the hand rests");
  assert.deepEqual(windowAsked(mounted), { first: 450, last: 550 });
  tool(mounted, "out").click();
  mounted.answer();
  assert.deepEqual(windowAsked(mounted), { first: 400, last: 600 });
});

test("several moves in a row are one ask", () => {
  const mounted = timeline({ first: 400, last: 600 });
  for (let time = 0; time < 3; time += 1) {
    tool(mounted, "later").click();
    clock.pass(100);
  }
  clock.pass(WAIT_MS);
  // Three times half of 200.
  assert.deepEqual(mounted.asks.map(({ window }) => window), [{ first: 700, last: 900 }]);
});

test("a view stays inside the series and shows five points at least", () => {
  const mounted = timeline({ first: 900, last: 1000 });
  tool(mounted, "later").click();
  assert.deepEqual(windowAsked(mounted), { first: 900, last: 1000 });
  const near = timeline({ first: 500, last: 506 });
  for (let time = 0; time < 4; time += 1) tool(near, "in").click();
  const { first, last } = windowAsked(near);
  assert.equal(last - first, 5);
});

test("a drag pans by as many points as pixels say", () => {
  const mounted = timeline({ first: 400, last: 600 });
  const stage = mounted.one(".stage");
  fire(stage, "pointerdown", { clientX: 600, clientY: Y.pw });
  fire(stage, "pointermove", { clientX: 602, clientY: Y.pw });
  assert.equal(mounted.root.dataset.stale, "false", "a hand that trembles moves nothing");
  fire(stage, "pointermove", { clientX: 850, clientY: Y.pw });
  fire(stage, "pointerup");
  // 250 of 1000 pixels are a quarter of 200 points, to the left.
  assert.deepEqual(windowAsked(mounted), { first: 350, last: 550 });
  assert.equal(page.activeElement, stage, "the keys work there then");
});

test("a pan that is cancelled goes back", () => {
  const mounted = timeline({ first: 400, last: 600 });
  const stage = mounted.one(".stage");
  fire(stage, "pointerdown", { clientX: 600, clientY: Y.pw });
  fire(stage, "pointermove", { clientX: 850, clientY: Y.pw });
  fire(stage, "pointercancel");
  assert.deepEqual(windowAsked(mounted), { first: 400, last: 600 });
});

test("the wheel zooms only with Ctrl, and around the pointer", () => {
  const mounted = timeline({ first: 400, last: 600 });
  const stage = mounted.one(".stage");
  assert.ok(!fire(stage, "wheel", { deltaY: -1, ctrlKey: false, clientX: 124 }).defaultPrevented);
  assert.equal(windowAsked(mounted), undefined);
  assert.ok(fire(stage, "wheel", { deltaY: -1, ctrlKey: true, clientX: 124 }).defaultPrevented);
  // 0.8 of 200 points; the left edge stays.
  assert.deepEqual(windowAsked(mounted), { first: 400, last: 560 });
});

test("a double click zooms in where it is", () => {
  const mounted = timeline({ first: 400, last: 600 });
  // At the right edge: the last 100 points of the view.
  fire(mounted.one(".stage"), "dblclick", { clientX: 1124, clientY: Y.pw });
  assert.deepEqual(windowAsked(mounted), { first: 500, last: 600 });
});

test("keys pan, zoom and show everything", () => {
  /** @type {[string, {first: number, last: number}][]} */
  const keys = [
    ["ArrowRight", { first: 450, last: 650 }],
    ["ArrowLeft", { first: 350, last: 550 }],
    ["+", { first: 450, last: 550 }],
    ["-", { first: 300, last: 700 }],
    ["Home", { first: 0, last: 1000 }],
  ];
  for (const [key, view] of keys) {
    const mounted = timeline({ first: 400, last: 600 });
    assert.ok(pressKey(mounted.one(".stage"), key).defaultPrevented);
    assert.deepEqual(windowAsked(mounted), view, key);
  }
  const mounted = timeline();
  pressKey(mounted.one(".stage"), "ArrowRight", { altKey: true });
  pressKey(mounted.one("[data-lane=pw]"), "ArrowRight");
  assert.equal(windowAsked(mounted), undefined, "only the stage itself takes keys");
});

test("a stretch is chosen on the strip, in either direction", () => {
  for (const [from, to] of [[324, 524], [524, 324]]) {
    const mounted = timeline();
    const strip = mounted.one(".strip");
    fire(strip, "pointerdown", { clientX: from });
    fire(strip, "pointermove", { clientX: to });
    assert.deepEqual(numbersOf(mounted.one(".handle"), "x", "width"), [324, 200]);
    fire(strip, "pointerup");
    // (324 - 124) / 1000 and (524 - 124) / 1000 of 1000 points.
    assert.deepEqual(windowAsked(mounted), { first: 200, last: 400 });
  }
});

test("a click on the strip moves the view there and keeps its length", () => {
  const mounted = timeline({ first: 400, last: 600 });
  fire(mounted.one(".strip"), "pointerdown", { clientX: 824 });
  fire(mounted.one(".strip"), "pointerup");
  assert.deepEqual(windowAsked(mounted), { first: 600, last: 800 });
});

test("the right button does not move the view", () => {
  const mounted = timeline({ first: 400, last: 600 });
  fire(mounted.one(".strip"), "pointerdown", { clientX: 824, button: 2 });
  fire(mounted.one(".strip"), "pointerup", { button: 2 });
  assert.equal(windowAsked(mounted), undefined);
});

test("a brush over the strip that is cancelled chooses nothing", () => {
  const mounted = timeline({ first: 400, last: 600 });
  fire(mounted.one(".strip"), "pointerdown", { clientX: 124 });
  fire(mounted.one(".strip"), "pointermove", { clientX: 300 });
  fire(mounted.one(".strip"), "pointercancel");
  assert.deepEqual(numbersOf(mounted.one(".handle"), "x", "width"), [524, 200]);
  fire(mounted.one(".strip"), "pointerup");
  assert.equal(windowAsked(mounted), undefined);
});

test("the next segment is where Python says, one ask after the other", () => {
  const mounted = timeline();
  for (let time = 0; time < 3; time += 1) tool(mounted, "next").click();
  assert.deepEqual(mounted.asks.map(({ window }) => window), [{ first: 350, last: 550 }]);
  assert.equal(mounted.root.dataset.stale, "true");
  const next = { first: 700, last: 900 };
  mounted.answer({ rows: { ...mounted.data.rows, first: 350, last: 550, next } });
  assert.deepEqual(mounted.asked.window, next);
  const last = { first: 20, last: 120 };
  mounted.answer({ rows: { ...mounted.data.rows, ...next, next: last } });
  assert.deepEqual(mounted.asked.window, last);
  mounted.answer({ rows: { ...mounted.data.rows, ...last } });
  assert.equal(mounted.asks.length, 3);
  assert.equal(mounted.root.dataset.stale, "false");
});

test("an answer does not pull the view back while the hand is ahead of it", () => {
  const mounted = timeline({ first: 400, last: 600 });
  tool(mounted, "later").click();
  clock.pass(WAIT_MS);
  tool(mounted, "later").click();
  mounted.answer({ rows: { ...mounted.data.rows, first: 500, last: 700 } });
  assert.deepEqual(windowAsked(mounted), { first: 600, last: 800 });
});

test("what was chosen elsewhere voids moves that were not asked yet", () => {
  const mounted = timeline({ first: 400, last: 600 });
  tool(mounted, "later").click();
  mounted.receive({ ...mounted.data, revision: 1, rows: { ...mounted.data.rows, first: 0, last: 100 } });
  assert.equal(windowAsked(mounted), undefined);
  assert.deepEqual(numbersOf(mounted.one(".handle"), "x", "width"), [124, 100]);
});
