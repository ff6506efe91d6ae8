// @ts-check
// A need as a sentence whose numbers are dragged, and its decay with a star that is dragged too.
// What is shown at any step of the numbers is what Python sent for it; a decay keeps its form when
// time is stretched, so its points are only put where the numbers say.

import { element, setAll, shape } from "../core/dom.js";
import { placeByKey } from "../core/keys.js";
import { isWide } from "../lanes/layout.js";
import { tellNow } from "../core/live.js";
import { nearestStep, textAt } from "../core/lookup.js";
import { Drawing, mount } from "../core/mount.js";
import { onPaper, saveSvg } from "../core/picture.js";
import { STAR } from "../core/star.js";
import { colourIn, followTheme } from "../core/theme.js";

/**
 * @typedef {import("../payload.d.ts").NeedData} NeedData
 * @typedef {import("../payload.d.ts").NeedSlot} NeedSlot
 * @typedef {import("../payload.d.ts").NeedAxis} NeedAxis
 * @typedef {import("../core/mount.js").Component<NeedData>} NeedComponent
 * @typedef {{seconds: number, share: number, grace: number}} Places the step of each number
 * @typedef {{left: number, top: number, width: number, height: number, last: number}} Frame
 */

const PLOT = { left: 50, right: 22, top: 22, height: 168, below: 42 };
const STEP_WIDTH = 9;
const STILL = 4;
const REACH = 1.8;

/**
 * Returns the shortest axis that leaves room behind a time.
 * @param {NeedAxis[]} axes by rising length
 * @param {number} seconds
 */
export function axisFor(axes, seconds) {
  return axes.find(({ last }) => last >= REACH * seconds) ?? axes[axes.length - 1];
}

/**
 * Returns the step of a number that was dragged so far; it stays among its steps.
 * @param {number} from the step at which it was taken
 * @param {number} pixels to the right
 * @param {boolean} isTurned whether what is read falls while the number rises
 * @param {number} count of steps
 */
export function stepDragged(from, pixels, isTurned, count) {
  const moved = Math.round(pixels / STEP_WIDTH) * (isTurned ? -1 : 1);
  return Math.max(0, Math.min(count - 1, from + moved));
}

/**
 * Returns the points of a decay in its frame: full credit up to the grace, then Python's points.
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

/** @extends {Drawing<NeedData, import("../payload.d.ts").NeedAsk>} */
class NeedSentence extends Drawing {
  /** @param {HTMLElement} root */
  constructor(root) {
    super(root);
    /** @type {NeedData | undefined} the rows that are shown: Python's newest once nothing is held */
    this.data = undefined;
    /** @type {Places} */
    this.at = { seconds: 0, share: 0, grace: 0 };
    this.before = { ...this.at };
    /** @type {NeedAxis | undefined} the axis while something on it is held */
    this.heldAxis = undefined;
    this.isHeld = false;
    this.isUsed = false;
    /** @type {HTMLElement[]} */
    this.slots = [];
    const told = element("div", { class: "need-told" }, root);
    this.words = element("p", { class: "need-words" }, told);
    this.said = element("p", { class: "need-said" }, told);
    const save = element("button", { class: "tool", type: "button" }, told, "Figure (SVG)");
    save.title = "for a paper; print it for a PDF";
    save.addEventListener("click", () => this.save());
    this.plot = element("div", { class: "need-plot" }, root);
    this.svg = shape("svg", { class: "lanes", role: "img" }, this.plot);
    this.ground = shape("g", {}, this.svg);
    this.clip = shape("clipPath", { id: "need-frame" }, shape("defs", {}, this.svg));
    this.clipBox = shape("rect", {}, this.clip);
    this.free = shape("rect", { class: "need-free" }, this.svg);
    this.area = shape("path", { class: "curve-area", "clip-path": "url(#need-frame)" }, this.svg);
    this.line = shape("path", { class: "curve-line", "clip-path": "url(#need-frame)" }, this.svg);
    this.guide = shape("path", { class: "need-guide" }, this.svg);
    this.star = shape("path", { class: "need-star", d: STAR }, this.svg);
    this.graceMark = shape("path", { class: "need-grace-mark", d: "M-7,-13H7L0,-2Z" }, this.svg);
    this.starHandle = this.addHandle("need-star-handle", (event) => this.dragStar(event));
    this.graceHandle = this.addHandle("need-grace-handle", (event) => this.dragGrace(event));
    const hint = "◀ drag a number, or the star ▶";
    this.hint = element("span", { class: "front-hint need-hint" }, this.plot, hint);
  }

  // ---- what Python says ------------------------------------------------------------------------

  /** @param {NeedComponent} component */
  receive(component) {
    this.asker.receive(component.data);
    this.component = component;
    followTheme(this.root);
    if (!this.isHeld && !this.asker.isWaiting) this.takeRows(component.data);
    this.draw();
    this.asker.go();
  }

  /** @param {NeedData} data */
  takeRows(data) {
    const isOther = this.data?.parts.join() !== data.parts.join();
    this.data = data;
    this.at = { seconds: 0, share: 0, grace: 0 };
    for (const { key, at } of data.numbers) this.at[key] = at;
    if (isOther) this.build(data);
  }

  /** @param {keyof Places} key */
  stepsOf(key) {
    return this.data?.numbers.find((number) => number.key === key)?.steps ?? [0];
  }

  /** @param {keyof Places} key */
  numberAt(key) {
    return this.stepsOf(key)[this.at[key]] ?? 0;
  }

  // ---- the sentence ----------------------------------------------------------------------------

  /** @param {NeedData} data */
  build(data) {
    this.words.replaceChildren(data.parts[0]);
    this.slots = data.slots.map((slot, index) => {
      const made = element("span", { class: "need-slot", role: "spinbutton", tabindex: 0 });
      this.words.append(made, data.parts[index + 1]);
      made.dataset.number = slot.number;
      this.listen(made, slot);
      return made;
    });
  }

  /**
   * @param {HTMLElement} made
   * @param {NeedSlot} slot
   */
  listen(made, slot) {
    const { moves, turned } = slot;
    let start = 0;
    let isMoved = false;
    made.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      made.setPointerCapture(event.pointerId);
      made.focus({ preventScroll: true });
      start = event.clientX;
      isMoved = false;
      this.hold();
    });
    made.addEventListener("pointermove", (event) => {
      const pixels = event.clientX - start;
      if (!this.isHeld || (!isMoved && Math.abs(pixels) < STILL)) return;
      isMoved = true;
      const count = this.stepsOf(moves).length;
      this.moveTo({ [moves]: stepDragged(this.before[moves], pixels, turned, count) });
    });
    made.addEventListener("pointerup", () => {
      if (!this.isHeld) return;
      if (isMoved) this.letGo();
      else {
        this.isHeld = false;
        this.type(made, slot);
      }
    });
    made.addEventListener("pointercancel", () => this.takeBack());
    made.addEventListener("keydown", (event) => this.key(event, made, slot));
    made.addEventListener("keyup", () => this.isHeld && this.letGo());
    made.addEventListener("blur", () => this.isHeld && this.letGo());
  }

  /**
   * @param {KeyboardEvent} event
   * @param {HTMLElement} made
   * @param {NeedSlot} slot
   */
  key(event, made, slot) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { moves, turned } = slot;
    const count = this.stepsOf(moves).length;
    const from = turned ? count - 1 - this.at[moves] : this.at[moves];
    const place = placeByKey(event.key, from, count);
    if (place !== undefined) {
      event.preventDefault();
      if (!this.isHeld) this.hold();
      this.moveTo({ [moves]: turned ? count - 1 - place : place });
    } else if (event.key === "Enter" || /^\d$/.test(event.key)) {
      event.preventDefault();
      this.type(made, slot, event.key === "Enter" ? undefined : event.key);
    }
  }

  /**
   * Lets a number be typed where it stands. Python reads it.
   * @param {HTMLElement} made
   * @param {NeedSlot} slot
   * @param {string} [begun] what was typed already
   */
  type(made, slot, begun) {
    const label = `${slot.title}, typed`;
    const written = made.textContent ?? "";
    const field = element("input", { type: "text", class: "need-typed", "aria-label": label });
    field.value = begun ?? written;
    field.style.width = `${Math.max(5, written.length + 2)}ch`;
    made.hidden = true;
    made.before(field);
    field.focus({ preventScroll: true });
    if (begun === undefined) field.select();
    let isDone = false;
    /** @param {boolean} isWanted */
    const done = (isWanted) => {
      if (isDone) return;
      isDone = true;
      const text = field.value.trim();
      const hadFocus = field.matches(":focus");
      field.remove();
      made.hidden = false;
      if (hadFocus) made.focus({ preventScroll: true });
      if (isWanted && text && text !== written) {
        this.markUsed();
        this.asker.ask({ typed: { number: slot.number, text } });
        this.draw();
      }
    };
    field.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter") done(true);
      else if (event.key === "Escape") done(false);
    });
    field.addEventListener("keyup", (event) => event.stopPropagation());
    field.addEventListener("blur", () => done(true));
  }

  // ---- the curve -------------------------------------------------------------------------------

  /**
   * @param {string} name
   * @param {(event: PointerEvent) => void} drag
   */
  addHandle(name, drag) {
    const handle = element("div", { class: `need-handle ${name}`, "aria-hidden": "true" }, this.plot);
    handle.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      handle.setPointerCapture(event.pointerId);
      this.heldAxis = this.axis;
      this.hold();
    });
    handle.addEventListener("pointermove", (event) => this.isHeld && drag(event));
    handle.addEventListener("pointerup", () => this.isHeld && this.letGo());
    handle.addEventListener("pointercancel", () => this.takeBack());
    return handle;
  }

  get axis() {
    const axes = this.data?.axes ?? [];
    return this.heldAxis ?? axisFor(axes, this.numberAt("seconds") + this.numberAt("grace"));
  }

  /** @returns {Frame} */
  get frame() {
    const width = Math.max(80, this.plot.clientWidth - PLOT.left - PLOT.right);
    return { left: PLOT.left, top: PLOT.top, width, height: PLOT.height, last: this.axis.last };
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
    const { top, height } = this.frame;
    const from = this.plot.getBoundingClientRect().top;
    const worth = 1000 * (1 - (event.clientY - from - top) / height);
    this.moveTo({
      seconds: nearestStep(this.stepsOf("seconds"), this.timeAt(event) - this.numberAt("grace")),
      share: nearestStep(this.data.stars, worth),
    });
  }

  /** @param {PointerEvent} event */
  dragGrace(event) {
    this.moveTo({ grace: nearestStep(this.stepsOf("grace"), this.timeAt(event)) });
  }

  /** @override */
  draw() {
    const { data } = this;
    if (!data || !this.root.clientWidth) return;
    this.root.classList.toggle("narrow", !isWide(this.root.clientWidth));
    const width = this.plot.clientWidth;
    this.root.style.setProperty("--curve", colourIn(data.colours, this.root));
    setAll(this.svg, { width, height: PLOT.top + PLOT.height + PLOT.below });
    this.show(data);
    this.root.dataset.stale = String(this.asker.isWaiting || this.isHeld);
  }

  /** @param {NeedData} data */
  show(data) {
    data.slots.forEach((slot, index) => this.showSlot(this.slots[index], slot));
    const shares = data.credit.length;
    const decay = textAt(data.said, this.at.seconds * shares + this.at.share);
    this.said.textContent = `${decay} ${data.begins[this.at.grace]}`;
    setAll(this.svg, { "aria-label": `What an alarm is worth: ${this.words.textContent}` });
    this.drawGround(data);
    this.drawDecay(data);
    this.hint.hidden = this.isUsed;
  }

  /**
   * @param {HTMLElement} made
   * @param {NeedSlot} slot
   */
  showSlot(made, { moves, title, texts, turned }) {
    const text = texts[this.at[moves]];
    const last = texts.length - 1;
    made.textContent = text;
    setAll(made, {
      "aria-label": title,
      "aria-valuemin": 0,
      "aria-valuemax": last,
      "aria-valuenow": turned ? last - this.at[moves] : this.at[moves],
      "aria-valuetext": text,
      title: "drag sideways, use the arrow keys, or click and type",
    });
  }

  /** @param {NeedData} data */
  drawGround({ axis }) {
    const { frame, ground } = this;
    const floor = frame.top + frame.height;
    setAll(this.clipBox, { x: frame.left, y: 0, width: frame.width, height: floor + 1 });
    ground.replaceChildren();
    for (const share of [0, 0.5, 1]) {
      const y = floor - share * frame.height;
      shape("path", { class: "grid-line", d: `M${frame.left},${y}h${frame.width}` }, ground);
      const text = { class: "tick-text", x: frame.left - 7, y: y + 4, "text-anchor": "end" };
      shape("text", text, ground, `${100 * share} %`);
    }
    this.axis.ticks.forEach(({ at, name }, index, { length }) => {
      const { x } = placeIn(frame, at, 0);
      shape("path", { class: "tick", d: `M${x},${floor}v5` }, ground);
      const anchor = index === length - 1 ? "end" : "middle";
      const place = { x: anchor === "end" ? x + PLOT.right - 4 : x, y: floor + 18 };
      shape("text", { class: "tick-text", ...place, "text-anchor": anchor }, ground, name);
    });
    const title = { class: "lane-parameter", x: frame.left, y: floor + 36 };
    shape("text", title, ground, axis);
    shape("text", { class: "lane-parameter", x: 0, y: 12 }, ground, "worth");
  }

  /** @param {NeedData} data */
  drawDecay({ delays, credit, stars }) {
    const { frame } = this;
    const floor = frame.top + frame.height;
    const [seconds, grace] = [this.numberAt("seconds"), this.numberAt("grace")];
    const points = curvePoints(delays, credit[this.at.share], seconds, grace, frame);
    const path = points.map(({ x, y }, at) => `${at ? "L" : "M"}${x.toFixed(1)},${y.toFixed(1)}`);
    const last = points[points.length - 1].x.toFixed(1);
    this.line.setAttribute("d", path.join(""));
    this.area.setAttribute("d", `${path.join("")}L${last},${floor}H${frame.left}Z`);
    const star = placeIn(frame, grace + seconds, stars[this.at.share]);
    this.guide.setAttribute("d", `M${frame.left},${star.y}H${star.x}V${floor}`);
    this.star.setAttribute("transform", `translate(${star.x},${star.y})`);
    const begin = placeIn(frame, grace, 1000);
    const free = { x: frame.left, y: frame.top, width: begin.x - frame.left, height: frame.height };
    setAll(this.free, free);
    this.graceMark.setAttribute("transform", `translate(${begin.x},${begin.y})`);
    putAt(this.starHandle, star);
    putAt(this.graceHandle, { x: begin.x, y: begin.y - 8 });
  }

  // ---- moving ----------------------------------------------------------------------------------

  hold() {
    this.before = { ...this.at };
    this.isHeld = true;
  }

  /** @param {Partial<Places>} places */
  moveTo(places) {
    this.at = { ...this.at, ...places };
    this.markUsed();
    this.tell();
    this.draw();
  }

  // Another grace changes more than the number: what follows it must wait for Python then.
  tell() {
    const isSame = this.at.grace === this.before.grace;
    const per = this.data?.reaches[this.at.share] ?? 1;
    tellNow("need", isSame ? per * this.numberAt("seconds") : null);
  }

  takeBack() {
    this.at = { ...this.before };
    this.isHeld = false;
    this.heldAxis = undefined;
    tellNow("need", null);
    this.draw();
  }

  letGo() {
    this.isHeld = false;
    this.heldAxis = undefined;
    const { before, at } = this;
    if (before.seconds !== at.seconds || before.share !== at.share || before.grace !== at.grace) {
      const numbers = Object.fromEntries(
        (this.data?.numbers ?? []).map(({ key, steps }) => [key, steps[at[key]]]),
      );
      this.asker.ask({ numbers });
    } else {
      tellNow("need", null);
      if (this.component && !this.asker.isWaiting) this.takeRows(this.component.data);
    }
    this.draw();
  }

  save() {
    const title = this.svg.getAttribute("aria-label") ?? "";
    saveSvg(onPaper(this.root, this.svg, title, () => this.draw()), "padf-credit-over-delay.svg");
  }

  markUsed() {
    this.isUsed = true;
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

export default mount("need", NeedSentence);
