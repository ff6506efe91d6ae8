// @ts-check
// Strokes on the two painted lanes, with a pointer or with keys on a cell.

/** @typedef {import("../core/history.js").Pattern} Pattern */

/**
 * The board that strokes are painted on.
 * @typedef {object} Paintable
 * @property {Pattern} pattern
 * @property {import("./grid.js").PatternGrid} grid
 * @property {import("../core/toolbar.js").Status} status
 * @property {(pattern: Pattern) => void} show
 * @property {(final: boolean) => void} askPattern
 * @property {() => void} finish
 */

/** The brush: what it paints, and the current stroke. */
export class Painter {
  /** @param {Paintable} board */
  constructor(board) {
    this.board = board;
    /** @type {{row: number, t: number} | null} where the pointer is during a stroke */
    this.stroke = null;
    this.before = board.pattern;
    this.brush = "1";
    /** @type {string | undefined} the brush that Shift and an arrow key continue with */
    this.keyBrush = undefined;
  }

  /** @param {string} [brush] */
  begin(brush = this.brush) {
    this.before = this.board.pattern;
    this.brush = brush;
  }

  /** @type {(row: number, from: number, to: number) => void} */
  paint(row, from, to) {
    const [first, last] = from <= to ? [from, to] : [to, from];
    const { pattern } = this.board;
    const name = row === 0 ? "labels" : "detections";
    const series = pattern[name];
    const stroke = this.brush.repeat(last - first + 1);
    const painted = series.slice(0, first) + stroke + series.slice(last + 1);
    this.board.show({ ...pattern, [name]: painted });
    this.board.askPattern(false);
  }

  /**
   * The first cell decides whether a stroke paints or erases.
   * @param {number} row
   * @param {number} t
   */
  otherBrush(row, t) {
    const { labels, detections } = this.board.pattern;
    return (row === 0 ? labels : detections)[t] === "1" ? "0" : "1";
  }

  /**
   * @param {number} row
   * @param {number} t
   */
  press(row, t) {
    this.begin(this.otherBrush(row, t));
    this.keyBrush = this.brush;
    this.stroke = { row, t };
    this.paint(row, t, t);
  }

  /** @param {number} t */
  drag(t) {
    if (!this.stroke || t === this.stroke.t) return;
    this.paint(this.stroke.row, this.stroke.t, t);
    this.stroke.t = t;
  }

  release() {
    if (!this.stroke) return;
    this.stroke = null;
    this.board.finish();
  }

  // The touch turned out to be scrolling, so nothing must stay painted.
  cancel() {
    if (!this.stroke) return;
    this.board.show(this.before);
    this.release();
  }

  /**
   * Returns the action of a key on the focused cell, or undefined for other keys.
   * @param {KeyboardEvent} event
   * @returns {(() => void) | undefined}
   */
  keyAction({ key, shiftKey }) {
    const { row, t } = this.board.grid.active;
    const last = this.board.pattern.labels.length - 1;
    /** @type {Record<string, () => void>} */
    const actions = {
      " ": () => this.paintByKey(row, t, t),
      Enter: () => this.paintByKey(row, t, t),
      ArrowLeft: () => this.stepByKey(row, t, Math.max(0, t - 1), shiftKey),
      ArrowRight: () => this.stepByKey(row, t, Math.min(last, t + 1), shiftKey),
      ArrowUp: () => this.stepByKey(0, t, t, false),
      ArrowDown: () => this.stepByKey(1, t, t, false),
      Home: () => this.stepByKey(row, t, 0, false),
      End: () => this.stepByKey(row, t, last, false),
    };
    return actions[key];
  }

  /** @type {(row: number, from: number, to: number, isPainting: boolean) => void} */
  stepByKey(row, from, to, isPainting) {
    const { grid } = this.board;
    if (!grid.isOpen(row)) return;
    if (isPainting) this.paintByKey(row, from, to, this.keyBrush);
    else this.keyBrush = undefined;
    grid.focus(row, to, true);
  }

  /** @type {(row: number, from: number, to: number, brush?: string) => void} */
  paintByKey(row, from, to, brush = this.otherBrush(row, from)) {
    this.begin(brush);
    this.keyBrush = brush;
    this.paint(row, from, to);
    this.board.finish();
    this.board.status.say(this.board.grid.nameOf(row, to));
  }
}
