// @ts-check
// Sends numbers from one component of a page to another at once, without asking Python.

import { kept } from "./dom.js";

/** @typedef {(value: number | null) => void} Listener */

/** @returns {Record<string, Listener | undefined>} */
function hearers() {
  return kept("hearers", {});
}

/**
 * Sends a number to the listener under a name. Null means that the last number no longer holds.
 * @param {string} name
 * @param {number | null} value
 */
export function tellNow(name, value) {
  hearers()[name]?.(value);
}

/**
 * Listens for numbers under a name. Returns a function that stops listening.
 * @param {string} name
 * @param {Listener} take
 */
export function hearNow(name, take) {
  hearers()[name] = take;
  return () => {
    if (hearers()[name] === take) hearers()[name] = undefined;
  };
}
