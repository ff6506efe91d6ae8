// @ts-check
import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";

import start from "../../padf_ui/web/board/cases.js";
import { enter, fire, Mounted, openTab, rect } from "./fake_dom.js";
import { casesData, HOSTILE } from "./samples.js";

beforeEach(openTab);

/** @param {Record<string, any>} [changes] */
function cases(changes = {}) {
  return new Mounted(start, "cases", { ...casesData(), ...changes }, 1024);
}

/**
 * Returns a table as rows of texts.
 * @param {Mounted} mounted
 * @param {number} which
 */
function table(mounted, which) {
  return mounted.all("table")[which].querySelectorAll("tr").map((/** @type {any} */ line) =>
    line.children.map((/** @type {any} */ cell) => cell.textContent),
  );
}

/**
 * @param {Mounted} mounted
 * @param {number} step
 */
function slide(mounted, step) {
  mounted.one("[type=range]").value = String(step);
  fire(mounted.one("[type=range]"), "input");
}

test("each case has a card with its title, what it is about and its lanes", () => {
  const mounted = cases();
  assert.deepEqual(mounted.texts("h3"), ["Case 1", "Case 2", "Case A"]);
  assert.deepEqual(mounted.texts(".about"), ["at once", "six late", "another"]);
  const [, second] = mounted.all(".card");
  const scores = second.querySelectorAll("[data-f1]").map((/** @type {any} */ each) => each.textContent);
  assert.deepEqual(scores, ["0.154", "0.909", "0.614"]);
  assert.match(second.querySelector(".mini").getAttribute("aria-label"), /Case 2.*0\.154.*0\.909.*0\.614/);
});

test("a card draws the credit as height", () => {
  const [, second] = cases().all(".card");
  // The card is 1024 - 24 = 1000 wide, so a point is 50. PAdf is the fifth lane of 44 pixels each: its
  // cells begin at 4 * 44 + 18 = 194 and are 20 high. Credit 0.53 is 10.6.
  const adjusted = second.querySelectorAll(".adjusted").map(rect);
  assert.deepEqual(adjusted[adjusted.length - 1], [250, 203.4, 500, 10.6]);
  assert.equal(second.querySelectorAll(".segment-box").length, 5);
});

test("a slider that moves changes every card, table and verdict, and asks once it is let go", () => {
  const mounted = cases();
  assert.deepEqual(table(mounted, 0)[0].slice(1), ["Point-wise", "PA", "PAdf (d = 0.9)"]);
  slide(mounted, 0);
  assert.deepEqual(table(mounted, 0)[0].slice(1), ["Point-wise", "PA", "PAdf (d = 0.5)"]);
  assert.equal(table(mounted, 0)[2][3], "0.026");
  assert.equal(mounted.all(".card")[1].querySelector("[data-f1=padf]").textContent, "0.026");
  assert.equal(mounted.all(".card")[2].querySelector("[data-f1=padf]").textContent, "0.026");
  assert.deepEqual(mounted.asks, []);
  fire(mounted.one("[type=range]"), "change");
  assert.deepEqual(mounted.asked, { settings: { decay: 0.5 } });
  assert.equal(mounted.root.dataset.stale, "true");
  mounted.answer({ sliders: [{ ...casesData().sliders[0], at: 0 }] });
  assert.equal(mounted.root.dataset.stale, "false");
  assert.equal(table(mounted, 0)[2][3], "0.026");
});

test("published values stand beside computed ones where they hold", () => {
  const mounted = cases();
  // Case 1, point-wise: published 0.2 at every step, which does not agree. Case 2: 0.61 at d = 0.9.
  assert.deepEqual(table(mounted, 0).slice(1), [
    ["Case 1", "0.154 ✗ 0.2", "0.909", "0.900"],
    ["Case 2", "0.154", "0.909", "0.614 ✓ 0.61"],
  ]);
  assert.deepEqual(mounted.texts(".printed").slice(0, 2), ["", ""]);
  assert.match(mounted.texts(".printed")[2], /0\.61 ✓/);
  slide(mounted, 2);
  assert.equal(table(mounted, 0)[2][3], "0.879");
  assert.equal(mounted.texts(".printed")[2], "");
});

test("verdicts follow the slider, and a failed one is marked by more than its colour", () => {
  const mounted = cases();
  const marks = () => table(mounted, 1).slice(1).map((/** @type {string[]} */ row) => row.slice(1).map((text) => text[0]));
  assert.deepEqual(marks(), [["✗", "✗", "✓"], ["✓", "✓", "✓"]]);
  assert.equal(mounted.all(".bad").length, 2);
  const sentences = () => mounted.one(".sentences").children.map((/** @type {any} */ each) => each.textContent);
  assert.match(sentences()[0], /^Point-wise .*lateness/);
  assert.doesNotMatch(sentences()[2], /lateness|misses/);
  slide(mounted, 0);
  assert.deepEqual(marks(), [["✗", "✗", "✓"], ["✓", "✓", "✗"]]);
  assert.match(sentences()[2], /^PAdf \(d = 0\.5\) .*misses/);
  slide(mounted, 2);
  assert.equal(marks()[0][2], "–", "a permission that is not used is no fault");
  assert.equal(sentences()[3], "It holds from d = 0.6 on.");
});

test("Open asks for the case by its number, toy cases first", () => {
  const mounted = cases();
  const [, , third] = mounted.all(".card button");
  assert.match(third.getAttribute("aria-label"), /Case A/);
  fire(third, "click");
  assert.deepEqual(mounted.asked, { open: 2 });
});

test("a number that may not be typed is refused in words until the slider moves", () => {
  const mounted = cases();
  enter(mounted.one(".slider-number"), "2");
  assert.deepEqual(mounted.asks, []);
  assert.match(mounted.one(".message").textContent, /between 0 and 1/);
  slide(mounted, 0);
  assert.equal(mounted.one(".message").textContent, "");
});

test("words of the glossary carry their meaning", () => {
  const mounted = cases();
  const [term] = mounted.all(".padf-term");
  assert.equal(term.textContent, "alarm");
  assert.equal(term.dataset.meaning, "a flagged point");
});

test("titles that look like markup are texts", () => {
  const data = casesData();
  const hostile = { ...data.toy[1], title: HOSTILE, about: HOSTILE };
  const mounted = cases({ toy: [data.toy[0], hostile], rules: HOSTILE, ranges: [HOSTILE] });
  assert.equal(mounted.texts("h3")[1], HOSTILE);
  assert.equal(mounted.one(".rules").textContent, HOSTILE);
  assert.equal(table(mounted, 0)[2][0], HOSTILE);
  assert.equal(mounted.all("img").length, 0);
});

test("cards are built once and stay when the same cases come again", () => {
  const mounted = cases();
  const [first] = mounted.all(".card");
  mounted.receive({ ...casesData(), rules: "Other rules." });
  assert.equal(mounted.all(".card")[0], first);
  assert.equal(mounted.all(".card").length, 3);
  assert.equal(mounted.one(".rules").textContent, "Other rules.");
});
