// @ts-check
// The live drawing board. Strokes are drawn at once and sent to Python; every score, height and
// sentence shown is a row that Python computed for this pattern and slider step.

import { Asker } from "./asking.js";
import { element, kept, newDrawingId, setAll, shape } from "./dom.js";
import { PatternGrid, PAINTED } from "./grid.js";
import { isSamePattern, newHistory, noteChange, travel } from "./history.js";
import {
  addHatches, chosenLane, drawArrows, drawLabels, drawLane, drawLegend, drawSegmentBoxes,
  drawSeparators, drawTicks, keepLayers, Picks,
} from "./lanes.js";
import { boardCell, boardTicks, layOutStage } from "./layout.js";
import { creditAt, curveOf, gainAt, rowAt, scoreAt, textAt, writeCredit } from "./lookup.js";
import { mount } from "./mount.js";
import { composeSvg, savePng, saveSvg } from "./picture.js";
import { cellsOfPattern, detectionPieces, findOnes, makePieces, protocolPieces } from "./pieces.js";
import { Sliders } from "./slider.js";
import { followTheme } from "./theme.js";
import { addTool, addToolbar, Status } from "./toolbar.js";

/**
 * @typedef {import("./payload.d.ts").BoardData} BoardData
 * @typedef {import("./payload.d.ts").Lane} Lane
 * @typedef {import("./history.js").Pattern} Pattern
 * @typedef {import("./layout.js").Box} Box
 * @typedef {import("./mount.js").Component<BoardData>} BoardComponent
 */

const LAYERS = ["separators", "boxes", "arrows", "axis", "hint"];
const PICTURE_WIDTH = 1100;

/** @type {["precision", "recall", "formula"]} */
const FORMULAS = ["precision", "recall", "formula"];

class Board {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.id = newDrawingId();
    // What was drawn in this tab, so that Undo also works after a visit to another page.
    this.history = kept("history", newHistory());
    this.place = kept("place", { focus: /** @type {{row: number, t: number} | null} */ (null) });
    /** @type {string | null} */
    this.chosen = null;
    this.seed = 1;
    this.isPainted = false;
    this.isRefocused = false;
    /** @type {Pattern} */
    this.pattern = { labels: "", detections: "" };
    /** @type {{row: number, t: number} | null} */
    this.stroke = null;
    /** @type {Pattern} */
    this.before = this.pattern;
    this.brush = "1";
    /** @type {string | undefined} what Shift and an arrow key go on painting */
    this.keyBrush = undefined;
    /** @type {BoardData | undefined} */
    this.data = undefined;
    /** @type {BoardComponent | undefined} */
    this.component = undefined;
    /** @type {Box | undefined} */
    this.box = undefined;
    this.cell = 1;
    this.asker = new Asker(
      (ask) => this.component?.setStateValue("ask", ask),
      () => ({ revision: this.component?.data.revision }),
    );
    this.tools = this.buildToolbar();
    this.sliders = new Sliders(this.root, {
      onMove: () => this.drawLanes(),
      onRelease: (key, value) => this.ask({ settings: { [key]: value }, final: true }),
      onRefuse: (message) => this.status.say(message, true),
    });
    this.ui = buildStage(root, this.id);
    this.grid = new PatternGrid(this.ui.canvas);
    this.picks = new Picks(this.ui.stage, (key) => this.choose(key));
    this.formula = element("div", { class: "formula" }, root);
    this.status = new Status(root);
    this.listen();
    this.observer = new ResizeObserver(() => this.layOut());
    this.observer.observe(this.root);
  }

  close() {
    this.observer.disconnect();
    this.asker.close();
    this.status.close();
  }

  buildToolbar() {
    const bar = addToolbar(this.root, "Edit the board");
    /** @type {(name: string, text: string, title: string, run: () => void) => HTMLButtonElement} */
    const add = (name, text, title, run) => addTool(bar, { name, text, title, run });
    const undo = add("undo", "↶ Undo", "Undo (Ctrl+Z)", () => this.travel("undo"));
    const redo = add("redo", "↷ Redo", "Redo (Ctrl+Shift+Z)", () => this.travel("redo"));
    add("earlier", "◀ Earlier", "Move all alarms one step earlier", () =>
      this.replace(`${this.pattern.detections.slice(1)}0`),
    );
    add("later", "Later ▶", "Move all alarms one step later", () =>
      this.replace(`0${this.pattern.detections.slice(0, -1)}`),
    );
    add("clear", "Clear alarms", "Remove all alarms", () =>
      this.replace("0".repeat(this.pattern.detections.length)),
    );
    const random = "Replace the alarms by a random detector's, from the next seed";
    add("random", "Random alarms", random, () => this.random());
    const label = element("label", { class: "rate" }, bar, "rate ");
    const limits = { type: "number", min: 0, max: 100, step: 1, value: 6 };
    const rate = element("input", { ...limits, "aria-label": "alarm rate in percent" }, label);
    element("span", {}, label, " %");
    element("span", { class: "gap" }, bar);
    add("link", "Copy link", "Copy a link that restores this board", () => this.copyLink());
    add("svg", "SVG", "Save the board as a vector picture", () =>
      saveSvg(this.picture(), "padf-board.svg"),
    );
    add("png", "PNG", "Save the board as a picture", () =>
      savePng(this.picture(), "padf-board.png"),
    );
    return { undo, redo, rate };
  }

  listen() {
    const { grid } = this;
    const { canvas } = this.ui;
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => this.drag(event));
    canvas.addEventListener("pointerup", () => this.release());
    canvas.addEventListener("pointercancel", () => this.cancel());
    this.root.addEventListener("keydown", (event) => this.key(event));
    grid.root.addEventListener("focusin", () => (this.place.focus = grid.active));
    grid.root.addEventListener("focusout", () => {
      // A cell that loses the focus because the page was left gets it back when the board returns.
      setTimeout(() => {
        if (this.root.isConnected && !grid.root.matches(":focus-within")) this.place.focus = null;
      });
    });
  }

  // ---- what Python sends -------------------------------------------------------------------

  /** @param {BoardComponent} component */
  receive(component) {
    const { data } = component;
    const isNew = this.asker.receive(data);
    if (isNew || this.component?.data.revision !== data.revision) this.takePattern(data.rows);
    this.component = component;
    followTheme(this.root);
    if (isSamePattern(data.rows, this.pattern)) this.takeRows(data);
    this.showHistory();
    this.layOut();
    this.asker.go();
  }

  /** @param {Pattern} pattern */
  takePattern({ labels, detections }) {
    this.asker.withdraw("labels", "detections", "random");
    if (this.history.last) noteChange(this.history, this.history.last, { labels, detections });
    this.stroke = null;
    this.keepPattern({ labels, detections });
  }

  /** @param {BoardData} data */
  takeRows(data) {
    this.data = data;
    this.sliders.update(
      data.sliders,
      (model) => {
        const lane = chosenLane(data.rows.lanes, model.lane ?? this.chosen);
        return { heights: curveOf(lane), name: lane.name };
      },
      this.asker.wanted.settings ?? {},
    );
  }

  // ---- layout and drawing ------------------------------------------------------------------

  // Until Python sends the rows of a pattern of another length, the old one stays on the screen.
  get isDrawable() {
    return this.data?.rows.labels.length === this.pattern.labels.length;
  }

  /** @param {number} [width] */
  layOut(width = this.root.clientWidth) {
    if (!width || !this.data || !this.isDrawable) return;
    const { rows } = this.data;
    const count = this.pattern.labels.length;
    this.box = layOutStage(rows.lanes, width, "board");
    const { left, room, wide, bottom } = this.box;
    this.cell = boardCell(this.box, count);
    const full = this.cell * count;
    this.root.classList.toggle("narrow", !wide);
    this.ui.stage.style.height = `${bottom}px`;
    this.ui.scroll.style.left = `${left}px`;
    this.ui.scroll.style.width = `${room}px`;
    this.ui.scroll.classList.toggle("scrolls", full > room + 1);
    this.ui.canvas.style.width = `${full}px`;
    this.ui.canvas.style.height = `${bottom}px`;
    setAll(this.ui.svg, { width: full, height: bottom });
    setAll(this.ui.frame, { width, height: bottom });
    this.sliders.draw();
    this.grid.lay(count, this.cell, this.box.lanes);
    drawLegend(this.ui.legend, left, width - left, `${this.id}f`);
    keepLayers(this.ui.lanes, rows.lanes.map((lane) => lane.key));
    drawSeparators(this.ui.layers.separators, Object.values(this.box.lanes), count, this.cell);
    drawTicks(
      this.ui.layers.axis, boardTicks(count, rows.times, this.cell), this.box.axis, this.cell, full,
    );
    this.drawPainted();
    this.drawLanes();
    if (!this.isRefocused) this.refocus();
  }

  drawPainted() {
    if (!this.box || !this.data) return;
    const { labels, detections } = this.pattern;
    const { truth, detections: lane } = this.box.lanes;
    const [first, second] = this.ui.painted.children;
    const pieces = makePieces("truth", findOnes(labels));
    drawLane(first, pieces, truth, this.cell, labels.length, this.id);
    const found = detectionPieces(cellsOfPattern(labels, detections));
    drawLane(second, found, lane, this.cell, labels.length, this.id);
    this.grid.name(this.pattern, this.data.rows.times);
    this.ui.layers.hint.replaceChildren();
    const free = labels.indexOf("1") * this.cell;
    if (this.component?.data.hint && !this.isPainted && free > 150) {
      const place = { x: free - 10, y: truth.y + truth.h / 2 + 4, "text-anchor": "end" };
      const text = "press and drag to paint";
      shape("text", { class: "hint", ...place }, this.ui.layers.hint, text);
    }
    this.showStale();
  }

  // Everything that a slider moves: lanes, scores, arrows and the formula.
  drawLanes() {
    if (!this.box || !this.data) return;
    const { rows } = this.data;
    const { box, cell } = this;
    const count = rows.labels.length;
    const cells = cellsOfPattern(rows.labels, rows.detections);
    rows.lanes.forEach((lane, index) => {
      const pieces = protocolPieces(cells, rows.segments, lane.credit, this.rowOf(lane));
      drawLane(this.ui.lanes.children[index], pieces, box.lanes[lane.key], cell, count, this.id);
    });
    const last = box.lanes[rows.lanes[rows.lanes.length - 1].key];
    const bottom = last.y + last.h;
    drawSegmentBoxes(this.ui.layers.boxes, rows.segments, box.lanes.truth.y - 3, bottom, cell);
    for (const lane of rows.lanes) {
      const { arrows } = box.lanes[lane.key];
      if (arrows === null) continue;
      drawArrows(this.ui.layers.arrows, this.arrowsOf(lane), arrows, cell, cell * count);
    }
    this.drawFrame();
    this.drawFormula();
    this.showStale();
  }

  /** @param {Lane} lane */
  arrowsOf(lane) {
    const row = this.rowOf(lane);
    return (this.data?.rows.segments ?? []).map((segment, index) => {
      const credit = lane.credit.by === "segment" ? creditAt(lane.credit, row, index) : -1;
      return { ...segment, worth: credit < 0 ? "" : writeCredit(credit) };
    });
  }

  /** @param {Lane} lane */
  rowOf(lane) {
    return rowAt(lane, this.sliders.stepOf(lane.slider));
  }

  drawFrame() {
    if (!this.box || !this.data) return;
    const { rows } = this.data;
    const chosen = chosenLane(rows.lanes, this.chosen).key;
    const lanes = rows.lanes.map((lane) => ({
      key: lane.key,
      name: lane.name,
      parameter: this.sliders.nameAt(lane.slider),
      score: scoreAt(lane, this.rowOf(lane)),
      gain: gainAt(lane, this.rowOf(lane)),
    }));
    const labels = [
      { key: "truth", name: "Truth" },
      { key: "detections", name: "Detections", aside: rows.alarms },
      ...lanes,
    ];
    drawLabels(this.ui.labels, this.box, labels, chosen, rows.axis);
    const picks = lanes.map(({ key, name, parameter, score, gain }) => {
      const more = gain && `, ${gain} against ${lanes[0].name}`;
      return { key, label: `${name} ${parameter}: F1 ${score}${more}. Show the formula` };
    });
    this.picks.draw(this.box, picks, chosen);
    const scores = lanes.map((lane) => `${lane.name} ${lane.score}`).join(", ");
    this.ui.svg.setAttribute("aria-label", `Lanes of the board. F1: ${scores}. ${rows.alarms}.`);
  }

  /** @param {string} key */
  choose(key) {
    this.chosen = key;
    this.drawFrame();
    this.drawFormula();
  }

  drawFormula() {
    if (!this.data) return;
    const lane = chosenLane(this.data.rows.lanes, this.chosen);
    const row = this.rowOf(lane);
    const parameter = this.sliders.nameAt(lane.slider);
    const name = parameter ? `${lane.name} (${parameter})` : lane.name;
    this.formula.replaceChildren();
    element("strong", { class: "formula-name" }, this.formula, name);
    for (const key of FORMULAS) {
      const text = textAt(lane[key], row);
      element("span", { class: "formula-part" }, this.formula, text).dataset.formula = key;
    }
    element("p", { class: "formula-why" }, this.formula, textAt(lane.why, row));
  }

  showStale() {
    const isOther = !this.data || !isSamePattern(this.data.rows, this.pattern);
    this.root.dataset.stale = String(isOther || this.asker.isWaiting);
  }

  // ---- the keyboard --------------------------------------------------------------------------

  // Puts the keyboard back where it was when the page was left.
  refocus() {
    this.isRefocused = true;
    const { focus } = this.place;
    const isFree = !document.activeElement || document.activeElement === document.body;
    if (!focus || !isFree || !this.grid.has(focus.t)) return;
    this.grid.focus(focus.row, focus.t, false);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const isCommand = event.ctrlKey || event.metaKey;
    const isNumber = target instanceof HTMLInputElement && target.type === "number";
    if (isCommand && event.key.toLowerCase() === "z" && !isNumber) {
      event.preventDefault();
      this.travel(event.shiftKey ? "redo" : "undo");
      return;
    }
    if (target.getAttribute("role") !== "gridcell" || isCommand || event.altKey) return;
    const act = this.keyAction(event);
    if (!act || !this.isDrawable) return;
    event.preventDefault();
    act();
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {(() => void) | undefined}
   */
  keyAction(event) {
    const { row, t } = this.grid.active;
    const last = this.pattern.labels.length - 1;
    /** @type {Record<string, () => void>} */
    const actions = {
      " ": () => this.paintByKey(row, t, t),
      Enter: () => this.paintByKey(row, t, t),
      ArrowLeft: () => this.stepByKey(row, t, Math.max(0, t - 1), event.shiftKey),
      ArrowRight: () => this.stepByKey(row, t, Math.min(last, t + 1), event.shiftKey),
      ArrowUp: () => this.stepByKey(0, t, t, false),
      ArrowDown: () => this.stepByKey(1, t, t, false),
      Home: () => this.stepByKey(row, t, 0, false),
      End: () => this.stepByKey(row, t, last, false),
    };
    return actions[event.key];
  }

  /** @type {(row: number, from: number, to: number, isPainting: boolean) => void} */
  stepByKey(row, from, to, isPainting) {
    if (isPainting) this.paintByKey(row, from, to, this.keyBrush);
    else this.keyBrush = undefined;
    this.grid.focus(row, to, true);
  }

  /** @type {(row: number, from: number, to: number, brush?: string) => void} */
  paintByKey(row, from, to, brush) {
    this.begin(brush ?? this.otherBrush(row, from));
    this.keyBrush = this.brush;
    this.paint(row, from, to);
    this.finish();
    this.status.say(this.grid.nameOf(row, to));
  }

  // ---- painting ----------------------------------------------------------------------------

  /** @param {PointerEvent} event */
  pointAt(event) {
    const bounds = this.ui.canvas.getBoundingClientRect();
    const t = Math.floor((event.clientX - bounds.left) / this.cell);
    const last = this.pattern.labels.length - 1;
    return { t: Math.max(0, Math.min(last, t)), y: event.clientY - bounds.top };
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (event.button !== 0 || !this.box || !this.isDrawable) return;
    const { t, y } = this.pointAt(event);
    const lane = Object.entries(this.box.lanes).find(
      ([, place]) => y >= place.y - 4 && y <= place.y + place.h + 4,
    );
    if (!lane) return;
    const row = PAINTED.indexOf(lane[0]);
    if (row < 0) {
      this.choose(lane[0]);
      return;
    }
    event.preventDefault();
    this.ui.canvas.setPointerCapture(event.pointerId);
    this.begin(this.otherBrush(row, t));
    this.keyBrush = this.brush;
    this.stroke = { row, t };
    this.paint(row, t, t);
    this.grid.focus(row, t, false);
  }

  /** @param {PointerEvent} event */
  drag(event) {
    if (!this.stroke) return;
    const { t } = this.pointAt(event);
    if (t === this.stroke.t) return;
    this.paint(this.stroke.row, this.stroke.t, t);
    this.stroke.t = t;
  }

  release() {
    if (!this.stroke) return;
    this.stroke = null;
    this.finish();
  }

  // The browser took the touch for scrolling: nothing was meant to be painted.
  cancel() {
    if (!this.stroke) return;
    this.show(this.before);
    this.release();
  }

  /**
   * The first cell decides whether a stroke paints or erases.
   * @param {number} row
   * @param {number} t
   */
  otherBrush(row, t) {
    const series = row === 0 ? this.pattern.labels : this.pattern.detections;
    return series[t] === "1" ? "0" : "1";
  }

  /** @param {string} brush */
  begin(brush) {
    this.before = this.pattern;
    this.brush = brush;
  }

  /** @type {(row: number, from: number, to: number) => void} */
  paint(row, from, to) {
    const [first, last] = from <= to ? [from, to] : [to, from];
    const name = row === 0 ? "labels" : "detections";
    const series = this.pattern[name];
    const stroke = this.brush.repeat(last - first + 1);
    const painted = series.slice(0, first) + stroke + series.slice(last + 1);
    this.show({ ...this.pattern, [name]: painted });
    this.askPattern(false);
  }

  finish() {
    noteChange(this.history, this.before, this.pattern);
    this.askPattern(true);
    this.showHistory();
  }

  /** @param {Pattern} pattern */
  keepPattern(pattern) {
    this.pattern = pattern;
    this.history.last = pattern;
  }

  /** @param {Pattern} pattern */
  show(pattern) {
    this.keepPattern(pattern);
    this.isPainted = true;
    if (this.isDrawable) this.drawPainted();
  }

  /** @param {boolean} final */
  askPattern(final) {
    this.ask({ ...this.pattern, final }, final);
  }

  /**
   * @param {import("./asking.js").Wish} wish
   * @param {boolean} [isUrgent]
   */
  ask(wish, isUrgent = true) {
    this.asker.ask(wish, isUrgent);
    this.showStale();
  }

  /** @param {string} detections */
  replace(detections) {
    this.begin(this.brush);
    this.show({ ...this.pattern, detections });
    this.finish();
  }

  random() {
    const { value } = this.tools.rate;
    const rate = Number(value);
    if (value === "" || !(rate >= 0 && rate <= 100)) {
      this.status.say("The alarm rate must be from 0 to 100 %.", true);
      return;
    }
    this.ask({ random: { rate, seed: this.seed }, final: true });
    this.status.say(`Random alarms from seed ${this.seed}.`, true);
    this.seed += 1;
  }

  /** @param {"undo" | "redo"} way */
  travel(way) {
    const there = travel(this.history, way, this.pattern);
    if (!there) return;
    this.show(there);
    this.askPattern(true);
    this.showHistory();
  }

  showHistory() {
    this.tools.undo.disabled = !this.history.past.length;
    this.tools.redo.disabled = !this.history.future.length;
  }

  // ---- taking the board away -----------------------------------------------------------------

  async copyLink() {
    const link = location.origin + location.pathname + (this.component?.data.link ?? "");
    try {
      await navigator.clipboard.writeText(link);
      this.status.say("Link copied.", true);
    } catch {
      this.status.say("Copying is not allowed here: take the link from the address bar.", true);
    }
  }

  // The board as it is on a wide screen, whatever the screen.
  picture() {
    this.layOut(Math.max(PICTURE_WIDTH, 280 + 8 * this.pattern.labels.length));
    this.ui.layers.hint.replaceChildren();
    const { width, left, bottom } = /** @type {Box} */ (this.box);
    const drawn = composeSvg({
      width,
      height: bottom,
      title: this.ui.svg.getAttribute("aria-label") ?? "",
      root: this.root,
      parts: [
        { svg: this.ui.svg, left },
        { svg: this.ui.frame, left: 0 },
      ],
    });
    this.layOut();
    return drawn;
  }
}

/**
 * @param {HTMLElement} root
 * @param {string} id
 */
function buildStage(root, id) {
  const stage = element("div", { class: "stage" }, root);
  const scroll = element("div", { class: "scroll" }, stage);
  const canvas = element("div", { class: "canvas" }, scroll);
  const svg = shape("svg", { class: "lanes", role: "img" }, canvas);
  addHatches(svg, id);
  const painted = shape("g", {}, svg);
  keepLayers(painted, PAINTED);
  const lanes = shape("g", {}, svg);
  /** @type {Record<string, SVGGElement>} */
  const layers = {};
  for (const name of LAYERS) layers[name] = shape("g", { class: `layer-${name}` }, svg);
  const frame = shape("svg", { class: "frame", "aria-hidden": "true" }, stage);
  addHatches(frame, `${id}f`);
  const labels = shape("g", {}, frame);
  const legend = shape("g", {}, frame);
  return { stage, scroll, canvas, svg, painted, lanes, layers, frame, labels, legend };
}

export default mount("board", Board);
