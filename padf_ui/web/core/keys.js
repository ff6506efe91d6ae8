// @ts-check
// Keys that step through a lesson, answer its questions or leave it, the elements where they have another meaning, and keys that
// move a value.

import { BUTTON_GROUP } from "./streamlit_dom.js";

const TYPED =
  "input, textarea, select, [contenteditable], [role=dialog], [role=listbox], [role=menu], [role=combobox]";
const ARROWED = [
  TYPED,
  "[role=slider], [role=spinbutton], [role=grid], [role=gridcell], [role=radiogroup], [role=radio], [role=tablist]",
  `${BUTTON_GROUP}, .timeline .stage, .front .clock, .guess .stage, .scroll.scrolls`,
].join(", ");

/** @type {Record<string, -1 | 1>} */
const STEPS = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };

/**
 * @typedef {object} Pressed
 * @property {string} key
 * @property {boolean} isPlain without Ctrl, Alt, Shift or Meta, not repeated, and not handled already
 * @property {(selector: string) => boolean} isIn whether it was pressed inside an element that matches
 */

const ANSWER = /^[1-6]$/;

/** @typedef {{step: -1 | 1} | {answer: number} | {reveal: 1} | {leave: 1}} Meaning of a key in a lesson */

/**
 * Returns what a key does on the page, or undefined if it has another meaning.
 * @param {Pressed} pressed
 * @returns {Meaning | undefined}
 */
export function meaningOf({ key, isPlain, isIn }) {
  if (!isPlain) return undefined;
  if (key === "Escape" && !isIn(TYPED)) return { leave: 1 };
  if (key in STEPS && !isIn(ARROWED)) return { step: STEPS[key] };
  if (isIn(TYPED)) return undefined;
  if (key.toLowerCase() === "r") return { reveal: 1 };
  if (ANSWER.test(key)) return { answer: Number(key) - 1 };
  return undefined;
}

/**
 * Reads a key event, through shadow roots.
 * @param {KeyboardEvent} event
 * @returns {Pressed}
 */
export function readKey(event) {
  const path = event.composedPath().filter((target) => target instanceof Element);
  const { ctrlKey, metaKey, altKey, shiftKey, repeat, defaultPrevented } = event;
  return {
    key: event.key,
    isPlain: !(ctrlKey || metaKey || altKey || shiftKey || repeat || defaultPrevented),
    isIn: (selector) => path.some((target) => target.matches(selector)),
  };
}

/**
 * Returns the place in a row that a key moves to, or undefined for other keys.
 * @param {string} key
 * @param {number} at
 * @param {number} count of places
 */
export function placeByKey(key, at, count) {
  /** @type {Record<string, number>} */
  const places = {
    ArrowLeft: at - 1,
    ArrowDown: at - 1,
    ArrowRight: at + 1,
    ArrowUp: at + 1,
    PageDown: at - 5,
    PageUp: at + 5,
    Home: 0,
    End: count - 1,
  };
  return key in places ? Math.max(0, Math.min(count - 1, places[key])) : undefined;
}
