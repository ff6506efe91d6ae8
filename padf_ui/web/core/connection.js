// @ts-check
// Shows a message while there is no connection to the server, and removes it afterwards.

import { APP, CONNECTION_STATE } from "./streamlit_dom.js";
import { element } from "./dom.js";

export const LOST =
  "No connection to the server. What you draw stays on this page and is sent when the connection " +
  "is back. Until then, nothing else can be computed.";
const PATIENCE_MS = 1500;

/**
 * Returns whether a connection state of Streamlit means that there is no server.
 * @param {string | null | undefined} state
 */
export function isLost(state) {
  return typeof state === "string" && state !== "" && state !== "CONNECTED" && state !== "INITIAL";
}

/** Watches Streamlit's connection state. */
export class ConnectionWatch {
  /** @param {() => void} onReturn called each time the connection is back */
  constructor(onReturn) {
    this.onReturn = onReturn;
    this.wasLost = false;
    this.app = document.querySelector(APP);
    this.note = element("div", { role: "status", class: "padf-offline" });
    this.note.style.cssText =
      "position:fixed;left:50%;bottom:16px;transform:translateX(-50%);z-index:1000000;" +
      "box-sizing:border-box;width:max-content;max-width:min(44rem,calc(100vw - 24px));" +
      "padding:10px 16px;border-radius:8px;background:var(--note-back);color:var(--note-ink);" +
      "border:1px solid var(--note-line);font-weight:600;line-height:1.4;";
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.observer = new MutationObserver(() => this.look());
    if (this.app) this.observer.observe(this.app, { attributeFilter: [CONNECTION_STATE] });
    this.look();
  }

  look() {
    clearTimeout(this.timer);
    const { wasLost } = this;
    this.wasLost = isLost(this.app?.getAttribute(CONNECTION_STATE));
    if (this.wasLost) {
      this.timer = setTimeout(() => this.say(), PATIENCE_MS);
    } else {
      this.note.remove();
      if (wasLost) this.onReturn();
    }
  }

  say() {
    document.body.append(this.note);
    this.note.textContent = LOST;
  }

  close() {
    clearTimeout(this.timer);
    this.observer.disconnect();
    this.note.remove();
  }
}
