// @ts-check
// The panel next to a replay: its clock, what an alarm is worth now, and a seat for each detector and the
// watcher.

import { element, writeText } from "../core/dom.js";
import { callsUntil, clockText, isFineClip, phaseAt, stopwatch, worthAt } from "./playing.js";
import { colourIn } from "../core/theme.js";

/**
 * @typedef {import("../payload.d.ts").ReplayData} ReplayData
 * @typedef {import("../payload.d.ts").ReplayClip} ReplayClip
 * @typedef {import("../payload.d.ts").ReplayRows["detectors"]} Detectors
 * @typedef {import("./playing.js").Position} Position
 * @typedef {import("./watcher.js").Watcher} Watcher
 * @typedef {{box: HTMLElement, said: HTMLElement, calls: HTMLElement}} Seat
 */

const RING_MS = 700;

export class Scoreboard {
  /**
   * @param {HTMLElement} root
   * @param {() => void} onSee called when the watcher reports that they see the incident
   */
  constructor(root, onSee) {
    this.root = root;
    const top = element("div", { class: "replay-top" }, root);
    this.title = element("p", { class: "replay-title" }, top);
    this.clock = element("p", { class: "replay-clock" }, top);
    const gauge = element("div", { class: "replay-gauge" }, top);
    this.now = element("p", { class: "replay-now" }, gauge);
    const bar = element("span", { class: "replay-bar", "aria-hidden": "true" }, gauge);
    this.fill = element("span", { class: "replay-fill" }, bar);
    const see = element("button", { type: "button", class: "replay-see" }, root, "I see it");
    see.addEventListener("click", onSee);
    this.seatBox = element("div", { class: "replay-seats" }, root);
    /** @type {Seat[]} */
    this.seats = [];
  }

  /**
   * Creates a seat for each detector, then the seat of the watcher.
   * @param {Detectors} detectors
   */
  seat(detectors) {
    this.seatBox.replaceChildren();
    this.seats = [...detectors, { name: "You", rule: "" }].map(({ name, rule }) => {
      return buildSeat(this.seatBox, name, rule);
    });
  }

  /** @param {Detectors} detectors */
  colour(detectors) {
    this.seats.forEach(({ box }, index) => {
      const colour = colourIn(detectors[index]?.colours, this.root);
      box.style.setProperty("--curve", colour || "var(--ink)");
    });
  }

  /**
   * Shows the state at a moment.
   * @param {ReplayData} data
   * @param {Position} at
   * @param {Watcher} watcher
   */
  show(data, at, watcher) {
    const { title, clips, has_clock } = data.rows;
    const clip = clips[at.clip];
    writeText(this.clock, clockText(clip.begins + at.seconds, has_clock, isFineClip(clip)));
    writeText(this.title, clips.length > 1 ? `${title}: ${clip.title}` : title);
    this.showWorth(clip, at.seconds);
    clip.tracks.forEach((track, index) => {
      this.showPhase(this.seats[index], clip, at.seconds, track.noticed, track.said);
      const calls = countCalls(callsUntil(clips, index, at));
      const far = data.rows.detectors[index].calls;
      writeText(this.seats[index].calls, `${calls} so far, ${far} per day in all the data`);
    });
    this.showWatcher(data, at, watcher);
  }

  /**
   * @param {ReplayClip} clip
   * @param {number} seconds
   */
  showWorth(clip, seconds) {
    const worth = worthAt(clip, seconds);
    const words = seconds >= clip.over ? "The incident is over" : "All is quiet";
    writeText(this.now, worth === null ? words : `An alarm now is worth ${worth} %`);
    this.fill.style.width = `${worth ?? 0}%`;
  }

  /** @type {(data: ReplayData, at: Position, watcher: Watcher) => void} */
  showWatcher(data, at, watcher) {
    const { clips } = data.rows;
    const seat = this.seats[this.seats.length - 1];
    const noticed = watcher.noticed(clips, at.clip);
    this.showPhase(seat, clips[at.clip], at.seconds, noticed, watcher.wordsIn(data, at.clip));
    const cells = watcher.scored(data)?.row.cells;
    const scores = cells ? `, usual score ${cells[0]}, time-aware score ${cells[1]}` : "";
    writeText(seat.calls, `${countCalls(watcher.countWrong(clips, at))}${scores}`);
  }

  /** @type {(seat: Seat, clip: ReplayClip, seconds: number, noticed: number | null, told: string) => void} */
  showPhase({ box, said }, clip, seconds, noticed, told) {
    const phase = phaseAt(clip, noticed, seconds);
    box.dataset.phase = phase;
    if (phase === "quiet") writeText(said, "quiet");
    else if (phase === "unnoticed") {
      writeText(said, `unnoticed for ${stopwatch(seconds - clip.onset, isFineClip(clip))}`);
    } else writeText(said, told);
  }

  /**
   * Highlights a seat for a moment.
   * @param {number} index
   * @param {boolean} isFalse
   */
  flash(index, isFalse) {
    const { box } = this.seats[index];
    box.classList.add(isFalse ? "rings-false" : "rings");
    setTimeout(() => box.classList.remove("rings-false", "rings"), RING_MS);
  }
}

/** @param {number} count */
function countCalls(count) {
  return `${count} false ${count === 1 ? "call" : "calls"}`;
}

/**
 * @param {Element} parent
 * @param {string} name
 * @param {string} rule in words
 * @returns {Seat}
 */
function buildSeat(parent, name, rule) {
  const box = element("div", { class: "replay-seat" }, parent);
  element("p", { class: "replay-who" }, box, name);
  element("p", { class: "replay-rule" }, box, rule);
  const said = element("p", { class: "replay-said" }, box);
  const calls = element("p", { class: "replay-calls" }, box);
  return { box, said, calls };
}
