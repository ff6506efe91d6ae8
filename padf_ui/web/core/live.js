// @ts-check
// What one component of a page lets another know at once, without asking Python.

import { kept } from "./dom.js";

/** @typedef {(value: number | null) => void} Listener */

/** @returns {Record<string, Listener | undefined>} */
function hearers() {
  return kept("hearers", {});
}

/**
 * Lets whoever hears under a name know of a number, or that it holds no longer.
 * @param {string} name
 * @param {number | null} value
 */
export function tellNow(name, value) {
  hearers()[name]?.(value);
}

/**
 * Hears what is told under a name; returns what ends it.
 * @param {string} name
 * @param {Listener} take
 */
export function hearNow(name, take) {
  hearers()[name] = take;
  return () => {
    if (hearers()[name] === take) hearers()[name] = undefined;
  };
}
