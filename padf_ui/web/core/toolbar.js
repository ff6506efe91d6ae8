// @ts-check
// Toolbars, and the status line that reports what happened.

import { element } from "./dom.js";

const SHOWN_MS = 4000;

/** @typedef {{name: string, text: string, title: string, run: () => void, label?: string}} Tool */

/**
 * @param {Element} parent
 * @param {string} label what the tools are for
 */
export function addToolbar(parent, label) {
  return element("div", { class: "toolbar", role: "group", "aria-label": label }, parent);
}

/**
 * @param {Element} bar
 * @param {Tool} tool
 */
export function addTool(bar, { name, text, title, run, label }) {
  const made = element("button", { type: "button", class: "tool", title }, bar, text);
  made.dataset.tool = name;
  if (label) made.setAttribute("aria-label", label);
  made.addEventListener("click", run);
  return made;
}

/** Announces messages to screen readers. Can also show them on the screen for a few seconds. */
export class Status {
  /** @param {Element} parent */
  constructor(parent) {
    this.line = element("div", { class: "status", role: "status" }, parent);
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /**
   * @param {string} message
   * @param {boolean} [isVisible]
   */
  say(message, isVisible = false) {
    this.line.textContent = message;
    this.line.classList.toggle("visible", isVisible);
    clearTimeout(this.timer);
    if (!isVisible) return;
    this.timer = setTimeout(() => this.line.classList.remove("visible"), SHOWN_MS);
  }

  close() {
    clearTimeout(this.timer);
  }
}

/**
 * Copies a link and reports the result.
 * @param {string} link
 * @param {Status} status
 */
export async function copyLink(link, status) {
  try {
    await navigator.clipboard.writeText(link);
    status.say("Link copied.", true);
  } catch {
    status.say("The browser blocked copying. Copy the link from the address bar.", true);
  }
}
