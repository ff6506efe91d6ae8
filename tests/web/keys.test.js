// @ts-check
import assert from "node:assert/strict";
import test from "node:test";

import { meaningOf, placeByKey } from "../../padf_ui/web/core/keys.js";

/**
 * @param {string} key
 * @param {string} [inside] part of the selector of what it was pressed in
 * @param {boolean} [isPlain]
 */
function press(key, inside, isPlain = true) {
  const isIn = (/** @type {string} */ selector) => {
    return inside !== undefined && selector.split(", ").includes(inside);
  };
  return meaningOf({ key, isPlain, isIn });
}

test("arrows and the keys of a clicker step, Escape leaves", () => {
  assert.deepEqual(press("ArrowRight"), { step: 1 });
  assert.deepEqual(press("PageDown"), { step: 1 });
  assert.deepEqual(press("ArrowLeft"), { step: -1 });
  assert.deepEqual(press("PageUp"), { step: -1 });
  assert.deepEqual(press("Escape"), { leave: 1 });
  assert.equal(press("Enter"), undefined);
});

test("digits answer and R reveals, but not in a field", () => {
  assert.deepEqual(press("1"), { answer: 0 });
  assert.deepEqual(press("6"), { answer: 5 });
  assert.deepEqual(press("r"), { reveal: 1 });
  assert.deepEqual(press("R", "[role=gridcell]"), { reveal: 1 });
  for (const key of ["0", "7", "10", "F1", "a"]) assert.equal(press(key), undefined, key);
  for (const key of ["1", "r"]) assert.equal(press(key, "input"), undefined, key);
});

test("with Ctrl, or when another has used it, a key means nothing here", () => {
  assert.equal(press("ArrowRight", undefined, false), undefined);
});

test("arrows mean something else in fields, sliders and grids", () => {
  const places = [
    "input", "textarea", "select", "[contenteditable]", "[role=slider]", "[role=gridcell]",
    "[data-testid=stButtonGroup]", ".timeline .stage", ".front .clock", ".guess .stage",
  ];
  for (const place of places) assert.equal(press("ArrowRight", place), undefined, place);
});

test("Escape leaves from a grid, but not from a field or a dialog", () => {
  assert.deepEqual(press("Escape", "[role=gridcell]"), { leave: 1 });
  assert.equal(press("Escape", "input"), undefined);
  assert.equal(press("Escape", "[role=dialog]"), undefined);
});

test("keys move along a row and stay on it", () => {
  assert.equal(placeByKey("ArrowRight", 4, 10), 5);
  assert.equal(placeByKey("ArrowDown", 4, 10), 3);
  assert.equal(placeByKey("Home", 4, 10), 0);
  assert.equal(placeByKey("End", 4, 10), 9);
  assert.equal(placeByKey("ArrowRight", 9, 10), 9);
  assert.equal(placeByKey("PageDown", 4, 10), 0);
  assert.equal(placeByKey("Tab", 4, 10), undefined);
});
