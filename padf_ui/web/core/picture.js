// @ts-check
// Exports drawings as standalone files.

import { SVG, shape } from "./dom.js";

const MARGIN = 16;

const STYLED = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "opacity",
  "paint-order", "font-family", "font-size", "font-weight", "font-variant-numeric",
];

/**
 * @typedef {object} Picture
 * @property {number} width
 * @property {number} height
 * @property {string} title
 * @property {Element} root the element whose background is used
 * @property {{svg: SVGElement, left: number}[]} parts
 */

/**
 * Returns several drawings, one on top of the other, as the text of an SVG file.
 * @param {Picture} picture
 */
export function composeSvg({ width, height, title, root, parts }) {
  const place = { x: -MARGIN, y: -MARGIN, width: width + 2 * MARGIN, height: height + 2 * MARGIN };
  const whole = shape("svg", {
    xmlns: SVG,
    width: place.width,
    height: place.height,
    viewBox: `${place.x} ${place.y} ${place.width} ${place.height}`,
  });
  shape("title", {}, whole, title);
  const back = getComputedStyle(root).getPropertyValue("--st-background-color").trim();
  shape("rect", { ...place, fill: back || "#ffffff" }, whole);
  for (const { svg, left } of parts) {
    copyStyled(svg, shape("g", { transform: `translate(${left},0)` }, whole));
  }
  return new XMLSerializer().serializeToString(whole);
}

/**
 * Returns a drawing as a figure for a paper: dark on white in any theme.
 * @param {HTMLElement} root the element whose mode sets the colours
 * @param {SVGElement} svg
 * @param {string} title
 * @param {(isPaper: boolean) => void} draw redraws it in the current mode
 */
export function onPaper(root, svg, title, draw) {
  const { mode } = root.dataset;
  root.dataset.mode = "light";
  root.style.setProperty("--st-background-color", "#ffffff");
  draw(true);
  const [width, height] = ["width", "height"].map((side) => Number(svg.getAttribute(side)));
  const markup = composeSvg({ width, height, title, root, parts: [{ svg, left: 0 }] });
  root.style.removeProperty("--st-background-color");
  root.dataset.mode = mode;
  draw(false);
  return markup;
}

/**
 * Copies the content of a drawing with its computed styles.
 * @param {Element} source
 * @param {Element} target
 */
function copyStyled(source, target) {
  for (const child of source.children) {
    const copy = /** @type {Element} */ (child.cloneNode(false));
    if (!["defs", "pattern", "g"].includes(child.tagName)) {
      const style = getComputedStyle(child);
      for (const name of STYLED) copy.setAttribute(name, style.getPropertyValue(name));
      const hatch = child.getAttribute("fill");
      if (hatch) copy.setAttribute("fill", hatch);
    }
    if (!child.children.length) copy.textContent = child.textContent;
    target.append(copy);
    copyStyled(child, copy);
  }
}

/**
 * @param {string} markup
 * @param {string} name
 */
export function saveSvg(markup, name) {
  saveFile(new Blob([markup], { type: "image/svg+xml" }), name);
}

/**
 * @param {string} markup
 * @param {string} name
 */
export function savePng(markup, name) {
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = image.width * 2;
    canvas.height = image.height * 2;
    const context = canvas.getContext("2d");
    context?.scale(2, 2);
    context?.drawImage(image, 0, 0);
    canvas.toBlob((blob) => blob && saveFile(blob, name));
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(markup)}`;
}

/**
 * @param {Blob} blob
 * @param {string} name
 */
function saveFile(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
