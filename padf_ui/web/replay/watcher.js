// @ts-check
// The presses of the person who watches a replay, and what is said of them.

import { clockText, firstPress, isFineClip, pointTime, worthAt } from "./playing.js";

/**
 * @typedef {import("../payload.d.ts").ReplayData} ReplayData
 * @typedef {import("../payload.d.ts").ReplayClip} ReplayClip
 * @typedef {import("./playing.js").Position} Position
 */

/** @type {import("../payload.d.ts").MOST_PRESSES} as many as Python takes for a clip */
const MOST_PRESSES = 100;

export class Watcher {
  constructor() {
    /** @type {number[][]} when "I see it" was pressed, clip by clip */
    this.presses = [];
  }

  /** @param {ReplayClip[]} clips of which nothing has been seen yet */
  begin(clips) {
    this.presses = clips.map(() => []);
  }

  /**
   * Notes a press; returns whether there was room for it.
   * @param {Position} position
   */
  press({ clip, seconds }) {
    if (this.presses[clip].length >= MOST_PRESSES) return false;
    this.presses[clip].push(seconds);
    return true;
  }

  get hasPressed() {
    return this.presses.some((own) => own.length);
  }

  /**
   * Returns what Python made of these very presses; nothing as long as it knows others.
   * @param {ReplayData} data
   */
  scored({ watched }) {
    return watched && JSON.stringify(watched.presses) === JSON.stringify(this.presses) ? watched : null;
  }

  /**
   * Returns when the incident of a clip was noticed; nothing where it was not.
   * @param {ReplayClip[]} clips
   * @param {number} index
   */
  noticed(clips, index) {
    return firstPress(clips[index], this.presses[index]);
  }

  /**
   * Counts the presses outside incidents, up to a moment.
   * @param {ReplayClip[]} clips
   * @param {Position} position
   */
  countWrong(clips, position) {
    return this.presses.slice(0, position.clip + 1).reduce((count, own, index) => {
      const { onset, over } = clips[index];
      const outside = own.map((seconds) => pointTime(clips[index], seconds)).filter((at) => at < onset || at >= over);
      return count + new Set(outside).size;
    }, 0);
  }

  /**
   * Returns what is said of the watcher in a clip: Python's words, once they are there.
   * @param {ReplayData} data
   * @param {number} index
   */
  wordsIn(data, index) {
    const scored = this.scored(data);
    if (scored) return scored.said[index];
    const { clips, has_clock } = data.rows;
    const own = this.noticed(clips, index);
    if (own === null) return "not seen";
    const clip = clips[index];
    const when = clockText(clip.begins + own, has_clock, isFineClip(clip));
    return `seen at ${when.split(" ").at(-1)}, worth ${worthAt(clip, own) ?? 0} %`;
  }
}
