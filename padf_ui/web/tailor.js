// @ts-check
// What a board shows and allows: everything, unless a lesson wants less.

import { PAINTED } from "./grid.js";

/**
 * @typedef {import("./payload.d.ts").Tailor} Tailor
 * @typedef {import("./payload.d.ts").BoardData} BoardData
 */

/** The tools of the board, by name. */
export const TOOLS = ["undo", "redo", "earlier", "later", "clear", "random", "link", "svg", "png"];

/**
 * @param {BoardData} data
 * @returns {Tailor}
 */
export function tailorOf(data) {
  return data.tailor ?? {
    paint: PAINTED,
    tools: TOOLS,
    sliders: data.sliders.map((slider) => slider.key),
    numbers: true,
    formula: true,
    dim: [],
    spread: false,
    worth: false,
  };
}
