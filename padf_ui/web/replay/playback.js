// @ts-check
// Advances the time frame by frame while a replay plays.

import { isStill } from "../core/theme.js";

const STEP_MS = 1000;

export class Playback {
  /** @param {(seconds: number) => void} onPass called with the replay seconds that have passed */
  constructor(onPass) {
    this.onPass = onPass;
    this.speed = 60;
    this.isPlaying = false;
    /** @type {number | undefined} */
    this.frame = undefined;
    this.last = 0;
  }

  play() {
    this.isPlaying = true;
    this.restart();
    this.frame = requestAnimationFrame((now) => this.tick(now));
  }

  pause() {
    this.isPlaying = false;
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
    this.frame = undefined;
  }

  /** Starts to measure from now, for example after a jump. */
  restart() {
    this.last = performance.now();
  }

  /** @param {number} now */
  tick(now) {
    if (!this.isPlaying) return;
    const gone = Math.max(0, now - this.last);
    // If the user prefers reduced motion, the time advances in steps of one second.
    if (!isStill() || gone >= STEP_MS) {
      this.last = now;
      this.onPass((gone / 1000) * this.speed);
    }
    if (this.isPlaying) this.frame = requestAnimationFrame((next) => this.tick(next));
  }
}
