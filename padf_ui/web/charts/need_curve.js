// @ts-check
// The curve of a need: what an alarm is worth by its delay, with a star and a grace mark that can be
// dragged. A decay keeps its shape when time is scaled, so Python's points only need to be scaled to the
// current numbers.

import { addText, element, lineThrough, setAll, shape } from "../core/dom.js";
import { nearestStep } from "../core/lookup.js";
import { STAR } from "../core/star.js";

/**
 * @typedef {import("../payload.d.ts").NeedData} NeedData
 * @typedef {import("../payload.d.ts").NeedAxis} NeedAxis
 * @typedef {import("./need_numbers.js").NeedNumbers} NeedNumbers
 * @typedef {{left: number, top: number, width: number, height: number, last: number}} Frame
 */

const PLOT = { left: 50, right: 22, top: 22, height: 168, below: 42 };
const FLOOR = PLOT.top + PLOT.height;
const REACH = 1.8;

/**
 * Returns the shortest axis that leaves room after a time.
 * @param {NeedAxis[]} axes sorted by length
 * @param {number} seconds
 */
export function axisFor(axes, seconds) {
  return axes.find(({ last }) => last >= REACH * seconds) ?? axes[axes.length - 1];
}

/**
 * Returns the points of a decay in its frame: full credit during the grace period, then Python's points.
 * @param {number[]} delays in units of the need's seconds
 * @param {number[]} credit thousandths
 * @param {number} seconds
 * @param {number} grace
 * @param {Frame} frame
 */
export function curvePoints(delays, credit, seconds, grace, frame) {
  const points = [{ x: frame.left, y: frame.top }];
  for (let index = 0; index < delays.length; index += 1) {
    points.push(placeIn(frame, grace + delays[index] * seconds, credit[index]));
    if (grace + delays[index] * seconds > frame.last) break;
  }
  return points;
}

/**
 * @param {Frame} frame
 * @param {number} seconds
 * @param {number} thousandths
 */
export function placeIn(frame, seconds, thousandths) {
  return {
    x: frame.left + (frame.width * seconds) / frame.last,
    y: frame.top + frame.height * (1 - thousandths / 1000),
  };
}

export class NeedCurve {
  /**
   * @param {HTMLElement} parent
   * @param {NeedNumbers} numbers
   */
  constructor(parent, numbers) {
    this.numbers = numbers;
    /** @type {NeedData | undefined} */
    this.data = undefined;
    /** @type {NeedAxis | undefined} the axis during a drag, which must not change its scale */
    this.heldAxis = undefined;
    this.plot = element("div", { class: "need-plot" }, parent);
    this.svg = shape("svg", { class: "lanes", role: "img" }, this.plot);
    this.ground = shape("g", {}, this.svg);
    const clip = shape("clipPath", { id: "need-frame" }, shape("defs", {}, this.svg));
    this.clipBox = shape("rect", {}, clip);
    this.free = shape("rect", { class: "need-free" }, this.svg);
    this.area = shape("path", { class: "curve-area", "clip-path": "url(#need-frame)" }, this.svg);
    this.line = shape("path", { class: "curve-line", "clip-path": "url(#need-frame)" }, this.svg);
    this.guide = shape("path", { class: "need-guide" }, this.svg);
    this.star = shape("path", { class: "need-star", d: STAR }, this.svg);
    this.graceMark = shape("path", { class: "need-grace-mark", d: "M-7,-13H7L0,-2Z" }, this.svg);
    this.starHandle = this.addHandle("need-star-handle", (event) => this.dragStar(event));
    this.graceHandle = this.addHandle("need-grace-handle", (event) => this.dragGrace(event));
  }

  get axis() {
    const { numbers } = this;
    const axes = this.data?.axes ?? [];
    return this.heldAxis ?? axisFor(axes, numbers.numberAt("seconds") + numbers.numberAt("grace"));
  }

  /** @returns {Frame} */
  get frame() {
    const width = Math.max(80, this.plot.clientWidth - PLOT.left - PLOT.right);
    return { left: PLOT.left, top: PLOT.top, width, height: PLOT.height, last: this.axis.last };
  }

  /**
   * @param {string} name
   * @param {(event: PointerEvent) => void} drag
   */
  addHandle(name, drag) {
    const { numbers } = this;
    const handle = element("div", { class: `need-handle ${name}`, "aria-hidden": "true" }, this.plot);
    handle.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      handle.setPointerCapture(event.pointerId);
      this.heldAxis = this.axis;
      numbers.hold();
    });
    handle.addEventListener("pointermove", (event) => numbers.isHeld && drag(event));
    handle.addEventListener("pointerup", () => numbers.letGo());
    handle.addEventListener("pointercancel", () => numbers.takeBack());
    return handle;
  }

  /** Lets the numbers choose the axis again. */
  release() {
    this.heldAxis = undefined;
  }

  /** @param {PointerEvent} event */
  timeAt(event) {
    const { left, width, last } = this.frame;
    const from = this.plot.getBoundingClientRect().left;
    return (last * Math.max(0, Math.min(width, event.clientX - from - left))) / width;
  }

  /** @param {PointerEvent} event */
  dragStar(event) {
    if (!this.data) return;
    const { numbers } = this;
    const { top, height } = this.frame;
    const from = this.plot.getBoundingClientRect().top;
    const worth = 1000 * (1 - (event.clientY - from - top) / height);
    numbers.moveTo({
      seconds: nearestStep(numbers.stepsOf("seconds"), this.timeAt(event) - numbers.numberAt("grace")),
      share: nearestStep(this.data.stars, worth),
    });
  }

  /** @param {PointerEvent} event */
  dragGrace(event) {
    const { numbers } = this;
    numbers.moveTo({ grace: nearestStep(numbers.stepsOf("grace"), this.timeAt(event)) });
  }

  /**
   * @param {NeedData} data
   * @param {string} words a description for screen readers
   */
  draw(data, words) {
    this.data = data;
    const { frame } = this;
    setAll(this.svg, { width: this.plot.clientWidth, height: FLOOR + PLOT.below, "aria-label": words });
    this.drawGround(data, frame);
    this.drawDecay(data, frame);
  }

  /**
   * @param {NeedData} data
   * @param {Frame} frame
   */
  drawGround({ axis }, frame) {
    const { ground } = this;
    setAll(this.clipBox, { x: frame.left, y: 0, width: frame.width, height: FLOOR + 1 });
    ground.replaceChildren();
    for (const share of [0, 0.5, 1]) {
      const y = FLOOR - share * frame.height;
      shape("path", { class: "grid-line", d: `M${frame.left},${y}h${frame.width}` }, ground);
      addText(ground, "tick-text", frame.left - 7, y + 4, "end", `${100 * share} %`);
    }
    this.axis.ticks.forEach(({ at, name }, index, { length }) => {
      const { x } = placeIn(frame, at, 0);
      shape("path", { class: "tick", d: `M${x},${FLOOR}v5` }, ground);
      if (index < length - 1) addText(ground, "tick-text", x, FLOOR + 18, "middle", name);
      else addText(ground, "tick-text", x + PLOT.right - 4, FLOOR + 18, "end", name);
    });
    shape("text", { class: "lane-parameter", x: frame.left, y: FLOOR + 36 }, ground, axis);
    shape("text", { class: "lane-parameter", x: 0, y: 12 }, ground, "worth");
  }

  /**
   * @param {NeedData} data
   * @param {Frame} frame
   */
  drawDecay({ delays, credit, stars }, frame) {
    const { numbers } = this;
    const { share } = numbers.at;
    const [seconds, grace] = [numbers.numberAt("seconds"), numbers.numberAt("grace")];
    const points = curvePoints(delays, credit[share], seconds, grace, frame);
    const path = lineThrough(points);
    const last = points[points.length - 1].x.toFixed(1);
    this.line.setAttribute("d", path);
    this.area.setAttribute("d", `${path}L${last},${FLOOR}H${frame.left}Z`);
    const star = placeIn(frame, grace + seconds, stars[share]);
    this.guide.setAttribute("d", `M${frame.left},${star.y}H${star.x}V${FLOOR}`);
    this.star.setAttribute("transform", `translate(${star.x},${star.y})`);
    const begin = placeIn(frame, grace, 1000);
    const free = { x: frame.left, y: frame.top, width: begin.x - frame.left, height: frame.height };
    setAll(this.free, free);
    this.graceMark.setAttribute("transform", `translate(${begin.x},${begin.y})`);
    putAt(this.starHandle, star);
    putAt(this.graceHandle, { x: begin.x, y: begin.y - 8 });
  }
}

/**
 * @param {HTMLElement} handle
 * @param {{x: number, y: number}} place
 */
function putAt(handle, { x, y }) {
  handle.style.left = `${x}px`;
  handle.style.top = `${y}px`;
}
