// @ts-check
// The controls of a replay: back, play, next event, time, speed and sound. They have keyboard shortcuts.

import { element, shape, writeText } from "../core/dom.js";
import { addTool, addToolbar } from "../core/toolbar.js";

/**
 * @typedef {object} Hearer
 * @property {() => void} onBack
 * @property {() => void} onToggle called to play or to pause
 * @property {() => void} onNext
 * @property {() => void} onSound
 * @property {(seconds: number) => void} onScrub
 * @property {(speed: number) => void} onSpeed
 */

/** A description of the keyboard shortcuts. */
export const KEYS = "Space: play or pause. Arrow keys: move by one point. N: next event. I: I see it.";

/** @typedef {"toggle" | "back" | "next" | "see" | "earlier" | "later"} Action */

/** @type {Record<string, Action>} */
const ACTIONS = {
  " ": "toggle",
  Home: "back",
  n: "next",
  N: "next",
  i: "see",
  I: "see",
  ArrowLeft: "earlier",
  ArrowRight: "later",
};

/**
 * Returns what a key does, or undefined if it has another meaning.
 * @param {KeyboardEvent} event
 */
export function actionOf(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  const action = ACTIONS[event.key];
  if (!action || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  if (target.matches("button") && ["toggle", "back"].includes(action)) return undefined;
  if (target.matches("input, select") && ["back", "earlier", "later"].includes(action)) return undefined;
  return action;
}

const ICONS = {
  play: "M3,2L14,8L3,14Z",
  pause: "M3,2H6.5V14H3ZM9.5,2H13V14H9.5Z",
  back: "M2,2H4.5V14H2ZM14,2V14L5.5,8Z",
  next: "M11.5,2H14V14H11.5ZM2,2V14L10.5,8Z",
};

/**
 * Adds an icon and returns its path.
 * @param {Element} parent
 * @param {keyof ICONS} name
 */
export function addIcon(parent, name) {
  const svg = shape("svg", { class: "replay-icon", viewBox: "0 0 16 16", "aria-hidden": "true" }, parent);
  return shape("path", { d: ICONS[name] }, svg);
}

export class Controls {
  /**
   * @param {HTMLElement} parent
   * @param {Hearer} hearer
   */
  constructor(parent, hearer) {
    const bar = addToolbar(parent, "Playback");
    bar.classList.add("replay-controls");
    const back = { name: "back", text: "", title: "Back to the start", label: "back to the start" };
    addIcon(addTool(bar, { ...back, run: hearer.onBack }), "back");
    this.play = addTool(bar, { name: "play", text: "", title: "Play or pause (space)", run: hearer.onToggle });
    this.icon = addIcon(this.play, "play");
    const next = { name: "next", text: "next event ", title: "Go to the next event (N)" };
    addIcon(addTool(bar, { ...next, run: hearer.onNext }), "next");
    const scrub = { type: "range", class: "replay-scrub", min: 0, max: 1000, step: "any", "aria-label": "time" };
    this.scrub = element("input", scrub, bar);
    const label = element("label", { class: "replay-speed" }, bar, "speed ");
    this.speed = element("select", { "aria-label": "speed" }, label);
    const sound = { name: "sound", text: "", title: "Turn the alarm sound on or off" };
    this.sound = addTool(bar, { ...sound, run: hearer.onSound });
    this.scrub.addEventListener("input", () => hearer.onScrub(Number(this.scrub.value)));
    this.speed.addEventListener("change", () => hearer.onSpeed(Number(this.speed.value)));
  }

  /**
   * Sets the speeds to choose from.
   * @param {number[]} speeds
   * @param {number} chosen
   */
  offer(speeds, chosen) {
    this.speed.replaceChildren();
    for (const speed of speeds) element("option", { value: speed }, this.speed, `${speed}x`);
    this.speed.value = String(chosen);
  }

  /**
   * @param {boolean} isPlaying
   * @param {boolean} hasSound
   */
  show(isPlaying, hasSound) {
    this.icon.setAttribute("d", isPlaying ? ICONS.pause : ICONS.play);
    this.play.setAttribute("aria-label", isPlaying ? "pause" : "play");
    writeText(this.sound, hasSound ? "sound: on" : "sound: off");
    this.sound.setAttribute("aria-pressed", String(hasSound));
  }

  /**
   * @param {number} seconds
   * @param {number} length of the clip
   * @param {string} clock the time as text
   */
  showTime(seconds, length, clock) {
    this.scrub.max = String(length);
    this.scrub.value = String(seconds);
    this.scrub.setAttribute("aria-valuetext", clock);
  }
}
