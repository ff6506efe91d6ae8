// @ts-check
// Which keys step through a lesson or leave it, and where they mean something else.

const TYPED =
  "input, textarea, select, [contenteditable], [role=dialog], [role=listbox], [role=menu], [role=combobox]";
const ARROWED = [
  TYPED,
  "[role=slider], [role=grid], [role=gridcell], [role=radiogroup], [role=radio], [role=tablist]",
  "[data-testid=stButtonGroup], .timeline .stage, .front .clock, .guess .stage, .scroll.scrolls",
].join(", ");

/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };

/**
 * @typedef {object} Pressed
 * @property {string} key
 * @property {boolean} isPlain without Ctrl, Alt, Shift or Meta, not repeated, and not used elsewhere
 * @property {(selector: string) => boolean} isIn whether it was pressed inside such an element
 */

/**
 * Returns what a key means for the page: a step, or to leave; nothing where it has another meaning.
 * @param {Pressed} pressed
 * @returns {{step: number} | {leave: number} | undefined}
 */
export function meaningOf({ key, isPlain, isIn }) {
  if (!isPlain) return undefined;
  if (key === "Escape" && !isIn(TYPED)) return { leave: 1 };
  if (key in STEPS && !isIn(ARROWED)) return { step: STEPS[key] };
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
