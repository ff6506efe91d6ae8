// @ts-check
import assert from "node:assert/strict";
import test from "node:test";

import { Asker, Asking, mergeWishes } from "../../padf_ui/web/core/asking.js";

Object.assign(globalThis, { window: {} });

/** Returns an Asking that knows its server. */
function started() {
  /** @type {Asking<import("../../padf_ui/web/payload.d.ts").BoardAsk>} */
  const asking = new Asking();
  asking.receive({ session: "one", answered: 0 });
  return asking;
}

test("the newest wish wins field by field, and settings are merged", () => {
  const older = { detections: "01", final: true, settings: { k: 20, decay: 0.9 } };
  const newer = { detections: "11", final: false, settings: { k: 30 } };
  assert.deepEqual(mergeWishes(older, newer), {
    detections: "11",
    final: false,
    settings: { k: 30, decay: 0.9 },
  });
  assert.deepEqual(mergeWishes(null, { final: true }), { final: true });
});

test("what is asked has all that Python requires of it, and nothing else", () => {
  /** @type {import("../../padf_ui/web/payload.d.ts").GuessAsk[]} */
  const asks = [];
  /** @type {Asker<import("../../padf_ui/web/payload.d.ts").GuessAsk>} */
  const asker = new Asker((ask) => asks.push(ask));
  // @ts-expect-error a guess is missing
  asker.ask({});
  // @ts-expect-error there is no such field
  asker.ask({ guess: [], labels: "" });
  assert.equal(asks.length, 1, "only the types hold these back");
});

test("an ask goes at once when none is on its way", () => {
  const asking = started();
  asking.want({ final: true }, true);
  assert.equal(asking.delay(0), 0);
  assert.deepEqual(asking.send(1, 0), { id: 1, final: true });
  assert.ok(asking.isWaiting);
});

test("nothing is sent when nothing is wanted", () => {
  assert.equal(started().delay(0), null);
});

test("at most one ask is on its way: the others are merged until it is answered", () => {
  const asking = started();
  asking.want({ detections: "01" }, true);
  asking.send(1, 0);
  asking.want({ detections: "011" }, true);
  asking.want({ detections: "0111", settings: { k: 5 } }, true);
  assert.equal(asking.delay(1000), null);
  asking.receive({ session: "one", answered: 1 });
  assert.equal(asking.delay(1000), 0);
  assert.deepEqual(asking.send(2, 1000), { id: 2, detections: "0111", settings: { k: 5 } });
});

test("the answer to another ask is not the one that is waited for", () => {
  const asking = started();
  asking.want({ final: true }, true);
  asking.send(7, 0);
  asking.receive({ session: "one", answered: 6 });
  assert.ok(asking.isWaiting);
  asking.receive({ session: "one", answered: 7 });
  assert.ok(!asking.isWaiting);
});

test("strokes under way are sent every 60 ms, a final one at once", () => {
  const asking = started();
  asking.want({ final: false }, false);
  assert.equal(asking.delay(1000), 0);
  asking.send(1, 1000);
  asking.receive({ session: "one", answered: 1 });
  asking.want({ final: false }, false);
  assert.equal(asking.delay(1020), 40);
  assert.equal(asking.delay(1060), 0);
  asking.want({ final: true }, true);
  assert.equal(asking.delay(1020), 0);
});

test("a slider that was let go is final, though the stroke after it is taken back", () => {
  const asking = started();
  asking.want({ settings: { k: 5 }, final: true }, true);
  asking.want({ detections: "01", final: false }, false);
  asking.withdraw("detections");
  assert.deepEqual(asking.send(1, 0), { id: 1, settings: { k: 5 }, final: true });
});

test("what is wanted is what was sent and what is pending", () => {
  const asking = started();
  asking.want({ settings: { k: 5, decay: 0.5 } }, true);
  asking.send(1, 0);
  asking.want({ settings: { k: 6 } }, true);
  assert.deepEqual(asking.wanted.settings, { k: 6, decay: 0.5 });
  asking.receive({ session: "one", answered: 1 });
  assert.deepEqual(asking.wanted.settings, { k: 6 });
});

test("a server that was started again is not waited for", () => {
  const asking = started();
  asking.want({ final: true }, true);
  asking.send(1, 0);
  asking.want({ final: true }, true);
  assert.equal(asking.receive({ session: "one", answered: 0 }), false);
  assert.equal(asking.receive({ session: "two", answered: 0 }), true);
  assert.ok(!asking.isWaiting);
});

test("what a server that is gone did not answer is known as one wish", () => {
  const asking = started();
  assert.equal(asking.lost, null);
  asking.want({ labels: "01", detections: "00", final: false, settings: { k: 5 } }, false);
  asking.send(1, 0);
  asking.want({ labels: "01", detections: "11", final: true }, true);
  asking.receive({ session: "two", answered: 0 });
  const wish = { labels: "01", detections: "11", final: true, settings: { k: 5 } };
  assert.deepEqual(asking.lost, { id: 1, ...wish });
});

test("the first word of a server is new", () => {
  assert.equal(new Asking().receive({ session: "one", answered: 3 }), true);
});

test("what is not yet sent can be withdrawn, and what is left is still sent", () => {
  const asking = started();
  asking.want({ detections: "01", final: true, settings: { k: 5 } }, true);
  asking.withdraw("detections");
  assert.deepEqual(asking.pending, { final: true, settings: { k: 5 } });
  asking.withdraw("settings");
  assert.equal(asking.pending, null);
});
