// @ts-check
// A sentence with numbers that can be dragged sideways, changed with keys or typed. Its words come from
// Python.

import { element, setAll } from "../core/dom.js";
import { placeByKey } from "../core/keys.js";

/**
 * @typedef {import("../payload.d.ts").NeedData} NeedData
 * @typedef {import("../payload.d.ts").NeedSlot} NeedSlot
 * @typedef {import("./need_numbers.js").NeedNumbers} NeedNumbers
 */

const STEP_WIDTH = 9;
const STILL = 4;

/**
 * Returns the step of a number after a drag, limited to its first and last step.
 * @param {number} from the step at which the drag began
 * @param {number} pixels to the right
 * @param {boolean} isTurned whether the value shown falls while the number rises
 * @param {number} count of steps
 */
export function stepDragged(from, pixels, isTurned, count) {
  const moved = Math.round(pixels / STEP_WIDTH) * (isTurned ? -1 : 1);
  return Math.max(0, Math.min(count - 1, from + moved));
}

export class NeedSentence {
  /**
   * @param {HTMLElement} box
   * @param {NeedNumbers} numbers
   * @param {(typed: {number: NeedSlot["number"], text: string}) => void} onType called with the typed text
   */
  constructor(box, numbers, onType) {
    this.box = box;
    this.numbers = numbers;
    this.onType = onType;
    /** @type {HTMLElement[]} */
    this.slots = [];
  }

  /** @param {NeedData} data */
  build(data) {
    this.box.replaceChildren(data.parts[0]);
    this.slots = data.slots.map((slot, index) => {
      const made = element("span", { class: "need-slot", role: "spinbutton", tabindex: 0 });
      this.box.append(made, data.parts[index + 1]);
      made.dataset.number = slot.number;
      this.listen(made, slot);
      return made;
    });
  }

  /** @param {NeedSlot[]} slots */
  show(slots) {
    slots.forEach(({ moves, title, texts, turned }, index) => {
      const at = this.numbers.at[moves];
      const last = texts.length - 1;
      this.slots[index].textContent = texts[at];
      setAll(this.slots[index], {
        "aria-label": title,
        "aria-valuemin": 0,
        "aria-valuemax": last,
        "aria-valuenow": turned ? last - at : at,
        "aria-valuetext": texts[at],
        title: "Drag sideways, use the arrow keys, or click to type a value",
      });
    });
  }

  /**
   * @param {HTMLElement} made
   * @param {NeedSlot} slot
   */
  listen(made, slot) {
    const { numbers } = this;
    const { moves, turned } = slot;
    let start = 0;
    let isMoved = false;
    made.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      made.setPointerCapture(event.pointerId);
      made.focus({ preventScroll: true });
      start = event.clientX;
      isMoved = false;
      numbers.hold();
    });
    made.addEventListener("pointermove", (event) => {
      const pixels = event.clientX - start;
      if (!numbers.isHeld || (!isMoved && Math.abs(pixels) < STILL)) return;
      isMoved = true;
      const count = numbers.stepsOf(moves).length;
      numbers.moveTo({ [moves]: stepDragged(numbers.before[moves], pixels, turned, count) });
    });
    made.addEventListener("pointerup", () => {
      if (!numbers.isHeld) return;
      if (isMoved) numbers.letGo();
      else {
        numbers.isHeld = false;
        this.type(made, slot);
      }
    });
    made.addEventListener("pointercancel", () => numbers.takeBack());
    made.addEventListener("keydown", (event) => this.key(event, made, slot));
    made.addEventListener("keyup", () => numbers.letGo());
    made.addEventListener("blur", () => numbers.letGo());
  }

  /**
   * @param {KeyboardEvent} event
   * @param {HTMLElement} made
   * @param {NeedSlot} slot
   */
  key(event, made, slot) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { numbers } = this;
    const { moves, turned } = slot;
    const count = numbers.stepsOf(moves).length;
    const from = turned ? count - 1 - numbers.at[moves] : numbers.at[moves];
    const place = placeByKey(event.key, from, count);
    if (place !== undefined) {
      event.preventDefault();
      if (!numbers.isHeld) numbers.hold();
      numbers.moveTo({ [moves]: turned ? count - 1 - place : place });
    } else if (event.key === "Enter" || /^\d$/.test(event.key)) {
      event.preventDefault();
      this.type(made, slot, event.key === "Enter" ? undefined : event.key);
    }
  }

  /**
   * Replaces a number with an input field. Python parses the typed text.
   * @param {HTMLElement} made
   * @param {NeedSlot} slot
   * @param {string} [begun] the text typed so far
   */
  type(made, slot, begun) {
    const label = `${slot.title}: type a value`;
    const written = made.textContent ?? "";
    const field = element("input", { type: "text", class: "need-typed", "aria-label": label });
    field.value = begun ?? written;
    field.style.width = `${Math.max(5, written.length + 2)}ch`;
    made.hidden = true;
    made.before(field);
    field.focus({ preventScroll: true });
    if (begun === undefined) field.select();
    let isDone = false;
    /** @param {boolean} isWanted */
    const done = (isWanted) => {
      if (isDone) return;
      isDone = true;
      const text = field.value.trim();
      const hadFocus = field.matches(":focus");
      field.remove();
      made.hidden = false;
      if (hadFocus) made.focus({ preventScroll: true });
      if (isWanted && text && text !== written) this.onType({ number: slot.number, text });
    };
    field.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter") done(true);
      else if (event.key === "Escape") done(false);
    });
    field.addEventListener("keyup", (event) => event.stopPropagation());
    field.addEventListener("blur", () => done(true));
  }
}
