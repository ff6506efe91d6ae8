// @ts-check
// The live drawing board. Strokes appear at once and are sent to Python. Every score, height and sentence
// shown is a row that Python computed for this pattern and slider step.

import { BoardPicture } from "./board_picture.js";
import { element, kept } from "../core/dom.js";
import { PAINTED } from "./grid.js";
import {
  isSamePattern, moveAlarms, newCarry, newHistory, noteChange, travel,
} from "../core/history.js";
import { chosenLane } from "../lanes/labels.js";
import { curveOf } from "../core/lookup.js";
import { Painter } from "./painting.js";
import { savePng, saveSvg } from "../core/picture.js";
import { tailorOf } from "./tailor.js";
import { colourIn, followTheme } from "../core/theme.js";
import { addTool, copyLink } from "../core/toolbar.js";

/**
 * @typedef {import("../payload.d.ts").BoardData} BoardData
 * @typedef {import("../core/history.js").Pattern} Pattern
 * @typedef {import("../core/mount.js").Component<BoardData>} BoardComponent
 */

/**
 * Returns the history of the board with this name in this tab. Undo still works after a visit to another
 * page. Each lesson step and each page has its own history.
 * @param {string} name
 * @returns {import("../core/history.js").Past}
 */
function historyOf(name) {
  const histories = kept("histories", /** @type {Record<string, import("../core/history.js").Past>} */ ({}));
  return (histories[name] ??= newHistory());
}

/** Handles the toolbar, pointer and keys of a board, and applies what Python sends. */
export class Board extends BoardPicture {
  /** @param {HTMLElement} root */
  constructor(root) {
    super(root);
    this.history = newHistory();
    this.place = kept("place", { focus: /** @type {{row: number, t: number} | null} */ (null) });
    this.seed = 1;
    this.carry = newCarry();
    this.painter = new Painter(this);
    this.tools = this.buildToolbar();
    this.listen();
  }

  buildToolbar() {
    const { bar } = this;
    /** @type {(name: string, text: string, title: string, run: () => void) => HTMLButtonElement} */
    const add = (name, text, title, run) => addTool(bar, { name, text, title, run });
    const undo = add("undo", "↶ Undo", "Undo (Ctrl+Z)", () => this.travel("undo"));
    const redo = add("redo", "↷ Redo", "Redo (Ctrl+Shift+Z or Ctrl+Y)", () => this.travel("redo"));
    add("earlier", "◀ Earlier", "Move all alarms one step earlier", () => this.move("earlier"));
    add("later", "Later ▶", "Move all alarms one step later", () => this.move("later"));
    add("clear", "Clear alarms", "Remove all alarms", () =>
      this.replace("0".repeat(this.pattern.detections.length)),
    );
    const random = "Replace the alarms with those of a random detector. Each click uses the next seed.";
    add("random", "Random alarms", random, () => this.random());
    const label = element("label", { class: "rate" }, bar, "rate ");
    const limits = { type: "number", min: 0, max: 100, step: 1, value: 6 };
    const rate = element("input", { ...limits, "aria-label": "alarm rate in percent" }, label);
    element("span", {}, label, " %");
    element("span", { class: "gap" }, bar);
    add("link", "Copy link", "Copy a link that restores this board", () => {
      const link = location.origin + location.pathname + (this.component?.data.link ?? "");
      return copyLink(link, this.status);
    });
    add("svg", "SVG", "Save the board as an SVG image", () =>
      saveSvg(this.picture(), "padf-board.svg"),
    );
    add("png", "PNG", "Save the board as a PNG image", () =>
      savePng(this.picture(), "padf-board.png"),
    );
    return { undo, redo, rate, label };
  }

  listen() {
    const { grid, painter } = this;
    const { canvas, scroll } = this.stage;
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => {
      if (painter.stroke) painter.drag(this.pointAt(event).t);
    });
    canvas.addEventListener("pointermove", (event) => this.hover(event));
    canvas.addEventListener("pointerleave", () => this.point(null));
    scroll.addEventListener("scroll", () => {
      this.point(null);
      this.stage.showEdges();
    });
    canvas.addEventListener("pointerup", () => painter.release());
    canvas.addEventListener("pointercancel", () => painter.cancel());
    this.root.addEventListener("keydown", (event) => this.key(event));
    grid.root.addEventListener("focusin", (event) => {
      grid.follow(event.target);
      this.place.focus = grid.active;
      this.pointAtFocus();
    });
    grid.root.addEventListener("focusout", () => {
      this.point(null);
      // If the page was left, the position is kept, so that the cell gets the focus back on return.
      setTimeout(() => {
        if (this.root.isConnected && !grid.root.matches(":focus-within")) this.place.focus = null;
      });
    });
  }

  /** @param {BoardComponent} component */
  receive(component) {
    const { data } = component;
    const isNew = this.asker.receive(data);
    this.history = historyOf(data.history);
    const isOther = isNew || this.component?.data.revision !== data.revision;
    const wasSpread = this.tailor?.spread ?? false;
    if (isOther) this.takePattern(data.rows);
    if (tailorOf(data).spread && (isOther || !wasSpread)) this.spread.start();
    this.component = component;
    followTheme(this.root);
    if (isSamePattern(data.rows, this.pattern)) this.takeRows(data);
    this.takeTailor();
    this.showHistory();
    this.layOut();
    this.drawAgain(this.asker.takeLost());
    this.asker.go();
  }

  // Sends to the new server what the old one had not answered before it stopped.
  /** @param {Partial<import("../payload.d.ts").BoardAsk> | null} lost */
  drawAgain(lost) {
    if (lost?.labels === undefined || lost.detections === undefined) return;
    this.painter.begin();
    this.show({ labels: lost.labels, detections: lost.detections });
    if (lost.settings) this.ask({ settings: lost.settings });
    this.finish();
  }

  /** @param {Pattern} pattern */
  takePattern({ labels, detections }) {
    this.asker.withdraw("labels", "detections", "random");
    if (this.history.last) noteChange(this.history, this.history.last, { labels, detections });
    this.painter.stroke = null;
    this.keepPattern({ labels, detections });
  }

  /** @param {BoardData} data */
  takeRows(data) {
    this.data = data;
    const hasNumbers = tailorOf(data).numbers;
    this.sliders.update(
      data.sliders,
      (model) => {
        const lane = chosenLane(data.rows.lanes, model.lane ?? this.chosen);
        const colour = colourIn(lane.colours, this.root);
        if (!hasNumbers) return { heights: model.steps.map(() => 0), name: "", colour };
        return { heights: curveOf(lane), name: lane.name, colour };
      },
      this.asker.wanted.settings ?? {},
    );
  }

  takeTailor() {
    const { tailor } = this;
    if (!tailor) return;
    const { bar } = this;
    const { label } = this.tools;
    for (const tool of /** @type {NodeListOf<HTMLElement>} */ (bar.querySelectorAll(".tool"))) {
      tool.hidden = !tailor.tools.includes(tool.dataset.tool ?? "");
    }
    label.hidden = !tailor.tools.includes("random");
    bar.hidden = !tailor.tools.length;
    this.sliders.show(tailor.sliders);
    this.grid.allow(tailor.paint);
    this.formula.hidden = !tailor.formula;
  }

  /** @param {PointerEvent} event */
  hover(event) {
    if (event.pointerType === "touch" || this.painter.stroke || !this.box) return;
    const { t, y } = this.pointAt(event);
    const key = this.laneAt(y);
    this.point(key ? { t, key } : null);
  }

  pointAtFocus() {
    const { row, t } = this.grid.active;
    const isByKey = this.grid.root.querySelector(".cell:focus-visible") !== null;
    if (isByKey && !this.painter.stroke) this.point({ t, key: PAINTED[row] });
  }

  /** @override */
  refocus() {
    this.isRefocused = true;
    const { focus } = this.place;
    const isFree = !document.activeElement || document.activeElement === document.body;
    if (!focus || !isFree || !this.grid.has(focus.t) || !this.grid.isOpen(focus.row)) return;
    this.grid.focus(focus.row, focus.t, false);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const isCommand = event.ctrlKey || event.metaKey;
    const isNumber = target instanceof HTMLInputElement && target.type === "number";
    const letter = event.key.toLowerCase();
    if (isCommand && (letter === "z" || letter === "y") && !isNumber) {
      event.preventDefault();
      this.travel(event.shiftKey || letter === "y" ? "redo" : "undo");
      return;
    }
    if (event.key === "Escape" && this.tip.isShown) {
      event.preventDefault();
      this.point(null);
      return;
    }
    if (target.getAttribute("role") !== "gridcell" || isCommand || event.altKey) return;
    const act = this.painter.keyAction(event);
    if (!act || !this.isDrawable) return;
    event.preventDefault();
    act();
  }

  /** @param {PointerEvent} event */
  pointAt(event) {
    const bounds = this.stage.canvas.getBoundingClientRect();
    const t = Math.floor((event.clientX - bounds.left) / this.cell);
    const last = this.pattern.labels.length - 1;
    return { t: Math.max(0, Math.min(last, t)), y: event.clientY - bounds.top };
  }

  /** @param {PointerEvent} event */
  press(event) {
    // A second finger must not start another stroke.
    if (this.painter.stroke || event.button !== 0 || !this.box || !this.isDrawable) return;
    const { t, y } = this.pointAt(event);
    const key = this.laneAt(y);
    const row = PAINTED.indexOf(key ?? "");
    if (row < 0) {
      if (key && key !== "shifts") this.choose(key);
      return;
    }
    if (!this.grid.isOpen(row)) return;
    event.preventDefault();
    this.point(null);
    this.stage.canvas.setPointerCapture(event.pointerId);
    this.painter.press(row, t);
    this.grid.focus(row, t, false);
  }

  /** Completes a change that the painter started. */
  finish() {
    noteChange(this.history, this.painter.before, this.pattern);
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

  /** @param {string} detections */
  replace(detections) {
    this.painter.begin();
    this.show({ ...this.pattern, detections });
    this.finish();
  }

  /** @param {"earlier" | "later"} way */
  move(way) {
    const moved = moveAlarms(this.carry, this.pattern, way);
    this.carry = moved;
    this.replace(moved.pattern.detections);
  }

  random() {
    const { value } = this.tools.rate;
    const rate = Number(value);
    if (value === "" || !(rate >= 0 && rate <= 100)) {
      this.status.say("The alarm rate must be from 0 to 100 %.", true);
      return;
    }
    this.ask({ random: { rate, seed: this.seed }, final: true });
    this.status.say(`Random alarms with seed ${this.seed}.`, true);
    this.seed += 1;
  }

  /** @param {"undo" | "redo"} way */
  travel(way) {
    if (this.painter.stroke) return;
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
}
