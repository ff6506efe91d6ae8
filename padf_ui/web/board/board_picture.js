// @ts-check
// Draws a board. Everything shown is a row that Python computed for this pattern and slider step. User
// input is handled in drawing.js and painting.js.

import { drawHint, drawPaintedLanes, drawProtocolLanes } from "./board_lanes.js";
import { BoardStage } from "./board_stage.js";
import { drawNames, tellPlace, writeFormula } from "./board_words.js";
import { element, focusedIn, newDrawingId } from "../core/dom.js";
import { PatternGrid } from "./grid.js";
import { isSamePattern } from "../core/history.js";
import { drawTicks, Picks } from "../lanes/labels.js";
import { drawSeparators, keepLayers } from "../lanes/lanes.js";
import { boardCell, columnsOf, isLow, layOutStage } from "../lanes/layout.js";
import { rowAt } from "../core/lookup.js";
import { Drawing } from "../core/mount.js";
import { composeSvg } from "../core/picture.js";
import { shiftsHead } from "../lanes/shifts.js";
import { Sliders } from "../core/slider.js";
import { Spread } from "../lanes/spread.js";
import { tailorOf } from "./tailor.js";
import { boardTicks } from "../lanes/text_places.js";
import { Tip } from "../core/tip.js";
import { addToolbar, Status } from "../core/toolbar.js";

/**
 * @typedef {import("../payload.d.ts").BoardData} BoardData
 * @typedef {import("../payload.d.ts").Lane} Lane
 * @typedef {import("../payload.d.ts").Tailor} Tailor
 * @typedef {import("../core/history.js").Pattern} Pattern
 * @typedef {import("../lanes/layout.js").Box} Box
 * @typedef {import("./board_lanes.js").Scene} Scene
 */

const PICTURE_WIDTH = 1100;

/** @extends {Drawing<BoardData, import("../payload.d.ts").BoardAsk>} */
export class BoardPicture extends Drawing {
  /** @param {HTMLElement} root */
  constructor(root) {
    super(root, () => ({ revision: this.component?.data.revision }));
    this.id = newDrawingId();
    /** @type {string | null} */
    this.chosen = null;
    this.isPainted = false;
    this.spread = new Spread();
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
    this.stage = new BoardStage(root, this.id);
    this.grid = new PatternGrid(this.stage.canvas);
    this.picks = new Picks(this.stage.root, (key) => this.choose(key));
    this.tip = new Tip(this.stage.root, this.id);
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

  /** Restores the keyboard focus from before the page was left. */
  refocus() {}

  /** @returns {Tailor | null} */
  get tailor() {
    return this.component ? tailorOf(this.component.data) : null;
  }

  /**
   * What to draw and where, or null as long as there are no rows or no room.
   * @returns {Scene | null}
   */
  get scene() {
    const { root, stage, box, cell, data, tailor, sliders } = this;
    if (!box || !data || !tailor) return null;
    /** @param {Lane} lane */
    const rowOf = (lane) => rowAt(lane, sliders.stepOf(lane.slider));
    return { root, stage, box, cell, rows: data.rows, tailor, sliders, rowOf };
  }

  // When the length of the pattern changes, the old picture stays until Python sends the new rows.
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
    const { lanes, axis, wide } = this.box;
    this.root.classList.toggle("low", isLow(screen));
    this.cell = boardCell(this.box, count);
    const full = this.cell * count;
    this.root.classList.toggle("narrow", !wide);
    if (width === this.root.clientWidth) this.arrange(wide);
    this.stage.lay(this.box, full, Boolean(this.tailor?.paint.length));
    this.sliders.draw();
    this.grid.lay(count, this.cell, lanes);
    keepLayers(this.stage.lanes, rows.lanes.map((lane) => lane.key));
    const { separators, axis: ticks } = this.stage.layers;
    drawSeparators(separators, Object.values(lanes), count, this.cell);
    drawTicks(ticks, boardTicks(count, rows.times, this.cell), axis, this.cell, full);
    this.drawPainted();
    this.drawLanes();
    if (this.countInView !== count) this.scrollToSegment();
    this.stage.showEdges();
    if (!this.isRefocused) this.refocus();
  }

  // On a phone, the lanes come first. The elements themselves are moved, so that the order of the Tab key
  // matches the order on the screen.
  /** @param {boolean} wide */
  arrange(wide) {
    const { bar } = this;
    const { root: stage } = this.stage;
    const { box: sliders } = this.sliders;
    const parts = wide
      ? [bar, sliders, stage, this.formula]
      : [stage, sliders, this.formula, bar];
    if (parts.every((part, index) => this.root.children[index] === part)) return;
    const focused = focusedIn(this.root);
    this.root.prepend(...parts);
    focused?.focus({ preventScroll: true });
  }

  // A long board scrolls to its first segment when it opens.
  scrollToSegment() {
    const { labels } = this.pattern;
    const { room } = /** @type {Box} */ (this.box);
    const onset = labels.indexOf("1") * this.cell;
    this.countInView = labels.length;
    if (onset > room * 0.8) this.stage.scroll.scrollLeft = onset - room / 3;
  }

  // Returns the height of the heading of the panel below the axis, or null without a panel.
  /** @param {number} width */
  headOf(width) {
    const { wide, room } = columnsOf(width);
    const { lanes = [], shifts } = this.data?.rows ?? {};
    return shifts ? shiftsHead(lanes.map(({ name }) => name), room, wide) : null;
  }

  drawPainted() {
    const { scene, pattern } = this;
    if (!scene) return;
    drawPaintedLanes(scene, pattern);
    this.grid.name(pattern, scene.rows.times);
    this.stage.layers.hint.replaceChildren();
    if (this.component?.data.hint && !this.isPainted) drawHint(scene, pattern);
    this.drawTip();
    this.showStale();
  }

  // Draws everything that depends on a slider: lanes, scores, arrows and the formula.
  drawLanes() {
    const { scene } = this;
    if (!scene) return;
    drawProtocolLanes(scene, this.spread);
    this.drawWords();
    this.drawTip();
    this.showStale();
  }

  drawWords() {
    const { scene } = this;
    if (!scene) return;
    drawNames(scene, this.picks, this.chosen);
    writeFormula(this.formula, scene, this.chosen);
  }

  /** @param {{t: number, key: string} | null} place */
  point(place) {
    if (place?.t === this.pointed?.t && place?.key === this.pointed?.key) return;
    this.pointed = place;
    this.drawTip();
  }

  drawTip() {
    const { scene, pointed } = this;
    const lines = scene && pointed ? tellPlace(scene, this.pattern, pointed) : [];
    this.grid.describe(lines.length ? this.tip.box.id : null);
    if (!scene || !pointed || !lines.length) {
      this.tip.hide();
      return;
    }
    const { box, cell } = scene;
    const { t, key } = pointed;
    const place = key === "shifts" ? box.shifts : box.lanes[key];
    const left = box.left - this.stage.scroll.scrollLeft + t * cell;
    const y = place ? place.y + place.h / 2 : 0;
    this.tip.show(lines, { left, right: left + cell, y });
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

  /** @param {string} key */
  choose(key) {
    this.chosen = key;
    this.drawWords();
  }

  /** @override */
  get isStale() {
    return super.isStale || !this.data || !isSamePattern(this.data.rows, this.pattern);
  }

  // Returns the board as SVG, laid out for a wide screen on every screen.
  picture() {
    this.spread.stop();
    this.layOut(Math.max(PICTURE_WIDTH, 280 + 8 * this.pattern.labels.length), Infinity);
    this.stage.layers.hint.replaceChildren();
    this.stage.labels.querySelector(".chosen")?.remove();
    const { width, left, bottom } = /** @type {Box} */ (this.box);
    const drawn = composeSvg({
      width,
      height: bottom,
      title: this.stage.svg.getAttribute("aria-label") ?? "",
      root: this.root,
      parts: [
        { svg: this.stage.svg, left },
        { svg: this.stage.frame, left: 0 },
      ],
    });
    this.layOut();
    return drawn;
  }
}
