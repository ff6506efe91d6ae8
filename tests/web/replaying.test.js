// @ts-check
import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";

import start from "../../padf_ui/web/replay/replay.js";
import startFile from "../../padf_ui/web/replay/replay_file.js";
import { turned } from "../../padf_ui/web/replay/end_card.js";
import { wrapped } from "../../padf_ui/web/replay/replay_picture.js";
import { clock, fire, Mounted, motion, numbersOf, openTab, page, pressKey } from "./fake_dom.js";
import { HOSTILE, replayClip, replayData } from "./samples.js";

beforeEach(openTab);

// A replay begins at 0.6 of the onset, at 1800 seconds: 00:30. At 60x a second is a minute.
const BEGIN = 1800;

/**
 * @param {Record<string, any>} [rows]
 * @param {Record<string, any>} [changes]
 * @param {number} [width]
 */
function replay(rows = {}, changes = {}, width = 1274) {
  const data = replayData();
  return new Mounted(start, "replay", { ...data, ...changes, rows: { ...data.rows, ...rows } }, width);
}

/** @param {Mounted} mounted */
const seconds = (mounted) => Math.round(Number(mounted.one(".replay-scrub").value) * 1000) / 1000;

/**
 * @param {Mounted} mounted
 * @param {string} name
 */
const tool = (mounted, name) => mounted.one(`[data-tool=${name}]`);

/** @param {Mounted} mounted */
const clockOf = (mounted) => mounted.one(".replay-clock").textContent;

/**
 * Returns the phase of A, B and the watcher.
 * @param {Mounted} mounted
 */
const phases = (mounted) => mounted.all(".replay-seat").map((/** @type {any} */ seat) => seat.dataset.phase);

/**
 * Moves the clock with the slider.
 * @param {Mounted} mounted
 * @param {number} to
 */
function scrub(mounted, to) {
  mounted.one(".replay-scrub").value = String(to);
  fire(mounted.one(".replay-scrub"), "input");
}

/** @param {Mounted} mounted */
const see = (mounted) => mounted.one(".replay-see").click();

/** @param {Mounted} mounted */
const isOver = (mounted) => !mounted.one(".replay-card").hidden;

// ---- playing -----------------------------------------------------------------------------------

test("a replay waits at a quiet moment before the onset", () => {
  const mounted = replay();
  assert.equal(seconds(mounted), BEGIN);
  assert.equal(clockOf(mounted), "Thu 1 Jan 00:30");
  assert.deepEqual(phases(mounted), ["quiet", "quiet", "quiet"]);
  assert.ok(!mounted.one(".replay-invitation").hidden);
  assert.equal(tool(mounted, "play").getAttribute("aria-label"), "play");
  clock.pass(5000);
  assert.equal(seconds(mounted), BEGIN, "no time passes before Play");
  assert.ok(!isOver(mounted));
});

test("a second of playing is a minute at 60x, and a pause stops it", () => {
  const mounted = replay();
  tool(mounted, "play").click();
  assert.ok(mounted.one(".replay-invitation").hidden);
  assert.equal(tool(mounted, "play").getAttribute("aria-label"), "pause");
  clock.pass(10_000);
  // 1800 + 10 * 60.
  assert.equal(seconds(mounted), 2400);
  assert.equal(clockOf(mounted), "Thu 1 Jan 00:40");
  tool(mounted, "play").click();
  clock.pass(10_000);
  assert.equal(seconds(mounted), 2400);
  tool(mounted, "play").click();
  clock.pass(1000);
  assert.equal(seconds(mounted), 2460, "it goes on where it was, whatever time went by meanwhile");
});

test("the speed can be changed while it plays", () => {
  const mounted = replay();
  assert.deepEqual(mounted.texts("option"), ["30x", "60x", "120x"]);
  tool(mounted, "play").click();
  clock.pass(1000);
  mounted.one("select").value = "120";
  fire(mounted.one("select"), "change");
  clock.pass(1000);
  assert.equal(seconds(mounted), BEGIN + 60 + 120);
});

test("where motion is not wanted, time goes on in steps of a second", () => {
  motion.isReduced = true;
  const mounted = replay();
  tool(mounted, "play").click();
  clock.pass(980);
  assert.equal(seconds(mounted), BEGIN);
  clock.pass(20);
  assert.equal(seconds(mounted), BEGIN + 60);
});

test("only what has passed can be seen", () => {
  const mounted = replay();
  // The stage is 1274 - 320 - 20 = 934 wide; 1800 of 6000 seconds are 280.2.
  const past = mounted.one("clipPath rect");
  assert.deepEqual(numbersOf(past, "width"), [280.2]);
  const noticed = mounted.one(".replay-percent");
  assert.equal(noticed.textContent, "75 %");
  assert.equal(noticed.parentElement.getAttribute("visibility"), "hidden");
  scrub(mounted, 3300);
  assert.deepEqual(numbersOf(past, "width"), [513.7]);
  assert.equal(noticed.parentElement.getAttribute("visibility"), "visible");
});

test("false calls are counted as they happen", () => {
  const mounted = replay();
  const calls = () => mounted.texts(".replay-calls").map((/** @type {string} */ text) => Number.parseInt(text, 10));
  assert.deepEqual(calls(), [0, 0, 0]);
  scrub(mounted, 2000);
  assert.deepEqual(calls(), [0, 1, 0]);
  scrub(mounted, 2600);
  assert.deepEqual(calls(), [0, 2, 0]);
});

test("detectors go from quiet to unnoticed, noticed or missed", () => {
  const mounted = replay();
  scrub(mounted, 3060);
  assert.deepEqual(phases(mounted), ["unnoticed", "unnoticed", "unnoticed"]);
  assert.match(mounted.texts(".replay-said")[0], /00:01/);
  // 60 of 1200 seconds: still in the first quarter.
  assert.match(mounted.one(".replay-now").textContent, /100 %/);
  assert.equal(mounted.one(".replay-fill").style.width, "100%");
  scrub(mounted, 3300);
  assert.deepEqual(phases(mounted), ["noticed", "unnoticed", "unnoticed"]);
  assert.equal(mounted.texts(".replay-said")[0], "alarm at 00:55, worth 75 %");
  assert.match(mounted.one(".replay-now").textContent, /75 %/);
  scrub(mounted, 4200);
  assert.deepEqual(phases(mounted), ["noticed", "missed", "missed"]);
  assert.equal(mounted.one(".replay-fill").style.width, "0%");
});

test("an alarm rings when the clock passes it, a false one differently", () => {
  const mounted = replay();
  const [first, second] = mounted.all(".replay-seat");
  scrub(mounted, 1990);
  tool(mounted, "play").click();
  clock.pass(400);
  assert.ok(second.classList.contains("rings-false"));
  assert.match(mounted.one(".status").textContent, /^B: .*false/);
  clock.pass(700);
  assert.ok(!second.classList.contains("rings-false"), "a ring is short");
  tool(mounted, "play").click();
  scrub(mounted, 3290);
  tool(mounted, "play").click();
  clock.pass(400);
  assert.ok(first.classList.contains("rings"));
  assert.equal(mounted.one(".status").textContent, "A: alarm at 00:55, worth 75 %");
});

// ---- stepping ----------------------------------------------------------------------------------

test("the next event is the next thing that happens, up to the end", () => {
  const mounted = replay();
  const stops = [];
  while (!isOver(mounted) && stops.length < 20) {
    tool(mounted, "next").click();
    stops.push(seconds(mounted));
  }
  // Two false calls, the onset, A's alarm, the end of the incident, the end of the clip.
  assert.deepEqual(stops, [2000, 2500, 3000, 3300, 4200, 6000]);
});

test("stepping pauses the replay and says what happens", () => {
  const mounted = replay();
  tool(mounted, "play").click();
  tool(mounted, "next").click();
  clock.pass(3000);
  assert.equal(seconds(mounted), 2000);
  assert.match(mounted.one(".status").textContent, /^B: /);
});

test("back leads to the beginning", () => {
  const mounted = replay();
  scrub(mounted, 4000);
  tool(mounted, "back").click();
  assert.equal(seconds(mounted), BEGIN);
});

test("keys play, step by a point and go to the next event", () => {
  const mounted = replay();
  const stage = mounted.one(".stage");
  assert.ok(pressKey(stage, " ").defaultPrevented);
  clock.pass(1500);
  // 1800 + 90 is inside the point of 1860; its next point is 1920.
  pressKey(stage, "ArrowRight");
  assert.equal(seconds(mounted), 1920);
  clock.pass(1000);
  assert.equal(seconds(mounted), 1920, "a step pauses");
  pressKey(stage, "ArrowLeft");
  assert.equal(seconds(mounted), 1860);
  pressKey(stage, "n");
  assert.equal(seconds(mounted), 2000);
  pressKey(stage, "Home");
  assert.equal(seconds(mounted), BEGIN);
});

test("a button keeps its space key, a field its arrow keys, and Ctrl all of them", () => {
  const mounted = replay();
  assert.ok(!pressKey(tool(mounted, "play"), " ").defaultPrevented);
  assert.ok(!pressKey(mounted.one(".replay-scrub"), "ArrowRight").defaultPrevented);
  assert.ok(!pressKey(mounted.one(".stage"), "n", { ctrlKey: true }).defaultPrevented);
  assert.equal(seconds(mounted), BEGIN);
});

test("a drag over the picture moves the clock and pauses", () => {
  const mounted = replay();
  const stage = mounted.one(".stage");
  mounted.one(".stage .lanes").said.left = 50;
  tool(mounted, "play").click();
  fire(stage, "pointermove", { clientX: 300 });
  assert.equal(seconds(mounted), BEGIN, "a mouse that only passes moves nothing");
  fire(stage, "pointerdown", { clientX: 50 + 467 });
  // 467 of 934 pixels are half of 6000 seconds.
  assert.equal(seconds(mounted), 3000);
  fire(stage, "pointermove", { clientX: 9999 });
  assert.equal(seconds(mounted), 6000);
  fire(stage, "pointermove", { clientX: -100 });
  assert.equal(seconds(mounted), 0);
  clock.pass(1000);
  assert.equal(seconds(mounted), 0);
});

// ---- several clips -----------------------------------------------------------------------------

/** Two clips: the second begins a day later and skips what lies between. */
function twoClips() {
  const second = { ...replayClip(), title: "second", begins: 86400, skipped: "a day later", missed_calls: [3, 0] };
  return replay({ clips: [replayClip(), second] });
}

test("the second clip follows the first, with what lies between them", () => {
  const mounted = twoClips();
  scrub(mounted, 5990);
  tool(mounted, "play").click();
  clock.pass(1000);
  // 10 seconds to the end of the first clip, 50 into the second.
  assert.equal(seconds(mounted), 50);
  assert.equal(clockOf(mounted), "Fri 2 Jan 00:00");
  assert.match(mounted.one(".replay-title").textContent, /second/);
  assert.equal(mounted.one(".replay-note").textContent, "a day later");
  assert.match(mounted.texts(".replay-calls")[0], /^3 /, "false calls of what was skipped count");
  scrub(mounted, 100);
  tool(mounted, "back").click();
  assert.equal(seconds(mounted), 0);
  tool(mounted, "back").click();
  assert.equal(seconds(mounted), BEGIN);
  assert.match(mounted.one(".replay-title").textContent, /first/);
});

test("presses belong to the clip in which they were made", () => {
  const mounted = twoClips();
  scrub(mounted, 3000);
  see(mounted);
  for (let step = 0; step < 5 && !/second/.test(mounted.one(".replay-title").textContent); step += 1) {
    tool(mounted, "next").click();
  }
  assert.equal(mounted.all("[data-own]").length, 0);
  mounted.answer();
  scrub(mounted, 3600);
  see(mounted);
  assert.deepEqual(mounted.asked, { key: "web_service/1", presses: [[3000], [3600]] });
});

// ---- the watcher -------------------------------------------------------------------------------

test("a press during the replay counts from the newest point and is worth what an alarm is then", () => {
  const mounted = replay();
  scrub(mounted, 3300);
  tool(mounted, "play").click();
  clock.pass(6000);
  // 3300 + 360 = 3660: 660 of 1200 seconds are in the third quarter.
  see(mounted);
  assert.deepEqual(phases(mounted)[2], "noticed");
  assert.match(mounted.texts(".replay-said")[2], /01:01.*50 %/);
  assert.equal(mounted.one("[data-own] text").textContent, "50 %");
  const [[press]] = mounted.asked.presses;
  assert.ok(Math.abs(press - 3660) < 1e-6);
  clock.pass(1000);
  assert.ok(seconds(mounted) > 3660, "the replay goes on");
});

test("a press before the incident is a false call", () => {
  const mounted = replay();
  see(mounted);
  assert.match(mounted.texts(".replay-calls")[2], /^1 /);
  assert.equal(mounted.all("[data-own]").length, 0);
  assert.ok(mounted.all(".replay-seat")[2].classList.contains("rings-false"));
  scrub(mounted, 1810);
  see(mounted);
  assert.match(mounted.texts(".replay-calls")[2], /^1 /, "twice in the same minute is one call");
  assert.deepEqual(phases(mounted)[2], "quiet");
});

test("the letter I says that the incident is seen", () => {
  const mounted = replay();
  scrub(mounted, 3000);
  pressKey(mounted.one(".stage"), "i");
  assert.deepEqual(mounted.asked, { key: "web_service/1", presses: [[3000]] });
  assert.match(mounted.texts(".replay-said")[2], /00:50.*100 %/);
});

test("Python's words on the presses replace those of the browser", () => {
  const mounted = replay();
  scrub(mounted, 3000);
  see(mounted);
  const row = { name: "You", cells: ["0.7", "0.6"] };
  mounted.answer({ watched: { presses: [[3000]], said: ["seen, says Python"], row } });
  assert.equal(mounted.texts(".replay-said")[2], "seen, says Python");
  assert.match(mounted.texts(".replay-calls")[2], /0\.7.*0\.6/);
  assert.equal(seconds(mounted), 3000, "an answer moves no clock");
  see(mounted);
  assert.notEqual(mounted.texts(".replay-said")[2], "seen, says Python", "they are about other presses");
});

test("a key that is held down is one press", () => {
  // Python refuses a clip with more than 100 presses, and says nothing.
  const mounted = replay();
  scrub(mounted, 3000);
  for (let time = 0; time < 101; time += 1) {
    pressKey(mounted.one(".stage"), "i", { repeat: time > 0 });
  }
  mounted.answer();
  assert.deepEqual(mounted.asked.presses, [[3000]]);
});

// ---- the end -----------------------------------------------------------------------------------

test("at the end the card tells how it went", () => {
  const mounted = replay();
  scrub(mounted, 5980);
  tool(mounted, "play").click();
  clock.pass(1000);
  assert.ok(isOver(mounted));
  assert.equal(seconds(mounted), 6000);
  assert.ok(mounted.root.classList.contains("over"));
  assert.deepEqual(mounted.texts(".replay-line"), ["A was first."]);
  assert.deepEqual(mounted.texts("tbody tr"), ["A0.90.8", "B0.30.2"]);
  assert.equal(page.activeElement, tool(mounted, "again"));
  see(mounted);
  assert.deepEqual(mounted.asks, [], "who presses after the end sees nothing first");
});

test("the watcher's line is on the card once Python has scored the same presses", () => {
  const mounted = replay();
  scrub(mounted, 3000);
  see(mounted);
  const row = { name: "You", cells: ["0.7", "0.6"] };
  const watched = { presses: [[3000]], said: ["seen, says Python"], row };
  scrub(mounted, 5000);
  tool(mounted, "next").click();
  assert.equal(mounted.texts("tbody tr").length, 2);
  mounted.answer({ watched });
  assert.deepEqual(mounted.texts("tbody tr")[2], "You0.70.6");
  assert.match(mounted.texts(".replay-line")[1], /seen, says Python/);
});

test("a score of other presses is not on the card", () => {
  const mounted = replay();
  scrub(mounted, 3000);
  see(mounted);
  const row = { name: "You", cells: ["0.7", "0.6"] };
  mounted.answer({ watched: { presses: [[3000]], said: ["seen, says Python"], row } });
  scrub(mounted, 5000);
  see(mounted);
  tool(mounted, "next").click();
  assert.deepEqual(mounted.texts("tbody tr"), ["A0.90.8", "B0.30.2"]);
});

test("playing again starts over, without the earlier presses", () => {
  const mounted = replay();
  scrub(mounted, 3000);
  see(mounted);
  scrub(mounted, 5000);
  tool(mounted, "next").click();
  tool(mounted, "again").click();
  assert.ok(!isOver(mounted));
  assert.equal(seconds(mounted), BEGIN);
  assert.equal(mounted.all("[data-own]").length, 0);
  clock.pass(1000);
  assert.equal(seconds(mounted), BEGIN + 60, "and plays at once");
});

test("playing again forgets the score of before", () => {
  const mounted = replay();
  scrub(mounted, 3000);
  see(mounted);
  const row = { name: "You", cells: ["0.7", "0.6"] };
  mounted.answer({ watched: { presses: [[3000]], said: ["seen, says Python"], row } });
  scrub(mounted, 5000);
  tool(mounted, "next").click();
  tool(mounted, "again").click();
  assert.doesNotMatch(mounted.texts(".replay-calls")[2], /0\.7/);
});

test("on a phone the table of the card is turned", () => {
  const mounted = replay({}, {}, 348);
  scrub(mounted, 5000);
  tool(mounted, "next").click();
  assert.deepEqual(mounted.texts("thead th"), ["", "A", "B"]);
  assert.deepEqual(mounted.texts("tbody tr"), ["usual0.90.3", "time-aware0.80.2"]);
});

// ---- what comes --------------------------------------------------------------------------------

test("another replay starts over, another rule for the same clips leaves the clock alone", () => {
  const mounted = replay();
  scrub(mounted, 3400);
  const clip = { ...replayClip(), worth: [100, 10, 10, 10, 0] };
  mounted.receive({ ...mounted.data, key: "rule/2", rows: { ...mounted.data.rows, clips: [clip] } });
  assert.equal(seconds(mounted), 3400);
  assert.match(mounted.one(".replay-now").textContent, /10 %/);
  const other = { ...replayClip(), begins: 7200 };
  mounted.receive({ ...mounted.data, key: "other", rows: { ...mounted.data.rows, clips: [other] } });
  assert.equal(seconds(mounted), BEGIN);
});

test("names that look like markup are texts, on the card too", () => {
  const data = replayData();
  const detectors = data.rows.detectors.map((each) => ({ ...each, name: HOSTILE, rule: HOSTILE }));
  const card = { ...data.rows.card, lines: [HOSTILE], rows: [{ name: HOSTILE, cells: [HOSTILE, HOSTILE] }] };
  const mounted = replay({ title: HOSTILE, signal_name: HOSTILE, detectors, card });
  scrub(mounted, 5000);
  tool(mounted, "next").click();
  assert.equal(mounted.texts(".replay-rule")[0], HOSTILE);
  assert.equal(mounted.one(".replay-card h2").textContent, HOSTILE);
  assert.deepEqual(mounted.texts("td"), [HOSTILE, HOSTILE]);
  assert.equal(mounted.all("img").length, 0);
});

test("a replay in a file plays without Python and asks nothing", () => {
  const root = page.createElement("div");
  root.said.width = 1274;
  page.body.append(root);
  startFile(root, { ...replayData(), name: HOSTILE });
  assert.equal(root.querySelector("h1").textContent, "Web shop");
  assert.equal(root.querySelector(".file-name").textContent, HOSTILE);
  root.querySelector("[data-tool=play]").click();
  clock.pass(1000);
  assert.equal(Math.round(Number(root.querySelector(".replay-scrub").value)), BEGIN + 60);
  root.querySelector(".replay-see").click();
  assert.match(root.querySelectorAll(".replay-calls")[2].textContent, /^1 /);
  assert.equal(root.querySelectorAll("img").length, 0);
});

test("without a server nothing is asked and there is no link to copy", () => {
  const mounted = replay({}, { name: "PAdf Explorer" });
  see(mounted);
  scrub(mounted, 5000);
  tool(mounted, "next").click();
  assert.deepEqual(mounted.asks, []);
  assert.equal(mounted.all("[data-tool=link]").length, 0);
});

test("a replay that is taken away no longer runs", () => {
  const mounted = replay();
  tool(mounted, "play").click();
  mounted.close?.();
  assert.equal([...clock.waiting.values()].length, 0);
});

// ---- small parts -------------------------------------------------------------------------------

test("a table is turned: its columns become rows", () => {
  const rows = [{ name: "A", cells: ["1", "2"] }, { name: "B", cells: ["3", "4"] }];
  assert.deepEqual(turned(["x", "y"], rows), [
    { name: "x", cells: ["1", "3"] },
    { name: "y", cells: ["2", "4"] },
  ]);
});

test("a text is broken between words", () => {
  assert.deepEqual(wrapped("one two three", 8), ["one two", "three"]);
  assert.deepEqual(wrapped("incomprehensibility is", 5), ["incomprehensibility", "is"]);
});
