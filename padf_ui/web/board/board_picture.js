// @ts-check
// The picture of a board: lanes, scores, arrows, formula and tip. Everything shown is a row that
// Python computed for this pattern and slider step. What the hand does is in drawing.js.

import { tellCell } from "../lanes/cells.js";
import { element, focusedIn, newDrawingId, setAll, shape } from "../core/dom.js";
import { PatternGrid, PAINTED } from "./grid.js";
import { isSamePattern } from "../core/history.js";
import {
  addHatches, chosenLane, dim, drawArrows, drawLabels, drawLane, drawLegend, drawSegmentBoxes,
  drawSeparators, drawTicks, drawVeil, drawWorth, keepLayers, Picks, SPREAD_MS,
} from "../lanes/lanes.js";
import {
  boardCell, boardTicks, columnsOf, isLow, layOutStage, placeHint,
} from "../lanes/layout.js";
import { Drawing } from "../core/mount.js";
import { creditAt, gainAt, rowAt, scoreAt, textAt, writeCredit } from "../core/lookup.js";
import { composeSvg } from "../core/picture.js";
import {
  cellsOfPattern, detectionPieces, findOnes, makePieces, protocolPieces, spreadPieces,
} from "../lanes/pieces.js";
import { drawShifts, drawShiftsHead, shiftsHead, tellShift } from "../lanes/shifts.js";
import { Sliders } from "../core/slider.js";
import { tailorOf } from "./tailor.js";
import { colourIn, isStill } from "../core/theme.js";
import { Tip } from "../core/tip.js";
import { addToolbar, Status } from "../core/toolbar.js";

/**
 * @typedef {import("../payload.d.ts").BoardData} BoardData
 * @typedef {import("../payload.d.ts").Lane} Lane
 * @typedef {import("../payload.d.ts").Tailor} Tailor
 * @typedef {import("../core/history.js").Pattern} Pattern
 * @typedef {import("../lanes/layout.js").Box} Box
 * @typedef {import("../core/mount.js").Component<BoardData>} BoardComponent
 */

const LAYERS = ["separators", "boxes", "worth", "arrows", "axis", "shifts", "hint"];
const PICTURE_WIDTH = 1100;
const FADE_MS = 300;

/** @type {["precision", "recall", "formula"]} */
const FORMULAS = ["precision", "recall", "formula"];

/** @extends {Drawing<BoardData, import("../payload.d.ts").BoardAsk>} */
export class BoardPicture extends Drawing {
  /** @param {HTMLElement} root */
  constructor(root) {
    super(root, () => ({ revision: this.component?.data.revision }));
    this.id = newDrawingId();
    /** @type {string | null} */
    this.chosen = null;
    this.isPainted = false;
    /** @type {number | null} when what adjustment fills began to spread */
    this.spreadAt = null;
    /** @type {{t: number, key: string} | null} the cell under the mouse, or the one with the focus */
    this.pointed = null;
    this.isRefocused = false;
    this.countInView = 0;
    /** @type {Pattern} */
    this.pattern = { labels: "", detections: "" };
    /** @type {BoardData | undefined} */
    this.data = undefined;
    /** @type {Box | undefined} */
    this.box = undefined;
    this.cell = 1;
    this.bar = addToolbar(root, "Edit the board");
    this.sliders = new Sliders(root, {
      onMove: () => this.drawLanes(),
      onRelease: (key, value) => this.ask({ settings: { [key]: value }, final: true }),
      onRefuse: (message) => this.status.say(message, true),
    });
    this.ui = buildStage(root, this.id);
    this.grid = new PatternGrid(this.ui.canvas);
    this.picks = new Picks(this.ui.stage, (key) => this.choose(key));
    this.tip = new Tip(this.ui.stage, this.id);
    this.formula = element("div", { class: "formula" }, root);
    this.status = new Status(root);
    this.onResize = () => this.draw();
    addEventListener("resize", this.onResize);
  }

  /** @override */
  close() {
    removeEventListener("resize", this.onResize);
    super.close();
    this.status.close();
  }

  /**
   * @param {import("../core/asking.js").Wish<import("../payload.d.ts").BoardAsk>} wish
   * @param {boolean} [isUrgent]
   */
  ask(wish, isUrgent = true) {
    this.asker.ask(wish, isUrgent);
    this.showStale();
  }

  /** Puts the keyboard back where it was when the page was left. */
  refocus() {}

  /** @returns {Tailor | null} */
  get tailor() {
    return this.component ? tailorOf(this.component.data) : null;
  }

  get hasNumbers() {
    return this.tailor?.numbers ?? true;
  }

  /** @param {string} key */
  isDim(key) {
    return this.tailor?.dim.includes(key) ?? false;
  }

  // ---- layout and drawing ------------------------------------------------------------------

  // Until Python sends the rows of a pattern of another length, the old one stays on the screen.
  get isDrawable() {
    return this.data?.rows.labels.length === this.pattern.labels.length;
  }

  /** @override */
  draw() {
    this.layOut();
  }

  /**
   * @param {number} [width]
   * @param {number} [screen]
   */
  layOut(width = this.root.clientWidth, screen = window.innerHeight) {
    if (!width || !this.data || !this.isDrawable) return;
    const { rows } = this.data;
    const count = this.pattern.labels.length;
    this.box = layOutStage(rows.lanes, width, "board", { screen, shifts: this.headOf(width) });
    const { left, room, wide, bottom } = this.box;
    this.root.classList.toggle("low", isLow(screen));
    this.cell = boardCell(this.box, count);
    const full = this.cell * count;
    this.root.classList.toggle("narrow", !wide);
    if (width === this.root.clientWidth) this.arrange(wide);
    this.ui.stage.style.height = `${bottom}px`;
    this.ui.scroll.style.left = `${left}px`;
    this.ui.scroll.style.width = `${room}px`;
    this.letScroll(full > room + 1);
    this.ui.canvas.style.width = `${full}px`;
    this.ui.canvas.style.height = `${bottom}px`;
    setAll(this.ui.svg, { width: full, height: bottom });
    setAll(this.ui.frame, { width, height: bottom });
    this.sliders.draw();
    this.grid.lay(count, this.cell, this.box.lanes);
    drawLegend(this.ui.legend, left, width - left, `${this.id}f`);
    this.ui.legend.setAttribute("transform", `translate(0,${this.box.legend})`);
    keepLayers(this.ui.lanes, rows.lanes.map((lane) => lane.key));
    drawSeparators(this.ui.layers.separators, Object.values(this.box.lanes), count, this.cell);
    drawTicks(
      this.ui.layers.axis, boardTicks(count, rows.times, this.cell), this.box.axis, this.cell, full,
    );
    this.drawPainted();
    this.drawLanes();
    if (this.countInView !== count) this.scrollToSegment();
    this.showEdges();
    if (!this.isRefocused) this.refocus();
  }

  // On a phone the lanes come first. The parts are moved, not only shown elsewhere, so that the Tab key
  // meets them in the order in which they are seen.
  /** @param {boolean} wide */
  arrange(wide) {
    const { bar } = this;
    const { stage } = this.ui;
    const { box: sliders } = this.sliders;
    const parts = wide
      ? [bar, sliders, stage, this.formula]
      : [stage, sliders, this.formula, bar];
    if (parts.every((part, index) => this.root.children[index] === part)) return;
    const focused = focusedIn(this.root);
    this.root.prepend(...parts);
    focused?.focus({ preventScroll: true });
  }

  // A long board opens where there is something to see.
  scrollToSegment() {
    const { labels } = this.pattern;
    const { room } = /** @type {Box} */ (this.box);
    const onset = labels.indexOf("1") * this.cell;
    this.countInView = labels.length;
    if (onset > room * 0.8) this.ui.scroll.scrollLeft = onset - room / 3;
  }

  // The height of the head of the panel below the axis, if there is one.
  /** @param {number} width */
  headOf(width) {
    const { wide, room } = columnsOf(width);
    const { lanes = [], shifts } = this.data?.rows ?? {};
    return shifts ? shiftsHead(lanes.map(({ name }) => name), room, wide) : null;
  }

  // Where no cell can have the focus, a board that scrolls takes it itself.
  /** @param {boolean} scrolls */
  letScroll(scrolls) {
    const { scroll } = this.ui;
    scroll.classList.toggle("scrolls", scrolls);
    const region = { tabindex: 0, role: "region", "aria-label": "Lanes, longer than the screen" };
    if (scrolls && !this.tailor?.paint.length) setAll(scroll, region);
    else for (const name of Object.keys(region)) scroll.removeAttribute(name);
  }

  // A board that scrolls fades where it goes on.
  showEdges() {
    const { scroll } = this.ui;
    const hidden = scroll.scrollWidth - scroll.clientWidth - scroll.scrollLeft;
    scroll.classList.toggle("more-before", scroll.scrollLeft > 2);
    scroll.classList.toggle("more-behind", hidden > 2);
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
    dim(first, this.isDim("truth"));
    dim(second, this.isDim("detections"));
    this.drawHint();
    this.drawTip();
    this.showStale();
  }

  drawHint() {
    const { hint } = this.ui.layers;
    hint.replaceChildren();
    const open = this.tailor?.paint ?? [];
    const key = open.includes("detections") ? "detections" : open[0];
    if (!this.box || !this.component?.data.hint || this.isPainted || !key) return;
    const { labels, detections } = this.pattern;
    const place = placeHint(key === "detections" ? detections : labels, labels, this.cell);
    if (!place) return;
    const { y, h } = this.box.lanes[key];
    const text = { class: "hint", x: place.x, y: y + h / 2 + 4, "text-anchor": place.anchor };
    shape("text", text, hint, place.text);
  }

  // Everything that a slider moves: lanes, scores, arrows and the formula.
  drawLanes() {
    if (!this.box || !this.data) return;
    const { rows } = this.data;
    const { box, cell } = this;
    const count = rows.labels.length;
    const cells = cellsOfPattern(rows.labels, rows.detections);
    rows.lanes.forEach((lane, index) => {
      const group = this.ui.lanes.children[index];
      if (this.tailor?.waits) {
        drawLane(group, [], box.lanes[lane.key], cell, count, this.id);
      } else {
        const pieces = protocolPieces(cells, rows.segments, lane.credit, this.rowOf(lane));
        drawLane(group, this.spread(pieces), box.lanes[lane.key], cell, count, this.id);
      }
      dim(group, this.isDim(lane.key));
    });
    const places = [...PAINTED, ...rows.lanes.map(({ key }) => key)].map((key) => box.lanes[key]);
    drawSegmentBoxes(this.ui.layers.boxes, rows.segments, places, cell, box.wide);
    this.ui.layers.arrows.replaceChildren();
    for (const lane of rows.lanes) {
      const { arrows } = box.lanes[lane.key];
      if (arrows === null) continue;
      drawArrows(this.ui.layers.arrows, this.arrowsOf(lane), arrows, cell, cell * count);
    }
    this.drawWorth();
    if (this.tailor?.waits) this.drawVeils();
    this.drawShifts();
    this.drawFrame();
    this.drawFormula();
    this.drawTip();
    this.showStale();
  }

  drawWorth() {
    const { worth: group } = this.ui.layers;
    group.replaceChildren();
    if (!this.box || !this.data || !this.tailor?.worth) return;
    const { lanes, segments } = this.data.rows;
    for (const lane of lanes) {
      const worth = lane.worth?.[this.rowOf(lane)];
      if (!worth) continue;
      const colour = colourIn(lane.colours, this.root);
      drawWorth(group, segments, worth, this.box.lanes[lane.key], this.cell, colour);
    }
  }

  // Lanes that wait for an answer tell nothing: a question mark stands for each segment.
  drawVeils() {
    if (!this.box || !this.data) return;
    const { lanes, segments } = this.data.rows;
    for (const { key } of lanes) drawVeil(this.ui.layers.worth, segments, this.box.lanes[key], this.cell);
  }

  drawShifts() {
    if (!this.box || !this.data) return;
    const { rows } = this.data;
    const { shifts: place } = this.box;
    this.ui.panel.replaceChildren();
    this.ui.layers.shifts.replaceChildren();
    if (!place) return;
    const curves = rows.lanes.map(({ key, name, slider, colours }) => ({
      key,
      name,
      colour: colourIn(colours, this.root),
      isDim: this.sliders.get(slider)?.isMoved ?? false,
    }));
    drawShifts(this.ui.layers.shifts, rows, curves, place, this.cell);
    drawShiftsHead(this.ui.panel, curves, this.box, place);
  }

  // ---- what adjustment fills, spreading from the hit ---------------------------------------------

  startSpread() {
    this.spreadAt = isStill() ? null : performance.now();
  }

  /** @param {import("../lanes/pieces.js").Piece[]} pieces */
  spread(pieces) {
    if (this.spreadAt === null || !this.data) return pieces;
    const gone = performance.now() - this.spreadAt;
    if (gone > SPREAD_MS + FADE_MS) {
      this.spreadAt = null;
      return pieces;
    }
    return spreadPieces(pieces, this.data.rows.segments).map((piece) =>
      piece.wait === undefined ? piece : { ...piece, wait: piece.wait - gone / SPREAD_MS },
    );
  }

  // ---- what is said of a cell --------------------------------------------------------------------

  /** @param {{t: number, key: string} | null} place */
  point(place) {
    if (place?.t === this.pointed?.t && place?.key === this.pointed?.key) return;
    this.pointed = place;
    this.drawTip();
  }

  drawTip() {
    const lines = this.tipLines();
    this.grid.describe(lines.length ? this.tip.box.id : null);
    if (!this.pointed || !this.box || !lines.length) {
      this.tip.hide();
      return;
    }
    const { t, key } = this.pointed;
    const place = key === "shifts" ? this.box.shifts : this.box.lanes[key];
    const left = this.box.left - this.ui.scroll.scrollLeft + t * this.cell;
    const y = place ? place.y + place.h / 2 : 0;
    this.tip.show(lines, { left, right: left + this.cell, y });
  }

  // Only Python's rows say what a cell earned: none are said of a pattern that has no rows yet.
  tipLines() {
    if (!this.pointed || !this.data || !isSamePattern(this.data.rows, this.pattern)) return [];
    const { rows } = this.data;
    const { t, key } = this.pointed;
    if (key === "shifts") return tellShift(rows, t);
    if (!this.hasNumbers) return tellCell(rows, [], t);
    const lanes = PAINTED.includes(key) ? rows.lanes : rows.lanes.filter((lane) => lane.key === key);
    return tellCell(rows, lanes.map((lane) => ({ lane, row: this.rowOf(lane) })), t);
  }

  /**
   * Returns the lane or the panel at a height.
   * @param {number} y
   */
  laneAt(y) {
    if (!this.box) return undefined;
    const places = Object.entries({ ...this.box.lanes, shifts: this.box.shifts });
    return places.find(([, place]) => place && y >= place.y - 4 && y <= place.y + place.h + 4)?.[0];
  }

  /** @param {Lane} lane */
  arrowsOf(lane) {
    const row = this.rowOf(lane);
    return (this.data?.rows.segments ?? []).map((segment, index) => {
      const credit = lane.credit.by === "segment" ? creditAt(lane.credit, row, index) : -1;
      return { ...segment, worth: credit < 0 || !this.hasNumbers ? "" : writeCredit(credit) };
    });
  }

  /** @param {Lane} lane */
  rowOf(lane) {
    return rowAt(lane, this.sliders.stepOf(lane.slider));
  }

  drawFrame() {
    if (!this.box || !this.data) return;
    const { rows } = this.data;
    const { hasNumbers } = this;
    const chosen = this.tailor?.formula ? chosenLane(rows.lanes, this.chosen).key : null;
    const lanes = rows.lanes.map((lane) => ({
      key: lane.key,
      name: lane.name,
      parameter: this.sliders.nameAt(lane.slider),
      score: hasNumbers ? scoreAt(lane, this.rowOf(lane)) : "",
      gain: hasNumbers ? gainAt(lane, this.rowOf(lane)) : "",
      colour: colourIn(lane.colours, this.root),
      isDim: this.isDim(lane.key),
    }));
    const labels = [
      { key: "truth", name: "Truth", isDim: this.isDim("truth") },
      { key: "detections", name: "Detections", aside: rows.alarms, isDim: this.isDim("detections") },
      ...lanes,
    ];
    drawLabels(this.ui.labels, this.box, labels, chosen, rows.axis);
    const picks = lanes.map(({ key, name, parameter, score, gain }) => {
      const more = gain && `, ${gain} against ${lanes[0].name}`;
      const number = hasNumbers ? `: F1 ${score}${more}` : "";
      return { key, label: `${name} ${parameter}${number}. Show the formula` };
    });
    this.picks.box.hidden = chosen === null;
    this.picks.draw(this.box, picks, chosen);
    const scores = lanes.map((lane) => `${lane.name} ${lane.score}`).join(", ");
    const numbers = hasNumbers ? `F1: ${scores}.` : "";
    this.ui.svg.setAttribute("aria-label", `Lanes of the board. ${numbers} ${rows.alarms}.`);
  }

  /** @param {string} key */
  choose(key) {
    this.chosen = key;
    this.drawFrame();
    this.drawFormula();
  }

  drawFormula() {
    if (!this.data) return;
    this.formula.replaceChildren();
    if (!this.tailor?.formula) return;
    const lane = chosenLane(this.data.rows.lanes, this.chosen);
    const row = this.rowOf(lane);
    const parameter = this.sliders.nameAt(lane.slider);
    const name = parameter ? `${lane.name} (${parameter})` : lane.name;
    this.formula.style.setProperty("--curve", colourIn(lane.colours, this.root) || "var(--accent)");
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

  // ---- taking the board away -----------------------------------------------------------------

  // The board as it is on a wide screen, whatever the screen.
  picture() {
    this.spreadAt = null;
    this.layOut(Math.max(PICTURE_WIDTH, 280 + 8 * this.pattern.labels.length), Infinity);
    this.ui.layers.hint.replaceChildren();
    this.ui.labels.querySelector(".chosen")?.remove();
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
  const panel = shape("g", {}, frame);
  return { stage, scroll, canvas, svg, painted, lanes, layers, frame, labels, legend, panel };
}
