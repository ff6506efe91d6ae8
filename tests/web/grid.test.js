// @ts-check
import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";

import { PatternGrid } from "../../padf_ui/web/board/grid.js";
import { openTab, page } from "./fake_dom.js";
import { HOSTILE } from "./samples.js";

const LANES = { truth: { y: 24, h: 42 }, detections: { y: 77, h: 42 } };

beforeEach(openTab);

/** @param {number} [count] */
function laid(count = 4) {
  const grid = new PatternGrid(page.body);
  grid.lay(count, 50, LANES);
  return /** @type {any} */ (grid);
}

/**
 * Returns the cells that the Tab key reaches, as row and time.
 * @param {any} grid
 */
function stops(grid) {
  return grid.cells.flatMap((/** @type {any[]} */ line, /** @type {number} */ row) =>
    line.flatMap((cell, t) => (cell.tabIndex === 0 ? [[row, t]] : [])),
  );
}

test("there is a row for the truth and one for the detections, with a cell for each point", () => {
  const grid = laid();
  assert.deepEqual(grid.root.querySelectorAll("[role=row]").length, 2);
  assert.equal(grid.root.querySelectorAll("[role=gridcell]").length, 8);
  assert.equal(grid.lines[1].style.top, "77px");
  assert.equal(grid.lines[1].style.height, "42px");
  assert.equal(grid.lines[0].style.gridTemplateColumns, "repeat(4, 50px)");
});

test("the Tab key reaches exactly one cell: at first the first detection", () => {
  assert.deepEqual(stops(laid()), [[1, 0]]);
});

test("the cell that was focused last is the one that the Tab key reaches", () => {
  const grid = laid();
  grid.focus(0, 2, true);
  assert.deepEqual(stops(grid), [[0, 2]]);
  assert.equal(page.activeElement, grid.cells[0][2]);
  grid.focus(1, 3, true);
  assert.deepEqual(stops(grid), [[1, 3]]);
});

test("a shorter board keeps its stop inside", () => {
  const grid = laid();
  grid.focus(1, 3, true);
  grid.lay(2, 100, LANES);
  assert.deepEqual(stops(grid), [[1, 1]]);
  assert.deepEqual([grid.has(1), grid.has(2)], [true, false]);
});

test("the same length keeps the cells, so that the focus stays", () => {
  const grid = laid();
  grid.focus(1, 2, true);
  const cell = grid.cells[1][2];
  grid.lay(4, 60, LANES);
  assert.equal(grid.cells[1][2], cell);
  assert.equal(page.activeElement, cell);
});

test("a row that may not be painted is locked and has no stop", () => {
  const grid = laid();
  grid.allow(["truth"]);
  assert.deepEqual(stops(grid), [[0, 0]]);
  assert.deepEqual([grid.isOpen(0), grid.isOpen(1)], [true, false]);
  assert.equal(grid.cells[1][0].getAttribute("aria-readonly"), "true");
  assert.equal(grid.cells[0][0].getAttribute("aria-readonly"), "false");
  assert.ok(grid.lines[1].classList.contains("locked"));
  grid.allow([]);
  assert.deepEqual(stops(grid), []);
});

test("each cell says its time and what it holds", () => {
  const grid = laid();
  grid.name({ labels: "0110", detections: "0001" }, []);
  assert.match(grid.nameOf(0, 0), /\b0\b.*truth.*normal/);
  assert.match(grid.nameOf(0, 1), /\b1\b.*truth.*anomaly/);
  assert.match(grid.nameOf(1, 2), /\b2\b.*detection.*none/);
  assert.match(grid.nameOf(1, 3), /\b3\b.*detection.*alarm/);
  grid.name({ labels: "0110", detections: "0001" }, ["09:00", "09:01", "09:02", "09:03"]);
  assert.match(grid.nameOf(1, 3), /09:03/);
});

test("times that look like markup create no element", () => {
  const grid = laid();
  grid.name({ labels: "0110", detections: "0001" }, Array.from({ length: 4 }, () => HOSTILE));
  assert.ok(grid.nameOf(0, 0).includes(HOSTILE));
  assert.equal(grid.root.querySelectorAll("img").length, 0);
});

test("only the focused cell is described by the tip, and by none once it is hidden", () => {
  const grid = laid();
  const described = () => grid.root.querySelectorAll("[aria-describedby]");
  grid.describe("tip");
  assert.equal(described().length, 0, "no cell has the focus");
  grid.focus(1, 1, true);
  grid.describe("tip");
  assert.deepEqual(described(), [grid.cells[1][1]]);
  grid.focus(1, 2, true);
  grid.describe("tip");
  assert.deepEqual(described(), [grid.cells[1][2]]);
  grid.describe(null);
  assert.equal(described().length, 0);
});
