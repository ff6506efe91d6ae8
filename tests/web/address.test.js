// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

import { addOneEntryPerAction } from "../../padf_ui/web/core/address.js";

/** A browser's history and window, and functions that act in it. */
function browser() {
  const entries = ["/first"];
  const history = {
    pushState: (/** @type {unknown} */ _data, /** @type {string} */ _title, /** @type {any} */ url) =>
      void entries.push(url),
    replaceState: (/** @type {unknown} */ _data, /** @type {string} */ _title, /** @type {any} */ url) =>
      void (entries[entries.length - 1] = url),
  };
  const target = new EventTarget();
  addOneEntryPerAction(history, target);
  return {
    entries,
    act: (/** @type {string} */ name) => target.dispatchEvent(new Event(name)),
    show: (/** @type {string} */ url) => history.pushState({}, "", url),
  };
}

test("before anything was done, addresses replace each other", () => {
  const { entries, show } = browser();
  for (const url of ["/playground", "/", "/playground?n=30"]) show(url);
  assert.deepEqual(entries, ["/playground?n=30"]);
});

for (const action of ["pointerdown", "click", "keydown", "input", "drop"]) {
  test(`${action}: whatever addresses follow, it is one step back`, () => {
    const { entries, act, show } = browser();
    act(action);
    for (const url of ["/first?n=30", "/next", "/next?n=30"]) show(url);
    assert.deepEqual(entries, ["/first", "/next?n=30"]);
    act(action);
    show("/next?n=31");
    assert.deepEqual(entries, ["/first", "/next?n=30", "/next?n=31"]);
  });
}

test("what a step back shows is no entry of its own", () => {
  const { entries, act, show } = browser();
  act("click");
  show("/next");
  act("pointerdown");
  entries.pop();
  act("popstate");
  show("/first?n=30");
  assert.deepEqual(entries, ["/first?n=30"]);
});
