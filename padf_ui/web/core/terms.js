// @ts-check
// Glossary terms that show their definition on hover or focus. Texts mark them with ** on both sides.

import { element } from "./dom.js";

const WIDEST = 320;
const SHARE = 0.8;
const SIDE = 12;

/**
 * Splits a text at each **. A part between two marks gets its definition if it is a term.
 * @param {string} text
 * @param {Record<string, string>} terms
 * @returns {{text: string, meaning?: string}[]}
 */
export function partsOf(text, terms) {
  return text
    .split("**")
    .map((part, index) => {
      const meaning = index % 2 ? (terms[part] ?? terms[part.toLowerCase()]) : undefined;
      return meaning ? { text: part, meaning } : { text: part };
    })
    .filter((part) => part.text);
}

/**
 * @param {Element} box cleared first
 * @param {string} text
 * @param {Record<string, string>} terms
 */
export function writeTerms(box, text, terms) {
  box.replaceChildren();
  for (const part of partsOf(text, terms)) {
    if (part.meaning === undefined) {
      box.append(part.text);
      continue;
    }
    const said = { "aria-label": `${part.text}: ${part.meaning}`, "data-meaning": part.meaning };
    element("span", { class: "padf-term", tabindex: 0, role: "note", ...said }, box, part.text);
  }
}

/**
 * Returns how far a definition must be shifted to stay on the screen: 0 or less.
 * @param {number} left where the term begins
 * @param {number} width of the screen
 */
export function shiftOf(left, width) {
  const widest = Math.min(WIDEST, SHARE * width);
  return Math.min(0, width - SIDE - widest - left);
}
