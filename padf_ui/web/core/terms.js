// @ts-check
// Words of the glossary that say what they mean on hover or focus: a word between stars has its meaning.

import { element } from "./dom.js";

const WIDEST = 320;
const SHARE = 0.8;
const SIDE = 12;

/**
 * Cuts a text at its stars; what stands between two pairs of them has its meaning, if it is a term.
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
 * @param {Element} box is emptied first
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
 * Returns how far a meaning must be moved for it to stay on the screen; 0 or less.
 * @param {number} left where its word begins
 * @param {number} width of the screen
 */
export function shiftOf(left, width) {
  const widest = Math.min(WIDEST, SHARE * width);
  return Math.min(0, width - SIDE - widest - left);
}
