// @ts-check
// The picture of a timeline: signal, score, threshold, lanes and the strip of the whole series. Only
// what Python computed is shown. How one moves through it is in timeline.js.

import { element, kept, newDrawingId, setAll, shape } from "../core/dom.js";
import {
  addHatches, chosenLane, drawArrows, drawLabels, drawLegend, drawSegmentBoxes, drawTicks,
  keepLayers, outline, PathLane, Picks,
} from "../lanes/lanes.js";
import { layOutStage, rectOf } from "../lanes/layout.js";
import {
  creditAt, curveOf, firstHitAt, gainAt, isFlagged, scoreAt, shownAt, textAt, writeCredit,
} from "../core/lookup.js";
import { Drawing } from "../core/mount.js";
import {
  cellsAtStep, detectionPieces, findOnes, findRuns, makePieces, protocolPieces,
} from "../lanes/pieces.js";
import { Sliders } from "../core/slider.js";
import { colourIn } from "../core/theme.js";
import { addToolbar, Status } from "../core/toolbar.js";

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
const MOST_BOXES = 60;
const STRIP_HEIGHT = 30;

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
    this.strip = buildStrip(root);
    this.ui = buildStage(root, this.id);
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

  /** Whether a move has been made that was not asked for yet. */
  get isOnItsWay() {
    return false;
  }

  /** Whether the view is ahead of Python's. */
  get isMoving() {
    return false;
  }

  /** @param {import("../core/asking.js").Wish<import("../payload.d.ts").TimelineAsk>} wish */
  ask(wish) {
    this.asker.ask(wish);
    this.showStale();
  }

  showStale() {
    this.root.dataset.stale = String(this.asker.isWaiting || this.isOnItsWay);
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
export function heightY(height, place) {
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
