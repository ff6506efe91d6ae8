// @ts-check
// The elements that the visible part is drawn into, from back to front.

import { element, shape } from "../core/dom.js";
import { addHatches } from "../lanes/lanes.js";

/** @typedef {ReturnType<typeof buildTimelineStage>} TimelineStage */

const KEYS = "Visible part of the series. Arrow keys: move. Plus and minus: zoom. Home: whole series.";

/**
 * @param {HTMLElement} root
 * @param {string} id of the hatches
 */
export function buildTimelineStage(root, id) {
  const group = { class: "stage", tabindex: 0, role: "group", "aria-label": KEYS };
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
