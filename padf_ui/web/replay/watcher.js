// @ts-check
// The presses of the person who watches a replay, and their results.

import { clockText, firstPress, isFineClip, pointTime, worthAt } from "./playing.js";

/**
 * @typedef {import("../payload.d.ts").ReplayData} ReplayData
 * @typedef {import("../payload.d.ts").ReplayClip} ReplayClip
 * @typedef {import("./playing.js").Position} Position
 */

/** @type {import("../payload.d.ts").MOST_PRESSES} the most that Python accepts for a clip */
const MOST_PRESSES = 100;

export class Watcher {
  constructor() {
    /** @type {number[][]} the times at which "I see it" was pressed, for each clip */
    this.presses = [];
  }

  /** @param {ReplayClip[]} clips of a replay that starts now */
  begin(clips) {
    this.presses = clips.map(() => []);
  }

  /**
   * Records a press. Returns false if there were too many already.
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
   * Returns Python's result for exactly these presses, or null as long as it has the result for others.
   * @param {ReplayData} data
   */
  scored({ watched }) {
    return watched && JSON.stringify(watched.presses) === JSON.stringify(this.presses) ? watched : null;
  }

  /**
   * Returns when the incident of a clip was noticed, or null if it was not.
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
   * Returns the watcher's result in a clip, in Python's words once they have arrived.
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
