// @ts-check
// Shows which detector is best at which number of the decay: a line per detector, the random baseline
// behind them, the colour of the best detector, every change in the ranking, and a star that can be dragged
// to choose the number. The list next to the chart follows the star and the mouse. Python sent all rows.

import { addText, element, lineThrough, setAll, shape } from "../core/dom.js";
import { placeByKey } from "../core/keys.js";
import { isWide } from "../lanes/layout.js";
import { hearNow } from "../core/live.js";
import { nearestStep, shorten, textAt, writeScore } from "../core/lookup.js";
import { Drawing, mount } from "../core/mount.js";
import { onPaper, saveSvg } from "../core/picture.js";
import { STAR } from "../core/star.js";
import { colourIn, followTheme } from "../core/theme.js";

/**
 * @typedef {import("../payload.d.ts").RaceData} RaceData
 * @typedef {import("../core/mount.js").Component<RaceData>} RaceComponent
 */

const FIELD = { left: 38, right: 14, top: 16, height: 290, below: 44 };
const HANDLE_WIDTH = 44;
const LEGEND_WIDTH = 250;
const RANDOM_DASH = "1.5 3.5";
const KEY =
  "Background: colour of the best detector. Grey band: 90 % of random detectors. Circles: the ranking changes. Drag the star, or click to move it. ";

/**
 * Returns the position of a number on a logarithmic axis: 0 at its start, 1 at its end.
 * @param {number[]} numbers the first and the last are the ends of the axis
 * @param {number} number
 */
export function along(numbers, number) {
  const [first, last] = [numbers[0], numbers[numbers.length - 1]];
  return Math.log(number / first) / Math.log(last / first);
}

/**
 * Returns the index of the number that is nearest to a position from 0 to 1 on a logarithmic axis.
 * @param {number[]} numbers
 * @param {number} share
 */
export function placeAlong(numbers, share) {
  const shares = numbers.map((number) => along(numbers, number));
  return nearestStep(shares, share);
}

/**
 * Returns the ranking at a number. After the last band, its ranking still holds.
 * @param {RaceData["bands"]} bands
 * @param {number} number
 */
export function rankingAt(bands, number) {
  const band = bands.find(({ stop }) => number < stop) ?? bands[bands.length - 1];
  return band?.ranking ?? [];
}

/** @extends {Drawing<RaceData, import("../payload.d.ts").RaceAsk>} */
class Race extends Drawing {
  /** @param {HTMLElement} root */
  constructor(root) {
    super(root);
    /** @type {RaceData | undefined} */
    this.data = undefined;
    /** @type {number | null} index of the number that the star was moved to; null at the need */
    this.at = null;
    /** @type {number | null} index of the number under the mouse */
    this.look = null;
    /** @type {number | null} */
    this.before = null;
    this.isHeld = false;
    this.isPaper = false;
    this.stage = element("div", { class: "race-stage" }, root);
    this.svg = shape("svg", { class: "lanes", role: "img" }, this.stage);
    this.field = shape("g", {}, this.svg);
    this.now = shape("g", {}, this.svg);
    const slider = { class: "race-star", role: "slider", tabindex: 0 };
    this.handle = element("div", slider, this.stage);
    this.beside = element("div", { class: "race-beside" }, root);
    this.head = element("p", { class: "race-head" }, this.beside);
    this.list = element("ol", { class: "race-list" }, this.beside);
    this.note = element("p", { class: "race-key" }, this.beside, KEY);
    const save = element("button", { class: "tool", type: "button" }, this.beside, "Figure (SVG)");
    save.title = "Save the figure for a paper. Print it to get a PDF.";
    save.addEventListener("click", () => this.save());
    this.listen();
    this.endHearing = hearNow("need", (number) => this.follow(number));
  }

  /** @override */
  close() {
    this.endHearing();
    super.close();
  }

  // Previews the number of a need while it is dragged in another component.
  /** @param {number | null} number */
  follow(number) {
    const numbers = this.data?.numbers ?? [1];
    this.lookAt(number === null ? null : placeAlong(numbers, along(numbers, number)));
  }

  listen() {
    const { stage } = this;
    stage.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      stage.setPointerCapture(event.pointerId);
      this.handle.focus({ preventScroll: true });
      this.hold();
      this.moveTo(this.placeOf(event));
    });
    stage.addEventListener("pointermove", (event) => {
      if (this.isHeld) this.moveTo(this.placeOf(event));
      else if (event.pointerType === "mouse") this.lookAt(this.placeOf(event));
    });
    stage.addEventListener("pointerup", () => this.isHeld && this.letGo());
    stage.addEventListener("pointerleave", () => this.lookAt(null));
    stage.addEventListener("pointercancel", () => {
      this.at = this.before;
      this.isHeld = false;
      this.draw();
    });
    this.handle.addEventListener("keydown", (event) => this.key(event));
    this.handle.addEventListener("keyup", () => this.isHeld && this.letGo());
    this.handle.addEventListener("blur", () => this.isHeld && this.letGo());
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!this.data || event.ctrlKey || event.metaKey || event.altKey) return;
    const { numbers, at } = this.data;
    const from = this.at ?? nearestStep(numbers, at);
    const place = placeByKey(event.key, from, numbers.length);
    if (place === undefined) return;
    event.preventDefault();
    if (!this.isHeld) this.hold();
    this.moveTo(place);
  }

  /** @param {RaceComponent} component */
  receive(component) {
    this.asker.receive(component.data);
    this.component = component;
    followTheme(this.root);
    if (!this.isHeld && !this.asker.isWaiting) {
      this.data = component.data;
      this.note.textContent = `${KEY}${this.data.note}`;
      this.at = null;
      this.look = null;
    }
    this.draw();
    this.asker.go();
  }

  get room() {
    return Math.max(80, this.stage.clientWidth - FIELD.left - FIELD.right);
  }

  /** @param {number} number */
  x(number) {
    return FIELD.left + this.room * along(this.data?.numbers ?? [1, 10], number);
  }

  /** @param {number} f1 thousandths */
  y(f1) {
    return FIELD.top + FIELD.height * (1 - f1 / 1000);
  }

  /** @override */
  get isStale() {
    return super.isStale || this.isHeld;
  }

  /** @override */
  draw() {
    const { data } = this;
    if (!data || !this.root.clientWidth) return;
    this.root.classList.toggle("narrow", !isWide(this.root.clientWidth));
    const height = FIELD.top + FIELD.height + FIELD.below;
    const width = this.stage.clientWidth + (this.isPaper ? LEGEND_WIDTH : 0);
    setAll(this.svg, { width, height });
    this.drawField(data);
    if (this.isPaper) this.drawLegend(data);
    this.show();
    this.showStale();
  }

  /** @param {RaceData} data */
  drawField(data) {
    const { field } = this;
    const floor = FIELD.top + FIELD.height;
    field.replaceChildren();
    for (const { start, stop, ranking } of data.bands) {
      const fill = colourIn(data.lines[ranking[0]].colours, this.root);
      const place = { x: this.x(start), y: FIELD.top, width: this.x(stop) - this.x(start) };
      shape("rect", { class: "race-band", fill, ...place, height: FIELD.height }, field);
    }
    for (const tenths of [0, 2, 4, 6, 8, 10]) {
      const y = this.y(100 * tenths);
      shape("path", { class: "grid-line", d: `M${FIELD.left},${y}h${this.room}` }, field);
      addText(field, "tick-text", FIELD.left - 7, y + 4, "end", String(tenths / 10));
    }
    this.drawTicks(data, floor);
    const { low, high, mean } = data.random;
    const there = this.pathOf(data.numbers, high);
    const back = this.pathOf([...data.numbers].reverse(), [...low].reverse());
    shape("path", { class: "race-random", d: `${there}${back.replace("M", "L")}Z` }, field);
    const dotted = { class: "race-line race-mean", "stroke-dasharray": RANDOM_DASH };
    shape("path", { ...dotted, d: this.pathOf(data.numbers, mean) }, field);
    for (const line of data.lines) {
      const stroke = colourIn(line.colours, this.root);
      const look = { class: "race-line", stroke, "stroke-dasharray": line.dash || "none" };
      shape("path", { ...look, d: this.pathOf(data.numbers, line.f1) }, field);
    }
    for (const { at, f1, text } of data.flips) {
      const circle = { class: "race-flip", cx: this.x(at), cy: this.y(f1), r: 5 };
      shape("title", {}, shape("circle", circle, field), text);
    }
  }

  /**
   * @param {RaceData} data
   * @param {number} floor
   */
  drawTicks({ ticks, title }, floor) {
    let free = -Infinity;
    for (const { at, name } of ticks) {
      const x = this.x(at);
      shape("path", { class: "tick", d: `M${x},${floor}v5` }, this.field);
      const half = 3.6 * name.length;
      if (x - half < free || x + half > this.stage.clientWidth) continue;
      free = x + half + 8;
      addText(this.field, "tick-text", x, floor + 18, "middle", name);
    }
    const place = { class: "lane-parameter", x: FIELD.left, y: floor + 36 };
    shape("text", place, this.field, title);
    shape("text", { class: "lane-parameter", x: 0, y: 11 }, this.field, "F1");
  }

  // A saved file has no list next to the chart, so the list becomes part of the drawing.
  /** @param {RaceData} data */
  drawLegend({ lines, random, here, bands, at }) {
    const x = this.stage.clientWidth + 10;
    const rows = rankingAt(bands, at).map((line) => {
      const { name, dash, colours, here: f1 } = lines[line];
      return { name, dash, stroke: colourIn(colours, this.root), f1 };
    });
    const mean = { name: "random baseline", dash: RANDOM_DASH, stroke: "var(--ink)", f1: random.here };
    shape("text", { class: "lane-parameter", x, y: FIELD.top + 4 }, this.field, `at ${here}:`);
    [...rows, mean].forEach(({ name, dash, stroke, f1 }, index) => {
      const y = FIELD.top + 24 + 19 * index;
      const look = { class: "race-line", stroke, "stroke-dasharray": dash || "none" };
      shape("path", { ...look, d: `M${x},${y - 4}h34` }, this.field);
      shape("text", { class: "legend-text", x: x + 42, y }, this.field, shorten(name, 22));
      addText(this.field, "legend-text", x + LEGEND_WIDTH - 14, y, "end", writeScore(f1));
    });
  }

  /** @type {(numbers: number[], f1: number[]) => string} */
  pathOf(numbers, f1) {
    return lineThrough(numbers.map((number, at) => ({ x: this.x(number), y: this.y(f1[at]) })));
  }

  // The place under the mouse or that of the star, or null at the need itself.
  get place() {
    return this.isHeld ? this.at : (this.look ?? this.at);
  }

  show() {
    const { data, place } = this;
    if (!data) return;
    const number = place === null ? data.at : data.numbers[place];
    const told = place === null ? data.here : textAt(data.texts, place);
    const scores = data.lines.map((line) => (place === null ? line.here : line.f1[place]));
    const ranking = rankingAt(data.bands, number);
    this.head.textContent = told;
    this.drawNow(data, number, scores, ranking);
    this.showList(data, scores, ranking, place);
    const first = ranking.map((line) => `${data.lines[line].name} ${writeScore(scores[line])}`);
    const words = `${told}. F1: ${first.join(", ")}`;
    this.svg.setAttribute("aria-label", `F1 by ${data.title}. At ${words}`);
    setAll(this.handle, {
      "aria-label": data.title,
      "aria-valuemin": 0,
      "aria-valuemax": data.numbers.length - 1,
      "aria-valuenow": place ?? nearestStep(data.numbers, data.at),
      "aria-valuetext": words,
    });
  }

  /** @type {(data: RaceData, number: number, scores: number[], ranking: number[]) => void} */
  drawNow(data, number, scores, ranking) {
    const x = this.x(number);
    const isAtNeed = number === data.at;
    this.now.replaceChildren();
    if (!isAtNeed) {
      const before = `M${this.x(data.at)},${FIELD.top}v${FIELD.height}`;
      shape("path", { class: "race-need", d: before }, this.now);
    }
    shape("path", { class: "race-now", d: `M${x},${FIELD.top}v${FIELD.height}` }, this.now);
    for (const score of scores) {
      shape("circle", { class: "race-dot", cx: x, cy: this.y(score), r: 3.5 }, this.now);
    }
    const top = this.y(scores[ranking[0]] ?? 0);
    const star = { class: "need-star", d: STAR, transform: `translate(${x},${top})` };
    shape("path", star, this.now);
    setAll(this.handle, { style: `left: ${x - HANDLE_WIDTH / 2}px` });
  }

  /** @type {(data: RaceData, scores: number[], ranking: number[], place: number | null) => void} */
  showList(data, scores, ranking, place) {
    const rows = ranking.map((at) => {
      const { name, dash, colours, against } = data.lines[at];
      const stroke = colourIn(colours, this.root);
      return rowOf(name, stroke, dash, scores[at], place === null ? against : "");
    });
    const mean = place === null ? data.random.here : data.random.mean[place];
    const random = rowOf("random baseline", "var(--ink)", RANDOM_DASH, mean, "");
    random.classList.add("race-unranked");
    this.list.replaceChildren(...rows, random);
  }

  /** @param {PointerEvent} event */
  placeOf(event) {
    const { left } = this.stage.getBoundingClientRect();
    return placeAlong(this.data?.numbers ?? [1], (event.clientX - left - FIELD.left) / this.room);
  }

  hold() {
    this.before = this.at;
    this.isHeld = true;
    this.look = null;
  }

  /** @param {number} place */
  moveTo(place) {
    this.at = place;
    this.show();
  }

  /** @param {number | null} place */
  lookAt(place) {
    if (this.isHeld || place === this.look) return;
    this.look = place;
    this.show();
  }

  letGo() {
    this.isHeld = false;
    if (this.data && this.at !== null && this.at !== this.before) {
      this.asker.ask({ number: this.data.numbers[this.at] });
    }
    this.draw();
  }

  save() {
    if (!this.data) return;
    const title = `F1 by ${this.data.title}`;
    const markup = onPaper(this.root, this.svg, title, (isPaper) => {
      this.isPaper = isPaper;
      this.draw();
    });
    saveSvg(markup, this.data.file);
  }
}

/**
 * @param {string} name
 * @param {string} stroke
 * @param {string} dash
 * @param {number} score thousandths
 * @param {string} against
 */
function rowOf(name, stroke, dash, score, against) {
  const row = element("li", {});
  const sample = shape("svg", { width: 34, height: 10, "aria-hidden": "true" }, row);
  const line = { class: "race-line", style: `stroke: ${stroke}`, "stroke-dasharray": dash || "none" };
  shape("path", { ...line, d: "M1,5h32" }, sample);
  element("span", { class: "race-name", title: name }, row, name);
  element("span", { class: "race-score" }, row, writeScore(score));
  element("span", { class: "race-against" }, row, against);
  return row;
}

export default mount("race", Race);
