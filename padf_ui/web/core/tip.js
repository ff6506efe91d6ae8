// @ts-check
// A small tip beside the column that it speaks of.

import { element } from "./dom.js";
import { placeTip } from "../lanes/layout.js";

const WIDEST = 290;

export class Tip {
  /**
   * @param {HTMLElement} parent whose bounds it never leaves
   * @param {string} id
   */
  constructor(parent, id) {
    this.parent = parent;
    this.box = element("div", { class: "tip", role: "tooltip", id: `${id}-tip` }, parent);
    this.box.hidden = true;
  }

  get isShown() {
    return !this.box.hidden;
  }

  /**
   * @param {string[]} lines
   * @param {{left: number, right: number, y: number}} column that it must not cover
   */
  show(lines, column) {
    const { box } = this;
    box.replaceChildren();
    for (const line of lines) element("div", {}, box, line);
    box.hidden = false;
    box.style.width = "max-content";
    box.style.maxWidth = `${WIDEST}px`;
    const bounds = { width: this.parent.clientWidth, height: this.parent.clientHeight };
    const wanted = { width: box.offsetWidth, height: box.offsetHeight };
    box.style.width = `${placeTip(column, wanted, bounds).width}px`;
    const { left, top } = placeTip(column, { width: box.offsetWidth, height: box.offsetHeight }, bounds);
    box.style.left = `${left}px`;
    box.style.top = `${top}px`;
  }

  hide() {
    this.box.hidden = true;
  }
}
