// @ts-check
// The card at the end of a replay: the results in sentences and tables, and what to do next.

import { addTable, element } from "../core/dom.js";
import { addTool, addToolbar } from "../core/toolbar.js";

/**
 * @typedef {import("../payload.d.ts").ReplayData} ReplayData
 * @typedef {import("../payload.d.ts").ReplayRow} ReplayRow
 * @typedef {import("./watcher.js").Watcher} Watcher
 * @typedef {{lines: string[], table: ReplayRow[], notes: string[]}} Told
 */

/**
 * @typedef {object} Hearer
 * @property {() => void} onAgain
 * @property {(kind: "svg" | "png") => void} onSave
 * @property {() => void} onLink
 */

/**
 * Returns the content of the end card: Python's lines and those of the watcher.
 * @param {ReplayData} data
 * @param {Watcher} watcher
 * @returns {Told}
 */
export function tellEnd(data, watcher) {
  const { card, clips } = data.rows;
  const scored = watcher.hasPressed ? watcher.scored(data) : null;
  const own = clips.length === 1 && watcher.hasPressed ? [`You: ${watcher.wordsIn(data, 0)}.`] : [];
  return {
    lines: [...card.lines, ...own],
    table: scored ? [...card.rows, scored.row] : card.rows,
    notes: scored ? [...card.notes, "Your row covers only what you watched."] : card.notes,
  };
}

/**
 * Returns a table with its columns as rows.
 * @param {string[]} heads
 * @param {ReplayRow[]} rows
 * @returns {ReplayRow[]}
 */
export function turned(heads, rows) {
  return heads.map((name, index) => ({ name, cells: rows.map(({ cells }) => cells[index]) }));
}

/** The end card. While it is shown, the rest of the replay is hidden. */
export class EndCard {
  /**
   * @param {HTMLElement} root
   * @param {Hearer} hearer
   */
  constructor(root, hearer) {
    this.root = root;
    this.hearer = hearer;
    this.box = element("div", { class: "replay-card", role: "region", "aria-label": "Results" }, root);
    this.show(false);
  }

  get isShown() {
    return !this.box.hidden;
  }

  /** @param {boolean} isShown */
  show(isShown) {
    this.box.hidden = !isShown;
    this.root.classList.toggle("over", isShown);
  }

  focus() {
    this.box.querySelector("button")?.focus({ preventScroll: true });
  }

  /**
   * @param {ReplayData} data
   * @param {Told} told
   */
  fill({ rows, name }, { lines, table, notes }) {
    const { box } = this;
    const { heads, title, each } = rows.card;
    box.replaceChildren();
    const top = element("div", { class: "replay-card-top" }, box);
    element("h2", {}, top, rows.title);
    this.addWays(top, !name);
    for (const line of lines) element("p", { class: "replay-line" }, box, line);
    element("p", { class: "replay-over" }, box, title);
    // On a narrow screen, the columns become rows.
    if (this.root.classList.contains("narrow")) {
      this.addRows(table.map((row) => row.name), turned(heads, table));
    } else this.addRows(heads, table);
    for (const note of notes) element("p", { class: "replay-small" }, box, note);
    if (each.length) this.addRows(rows.detectors.map((detector) => detector.name), each);
  }

  /**
   * @param {HTMLElement} parent
   * @param {boolean} hasLink
   */
  addWays(parent, hasLink) {
    const { onAgain, onSave, onLink } = this.hearer;
    const bar = addToolbar(parent, "Next steps");
    addTool(bar, { name: "again", text: "Play again", title: "Play again from the start", run: onAgain });
    addTool(bar, { name: "svg", text: "Save as SVG", title: "Save as an SVG image", run: () => onSave("svg") });
    addTool(bar, { name: "png", text: "Save as PNG", title: "Save as a PNG image", run: () => onSave("png") });
    const link = { name: "link", text: "Copy link", title: "Copy a link to this replay, without your presses" };
    if (hasLink) addTool(bar, { ...link, run: onLink });
  }

  /**
   * @param {string[]} heads
   * @param {ReplayRow[]} rows
   */
  addRows(heads, rows) {
    const region = { class: "replay-table", tabindex: 0, role: "group", "aria-label": "Results table" };
    addTable(element("div", region, this.box), ["", ...heads], rows, (made, cell) => {
      made.textContent = cell;
    });
  }
}
