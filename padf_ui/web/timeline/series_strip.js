// @ts-check
// The strip above a timeline: the whole series, its alarms, and a handle around the visible part.

import { setAll, shape } from "../core/dom.js";
import { outline } from "../lanes/lanes.js";
import { isFlagged } from "../core/lookup.js";
import { findOnes, findRuns } from "../lanes/pieces.js";

/**
 * @typedef {import("../payload.d.ts").TimelineRows["strip"]} StripRows
 * @typedef {{left: number, room: number}} Columns where the cells begin, and the width for them
 */

const HEIGHT = 30;
const LEAST = 1.5;

export class Strip {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.svg = shape("svg", { class: "strip", "aria-hidden": "true" }, parent);
    this.labels = shape("g", {}, this.svg);
    this.alarms = shape("path", { class: "hit" }, this.svg);
    this.handle = shape("rect", { class: "handle", y: 1, height: HEIGHT - 2 }, this.svg);
  }

  /**
   * Draws the segments of the series.
   * @param {StripRows} rows
   * @param {Columns & {width: number}} box
   */
  draw({ labels }, { width, left, room }) {
    setAll(this.svg, { width, height: HEIGHT });
    this.labels.replaceChildren();
    const ground = { x: left, y: 2, width: room, height: HEIGHT - 4 };
    shape("rect", { class: "normal", ...ground }, this.labels);
    const cell = room / labels.length;
    for (const { start, stop } of findOnes(labels)) {
      const place = { x: left + start * cell, y: 2, width: Math.max(LEAST, (stop - start) * cell) };
      shape("rect", { class: "truth", ...place, height: 15 }, this.labels);
    }
  }

  /**
   * Draws the alarms of the series at a step of the threshold.
   * @param {StripRows} rows
   * @param {Columns} columns
   * @param {number} step
   */
  drawAlarms({ levels }, { left, room }, step) {
    const cell = room / levels.length;
    const runs = findRuns(0, levels.length, (t) => isFlagged(levels[t], step));
    const path = runs.map(({ start, stop }) => {
      const width = Math.max(LEAST, (stop - start) * cell);
      return outline({ x: left + start * cell, y: 18, width, height: 10 }, 0);
    });
    this.alarms.setAttribute("d", path.join(""));
  }

  /**
   * Puts the handle around a part of the series, given as fractions of the whole.
   * @param {Columns} columns
   * @param {number} from
   * @param {number} to
   * @param {number} least the minimum width of the handle
   */
  placeHandle({ left, room }, from, to, least) {
    setAll(this.handle, { x: left + from * room, width: Math.max(least, (to - from) * room) });
  }
}
