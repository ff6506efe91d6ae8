// @ts-check
// Draws a replay: the signal, the worth, and the lanes of the detectors and the watcher. A whole clip is
// drawn once. As time passes, only the width of the visible part changes.

import { addText, lineThrough, newDrawingId, setAll, shape } from "../core/dom.js";
import { placeTickNames } from "../lanes/text_places.js";
import { colourIn } from "../core/theme.js";

/**
 * @typedef {import("../payload.d.ts").ReplayClip} ReplayClip
 * @typedef {import("../payload.d.ts").ReplayRows} ReplayRows
 */

const SIGNAL_PANEL = { top: 22, height: 132 };
const WORTH_PANEL = { top: 172, height: 56 };
const TRACKS = { top: 240, height: 28 };
const UNDER = 26;
const BELL_MARK = "M0,-7 c-3,0 -4.5,2.5 -4.5,5 c0,3 -1,4 -2,5 h13 c-1,-1 -2,-2 -2,-5 c0,-2.5 -1.5,-5 -4.5,-5 z M-1.5,4 a1.5,1.5 0 0 0 3,0 z";
const CROSS_MARK = "M-4,-4L4,4M-4,4L4,-4";

/** The drawing of one clip. */
export class Stage {
  /**
   * @param {HTMLElement} parent
   * @param {HTMLElement} root the element whose mode sets the colours
   */
  constructor(parent, root) {
    this.root = root;
    this.id = newDrawingId();
    this.svg = shape("svg", { class: "lanes", role: "img" }, parent);
    const mask = shape("clipPath", { id: `${this.id}-past` }, shape("defs", {}, this.svg));
    this.past = shape("rect", { x: 0, y: 0, width: 0, height: 0 }, mask);
    this.ground = shape("g", {}, this.svg);
    this.seen = shape("g", { "clip-path": `url(#${this.id}-past)` }, this.svg);
    this.pressed = shape("g", { "clip-path": `url(#${this.id}-past)` }, this.svg);
    this.labels = shape("g", {}, this.svg);
    this.head = shape("path", { class: "replay-head" }, this.svg);
    this.width = 0;
    this.height = 0;
    /** @type {{at: number, box: SVGGElement}[]} the marks of first alarms, and when they appear */
    this.said = [];
  }

  /**
   * @param {ReplayRows} rows
   * @param {ReplayClip} clip
   * @param {number} width
   */
  draw(rows, clip, width) {
    this.width = width;
    this.seconds = clip.seconds;
    this.height = TRACKS.top + (rows.detectors.length + 1) * TRACKS.height + UNDER;
    setAll(this.svg, { width, height: this.height, "aria-label": `${rows.title}: ${rows.signal_name}` });
    setAll(this.past, { height: this.height });
    for (const layer of [this.ground, this.seen, this.pressed, this.labels]) layer.replaceChildren();
    this.said = [];
    this.drawGround(rows, clip);
    this.drawIncident(clip);
    shape("path", { class: "value-line", d: this.signalPath(clip) }, this.seen);
    rows.detectors.forEach(({ colours }, index) => {
      this.drawTrack(clip, index, colourIn(colours, this.root));
    });
  }

  /** @param {number} seconds */
  x(seconds) {
    return (seconds / (this.seconds || 1)) * this.width;
  }

  /** @param {number} lane */
  laneY(lane) {
    return TRACKS.top + lane * TRACKS.height;
  }

  /**
   * @param {ReplayRows} rows
   * @param {ReplayClip} clip
   */
  drawGround(rows, clip) {
    const { width, ground } = this;
    const names = [...rows.detectors.map(({ name }) => name), "You"];
    shape("rect", { class: "replay-panel", x: 0, y: SIGNAL_PANEL.top, width, height: SIGNAL_PANEL.height }, ground);
    shape("rect", { class: "replay-panel", x: 0, y: WORTH_PANEL.top, width, height: WORTH_PANEL.height }, ground);
    shape("text", { class: "lane-parameter", x: 4, y: SIGNAL_PANEL.top - 7 }, ground, rows.signal_name);
    const bottom = SIGNAL_PANEL.top + SIGNAL_PANEL.height;
    addText(this.labels, "tick-text", width - 4, SIGNAL_PANEL.top + 12, "end", rows.limits[1]);
    addText(this.labels, "tick-text", width - 4, bottom - 4, "end", rows.limits[0]);
    const worth = "worth of an alarm, 0 to 100 %";
    shape("text", { class: "lane-parameter", x: 4, y: WORTH_PANEL.top - 4 }, ground, worth);
    names.forEach((name, lane) => {
      const y = this.laneY(lane);
      shape("rect", { class: "replay-lane", x: 0, y: y + 3, width, height: TRACKS.height - 6 }, ground);
      shape("text", { class: "replay-name", x: 6, y: y + TRACKS.height / 2 + 5 }, this.labels, name);
    });
    const floor = this.height - UNDER;
    for (const { at } of clip.ticks) {
      shape("path", { class: "tick", d: `M${this.x(at)},${floor}v5` }, ground);
    }
    for (const { x, name } of placeTickNames(clip.ticks, width / clip.seconds, width)) {
      addText(ground, "tick-text", x, this.height - 6, "middle", name);
    }
  }

  /** @param {ReplayClip} clip */
  drawIncident({ onset, over, worth }) {
    const [left, right] = [this.x(onset), this.x(over)];
    const place = { x: left, y: SIGNAL_PANEL.top, width: right - left, height: SIGNAL_PANEL.height };
    shape("rect", { class: "replay-incident", ...place }, this.seen);
    shape("text", { class: "replay-word", x: left + 6, y: SIGNAL_PANEL.top + 15 }, this.seen, "incident");
    shape("path", { class: "replay-onset", d: `M${left},${SIGNAL_PANEL.top}V${this.height - UNDER}` }, this.seen);
    const floor = WORTH_PANEL.top + WORTH_PANEL.height;
    const points = worth.map((percent, index) => ({
      x: left + ((right - left) * index) / (worth.length - 1),
      y: worthY(percent),
    }));
    const line = lineThrough(points);
    shape("path", { class: "replay-worth-area", d: `${line}L${right},${floor}L${left},${floor}Z` }, this.seen);
    shape("path", { class: "replay-worth-line", d: line }, this.seen);
  }

  /** @param {ReplayClip} clip */
  signalPath({ at, signal }) {
    const room = SIGNAL_PANEL.height - 8;
    const points = at.map((place, index) => ({
      x: (place / 10_000) * this.width,
      y: SIGNAL_PANEL.top + 4 + room - (signal[index] / 1000) * room,
    }));
    return lineThrough(points);
  }

  /**
   * @param {ReplayClip} clip
   * @param {number} index
   * @param {string} colour
   */
  drawTrack(clip, index, colour) {
    const { rings, wrong, noticed, worth } = clip.tracks[index];
    const y = this.laneY(index) + TRACKS.height / 2;
    for (const at of rings) {
      if (at !== noticed) shape("path", { class: "replay-again", d: `M${this.x(at)},${y - 6}v12` }, this.seen);
    }
    for (const at of wrong) drawFalse(this.seen, this.x(at), y);
    if (noticed !== null) this.drawNoticed(noticed, worth, index, colour);
  }

  /**
   * Draws a first alarm, which stays hidden until its time: a bell in its lane, and its worth where it
   * meets the curve.
   * @param {number} noticed
   * @param {number} worth
   * @param {number} lane
   * @param {string} colour
   */
  drawNoticed(noticed, worth, lane, colour) {
    const x = this.x(noticed);
    const y = this.laneY(lane) + TRACKS.height / 2;
    const box = shape("g", { visibility: "hidden" }, this.labels);
    if (colour) box.style.setProperty("--curve", colour);
    shape("path", { class: "replay-stem", d: `M${x},${worthY(worth)}V${y}` }, box);
    shape("circle", { class: "replay-dot", cx: x, cy: worthY(worth), r: 5 }, box);
    shape("circle", { class: "replay-knob", cx: x, cy: y, r: 11 }, box);
    shape("path", { class: "replay-bell", d: BELL_MARK, transform: `translate(${x},${y + 1})` }, box);
    const isRight = x > this.width - 70;
    const [beside, anchor] = isRight ? [x - 9, "end"] : [x + 9, "start"];
    const top = Math.max(WORTH_PANEL.top + 12, worthY(worth) - 3);
    addText(box, "replay-percent", beside, top, anchor, `${worth} %`);
    this.said.push({ at: noticed, box });
  }

  /**
   * Draws the watcher's presses. The first one in the incident is an alarm. Others are false or late.
   * @param {ReplayClip} clip
   * @param {number[]} presses
   * @param {number | null} first
   * @param {number} worth
   */
  drawPresses(clip, presses, first, worth) {
    const lane = clip.tracks.length;
    const y = this.laneY(lane) + TRACKS.height / 2;
    this.pressed.replaceChildren();
    this.said = this.said.filter(({ box }) => {
      const isOwn = box.hasAttribute("data-own");
      if (isOwn) box.remove();
      return !isOwn;
    });
    for (const at of presses) {
      const isFalse = at < clip.onset || at >= clip.over;
      if (isFalse) drawFalse(this.pressed, this.x(at), y);
      else shape("path", { class: "replay-again", d: `M${this.x(at)},${y - 6}v12` }, this.pressed);
    }
    if (first === null) return;
    this.drawNoticed(first, worth, lane, "");
    this.said[this.said.length - 1].box.setAttribute("data-own", "");
  }

  /**
   * Shows everything up to a moment.
   * @param {number} seconds
   */
  show(seconds) {
    const x = this.x(seconds);
    this.past.setAttribute("width", x.toFixed(1));
    this.head.setAttribute("d", `M${x.toFixed(1)},${SIGNAL_PANEL.top - 6}V${this.height - UNDER}`);
    for (const { at, box } of this.said) {
      box.setAttribute("visibility", seconds >= at - 1e-6 ? "visible" : "hidden");
    }
  }
}

/** @param {number} percent */
function worthY(percent) {
  return WORTH_PANEL.top + WORTH_PANEL.height - (percent / 100) * WORTH_PANEL.height;
}

/**
 * @param {SVGGElement} layer
 * @param {number} x
 * @param {number} y
 */
function drawFalse(layer, x, y) {
  const mark = shape("g", { transform: `translate(${x},${y})` }, layer);
  shape("circle", { class: "replay-false", r: 9 }, mark);
  shape("path", { class: "replay-cross", d: CROSS_MARK }, mark);
}
