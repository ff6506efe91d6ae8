// @ts-check
import assert from "node:assert/strict";
import test from "node:test";

import { placeTip } from "../../padf_ui/web/core/tip.js";
import {
  boardCell, columnsOf, isLow, isWide, layOutMini, layOutStage, rectOf,
} from "../../padf_ui/web/lanes/layout.js";
import {
  asideBase, asideLines, boardTicks, clockTicks, lineOf, parameterLines, placeArrowTexts, placeHint, placeLegend,
  placeNames, placeTickNames,
} from "../../padf_ui/web/lanes/text_places.js";
import { clampView } from "../../padf_ui/web/timeline/timeline.js";

/**
 * @param {number} count
 * @param {number} [withArrows]
 */
function lanes(count, withArrows = count - 1) {
  return Array.from({ length: count }, (_, index) => ({
    key: `lane${index}`,
    arrows: index === withArrows,
  }));
}

test("a stage is wide from 700 pixels on", () => {
  assert.deepEqual([699, 700].map(isWide), [false, true]);
});

test("a wide board has names at the left, scores at the right and lanes of 42 between", () => {
  const box = layOutStage(lanes(4), 1274, "board");
  // 1274 - 124 - 150 = 1000; one row of legend: 18 + 6 = 24; each lane 42 + 11.
  assert.deepEqual([box.wide, box.left, box.room], [true, 124, 1000]);
  assert.deepEqual(box.lanes.truth, { top: 24, y: 24, h: 42, arrows: null });
  assert.equal(box.lanes.detections.y, 77);
  // The last of six: 24 + 5 * 53 = 289; its arrows 2 below it, at 289 + 42 + 2.
  assert.deepEqual(box.lanes.lane3, { top: 289, y: 289, h: 42, arrows: 333 });
  assert.deepEqual([box.axis, box.bottom], [373, 395]);
});

test("seven lanes are lower, so that the board stays about as high", () => {
  const box = layOutStage(lanes(7), 1274, "board");
  assert.equal(box.lanes.truth.h, 28);
  // 24 + 8 * 36 + 28 = 340, arrows 2 + 40, axis 22.
  assert.equal(box.bottom, 404);
});

test("arrows stand under their lane, wherever it is, and the next lane behind them", () => {
  const box = layOutStage(lanes(4, 1), 1274, "board");
  // lane1 is the fourth of all: 24 + 3 * 53 = 183, ends at 225.
  assert.equal(box.lanes.lane1.arrows, 227);
  assert.equal(box.lanes.lane2.y, 267);
  // lane3 ends at 267 + 53 + 42 = 362; the axis follows 4 below.
  assert.equal(box.axis, 366);
});

test("a narrow board begins with the truth and has names above its lanes", () => {
  const box = layOutStage(lanes(4), 348, "board");
  assert.deepEqual([box.left, box.room], [0, 348]);
  assert.deepEqual(box.lanes.truth, { top: 0, y: 21, h: 30, arrows: null });
  assert.equal(box.lanes.detections.top, 21 + 30 + 9);
});

test("on a narrow board a head stands above the first score, and the legend below everything", () => {
  const box = layOutStage(lanes(4), 348, "board");
  // Two lanes of 21 + 30 + 9, then 13 for the head.
  assert.equal(box.lanes.lane0.top, 2 * 60 + 13);
  // The last ends at 133 + 3 * 60 + 51 = 364; arrows 2 + 40, axis 22, then 6 above the legend of 36.
  assert.deepEqual([box.axis, box.legend, box.bottom], [406, 434, 470]);
});

test("a narrow timeline begins with its panels, too, and ends with the legend", () => {
  const box = layOutStage(lanes(4), 348, "signal");
  assert.equal(box.lanes.value.top, 0);
  assert.equal(box.legend, box.axis + 22 + 6);
  assert.equal(box.bottom, box.legend + 36);
});

test("on a low screen lanes are lower: four with arrows and axis take 332", () => {
  assert.deepEqual([719, 720].map(isLow), [true, false]);
  const box = layOutStage(lanes(4), 1200, "board", { screen: 640 });
  assert.equal(box.lanes.truth.h, 34);
  // 24 + 5 * 42 + 34 = 268, arrows 42, axis 22. Toolbar and sliders above it take 118, the page 130.
  assert.equal(box.bottom, 332);
  assert.ok(130 + 118 + box.bottom < 640);
  assert.ok(layOutStage(lanes(7), 1200, "board", { screen: 640 }).bottom < 350);
});

test("a panel below the axis has room for its head", () => {
  const box = layOutStage(lanes(4), 1274, "board", { shifts: 23 });
  // The axis ends at 395 as without it.
  assert.deepEqual(box.shifts, { top: 395, y: 418, h: 92, arrows: null });
  assert.equal(box.bottom, 518);
  assert.equal(layOutStage(lanes(4), 1274, "board").shifts, null);
});

test("cells begin behind the names and end before the scores, where there is room for both", () => {
  assert.deepEqual(columnsOf(1274), { wide: true, left: 124, room: 1000 });
  assert.deepEqual(columnsOf(348), { wide: false, left: 0, room: 348 });
});

const LONG = "press and drag to paint";

test("the hint stands in free cells right before the first segment", () => {
  //           0         10        20
  const labels = `${"0".repeat(20)}11111${"0".repeat(15)}`;
  assert.deepEqual(placeHint("0".repeat(40), labels, 10), { text: LONG, x: 189, anchor: "end" });
});

test("where an alarm is in the way, the hint stands inside the segment or wherever it fits", () => {
  const labels = `00${"1".repeat(20)}${"0".repeat(20)}`;
  assert.deepEqual(placeHint("0".repeat(42), labels, 10), { text: LONG, x: 31, anchor: "start" });
  const inside = `00${"01".repeat(10)}${"0".repeat(20)}`;
  assert.deepEqual(placeHint(inside, labels, 10), { text: LONG, x: 231, anchor: "start" });
  const nothing = "0".repeat(20);
  assert.deepEqual(placeHint(nothing, nothing, 10), { text: LONG, x: 11, anchor: "start" });
});

test("on a phone a short hint stands beside a segment rather than a long one across its edge", () => {
  // Twelve cells of 9 before it: 108, enough for 10 * 6.2 + 22 = 84 but not for 165.
  const labels = `${"0".repeat(12)}${"1".repeat(12)}${"0".repeat(16)}`;
  const hint = placeHint("0".repeat(40), labels, 9);
  assert.deepEqual(hint, { text: "paint here", x: 97, anchor: "end" });
});

test("there is no hint where there is no room for it", () => {
  assert.equal(placeHint("0".repeat(10), "0000011111", 10), null);
});

test("a tip stands at the right of its column, or at the left where the board ends", () => {
  const size = { width: 200, height: 60 };
  const bounds = { width: 600, height: 300 };
  const middle = placeTip({ left: 100, right: 110, y: 150 }, size, bounds);
  assert.deepEqual(middle, { left: 118, top: 120, width: 200 });
  const end = placeTip({ left: 590, right: 600, y: 290 }, size, bounds);
  assert.deepEqual(end, { left: 382, top: 240, width: 200 });
});

test("where neither side has room, a tip is as wide as the roomier one", () => {
  const bounds = { width: 348, height: 300 };
  const tip = placeTip({ left: 160, right: 170, y: 0 }, { width: 290, height: 60 }, bounds);
  assert.deepEqual(tip, { left: 178, top: 0, width: 170 });
  const other = placeTip({ left: 180, right: 190, y: 0 }, { width: 290, height: 60 }, bounds);
  assert.deepEqual(other, { left: 0, top: 0, width: 172 });
});

test("names with samples flow into rows", () => {
  // A name of two letters takes 30 + 13.6 + 16 = 59.6.
  const { entries, rows } = placeNames(["PA", "PA", "PA"], 130, 10);
  assert.deepEqual(entries.map(({ x, row }) => [Math.round(x), row]), [[10, 0], [70, 0], [0, 1]]);
  assert.equal(rows, 2);
});

test("a timeline has a panel for the score, and one for the signal if there is one", () => {
  const without = layOutStage(lanes(4), 1274, "timeline");
  assert.deepEqual(Object.keys(without.lanes).slice(0, 2), ["score", "truth"]);
  const box = layOutStage(lanes(4), 1274, "signal");
  assert.deepEqual([box.lanes.value.y, box.lanes.value.h], [24, 84]);
  assert.deepEqual([box.lanes.score.y, box.lanes.score.h], [117, 104]);
  assert.equal(box.lanes.truth.y, 230);
});

test("the legend breaks into rows where it is too long", () => {
  // "true anomaly" takes 34 + 12 * 5.8 = 103.6, "hit" 51.4, the third 184.8.
  const { entries, height } = placeLegend(348);
  assert.deepEqual(entries.slice(0, 3).map(({ x, y }) => [Math.round(x), y]), [[0, 0], [104, 0], [155, 0]]);
  assert.equal(height, 36);
  assert.equal(placeLegend(1000).height, 18);
  const kinds = placeLegend(1000, false).entries.map(({ kind }) => kind);
  assert.deepEqual(kinds, ["truth", "hit", "false", "normal"]);
});

test("points share the room, but none is too narrow to be painted or wider than a hand", () => {
  const wide = layOutStage(lanes(4), 1274, "board");
  assert.equal(boardCell(wide, 50), 20);
  assert.equal(boardCell(wide, 1000), 3);
  assert.equal(boardCell(wide, 2), 230);
  assert.equal(boardCell(layOutStage(lanes(4), 348, "board"), 200), 9);
});

test("a small board has a name of 18 above each lane", () => {
  const { places, bottom } = layOutMini(2, 20);
  assert.deepEqual(places[1], { top: 44, y: 62, h: 20, arrows: null });
  assert.equal(bottom, 88);
});

test("a piece stands on the floor of its lane, or on what is below it", () => {
  /** @type {import("../../padf_ui/web/lanes/pieces.js").Piece} */
  const low = { kind: "adjusted", from: 2, to: 5, base: 0, height: 0.25 };
  assert.deepEqual(rectOf(low, { y: 100, h: 40 }, 10), { x: 20, y: 130, width: 30, height: 10 });
  const high = { ...low, base: 0.25, height: 0.75 };
  assert.deepEqual(rectOf(high, { y: 100, h: 40 }, 10), { x: 20, y: 100, width: 30, height: 30 });
});

test("a piece is never narrower than it can be seen", () => {
  /** @type {import("../../padf_ui/web/lanes/pieces.js").Piece} */
  const thin = { kind: "hit", from: 2, to: 3, base: 0, height: 1 };
  assert.equal(rectOf(thin, { y: 0, h: 10 }, 0.5, 1.2).width, 1.2);
});

test("texts under arrows say delay and credit, or that the segment was missed", () => {
  const arrows = [
    { start: 0, delay: 6, late: "delay 6", worth: "0.53" },
    { start: 40, delay: -1, late: "missed", worth: "0.00" },
    { start: 80, delay: 0, late: "no delay", worth: "" },
  ];
  const texts = placeArrowTexts(arrows, 10, 1000).map(({ text }) => text);
  assert.deepEqual(texts, ["delay 6 → credit 0.53", "missed", "no delay"]);
});

test("texts under arrows move to a second row, then shorten, then give way", () => {
  const arrows = [0, 5, 9, 10].map((start) => ({ start, delay: 1, late: "delay 1", worth: "0.90" }));
  // The long text of 21 letters takes 128.1 pixels: 0 to 128.1, and 50 to 178.1 in the second row.
  const placed = placeArrowTexts(arrows, 10, 1000);
  assert.deepEqual(placed.map(({ x, row }) => [x, row]), [[0, 0], [50, 1]]);
  const later = placeArrowTexts([arrows[0], { ...arrows[1], start: 14 }], 10, 1000);
  assert.deepEqual(later.map(({ x, row }) => [x, row]), [[0, 0], [140, 0]]);
});

test("a text at the end is pulled into the room", () => {
  const [{ x }] = placeArrowTexts([{ start: 19, delay: 1, late: "delay 1", worth: "0.90" }], 10, 200);
  assert.ok(Math.abs(x - (200 - 21 * 6.1)) < 1e-9);
});

test("a board has as many ticks as there is room for names", () => {
  // 600 pixels / 56 = 10 names for 60 points: every tenth would be 6, every fifth 12 are too many.
  const ticks = boardTicks(60, [], 10);
  assert.deepEqual(ticks.map(({ name }) => name), ["0", "10", "20", "30", "40", "50"]);
  assert.equal(ticks[1].at, 10.5);
});

test("ticks have the names that Python gives, and a point on a clock begins at its left edge", () => {
  assert.deepEqual(boardTicks(2, ["0:00", "0:01"], 200), [
    { at: 0, name: "0:00" },
    { at: 1, name: "0:01" },
  ]);
});

test("on a clock ticks are at round times", () => {
  /** @type {(count: number, minutes: number) => string[]} */
  const names = (count, minutes) =>
    Array.from({ length: count }, (_, t) => {
      const [hours, rest] = [Math.floor((t * minutes) / 60), (t * minutes) % 60];
      const days = hours >= 24 ? `${Math.floor(hours / 24)} d ` : "";
      return `${days}${hours % 24}:${String(rest).padStart(2, "0")}`;
    });
  /** @type {(times: string[], cell: number) => string[]} */
  const shown = (times, cell) => boardTicks(times.length, times, cell).map(({ name }) => name);
  // 40 points of 5 minutes in 560 pixels: 10 names; every half hour has 7.
  assert.deepEqual(shown(names(40, 5), 14), ["0:00", "0:30", "1:00", "1:30", "2:00", "2:30", "3:00"]);
  // In 400 pixels 7 names still fit.
  assert.equal(shown(names(40, 5), 10).length, 7);
  // 30 hours in 360 pixels: room for 4 names of "1 d 5:00", and every 6 hours has 5.
  assert.deepEqual(shown(names(30, 60), 12), ["0:00", "12:00", "1 d 0:00"]);
  assert.deepEqual(shown(["0:00:00", "0:00:10", "0:00:20"], 100), ["0:00:00", "0:00:10", "0:00:20"]);
});

test("ticks of a day begin at a round time even if the first point does not", () => {
  const ticks = clockTicks(36, 8.5 * 3600, 300, 10);
  assert.deepEqual(ticks.map(({ name }) => name), ["8:30", "9:00", "9:30", "10:00", "10:30", "11:00", "11:30"]);
  assert.deepEqual(clockTicks(10, 8 * 3600 + 1200, 300, 20).map(({ at, name }) => [at, name]), [
    [2, "8:30"], [8, "9:00"],
  ]);
});

test("names of ticks stay inside the room and apart", () => {
  const ticks = [{ at: 0, name: "4 Jan" }, { at: 2, name: "5 Jan" }, { at: 10, name: "11 Jan" }];
  // "4 Jan" is 34 wide and pulled to 17; "5 Jan" at 20 would touch it; "11 Jan" ends at 100.
  const placed = placeTickNames(ticks, 10, 100);
  assert.deepEqual(placed.map(({ name }) => name), ["4 Jan", "11 Jan"]);
  assert.equal(placed[0].x, 17);
  assert.ok(Math.abs(placed[1].x - 79.6) < 1e-9);
});

test("parameters break into lines where the lane is high enough", () => {
  assert.deepEqual(parameterLines("d = 0.9, equations", 42), ["d = 0.9", "equations"]);
  assert.deepEqual(parameterLines("d = 0.9, equations", 28), ["d = 0.9, equations"]);
  assert.deepEqual(parameterLines("", 42), []);
});

test("a long count breaks between its parts, not inside a number", () => {
  assert.deepEqual(asideLines("8 alarms, 2 false"), ["8 alarms, 2 false"]);
  assert.deepEqual(asideLines("1,604 flagged, 932 false"), ["1,604 flagged", "932 false"]);
});

test("a count stands in the middle of its lane, or higher where the lane is low", () => {
  assert.equal(asideBase({ y: 100, h: 42 }, 1), 126);
  assert.equal(asideBase({ y: 100, h: 28 }, 1), 116);
  assert.equal(asideBase({ y: 100, h: 22 }, 1), 111);
  assert.equal(asideBase({ y: 100, h: 42 }, 2), 130);
});

test("two lines of a name fit a lane of 22", () => {
  assert.deepEqual([lineOf(22).pitch, lineOf(28).pitch], [11.5, 14.5]);
});

test("a view stays inside the series and shows five points at least", () => {
  assert.deepEqual(clampView(-10, 90, 1000), { first: 0, last: 100 });
  assert.deepEqual(clampView(950, 1050, 1000), { first: 900, last: 1000 });
  assert.deepEqual(clampView(10, 11, 1000), { first: 10, last: 15 });
  assert.deepEqual(clampView(0, 50, 3), { first: 0, last: 3 });
});
