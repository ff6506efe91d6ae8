// @ts-check
// A long series: signal, score, threshold, and the lanes of the stretch in view. The browser shows
// only what Python computed; zooming asks Python for the new stretch.

import { element, kept, newDrawingId, setAll, shape } from "../core/dom.js";
import {
  addHatches, chosenLane, drawArrows, drawLabels, drawLegend, drawSegmentBoxes, drawTicks,
  keepLayers, outline, PathLane, Picks,
} from "../lanes/lanes.js";
import { clampView, layOutStage, rectOf } from "../lanes/layout.js";
import {
  creditAt, curveOf, firstHitAt, gainAt, isFlagged, nearestStep, scoreAt, shownAt, textAt,
  writeCredit,
} from "../core/lookup.js";
import { Drawing, mount } from "../core/mount.js";
import {
  cellsAtStep, detectionPieces, findOnes, findRuns, makePieces, protocolPieces,
} from "../lanes/pieces.js";
import { Sliders } from "../core/slider.js";
import { colourIn, followTheme } from "../core/theme.js";
import { addTool, addToolbar, Status } from "../core/toolbar.js";

/**
 * @typedef {import("../payload.d.ts").TimelineData} TimelineData
 * @typedef {import("../payload.d.ts").TimelineRows} TimelineRows
 * @typedef {import("../payload.d.ts").TimelineLane} TimelineLane
 * @typedef {import("../payload.d.ts").Extent} Extent
 * @typedef {import("../payload.d.ts").Window} View
 * @typedef {import("../core/lookup.js").Shown} Shown
 * @typedef {import("../lanes/layout.js").Box} Box
 * @typedef {import("../lanes/layout.js").Place} Place
 * @typedef {import("../core/mount.js").Component<TimelineData>} TimelineComponent
 */

const THRESHOLD = "threshold";
const HIGHEST = 1000;
const ASK_AFTER_MS = 180;
const MOST_BOXES = 60;
const STRIP_HEIGHT = 30;

/** @extends {Drawing<TimelineData, import("../payload.d.ts").TimelineAsk>} */
class Timeline extends Drawing {
  /** @param {HTMLElement} root */
  constructor(root) {
    super(root);
    this.id = newDrawingId();
    this.kept = kept("timeline", { chosen: /** @type {string | null} */ (null) });
    /** @type {TimelineRows | undefined} */
    this.rows = undefined;
    /** @type {View} */
    this.view = { first: 0, last: 1 };
    /** @type {{isLine: boolean, x: number, view: View, at: number} | null} */
    this.held = null;
    /** @type {{from: number, to: number} | null} */
    this.brush = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.stepsToGo = 0;
    /** @type {Box | undefined} */
    this.box = undefined;
    this.cell = 1;
    this.sliders = new Sliders(root, {
      onMove: () => this.show(),
      onRelease: (key, value) => this.ask({ settings: { [key]: value } }),
      onRefuse: (message) => this.status.say(message, true),
    });
    this.stretch = this.buildToolbar();
    this.strip = buildStrip(root);
    this.ui = buildStage(root, this.id);
    this.detections = new PathLane(this.ui.detections, this.id);
    /** @type {PathLane[]} */
    this.lanes = [];
    this.picks = new Picks(this.ui.stage, (key) => this.choose(key));
    this.status = new Status(root);
    this.listen();
  }

  /** @override */
  close() {
    super.close();
    this.status.close();
    clearTimeout(this.timer);
  }

  buildToolbar() {
    const bar = addToolbar(this.root, "Move through the series");
    /** @type {(name: string, text: string, title: string, run: () => void, label?: string) => unknown} */
    const add = (name, text, title, run, label) => addTool(bar, { name, text, title, run, label });
    add("whole", "Whole series", "Show all of it (Home)", () => this.showWhole());
    add("in", "+", "Zoom in (+)", () => this.zoom(0.5), "Zoom in");
    add("out", "−", "Zoom out (-)", () => this.zoom(2), "Zoom out");
    add("earlier", "◀", "Earlier (left arrow)", () => this.pan(-0.5), "Earlier");
    add("later", "▶", "Later (right arrow)", () => this.pan(0.5), "Later");
    add("next", "Next segment", "Zoom to the next segment", () => this.askNext());
    return element("span", { class: "stretch", role: "status" }, bar);
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

  // ---- what Python sends -------------------------------------------------------------------

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

  // Something else changed what is shown: moves made before that are void.
  forgetMoves() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.stepsToGo = 0;
    this.asker.withdraw("window", "settings");
  }

  // Whether the view is ahead of Python's.
  get isMoving() {
    return this.timer !== undefined || this.held !== null || this.asker.wanted.window !== undefined;
  }

  /** @param {import("../core/asking.js").Wish} wish */
  ask(wish) {
    this.asker.ask(wish);
    this.showStale();
  }

  // Which segment is the next one is Python's word on the view: moves before it are asked first.
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

  showStale() {
    const isWaiting = this.asker.isWaiting || this.timer !== undefined || this.stepsToGo > 0;
    this.root.dataset.stale = String(isWaiting);
  }

  giveCurves() {
    const { component, rows } = this;
    if (!component || !rows) return;
    this.sliders.update(
      component.data.sliders,
      (model) => {
        const lane = chosenLane(rows.lanes, model.lane ?? this.kept.chosen);
        const along = model.key === THRESHOLD ? lane.over_threshold : lane.over_own;
        const colour = colourIn(lane.colours, this.root);
        return { heights: along ? curveOf(along) : [], name: lane.name, colour };
      },
      this.asker.wanted.settings ?? {},
    );
  }

  // ---- drawing -----------------------------------------------------------------------------

  /** @override */
  draw() {
    const width = this.root.clientWidth;
    const { rows } = this;
    if (!width || !rows) return;
    this.box = layOutStage(rows.lanes, width, rows.value ? "signal" : "timeline");
    const { left, room, bottom, wide } = this.box;
    this.cell = room / rows.cells;
    this.root.classList.toggle("narrow", !wide);
    this.sliders.draw();
    setAll(this.ui.svg, { width, height: bottom });
    setAll(this.strip.svg, { width, height: STRIP_HEIGHT });
    setAll(this.ui.clip, { x: left, width: room, height: bottom });
    this.ui.inside.setAttribute("transform", `translate(${left},0)`);
    drawLegend(this.ui.legend, left, width - left, this.id);
    this.ui.legend.setAttribute("transform", `translate(0,${this.box.legend})`);
    this.drawStripLabels(rows, this.box);
    this.drawPanels(rows, this.box, this.cell);
    this.drawStill(rows, this.box, this.cell);
    this.placeView();
    this.show();
  }

  /**
   * @param {TimelineRows} rows
   * @param {Box} box
   */
  drawStripLabels({ strip }, { left, room }) {
    this.strip.labels.replaceChildren();
    const ground = { x: left, y: 2, width: room, height: STRIP_HEIGHT - 4 };
    shape("rect", { class: "normal", ...ground }, this.strip.labels);
    const cell = room / strip.labels.length;
    for (const { start, stop } of findOnes(strip.labels)) {
      const place = { x: left + start * cell, y: 2, width: Math.max(1.5, (stop - start) * cell) };
      shape("rect", { class: "truth", ...place, height: 15 }, this.strip.labels);
    }
  }

  /**
   * Draws the signal and the score, with a band for each segment.
   * @param {TimelineRows} rows
   * @param {Box} box
   * @param {number} cell
   */
  drawPanels(rows, box, cell) {
    const bands = this.ui.bands;
    bands.replaceChildren();
    for (const place of [box.lanes.value, box.lanes.score]) {
      if (!place) continue;
      const rect = { x: 0, y: place.y, width: box.room, height: place.h };
      shape("rect", { class: "panel", ...rect }, bands);
      for (const piece of makePieces("truth", rows.segments)) {
        shape("rect", { class: "band", ...rectOf(piece, place, cell, 1.2) }, bands);
      }
    }
    const value = rows.value ? linePath(rows.value, box.lanes.value, cell) : "";
    this.ui.valueLine.setAttribute("d", value);
    this.ui.scoreLine.setAttribute("d", linePath(rows.score, box.lanes.score, cell));
    this.ui.limits.replaceChildren();
    if (!rows.value || !box.wide) return;
    const [low, high] = rows.value.names;
    const { y, h } = box.lanes.value;
    const x = box.left + box.room + 14;
    shape("text", { class: "lane-parameter", x, y: y + 11 }, this.ui.limits, high);
    shape("text", { class: "lane-parameter", x, y: y + h }, this.ui.limits, low);
  }

  /**
   * Draws what no thumb moves: truth, segment boxes and the axis.
   * @param {TimelineRows} rows
   * @param {Box} box
   * @param {number} cell
   */
  drawStill(rows, box, cell) {
    const truth = this.ui.truth;
    const { lanes } = box;
    truth.replaceChildren();
    const ground = { x: 0, y: lanes.truth.y, width: box.room, height: lanes.truth.h };
    shape("rect", { class: "normal", ...ground }, truth);
    for (const piece of makePieces("truth", rows.segments)) {
      shape("rect", { class: "truth", ...rectOf(piece, lanes.truth, cell, 1.2) }, truth);
    }
    const leftOut = this.ui.leftOut;
    leftOut.replaceChildren();
    for (const [start, stop] of rows.left_out) {
      const { y } = rows.value ? lanes.value : lanes.score;
      const across = { x: start * cell, width: (stop - start) * cell };
      const place = { ...across, y, height: box.axis - y };
      shape("title", {}, shape("rect", { class: "left-out", ...place }, leftOut), "does not count");
    }
    for (const [start, stop] of rows.labelled) {
      const { y, h } = lanes.truth;
      const place = { x: start * cell, width: (stop - start) * cell, y, height: h };
      shape("title", {}, shape("rect", { class: "labelled", ...place }, leftOut), "as labelled");
    }
    const boxed = rows.segments.length <= MOST_BOXES ? rows.segments : [];
    const places = ["truth", "detections", ...rows.lanes.map(({ key }) => key)];
    drawSegmentBoxes(this.ui.boxes, boxed, places.map((key) => lanes[key]), cell, box.wide);
    const axis = this.ui.axis;
    drawTicks(axis, rows.ticks, box.axis, cell, box.room);
    const layers = this.ui.laneLayers;
    if (keepLayers(layers, rows.lanes.map((lane) => lane.key))) {
      this.lanes = [...layers.children].map((group) => new PathLane(group, this.id));
    }
  }

  // Everything that a thumb moves: numbers, lanes, arrows, alarms and the threshold's line.
  show() {
    const { rows, box, cell } = this;
    if (!rows || !box) return;
    const step = this.thresholdStep(rows);
    const shown = rows.lanes.map((lane) => this.shownOf(lane, rows));
    const cells = cellsAtStep(rows, step);
    this.detections.draw(detectionPieces(cells), box.lanes.detections, cell, box.room);
    rows.lanes.forEach((lane, index) => {
      const { rows: along, row, threshold } = shown[index];
      const flagged = threshold === step ? cells : cellsAtStep(rows, threshold);
      const pieces = protocolPieces(flagged, rows.segments, along.credit, row);
      this.lanes[index].draw(pieces, box.lanes[lane.key], cell, box.room);
    });
    this.drawLaneArrows(rows, box, cell, shown);
    this.drawStripAlarms(rows, box, step);
    this.drawThreshold(rows, box, step);
    this.drawFrame(rows, box, shown, textAt(rows.alarms, step));
    this.showStale();
  }

  /** @param {TimelineRows} rows */
  thresholdStep(rows) {
    return this.sliders.get(THRESHOLD)?.at ?? rows.at;
  }

  /**
   * @param {TimelineLane} lane
   * @param {TimelineRows} rows
   */
  shownOf(lane, rows) {
    const own = this.sliders.get(lane.slider);
    return shownAt(lane, {
      threshold: this.thresholdStep(rows),
      thresholdInUse: rows.at,
      own: own?.at ?? 0,
      ownInUse: own?.model.at ?? 0,
      isOwnNewest: lane.slider === this.sliders.newest,
    });
  }

  /**
   * @param {TimelineRows} rows
   * @param {Box} box
   * @param {number} cell
   * @param {Shown[]} shown
   */
  drawLaneArrows(rows, box, cell, shown) {
    const group = this.ui.arrows;
    group.replaceChildren();
    if (rows.segments.length > MOST_BOXES) return;
    rows.lanes.forEach((lane, index) => {
      const top = box.lanes[lane.key].arrows;
      if (top === null) return;
      const { rows: along, row, threshold } = shown[index];
      const arrows = rows.segments.map(({ start }, segment) => {
        const { delay, late } = firstHitAt(rows.found[segment], threshold);
        const credit = along.credit.by === "segment" ? creditAt(along.credit, row, segment) : -1;
        return { start, delay, late, worth: credit < 0 ? "" : writeCredit(credit) };
      });
      drawArrows(group, arrows, top, cell, box.room);
    });
  }

  /**
   * @param {TimelineRows} rows
   * @param {Box} box
   * @param {number} step
   */
  drawStripAlarms({ strip }, { left, room }, step) {
    const { levels } = strip;
    const cell = room / levels.length;
    let path = "";
    for (const { start, stop } of findRuns(0, levels.length, (t) => isFlagged(levels[t], step))) {
      const width = Math.max(1.5, (stop - start) * cell);
      path += outline({ x: left + start * cell, y: 18, width, height: 10 }, 0);
    }
    this.strip.alarms.setAttribute("d", path);
  }

  /**
   * @param {TimelineRows} rows
   * @param {Box} box
   * @param {number} step
   */
  drawThreshold(rows, box, step) {
    const slider = this.sliders.get(THRESHOLD);
    this.ui.threshold.setAttribute("visibility", slider ? "visible" : "hidden");
    if (!slider) return;
    const { left, room } = box;
    const y = heightY(rows.heights[step], box.lanes.score);
    this.ui.thresholdLine.setAttribute("d", `M${left},${y}h${room}`);
    setAll(this.ui.thresholdKnob, { cx: left + room, cy: y });
    setAll(this.ui.thresholdText, { x: left + room - 12, y: y - 5 });
    this.ui.thresholdText.textContent = `threshold ${rows.thresholds[step]}`;
  }

  /**
   * @param {TimelineRows} rows
   * @param {Box} box
   * @param {Shown[]} shown
   * @param {string} alarms
   */
  drawFrame(rows, box, shown, alarms) {
    const lanes = rows.lanes.map((lane, index) => ({
      key: lane.key,
      name: lane.name,
      parameter: this.sliders.nameAt(lane.slider, shown[index].own),
      score: scoreAt(shown[index].rows, shown[index].row),
      gain: gainAt(shown[index].rows, shown[index].row),
      colour: colourIn(lane.colours, this.root),
    }));
    const labels = [
      ...(rows.value ? [{ key: "value", name: rows.value_name || "Signal" }] : []),
      { key: "score", name: "Score" },
      { key: "truth", name: "Truth" },
      { key: "detections", name: "Detections", aside: alarms },
      ...lanes,
    ];
    const hasChoice = this.sliders.get(THRESHOLD) !== undefined;
    const chosen = hasChoice ? chosenLane(rows.lanes, this.kept.chosen).key : null;
    drawLabels(this.ui.labels, box, labels, chosen, rows.axis);
    const picks = lanes.map(({ key, name, parameter, score }) => ({
      key,
      label: `${name} ${parameter}: F1 ${score}. Show its curve on the threshold slider`,
    }));
    this.picks.draw(box, hasChoice ? picks : [], chosen);
    this.stretch.textContent = rows.shown;
    const scores = lanes.map((lane) => `${lane.name} ${lane.score}`).join(", ");
    const count = `${rows.segments.length} segments in view`;
    const some = rows.left_out.length ? " Some rows do not count." : "";
    const words = `${rows.shown}: ${count}.${some} F1 of the whole series: ${scores}. ${alarms}.`;
    this.ui.svg.setAttribute("aria-label", words);
  }

  /** @param {string} key */
  choose(key) {
    this.kept.chosen = key;
    this.giveCurves();
    this.sliders.draw();
    this.show();
  }

  // ---- moving through the series -------------------------------------------------------------

  /**
   * Shows the drawing at once where the new view has it, and asks Python for the rest.
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
   * @param {number} [share] of the width that stays where it is
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

  placeView() {
    const { box, rows } = this;
    if (!box || !rows) return;
    const { left, room } = box;
    const { first, last } = this.view;
    const scale = (rows.last - rows.first) / (last - first);
    const shift = ((rows.first - first) / (last - first)) * room;
    const isThere = scale === 1 && shift === 0;
    const moved = `translate(${left + shift},0) scale(${scale},1) translate(${-left},0)`;
    this.ui.content.setAttribute("transform", isThere ? "" : moved);
    if (this.brush) return;
    this.placeHandle(first / rows.size, last / rows.size, 4);
  }

  /** @type {(from: number, to: number, least: number) => void} */
  placeHandle(from, to, least) {
    if (!this.box) return;
    const { left, room } = this.box;
    const width = Math.max(least, (to - from) * room);
    setAll(this.strip.handle, { x: left + from * room, width });
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
    const { y, h } = this.box.lanes.score;
    const up = y + h - 3 - (event.clientY - this.ui.stage.getBoundingClientRect().top);
    slider.isDragging = true;
    slider.moveTo(nearestStep(this.rows.heights, (up / (h - 6)) * HIGHEST));
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

/** @param {HTMLElement} root */
function buildStrip(root) {
  const svg = shape("svg", { class: "strip", "aria-hidden": "true" }, root);
  const labels = shape("g", {}, svg);
  const alarms = shape("path", { class: "hit" }, svg);
  const handle = shape("rect", { class: "handle", y: 1, height: STRIP_HEIGHT - 2 }, svg);
  return { svg, labels, alarms, handle };
}

/**
 * @param {HTMLElement} root
 * @param {string} id
 */
function buildStage(root, id) {
  const words = "The stretch in view. Arrow keys move, plus and minus zoom, Home shows everything.";
  const group = { class: "stage", tabindex: 0, role: "group", "aria-label": words };
  const stage = element("div", group, root);
  const svg = shape("svg", { class: "lanes", role: "img" }, stage);
  addHatches(svg, id);
  const mask = shape("clipPath", { id: `${id}-clip` }, shape("defs", {}, svg));
  const clip = shape("rect", { x: 0, y: 0 }, mask);
  const legend = shape("g", {}, svg);
  const content = shape("g", {}, shape("g", { "clip-path": `url(#${id}-clip)` }, svg));
  const labels = shape("g", { class: "frame-texts" }, svg);
  const limits = shape("g", {}, svg);
  const still = { stage, svg, clip, legend, content, labels, limits };
  return { ...still, ...buildContent(content), ...buildThreshold(svg) };
}

/** @param {SVGGElement} content */
function buildContent(content) {
  const inside = shape("g", {}, content);
  /** @param {string} name */
  const layer = (name) => shape("g", { class: `layer-${name}` }, inside);
  return {
    inside,
    bands: layer("bands"),
    valueLine: shape("path", { class: "value-line" }, layer("value")),
    scoreLine: shape("path", { class: "score-line" }, layer("score")),
    truth: layer("truth"),
    detections: layer("detections"),
    laneLayers: shape("g", {}, inside),
    boxes: layer("boxes"),
    arrows: layer("arrows"),
    leftOut: layer("left-out"),
    axis: layer("axis"),
  };
}

/** @param {SVGElement} svg */
function buildThreshold(svg) {
  const threshold = shape("g", { class: "threshold" }, svg);
  const text = { class: "threshold-text", "text-anchor": "end" };
  return {
    threshold,
    thresholdLine: shape("path", { class: "threshold-line" }, threshold),
    thresholdKnob: shape("circle", { class: "threshold-knob", r: 6 }, threshold),
    thresholdText: shape("text", text, threshold),
  };
}

/**
 * Returns where a height from 0 to 1000 stands in a panel.
 * @param {number} height
 * @param {Place} place
 */
function heightY(height, place) {
  return place.y + place.h - 3 - (height / HIGHEST) * (place.h - 6);
}

/**
 * Lowest and highest value of each cell, as one line that covers both.
 * @param {Extent} extent
 * @param {Place} place
 * @param {number} cell
 */
function linePath({ low, high }, place, cell) {
  let path = "";
  let isOpen = false;
  high.forEach((top, index) => {
    if (top >= 0) {
      const x = ((index + 0.5) * cell).toFixed(1);
      path += `${isOpen ? "L" : "M"}${x},${heightY(top, place).toFixed(1)}`;
      if (low[index] !== top) path += `L${x},${heightY(low[index], place).toFixed(1)}`;
    }
    isOpen = top >= 0;
  });
  return path;
}

export default mount("timeline", Timeline);
