// @ts-check
// The numbers of a need as steps, and whether the user is changing one of them.

/**
 * @typedef {import("../payload.d.ts").NeedData} NeedData
 * @typedef {{seconds: number, share: number, grace: number}} Places the step of each number
 */

/**
 * @typedef {object} Hearer
 * @property {() => void} onMove called while a number moves
 * @property {() => void} onRelease called when it is released
 * @property {() => void} onReturn called when it goes back to where it was
 */

export class NeedNumbers {
  /** @param {Hearer} hearer */
  constructor(hearer) {
    this.hearer = hearer;
    /** @type {NeedData["numbers"]} */
    this.all = [];
    /** @type {Places} */
    this.at = { seconds: 0, share: 0, grace: 0 };
    this.before = { ...this.at };
    this.isHeld = false;
  }

  /** @param {NeedData["numbers"]} numbers */
  take(numbers) {
    this.all = numbers;
    this.at = { seconds: 0, share: 0, grace: 0 };
    for (const { key, at } of numbers) this.at[key] = at;
  }

  /** @param {keyof Places} key */
  stepsOf(key) {
    return this.all.find((number) => number.key === key)?.steps ?? [0];
  }

  /** @param {keyof Places} key */
  numberAt(key) {
    return this.stepsOf(key)[this.at[key]] ?? 0;
  }

  get values() {
    return Object.fromEntries(this.all.map(({ key, steps }) => [key, steps[this.at[key]]]));
  }

  /** Whether a number has changed since the drag began. */
  get isMoved() {
    const { before, at } = this;
    return before.seconds !== at.seconds || before.share !== at.share || before.grace !== at.grace;
  }

  hold() {
    this.before = { ...this.at };
    this.isHeld = true;
  }

  /** @param {Partial<Places>} places */
  moveTo(places) {
    this.at = { ...this.at, ...places };
    this.hearer.onMove();
  }

  letGo() {
    if (!this.isHeld) return;
    this.isHeld = false;
    this.hearer.onRelease();
  }

  takeBack() {
    this.at = { ...this.before };
    this.isHeld = false;
    this.hearer.onReturn();
  }
}
