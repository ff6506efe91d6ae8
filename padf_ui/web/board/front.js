// @ts-check
// The start page: an incident on a time axis, one or two alarms to drag, and their score under each protocol.
// Every number and sentence is a row that Python sent.

import { addText, element, setAll, shape } from "../core/dom.js";
import { placeByKey } from "../core/keys.js";
import { isWide } from "../lanes/layout.js";
import { textAt, writeScore } from "../core/lookup.js";
import { mount } from "../core/mount.js";
import { clockTicks, placeTickNames } from "../lanes/text_places.js";
import { colourIn, followTheme } from "../core/theme.js";

/**
 * @typedef {import("../payload.d.ts").FrontData} FrontData
 * @typedef {import("../payload.d.ts").FrontLane} FrontLane
 * @typedef {import("../core/mount.js").Component<FrontData>} FrontComponent
 * @typedef {{key: string, row: HTMLElement, name: HTMLElement, fill: HTMLElement, score: HTMLElement, words: HTMLElement}} FrontRow
 * @typedef {{place: number, mark: SVGElement, handle: HTMLElement}} Alarm
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
    this.before = 0;
    /** @type {Alarm | undefined} */
    this.held = undefined;
    this.isMoved = false;
    this.hasSecond = false;
    this.cell = 1;
    const head = element("div", { class: "front-head" }, root);
    this.said = element("p", { class: "front-said" }, head);
    this.more = element("button", { type: "button", class: "tool front-more" }, head);
    this.clock = element("div", { class: "clock" }, root);
    this.svg = shape("svg", { class: "lanes", "aria-hidden": "true" }, this.clock);
    this.ground = shape("g", {}, this.svg);
    this.alarms = ["alarm time", "time of the second alarm"].map((name) => this.buildAlarm(name));
    this.hint = element("span", { class: "front-hint" }, this.clock, "◀ drag the alarm ▶");
    this.rowBox = element("div", { class: "front-rows" }, root);
    /** @type {FrontRow[]} */
    this.rows = [];
    const slider = element("label", { class: "front-rate" }, root);
    element("span", { class: "front-rate-name" }, slider, "decay rate d");
    this.rate = element("input", { type: "range", min: 0, step: 1 }, slider);
    this.note = element("span", { class: "front-note" }, slider);
    this.listen();
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(root);
  }

  close() {
    this.observer.disconnect();
  }

  /**
   * @param {string} name
   * @returns {Alarm}
   */
  buildAlarm(name) {
    const mark = shape("g", { class: "alarm-mark" }, this.svg);
    shape("path", { class: "alarm-stem", d: `M0,34V${CLOCK.top + CLOCK.height}` }, mark);
    shape("circle", { class: "alarm-knob", cx: 0, cy: 19, r: 19 }, mark);
    shape("path", { class: "alarm-bell", d: BELL, transform: "translate(0,21)" }, mark);
    const slider = { class: "front-alarm", role: "slider", tabindex: 0, "aria-label": name };
    const handle = element("div", slider, this.clock);
    const alarm = { place: 0, mark, handle };
    handle.addEventListener("keydown", (event) => {
      const place = placeByKey(event.key, alarm.place, this.count);
      if (place === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.moveTo(alarm, place);
    });
    return alarm;
  }

  listen() {
    const { clock } = this;
    clock.addEventListener("pointerdown", (event) => this.press(event));
    clock.addEventListener("pointermove", (event) => {
      if (this.held) this.moveTo(this.held, this.placeAt(event));
    });
    clock.addEventListener("pointerup", () => (this.held = undefined));
    clock.addEventListener("pointercancel", () => {
      if (this.held) this.moveTo(this.held, this.before);
      this.held = undefined;
    });
    this.rate.addEventListener("input", () => this.show());
    this.more.addEventListener("click", () => {
      this.hasSecond = !this.hasSecond;
      this.isMoved = true;
      this.show();
    });
  }

  get count() {
    return this.component?.data.times.length ?? 1;
  }

  /** The alarms that are shown. */
  get shown() {
    return this.hasSecond ? this.alarms : this.alarms.slice(0, 1);
  }

  /** @param {FrontComponent} component */
  receive(component) {
    const { data } = component;
    if (this.component?.data.times.join() !== data.times.join()) {
      this.alarms[0].place = data.at;
      this.alarms[1].place = data.second;
      setAll(this.rate, { max: data.rates.length - 1 });
      this.rate.value = String(data.rate);
    }
    this.component = component;
    followTheme(this.root);
    this.keepRows(data.lanes);
    this.draw();
  }

  /** @param {FrontLane[]} lanes */
  keepRows(lanes) {
    const keys = lanes.map(({ key }) => key);
    if (this.rows.map(({ key }) => key).join() === keys.join()) return;
    this.rowBox.replaceChildren();
    const head = element("div", { class: "front-row front-scales", "aria-hidden": "true" }, this.rowBox);
    const scale = element("span", { class: "front-scale" }, head);
    for (const text of ["0", "F1", "1"]) element("span", {}, scale, text);
    this.rows = keys.map((key, index) => buildRow(this.rowBox, key, index));
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
  drawGround({ times, begins, step, start, stop }, width) {
    const { cell, ground } = this;
    const { top: y, height } = CLOCK;
    ground.replaceChildren();
    for (let place = 0; place < times.length; place++) {
      const kind = place >= start && place < stop ? "truth" : "normal";
      shape("rect", { class: kind, x: place * cell + 0.5, y, width: cell - 1, height, rx: 1 }, ground);
    }
    const wide = (stop - start) * cell;
    if (wide > 80) {
      addText(ground, "front-incident", start * cell + wide / 2, y + height - 10, "middle", "incident");
    }
    const ticks = clockTicks(times.length, begins, step, cell);
    for (const { at } of ticks) {
      shape("path", { class: "tick", d: `M${at * cell},${CLOCK.axis}v5` }, ground);
    }
    for (const { x, name } of placeTickNames(ticks, cell, width)) {
      addText(ground, "tick-text", x, CLOCK.bottom - 4, "middle", name);
    }
  }

  // Shows everything that depends on the alarms and on d.
  show() {
    const data = this.component?.data;
    if (!data) return;
    const [first, last] = [this.shown[0].place, this.shown[this.shown.length - 1].place];
    const row = data.rows[first * this.count + last];
    const step = Number(this.rate.value);
    const places = [...new Set([first, last])].sort((a, b) => a - b);
    const said = places.map((place) => `${textAt(data.said, place)}.`);
    if (data.quiet[row]) said.push("No false alarms.");
    this.said.textContent = said.join(" ");
    this.more.textContent = this.hasSecond ? "Remove the second alarm" : "Add a second alarm";
    this.note.textContent = textAt(data.notes, step);
    this.rate.setAttribute("aria-valuetext", textAt(data.notes, step));
    const scores = data.lanes.map((lane, index) => this.showRow(this.rows[index], lane, row, step));
    this.alarms.forEach((alarm, index) => {
      const isShown = index === 0 || this.hasSecond;
      alarm.handle.hidden = !isShown;
      alarm.mark.setAttribute("visibility", isShown ? "visible" : "hidden");
      this.placeAlarm(alarm, data);
      setAll(alarm.handle, {
        "aria-valuemin": 0,
        "aria-valuemax": this.count - 1,
        "aria-valuenow": alarm.place,
        "aria-valuetext": `${textAt(data.said, alarm.place)}. F1: ${scores.join(", ")}`,
      });
    });
    this.placeHint();
  }

  /**
   * @param {Alarm} alarm
   * @param {FrontData} data
   */
  placeAlarm({ place, mark, handle }, { start, stop }) {
    const x = (place + 0.5) * this.cell;
    const width = this.cell * this.count;
    mark.setAttribute("transform", `translate(${x},0)`);
    mark.setAttribute("class", place >= start && place < stop ? "alarm-mark found" : "alarm-mark wrong");
    handle.style.left = `${Math.max(0, Math.min(width - HANDLE, x - HANDLE / 2))}px`;
  }

  placeHint() {
    const x = (this.alarms[0].place + 0.5) * this.cell;
    const width = this.cell * this.count;
    this.hint.hidden = this.isMoved;
    const isRight = x > width - 190;
    this.hint.style.left = isRight ? "" : `${x + 22}px`;
    this.hint.style.right = isRight ? `${width - x + 22}px` : "";
  }

  /**
   * Shows a lane and returns its name and score.
   * @param {FrontRow} shown
   * @param {FrontLane} lane
   * @param {number} row
   * @param {number} step of the slider
   */
  showRow({ row: place, name, fill, score, words }, lane, row, step) {
    const at = Math.min(step, lane.f1.length - 1);
    const f1 = lane.f1[at][row];
    place.style.setProperty("--curve", colourIn(lane.colours, this.root));
    name.textContent = lane.names[at];
    fill.style.width = `${f1 / 10}%`;
    score.textContent = writeScore(f1);
    words.textContent = textAt(lane.words[at], row);
    return `${lane.names[at]} ${writeScore(f1)}`;
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
    const place = this.placeAt(event);
    const far = this.shown.map((alarm) => Math.abs(alarm.place - place));
    const alarm = this.shown[far.indexOf(Math.min(...far))];
    this.before = alarm.place;
    this.held = alarm;
    alarm.handle.focus({ preventScroll: true });
    this.moveTo(alarm, place);
  }

  /**
   * @param {Alarm} alarm
   * @param {number} place
   */
  moveTo(alarm, place) {
    if (place === alarm.place) return;
    alarm.place = place;
    this.isMoved = true;
    this.show();
  }
}

/**
 * @param {HTMLElement} parent
 * @param {string} key
 * @param {number} index
 * @returns {FrontRow}
 */
function buildRow(parent, key, index) {
  const row = element("div", { class: "front-row" }, parent);
  const name = element("span", { class: "front-name" }, row);
  const bar = element("span", { class: "front-bar", "aria-hidden": "true" }, row);
  const fill = element("span", { class: `front-fill hatch-${index % 4}` }, bar);
  const number = element("span", { class: "front-number" }, row);
  element("span", { class: "front-unit" }, number, "F1 ");
  const score = element("span", { class: "front-score" }, number);
  score.dataset.f1 = key;
  const words = element("p", { class: "front-words" }, row);
  return { key, row, name, fill, score, words };
}

export default mount("front", Front);
