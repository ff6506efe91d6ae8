// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

import { Asker } from "../../padf_ui/web/core/asking.js";
import { deliver } from "../../padf_ui/web/core/mount.js";

/** @type {any} */ (globalThis).window = globalThis;

/**
 * @param {object} parentElement
 * @param {unknown} letter
 * @returns {any}
 */
const sent = (parentElement, letter) => ({ parentElement, data: { box: "b", letter } });

test("a letter reaches its box, and an ask is repeated only when its sender is another one", () => {
  /** @type {unknown[]} */
  const taken = [];
  let repeated = 0;
  const take = (/** @type {any} */ letter) => taken.push(letter.data);
  const boxes = { b: { take, askAgain: () => (repeated += 1) } };
  /** @type {any} */ (globalThis)[Symbol.for("padf.boxes")] = boxes;
  const [first, second] = [{}, {}];
  const takeAway = deliver(sent(first, "one"));
  deliver(sent(first, "two"));
  assert.equal(repeated, 0);
  takeAway();
  deliver(sent(second, "three"));
  assert.equal(repeated, 1);
  deliver(sent(second, "four"));
  assert.equal(repeated, 1);
  assert.deepEqual(taken, ["one", "two", "three", "four"]);
});

test("what has no answer is asked again under its number; what has one is not", () => {
  /** @type {import("../../padf_ui/web/core/asking.js").Ask[]} */
  const asks = [];
  const asker = new Asker((ask) => asks.push(ask));
  asker.receive({ session: "s", answered: 0 });
  asker.ask({ final: true });
  asker.askAgain();
  assert.equal(asks.length, 2);
  assert.deepEqual(asks[0], asks[1]);
  asker.receive({ session: "s", answered: asks[0].id });
  asker.askAgain();
  assert.equal(asks.length, 2);
});
