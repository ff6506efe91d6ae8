// @ts-check
import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";

import {
  chosenLane, drawLabels, drawLegend, drawTicks, Picks,
} from "../../padf_ui/web/lanes/labels.js";
import {
  addHatches, drawArrows, drawLane, drawSegmentBoxes, drawSeparators, drawVeil, drawWorth, keepLayers,
  outline, PathLane,
} from "../../padf_ui/web/lanes/lanes.js";
import { layOutStage } from "../../padf_ui/web/lanes/layout.js";
import { cellsOfPattern, detectionPieces, protocolPieces } from "../../padf_ui/web/lanes/pieces.js";
import { fire, numbersOf, openTab, page, rect } from "./fake_dom.js";
import { ALARMS, boardRows, bySegment, HOSTILE, LABELS } from "./samples.js";

const LANE = { top: 100, y: 100, h: 40, arrows: null };

beforeEach(openTab);

/** @returns {any} */
function group() {
  const made = page.createElementNS("", "g");
  page.body.append(made);
  return made;
}

/**
 * @param {any} parent
 * @param {string} kind
 * @returns {number[][]}
 */
const rects = (parent, kind) => parent.querySelectorAll(`rect.${kind}`).map(rect);

/** @param {number} hundredths */
function drawn(hundredths) {
  const made = group();
  const cells = cellsOfPattern(LABELS, ALARMS);
  const pieces = protocolPieces(cells, boardRows().segments, bySegment([hundredths]), 0);
  drawLane(made, pieces, LANE, 10, 20, "one");
  return made;
}

test("the height of a lane's cells is their credit", () => {
  const lane = drawn(53);
  // Credit 0.53 of a height of 40 is 21.2, so it begins at 100 + 40 - 21.2 = 118.8.
  assert.deepEqual(rects(lane, "adjusted"), [[50, 118.8, 100, 21.2]]);
  assert.deepEqual(rects(lane, "hit"), [[110, 118.8, 10, 21.2]]);
  // The missed credit lies above: 0.47 of 40 is 18.8, as one outline for each of the ten cells. Its
  // line is 1.25 wide and lies inside, half a pixel from the edge: 50 + 0.625 + 0.5.
  const missed = rects(lane, "missed");
  assert.equal(missed.length, 10);
  assert.deepEqual(missed[0], [51.125, 100.625, 7.75, 17.55]);
  assert.equal(missed[9][0], 141.125);
});

test("full credit leaves nothing missed, no credit leaves nothing filled", () => {
  assert.deepEqual(rects(drawn(100), "adjusted"), [[50, 100, 100, 40]]);
  assert.deepEqual(rects(drawn(100), "missed"), []);
  assert.deepEqual(rects(drawn(0), "adjusted"), []);
  assert.deepEqual(rects(drawn(0), "hit"), []);
  assert.equal(rects(drawn(0), "missed").length, 10);
});

test("without adjustment only the detected points are filled, to the full height", () => {
  const lane = drawn(-1);
  assert.deepEqual(rects(lane, "hit"), [[110, 100, 10, 40]]);
  assert.deepEqual(rects(lane, "adjusted"), []);
});

test("false alarms are marked in every lane, with a hatch besides their colour", () => {
  const lane = drawn(53);
  // The points 1 and 2 are one run: from 10 to 30.
  assert.deepEqual(rects(lane, "false"), [[10, 100, 20, 40]]);
  assert.equal(lane.querySelector(".false").getAttribute("fill"), "url(#one-false)");
  assert.equal(lane.querySelector(".adjusted").getAttribute("fill"), "url(#one-adjusted)");
  assert.equal(lane.querySelector(".hit").getAttribute("fill"), null);
});

test("the hatches that false alarms and adjusted cells refer to exist", () => {
  const svg = group();
  addHatches(svg, "one");
  const ids = svg.querySelectorAll("pattern").map((/** @type {any} */ each) => each.id);
  assert.deepEqual(ids, ["one-adjusted", "one-false"]);
});

test("a lane that is drawn again replaces the one before", () => {
  const lane = drawn(53);
  drawLane(lane, [], LANE, 10, 20, "one");
  assert.equal(lane.children.length, 1);
  assert.deepEqual(rects(lane, "normal"), [[0, 100, 200, 40]]);
});

test("cells that spread wait for their turn", () => {
  const lane = group();
  const piece = { kind: /** @type {"adjusted"} */ ("adjusted"), from: 1, to: 2, base: 0, height: 1 };
  drawLane(lane, [{ ...piece, wait: 0.25 }, piece], LANE, 10, 20, "one");
  const [waiting, ready] = lane.querySelectorAll(".adjusted");
  // A quarter of 1000 ms.
  assert.equal(waiting.style.animationDelay, "250ms");
  assert.ok(waiting.classList.contains("spreading"));
  assert.ok(!ready.classList.contains("spreading"));
});

test("a dashed box stands around each segment: one through all lanes, or one in each", () => {
  const made = group();
  const below = { top: 160, y: 160, h: 40, arrows: null };
  const segments = [{ start: 5, stop: 15 }, { start: 18, stop: 19 }];
  drawSegmentBoxes(made, segments, [LANE, below], 10, true);
  // A pixel outside the cells, from 2 above the first lane to 1 below the last: 200 - 100 + 3.
  assert.deepEqual(rects(made, "segment-box"), [[49, 98, 102, 103], [179, 98, 12, 103]]);
  drawSegmentBoxes(made, segments.slice(0, 1), [LANE, below], 10, false);
  assert.deepEqual(rects(made, "segment-box"), [[49, 98, 102, 43], [49, 158, 102, 43]]);
});

test("an arrow leads from the onset to the first hit and says delay and credit", () => {
  const made = group();
  drawArrows(made, [{ start: 5, delay: 6, late: "delay 6", worth: "0.53" }], 200, 50, 1000);
  // From the edge of point 5 to the middle of point 11: 5 * 50 + 1 to 11.5 * 50 - 1.
  assert.equal(made.querySelector(".arrow").getAttribute("d"), "M251,206H574");
  assert.match(made.querySelector(".arrow-text").textContent, /^delay 6.*credit 0\.53$/);
  assert.deepEqual(numbersOf(made.querySelector(".arrow-text"), "x", "y"), [250, 221]);
});

test("a hit with no delay and a miss have no arrow, but a text", () => {
  const made = group();
  const arrows = [
    { start: 1, delay: 0, late: "no delay", worth: "1.00" },
    { start: 9, delay: -1, late: "", worth: "" },
  ];
  drawArrows(made, arrows, 200, 50, 1000);
  assert.equal(made.querySelectorAll(".arrow").length, 0);
  const texts = made.querySelectorAll(".arrow-text").map((/** @type {any} */ each) => each.textContent);
  assert.equal(texts.length, 2);
  assert.match(texts[0], /no delay.*1\.00/);
  assert.match(texts[1], /missed/);
});

test("a question mark hides what each segment earns", () => {
  const made = group();
  drawVeil(made, [{ start: 5, stop: 15 }, { start: 18, stop: 20 }], LANE, 10);
  assert.deepEqual(
    made.querySelectorAll(".veil").map((/** @type {any} */ each) => [each.textContent, ...numbersOf(each, "x", "y")]),
    [["?", 100, 126], ["?", 190, 126]],
  );
});

test("the curve of worth begins at the onset and has a dot at the delay", () => {
  const made = group();
  drawWorth(made, [{ start: 2, stop: 5, delay: 1 }], [100, 50, 25, 12], LANE, 10, "#abcdef");
  // The middle of the points 2, 3 and 4; heights of 40, 20 and 10 above the floor at 140. The segment
  // ends before a delay of 3.
  assert.equal(made.querySelector(".worth-line").getAttribute("d"), "M25.0,100.0L35.0,120.0L45.0,130.0");
  assert.deepEqual(numbersOf(made.querySelector(".worth-dot"), "cx", "cy"), [35, 120]);
  assert.equal(made.querySelector(".worth-dot").style.fill, "#abcdef");
});

test("a missed segment has no dot on its curve of worth", () => {
  const made = group();
  drawWorth(made, [{ start: 2, stop: 5, delay: -1 }], [100, 50, 25], LANE, 10, "");
  assert.equal(made.querySelectorAll(".worth-line").length, 1);
  assert.equal(made.querySelectorAll(".worth-dot").length, 0);
});

test("cells are separated where they are wide enough to be told apart", () => {
  const made = group();
  drawSeparators(made, [LANE], 3, 4);
  assert.equal(made.querySelector(".separator").getAttribute("d"), "M0,100v40M4,100v40M8,100v40M12,100v40");
  drawSeparators(made, [LANE], 3, 3.9);
  assert.equal(made.children.length, 0);
});

test("ticks stand where their points are, and their names below", () => {
  const made = group();
  drawTicks(made, [{ at: 0.5, name: "0" }, { at: 10.5, name: "ten" }], 300, 10, 200);
  const ticks = made.querySelectorAll(".tick").map((/** @type {any} */ each) => each.getAttribute("d"));
  assert.deepEqual(ticks, ["M5,300v4", "M105,300v4"]);
  const names = made.querySelectorAll(".tick-text");
  assert.deepEqual(names.map((/** @type {any} */ each) => each.textContent), ["0", "ten"]);
  assert.deepEqual(numbersOf(names[1], "x", "y"), [105, 316]);
});

test("the legend shows each kind of mark as the lanes draw it", () => {
  const made = group();
  drawLegend(made, 0, 2000, "one");
  const kinds = made.querySelectorAll("rect").map((/** @type {any} */ each) => each.getAttribute("class"));
  assert.deepEqual(kinds, ["truth", "hit", "adjusted", "missed", "false", "normal"]);
  assert.equal(made.querySelectorAll(".legend-text").length, 6);
  assert.equal(made.querySelector(".false").getAttribute("fill"), "url(#one-false)");
});

test("F1 and gain stand at the lane's end, the name at its beginning", () => {
  const made = group();
  const box = layOutStage([{ key: "padf", arrows: true }], 1274, "board");
  const label = { key: "padf", name: "PAdf", parameter: "d = 0.9", score: "0.614", gain: "+0.460" };
  drawLabels(made, box, [label, { key: "truth", name: "Truth" }], "padf", "time");
  const score = made.querySelector("[data-f1=padf]");
  assert.equal(score.textContent, "0.614");
  // The cells end at 124 + 1000.
  assert.equal(Number(score.getAttribute("x")), 1138);
  assert.equal(made.querySelector("[data-gain=padf]").textContent, "+0.460");
  assert.equal(made.querySelector(".lane-name").textContent, "PAdf");
  assert.equal(Number(made.querySelector(".lane-name").getAttribute("x")), 110);
  // One lane is marked: PAdf, the third, at 24 + 2 * 53 - 1.5.
  assert.deepEqual(made.querySelectorAll(".chosen").map((/** @type {any} */ each) => rect(each)[1]), [128.5]);
});

test("a lane that is not chosen is not marked, one that does not matter is dimmed", () => {
  const made = group();
  const box = layOutStage([{ key: "pa", arrows: false }], 1274, "board");
  drawLabels(made, box, [{ key: "pa", name: "PA", score: "0.909", isDim: true }], null, "time");
  assert.equal(made.querySelectorAll(".chosen").length, 0);
  assert.equal(made.querySelector(".lane-name").parentElement.getAttribute("opacity"), "0.35");
});

test("on a phone the parameter stands behind the name, and the score on the same line", () => {
  const made = group();
  const box = layOutStage([{ key: "padf", arrows: true }], 348, "board");
  const label = { key: "padf", name: "PAdf", parameter: "d = 0.9", score: "0.614", gain: "+0.460" };
  drawLabels(made, box, [label], null, "time");
  assert.equal(made.querySelector(".lane-name").textContent, "PAdf (d = 0.9)");
  // 348 - 5 - 54.
  assert.equal(Number(made.querySelector("[data-f1=padf]").getAttribute("x")), 289);
});

test("a name that looks like markup is shown as it is and creates no element", () => {
  const made = group();
  const box = layOutStage([{ key: "x", arrows: false }], 348, "board");
  drawLabels(made, box, [{ key: "x", name: HOSTILE }], null, HOSTILE);
  drawTicks(made, [{ at: 20, name: HOSTILE }], 300, 10, 1000);
  assert.equal(made.querySelectorAll("img").length, 0);
  assert.equal(made.querySelector(".tick-text").textContent, HOSTILE);
  drawLabels(made, box, [{ key: "x", name: HOSTILE }], null, "");
  assert.equal(made.querySelector(".lane-name").textContent, HOSTILE);
});

test("each lane has a button over its name that chooses it", () => {
  /** @type {string[]} */
  const picked = [];
  const parent = group();
  const picks = new Picks(parent, (key) => picked.push(key));
  const box = layOutStage([{ key: "pa", arrows: false }, { key: "padf", arrows: true }], 1274, "board");
  const lanes = [{ key: "pa", label: "PA 0.909" }, { key: "padf", label: "PAdf 0.614" }];
  picks.draw(box, lanes, "padf");
  const buttons = parent.querySelectorAll("button");
  assert.deepEqual(
    buttons.map((/** @type {any} */ each) => [each.getAttribute("aria-label"), each.getAttribute("aria-pressed")]),
    [["PA 0.909", "false"], ["PAdf 0.614", "true"]],
  );
  assert.equal(buttons[1].style.top, `${box.lanes.padf.top}px`);
  fire(buttons[0], "click");
  assert.deepEqual(picked, ["pa"]);
  picks.draw(box, lanes, "pa");
  assert.equal(parent.querySelectorAll("button")[0], buttons[0], "a button that has the focus stays");
});

test("layers are kept while their keys are the same", () => {
  const made = group();
  assert.equal(keepLayers(made, ["a", "b"]), true);
  const [first] = made.children;
  assert.equal(keepLayers(made, ["a", "b"]), false);
  assert.equal(made.children[0], first);
  assert.equal(keepLayers(made, ["b"]), true);
  assert.deepEqual(made.children.map((/** @type {any} */ each) => each.className), ["layer-b"]);
});

test("the chosen lane is the wanted one, else the one with arrows, else the last", () => {
  const lanes = [{ key: "a", arrows: false }, { key: "b", arrows: true }, { key: "c", arrows: false }];
  assert.equal(chosenLane(lanes, "a").key, "a");
  assert.equal(chosenLane(lanes, "gone").key, "b");
  assert.equal(chosenLane(lanes.filter(({ arrows }) => !arrows), null).key, "c");
});

test("a lane of many pieces is one path for each kind", () => {
  const made = group();
  const lane = new PathLane(made, "one");
  const pieces = detectionPieces(cellsOfPattern("0011", "1010"));
  lane.draw(pieces, LANE, 10, 40);
  const paths = () => Object.fromEntries(
    made.querySelectorAll("path").map((/** @type {any} */ each) => [each.getAttribute("class"), each.getAttribute("d")]),
  );
  assert.equal(paths().false, "M0.00,100.00h10.00v40.00h-10.00z");
  assert.equal(paths().hit, "M20.00,100.00h10.00v40.00h-10.00z");
  assert.equal(paths()["missed thin"], "");
  // A hatch cannot be seen on a cell of less than 5 pixels: such a false alarm is plain.
  lane.draw(pieces, LANE, 4, 16);
  assert.equal(paths().false, "");
  assert.equal(paths()["false-fill"], "M0.00,100.00h4.00v40.00h-4.00z");
});

test("a cell that is narrower than a pixel can still be seen", () => {
  assert.equal(outline({ x: 1, y: 2, width: 0.1, height: 10 }, 0), "M1.00,2.00h0.50v10.00h-0.50z");
});
