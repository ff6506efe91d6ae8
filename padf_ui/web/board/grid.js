// @ts-check
// The cells that users can paint, for keyboard and screen reader.

import { element } from "../core/dom.js";

/** The lanes that users can paint, from top to bottom. */
export const PAINTED = ["truth", "detections"];

/** @typedef {import("../core/history.js").Pattern} Pattern */

export class PatternGrid {
  /** @param {Element} parent */
  constructor(parent) {
    const label = "Truth and detections, one column per point in time";
    this.root = element("div", { class: "grid", role: "grid", "aria-label": label }, parent);
    this.active = { row: 1, t: 0 };
    /** @type {string[]} the rows that can be painted */
    this.open = PAINTED;
    /** @type {HTMLElement[]} */
    this.lines = [];
    /** @type {HTMLElement[][]} */
    this.cells = [];
  }

  /** @param {number} t */
  has(t) {
    return t < (this.cells[0]?.length ?? 0);
  }

  /**
   * @param {number} count of points
   * @param {number} cell
   * @param {Record<string, {y: number, h: number}>} lanes
   */
  lay(count, cell, lanes) {
    if (this.cells[0]?.length !== count) this.build(count);
    this.lines.forEach((line, row) => {
      const lane = lanes[PAINTED[row]];
      line.style.top = `${lane.y}px`;
      line.style.height = `${lane.h}px`;
      line.style.gridTemplateColumns = `repeat(${count}, ${cell}px)`;
    });
  }

  /** @param {number} count */
  build(count) {
    this.root.replaceChildren();
    this.lines = ["Truth", "Detections"].map((label) =>
      element("div", { class: "row", role: "row", "aria-label": label }, this.root),
    );
    this.cells = this.lines.map((line) =>
      Array.from({ length: count }, () =>
        element("div", { class: "cell", role: "gridcell", tabindex: -1 }, line),
      ),
    );
    this.active.t = Math.min(this.active.t, count - 1);
    this.lock();
  }

  /** @param {number} row */
  isOpen(row) {
    return this.open.includes(PAINTED[row]);
  }

  /**
   * Sets which rows can be painted. The others stay readable.
   * @param {string[]} rows
   */
  allow(rows) {
    if (this.open.join() === rows.join()) return;
    this.open = rows;
    this.lock();
  }

  lock() {
    const only = PAINTED.findIndex((_, row) => this.isOpen(row));
    if (!this.isOpen(this.active.row) && only >= 0) this.active.row = only;
    this.cells.forEach((line, row) => {
      this.lines[row].classList.toggle("locked", !this.isOpen(row));
      line.forEach((cell, t) => {
        const isStop = this.isOpen(row) && this.active.row === row && this.active.t === t;
        cell.tabIndex = isStop ? 0 : -1;
        cell.setAttribute("aria-readonly", String(!this.isOpen(row)));
      });
    });
  }

  /**
   * Labels every cell with its content.
   * @param {Pattern} pattern
   * @param {string[]} times
   */
  name(pattern, times) {
    this.cells[0].forEach((cell, t) => {
      const is = pattern.labels[t] === "1" ? "anomaly" : "normal";
      setLabel(cell, `time ${times[t] ?? t}, truth: ${is}`);
    });
    this.cells[1].forEach((cell, t) => {
      const is = pattern.detections[t] === "1" ? "alarm" : "none";
      setLabel(cell, `time ${times[t] ?? t}, detection: ${is}`);
    });
  }

  /**
   * @param {number} row
   * @param {number} t
   */
  nameOf(row, t) {
    return this.cells[row][t].getAttribute("aria-label") ?? "";
  }

  /**
   * Links the focused cell to the element that describes it.
   * @param {string | null} id
   */
  describe(id) {
    this.root.querySelector("[aria-describedby]")?.removeAttribute("aria-describedby");
    if (id) this.root.querySelector(".cell:focus")?.setAttribute("aria-describedby", id);
  }

  /**
   * @param {number} row
   * @param {number} t
   * @param {boolean} scrolls
   */
  focus(row, t, scrolls) {
    this.activate(row, t);
    this.cells[row][t].focus({ preventScroll: !scrolls });
  }

  /**
   * Makes a cell the active one: keys act on it and Tab reaches it.
   * @param {number} row
   * @param {number} t
   */
  activate(row, t) {
    this.cells[this.active.row][this.active.t].tabIndex = -1;
    this.active = { row, t };
    this.cells[row][t].tabIndex = 0;
  }

  /**
   * Follows the focus to a cell that received it in another way, such as from a screen reader.
   * @param {EventTarget | null} target
   */
  follow(target) {
    const row = this.lines.findIndex((line) => line === /** @type {Element} */ (target).parentElement);
    if (row < 0 || !this.isOpen(row)) return;
    this.activate(row, this.cells[row].indexOf(/** @type {HTMLElement} */ (target)));
  }
}

/**
 * @param {Element} made
 * @param {string} label
 */
function setLabel(made, label) {
  if (made.getAttribute("aria-label") !== label) made.setAttribute("aria-label", label);
}
