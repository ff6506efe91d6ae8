// @ts-check
// A long series: signal, score, threshold, and the lanes of the visible part. The browser shows only what
// Python computed. Zooming asks Python for the new part.

import { nearestStep } from "../core/lookup.js";
import { mount } from "../core/mount.js";
import { heightAt, heightY } from "./signal_panels.js";
import { followTheme } from "../core/theme.js";
import { THRESHOLD, TimelinePicture } from "./timeline_picture.js";
import { addTool } from "../core/toolbar.js";

/**
 * @typedef {import("../payload.d.ts").TimelineData} TimelineData
 * @typedef {import("../payload.d.ts").Window} View
 * @typedef {import("../core/mount.js").Component<TimelineData>} TimelineComponent
 */

const ASK_AFTER_MS = 180;

/**
 * Limits a view to the series, with a minimum number of points.
 * @param {number} first
 * @param {number} last
 * @param {number} size
 */
export function clampView(first, last, size) {
  const length = Math.min(size, Math.max(5, Math.round(last - first)));
  const begin = Math.max(0, Math.min(size - length, Math.round(first)));
  return { first: begin, last: begin + length };
}

/** Handles the toolbar, pointer, wheel and keys of a timeline, and applies what Python sends. */
class Timeline extends TimelinePicture {
  /** @param {HTMLElement} root */
  constructor(root) {
    super(root);
    /** @type {{isLine: boolean, x: number, view: View, at: number} | null} */
    this.held = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.stepsToGo = 0;
    this.buildToolbar();
    this.listen();
  }

  /** @override */
  close() {
    super.close();
    clearTimeout(this.timer);
  }

  buildToolbar() {
    const { bar } = this;
    /** @type {(name: string, text: string, title: string, run: () => void, label?: string) => unknown} */
    const add = (name, text, title, run, label) => addTool(bar, { name, text, title, run, label });
    add("whole", "Whole series", "Show the whole series (Home)", () => this.showWhole());
    add("in", "+", "Zoom in (+)", () => this.zoom(0.5), "Zoom in");
    add("out", "−", "Zoom out (-)", () => this.zoom(2), "Zoom out");
    add("earlier", "◀", "Earlier (left arrow)", () => this.pan(-0.5), "Earlier");
    add("later", "▶", "Later (right arrow)", () => this.pan(0.5), "Later");
    add("next", "Next segment", "Zoom to the next segment", () => this.askNext());
    bar.append(this.stretch);
  }

  listen() {
    const { stage } = this.ui;
    const strip = this.strip.svg;
    stage.addEventListener("pointerdown", (event) => this.press(event));
    stage.addEventListener("pointermove", (event) => this.drag(event));
    stage.addEventListener("pointerup", () => this.release());
    stage.addEventListener("pointercancel", () => this.cancel());
    stage.addEventListener("dblclick", (event) => this.zoom(0.5, this.shareAt(event)));
    stage.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    stage.addEventListener("keydown", (event) => this.key(event));
    strip.addEventListener("pointerdown", (event) => this.pressStrip(event));
    strip.addEventListener("pointermove", (event) => this.dragStrip(event));
    strip.addEventListener("pointerup", () => this.releaseStrip());
    strip.addEventListener("pointercancel", () => {
      this.brush = null;
      this.placeView();
    });
  }

  /** @param {TimelineComponent} component */
  receive(component) {
    const { data } = component;
    const isNew = this.asker.receive(data);
    if (isNew || this.component?.data.revision !== data.revision) this.forgetMoves();
    this.component = component;
    followTheme(this.root);
    this.rows = data.rows;
    if (!this.isMoving) this.view = { first: data.rows.first, last: data.rows.last };
    this.giveCurves();
    this.draw();
    this.stepOn();
    this.asker.go();
  }

  // Something else changed what is shown, so earlier moves no longer apply.
  forgetMoves() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.stepsToGo = 0;
    this.asker.withdraw("window", "settings");
  }

  /** @override */
  get isOnItsWay() {
    return this.timer !== undefined || this.stepsToGo > 0;
  }

  /** @override */
  get isMoving() {
    return this.timer !== undefined || this.held !== null || this.asker.wanted.window !== undefined;
  }

  // Python finds the next segment from the view, so pending moves must be sent first.
  askNext() {
    this.stepsToGo += 1;
    if (this.timer !== undefined) this.askView();
    this.stepOn();
  }

  stepOn() {
    if (!this.stepsToGo || this.isMoving || !this.rows) return;
    this.stepsToGo -= 1;
    this.view = { ...this.rows.next };
    this.placeView();
    this.askView();
  }

  askView() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.ask({ window: { ...this.view } });
  }

  /**
   * Moves the current drawing to the new view at once, and asks Python for the missing parts.
   * @param {number} first
   * @param {number} last
   */
  go(first, last) {
    if (!this.rows) return;
    this.view = clampView(first, last, this.rows.size);
    this.stepsToGo = 0;
    this.placeView();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.askView(), ASK_AFTER_MS);
    this.showStale();
  }

  showWhole() {
    if (this.rows) this.go(0, this.rows.size);
  }

  /**
   * @param {number} factor
   * @param {number} [share] of the width; the point there stays in place
   */
  zoom(factor, share = 0.5) {
    const { first, last } = this.view;
    const length = (last - first) * factor;
    const begin = first + (last - first - length) * share;
    this.go(begin, begin + length);
  }

  /** @param {number} share */
  pan(share) {
    const by = (this.view.last - this.view.first) * share;
    this.go(this.view.first + by, this.view.last + by);
  }

  /** @param {MouseEvent} event */
  shareAt(event) {
    const { left, room } = this.box ?? { left: 0, room: 1 };
    const bounds = this.root.getBoundingClientRect();
    return Math.max(0, Math.min(1, (event.clientX - bounds.left - left) / room));
  }

  /** @param {PointerEvent} event */
  isAtLine(event) {
    const { rows, box } = this;
    if (!rows || !box || !this.sliders.get(THRESHOLD)) return false;
    const y = event.clientY - this.ui.stage.getBoundingClientRect().top;
    const line = heightY(rows.heights[this.thresholdStep(rows)], box.lanes.score);
    return Math.abs(y - line) < (event.pointerType === "touch" ? 16 : 8);
  }

  /** @param {PointerEvent} event */
  press(event) {
    const isPick = event.target instanceof Element && event.target.closest(".pick");
    if (event.button !== 0 || isPick || !this.rows) return;
    const isLine = this.isAtLine(event);
    const at = this.thresholdStep(this.rows);
    this.held = { isLine, x: event.clientX, view: { ...this.view }, at };
    if (isLine || event.pointerType !== "touch") event.preventDefault();
    this.ui.stage.setPointerCapture(event.pointerId);
    this.ui.stage.focus({ preventScroll: true });
  }

  /** @param {PointerEvent} event */
  drag(event) {
    if (!this.held) {
      this.ui.stage.style.cursor = this.isAtLine(event) ? "ns-resize" : "grab";
    } else if (this.held.isLine) {
      this.dragLine(event);
    } else if (this.box && Math.abs(this.held.x - event.clientX) > 3) {
      const { first, last } = this.held.view;
      const by = ((this.held.x - event.clientX) / this.box.room) * (last - first);
      this.go(first + by, last + by);
    }
  }

  /** @param {PointerEvent} event */
  dragLine(event) {
    const slider = this.sliders.get(THRESHOLD);
    if (!this.box || !this.rows || !slider) return;
    const y = event.clientY - this.ui.stage.getBoundingClientRect().top;
    slider.isDragging = true;
    slider.moveTo(nearestStep(this.rows.heights, heightAt(y, this.box.lanes.score)));
  }

  release() {
    const { held } = this;
    const slider = this.sliders.get(THRESHOLD);
    this.held = null;
    if (!held?.isLine || !slider) return;
    slider.isDragging = false;
    if (held.at !== slider.at) slider.letGo();
  }

  cancel() {
    const { held } = this;
    const slider = this.sliders.get(THRESHOLD);
    this.held = null;
    if (held?.isLine && slider) {
      slider.isDragging = false;
      slider.moveTo(held.at);
    } else if (held) {
      this.go(held.view.first, held.view.last);
    }
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.zoom(event.deltaY > 0 ? 1.25 : 0.8, this.shareAt(event));
  }

  /** @param {PointerEvent} event */
  pressStrip(event) {
    if (event.button !== 0) return;
    this.strip.svg.setPointerCapture(event.pointerId);
    this.brush = { from: this.shareAt(event), to: this.shareAt(event) };
  }

  /** @param {PointerEvent} event */
  dragStrip(event) {
    if (!this.brush) return;
    this.brush.to = this.shareAt(event);
    const { from, to } = this.brush;
    this.placeHandle(Math.min(from, to), Math.max(from, to), 2);
  }

  releaseStrip() {
    if (!this.brush || !this.rows || !this.box) return;
    const low = Math.min(this.brush.from, this.brush.to);
    const high = Math.max(this.brush.from, this.brush.to);
    const { size } = this.rows;
    this.brush = null;
    if ((high - low) * this.box.room > 4) {
      this.go(low * size, high * size);
    } else {
      const half = (this.view.last - this.view.first) / 2;
      this.go(low * size - half, low * size + half);
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== this.ui.stage) return;
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowLeft: () => this.pan(-0.25),
      ArrowRight: () => this.pan(0.25),
      "+": () => this.zoom(0.5),
      "=": () => this.zoom(0.5),
      "-": () => this.zoom(2),
      Home: () => this.showWhole(),
    };
    const act = actions[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}

export default mount("timeline", Timeline);
