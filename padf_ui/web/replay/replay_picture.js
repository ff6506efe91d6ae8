// @ts-check
// Exports a replay as a picture: a whole clip, with the text of the end card below it.

import { shape } from "../core/dom.js";
import { composeSvg } from "../core/picture.js";

/**
 * @typedef {import("../payload.d.ts").ReplayRows} ReplayRows
 * @typedef {import("./end_card.js").Told} Told
 * @typedef {import("./stage.js").Stage} Stage
 */

const LINE = 20;
const LETTER = 7;

/**
 * Returns a stage with the text of the end card below it, as the text of an SVG file.
 * @param {HTMLElement} root
 * @param {Stage} stage
 * @param {ReplayRows} rows
 * @param {Told} told
 */
export function replayPicture(root, stage, { title, card }, { lines, table, notes }) {
  const { width, height } = stage;
  const scores = table.map(({ name, cells }) => {
    return `${name}: ${cells.map((cell, index) => `${card.heads[index]}: ${cell}`).join("; ")}`;
  });
  const caption = shape("svg", { class: "lanes replay-caption" }, root);
  const fitting = [title, ...lines, card.title, ...scores, ...notes].flatMap((line) => {
    return wrapped(line, Math.floor(width / LETTER));
  });
  fitting.forEach((line, index) => {
    shape("text", { class: "replay-saved", x: 4, y: height + 24 + LINE * index }, caption, line);
  });
  const markup = composeSvg({
    width,
    height: height + 34 + LINE * fitting.length,
    title,
    root,
    parts: [{ svg: stage.svg, left: 0 }, { svg: caption, left: 0 }],
  });
  caption.remove();
  return markup;
}

/**
 * Wraps a text into lines with a maximum number of letters.
 * @param {string} text
 * @param {number} most
 */
export function wrapped(text, most) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(" ")) {
    const last = lines[lines.length - 1];
    if (last !== undefined && last.length + word.length < most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
