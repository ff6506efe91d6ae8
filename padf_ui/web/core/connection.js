// @ts-check
// Says on the page that the server does not answer, and takes it away when it does.

import { APP, CONNECTION_STATE } from "./streamlit_dom.js";
import { element } from "./dom.js";

export const LOST =
  "No connection to the server. What you draw stays on this page and is sent when it answers " +
  "again; nothing else can be computed until then.";
const PATIENCE_MS = 1500;

/**
 * Says whether a state, as Streamlit names it, is one without a server.
 * @param {string | null | undefined} state
 */
export function isLost(state) {
  return typeof state === "string" && state !== "" && state !== "CONNECTED" && state !== "INITIAL";
}

/** Watches what Streamlit says of its connection. */
export class ConnectionWatch {
  constructor() {
    this.app = document.querySelector(APP);
    this.note = element("div", { role: "status", class: "padf-offline" });
    this.note.style.cssText =
      "position:fixed;left:50%;bottom:16px;transform:translateX(-50%);z-index:1000000;" +
      "box-sizing:border-box;width:max-content;max-width:min(44rem,calc(100vw - 24px));" +
      "padding:10px 16px;border-radius:8px;background:#1f2937;color:#ffffff;" +
      "border:1px solid #9ca3af;font-weight:600;line-height:1.4;";
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.observer = new MutationObserver(() => this.look());
    if (this.app) this.observer.observe(this.app, { attributeFilter: [CONNECTION_STATE] });
    this.look();
  }

  look() {
    clearTimeout(this.timer);
    if (isLost(this.app?.getAttribute(CONNECTION_STATE))) {
      this.timer = setTimeout(() => this.say(), PATIENCE_MS);
    } else {
      this.note.remove();
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
