// @ts-check
// A random detector: users draw its probability of an alarm over one segment and see how the expected
// credit adds up. All terms come from Python.

import { addText, element, newDrawingId, setAll, shape } from "../core/dom.js";
import { HandDrawn } from "../core/handdrawn.js";
import { addHatches, dress } from "../lanes/lanes.js";
import { isWide } from "../lanes/layout.js";
import { Drawing, mount } from "../core/mount.js";
import { followTheme } from "../core/theme.js";

/**
 * @typedef {import("../payload.d.ts").ProbabilityData} ProbabilityData
 * @typedef {import("../core/mount.js").Component<ProbabilityData>} ProbabilityComponent
 */

const LEFT_OF_BARS = 46;
const UPPER = { top: 22, height: 120 };
const LOWER = { top: 188, height: 150 };

/** @extends {Drawing<ProbabilityData, import("../payload.d.ts").ProbabilityAsk>} */
class Probabilities extends Drawing {
  /** @param {HTMLElement} root */
  constructor(root) {
    super(root);
    this.id = newDrawingId();
    /** @type {number[]} */
    this.alarm = [];
    this.room = 100;
    const lead = "Drag the bars to set the probability of an alarm at each point of the segment.";
    element("p", { class: "lead" }, root, lead);
    this.stage = element("div", { class: "stage" }, root);
    this.svg = shape("svg", { class: "lanes", role: "img" }, this.stage);
    addHatches(this.svg, this.id);
    this.drawing = shape("g", {}, this.svg);
    this.hand = new HandDrawn(this.stage, {
      plot: () => ({ ...UPPER, left: LEFT_OF_BARS, cell: this.cell, count: this.alarm.length }),
      shareAt: (index) => this.alarm[index],
      nameAt: (index) => `probability of an alarm at delay ${index}`,
      onDraw: (from, to) => this.set(from.index, to.index, to.share),
    });
  }

  /** @param {ProbabilityComponent} component */
  receive(component) {
    const { data } = component;
    const isNew = this.asker.receive(data);
    if (isNew || this.component?.data.revision !== data.revision) {
      this.asker.withdraw("alarm");
      this.hand.release();
      this.alarm = [...data.alarm];
    } else if (this.hand.held === null && !this.asker.isWaiting) {
      this.alarm = [...data.alarm];
    }
    this.component = component;
    followTheme(this.root);
    this.draw();
    this.asker.go();
  }

  get cell() {
    return this.room / this.alarm.length;
  }

  /** @override */
  draw() {
    const data = this.component?.data;
    const width = this.root.clientWidth;
    if (!data || !width) return;
    this.root.classList.toggle("narrow", !isWide(width));
    this.room = Math.max(100, width - LEFT_OF_BARS - 8);
    setAll(this.svg, { width, height: LOWER.top + LOWER.height + 40, "aria-label": data.words });
    this.drawing.replaceChildren();
    this.drawScale(UPPER, "probability of an alarm, 1 − p(t)");
    this.alarm.forEach((probability, index) => this.drawBar(UPPER, index, probability, "hit", 1));
    this.drawScale(LOWER, "expected credit: each term and the running total");
    data.terms.forEach((term, index) => this.drawBar(LOWER, index, term, "adjusted", 0.5));
    this.drawSums(data);
    this.drawDelays();
    this.hand.draw();
    this.showStale();
  }

  /** @type {(panel: typeof UPPER, title: string) => void} */
  drawScale({ top, height }, title) {
    for (const share of [0, 0.5, 1]) {
      const y = top + height - share * height;
      shape("path", { class: "grid-line", d: `M${LEFT_OF_BARS},${y}h${this.room}` }, this.drawing);
      addText(this.drawing, "tick-text", LEFT_OF_BARS - 6, y + 4, "end", String(share));
    }
    addText(this.drawing, "lane-parameter", LEFT_OF_BARS, top - 8, "start", title);
  }

  /** @type {(panel: typeof UPPER, index: number, share: number, kind: string, least: number) => void} */
  drawBar({ top, height }, index, share, kind, least) {
    const rect = {
      x: LEFT_OF_BARS + (index + 0.1) * this.cell,
      y: top + height - share * height,
      width: 0.8 * this.cell,
      height: Math.max(least, share * height),
    };
    dress(shape("rect", rect, this.drawing), kind, this.id);
  }

  /** @param {ProbabilityData} data */
  drawSums({ sums, total }) {
    const ys = sums.map((sum) => LOWER.top + LOWER.height * (1 - sum));
    const path = ys.map((y, index) => {
      const x = LEFT_OF_BARS + index * this.cell;
      return `${index ? "L" : "M"}${x},${y}L${x + this.cell},${y}`;
    });
    shape("path", { class: "sum-line", d: path.join("") }, this.drawing);
    const last = ys[ys.length - 1];
    const y = last < LOWER.top + 30 ? last + 24 : last - 8;
    addText(this.drawing, "lane-score", LEFT_OF_BARS + this.room, y, "end", total);
  }

  drawDelays() {
    const floor = LOWER.top + LOWER.height;
    const every = Math.max(1, Math.ceil(28 / this.cell));
    for (let index = 0; index < this.alarm.length; index += every) {
      const x = LEFT_OF_BARS + (index + 0.5) * this.cell;
      addText(this.drawing, "tick-text", x, floor + 16, "middle", String(index));
    }
    const title = "delay of the first alarm (steps)";
    addText(this.drawing, "lane-parameter", LEFT_OF_BARS, floor + 34, "start", title);
  }

  /** @type {(from: number, to: number, probability: number) => void} */
  set(from, to, probability) {
    const rounded = Math.round(probability * 100) / 100;
    this.alarm.fill(rounded, Math.min(from, to), Math.max(from, to) + 1);
    this.asker.ask({ alarm: [...this.alarm] }, false);
    this.draw();
  }
}

export default mount("probabilities", Probabilities);
