// @ts-check
// Draws a timeline: the signal, the score and the lanes of the visible part. Everything shown was computed
// by Python. User input is handled in timeline.js.

import { element, kept, newDrawingId, setAll, shape } from "../core/dom.js";
import { chosenLane, drawLabels, drawLegend, drawTicks, Picks } from "../lanes/labels.js";
import { drawArrows, drawSegmentBoxes, keepLayers, PathLane } from "../lanes/lanes.js";
import { layOutStage, rectOf } from "../lanes/layout.js";
import {
  creditAt, curveOf, firstHitAt, gainAt, scoreAt, shownAt, textAt, writeCredit,
} from "../core/lookup.js";
import { Drawing } from "../core/mount.js";
import { cellsAtStep, detectionPieces, makePieces, protocolPieces } from "../lanes/pieces.js";
import { Strip } from "./series_strip.js";
import { drawPanels, drawThreshold } from "./signal_panels.js";
import { Sliders } from "../core/slider.js";
import { colourIn } from "../core/theme.js";
import { buildTimelineStage } from "./timeline_stage.js";
import { addToolbar, Status } from "../core/toolbar.js";

/**
 * @typedef {import("../payload.d.ts").TimelineData} TimelineData
 * @typedef {import("../payload.d.ts").TimelineRows} TimelineRows
 * @typedef {import("../payload.d.ts").TimelineLane} TimelineLane
 * @typedef {import("../payload.d.ts").Window} View
 * @typedef {import("../core/lookup.js").Shown} Shown
 * @typedef {import("../lanes/layout.js").Box} Box
 */

/** The key of the threshold's slider. */
export const THRESHOLD = "threshold";
const MOST_BOXES = 60;

/** @extends {Drawing<TimelineData, import("../payload.d.ts").TimelineAsk>} */
export class TimelinePicture extends Drawing {
  /** @param {HTMLElement} root */
  constructor(root) {
    super(root);
    this.id = newDrawingId();
    this.kept = kept("timeline", { chosen: /** @type {string | null} */ (null) });
    /** @type {TimelineRows | undefined} */
    this.rows = undefined;
    /** @type {View} */
    this.view = { first: 0, last: 1 };
    /** @type {{from: number, to: number} | null} */
    this.brush = null;
    /** @type {Box | undefined} */
    this.box = undefined;
    this.cell = 1;
    this.sliders = new Sliders(root, {
      onMove: () => this.show(),
      onRelease: (key, value) => this.ask({ settings: { [key]: value } }),
      onRefuse: (message) => this.status.say(message, true),
    });
    this.bar = addToolbar(root, "Move through the series");
    this.stretch = element("span", { class: "stretch", role: "status" });
    this.strip = new Strip(root);
    this.ui = buildTimelineStage(root, this.id);
    this.detections = new PathLane(this.ui.detections, this.id);
    /** @type {PathLane[]} */
    this.lanes = [];
    this.picks = new Picks(this.ui.stage, (key) => this.choose(key));
    this.status = new Status(root);
  }

  /** @override */
  close() {
    super.close();
    this.status.close();
  }

  /** Whether there is a move that has not been sent to Python yet. */
  get isOnItsWay() {
    return false;
  }

  /** Whether the view is newer than Python's. */
  get isMoving() {
    return false;
  }

  /** @override */
  get isStale() {
    return super.isStale || this.isOnItsWay;
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
    setAll(this.ui.clip, { x: left, width: room, height: bottom });
    this.ui.inside.setAttribute("transform", `translate(${left},0)`);
    drawLegend(this.ui.legend, left, width - left, this.id);
    this.ui.legend.setAttribute("transform", `translate(0,${this.box.legend})`);
    this.strip.draw(rows.strip, this.box);
    drawPanels(this.ui, rows, this.box, this.cell);
    this.drawStill(rows, this.box, this.cell);
    this.placeView();
    this.show();
  }

  /**
   * Draws what does not depend on a slider: truth, segment boxes and the axis.
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
      shape("title", {}, shape("rect", { class: "left-out", ...place }, leftOut), "ignored");
    }
    for (const [start, stop] of rows.labelled) {
      const { y, h } = lanes.truth;
      const place = { x: start * cell, width: (stop - start) * cell, y, height: h };
      shape("title", {}, shape("rect", { class: "labelled", ...place }, leftOut), "original label");
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

  // Draws everything that depends on a slider: numbers, lanes, arrows, alarms and the threshold's line.
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
    this.strip.drawAlarms(rows.strip, box, step);
    drawThreshold(this.ui, rows, box, this.sliders.get(THRESHOLD) ? step : null);
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
    const size = rows.segments.length;
    const count = `${size} ${size === 1 ? "segment" : "segments"} in view`;
    const some = rows.left_out.length ? " Some rows are ignored." : "";
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
    if (this.box) this.strip.placeHandle(this.box, from, to, least);
  }
}
