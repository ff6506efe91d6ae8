// @ts-check
// Readers draw a curve as their guess. Then the computed curve is shown in the same plot.

import { addText, element, lineThrough, setAll, shape } from "../core/dom.js";
import { HandDrawn, strokeOver } from "../core/handdrawn.js";
import { isLow, isWide } from "../lanes/layout.js";
import { writeScore } from "../core/lookup.js";
import { Drawing, mount } from "../core/mount.js";
import { placeTickNames } from "../lanes/text_places.js";
import { followTheme } from "../core/theme.js";

/**
 * @typedef {import("../payload.d.ts").GuessData} GuessData
 * @typedef {import("../core/mount.js").Component<GuessData>} GuessComponent
 */

const PLOT = { left: 40, top: 14, height: 190 };
const LOW_HEIGHT = 120;
const UNDER_PLOT = 46;
const TOP_VALUE = 1000;

/** @extends {Drawing<GuessData, import("../payload.d.ts").GuessAsk>} */
class Guess extends Drawing {
  /** @param {HTMLElement} root */
  constructor(root) {
    super(root);
    /** @type {number[]} thousandths; empty before the first stroke */
    this.guess = [];
    this.room = 100;
    this.plot = PLOT;
    this.title = element("p", { class: "guess-title" }, root);
    this.keys = buildKeys(root);
    this.stage = element("div", { class: "stage" }, root);
    this.svg = shape("svg", { class: "lanes", role: "img" }, this.stage);
    this.ground = shape("g", {}, this.svg);
    this.drawn = shape("path", { class: "guess-line" }, this.svg);
    this.truth = shape("path", { class: "truth-line", pathLength: 1 }, this.svg);
    this.hint = shape("text", { class: "hint", "text-anchor": "middle" }, this.svg);
    this.hint.textContent = "drag here to draw the curve";
    this.hand = new HandDrawn(this.stage, {
      plot: () => ({ ...this.plot, cell: this.cell, count: this.count }),
      shareAt: (index) => (this.guess[index] ?? 0) / TOP_VALUE,
      nameAt: (index) => this.nameAt(index),
      onDraw: (from, to) => this.stroke(from, to),
    });
    this.words = element("p", { class: "guess-words", role: "status" }, root);
  }

  /** @param {GuessComponent} component */
  receive(component) {
    const { data } = component;
    const isNew = this.asker.receive(data);
    const isOther = this.component?.data.title !== data.title;
    const isRevealed = !isNew && !isOther && !this.component?.data.truth && data.truth !== null;
    if (isNew || isOther) {
      this.asker.withdraw("guess");
      this.hand.release();
    }
    const isAhead = this.hand.held !== null || this.asker.isWaiting;
    if (isNew || isOther || !isAhead) this.guess = [...data.guess];
    this.component = component;
    this.hand.isLocked = data.truth !== null;
    if (this.hand.isLocked) this.hand.release();
    this.truth.classList.toggle("revealed", isRevealed || (this.isShowing && data.truth !== null));
    followTheme(this.root);
    this.draw();
    this.asker.go();
  }

  // Whether the answer was revealed while this step was open, so that its curve is animated.
  get isShowing() {
    return this.truth.classList.contains("revealed");
  }

  get count() {
    return this.component?.data.x.length ?? 0;
  }

  get cell() {
    return this.room / Math.max(1, this.count);
  }

  /** @param {number} index */
  nameAt(index) {
    const data = /** @type {GuessData} */ (this.component?.data);
    const truth = data.truth ? `, the answer is ${writeScore(data.truth[index])}` : "";
    return `your guess at ${data.x[index]}${truth}`;
  }

  /** @override */
  draw() {
    const data = this.component?.data;
    const width = this.root.clientWidth;
    if (!data || !width) return;
    this.root.classList.toggle("narrow", !isWide(width));
    this.root.classList.toggle("locked", this.hand.isLocked);
    this.plot = { ...PLOT, height: isLow(window.innerHeight) ? LOW_HEIGHT : PLOT.height };
    this.room = Math.max(100, width - this.plot.left - 8);
    setAll(this.svg, { width, height: this.plot.top + this.plot.height + UNDER_PLOT });
    this.svg.setAttribute("aria-label", `${data.title} ${data.words}`);
    this.title.textContent = data.title;
    this.words.textContent = data.words;
    this.drawGround(data);
    this.drawn.setAttribute("d", this.pathOf(this.guess));
    this.truth.setAttribute("d", this.pathOf(data.truth ?? []));
    this.keys.truth.hidden = data.truth === null;
    setAll(this.hint, { x: this.plot.left + this.room / 2, y: this.plot.top + this.plot.height * 0.3 });
    this.hint.toggleAttribute("hidden", this.guess.length > 0 || this.hand.isLocked);
    this.hand.draw();
    this.showStale();
  }

  /** @param {GuessData} data */
  drawGround({ x, axis }) {
    this.ground.replaceChildren();
    const floor = this.plot.top + this.plot.height;
    for (const share of [0, 0.5, 1]) {
      const y = floor - share * this.plot.height;
      shape("path", { class: "grid-line", d: `M${this.plot.left},${y}h${this.room}` }, this.ground);
      addText(this.ground, "tick-text", this.plot.left - 8, y + 4, "end", String(share));
    }
    const ticks = x.map((name, index) => ({ at: index + 0.5, name }));
    for (const tick of placeTickNames(ticks, this.cell, this.room)) {
      addText(this.ground, "tick-text", this.plot.left + tick.x, floor + 18, "middle", tick.name);
    }
    const foot = { class: "lane-parameter", x: this.plot.left, y: floor + 38 };
    shape("text", foot, this.ground, axis);
  }

  /** @param {number[]} values */
  pathOf(values) {
    const points = values.map((value, index) => ({
      x: this.plot.left + (index + 0.5) * this.cell,
      y: this.plot.top + this.plot.height * (1 - value / TOP_VALUE),
    }));
    return lineThrough(points);
  }

  /** @type {(from: import("../core/handdrawn.js").Spot, to: import("../core/handdrawn.js").Spot) => void} */
  stroke(from, to) {
    const [first, last] = [from, to].map(({ index, share }) => ({
      index,
      value: Math.round(share * TOP_VALUE),
    }));
    this.guess = strokeOver(this.guess, this.count, first, last);
    this.asker.ask({ guess: [...this.guess] }, false);
    this.draw();
  }
}

/** @param {HTMLElement} root */
function buildKeys(root) {
  const box = element("div", { class: "guess-keys" }, root);
  /** @type {(line: string, text: string) => HTMLElement} */
  const add = (line, text) => {
    const entry = element("span", { class: "guess-key" }, box);
    const svg = shape("svg", { width: 28, height: 10, "aria-hidden": "true" }, entry);
    shape("path", { class: line, d: "M1,5h26" }, svg);
    entry.append(text);
    return entry;
  };
  return { guess: add("guess-line", "your guess"), truth: add("truth-line", "the answer") };
}

export default mount("guess", Guess);
