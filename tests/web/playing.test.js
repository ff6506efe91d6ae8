// @ts-check
import assert from "node:assert/strict";
import test from "node:test";

import {
  advance, callsUntil, clockText, eventsOf, firstPress, happens, nextEvent, phaseAt, pointTime,
  stopwatch, worthAt,
} from "../../padf_ui/web/replay/playing.js";
import { turned } from "../../padf_ui/web/replay/end_card.js";
import { wrapped } from "../../padf_ui/web/replay/replay_picture.js";

/**
 * A clip of 100 s with a point every 10 s and an incident from 40 to 80 s.
 * @param {Partial<import("../../padf_ui/web/payload.d.ts").ReplayTrack>} [track]
 * @param {number[]} [missed]
 */
function clipWith(track = {}, missed = [0]) {
  const own = { rings: [], wrong: [], counts: [], noticed: null, worth: 0, said: "", ...track };
  return {
    title: "", begins: 0, seconds: 100, onset: 40, over: 80, step: 10, at: [], signal: [], ticks: [],
    worth: [100, 50, 25], tracks: [own], skipped: "", missed_calls: missed,
  };
}

test("a stopwatch shows hours and minutes, days before them and seconds behind where they matter", () => {
  assert.deepEqual([stopwatch(0, false), stopwatch(725, false), stopwatch(65, true)], ["00:00", "00:12", "00:01:05"]);
  assert.equal(stopwatch(90_000, false), "1 d 01:00");
});

test("a clock shows the day and the time as they are in the data, wherever the reader lives", () => {
  const seconds = Date.UTC(2024, 2, 5, 8, 42, 7) / 1000;
  assert.equal(clockText(seconds, true, false), "Tue 5 Mar 08:42");
  assert.equal(clockText(seconds, true, true), "Tue 5 Mar 08:42:07");
  assert.equal(clockText(65, false, true), "00:01:05");
});

test("worth is looked up during the incident alone", () => {
  const clip = clipWith();
  assert.deepEqual([39, 40, 59, 60, 79, 80].map((at) => worthAt(clip, at)), [null, 100, 100, 50, 50, null]);
});

test("a press belongs to the newest point that is there", () => {
  const clip = clipWith();
  assert.deepEqual([pointTime(clip, 9.9), pointTime(clip, 10), pointTime(clip, 49)], [0, 10, 40]);
  // At 39 the point of 30 is the newest: it is before the onset.
  assert.equal(firstPress(clip, [39, 62, 55]), 50);
  assert.equal(firstPress(clip, [39, 85]), null);
});

test("a track is quiet, unnoticed, and then noticed or missed", () => {
  const clip = clipWith();
  assert.deepEqual([0, 40, 60, 90].map((at) => phaseAt(clip, 60, at)), ["quiet", "unnoticed", "noticed", "noticed"]);
  assert.deepEqual([79, 80].map((at) => phaseAt(clip, null, at)), ["unnoticed", "missed"]);
});

test("false calls add up over clips and what lies between them", () => {
  // Of many calls only some are marked: the second mark stands for the fifth call.
  const clips = [clipWith({ wrong: [10, 20], counts: [1, 5] }, [2]), clipWith({ wrong: [90], counts: [1] }, [3])];
  const count = (/** @type {number} */ clip, /** @type {number} */ seconds) => callsUntil(clips, 0, { clip, seconds });
  assert.deepEqual([count(0, 0), count(0, 10), count(0, 99)], [2, 3, 7]);
  assert.deepEqual([count(1, 0), count(1, 90)], [10, 11]);
});

test("steps go from event to event, and from the last one to the next clip", () => {
  const clips = [clipWith({ wrong: [10], noticed: 60 }), clipWith()];
  assert.deepEqual(eventsOf(clips[0]), [10, 40, 60, 80, 100]);
  let at = { clip: 0, seconds: 0 };
  const seen = [];
  for (let step = 0; step < 9; step += 1) {
    at = nextEvent(clips, at);
    seen.push([at.clip, at.seconds]);
  }
  assert.deepEqual(seen, [[0, 10], [0, 40], [0, 60], [0, 80], [1, 0], [1, 40], [1, 80], [1, 100], [1, 100]]);
});

test("time goes on into the next clip and stops at the end of the last", () => {
  const clips = [clipWith(), clipWith()];
  assert.deepEqual(advance(clips, { clip: 0, seconds: 95 }, 10), { clip: 1, seconds: 5, isOver: false });
  assert.deepEqual(advance(clips, { clip: 1, seconds: 95 }, 10), { clip: 1, seconds: 100, isOver: true });
});

test("what happens rings once, when time passes it", () => {
  const clip = clipWith({ wrong: [10], noticed: 60 });
  assert.deepEqual(happens(clip, 0, 10), { onset: false, noticed: [false], wrong: [true] });
  assert.deepEqual(happens(clip, 10, 60), { onset: true, noticed: [true], wrong: [false] });
});

test("words of a picture are broken into lines", () => {
  assert.deepEqual(wrapped("one two three four", 9), ["one two", "three", "four"]);
});

test("a table is turned where there is little room", () => {
  const rows = [{ name: "a", cells: ["1", "2"] }, { name: "b", cells: ["3", "4"] }];
  assert.deepEqual(turned(["x", "y"], rows), [{ name: "x", cells: ["1", "3"] }, { name: "y", cells: ["2", "4"] }]);
});
