// @ts-check
// What a board shows and allows: everything, unless a lesson restricts it.

import { PAINTED } from "./grid.js";

/**
 * @typedef {import("../payload.d.ts").Tailor} Tailor
 * @typedef {import("../payload.d.ts").BoardData} BoardData
 */

/** The tools of the board, by name. */
export const TOOLS = ["undo", "redo", "earlier", "later", "clear", "random", "link", "svg", "png"];

/**
 * Returns what a board shows and allows. While a question waits for its answer, everything that reveals
 * the credit of the lanes is hidden.
 * @param {Pick<BoardData, "tailor" | "sliders">} data
 * @returns {Tailor}
 */
export function tailorOf(data) {
  const { tailor } = data;
  if (tailor?.waits) return { ...tailor, numbers: false, formula: false, spread: false, worth: false };
  return tailor ?? {
    paint: PAINTED,
    tools: TOOLS,
    sliders: data.sliders.map((slider) => slider.key),
    numbers: true,
    formula: true,
    dim: [],
    spread: false,
    worth: false,
    waits: false,
  };
}
