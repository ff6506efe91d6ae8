// @ts-check
import assert from "node:assert/strict";
import test from "node:test";

import { hearNow, tellNow } from "../../padf_ui/web/core/live.js";

Object.assign(globalThis, { window: {} });

test("what is told is heard under its name, until hearing ends", () => {
  /** @type {(number | null)[]} */
  const heard = [];
  const end = hearNow("need", (value) => heard.push(value));
  tellNow("need", 5);
  tellNow("other", 6);
  tellNow("need", null);
  end();
  tellNow("need", 7);
  assert.deepEqual(heard, [5, null]);
});

test("one that ends does not silence its successor", () => {
  /** @type {string[]} */
  const heard = [];
  const end = hearNow("need", () => heard.push("first"));
  hearNow("need", () => heard.push("second"));
  end();
  tellNow("need", 1);
  assert.deepEqual(heard, ["second"]);
});
