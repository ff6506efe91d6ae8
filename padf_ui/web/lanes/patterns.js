// @ts-check
// Shows patterns side by side for comparison. They have scores only if Python sent lanes.

import { element, newDrawingId, setAll, shape } from "../core/dom.js";
import { drawLegend } from "./labels.js";
import { addHatches } from "./lanes.js";
import { rowAt, scoreAt, textAt } from "../core/lookup.js";
import { buildMini, drawMini } from "./mini.js";
import { Drawing, mount } from "../core/mount.js";
import { followTheme } from "../core/theme.js";

/**
 * @typedef {import("../payload.d.ts").PatternsData} PatternsData
 * @typedef {import("../payload.d.ts").Lane} Lane
 * @typedef {import("./mini.js").Mini} Mini
 * @typedef {import("../core/mount.js").Component<PatternsData>} PatternsComponent
 */

const LANE_HEIGHT = 20;

/** @extends {Drawing<PatternsData>} */
class Patterns extends Drawing {
  /** @param {HTMLElement} root */
  constructor(root) {
    super(root);
    this.id = newDrawingId();
    this.legend = shape("svg", { class: "legend", "aria-hidden": "true" }, root);
    addHatches(this.legend, `${this.id}l`);
    this.legendLayer = shape("g", {}, this.legend);
    this.grid = element("div", { class: "pattern-grid" }, root);
    /** @type {(Mini & {title: HTMLElement, about: HTMLElement})[]} */
    this.cards = [];
  }

  /** @param {PatternsComponent} component */
  receive(component) {
    this.component = component;
    followTheme(this.root);
    const { patterns } = component.data;
    if (this.cards.length !== patterns.length) this.build(patterns.length);
    this.draw();
  }

  /** @param {number} count */
  build(count) {
    this.grid.replaceChildren();
    this.cards = Array.from({ length: count }, (_, number) => {
      const card = element("article", { class: "pattern" }, this.grid);
      const title = element("h3", {}, card);
      const about = element("p", { class: "about" }, card);
      return { ...buildMini(card, `${this.id}p${number}`), title, about };
    });
  }

  /** @override */
  draw() {
    const width = this.root.clientWidth;
    const data = this.component?.data;
    if (!width || !data) return;
    const hasLanes = data.patterns.some(({ rows }) => rows.lanes.length > 0);
    const height = drawLegend(this.legendLayer, 0, width, `${this.id}l`, hasLanes);
    setAll(this.legend, { width, height });
    data.patterns.forEach(({ title, about, words, rows }, number) => {
      const card = this.cards[number];
      card.title.textContent = title;
      card.about.textContent = about;
      const lanes = rows.lanes.map((lane) => this.laneAt(lane, data));
      const scores = lanes.map(({ name, score }) => `${name} ${score}`).join(", ");
      const said = `${title}. ${words}${scores && ` F1: ${scores}.`}`;
      drawMini(card, rows, lanes, LANE_HEIGHT, 0, said);
    });
  }

  /**
   * @param {Lane} lane
   * @param {PatternsData} data
   */
  laneAt(lane, { sliders }) {
    const slider = sliders.find(({ key }) => key === lane.slider);
    const row = rowAt(lane, slider?.at ?? 0);
    const parameter = slider ? ` (${textAt(slider.names, slider.at)})` : "";
    return { ...lane, name: lane.name + parameter, row, score: scoreAt(lane, row) };
  }
}

export default mount("patterns", Patterns);
