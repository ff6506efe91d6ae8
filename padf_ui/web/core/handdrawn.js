// @ts-check
// Lets users draw values from 0 to 1 over a row of places. For the keyboard, each place is a slider.

import { element, setAll } from "./dom.js";

/**
 * @typedef {{left: number, top: number, height: number, cell: number, count: number}} Plot
 * @typedef {{index: number, share: number}} Spot
 */

/**
 * @typedef {object} Draft
 * @property {() => Plot} plot
 * @property {(index: number) => number} shareAt
 * @property {(index: number) => string} nameAt the accessible name of a place's slider
 * @property {(from: Spot, to: Spot) => void} onDraw
 */

/** @type {Record<string, number>} */
const KEY_STEPS = {
  ArrowUp: 0.05,
  ArrowRight: 0.05,
  ArrowDown: -0.05,
  ArrowLeft: -0.05,
  Home: -1,
  End: 1,
};

export class HandDrawn {
  /**
   * @param {HTMLElement} stage the element to draw on
   * @param {Draft} draft
   */
  constructor(stage, draft) {
    this.stage = stage;
    this.draft = draft;
    this.isLocked = false;
    /** @type {Spot | null} where the pointer is while it is pressed */
    this.held = null;
    this.box = element("div", { class: "bars" }, stage);
    /** @type {HTMLElement[]} */
    this.handles = [];
    stage.addEventListener("pointerdown", (event) => this.press(event));
    stage.addEventListener("pointermove", (event) => this.drag(event));
    stage.addEventListener("pointerup", () => this.release());
    stage.addEventListener("pointercancel", () => this.release());
  }

  /** Positions the sliders and sets their values. */
  draw() {
    const { left, top, height, cell, count } = this.draft.plot();
    if (this.handles.length !== count) this.build(count);
    this.handles.forEach((handle, index) => {
      handle.style.left = `${left + index * cell}px`;
      handle.style.width = `${cell}px`;
      handle.style.top = `${top}px`;
      handle.style.height = `${height}px`;
      const share = Math.round(this.draft.shareAt(index) * 100);
      setAll(handle, { "aria-valuenow": share, "aria-readonly": String(this.isLocked) });
      handle.setAttribute("aria-label", this.draft.nameAt(index));
    });
  }

  /** @param {number} count */
  build(count) {
    this.box.replaceChildren();
    this.handles = Array.from({ length: count }, (_, index) => {
      const handle = element("div", { class: "bar", role: "slider", tabindex: 0 }, this.box);
      setAll(handle, { "aria-valuemin": 0, "aria-valuemax": 100, "aria-orientation": "vertical" });
      handle.addEventListener("keydown", (event) => this.key(event, index));
      return handle;
    });
  }

  /**
   * @param {KeyboardEvent} event
   * @param {number} index
   */
  key(event, index) {
    if (!(event.key in KEY_STEPS)) return;
    event.preventDefault();
    if (this.isLocked) return;
    const share = limitShare(this.draft.shareAt(index) + KEY_STEPS[event.key]);
    this.draft.onDraw({ index, share }, { index, share });
  }

  /** @param {PointerEvent} event */
  spotAt(event) {
    const { left, top, height, cell, count } = this.draft.plot();
    const bounds = this.stage.getBoundingClientRect();
    const up = 1 - (event.clientY - bounds.top - top) / height;
    const index = Math.floor((event.clientX - bounds.left - left) / cell);
    const isInside = index >= 0 && index < count;
    return { isInside: isInside && up > -0.1, isAcross: isInside, index, share: limitShare(up) };
  }

  /** @param {PointerEvent} event */
  press(event) {
    const { isInside, ...spot } = this.spotAt(event);
    if (event.button !== 0 || !isInside || this.isLocked) return;
    event.preventDefault();
    this.stage.setPointerCapture(event.pointerId);
    this.held = spot;
    this.draft.onDraw(spot, spot);
  }

  /** @param {PointerEvent} event */
  drag(event) {
    const { isAcross, ...spot } = this.spotAt(event);
    if (!this.held || !isAcross) return;
    this.draft.onDraw(this.held, spot);
    this.held = spot;
  }

  release() {
    this.held = null;
  }
}

/** @param {number} share */
function limitShare(share) {
  return Math.max(0, Math.min(1, share));
}

/**
 * Returns the values after a straight stroke from one place to another. Places that were never drawn
 * take the value of the nearest end of the stroke.
 * @param {number[]} values empty before the first stroke
 * @param {number} count of places
 * @param {{index: number, value: number}} from
 * @param {{index: number, value: number}} to
 */
export function strokeOver(values, count, from, to) {
  const [first, last] = from.index <= to.index ? [from, to] : [to, from];
  return Array.from({ length: count }, (_, index) => {
    if (index < first.index) return values[index] ?? first.value;
    if (index > last.index) return values[index] ?? last.value;
    if (first.index === last.index) return to.value;
    const share = (index - first.index) / (last.index - first.index);
    return Math.round(first.value + (last.value - first.value) * share);
  });
}
