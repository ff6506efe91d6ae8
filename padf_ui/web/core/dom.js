// @ts-check
// Creates elements, and keeps values for the browser tab while components come and go.

export const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Record<string, string | number>} Attributes */

/**
 * @param {Element} made
 * @param {Attributes} attributes
 */
export function setAll(made, attributes) {
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
}

/**
 * Creates an SVG element.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} attributes
 * @param {Element} [parent]
 * @param {string} [text]
 * @returns {SVGElementTagNameMap[T]}
 */
export function shape(tag, attributes, parent, text) {
  const made = document.createElementNS(SVG, tag);
  setAll(made, attributes);
  if (text !== undefined) made.textContent = text;
  parent?.append(made);
  return made;
}

/**
 * Creates an HTML element. Texts are never parsed as HTML.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} attributes
 * @param {Element} [parent]
 * @param {string} [text]
 * @returns {HTMLElementTagNameMap[T]}
 */
export function element(tag, attributes, parent, text) {
  const made = document.createElement(tag);
  setAll(made, attributes);
  if (text !== undefined) made.textContent = text;
  parent?.append(made);
  return made;
}

/** @type {(group: Element, name: string, x: number, y: number, anchor: string, text: string) => SVGTextElement} */
export function addText(group, name, x, y, anchor, text) {
  return shape("text", { class: name, x, y, "text-anchor": anchor }, group, text);
}

/**
 * Sets the text of an element, unless the element already shows it.
 * @param {Element} box
 * @param {string} text
 */
export function writeText(box, text) {
  if (box.textContent !== text) box.textContent = text;
}

/**
 * Adds a table in which every row starts with a name.
 * @template Cell
 * @param {Element} parent
 * @param {string[]} heads one per column, including the column of names
 * @param {{name: string, cells: Cell[]}[]} rows
 * @param {(made: HTMLElement, cell: Cell) => void} write fills a cell
 */
export function addTable(parent, heads, rows, write) {
  const table = element("table", {}, parent);
  const head = element("tr", {}, element("thead", {}, table));
  for (const text of heads) element("th", { scope: "col" }, head, text);
  const body = element("tbody", {}, table);
  for (const { name, cells } of rows) {
    const line = element("tr", {}, body);
    element("th", { scope: "row" }, line, name);
    for (const cell of cells) write(element("td", {}, line), cell);
  }
}

/**
 * Returns the SVG path of a line through points.
 * @param {{x: number, y: number}[]} points
 */
export function lineThrough(points) {
  return points.map(({ x, y }, at) => `${at ? "L" : "M"}${x.toFixed(1)},${y.toFixed(1)}`).join("");
}

/**
 * Returns the path through points in steps: each value holds up to the middle between two points.
 * @param {{x: number, y: number}[]} points
 */
export function stepsThrough(points) {
  return points
    .map(({ x, y }, at) => {
      if (!at) return `M${x.toFixed(1)},${y.toFixed(1)}`;
      const middle = (points[at - 1].x + x) / 2;
      return `H${middle.toFixed(1)}V${y.toFixed(1)}H${x.toFixed(1)}`;
    })
    .join("");
}

/**
 * Returns the focused element inside an element, or null if the focus is elsewhere.
 * @param {HTMLElement} root
 */
export function focusedIn(root) {
  const around = /** @type {Document | ShadowRoot} */ (root.getRootNode());
  const focused = around.activeElement;
  return focused instanceof HTMLElement && root.contains(focused) ? focused : null;
}

let drawings = 0;

/** Returns a prefix for the ids of one drawing's hatches that is unique in an exported file. */
export function newDrawingId() {
  drawings += 1;
  return `padf${drawings}`;
}

/**
 * Returns a value that this tab keeps under a name, across pages and remounts.
 * @template T
 * @param {string} name
 * @param {T} initial
 * @returns {T}
 */
export function kept(name, initial) {
  const tab = /** @type {Record<symbol, unknown>} */ (/** @type {unknown} */ (window));
  return /** @type {T} */ (tab[Symbol.for(`padf.${name}`)] ??= initial);
}

/** Returns the number of the next ask. Numbers increase as long as the tab is open. */
export function nextAskNumber() {
  const tab = /** @type {Record<symbol, number | undefined>} */ (/** @type {unknown} */ (window));
  const key = Symbol.for("padf.ask");
  return (tab[key] = (tab[key] ?? 0) + 1);
}
