// @ts-check
// The start page: one incident on a time axis, one alarm to drag, and its score under each protocol.
// Every number and sentence is a row that Python sent.

import { addText, element, setAll, shape } from "../core/dom.js";
import { placeByKey } from "../core/keys.js";
import { isWide } from "../lanes/layout.js";
import { textAt, writeScore } from "../core/lookup.js";
import { mount } from "../core/mount.js";
import { boardTicks, placeTickNames } from "../lanes/text_places.js";
import { colourIn, followTheme } from "../core/theme.js";

/**
 * @typedef {import("../payload.d.ts").FrontData} FrontData
 * @typedef {import("../payload.d.ts").FrontLane} FrontLane
 * @typedef {import("../core/mount.js").Component<FrontData>} FrontComponent
 * @typedef {{key: string, row: HTMLElement, fill: HTMLElement, score: HTMLElement, words: HTMLElement}} FrontRow
 */

const CLOCK = { top: 46, height: 44, axis: 94, bottom: 120 };
const HANDLE = 44;
const BELL = "M0,-15 c-6,0 -9,5 -9,10 c0,6 -2,8 -4,10 h26 c-2,-2 -4,-4 -4,-10 c0,-5 -3,-10 -9,-10 z M-3,7 a3,3 0 0 0 6,0 z";

class Front {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {FrontComponent | undefined} */
    this.component = undefined;
    this.at = 0;
    this.before = 0;
    this.isHeld = false;
    this.isMoved = false;
    this.cell = 1;
    this.said = element("p", { class: "front-said" }, root);
    this.clock = element("div", { class: "clock" }, root);
    this.svg = shape("svg", { class: "lanes", "aria-hidden": "true" }, this.clock);
    this.ground = shape("g", {}, this.svg);
    this.alarm = buildAlarm(this.svg);
    const slider = { class: "front-alarm", role: "slider", tabindex: 0, "aria-label": "alarm time" };
    this.handle = element("div", slider, this.clock);
    this.hint = element("span", { class: "front-hint" }, this.clock, "◀ drag the alarm ▶");
    this.rowBox = element("div", { class: "front-rows" }, root);
    /** @type {FrontRow[]} */
    this.rows = [];
    this.listen();
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(root);
  }

  close() {
    this.observer.disconnect();
  }

  listen() {
    const { clock } = this;
    clock.addEventListener("pointerdown", (event) => this.press(event));
    clock.addEventListener("pointermove", (event) => this.isHeld && this.moveTo(this.placeAt(event)));
    clock.addEventListener("pointerup", () => (this.isHeld = false));
    clock.addEventListener("pointercancel", () => {
      this.isHeld = false;
      this.moveTo(this.before);
    });
    this.handle.addEventListener("keydown", (event) => {
      const place = placeByKey(event.key, this.at, this.count);
      if (place === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.moveTo(place);
    });
  }

  get count() {
    return this.component?.data.times.length ?? 1;
  }

  /** @param {FrontComponent} component */
  receive(component) {
    const isSame = this.component?.data.times.join() === component.data.times.join();
    if (!isSame) this.at = component.data.at;
    this.component = component;
    followTheme(this.root);
    this.keepRows(component.data.lanes);
    this.draw();
  }

  /** @param {FrontLane[]} lanes */
  keepRows(lanes) {
    const keys = lanes.map(({ key }) => key);
    if (this.rows.map(({ key }) => key).join() === keys.join()) return;
    this.rowBox.replaceChildren();
    const head = element("div", { class: "front-row front-head", "aria-hidden": "true" }, this.rowBox);
    const scale = element("span", { class: "front-scale" }, head);
    for (const text of ["0", "F1", "1"]) element("span", {}, scale, text);
    this.rows = lanes.map((lane, index) => buildRow(this.rowBox, lane, index));
  }

  draw() {
    const data = this.component?.data;
    const width = this.root.clientWidth;
    if (!data || !width) return;
    this.root.classList.toggle("narrow", !isWide(width));
    this.cell = width / this.count;
    setAll(this.svg, { width, height: CLOCK.bottom });
    this.drawGround(data, width);
    this.show();
  }

  /**
   * @param {FrontData} data
   * @param {number} width
   */
  drawGround({ times, start, stop }, width) {
    const { cell, ground } = this;
    const { top: y, height } = CLOCK;
    ground.replaceChildren();
    shape("rect", { class: "normal", x: 0, y, width, height, rx: 4 }, ground);
    const incident = { x: start * cell, y, width: (stop - start) * cell, height, rx: 4 };
    shape("rect", { class: "truth", ...incident }, ground);
    if (incident.width > 80) {
      const middle = incident.x + incident.width / 2;
      addText(ground, "front-incident", middle, y + height - 10, "middle", "incident");
    }
    const ticks = boardTicks(times.length, times, cell);
    for (const { at } of ticks) {
      shape("path", { class: "tick", d: `M${at * cell},${CLOCK.axis}v5` }, ground);
    }
    for (const { x, name } of placeTickNames(ticks, cell, width)) {
      addText(ground, "tick-text", x, CLOCK.bottom - 4, "middle", name);
    }
  }

  // Shows everything that depends on the place of the alarm.
  show() {
    const data = this.component?.data;
    if (!data) return;
    const said = textAt(data.said, this.at);
    this.said.textContent = said;
    this.placeAlarm(data);
    data.lanes.forEach((lane, index) => this.showRow(this.rows[index], lane));
    const scores = data.lanes.map((lane) => `${lane.name} ${writeScore(lane.f1[this.at])}`);
    setAll(this.handle, {
      "aria-valuemin": 0,
      "aria-valuemax": this.count - 1,
      "aria-valuenow": this.at,
      "aria-valuetext": `${said}. F1: ${scores.join(", ")}`,
    });
  }

  /** @param {FrontData} data */
  placeAlarm({ start, stop }) {
    const x = (this.at + 0.5) * this.cell;
    const width = this.cell * this.count;
    const isHit = this.at >= start && this.at < stop;
    this.alarm.setAttribute("transform", `translate(${x},0)`);
    this.alarm.setAttribute("class", isHit ? "alarm-mark found" : "alarm-mark wrong");
    this.handle.style.left = `${Math.max(0, Math.min(width - HANDLE, x - HANDLE / 2))}px`;
    this.hint.hidden = this.isMoved;
    const isRight = x > width - 190;
    this.hint.style.left = isRight ? "" : `${x + 22}px`;
    this.hint.style.right = isRight ? `${width - x + 22}px` : "";
  }

  /**
   * @param {FrontRow} row
   * @param {FrontLane} lane
   */
  showRow({ row, fill, score, words }, lane) {
    const f1 = lane.f1[this.at];
    row.style.setProperty("--curve", colourIn(lane.colours, this.root));
    fill.style.width = `${f1 / 10}%`;
    score.textContent = writeScore(f1);
    words.textContent = textAt(lane.words, this.at);
  }

  /** @param {PointerEvent} event */
  placeAt(event) {
    const { left } = this.clock.getBoundingClientRect();
    return Math.max(0, Math.min(this.count - 1, Math.floor((event.clientX - left) / this.cell)));
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (event.button !== 0) return;
    event.preventDefault();
    this.clock.setPointerCapture(event.pointerId);
    this.before = this.at;
    this.isHeld = true;
    this.handle.focus({ preventScroll: true });
    this.moveTo(this.placeAt(event));
  }

  /** @param {number} place */
  moveTo(place) {
    if (place === this.at) return;
    this.at = place;
    this.isMoved = true;
    this.show();
  }
}

/** @param {SVGElement} svg */
function buildAlarm(svg) {
  const mark = shape("g", { class: "alarm-mark" }, svg);
  shape("path", { class: "alarm-stem", d: `M0,34V${CLOCK.top + CLOCK.height}` }, mark);
  shape("circle", { class: "alarm-knob", cx: 0, cy: 19, r: 19 }, mark);
  shape("path", { class: "alarm-bell", d: BELL, transform: "translate(0,21)" }, mark);
  return mark;
}

/**
 * @param {HTMLElement} parent
 * @param {FrontLane} lane
 * @param {number} index
 * @returns {FrontRow}
 */
function buildRow(parent, { key, name }, index) {
  const row = element("div", { class: "front-row" }, parent);
  element("span", { class: "front-name" }, row, name);
  const bar = element("span", { class: "front-bar", "aria-hidden": "true" }, row);
  const fill = element("span", { class: `front-fill hatch-${index % 4}` }, bar);
  const number = element("span", { class: "front-number" }, row);
  element("span", { class: "front-unit" }, number, "F1 ");
  const score = element("span", { class: "front-score" }, number);
  score.dataset.f1 = key;
  const words = element("p", { class: "front-words" }, row);
  return { key, row, fill, score, words };
}

export default mount("front", Front);
