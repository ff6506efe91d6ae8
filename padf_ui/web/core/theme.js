// @ts-check
// Light or dark mode, derived from Streamlit's background colour.

/**
 * @param {Element} root
 * @returns {"light" | "dark"}
 */
function modeOf(root) {
  const background = getComputedStyle(root).getPropertyValue("--st-background-color").trim();
  const canvas = document.createElement("canvas").getContext("2d");
  if (!canvas) return "light";
  canvas.fillStyle = background || "#ffffff";
  canvas.fillRect(0, 0, 1, 1);
  const [r, g, b] = canvas.getImageData(0, 0, 1, 1).data;
  return 0.299 * r + 0.587 * g + 0.114 * b < 128 ? "dark" : "light";
}

/**
 * Sets data-mode, which the style sheet follows, and returns it.
 * @param {HTMLElement} root
 */
export function followTheme(root) {
  const mode = modeOf(root);
  root.dataset.mode = mode;
  return mode;
}

/**
 * Returns the colour for the current mode, or an empty text if there is none.
 * @param {string[] | undefined} colours for light and dark mode
 * @param {HTMLElement} root
 */
export function colourIn(colours, root) {
  return colours?.[root.dataset.mode === "dark" ? 1 : 0] ?? "";
}

/** Returns whether the user prefers reduced motion. */
export function isStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
