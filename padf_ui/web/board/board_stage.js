// @ts-check
// The elements that a board is drawn into, their sizes, and how they scroll.

import { element, setAll, shape } from "../core/dom.js";
import { PAINTED } from "./grid.js";
import { drawLegend } from "../lanes/labels.js";
import { addHatches, keepLayers } from "../lanes/lanes.js";

/** @typedef {import("../lanes/layout.js").Box} Box */

const LAYERS = ["separators", "boxes", "worth", "arrows", "axis", "shifts", "hint"];
const LONG = { tabindex: 0, role: "region", "aria-label": "Lanes, scroll sideways" };

/** The lanes scroll. The frame around them holds the names, the numbers and the legend. */
export class BoardStage {
  /**
   * @param {HTMLElement} parent
   * @param {string} id of the hatches
   */
  constructor(parent, id) {
    this.id = id;
    this.root = element("div", { class: "stage" }, parent);
    this.scroll = element("div", { class: "scroll" }, this.root);
    this.canvas = element("div", { class: "canvas" }, this.scroll);
    this.svg = shape("svg", { class: "lanes", role: "img" }, this.canvas);
    addHatches(this.svg, id);
    this.painted = shape("g", {}, this.svg);
    keepLayers(this.painted, PAINTED);
    this.lanes = shape("g", {}, this.svg);
    /** @type {Record<string, SVGGElement>} */
    this.layers = {};
    for (const name of LAYERS) this.layers[name] = shape("g", { class: `layer-${name}` }, this.svg);
    this.frame = shape("svg", { class: "frame", "aria-hidden": "true" }, this.root);
    addHatches(this.frame, `${id}f`);
    this.labels = shape("g", {}, this.frame);
    this.legend = shape("g", {}, this.frame);
    this.panel = shape("g", {}, this.frame);
  }

  /**
   * Sets all sizes and draws the legend.
   * @param {Box} box
   * @param {number} full the total width of the cells
   * @param {boolean} isPainted whether its cells can take the focus
   */
  lay({ width, left, room, bottom, legend }, full, isPainted) {
    this.root.style.height = `${bottom}px`;
    this.scroll.style.left = `${left}px`;
    this.scroll.style.width = `${room}px`;
    this.letScroll(full > room + 1, isPainted);
    this.canvas.style.width = `${full}px`;
    this.canvas.style.height = `${bottom}px`;
    setAll(this.svg, { width: full, height: bottom });
    setAll(this.frame, { width, height: bottom });
    drawLegend(this.legend, left, width - left, `${this.id}f`);
    this.legend.setAttribute("transform", `translate(0,${legend})`);
  }

  // A board that scrolls must be reachable by keyboard. If no cell can take the focus, the board does.
  /** @type {(scrolls: boolean, isPainted: boolean) => void} */
  letScroll(scrolls, isPainted) {
    this.scroll.classList.toggle("scrolls", scrolls);
    if (scrolls && !isPainted) setAll(this.scroll, LONG);
    else for (const name of Object.keys(LONG)) this.scroll.removeAttribute(name);
  }

  // Fades the edges where the board continues.
  showEdges() {
    const { scroll } = this;
    const hidden = scroll.scrollWidth - scroll.clientWidth - scroll.scrollLeft;
    scroll.classList.toggle("more-before", scroll.scrollLeft > 2);
    scroll.classList.toggle("more-behind", hidden > 2);
  }
}
