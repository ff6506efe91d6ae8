// @ts-check
// Sliders whose track shows F1 over their range as a curve. The thumb moves along the curve.

import { element, lineThrough, setAll, shape, stepsThrough } from "./dom.js";
import { nearestStep, textAt } from "./lookup.js";

/** @typedef {import("../payload.d.ts").Slider} Model */

/**
 * @typedef {object} Hearer
 * @property {() => void} onMove called while a thumb moves
 * @property {(key: string, value: number) => void} onRelease called when the thumb is released
 * @property {(message: string) => void} onRefuse called when a typed number is not allowed
 */

/**
 * Returns whether a typed number is allowed.
 * @param {Model} model
 * @param {number} typed
 */
export function isAllowed(model, typed) {
  const [low, high] = model.limits;
  const isInside = typed >= low && typed <= high;
  return isInside && !model.gaps.some(([from, to]) => typed > from && typed < to);
}

/** One slider. If a touch turns out to be scrolling, the thumb goes back to where it was. */
export class CurveSlider {
  /**
   * @param {Model} model
   * @param {Hearer} hearer
   * @param {() => void} onTouch called before this slider moves
   */
  constructor(model, hearer, onTouch) {
    this.model = model;
    this.hearer = hearer;
    this.onTouch = onTouch;
    this.at = model.at;
    this.isDragging = false;
    this.isCancelled = false;
    this.isTyping = false;
    this.before = this.at;
    /** @type {number[]} */
    this.heights = [];
    this.size = { width: 300, height: 48 };
    this.root = element("div", { class: "slider" });
    this.root.dataset.slider = model.key;
    const head = element("div", { class: "slider-head" }, this.root);
    this.title = element("span", { class: "slider-title" }, head);
    this.number = element("input", { type: "number", class: "slider-number", step: "any" }, head);
    this.note = element("span", { class: "slider-note" }, head);
    this.curve = element("span", { class: "slider-key" }, head);
    const track = element("div", { class: "track" }, this.root);
    this.svg = shape("svg", { class: "curve", "aria-hidden": "true" }, track);
    this.area = shape("path", { class: "curve-area" }, this.svg);
    this.line = shape("path", { class: "curve-line" }, this.svg);
    this.stem = shape("path", { class: "curve-stem" }, this.svg);
    this.dot = shape("circle", { class: "curve-dot", r: 8 }, this.svg);
    this.range = element("input", { type: "range", min: 0, step: 1 }, track);
    this.listen();
  }

  listen() {
    this.range.addEventListener("pointerdown", () => {
      this.before = this.at;
      this.isCancelled = false;
    });
    this.range.addEventListener("pointercancel", () => {
      this.isCancelled = true;
      this.isDragging = false;
      this.moveTo(this.before);
    });
    this.range.addEventListener("input", () => {
      if (this.isCancelled) {
        this.place();
        return;
      }
      this.isDragging = true;
      this.moveTo(Number(this.range.value));
    });
    this.range.addEventListener("change", () => {
      if (this.isCancelled) {
        this.isCancelled = false;
        this.place();
      } else {
        this.letGo();
      }
    });
    this.number.addEventListener("input", () => (this.isTyping = true));
    this.number.addEventListener("blur", () => (this.isTyping = false));
    this.number.addEventListener("change", () => this.takeTyped());
  }

  /** Whether the thumb is at another step than the one that Python used for the other rows. */
  get isMoved() {
    return this.at !== this.model.at;
  }

  get value() {
    return this.model.steps[this.at];
  }

  /** @param {number} step */
  moveTo(step) {
    this.onTouch();
    this.at = step;
    this.place();
    this.hearer.onMove();
  }

  letGo() {
    this.isDragging = false;
    this.hearer.onRelease(this.model.key, this.value);
  }

  takeTyped() {
    this.isTyping = false;
    const typed = Number(this.number.value);
    if (this.number.value === "" || !isAllowed(this.model, typed)) {
      this.hearer.onRefuse(`${this.model.title} must be ${this.model.rule}.`);
      this.place();
      return;
    }
    // Only the exact number counts, because scores can be closer to each other than any tolerance.
    const step = this.model.steps.indexOf(typed);
    if (step >= 0) this.moveTo(step);
    this.hearer.onRelease(this.model.key, step >= 0 ? this.value : typed);
  }

  /**
   * @param {Model} model
   * @param {number[]} heights F1 at each step, from 0 to 1
   * @param {{name: string, colour: string}} curve the lane whose F1 is drawn; the name is empty without one
   * @param {number | undefined} wanted a value that was asked for and has no answer yet
   */
  update(model, heights, curve, wanted) {
    const stepWanted = wanted === undefined ? -1 : model.steps.indexOf(wanted);
    if (this.isDragging) this.at = nearestStep(model.steps, this.value);
    else this.at = stepWanted >= 0 ? stepWanted : model.at;
    this.model = model;
    this.heights = heights;
    this.title.textContent = model.title;
    this.curve.textContent = curve.name && `curve: F1 of ${curve.name}`;
    if (curve.colour) this.root.style.setProperty("--curve", curve.colour);
    else this.root.style.removeProperty("--curve");
    this.range.max = String(model.steps.length - 1);
    this.range.setAttribute("aria-label", model.title);
    this.number.setAttribute("aria-label", `${model.title}: type a value`);
  }

  draw() {
    this.size = { width: this.svg.clientWidth || 300, height: this.svg.clientHeight || 48 };
    const last = this.heights.length - 1;
    const { floor } = this;
    const points = this.heights.map((_, step) => ({ x: this.x(step), y: this.y(step) }));
    const path = this.model.stepped ? stepsThrough(points) : lineThrough(points);
    this.line.setAttribute("d", path);
    this.area.setAttribute("d", `${path}L${this.x(last)},${floor}L${this.x(0)},${floor}Z`);
    this.place();
  }

  /** The y of an F1 of 0. */
  get floor() {
    return this.size.height - 10;
  }

  /** @param {number} step */
  x(step) {
    return 10 + ((this.size.width - 20) * step) / Math.max(1, this.heights.length - 1);
  }

  /** @param {number} step */
  y(step) {
    return this.floor - (this.heights[step] ?? 0) * (this.size.height - 20);
  }

  place() {
    const [x, y] = [this.x(this.at), this.y(this.at)];
    setAll(this.dot, { cx: x, cy: y });
    this.stem.setAttribute("d", `M${x},${y}V${this.floor}`);
    const note = textAt(this.model.notes, this.at);
    this.range.value = String(this.at);
    this.range.setAttribute("aria-valuetext", `${this.value}; ${note}`);
    if (!this.isTyping) this.number.value = String(this.value);
    this.note.textContent = note;
  }
}

/** The sliders of a component, by key, in the order in which Python sends them. */
export class Sliders {
  /**
   * @param {Element} parent
   * @param {Hearer} hearer
   * @param {string} [className]
   */
  constructor(parent, hearer, className = "sliders") {
    this.box = element("div", { class: className }, parent);
    this.hearer = hearer;
    /** @type {Map<string, CurveSlider>} */
    this.all = new Map();
    /** @type {string | null} the key of the slider that moved last */
    this.newest = null;
  }

  /** @param {string | null} key */
  get(key) {
    return key === null ? undefined : this.all.get(key);
  }

  /**
   * Applies what Python sends. A thumb that the user holds stays where it is.
   * @param {Model[]} models
   * @param {(model: Model) => {heights: number[], name: string, colour: string}} curveOfModel
   * @param {Record<string, number>} wanted settings that have no answer yet
   */
  update(models, curveOfModel, wanted) {
    this.keep(models);
    for (const model of models) {
      const { heights, ...curve } = curveOfModel(model);
      this.all.get(model.key)?.update(model, heights, curve, wanted[model.key]);
    }
    this.show(models.map((model) => model.key));
  }

  /**
   * Shows some of the sliders. The others are hidden but keep their positions.
   * @param {string[]} keys
   */
  show(keys) {
    const shown = [...this.all].filter(([key, { root }]) => {
      root.hidden = !keys.includes(key);
      return !root.hidden;
    });
    shown.forEach(([, { root }], index) => {
      root.classList.toggle("whole", index === 0 && shown.length % 2 === 1);
    });
    this.box.hidden = !shown.length;
  }

  /** @param {Model[]} models */
  keep(models) {
    const keys = models.map((model) => model.key);
    if ([...this.all.keys()].join() === keys.join()) return;
    const made = new Map(
      models.map((model) => {
        const touch = () => (this.newest = model.key);
        return [model.key, this.all.get(model.key) ?? new CurveSlider(model, this.hearer, touch)];
      }),
    );
    for (const [key, slider] of this.all) if (!made.has(key)) slider.root.remove();
    // Only elements in the wrong place are moved, because moving an element interrupts a drag on it.
    [...made.values()].forEach((slider, index) => {
      const there = this.box.children[index] ?? null;
      if (there !== slider.root) this.box.insertBefore(slider.root, there);
    });
    this.all = made;
  }

  draw() {
    for (const slider of this.all.values()) slider.draw();
  }

  /**
   * Returns a lane's parameter at a step of its slider: "d = 0.9".
   * @param {string | null} key
   * @param {number} [step] the step of the thumb unless given
   */
  nameAt(key, step) {
    const slider = this.get(key);
    return slider ? textAt(slider.model.names, step ?? slider.at) : "";
  }

  /**
   * Returns the step of a lane's slider, or 0 if the lane has none.
   * @param {string | null} key
   */
  stepOf(key) {
    return this.get(key)?.at ?? 0;
  }
}
