// @ts-check
// A tooltip next to the column that it describes.

import { element } from "./dom.js";

const WIDEST = 290;
const GAP = 8;

export class Tip {
  /**
   * @param {HTMLElement} parent the tooltip stays inside its bounds
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
   * @param {{left: number, right: number, y: number}} column must not be covered
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

/**
 * Returns the position of a tooltip next to a column, inside the bounds: on the right if there is room,
 * otherwise on the side with more room.
 * @param {{left: number, right: number, y: number}} column
 * @param {{width: number, height: number}} size
 * @param {{width: number, height: number}} bounds
 */
export function placeTip(column, size, bounds) {
  const right = bounds.width - column.right - GAP;
  const left = column.left - GAP;
  const isRight = right >= size.width || right >= left;
  const width = Math.max(0, Math.min(size.width, isRight ? right : left));
  const top = Math.max(0, Math.min(bounds.height - size.height, column.y - size.height / 2));
  return { left: isRight ? column.right + GAP : column.left - GAP - width, top, width };
}
